// The end of a game: dead stones are marked on the board, the sum is shown, and the count can be agreed on.
import { useBoard, usePage } from "../page_context";
import { Button } from "../parts/Button";
import type { Position } from "../protocol";
import { useWords } from "../words/words";
import { SaveButton } from "./GameButtons";
import { isCounting } from "./turn";

export function EndCard({ position }: { position: Position }) {
  const { actions } = usePage();
  const { score, agreed } = useBoard("play");
  const words = useWords();
  const open = isCounting(position) && score !== null && !agreed;
  return (
    <div class="end">
      {open && score.changeable && <p>{words.say("end.mark_dead")}</p>}
      {isCounting(position) && score && (
        <pre class="sums" dir="ltr">
          {score.sums}
        </pre>
      )}
      <div class="buttons">
        {open && (
          <Button kind="primary" icon="check" onClick={() => actions.agree("play")}>
            {words.say("end.agree")}
          </Button>
        )}
        {!agreed && (
          <Button icon="undo" keys="U" onClick={() => actions.undo("play")}>
            {words.say("end.play_on")}
          </Button>
        )}
        <Button kind={open ? "plain" : "primary"} icon="plus" keys="N" onClick={() => actions.beginChosen()}>
          {words.say("end.again")}
        </Button>
      </div>
      <div class="row quiet-row">
        <SaveButton />
        <Button kind="quiet" icon="search" onClick={() => void actions.studyGame()}>
          {words.say("game.analyse")}
        </Button>
        <Button kind="quiet" icon="settings" onClick={() => actions.leave("play")}>
          {words.say("end.other")}
        </Button>
      </div>
    </div>
  );
}
