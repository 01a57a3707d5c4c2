// What every component can reach: the store, and what can be done.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Actions } from "./actions";
import type { BoardKey, BoardState, State } from "./state/state";

export interface Page {
  state: State;
  actions: Actions;
}

export const PageContext = createContext<Page | null>(null);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (page === null) throw new Error("a part of the page stands outside of it");
  return page;
}

export function useBoard(key: BoardKey): BoardState {
  return usePage().state.boards[key];
}
