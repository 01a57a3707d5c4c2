// The room stands in the address after #, so that links and the browser's back button lead to it.
import { useEffect } from "preact/hooks";
import type { Room } from "../state/state";

const ROOMS: readonly string[] = ["play", "analyse", "see"];

/** The room that an address names, or null. */
export function roomOf(hash: string): Room | null {
  const named = hash.slice(1);
  return ROOMS.includes(named) ? (named as Room) : null;
}

export function useRoute(room: Room, enter: (room: Room) => void): void {
  useEffect(() => {
    const follow = () => enter(roomOf(location.hash) ?? "play");
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, [enter]);
  useEffect(() => {
    if ((roomOf(location.hash) ?? "play") !== room) history.pushState(null, "", `#${room}`);
  }, [room]);
}
