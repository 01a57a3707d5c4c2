// Signs over the board, in units of a point's width.
import type { Size } from "../go/points";
import type { Point } from "../protocol";

/** A ring round a point; nothing for a pass. */
export function Spot({ point, size, className }: { point: Point; size: Size; className: string }) {
  if (point >= size.rows * size.cols) return null;
  return <circle class={className} {...middle(point, size)} r={0.4} />;
}

export function middle(point: Point, size: Size): { cx: number; cy: number } {
  return { cx: (point % size.cols) + 0.5, cy: Math.floor(point / size.cols) + 0.5 };
}
