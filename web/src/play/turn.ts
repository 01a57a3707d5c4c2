// Whose turn it is: the person's, an engine's, or nobody's any more.
import type { Color, Position, Seat } from "../protocol";

export function seatOf(position: Position, color: Color): Seat {
  return color === "B" ? position.black : position.white;
}

export function turn(position: Position): "person" | "engine" | "over" {
  if (position.over) return "over";
  return seatOf(position, position.to_play).engine === null ? "person" : "engine";
}

/** Two people, or two engines, share the words of one seat; a person alone is "you". */
export function isAlone(position: Position): boolean {
  return (position.black.engine === null) !== (position.white.engine === null);
}

/** The moves have ended the game, so that it is counted (nobody resigned or ran out of time). */
export function isCounting(position: Position): boolean {
  return position.over && position.passes >= 2;
}
