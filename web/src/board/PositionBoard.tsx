// The board of a position that the server told: its stones, its last move, and what is said of its points.
import type { Position } from "../protocol";
import { boardLabel, pointWords } from "../words/go_words";
import { useWords } from "../words/words";
import { Board, type BoardProps } from "./Board";

type Given = "rows" | "cols" | "stones" | "lastMove" | "label" | "describe";

export function PositionBoard({ position, ...rest }: { position: Position } & Omit<BoardProps, Given>) {
  const words = useWords();
  return (
    <Board
      {...rest}
      rows={position.rows}
      cols={position.cols}
      stones={position.stones}
      lastMove={position.last_move}
      label={boardLabel(words, position)}
      describe={(point) => pointWords(words, position, point)}
    />
  );
}
