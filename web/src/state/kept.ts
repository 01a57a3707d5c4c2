// What outlives the page: preferences for good, the names of the boards until the tab is closed. Without storage all is new.
import { newName } from "../actions";
import { type Preferences, readPreferences } from "./preferences";
import type { BoardKey } from "./state";
import type { Store } from "./store";

const PREFERENCES = "move37.preferences";

export function keptPreferences(): Preferences {
  return readPreferences(read(() => localStorage.getItem(PREFERENCES)));
}

export function keepPreferences(store: Store): void {
  store.listen((state, before) => {
    if (state.preferences !== before.preferences) {
      read(() => localStorage.setItem(PREFERENCES, JSON.stringify(state.preferences)));
    }
  });
}

export function keptName(key: BoardKey): string {
  const name = read(() => sessionStorage.getItem(`move37.${key}`)) ?? newName(key);
  keepName(key, name);
  return name;
}

export function keepName(key: BoardKey, name: string): void {
  read(() => sessionStorage.setItem(`move37.${key}`, name));
}

/** Browsers may forbid storage; the page works without. */
function read<T>(from: () => T): T | null {
  try {
    return from();
  } catch {
    return null;
  }
}
