// Where the network would play before any search: a square on each point, the fuller the more likely.
import type { Size } from "../go/points";
import { useWords } from "../words/words";

const LEAST = 0.002;
const WRITTEN = 0.01;

export function PolicyHeat({ policy, size }: { policy: readonly number[]; size: Size }) {
  const words = useWords();
  const most = Math.max(...policy.slice(0, size.rows * size.cols), LEAST);
  return (
    <g class="heat">
      {policy.slice(0, size.rows * size.cols).map((share, point) => {
        if (share < LEAST) return null;
        const x = point % size.cols;
        const y = Math.floor(point / size.cols);
        return (
          <g key={point}>
            <rect
              x={x + 0.03}
              y={y + 0.03}
              width={0.94}
              height={0.94}
              rx={0.1}
              opacity={0.12 + 0.75 * Math.sqrt(share / most)}
            />
            {share >= WRITTEN && (
              <text x={x + 0.5} y={y + 0.6}>
                {words.number(share * 100)}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}
