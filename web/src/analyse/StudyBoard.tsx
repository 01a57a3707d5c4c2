// The board of the study, with what one engine thinks of the position drawn over it.
import { Board } from "../board/Board";
import { Candidates } from "../board/Candidates";
import { PolicyHeat } from "../board/PolicyHeat";
import { Variation } from "../board/Variation";
import { stoneOf } from "../go/points";
import { usePage } from "../page_context";
import type { Analysis, Point, Position } from "../protocol";
import { boardLabel, pointWords } from "../words/go_words";
import { useWords } from "../words/words";
import { stonesOf, type Tool } from "./tools";

interface Props {
  position: Position;
  opinion: Analysis | null;
  /** The candidate whose variation is shown. */
  aimed: Point | null;
  aim: (point: Point | null) => void;
  tool: Tool;
}

export function StudyBoard({ position, opinion, aimed, aim, tool }: Props) {
  const { state, actions } = usePage();
  const words = useWords();
  const { layers } = state.preferences;
  const chosen = opinion?.moves.find((move) => move.point === aimed);
  const use = (point: Point) => {
    aim(null);
    if (tool === "play") actions.play("analyse", point);
    else actions.setup("analyse", stonesOf(tool, position, point));
  };
  return (
    <Board
      rows={position.rows}
      cols={position.cols}
      stones={position.stones}
      lastMove={position.last_move}
      marks={chosen ? [] : position.marks}
      paint={layers.ownership && !chosen ? (opinion?.black_ownership ?? null) : null}
      ghost={tool === "play" ? stoneOf(position.to_play) : tool === "erase" ? 0 : tool === "black" ? 1 : 2}
      illegal={tool === "play" ? position.illegal : []}
      label={boardLabel(words, position)}
      describe={(point) => pointWords(words, position, point)}
      onPoint={use}
      onHover={aim}
    >
      {layers.policy && opinion?.policy && !chosen && <PolicyHeat policy={opinion.policy} size={position} />}
      {chosen ? (
        <Variation line={chosen.line} size={position} first={position.to_play} />
      ) : (
        layers.moves && opinion && <Candidates opinion={opinion} size={position} />
      )}
    </Board>
  );
}
