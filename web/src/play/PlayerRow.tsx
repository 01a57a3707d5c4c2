// One player: colour, name, prisoners, clock, and whether it is thinking.
import type { Color, Position } from "../protocol";
import { colorWord, seatName, strengthWords } from "../words/go_words";
import { useWords } from "../words/words";
import { ClockFace } from "./ClockFace";
import { isAlone, seatOf } from "./turn";

export function PlayerRow({ position, color, since }: { position: Position; color: Color; since: number }) {
  const words = useWords();
  const side = color === "B" ? "black" : "white";
  const seat = seatOf(position, color);
  const toPlay = position.to_play === color && !position.over;
  const engine = seat.engine;
  return (
    <div class={`player ${toPlay ? "to-play" : ""}`}>
      <span class={`stone stone-${color}`} role="img" aria-label={colorWord(words, color)} />
      <div class="who">
        <strong dir="auto">{seatName(words, seat, color, isAlone(position))}</strong>
        <span class="faint">
          {[
            strengthWords(words, engine),
            words.say("seat.prisoners", { count: words.number(position.prisoners[side]) }),
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </div>
      {position.thinking === color && (
        <span class="thinking" role="img" aria-label={words.say("seat.thinking")}>
          <i /> <i /> <i />
        </span>
      )}
      {position.clocks && <ClockFace clocks={position.clocks} color={color} since={since} />}
    </div>
  );
}
