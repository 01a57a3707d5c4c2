// What follows from the state without anybody asking for it: the analysis of what is shown, the count of a game that is over.
import type { Link } from "./link/link";
import type { Analyse, Engine } from "./protocol";
import type { State } from "./state/state";
import type { Store } from "./state/store";

/** The analysis that the state calls for, on the board of the study. */
export function wantedAnalysis(state: State): Omit<Analyse, "board" | "id"> {
  const { analysing, engine, second, layers } = state.preferences;
  const looking = state.room === "analyse" && analysing && state.boards.analyse.position !== null;
  const engines: Engine[] = looking ? (second ? [engine, second] : [engine]) : [];
  return { type: "analyse", engines, ownership: layers.ownership, policy: layers.policy };
}

/** Whether the game on the board of the game is to be counted now. */
export function wantsScore(state: State): boolean {
  const { position, score } = state.boards.play;
  return position?.over === true && position.passes >= 2 && score?.node !== position.node;
}

/** Send what the state calls for, whenever it calls for something else. */
export function follow(store: Store, link: Link): void {
  let analysis = "";
  let counted = "";
  store.listen((state) => {
    if (state.link !== "open") {
      analysis = counted = "";
      return;
    }
    const board = state.boards.analyse.name;
    const wanted = wantedAnalysis(state);
    const asked = JSON.stringify([board, wanted]);
    const known = state.boards.analyse.position !== null;
    if (known && asked !== analysis && !(analysis === "" && wanted.engines.length === 0)) {
      analysis = asked;
      link.send({ ...wanted, board });
    }
    const { name, position } = state.boards.play;
    const count = `${name} ${position?.node}`;
    if (wantsScore(state) && count !== counted) {
      counted = count;
      link.send({ type: "score", board: name });
    }
    if (position?.over === false) counted = "";
  });
}
