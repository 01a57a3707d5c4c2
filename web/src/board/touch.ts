// A finger is wider than a point of a small board: there the first touch aims, and a second one at the same point plays.
import { useState } from "preact/hooks";
import type { Point } from "../protocol";

/** Points at least so wide, in pixels, are played at once. */
const WIDE_ENOUGH = 28;

export function useTouch(vertex: number, onPoint: ((point: Point) => void) | undefined) {
  const [aimed, setAimed] = useState<Point | null>(null);
  return {
    aimed: onPoint ? aimed : null,
    onPoint: (event: PointerEvent, point: Point) => {
      if (!onPoint || event.button !== 0) return;
      if (event.pointerType === "touch" && vertex < WIDE_ENOUGH && aimed !== point) {
        setAimed(point);
        return;
      }
      setAimed(null);
      onPoint(point);
    },
  };
}
