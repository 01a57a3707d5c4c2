// The room to play in: the board, and beside it the start, the game, or the count at its end.
import { useEffect } from "preact/hooks";
import { useBoard } from "../page_context";
import { useWords } from "../words/words";
import { GamePanel } from "./GamePanel";
import { PlayBoard } from "./PlayBoard";
import { StartPanel } from "./StartPanel";

export function PlayRoom() {
  const { position } = useBoard("play");
  const words = useWords();
  const game = position?.board;
  useEffect(() => {
    // The button that began the game is gone, and the focus with it: the arrow keys shall move on the board.
    if (game !== undefined && document.activeElement === document.body) {
      document.querySelector<HTMLElement>(".board")?.focus({ preventScroll: true });
    }
  }, [game]);
  return (
    <main class="room play-room">
      {position && <h1 class="said">{words.say("nav.play")}</h1>}
      <PlayBoard />
      <div class="panel">{position === null ? <StartPanel /> : <GamePanel position={position} />}</div>
    </main>
  );
}
