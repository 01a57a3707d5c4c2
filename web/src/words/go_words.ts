// How the game is told in words: moves, results, who won. For the eye and for a screen reader.
import { pointName, type Size } from "../go/points";
import type { Color, Engine, Point, Position, Seat } from "../protocol";
import type { Words } from "./words";

export function colorWord(words: Words, color: Color): string {
  return words.say(color === "B" ? "color.black" : "color.white");
}

/** "D4", or the word for a pass. */
export function moveWord(words: Words, point: Point, size: Size): string {
  return pointName(point, size) ?? words.say("move.pass");
}

/** What lies at a point: "D4, black stone". */
export function pointWords(words: Words, position: Position, point: Point): string {
  const name = moveWord(words, point, position);
  const stone = position.stones[point];
  const what = stone === 1 ? "point.black" : stone === 2 ? "point.white" : "point.empty";
  return words.say("point", { point: name, what: words.say(what) });
}

/** The last move as a sentence, or null at the beginning. */
export function lastMoveWords(words: Words, position: Position): string | null {
  if (position.last_move === null) return null;
  const mover = position.to_play === "B" ? "W" : "B";
  const color = colorWord(words, mover);
  const point = pointName(position.last_move, position);
  return point === null ? words.say("said.pass", { color }) : words.say("said.move", { color, point });
}

/** "Black wins by 3.5 points" of "B+3.5"; a result that is not understood stays as it is. */
export function resultWords(words: Words, result: string): string {
  if (result === "") return words.say("result.open");
  if (result === "0" || result === "Draw" || result === "Jigo") return words.say("result.draw");
  const found = /^([BW])\+(.*)$/.exec(result);
  if (!found) return words.say("result.none");
  const color = colorWord(words, found[1] as Color);
  const how = found[2] ?? "";
  if (/^R/.test(how)) return words.say("result.resign", { color });
  if (/^T/.test(how)) return words.say("result.time", { color });
  return how === "" ? words.say("result.wins", { color }) : words.say("result.points", { color, points: how });
}

export function playerName(words: Words, name: string): string {
  return words.sayOr(`player.${name}`, name);
}

/** Whose seat it is: the engine's name, else that of the record, else "You" or the colour. */
export function seatName(words: Words, seat: Seat, color: Color, alone: boolean): string {
  if (seat.engine) return playerName(words, seat.engine.player);
  if (seat.name !== "") return seat.rank === "" ? seat.name : `${seat.name} (${seat.rank})`;
  return alone ? words.say("seat.you") : colorWord(words, color);
}

/** What the board is, for a screen reader: its size, the moves so far, whose turn it is. */
export function boardLabel(words: Words, position: Position): string {
  return words.say("board.label", {
    size: `${position.cols}×${position.rows}`,
    number: words.number(position.move_number),
    color: colorWord(words, position.to_play),
  });
}

/** How strong an engine was told to be: "400 visits", "5 s a move", "5k"; "" where nothing was said. */
export function strengthWords(words: Words, engine: Engine | null): string {
  if (engine?.rank !== undefined) return engine.rank;
  if (engine?.visits !== undefined) return words.say("seat.visits", { visits: words.number(engine.visits) });
  if (engine?.seconds !== undefined) return words.say("seat.seconds", { seconds: words.number(engine.seconds, 1) });
  return "";
}
