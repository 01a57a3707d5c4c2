// The board of a game: a click plays, or says which stones are dead; before the game it begins one.
import { Board } from "../board/Board";
import { Spot } from "../board/marks";
import { PositionBoard } from "../board/PositionBoard";
import { opponent, stoneOf } from "../go/points";
import { useBoard, usePage } from "../page_context";
import type { Position } from "../protocol";
import { useWords } from "../words/words";
import { isCounting, turn } from "./turn";

export function PlayBoard() {
  const { position } = useBoard("play");
  return position === null ? <EmptyBoard /> : <GameBoard position={position} />;
}

/** Before the first game: a click begins it, and is its first move where the person is Black. */
function EmptyBoard() {
  const { state, actions } = usePage();
  const words = useWords();
  const { size, seat, handicap } = state.preferences.game;
  const begins = (seat === "B" && handicap === 0) || seat === "both";
  return (
    <Board
      rows={size}
      cols={size}
      stones={new Array(size * size).fill(0)}
      label={words.say("board.empty", { size })}
      ghost={begins ? 1 : 0}
      onPoint={(point) => actions.beginChosen(begins ? point : undefined)}
    />
  );
}

function GameBoard({ position }: { position: Position }) {
  const { actions } = usePage();
  const { score, hint, agreed } = useBoard("play");
  const counting = isCounting(position) && score !== null;
  const mine = turn(position) === "person";
  const onPoint = counting
    ? score.changeable && !agreed
      ? (point: number) => position.stones[point] !== 0 && actions.dead("play", point)
      : undefined
    : mine
      ? (point: number) => actions.play("play", point)
      : undefined;
  return (
    <PositionBoard
      position={position}
      marks={counting ? score.dead.map((point) => ({ point, kind: "cross", text: "" })) : position.marks}
      dimmed={counting ? score.dead : []}
      paint={counting ? score.owner.map(sideOf) : null}
      ghost={counting || !mine ? 0 : stoneOf(position.to_play)}
      illegal={position.illegal}
      onPoint={onPoint}
    >
      {hint?.node === position.node && hint.point !== null && (
        <Spot point={hint.point} size={position} className={`hint hint-${opponent(position.to_play)}`} />
      )}
    </PositionBoard>
  );
}

function sideOf(owner: number): number {
  return owner === 1 ? 1 : owner === 2 ? -1 : 0;
}
