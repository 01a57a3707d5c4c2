// What a clock shows: the time left after some seconds of a turn, and how it is written.
import type { Clock, Clocks, Color } from "../protocol";

/** A side's clock when so many seconds of its turn have passed; periods of byo-yomi are used up one after the other. */
export function timeLeft(clocks: Clocks, color: Color, passed: number): Clock {
  const { seconds, count } = color === "B" ? clocks.black : clocks.white;
  const left = seconds - passed;
  if (left > 0 || clocks.kind !== "byo-yomi" || count === 0 || clocks.period <= 0) {
    return { seconds: Math.max(0, left), count };
  }
  const used = Math.min(count - 1, Math.floor(-left / clocks.period) + 1);
  return { seconds: Math.max(0, left + used * clocks.period), count: count - used };
}

/** "9:05", "1:02:03", and tenths where there is little left. */
export function clockText(seconds: number): string {
  if (seconds < 10) return `0:0${(Math.floor(seconds * 10) / 10).toFixed(1)}`;
  const whole = Math.ceil(seconds);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const rest = String(whole % 60).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}
