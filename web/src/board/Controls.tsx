// Below the board of a record: to its beginning and end, a move back and forward, to the next variation, undo, pass.
import { useBoard, usePage } from "../page_context";
import { IconButton } from "../parts/Button";
import type { BoardKey } from "../state/state";
import { lastMoveWords } from "../words/go_words";
import { useWords } from "../words/words";

const FAR = 100_000;

export function Controls({ board }: { board: BoardKey }) {
  const { actions } = usePage();
  const { position, nodes } = useBoard(board);
  const words = useWords();
  if (position === null) return null;
  const here = nodes[position.node];
  const atStart = here?.parent === null;
  const atEnd = here !== undefined && here.children.length === 0;
  const parent = here?.parent === null || here === undefined ? undefined : nodes[here.parent];
  const variations = parent?.children.length ?? 1;
  return (
    <div class="controls">
      <div class="control-buttons" dir="ltr" role="group" aria-label={words.say("controls.label")}>
        <IconButton
          icon="first"
          keys="Home"
          label={words.say("controls.start")}
          disabled={atStart}
          onClick={() => actions.toStart(board)}
        />
        <IconButton
          icon="back"
          keys=","
          label={words.say("controls.back")}
          disabled={atStart}
          onClick={() => actions.step(board, -1)}
        />
        <IconButton
          icon="forward"
          keys="."
          label={words.say("controls.forward")}
          disabled={atEnd}
          onClick={() => actions.step(board, 1)}
        />
        <IconButton
          icon="last"
          keys="End"
          label={words.say("controls.end")}
          disabled={atEnd}
          onClick={() => actions.step(board, FAR)}
        />
        <IconButton
          icon="tree"
          keys="]"
          label={words.say("controls.variation")}
          disabled={variations < 2}
          onClick={() => actions.toVariation(board, 1)}
        />
      </div>
      <p>
        <strong>{words.say("controls.move", { number: words.number(position.move_number) })}</strong>{" "}
        <span class="faint">{lastMoveWords(words, position)}</span>
      </p>
    </div>
  );
}
