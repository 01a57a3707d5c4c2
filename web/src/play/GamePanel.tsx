// Beside the board of a game: both players, what is going on, and what can be done.
import { usePage } from "../page_context";
import type { Position } from "../protocol";
import { EndCard } from "./EndCard";
import { GameButtons } from "./GameButtons";
import { GameStatus } from "./GameStatus";
import { PlayerRow } from "./PlayerRow";

export function GamePanel({ position }: { position: Position }) {
  const { state } = usePage();
  return (
    <section class="card game">
      <div class="players">
        <PlayerRow position={position} color="B" since={state.boards.play.since} />
        <PlayerRow position={position} color="W" since={state.boards.play.since} />
      </div>
      <GameStatus position={position} />
      {position.over ? <EndCard position={position} /> : <GameButtons position={position} />}
    </section>
  );
}
