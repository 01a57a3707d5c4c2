// Where the nodes of a search tree are drawn: the root in the middle, each move further out. d3's tidy tree finds the angles.
import { type HierarchyNode, type HierarchyPointNode, hierarchy, tree as tidyTree } from "d3-hierarchy";
import type { SearchTree } from "../protocol";

export interface Spot {
  /** Its place in the columns of the tree. */
  index: number;
  x: number;
  y: number;
  radius: number;
  /** Its parent's place; -1: none. */
  parent: number;
}

export interface Layout {
  spots: Spot[];
  left: number;
  right: number;
  top: number;
  bottom: number;
}

interface Branch {
  index: number;
  radius: number;
  children: Branch[];
}

const SMALLEST = 3;
const LARGEST = 30;
const BETWEEN = 3;
/** From one ring to the next: at least this, and wider where a ring would be crowded, but not beyond all measure. */
const RING = 90;
const WIDEST_RING = 360;

/** A node's radius: its area grows with its share of the visits. */
export function radiusOf(visits: number, all: number): number {
  return SMALLEST + (LARGEST - SMALLEST) * Math.sqrt(visits / Math.max(1, all));
}

export function layoutOf(tree: SearchTree): Layout {
  const placed = tidyTree<Branch>()
    .size([2 * Math.PI, 1])
    .separation((a, b) => apart(a, b) / Math.max(1, a.depth))(hierarchy(branches(tree)));
  const ring = ringOf(placed);
  const spots: Spot[] = tree.parent.map((parent, index) => ({ index, x: 0, y: 0, radius: SMALLEST, parent }));
  placed.each((node) => {
    const far = node.depth * ring;
    spots[node.data.index] = {
      index: node.data.index,
      x: far * Math.sin(node.x),
      y: -far * Math.cos(node.x),
      radius: node.data.radius,
      parent: node.parent?.data.index ?? -1,
    };
  });
  return { spots, ...boundsOf(spots) };
}

/** How far apart two neighbours' middles should be. */
function apart(a: HierarchyNode<Branch>, b: HierarchyNode<Branch>): number {
  return a.data.radius + b.data.radius + BETWEEN;
}

/** The distance of rings at which no two neighbours on a ring touch, within bounds. */
function ringOf(root: HierarchyPointNode<Branch>): number {
  const last: HierarchyPointNode<Branch>[] = [];
  let ring = RING;
  root.eachBefore((node) => {
    const before = last[node.depth];
    last[node.depth] = node;
    if (!before || node.depth === 0) return;
    const angle = node.x - before.x;
    if (angle > 0) ring = Math.max(ring, apart(before, node) / (angle * node.depth));
  });
  return Math.min(ring, WIDEST_RING);
}

function boundsOf(spots: readonly Spot[]) {
  const bounds = { left: 0, right: 0, top: 0, bottom: 0 };
  for (const { x, y, radius } of spots) {
    bounds.left = Math.min(bounds.left, x - radius);
    bounds.right = Math.max(bounds.right, x + radius);
    bounds.top = Math.min(bounds.top, y - radius);
    bounds.bottom = Math.max(bounds.bottom, y + radius);
  }
  return bounds;
}

/** The columns as a tree of objects, the children of a node by visits. */
function branches(tree: SearchTree): Branch {
  const visits = (index: number) => tree.n[index] ?? 0;
  const all: Branch[] = tree.parent.map((_, index) => ({
    index,
    radius: radiusOf(visits(index), visits(0)),
    children: [],
  }));
  tree.parent.forEach((parent, index) => {
    const branch = all[index];
    if (parent >= 0 && branch) all[parent]?.children.push(branch);
  });
  for (const branch of all) branch.children.sort((a, b) => visits(b.index) - visits(a.index));
  return all[0] ?? { index: 0, radius: SMALLEST, children: [] };
}
