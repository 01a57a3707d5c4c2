// What can happen to the state: the server tells something, the link changes, or a person chooses.
import type { Answer } from "../protocol";
import type { Preferences } from "./preferences";
import type { BoardKey, Link, Room } from "./state";

export type Event =
  | { type: "answer"; answer: Answer; at: number }
  | { type: "link"; link: Link }
  | { type: "room"; room: Room }
  | { type: "show"; board: BoardKey }
  | { type: "prefer"; change: Partial<Preferences> }
  | { type: "notice"; text: string | null }
  /** The board is begun anew under this name; nothing of the old one is kept. */
  | { type: "fresh"; board: BoardKey; name: string }
  | { type: "agreed"; board: BoardKey }
  | { type: "no-hint"; board: BoardKey }
  | { type: "no-opinions"; board: BoardKey };
