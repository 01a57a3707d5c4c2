// Moving about in a drawing: one pointer drags, two pinch, the wheel and the keys zoom; a new drawing is fitted in.
import { useEffect, useRef, useState } from "preact/hooks";
import { type Bounds, fitted, moved, type View, zoomed } from "./view";

const STEP = 60;
const FACTOR = 1.25;

/** `drawing` names what is drawn: the view stays while it only grows, until somebody has moved it. */
export function useGestures(bounds: Bounds, width: number, height: number, drawing: string) {
  const [own, setOwn] = useState<{ drawing: string; view: View } | null>(null);
  const pointers = useRef(new Map<number, { x: number; y: number }>());
  const view = own?.drawing === drawing ? own.view : fitted(bounds, width, height);
  const latest = useRef(view);
  latest.current = view;
  const set = (next: View) => {
    latest.current = next;
    setOwn({ drawing, view: next });
  };
  const placed = (event: PointerEvent | WheelEvent) => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  useEffect(() => pointers.current.clear(), [drawing]);
  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
      pointers.current.set(event.pointerId, placed(event));
    },
    onPointerUp: (event: PointerEvent) => pointers.current.delete(event.pointerId),
    onPointerCancel: (event: PointerEvent) => pointers.current.delete(event.pointerId),
    onPointerMove: (event: PointerEvent) => {
      const before = pointers.current.get(event.pointerId);
      if (!before) return;
      const now = placed(event);
      const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
      pointers.current.set(event.pointerId, now);
      if (!other) return set(moved(latest.current, now.x - before.x, now.y - before.y));
      const grown =
        Math.hypot(now.x - other.x, now.y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
      set(zoomed(latest.current, grown, (now.x + other.x) / 2, (now.y + other.y) / 2));
    },
    onWheel: (event: WheelEvent) => {
      event.preventDefault();
      const at = placed(event);
      set(zoomed(latest.current, Math.exp(-event.deltaY / 400), at.x, at.y));
    },
    onKeyDown: (event: KeyboardEvent) => {
      const next = byKey(latest.current, event.key, width, height);
      if (next === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      if (next === null) setOwn(null);
      else set(next);
    },
  };
  return { view, handlers };
}

/** The view after a key; null: all of it again; undefined: no key of ours. */
function byKey(view: View, key: string, width: number, height: number): View | null | undefined {
  switch (key) {
    case "ArrowLeft":
      return moved(view, STEP, 0);
    case "ArrowRight":
      return moved(view, -STEP, 0);
    case "ArrowUp":
      return moved(view, 0, STEP);
    case "ArrowDown":
      return moved(view, 0, -STEP);
    case "+":
    case "=":
      return zoomed(view, FACTOR, width / 2, height / 2);
    case "-":
      return zoomed(view, 1 / FACTOR, width / 2, height / 2);
    case "0":
      return null;
    default:
      return undefined;
  }
}
