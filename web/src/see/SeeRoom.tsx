// The room to see in: on one side the position and the list of ideas, on the other the idea as a picture of this position.
import { useState } from "preact/hooks";
import { Controls } from "../board/Controls";
import { PositionBoard } from "../board/PositionBoard";
import { stoneOf } from "../go/points";
import { usePage } from "../page_context";
import type { PictureKind, Position } from "../protocol";
import { useWords } from "../words/words";
import { BoardChoice } from "./BoardChoice";
import { IdeaList, SEARCH } from "./IdeaList";
import { PicturePanel } from "./PicturePanel";
import { SearchPanel } from "./SearchPanel";

export function SeeRoom() {
  const { state, actions } = usePage();
  const words = useWords();
  const [chosen, setChosen] = useState(SEARCH);
  const choose = (name: string) => {
    setChosen(name);
    // The list may be longer than the screen, and the picture stands beside its beginning.
    if (scrollY > 0 && matchMedia("(width >= 860px)").matches) scrollTo({ top: 0 });
  };
  const key = state.shown;
  const { position } = state.boards[key];
  const kind = state.welcome?.pictures.find((picture) => picture.name === chosen);
  return (
    <main class="room see-room">
      <h1 class="said">{words.say("nav.see")}</h1>
      <div class="see-side">
        {position ? (
          <>
            <SmallBoard position={position} play={(point) => actions.play(key, point)} />
            <Controls board={key} />
          </>
        ) : null}
        <BoardChoice />
        <IdeaList chosen={chosen} choose={choose} />
      </div>
      <div class="see-main">{position && <Idea kind={kind} position={position} />}</div>
    </main>
  );
}

function SmallBoard({ position, play }: { position: Position; play: (point: number) => void }) {
  return (
    <PositionBoard position={position} ghost={stoneOf(position.to_play)} illegal={position.illegal} onPoint={play} />
  );
}

function Idea({ kind, position }: { kind: PictureKind | undefined; position: Position }) {
  return kind ? <PicturePanel key={kind.name} kind={kind} position={position} /> : <SearchPanel position={position} />;
}
