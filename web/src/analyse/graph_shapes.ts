// The shapes of the graph of a game, from its nodes: lines, the area below, and bars of what moves lost.
import { area, line } from "d3-shape";
import type { Grade, TreeNode } from "../protocol";

export const HIGH = 140;
/** Points lost that fill half the height; a share of the win rate lost that does, where points are not known. */
const MOST_POINTS = 15;
const MOST_RATE = 0.5;
const LEAST_LEAD = 5;

export interface Scale {
  x: (index: number) => number;
  index: (x: number) => number;
  width: number;
  /** From points ahead to the height in [0, 1] of all `leads`. */
  lead: (leads: readonly (number | null)[]) => (lead: number) => number;
}

export function scaleOf(count: number, width: number): Scale {
  const step = width / Math.max(1, count - 1);
  return {
    x: (index) => index * step,
    index: (x) => Math.round(x / step),
    width: step,
    lead: (leads) => {
      const most = Math.max(LEAST_LEAD, ...leads.map((lead) => Math.abs(lead ?? 0)));
      return (lead) => 0.5 + lead / most / 2;
    },
  };
}

type Values = readonly (number | null)[];

/** A line through the values that are known; `share` turns them into a height in [0, 1]. */
export function curveOf(values: Values, scale: Scale, share: (value: number) => number): string {
  const drawn = line<number | null>()
    .defined((value) => value !== null)
    .x((_, index) => scale.x(index))
    .y((value) => HIGH * (1 - share(value ?? 0)));
  return drawn([...values]) ?? "";
}

/** The area below Black's win rate. */
export function areaOf(values: Values, scale: Scale): string {
  const drawn = area<number | null>()
    .defined((value) => value !== null)
    .x((_, index) => scale.x(index))
    .y0(HIGH)
    .y1((value) => HIGH * (1 - (value ?? 0)));
  return drawn([...values]) ?? "";
}

export interface Bar {
  x: number;
  width: number;
  height: number;
  grade: Grade;
}

/** A bar for each move that lost something worth telling. */
export function barsOf(nodes: readonly TreeNode[], scale: Scale): Bar[] {
  const width = Math.max(2, Math.min(10, scale.width * 0.7));
  const bars: Bar[] = [];
  nodes.forEach((node, index) => {
    const judged = node.judged;
    if (!judged || judged.grade === "best" || judged.grade === "good") return;
    const share = judged.points_lost === null ? judged.winrate_lost / MOST_RATE : judged.points_lost / MOST_POINTS;
    bars.push({
      x: scale.x(index) - width / 2,
      width,
      height: (HIGH / 2) * Math.max(0.05, Math.min(1, share)),
      grade: judged.grade,
    });
  });
  return bars;
}
