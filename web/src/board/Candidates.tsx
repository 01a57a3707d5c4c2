// The moves an engine thinks of, over the board: win rate for who is to move, points ahead, visits; the best one in blue.
import type { Size } from "../go/points";
import { forMover, short } from "../go/views";
import type { Analysis, Candidate } from "../protocol";
import { useWords } from "../words/words";
import { middle } from "./marks";

/** How many are drawn at most, and the share of the best one's visits that a move needs. */
const MOST = 12;
const LEAST_SHARE = 0.01;
/** How much worse than the best, as a win rate, a good, a fair and a poor move may be. */
const STEPS = [0.01, 0.04, 0.1] as const;

export function Candidates({ opinion, size }: { opinion: Analysis; size: Size }) {
  const best = opinion.moves[0];
  if (!best) return null;
  const drawn = opinion.moves
    .filter((move) => move.point < size.rows * size.cols && move.visits >= best.visits * LEAST_SHARE)
    .slice(0, MOST);
  return (
    <g>
      {drawn.map((move) => (
        <CandidateMark key={move.point} move={move} best={best} opinion={opinion} size={size} />
      ))}
    </g>
  );
}

interface MarkProps {
  move: Candidate;
  best: Candidate;
  opinion: Analysis;
  size: Size;
}

function CandidateMark({ move, best, opinion, size }: MarkProps) {
  const words = useWords();
  const { cx, cy } = middle(move.point, size);
  const { winrate, lead } = forMover(move, opinion.to_play);
  const clear = 0.7 + 0.3 * Math.sqrt(move.visits / best.visits);
  return (
    <g class={`candidate ${worth(move, best, opinion)}`}>
      <circle class="candidate-ground" cx={cx} cy={cy} r={0.47} />
      <circle cx={cx} cy={cy} r={0.47} fill-opacity={clear} />
      <text class="rate" x={cx} y={cy + (lead === null ? 0.04 : -0.06)}>
        {words.number(winrate * 100, size.cols > 13 ? 0 : 1)}
      </text>
      {lead !== null && (
        <text x={cx} y={cy + 0.16}>
          {words.signed(lead)}
        </text>
      )}
      <text x={cx} y={cy + (lead === null ? 0.29 : 0.36)}>
        {short(move.visits)}
      </text>
    </g>
  );
}

/** "best", "good", "fair", "poor", "bad": how a move compares with the engine's first choice. */
function worth(move: Candidate, best: Candidate, opinion: Analysis): string {
  if (move === best) return "best";
  const lost = forMover(best, opinion.to_play).winrate - forMover(move, opinion.to_play).winrate;
  if (lost <= STEPS[0]) return "good";
  if (lost <= STEPS[1]) return "fair";
  return lost <= STEPS[2] ? "poor" : "bad";
}
