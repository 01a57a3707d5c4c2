// Where the nodes of a record are drawn: moves from the left to the right, variations below each other, none crossing.
import { type Nodes, rootOf } from "../go/lines";
import type { NodeId, TreeNode } from "../protocol";

export interface Place {
  node: TreeNode;
  column: number;
  row: number;
  /** The row of its parent. */
  from: number;
}

/** The place of every node. The first child goes on in the row of its parent; the others take the next free row below. */
export function placesOf(nodes: Nodes): Map<NodeId, Place> {
  const places = new Map<NodeId, Place>();
  const root = rootOf(nodes);
  const lowest: number[] = [];
  const open: { node: TreeNode; column: number; from: number; first: boolean }[] = root
    ? [{ node: root, column: 0, from: 0, first: true }]
    : [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const chain = chainFrom(nodes, next.node);
    const row = freeRow(lowest, next.column, chain.length, next.first ? next.from : next.from + 1);
    // The line down from the parent needs the column before as well.
    for (let column = Math.max(0, next.column - 1); column < next.column + chain.length; column++) lowest[column] = row;
    chain.forEach((node, index) => {
      const column = next.column + index;
      places.set(node.id, { node, column, row, from: index === 0 ? next.from : row });
      // Pushed from the front to the back, taken from the back: what lies further right takes its rows first.
      for (const child of node.children.slice(1).reverse()) {
        const found = nodes[child];
        if (found) open.push({ node: found, column: column + 1, from: row, first: false });
      }
    });
  }
  return places;
}

function chainFrom(nodes: Nodes, start: TreeNode): TreeNode[] {
  const chain = [start];
  for (let node: TreeNode | undefined = start; node !== undefined; ) {
    const first: NodeId | undefined = node.children[0];
    node = first === undefined ? undefined : nodes[first];
    if (node) chain.push(node);
  }
  return chain;
}

function freeRow(lowest: readonly number[], column: number, length: number, least: number): number {
  let row = least;
  for (let at = Math.max(0, column - 1); at < column + length; at++) {
    const taken = lowest[at];
    if (taken !== undefined) row = Math.max(row, taken + 1);
  }
  return row;
}
