// Which part of a drawing is in sight: a shift and a scale, and how gestures change them. Pure functions.
export interface View {
  x: number;
  y: number;
  scale: number;
}

export interface Bounds {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const SMALLEST = 0.02;
const LARGEST = 12;
const LARGEST_FIT = 1.4;
const MARGIN = 16;

/** The view with everything between the bounds in sight, in the middle. */
export function fitted({ left, right, top, bottom }: Bounds, width: number, height: number): View {
  const wide = Math.max(1, right - left);
  const high = Math.max(1, bottom - top);
  const room = Math.min((width - 2 * MARGIN) / wide, (height - 2 * MARGIN) / high);
  const scale = Math.max(SMALLEST, Math.min(LARGEST_FIT, room));
  return { scale, x: width / 2 - (scale * (left + right)) / 2, y: height / 2 - (scale * (top + bottom)) / 2 };
}

export function moved(view: View, x: number, y: number): View {
  return { ...view, x: view.x + x, y: view.y + y };
}

/** Larger or smaller by `factor`, with what lies at (x, y) staying there. */
export function zoomed(view: View, factor: number, x: number, y: number): View {
  const scale = Math.max(SMALLEST, Math.min(LARGEST, view.scale * factor));
  const real = scale / view.scale;
  return { scale, x: x - (x - view.x) * real, y: y - (y - view.y) * real };
}
