// A move by its name, for those who would rather type "E5" than point at it.
import { useId, useState } from "preact/hooks";
import { namedPoint } from "../go/points";
import { usePage } from "../page_context";
import type { Position } from "../protocol";
import { useWords } from "../words/words";

export function MoveField({ position }: { position: Position }) {
  const { actions } = usePage();
  const words = useWords();
  const id = useId();
  const [text, setText] = useState("");
  const submit = (event: Event) => {
    event.preventDefault();
    const point = namedPoint(text, position);
    if (point === null) return actions.tell(words.say("move.no_point", { text }));
    actions.play("play", point);
    setText("");
  };
  return (
    <form class="move-field" onSubmit={submit}>
      <label for={id}>{words.say("move.type")}</label>
      <input
        id={id}
        dir="ltr"
        size={5}
        autocomplete="off"
        placeholder="E5"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" class="button" disabled={text.trim() === ""}>
        {words.say("move.play")}
      </button>
    </form>
  );
}
