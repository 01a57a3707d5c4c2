// What an answer of the server changes about its board. A pure function.
import type { Analysis, Answer, NodeId, Position, Tree, TreeNode } from "../protocol";
import type { BoardState } from "./state";

/** The board after `answer`, which came at `at` milliseconds. */
export function reduceBoard(board: BoardState, answer: Answer, at: number): BoardState {
  switch (answer.type) {
    case "position":
      return { ...board, ...shownBy(board, answer), position: answer, since: at };
    case "tree":
      return { ...board, nodes: grown(board.nodes, answer) };
    case "analysis":
      return answer.node === board.position?.node ? { ...board, opinions: told(board.opinions, answer) } : board;
    case "hint":
      return { ...board, hint: answer };
    case "score":
      return { ...board, score: answer, agreed: false };
    case "review":
      return { ...board, review: answer };
    case "picture":
      return { ...board, picture: answer };
    case "search_tree":
      return { ...board, search: answer };
    default:
      return board;
  }
}

/** What goes when another position comes: that which was said about the last one. */
function shownBy(board: BoardState, position: Position): Partial<BoardState> {
  if (board.position?.node === position.node && board.position.over === position.over) return {};
  return { opinions: [null, null], hint: null, score: null, agreed: false };
}

function told(opinions: BoardState["opinions"], analysis: Analysis): BoardState["opinions"] {
  return analysis.opinion === 0 ? [analysis, opinions[1]] : [opinions[0], analysis];
}

/** The nodes after a `tree`: all anew, or some of them; what hangs on no parent any more is dropped. */
export function grown(nodes: Record<NodeId, TreeNode>, tree: Tree): Record<NodeId, TreeNode> {
  const all: Record<NodeId, TreeNode> = tree.whole ? {} : { ...nodes };
  for (const node of tree.nodes) all[node.id] = node;
  return tree.whole ? all : reachable(all);
}

function reachable(nodes: Record<NodeId, TreeNode>): Record<NodeId, TreeNode> {
  const kept: Record<NodeId, TreeNode> = {};
  const open = Object.values(nodes).filter((node) => node.parent === null);
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    kept[node.id] = node;
    for (const child of node.children) {
      const found = nodes[child];
      if (found) open.push(found);
    }
  }
  return kept;
}
