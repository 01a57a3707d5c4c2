// How the state changes: a pure function of the state and of what happened.
import { reduceBoard } from "./board";
import type { Event } from "./events";
import { type BoardKey, type BoardState, emptyBoard, type Room, type State } from "./state";

export function reduce(state: State, event: Event): State {
  switch (event.type) {
    case "answer":
      return answered(state, event);
    case "link":
      return { ...state, link: event.link };
    case "room":
      return { ...state, room: event.room, shown: boardOf(event.room) ?? state.shown };
    case "show":
      return { ...state, shown: event.board };
    case "prefer":
      return { ...state, preferences: { ...state.preferences, ...event.change } };
    case "notice":
      return { ...state, notice: event.text };
    case "fresh":
      return withBoard(state, event.board, emptyBoard(event.name));
    case "agreed":
      return withBoard(state, event.board, { ...state.boards[event.board], agreed: true });
    case "no-hint":
      return withBoard(state, event.board, { ...state.boards[event.board], hint: null });
    case "no-opinions":
      return withBoard(state, event.board, { ...state.boards[event.board], opinions: [null, null] });
  }
}

/** The board that a room uses; See uses whichever was used last. */
export function boardOf(room: Room): BoardKey | null {
  return room === "see" ? null : room;
}

function answered(state: State, event: Extract<Event, { type: "answer" }>): State {
  const { answer, at } = event;
  if (answer.type === "welcome") return { ...state, welcome: answer };
  if (answer.type === "error") return { ...state, notice: answer.text };
  const key = boardKey(state, answer.board);
  if (key === null) return state;
  return withBoard(state, key, reduceBoard(state.boards[key], answer, at));
}

/** Which of the page's boards has this name on the server. */
export function boardKey(state: State, name: string): BoardKey | null {
  if (state.boards.play.name === name) return "play";
  return state.boards.analyse.name === name ? "analyse" : null;
}

function withBoard(state: State, key: BoardKey, board: BoardState): State {
  return { ...state, boards: { ...state.boards, [key]: board } };
}
