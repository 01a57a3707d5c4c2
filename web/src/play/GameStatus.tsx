// One line that says what is going on, for the eye; `Announcer` says moves to a screen reader.
import { useBoard } from "../page_context";
import type { Position } from "../protocol";
import { moveWord, resultWords, seatName } from "../words/go_words";
import { useWords, type Words } from "../words/words";
import { isAlone, seatOf, turn } from "./turn";

export function GameStatus({ position }: { position: Position }) {
  const { hint, score, agreed } = useBoard("play");
  const words = useWords();
  const counted = position.passes >= 2 && score ? score.result : position.result;
  const told = position.over
    ? resultWords(words, agreed ? counted || position.result : counted)
    : statusWords(words, position);
  return (
    <div class="status">
      <p class="headline">{told}</p>
      {hint?.node === position.node && (
        <p role="status">
          {hint.point === null
            ? words.say("hint.resign")
            : words.say("hint.move", { point: moveWord(words, hint.point, position) })}
        </p>
      )}
      {position.warnings.map((warning) => (
        <p key={warning} class="faint" dir="auto">
          {warning}
        </p>
      ))}
    </div>
  );
}

function statusWords(words: Words, position: Position): string {
  const color = position.to_play;
  const name = seatName(words, seatOf(position, color), color, isAlone(position));
  if (turn(position) === "engine") {
    return words.say(position.thinking === null ? "status.engine_waits" : "status.thinking", { name });
  }
  const passed = position.passes === 1 ? "status.after_pass" : isAlone(position) ? "status.your_turn" : "status.turn";
  return words.say(passed, { name });
}
