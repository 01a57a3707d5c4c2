/**
 * The messages between the page and its server: one websocket (`/ws`), JSON texts, each with a `type`.
 *
 * The server knows the rules, the record and the engines; the page sends operations and draws what comes back.
 * `docs/page.md` has the same as tables. Written once here, and in `src/move37/web/requests.py` for the server.
 *
 * A *point* is a number, row by row from the top left: row * cols + col. `rows * cols` is a pass.
 * A *board* is named by the page: 1 to 40 letters, digits, "-" and "_". A *node* is a number that the server gives.
 * Names that begin with `black_` are Black's view: a win rate in [0, 1], points ahead, ownership in [-1, 1].
 */

export type Color = "B" | "W";
export type Point = number;
export type NodeId = number;

// ------------------------------------------------------------------------------------------- what the page sends

/** Who plays or looks: a name from `Welcome.players`; the rest as its `options` say. */
export interface Engine {
  player: string;
  /** A name from `Welcome.networks`. Left out: the one that fits player and board. */
  net?: string;
  /** Visits of a move; for analysis the most that are made of one position. */
  visits?: number;
  /** Seconds a move. */
  seconds?: number;
  /** Weaker play: "10k" to "5d" (`Welcome.ranks`). Not with `visits`. */
  rank?: string;
}

export interface Settings {
  /** 2 to 19, or `rows` and `cols`. */
  size?: number;
  rows?: number;
  cols?: number;
  /** A name from `Welcome.rules`; "chinese" if left out. */
  rules?: string;
  /** Whole or half; 7 if left out. */
  komi?: number;
  /** 0, or 2 to 9 stones on the usual points. */
  handicap?: number;
  /** Who plays each colour; null or left out: a person (on a board for analysis both). */
  black?: Engine | null;
  white?: Engine | null;
  /** As `move37 play --clock`: "none", "10m" (absolute), "10m+5x30s" (byo-yomi), "10m+25/10m" (Canadian), "5m+10s" (Fischer). Left out: "none". */
  clock?: string;
}

interface Asked {
  board: string;
  /** Chosen by the page; comes back in the direct answer and in an error. */
  id?: number;
}

/** Begin a game, or an empty board; what was on the board is dropped. Answers: `tree` (whole), `position`. */
export interface New extends Asked { type: "new"; settings: Settings }
/** Put a record on the board: SGF, GIB or NGF. `base64`: a file's bytes, whose encoding the server finds. Answers as `new`. */
export interface Load extends Asked { type: "load"; text?: string; base64?: string; at?: "start" | "end" }
/** Forget the board and stop all its work. Answer: `closed`. */
export interface Close extends Asked { type: "close" }

/** Play for who is to move, a pass too; follows a variation that is there, else adds one. An engine whose turn it is then answers. */
export interface Play extends Asked { type: "play"; point: Point }
/** Who is to move gives up (`color`: this one does). */
export interface Resign extends Asked { type: "resign"; color?: Color }
/** Take the last move off the tree; in a game against an engine, back to the person's turn. */
export interface Undo extends Asked { type: "undo" }
/** Show another node. The tree stays; an engine does not move before the next `play` or `move`. */
export interface Go extends Asked { type: "go"; node: NodeId }
/** Take a node off the tree with all below it. */
export interface Delete extends Asked { type: "delete"; node: NodeId }
/** Make the line to this node the main line. */
export interface Promote extends Asked { type: "promote"; node: NodeId }
/** Change stones at the present node: a node before the first move is changed, after it one is added. */
export interface Setup extends Asked { type: "setup"; black?: Point[]; white?: Point[]; empty?: Point[]; to_play?: Color }
/** The comment of the present node. */
export interface Comment extends Asked { type: "comment"; text: string }

/** Let an engine move now: that of the seat, or the one named. While one is thinking: end its thinking, it moves at once. */
export interface Move extends Asked { type: "move"; engine?: Engine }
/** What would an engine play? Answer: `hint`. Left out: the other seat's engine, or the usual one. */
export interface Hint extends Asked { type: "hint"; engine?: Engine }
/** Count the position; dead stones are proposed. Answer: `score`. */
export interface Score extends Asked { type: "score" }
/** The chain at this point is dead, or alive if it was dead. Answer: `score`. */
export interface Dead extends Asked { type: "dead"; point: Point }
/** The score as shown last is the result of the game (`RE`). */
export interface Agree extends Asked { type: "agree" }

/** The record with all variations and comments. Answer: `sgf`. */
export interface Sgf extends Asked { type: "sgf" }
/**
 * Look at the present node, and at each that is shown later: `engines` none: stop; one: analysis; two: compare.
 * Replaces what was asked before. Answers: `analysis`, again and again.
 */
export interface Analyse extends Asked { type: "analyse"; engines: Engine[]; ownership?: boolean; policy?: boolean }
/** Review the main line. Answers: `review`, again and again, the last one with `finished`. */
export interface Review extends Asked { type: "review"; engine?: Engine }
/** End a review, a hint or an engine's thinking (it then does not move). */
export interface Stop extends Asked { type: "stop" }
/** Draw an idea of the present position: a name from `Welcome.pictures`, and the options that it uses. Answer: `picture`. */
export interface Picture extends Asked { type: "picture"; name: string; options?: PictureOptions }

