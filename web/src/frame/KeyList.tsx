// All keys, with what they do.
import { useWords } from "../words/words";

const KEYS = [
  ["← ↑ → ↓", "keys.cursor"],
  ["Enter", "keys.play"],
  ["B", "keys.board"],
  ["P", "keys.pass"],
  ["U", "keys.undo"],
  ["H", "keys.hint"],
  ["M", "keys.move"],
  ["N", "keys.new"],
  [", .", "keys.step"],
  ["[ ]", "keys.variation"],
  ["Home End", "keys.ends"],
  ["A", "keys.analysis"],
  ["O", "keys.ownership"],
  ["1 2 3", "keys.rooms"],
] as const;

export function KeyList() {
  const words = useWords();
  return (
    <details class="key-list">
      <summary>{words.say("keys.title")}</summary>
      <dl>
        {KEYS.map(([keys, what]) => (
          <div key={what}>
            <dt dir="ltr">
              {keys.split(" ").map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{words.say(what)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
