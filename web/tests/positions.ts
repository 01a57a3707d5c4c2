// Answers of the server, for tests: a position on an empty board, nodes of a line, and what a test changes of them.
import type { Analysis, Position, TreeNode } from "../src/protocol";

export function position(change: Partial<Position> = {}): Position {
  return {
    type: "position",
    board: "play-1",
    node: 0,
    rows: 9,
    cols: 9,
    stones: new Array(81).fill(0),
    to_play: "B",
    move_number: 0,
    last_move: null,
    illegal: [],
    ko: null,
    prisoners: { black: 0, white: 0 },
    passes: 0,
    phase: 0,
    over: false,
    result: "",
    agrees_on_dead: true,
    rules: "chinese",
    komi: 7,
    handicap: 0,
    black: { name: "", rank: "", engine: null },
    white: { name: "", rank: "", engine: { player: "zero" } },
    thinking: null,
    clocks: null,
    comment: "",
    marks: [],
    warnings: [],
    ...change,
  };
}

export function node(id: number, parent: number | null, children: number[], change: Partial<TreeNode> = {}): TreeNode {
  return {
    id,
    parent,
    children,
    color: parent === null ? null : id % 2 === 1 ? "B" : "W",
    point: parent === null ? null : id,
    number: id,
    setup: false,
    comment: false,
    seen: null,
    judged: null,
    ...change,
  };
}

/** Nodes by their number. */
export function nodesOf(...all: TreeNode[]): Record<number, TreeNode> {
  return Object.fromEntries(all.map((one) => [one.id, one]));
}

export function analysis(change: Partial<Analysis> = {}): Analysis {
  return {
    type: "analysis",
    board: "analyse-1",
    node: 0,
    opinion: 0,
    engine: { player: "zero" },
    to_play: "B",
    visits: 10,
    black_winrate: 0.5,
    black_lead: null,
    moves: [],
    black_ownership: null,
    policy: null,
    judged: null,
    finished: false,
    ...change,
  };
}
