// The record as a tree: a stone for each move, the one that is shown marked. Only what is in sight is drawn.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Nodes } from "../go/lines";
import { usePage } from "../page_context";
import type { Position, TreeNode } from "../protocol";
import type { BoardKey } from "../state/state";
import { useWords } from "../words/words";
import { type Place, placesOf } from "./tree_places";

const STEP = 28;
const RADIUS = 10;
const BEYOND = 4;

export function GameTree({ board, position, nodes }: { board: BoardKey; position: Position; nodes: Nodes }) {
  const { actions } = usePage();
  const words = useWords();
  const places = useMemo(() => placesOf(nodes), [nodes]);
  const all = useMemo(() => [...places.values()], [places]);
  const here = places.get(position.node);
  const scroller = useRef<HTMLDivElement>(null);
  const [from, setFrom] = useState(0);
  const width = (Math.max(0, ...all.map((place) => place.column)) + 1) * STEP;
  const height = (Math.max(0, ...all.map((place) => place.row)) + 1) * STEP;
  useEffect(() => {
    const area = scroller.current;
    if (!area || !here) return;
    area.scrollLeft = here.column * STEP - area.clientWidth / 2;
    area.scrollTop = here.row * STEP - area.clientHeight / 2;
  }, [here]);
  const first = Math.floor(from / STEP) - BEYOND;
  const last = first + Math.ceil((scroller.current?.clientWidth ?? 800) / STEP) + 2 * BEYOND;
  const seen = all.filter((place) => place.column >= first && place.column <= last);
  return (
    <section class="card tree-card">
      <h2>{words.say("tree.title")}</h2>
      <div
        class="tree-scroll"
        dir="ltr"
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        tabIndex={0}
        role="region"
        aria-label={words.say("tree.title")}
        onScroll={(event) => setFrom(event.currentTarget.scrollLeft)}
      >
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={words.say("tree.nodes", { count: words.number(all.length) })}
        >
          {seen.map((place) => (
            <path key={`line-${place.node.id}`} class="branch" d={branch(place)} />
          ))}
          {seen.map((place) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: the controls and keys do the same
            <g
              key={place.node.id}
              class={nodeClass(place.node, place === here)}
              transform={`translate(${at(place.column)} ${at(place.row)})`}
              onClick={() => actions.go(board, place.node.id)}
            >
              <circle r={RADIUS} />
              <text y={3.5}>{place.node.color ? place.node.number : "·"}</text>
              {place.node.comment && <circle class="has-comment" cx={7} cy={-7} r={3} />}
            </g>
          ))}
        </svg>
      </div>
    </section>
  );
}

function at(index: number): number {
  return index * STEP + STEP / 2;
}

function branch({ column, row, from }: Place): string {
  if (column === 0) return "";
  const knee = Math.min(row - from, 1);
  return `M${at(column - 1)} ${at(from)}V${at(row - knee)}L${at(column - (knee === 0 ? 1 : 0))} ${at(row)}H${at(column)}`;
}

function nodeClass(node: TreeNode, here: boolean): string {
  const grade =
    node.judged && ["inaccuracy", "mistake", "blunder"].includes(node.judged.grade) ? node.judged.grade : "";
  return `tree-node node-${node.color ?? "none"} ${grade} ${here ? "here" : ""}`;
}
