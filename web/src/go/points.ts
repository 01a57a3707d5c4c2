// Points of the board: their names as people say them, and the maps that the board is drawn from.
import type { Color, Point } from "../protocol";

const LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

export interface Size {
  rows: number;
  cols: number;
}

/** "D4"; null for a pass. */
export function pointName(point: Point, size: Size): string | null {
  if (point >= size.rows * size.cols) return null;
  return `${columnName(point % size.cols)}${size.rows - Math.floor(point / size.cols)}`;
}

export function columnName(column: number): string {
  return LETTERS[column] ?? "?";
}

/** The point of a name in any case, or null where the board has none. */
export function namedPoint(name: string, size: Size): Point | null {
  const found = /^\s*([A-HJ-Z])\s*([0-9]{1,2})\s*$/i.exec(name);
  if (!found) return null;
  const column = LETTERS.indexOf((found[1] ?? "").toUpperCase());
  const row = size.rows - Number(found[2]);
  return column >= 0 && column < size.cols && row >= 0 && row < size.rows ? row * size.cols + column : null;
}

/** The neighbour of a point one step on, or the point itself at the edge. */
export function stepped(point: Point, size: Size, down: number, right: number): Point {
  const row = clamp(Math.floor(point / size.cols) + down, size.rows);
  const column = clamp((point % size.cols) + right, size.cols);
  return row * size.cols + column;
}

function clamp(value: number, length: number): number {
  return Math.max(0, Math.min(length - 1, value));
}

export function opponent(color: Color): Color {
  return color === "B" ? "W" : "B";
}

/** 1 for Black, 2 for White, as in `Position.stones`. */
export function stoneOf(color: Color): number {
  return color === "B" ? 1 : 2;
}

/** A map of rows of what `of` says of each point. */
export function mapOf<T>(size: Size, of: (point: Point) => T): T[][] {
  return Array.from({ length: size.rows }, (_, row) =>
    Array.from({ length: size.cols }, (_, column) => of(row * size.cols + column)),
  );
}
