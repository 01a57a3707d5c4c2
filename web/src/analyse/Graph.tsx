// The game as a curve: Black's win rate, the score, and what each move lost. A click, or the arrow keys, go to a move.
import { lineThrough, type Nodes } from "../go/lines";
import { usePage } from "../page_context";
import { useSize } from "../parts/use_size";
import type { Position, TreeNode } from "../protocol";
import { useWords, type Words } from "../words/words";
import { areaOf, barsOf, curveOf, HIGH, scaleOf } from "./graph_shapes";

export function Graph({ position, nodes }: { position: Position; nodes: Nodes }) {
  const line = lineThrough(nodes, position.node);
  const here = line.findIndex((node) => node.id === position.node);
  if (line.filter((node) => node.seen).length < 2) return null;
  return <DrawnGraph line={line} here={here} />;
}

function DrawnGraph({ line, here }: { line: TreeNode[]; here: number }) {
  const { actions } = usePage();
  const words = useWords();
  const { element, size } = useSize<HTMLDivElement>();
  const scale = scaleOf(line.length, size.width || 600);
  const goTo = (index: number) => {
    const node = line[Math.max(0, Math.min(line.length - 1, index))];
    if (node) actions.go("analyse", node.id);
  };
  const point = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    if (event.type === "pointermove" && event.buttons !== 1) return;
    goTo(scale.index(event.clientX - event.currentTarget.getBoundingClientRect().left));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    goTo(here + step);
  };
  const winrates = line.map((node) => (node.seen ? node.seen.black_winrate : null));
  const leads = line.map((node) => node.seen?.black_lead ?? null);
  return (
    <section class="card graph">
      <h2>{words.say("graph.title")}</h2>
      <div
        ref={element}
        class="graph-area"
        dir="ltr"
        role="slider"
        tabIndex={0}
        aria-label={words.say("graph.title")}
        aria-valuemin={0}
        aria-valuemax={line.length - 1}
        aria-valuenow={here}
        aria-valuetext={told(words, line[here], here)}
        onPointerDown={point}
        onPointerMove={point}
        onKeyDown={onKeyDown}
      >
        <svg viewBox={`0 0 ${size.width || 600} ${HIGH}`} height={HIGH} aria-hidden="true">
          <path class="area" d={areaOf(winrates, scale)} />
          <line class="half" x1={0} x2={size.width || 600} y1={HIGH / 2} y2={HIGH / 2} />
          {barsOf(line, scale).map((bar) => (
            <rect
              key={bar.x}
              class={`loss ${bar.grade}`}
              x={bar.x}
              y={HIGH - bar.height}
              width={bar.width}
              height={bar.height}
            />
          ))}
          <path class="rate" d={curveOf(winrates, scale, (rate) => rate)} />
          <path class="lead" d={curveOf(leads, scale, scale.lead(leads))} />
          <line class="here" x1={scale.x(here)} x2={scale.x(here)} y1={0} y2={HIGH} />
        </svg>
      </div>
      <p class="legend faint">
        <span class="key-rate">{words.say("graph.winrate")}</span>
        {leads.some((lead) => lead !== null) && <span class="key-lead">{words.say("graph.lead")}</span>}
        <span class="key-loss">{words.say("graph.loss")}</span>
        <span>{told(words, line[here], here)}</span>
      </p>
    </section>
  );
}

/** "Move 37: Black 52.0 %, −1.3 points". */
function told(words: Words, node: TreeNode | undefined, index: number): string {
  const move = words.say("controls.move", { number: words.number(index) });
  if (!node?.seen) return move;
  const lead = node.seen.black_lead;
  const rate = words.say("graph.black", { winrate: words.percent(node.seen.black_winrate, 1) });
  return `${move}: ${rate}${lead === null ? "" : `, ${words.signed(lead)}`}`;
}
