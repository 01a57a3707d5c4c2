// The cursor on the board, moved by the arrow keys: Enter or the space bar plays where it stands.
import { useState } from "preact/hooks";
import { type Size, stepped } from "../go/points";
import type { Point } from "../protocol";

const STEPS: Record<string, [down: number, right: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

export function useBoardKeys(size: Size, onPoint: ((point: Point) => void) | undefined) {
  const [cursor, setCursor] = useState<Point | null>(null);
  const [last, setLast] = useState<Point | null>(null);
  const middle = Math.floor(size.rows / 2) * size.cols + Math.floor(size.cols / 2);
  const place = (point: Point) => {
    setCursor(point);
    setLast(point);
  };
  const from = last !== null && last < size.rows * size.cols ? last : middle;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    if (step) {
      // The first arrow shows the cursor where it stood; the next ones move it.
      place(cursor === null ? from : stepped(from, size, ...step));
    } else if ((event.key === "Enter" || event.key === " ") && cursor !== null) {
      onPoint?.(cursor);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return { cursor, onKeyDown, onBlur: () => setCursor(null) };
}
