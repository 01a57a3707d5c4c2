// The room to study in: any record, with variations, looked at by one engine or by two.
import { useState } from "preact/hooks";
import { Controls } from "../board/Controls";
import { useBoard, usePage } from "../page_context";
import type { Point } from "../protocol";
import { playerName } from "../words/go_words";
import { useWords } from "../words/words";
import { CommentCard } from "./CommentCard";
import { EditCard } from "./EditCard";
import { EngineCard } from "./EngineCard";
import { GameTree } from "./GameTree";
import { Graph } from "./Graph";
import { OpenCard } from "./OpenCard";
import { OpinionTable } from "./OpinionTable";
import { ReviewCard } from "./ReviewCard";
import { StudyBoard } from "./StudyBoard";
import type { Tool } from "./tools";

export function AnalyseRoom() {
  const { state } = usePage();
  const words = useWords();
  const { position, nodes, opinions } = useBoard("analyse");
  const [aimed, setAimed] = useState<Point | null>(null);
  const [tool, setTool] = useState<Tool>("play");
  const engines = [state.preferences.engine, state.preferences.second];
  const second = engines[1] !== null;
  const shown = opinions.slice(0, second ? 2 : 1);
  return (
    <main class="room study-room">
      <h1 class="said">{words.say("nav.analyse")}</h1>
      {position === null ? (
        <OpenCard first />
      ) : (
        <>
          <div class="study-boards">
            <div class={second ? "two-boards" : ""}>
              {shown.map((opinion, index) => (
                <figure class="opinion-board" key={index === 0 ? "first" : "second"}>
                  {second && <figcaption>{playerName(words, engines[index]?.player ?? "")}</figcaption>}
                  <StudyBoard position={position} opinion={opinion} aimed={aimed} aim={setAimed} tool={tool} />
                </figure>
              ))}
            </div>
            <Controls board="analyse" />
            <Graph position={position} nodes={nodes} />
            <GameTree board="analyse" position={position} nodes={nodes} />
          </div>
          <div class="panel">
            <EngineCard />
            <div class={second ? "two-tables" : ""}>
              {shown.map((opinion, index) => (
                <OpinionTable
                  key={index === 0 ? "first" : "second"}
                  position={position}
                  opinion={opinion}
                  aim={setAimed}
                />
              ))}
            </div>
            <ReviewCard position={position} />
            <CommentCard position={position} />
            <EditCard position={position} tool={tool} choose={setTool} />
            <OpenCard />
          </div>
        </>
      )}
    </main>
  );
}
