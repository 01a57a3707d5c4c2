// The keys of the page, wherever the focus is, but for fields in which one writes. The board has its own (`board/keys.ts`).
import { useEffect } from "preact/hooks";
import type { Actions } from "../actions";
import { turn } from "../play/turn";
import { boardOf } from "../state/reduce";
import type { BoardKey, State } from "../state/state";
import type { Store } from "../state/store";

const FAR = 100_000;
type Deed = (state: State, actions: Actions, key: BoardKey) => void;

/** What each key does in every room. */
const ANYWHERE: Record<string, Deed> = {
  "1": (_, actions) => actions.enter("play"),
  "2": (_, actions) => actions.enter("analyse"),
  "3": (_, actions) => actions.enter("see"),
  b: () => document.querySelector<HTMLElement>(".board")?.focus(),
};

const IN_A_GAME: Record<string, Deed> = {
  p: (state, actions) => isPersonsTurn(state) && actions.pass("play"),
  u: (_, actions) => actions.undo("play"),
  h: (state, actions) => isPersonsTurn(state) && void actions.hint("play"),
  m: (_, actions) => actions.moveNow("play"),
  n: (state, actions) => (state.boards.play.position?.over ?? true) && actions.beginChosen(),
};

const IN_A_RECORD: Record<string, Deed> = {
  ",": (_, actions, key) => actions.step(key, -1),
  ".": (_, actions, key) => actions.step(key, 1),
  PageUp: (_, actions, key) => actions.step(key, -10),
  PageDown: (_, actions, key) => actions.step(key, 10),
  Home: (_, actions, key) => actions.toStart(key),
  End: (_, actions, key) => actions.step(key, FAR),
  "[": (_, actions, key) => actions.toVariation(key, -1),
  "]": (_, actions, key) => actions.toVariation(key, 1),
};

const IN_A_STUDY: Record<string, Deed> = {
  p: (_, actions) => actions.pass("analyse"),
  u: (_, actions) => actions.undo("analyse"),
  a: (state, actions) => actions.prefer({ analysing: !state.preferences.analysing }),
  o: (state, actions) => {
    const layers = state.preferences.layers;
    actions.prefer({ layers: { ...layers, ownership: !layers.ownership } });
  },
};

/** The deed of a key in the room that is open. */
export function deedOf(state: State, key: string): Deed | undefined {
  const name = key.length === 1 ? key.toLowerCase() : key;
  const own = state.room === "play" ? IN_A_GAME : { ...IN_A_RECORD, ...(state.room === "analyse" ? IN_A_STUDY : {}) };
  return ANYWHERE[name] ?? own[name];
}

export function useKeys(store: Store, actions: Actions): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isWriting(event.target)) return;
      const state = store.get();
      const deed = deedOf(state, event.key);
      if (!deed) return;
      event.preventDefault();
      deed(state, actions, boardOf(state.room) ?? state.shown);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [store, actions]);
}

function isPersonsTurn(state: State): boolean {
  const position = state.boards.play.position;
  return position !== null && turn(position) === "person";
}

function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest("input:not([type=radio],[type=checkbox]), textarea, select") !== null
  );
}
