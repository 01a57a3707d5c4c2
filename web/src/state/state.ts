// All that the page knows, as plain data; `reduce.ts` says how it changes, nothing else changes it.
import type {
  Analysis,
  HintAnswer,
  NodeId,
  PictureAnswer,
  Position,
  ReviewAnswer,
  ScoreAnswer,
  SearchTree,
  TreeNode,
  Welcome,
} from "../protocol";
import { type Preferences, USUAL } from "./preferences";

export type Room = "play" | "analyse" | "see";
/** The two boards of the page: that of the game, and that of the study. */
export type BoardKey = "play" | "analyse";
export type Link = "connecting" | "open" | "lost";

/** What the server has told of one board. */
export interface BoardState {
  /** Its name on the server. */
  name: string;
  position: Position | null;
  nodes: Record<NodeId, TreeNode>;
  /** The first and the second opinion of the position that is shown. */
  opinions: [Analysis | null, Analysis | null];
  hint: HintAnswer | null;
  score: ScoreAnswer | null;
  /** The result was agreed on. */
  agreed: boolean;
  review: ReviewAnswer | null;
  picture: PictureAnswer | null;
  search: SearchTree | null;
  /** When the position came, in milliseconds of the page's clock: running clocks count from here. */
  since: number;
}

export interface State {
  link: Link;
  welcome: Welcome | null;
  room: Room;
  /** Which board the room See looks at: the one used last. */
  shown: BoardKey;
  boards: Record<BoardKey, BoardState>;
  /** A sentence to tell, usually what was wrong. */
  notice: string | null;
  preferences: Preferences;
}

export function emptyBoard(name: string): BoardState {
  return {
    name,
    position: null,
    nodes: {},
    opinions: [null, null],
    hint: null,
    score: null,
    agreed: false,
    review: null,
    picture: null,
    search: null,
    since: 0,
  };
}

export function initialState(
  names: Record<BoardKey, string>,
  preferences: Preferences = USUAL,
  room: Room = "play",
): State {
  return {
    link: "connecting",
    welcome: null,
    room,
    shown: room === "analyse" ? "analyse" : "play",
    boards: { play: emptyBoard(names.play), analyse: emptyBoard(names.analyse) },
    notice: null,
    preferences,
  };
}
