// What a person can do, each as one function: send the request, and change what only the page knows.
import { along, beside, rootOf } from "./go/lines";
import { settingsOf } from "./go/settings";
import type { Link } from "./link/link";
import type { Answer, Color, NodeId, PictureOptions, Point, Request, SearchRequest, Settings } from "./protocol";
import type { Preferences } from "./state/preferences";
import type { BoardKey, Room } from "./state/state";
import type { Store } from "./state/store";

type Bare<T> = T extends Request ? Omit<T, "board" | "id"> : never;
/** A record as text, or as the bytes of a file. */
export type GivenRecord = { text: string } | { base64: string };
/** A request without the name of its board. */
export type Wish = Bare<Request>;
export type Actions = ReturnType<typeof createActions>;

export function createActions(store: Store, link: Link, remember: (key: BoardKey, name: string) => void) {
  const board = (key: BoardKey) => store.get().boards[key];
  const send = (key: BoardKey, wish: Wish) => link.send({ ...wish, board: board(key).name } as Request);
  const ask = (key: BoardKey, wish: Wish) => link.ask({ ...wish, board: board(key).name } as Request);
  const tell = (text: string | null) => store.send({ type: "notice", text });

  /** Ask, and tell the sentence where it fails. */
  const attempt = async (key: BoardKey, wish: Wish): Promise<Answer | null> => {
    try {
      return await ask(key, wish);
    } catch (reason) {
      tell(reason instanceof Error ? reason.message : String(reason));
      return null;
    }
  };

  /** A new name for each game, so that late words about the last one are not taken for words about this one. */
  const fresh = (key: BoardKey) => {
    if (board(key).position !== null) send(key, { type: "close" });
    const name = newName(key);
    remember(key, name);
    store.send({ type: "fresh", board: key, name });
  };

  const enter = (room: Room) => store.send({ type: "room", room });

  return {
    enter,
    tell,
    prefer: (change: Partial<Preferences>) => store.send({ type: "prefer", change }),
    showInSee: (key: BoardKey) => store.send({ type: "show", board: key }),

    begin: (key: BoardKey, settings: Settings) => {
      fresh(key);
      tell(null);
      return attempt(key, { type: "new", settings });
    },
    /** Begin the game that is chosen, with this move if the person is to move first. */
    beginChosen: (first?: Point) => {
      const choice = store.get().preferences.game;
      const kind = store.get().welcome?.players.find((player) => player.name === choice.player);
      fresh("play");
      tell(null);
      void attempt("play", { type: "new", settings: settingsOf(choice, kind?.options ?? []) });
      if (first !== undefined) send("play", { type: "play", point: first });
    },
    load: (key: BoardKey, record: GivenRecord, at: "start" | "end" = "end") => {
      fresh(key);
      tell(null);
      return attempt(key, { type: "load", ...record, at });
    },
    leave: (key: BoardKey) => fresh(key),

    play: (key: BoardKey, point: Point) => send(key, { type: "play", point }),
    pass: (key: BoardKey) => {
      const position = board(key).position;
      if (position) send(key, { type: "play", point: position.rows * position.cols });
    },
    resign: (key: BoardKey, color?: Color) => send(key, color ? { type: "resign", color } : { type: "resign" }),
    undo: (key: BoardKey) => send(key, { type: "undo" }),
    hint: (key: BoardKey) => attempt(key, { type: "hint" }),
    moveNow: (key: BoardKey) => send(key, { type: "move" }),
    stop: (key: BoardKey) => send(key, { type: "stop" }),
    dead: (key: BoardKey, point: Point) => send(key, { type: "dead", point }),
    score: (key: BoardKey) => send(key, { type: "score" }),
    agree: (key: BoardKey) => {
      send(key, { type: "agree" });
      store.send({ type: "agreed", board: key });
    },

    go: (key: BoardKey, node: NodeId) => {
      if (node !== board(key).position?.node) send(key, { type: "go", node });
    },
    /** So many moves forward or back; beyond the end: to the end. */
    step: (key: BoardKey, moves: number) => {
      const { position, nodes } = board(key);
      if (position === null) return;
      const node = along(nodes, position.node, moves);
      if (node !== position.node) send(key, { type: "go", node });
    },
    toVariation: (key: BoardKey, steps: number) => {
      const { position, nodes } = board(key);
      if (position === null) return;
      const node = beside(nodes, position.node, steps);
      if (node !== position.node) send(key, { type: "go", node });
    },
    toStart: (key: BoardKey) => {
      const root = rootOf(board(key).nodes);
      if (root) send(key, { type: "go", node: root.id });
    },
    remove: (key: BoardKey, node: NodeId) => send(key, { type: "delete", node }),
    promote: (key: BoardKey, node: NodeId) => send(key, { type: "promote", node }),
    setup: (key: BoardKey, stones: { black?: Point[]; white?: Point[]; empty?: Point[]; to_play?: Color }) =>
      send(key, { type: "setup", ...stones }),
    comment: (key: BoardKey, text: string) => send(key, { type: "comment", text }),

    /** Review the main line by the engine of the analysis, with so many visits a move. */
    review: (key: BoardKey, visits: number) =>
      send(key, { type: "review", engine: { ...store.get().preferences.engine, visits } }),
    picture: (key: BoardKey, name: string, options: PictureOptions) => ask(key, { type: "picture", name, options }),
    search: (key: BoardKey, wish: Omit<SearchRequest, "type" | "board" | "id">) =>
      send(key, { type: "search", ...wish }),

    record: async (key: BoardKey): Promise<{ name: string; text: string } | null> => {
      const answer = await attempt(key, { type: "sgf" });
      return answer?.type === "sgf" ? { name: answer.name, text: answer.text } : null;
    },
    /** The game that was played, on the board of the study. */
    studyGame: async () => {
      const answer = await attempt("play", { type: "sgf" });
      if (answer?.type !== "sgf") return;
      enter("analyse");
      fresh("analyse");
      await attempt("analyse", { type: "load", text: answer.text, at: "end" });
    },
  };
}

/** A name that nobody guesses: boards are found by it. */
export function newName(key: BoardKey): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `${key}-${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
