// The board of the study, with what one engine thinks of the position drawn over it.
import { Candidates } from "../board/Candidates";
import { PolicyHeat } from "../board/PolicyHeat";
import { PositionBoard } from "../board/PositionBoard";
import { Variation } from "../board/Variation";
import { stoneOf } from "../go/points";
import { usePage } from "../page_context";
import type { Analysis, Point, Position } from "../protocol";
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
  const { layers } = state.preferences;
  const chosen = opinion?.moves.find((move) => move.point === aimed);
  const use = (point: Point) => {
    aim(null);
    if (tool === "play") actions.play("analyse", point);
    else actions.setup("analyse", stonesOf(tool, position, point));
  };
  return (
    <PositionBoard
      position={position}
      marks={chosen ? [] : position.marks}
      paint={layers.ownership && !chosen ? (opinion?.black_ownership ?? null) : null}
      ghost={tool === "play" ? stoneOf(position.to_play) : tool === "erase" ? 0 : tool === "black" ? 1 : 2}
      illegal={tool === "play" ? position.illegal : []}
      onPoint={use}
      onHover={aim}
    >
      {layers.policy && opinion?.policy && !chosen && <PolicyHeat policy={opinion.policy} size={position} />}
      {chosen ? (
        <Variation line={chosen.line} size={position} first={position.to_play} />
      ) : (
        layers.moves && opinion && <Candidates opinion={opinion} size={position} />
      )}
    </PositionBoard>
  );
}
