// What a click on the board of the study does: play a move, or change stones.
import type { Point, Position } from "../protocol";

export type Tool = "play" | "black" | "white" | "erase";
export const TOOLS: readonly Tool[] = ["play", "black", "white", "erase"];

/** The stones to ask for when `tool` is used at a point; where its stone lies already, it is taken off. */
export function stonesOf(tool: Exclude<Tool, "play">, position: Position, point: Point) {
  const there = position.stones[point] ?? 0;
  const wanted = tool === "black" ? 1 : tool === "white" ? 2 : 0;
  if (wanted === 0 || wanted === there) return { empty: [point] };
  return wanted === 1 ? { black: [point] } : { white: [point] };
}
