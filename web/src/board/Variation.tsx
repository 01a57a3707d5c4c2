// How a line would go on: its stones, numbered, over the board. A point that is played twice shows the first stone.
import { opponent, type Size } from "../go/points";
import type { Color, Point } from "../protocol";
import { middle } from "./marks";

export function Variation({ line, size, first }: { line: readonly Point[]; size: Size; first: Color }) {
  const seen = new Set<Point>();
  return (
    <g class="variation">
      {line.map((point, index) => {
        if (point >= size.rows * size.cols || seen.has(point)) return null;
        seen.add(point);
        const color = index % 2 === 0 ? first : opponent(first);
        const { cx, cy } = middle(point, size);
        return (
          <g key={point} class={`line-${color}`}>
            <circle cx={cx} cy={cy} r={0.45} />
            <text x={cx} y={cy + 0.15}>
              {index + 1}
            </text>
          </g>
        );
      })}
    </g>
  );
}
