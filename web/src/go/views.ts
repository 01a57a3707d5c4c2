// Numbers from one side's view: the server's are Black's, a board shows those of who is to move.
import type { Color } from "../protocol";

interface Blacks {
  black_winrate: number;
  black_lead: number | null;
}

/** Win rate in [0, 1] and points ahead, for `color`. */
export function forMover(numbers: Blacks, color: Color): { winrate: number; lead: number | null } {
  const { black_winrate: winrate, black_lead: lead } = numbers;
  if (color === "B") return { winrate, lead };
  return { winrate: 1 - winrate, lead: lead === null ? null : -lead };
}

/** A count in few letters: 950, 1.2k, 13k. */
export function short(count: number): string {
  if (count < 1000) return String(count);
  return count < 9950 ? `${(count / 1000).toFixed(1)}k` : `${Math.round(count / 1000)}k`;
}
