// A player's clock. The server keeps the time; here it runs on between two of its words.
import { useEffect, useState } from "preact/hooks";
import type { Clocks, Color } from "../protocol";
import { useWords } from "../words/words";
import { clockText, timeLeft } from "./clock_text";

const TICK = 200;
const SHORT = 10;

export function ClockFace({ clocks, color, since }: { clocks: Clocks; color: Color; since: number }) {
  const words = useWords();
  const running = clocks.running === color;
  const [now, setNow] = useState(since);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(performance.now()), TICK);
    return () => clearInterval(timer);
  }, [running]);
  const passed = running ? clocks.elapsed + Math.max(0, now - since) / 1000 : 0;
  const left = timeLeft(clocks, color, passed);
  return (
    <span class={`clock ${running ? "running" : ""} ${left.seconds < SHORT ? "short" : ""}`} role="timer">
      {clockText(left.seconds)}
      {left.count > 0 && <small>{words.say("clock.periods", { count: words.number(left.count) })}</small>}
    </span>
  );
}
