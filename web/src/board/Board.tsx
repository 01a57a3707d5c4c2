// The board: Shudan draws lines and stones; pointer, touch and keys choose points; what lies over it comes as children.
//
// Children are SVG in units of one point's width: the point in column c and row r has its middle at (c + 0.5, r + 0.5).
import { Goban } from "@sabaki/shudan";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { columnName, mapOf, type Size } from "../go/points";
import { useSize } from "../parts/use_size";
import type { Mark, Point } from "../protocol";
import { useWords } from "../words/words";
import { useBoardKeys } from "./keys";
import { useTouch } from "./touch";

export interface BoardProps extends Size {
  stones: readonly number[];
  label: string;
  lastMove?: Point | null;
  marks?: readonly Mark[];
  /** In [-1, 1] by point: above 0 Black's. */
  paint?: readonly number[] | null;
  dimmed?: readonly Point[];
  /** The stone that would be put, shown below the pointer: 1 or 2; 0: none. */
  ghost?: number;
  /** Where it may not be put. */
  illegal?: readonly Point[];
  onPoint?: ((point: Point) => void) | undefined;
  onHover?: ((point: Point | null) => void) | undefined;
  /** What to say of a point when the cursor comes to it. */
  describe?: ((point: Point) => string) | undefined;
  children?: ComponentChildren;
}

/** The edge with the coordinates, on each side, in points. */
const EDGE = 0.7;
const LARGEST = 72;

export function Board(props: BoardProps) {
  const { rows, cols, onPoint, onHover, ghost = 0 } = props;
  const words = useWords();
  const { element, size } = useSize<HTMLDivElement>();
  const [hovered, setHovered] = useState<Point | null>(null);
  const vertex = vertexSize(Math.min(size.width / (cols + 2 * EDGE), size.height / (rows + 2 * EDGE)));
  const edge = Math.round(vertex * EDGE);
  const tracks = `${edge}px 1fr ${edge}px`;
  const keys = useBoardKeys(props, onPoint);
  const touch = useTouch(vertex, onPoint);
  const hover = (point: Point | null) => {
    setHovered(point);
    onHover?.(point);
  };
  const aimed = touch.aimed ?? hovered;
  const free = aimed !== null && props.stones[aimed] === 0 && !props.illegal?.includes(aimed);
  const at = (x: number, y: number) => y * cols + x;
  return (
    <div class="board-room" ref={element} dir="ltr">
      {vertex > 0 && (
        <div
          class="board"
          role="application"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the board is played on by keys
          tabIndex={0}
          aria-label={props.label}
          aria-describedby="board-keys"
          onKeyDown={keys.onKeyDown}
          onBlur={keys.onBlur}
          onMouseLeave={() => hover(null)}
        >
          <Goban
            vertexSize={vertex}
            showCoordinates
            style={{ gridTemplateRows: tracks, gridTemplateColumns: tracks }}
            coordX={columnName}
            coordY={(y) => rows - y}
            signMap={mapOf(props, (point) => signOf(props.stones[point]))}
            markerMap={mapOf(props, (point) => markerOf(props, point))}
            paintMap={paintOf(props)}
            dimmedVertices={(props.dimmed ?? []).map((point) => [point % cols, Math.floor(point / cols)])}
            onVertexPointerUp={(event, [x, y]) => touch.onPoint(event, at(x, y))}
            onVertexMouseEnter={(_, [x, y]) => hover(at(x, y))}
          />
          <svg
            class="board-over"
            viewBox={`0 0 ${cols} ${rows}`}
            style={{ left: edge, top: edge, width: vertex * cols, height: vertex * rows }}
            aria-hidden="true"
          >
            {props.children}
            {onPoint && ghost !== 0 && free && <Ghost point={aimed} cols={cols} stone={ghost} />}
            {keys.cursor !== null && <Cursor point={keys.cursor} cols={cols} />}
          </svg>
        </div>
      )}
      <p class="said" aria-live="assertive">
        {keys.cursor !== null && props.describe?.(keys.cursor)}
      </p>
      {touch.aimed !== null && <p class="tap-again">{words.say("board.tap_again")}</p>}
    </div>
  );
}

function Ghost({ point, cols, stone }: { point: Point; cols: number; stone: number }) {
  return (
    <circle class={`ghost ghost-${stone}`} cx={(point % cols) + 0.5} cy={Math.floor(point / cols) + 0.5} r={0.44} />
  );
}

function Cursor({ point, cols }: { point: Point; cols: number }) {
  return (
    <rect
      class="cursor"
      x={(point % cols) + 0.06}
      y={Math.floor(point / cols) + 0.06}
      width={0.88}
      height={0.88}
      rx={0.14}
    />
  );
}

/** Whole pixels, and an even number of them where there is room, so that lines are sharp. */
function vertexSize(room: number): number {
  return Math.min(LARGEST, room < 20 ? Math.floor(room) : 2 * Math.floor(room / 2));
}

function signOf(stone: number | undefined): 0 | 1 | -1 {
  return stone === 1 ? 1 : stone === 2 ? -1 : 0;
}

function markerOf(props: BoardProps, point: Point) {
  const mark = props.marks?.find((one) => one.point === point);
  if (mark) return mark.kind === "label" ? { type: "label" as const, label: mark.text } : { type: mark.kind };
  return props.lastMove === point ? { type: "circle" as const } : null;
}

/** Shudan's type says -1, 0 and 1, but it draws what lies between them too, the fainter the nearer to 0. */
function paintOf(props: BoardProps) {
  const paint = props.paint;
  if (!paint) return mapOf(props, () => 0 as const);
  return mapOf(props, (point) => visible(paint[point] ?? 0) as 0 | 1 | -1);
}

function visible(share: number): number {
  return Math.abs(share) < 0.08 ? 0 : share;
}
