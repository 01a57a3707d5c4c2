// The search tree one can move about in: drag, wheel, two fingers, or keys (arrows, + and −, 0 for all of it).
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Size } from "../go/points";
import { usePage } from "../page_context";
import { useSize } from "../parts/use_size";
import type { SearchTree } from "../protocol";
import { moveWord } from "../words/go_words";
import { useWords } from "../words/words";
import { type Colors, drawTree, nodeAt } from "./draw_tree";
import { layoutOf } from "./tree_layout";
import { useGestures } from "./use_gestures";

export function TreeCanvas({ tree, size }: { tree: SearchTree; size: Size }) {
  const { state } = usePage();
  const words = useWords();
  const { element, size: room } = useSize<HTMLDivElement>();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [aimed, setAimed] = useState<number | null>(null);
  const layout = useMemo(() => layoutOf(tree), [tree]);
  const { view, handlers } = useGestures(layout, room.width, room.height, `${tree.board} ${tree.node}`);
  const nameOf = (index: number) => (tree.point[index] == null ? "" : moveWord(words, tree.point[index] ?? 0, size));
  useEffect(() => {
    const drawing = requestAnimationFrame(() => {
      const target = canvas.current;
      const context = target?.getContext("2d");
      if (!target || !context || room.width === 0) return;
      const dots = devicePixelRatio;
      target.width = Math.round(room.width * dots);
      target.height = Math.round(room.height * dots);
      context.scale(dots, dots);
      drawTree(context, {
        tree,
        layout,
        view,
        colors: colorsOf(target),
        width: room.width,
        height: room.height,
        aimed,
        nameOf,
      });
    });
    return () => cancelAnimationFrame(drawing);
  });
  const aim = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    const box = event.currentTarget.getBoundingClientRect();
    setAimed(nodeAt(layout, view, event.clientX - box.left, event.clientY - box.top));
  };
  const label = words.say("search.tree", { nodes: words.number(tree.n.length), visits: words.number(tree.visits) });
  return (
    <figure class="search-tree">
      <div
        ref={element}
        class="canvas-room"
        dir="ltr"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is moved about in by keys
        tabIndex={0}
        role="application"
        aria-label={`${label} ${words.say("search.keys")}`}
        data-theme={state.preferences.theme}
        {...handlers}
        onPointerMove={(event) => {
          handlers.onPointerMove(event);
          aim(event);
        }}
      >
        <canvas ref={canvas} />
      </div>
      <figcaption class="faint">
        {aimed !== null && tree.point[aimed] != null
          ? words.say("search.node", {
              move: nameOf(aimed),
              visits: words.number(tree.n[aimed] ?? 0),
              value: words.number(tree.q[aimed] ?? 0, 3),
              prior: words.percent(tree.prior[aimed] ?? 0, 1),
            })
          : label}
      </figcaption>
    </figure>
  );
}

/** The page's colours as a canvas knows them: a custom property with `light-dark()` is a colour only once it is used. */
function colorsOf(element: HTMLElement): Colors {
  const probe = document.createElement("i");
  element.parentElement?.append(probe);
  const color = (name: string) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const colors = {
    ink: color("ink"),
    faint: color("faint"),
    rule: color("edge"),
    card: color("card"),
    ground: color("sunk"),
    accent: color("accent"),
    orange: color("orange"),
  };
  probe.remove();
  return colors;
}