/** As the options of `move37 show`. */
export interface PictureOptions {
  net?: string;
  encoder?: string;
  layer?: string;
  /** Planes, filters or channels by number. */
  only?: number[];
  /** After so many moves of the line to the present node. */
  moves?: number[];
  at?: Point;
  temperature?: number[];
  rule?: "ucb1" | "puct" | "mixed";
  visits?: number;
  simulation?: number;
  seed?: number;
  most?: number;
  /** Who reviews, for "game". */
  player?: string;
  numbers?: boolean;
  theme?: "auto" | "light" | "dark";
}

/** Tell the whole board again; also one that a page left not long ago, by its name. Answers: `tree` (whole), `position`. */
export interface Show extends Asked { type: "show" }
/**
 * The tree of a search of the present position with so many visits of its root, one at a time (1: the root alone). The
 * same node, rule, net and seed with more visits goes on from where it was. Answers: `search_tree`, again and again, the
 * last with `finished`; a new `search`, `stop` or another node ends it.
 */
export interface SearchRequest extends Asked {
  type: "search";
  visits: number;
  /** Left out: "puct" where the network knows values, else "mixed". */
  rule?: "ucb1" | "puct" | "mixed";
  net?: string;
  seed?: number;
  /** Nodes told at most, the most visited: 200 if left out, up to 5,000. */
  most?: number;
}

export type Request =
  | New | Load | Close | Play | Resign | Undo | Go | Delete | Promote | Setup | Comment | Move | Hint | Score | Dead
  | Agree | Sgf | Analyse | Review | Stop | Picture | Show | SearchRequest;

// ------------------------------------------------------------------------------------------ what the server sends

/** The first message of a connection. */
export interface Welcome {
  type: "welcome";
  version: string;
  players: PlayerKind[];
  networks: NetworkKind[];
  rules: string[];
  ranks: string[];
  /** The engine that is taken where none is named; on boards that it has no network for, "uct". */
  usual: Engine;
  pictures: PictureKind[];
  limits: Limits;
}

export interface PlayerKind {
  name: string;
  /** One sentence. */
  about: string;
  /** Which of an `Engine`'s fields it takes. */
  options: ("net" | "visits" | "seconds" | "rank")[];
  /** Whether it searches, and so can analyse and review. */
  searches: boolean;
  /** Which of the boards 9x9, 13x13 and 19x19 it can play without a `net` of your choice; empty: it needs a network that is not here. */
  sizes: number[];
}

export interface NetworkKind {
  name: string;
  /** "bundled", "yours", "katrain folder" or "katrain package". */
  source: string;
  format: string;
}

export interface PictureKind {
  name: string;
  shows: string;
  /** Where the course has it. */
  course: string;
  /** The file that does it, below the package. */
  idea: string;
  /** Which of `PictureOptions` it looks at. */
  uses: string[];
}

export interface Limits {
  message_bytes: number;
  messages_a_second: number;
  boards: number;
  nodes: number;
  visits: number;
  seconds: number;
}

interface Told {
  board: string;
  id?: number;
}

/** What stands on the board at the present node. */
export interface Position extends Told {
  type: "position";
  node: NodeId;
  rows: number;
  cols: number;
  /** 0 empty, 1 Black, 2 White; by point. */
  stones: number[];
  to_play: Color;
  move_number: number;
  last_move: Point | null;
  /** Empty points where `to_play` may not play. */
  illegal: Point[];
  ko: Point | null;
  /** Stones taken by each. */
  prisoners: { black: number; white: number };
  passes: number;
  /** Of territory rules with an encore: 0 the game, 1 and 2 the encore. */
  phase: number;
  /** The moves have ended the game, or somebody resigned or ran out of time. */
  over: boolean;
  /** As in SGF: "B+3.5", "W+R", "0", "Void"; "" while nobody knows. */
  result: string;
  /** Whether dead stones may be agreed on under these rules. */
  agrees_on_dead: boolean;
  rules: string;
  komi: number;
  handicap: number;
  black: Seat;
  white: Seat;
  /** Who is thinking about its move. */
  thinking: Color | null;
  clocks: Clocks | null;
  comment: string;
  marks: Mark[];
  /** What is odd about the record; a sentence each. */
  warnings: string[];
}

export interface Seat {
  /** The name of the record, which may be empty. */
  name: string;
  rank: string;
  engine: Engine | null;
}

/** Both clocks as they stood when the turn began; `elapsed` seconds ago, where one is running. */
export interface Clocks {
  /** As in `Settings.clock`. */
  system: string;
  kind: "absolute" | "byo-yomi" | "canadian" | "fischer";
  /** Seconds of an overtime period; 0 without overtime. */
  period: number;
  black: Clock;
  white: Clock;
  running: Color | null;
  elapsed: number;
}
/** Seconds of main time, or in overtime of the period. `count`: byo-yomi periods or Canadian stones left; 0 in main time. */
export interface Clock { seconds: number; count: number }

