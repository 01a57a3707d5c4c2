// The one store: it holds the state, applies `reduce`, and tells those who listen.
import { useEffect, useState } from "preact/hooks";
import type { Event } from "./events";
import { reduce } from "./reduce";
import type { State } from "./state";

export interface Store {
  get: () => State;
  send: (event: Event) => void;
  /** Calls `listener` after each change; the answer ends that. */
  listen: (listener: (state: State, before: State) => void) => () => void;
}

export function createStore(initial: State): Store {
  let state = initial;
  const listeners = new Set<(state: State, before: State) => void>();
  return {
    get: () => state,
    send: (event) => {
      const before = state;
      state = reduce(state, event);
      if (state !== before) for (const listener of [...listeners]) listener(state, before);
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The state, for a component that draws all of it. */
export function useStore(store: Store): State {
  const [state, setState] = useState(store.get());
  useEffect(() => {
    setState(store.get());
    return store.listen(setState);
  }, [store]);
  return state;
}
