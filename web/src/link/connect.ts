// Joins the connection to the store: answers become events, and boards that were there are shown again after a break.
import type { BoardKey } from "../state/state";
import type { Store } from "../state/store";
import { Link, type Socket, socketAddress } from "./link";

const BOARDS: readonly BoardKey[] = ["play", "analyse"];

export function connect(store: Store): Link {
  const link: Link = new Link(() => new WebSocket(socketAddress(location.href)) as Socket, {
    opened: () => {
      store.send({ type: "link", link: "open" });
      for (const key of BOARDS) void showAgain(store, link, key);
    },
    lost: () => store.send({ type: "link", link: "lost" }),
    answer: (answer) => store.send({ type: "answer", answer, at: performance.now() }),
  });
  return link;
}

/** How long the server may take to notice that the page's last connection is gone. */
const NOTICED = 1000;

/** Ask for a board by its name, and once more after a moment. Where the server has none, the page has none either. */
async function showAgain(store: Store, link: Link, key: BoardKey, tries = 2): Promise<void> {
  const { name, position } = store.get().boards[key];
  try {
    await link.ask({ type: "show", board: name });
  } catch {
    const now = store.get();
    const waits = now.link === "open" && now.boards[key].name === name && now.boards[key].position === position;
    if (!waits) return;
    if (tries > 1) setTimeout(() => void showAgain(store, link, key, tries - 1), NOTICED);
    else if (position !== null) store.send({ type: "fresh", board: key, name });
  }
}