export interface Mark {
  point: Point;
  kind: "label" | "triangle" | "square" | "circle" | "cross";
  /** Of a label. */
  text: string;
}

/** Nodes of the tree: `whole`: all of them, in place of those before; else these are new or changed. */
export interface Tree extends Told {
  type: "tree";
  whole: boolean;
  nodes: TreeNode[];
}

export interface TreeNode {
  id: NodeId;
  /** null: the root. */
  parent: NodeId | null;
  /** The main line's first. */
  children: NodeId[];
  /** null: no move. */
  color: Color | null;
  point: Point | null;
  /** Moves up to this node, its own included. */
  number: number;
  /** Whether stones are set up or taken off here. */
  setup: boolean;
  comment: boolean;
  /** The last analysis of the position; null: not looked at. */
  seen: Seen | null;
  /** What the move lost; null: not known. */
  judged: Judged | null;
}

export interface Seen { black_winrate: number; black_lead: number | null; visits: number }

/** For who made the move: below 0 where the engine likes the game better afterwards. */
export interface Judged {
  winrate_lost: number;
  points_lost: number | null;
  grade: Grade;
}
export type Grade = "best" | "good" | "inaccuracy" | "mistake" | "blunder";

/** A search under way, or its end (`finished`). */
export interface Analysis extends Told {
  type: "analysis";
  node: NodeId;
  /** 0, or 1 for the second of two engines. */
  opinion: 0 | 1;
  engine: Engine;
  to_play: Color;
  visits: number;
  black_winrate: number;
  black_lead: number | null;
  /** Best first. */
  moves: Candidate[];
  /** By point, where it was asked for and the network knows it. */
  black_ownership: number[] | null;
  /** Where the network would play, as the search uses it: in [0, 1] by point, the pass last; -1: illegal. */
  policy: number[] | null;
  /** The move that led here, against the analysis of the node before. */
  judged: Judged | null;
  finished: boolean;
}

export interface Candidate {
  point: Point;
  visits: number;
  /** The network's probability, before searching. */
  prior: number;
  black_winrate: number;
  black_lead: number | null;
  /** The principal variation, this move first. */
  line: Point[];
}

export interface HintAnswer extends Told {
  type: "hint";
  node: NodeId;
  engine: Engine;
  /** null: it would resign. */
  point: Point | null;
  black_winrate: number | null;
}

export interface ScoreAnswer extends Told {
  type: "score";
  node: NodeId;
  /** The stones that are taken off. */
  dead: Point[];
  /** Whose each point is: 0 nobody, 1, 2. */
  owner: number[];
  black: number;
  white: number;
  /** As in SGF: "B+3.5". */
  result: string;
  /** How it adds up, lines for people. */
  sums: string;
  /** Whether `dead` may be changed. */
  changeable: boolean;
}

export interface SgfAnswer extends Told { type: "sgf"; name: string; text: string }

export interface ReviewAnswer extends Told {
  type: "review";
  done: number;
  total: number;
  finished: boolean;
  /** Once it is finished; `seen` and `judged` of the nodes come as a `tree` just before. null while it goes on, or where it was stopped. */
  summary: ReviewSummary | null;
}

export interface ReviewSummary {
  engine: Engine;
  visits: number | null;
  black: ReviewFigures;
  white: ReviewFigures;
  /** The faults, the worst first. */
  faults: Fault[];
}

export interface ReviewFigures {
  name: string;
  moves: number;
  points_lost: number | null;
  winrate_lost: number | null;
  /** Share of moves that were the engine's choice, and one of its first three. */
  first: number | null;
  first_three: number | null;
  grades: Record<Grade, number>;
}

export interface Fault {
  node: NodeId;
  number: number;
  color: Color;
  point: Point;
  winrate_lost: number;
  points_lost: number | null;
  grade: Grade;
  /** What the engine would have played, and how it would go on. */
  best: Candidate | null;
}

/** The tree of a search in columns: one entry a node, parents before children, level by level. */
export interface SearchTree extends Told {
  type: "search_tree";
  node: NodeId;
  to_play: Color;
  /** Of the root. */
  visits: number;
  finished: boolean;
  /** -1: the root. */
  parent: number[];
  /** null: the root. */
  point: (Point | null)[];
  n: number[];
  /** In [-1, 1] for who made the move; at the root for who is to move. */
  q: number[];
  prior: number[];
  /** Indices from the root down: the most visited line, and the path of the last simulation (none where it was not one). */
  best: number[];
  last: number[];
}

export interface PictureAnswer extends Told { type: "picture"; name: string; svg: string; heading: string; caption: string }
export interface Closed extends Told { type: "closed" }

/** One sentence; nothing was changed by the request. `board` is null where the message named none. */
export interface ErrorAnswer { type: "error"; board: string | null; id?: number; text: string }

export type Answer =
  | Welcome | Position | Tree | Analysis | HintAnswer | ScoreAnswer | SgfAnswer | ReviewAnswer | PictureAnswer | SearchTree
  | Closed
  | ErrorAnswer;
