// Lines of the tree of a record: from the first node to the one that is shown, and on along the main line.
import type { NodeId, TreeNode } from "../protocol";

export type Nodes = Record<NodeId, TreeNode>;

/** The nodes from the root to this one, it included. */
export function lineTo(nodes: Nodes, id: NodeId): TreeNode[] {
  const line: TreeNode[] = [];
  for (let node = nodes[id]; node !== undefined; node = node.parent === null ? undefined : nodes[node.parent]) {
    line.push(node);
  }
  return line.reverse();
}

/** The line through this node to its end: up to it, then always the first child. */
export function lineThrough(nodes: Nodes, id: NodeId): TreeNode[] {
  const line = lineTo(nodes, id);
  for (let node = line.at(-1); node !== undefined; ) {
    const first = node.children[0];
    node = first === undefined ? undefined : nodes[first];
    if (node) line.push(node);
  }
  return line;
}

export function rootOf(nodes: Nodes): TreeNode | undefined {
  return Object.values(nodes).find((node) => node.parent === null);
}

/** The node so many steps forward (or back, below 0) on the line through this one; the last there is. */
export function along(nodes: Nodes, id: NodeId, steps: number): NodeId {
  const line = lineThrough(nodes, id);
  const here = line.findIndex((node) => node.id === id);
  const there = Math.max(0, Math.min(line.length - 1, here + steps));
  return line[there]?.id ?? id;
}

/** The next variation beside this node (or the one before it, below 0), round and round. */
export function beside(nodes: Nodes, id: NodeId, steps: number): NodeId {
  const parent = nodes[id]?.parent;
  const all = parent === null || parent === undefined ? [id] : (nodes[parent]?.children ?? [id]);
  const here = all.indexOf(id);
  return all[(here + steps + all.length) % all.length] ?? id;
}
