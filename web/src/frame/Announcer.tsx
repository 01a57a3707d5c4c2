// Says to a screen reader what happens on the board: moves, results, hints. Sounds are its other half.
import { useEffect, useRef } from "preact/hooks";
import { usePage } from "../page_context";
import { stoneSound } from "../parts/sound";
import { boardOf } from "../state/reduce";
import { lastMoveWords, resultWords } from "../words/go_words";
import { useWords } from "../words/words";

export function Announcer() {
  const { state } = usePage();
  const words = useWords();
  const board = state.boards[boardOf(state.room) ?? state.shown];
  const position = board.position;
  const moves = position?.move_number ?? 0;
  const heard = useRef(moves);
  const sound = state.preferences.sound;
  useEffect(() => {
    if (sound && moves > heard.current) stoneSound();
    heard.current = moves;
  }, [sound, moves]);
  const move = position && lastMoveWords(words, position);
  const result = board.score?.result || position?.result;
  return (
    <p class="said" role="status" data-moves={moves}>
      {move} {position?.over && result ? resultWords(words, result) : ""}
    </p>
  );
}
