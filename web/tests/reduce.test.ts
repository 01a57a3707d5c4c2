// The state changes as it should: by what the server tells, and by what a person chooses.
import { describe, expect, it } from "vitest";
import type { Answer } from "../src/protocol";
import type { Event } from "../src/state/events";
import { reduce } from "../src/state/reduce";
import { initialState, type State } from "../src/state/state";
import { analysis, node, position } from "./positions";

const BEGIN = initialState({ play: "play-1", analyse: "analyse-1" });
const now = (...events: Event[]): State => events.reduce(reduce, BEGIN);
const told = (answer: Answer, at = 0): Event => ({ type: "answer", answer, at });

describe("answers", () => {
  it("go to the board that they name, with the time they came", () => {
    const state = now(told(position({ board: "analyse-1", move_number: 3 }), 42));
    expect(state.boards.analyse.position?.move_number).toBe(3);
    expect(state.boards.analyse.since).toBe(42);
    expect(state.boards.play.position).toBeNull();
  });

  it("about a board that is not here change nothing", () => {
    expect(now(told(position({ board: "play-2" })))).toBe(BEGIN);
  });

  it("that are errors are told", () => {
    expect(now(told({ type: "error", board: null, text: "No." })).notice).toBe("No.");
  });

  it("about another position end what was said of the last one", () => {
    const hint: Answer = {
      type: "hint",
      board: "play-1",
      node: 0,
      engine: { player: "zero" },
      point: 3,
      black_winrate: null,
    };
    const hinted = now(told(position()), told(hint));
    expect(hinted.boards.play.hint?.point).toBe(3);
    expect(reduce(hinted, told(position({ thinking: "W" }))).boards.play.hint?.point).toBe(3);
    expect(reduce(hinted, told(position({ node: 1 }))).boards.play.hint).toBeNull();
  });
});

describe("analysis", () => {
  const shown = told(position({ board: "analyse-1", node: 5 }));

  it("is kept by opinion", () => {
    const state = now(
      shown,
      told(analysis({ node: 5, visits: 7 })),
      told(analysis({ node: 5, opinion: 1, visits: 9 })),
    );
    expect(state.boards.analyse.opinions.map((one) => one?.visits)).toEqual([7, 9]);
  });

  it("of a node that is not shown any more is dropped", () => {
    expect(now(shown, told(analysis({ node: 4 }))).boards.analyse.opinions).toEqual([null, null]);
  });
});

describe("trees", () => {
  const whole: Answer = {
    type: "tree",
    board: "play-1",
    whole: true,
    nodes: [node(0, null, [1]), node(1, 0, [2]), node(2, 1, [])],
  };

  it("replace all nodes, or some", () => {
    const changed: Answer = { type: "tree", board: "play-1", whole: false, nodes: [node(2, 1, [3]), node(3, 2, [])] };
    expect(Object.keys(now(told(whole), told(changed)).boards.play.nodes)).toEqual(["0", "1", "2", "3"]);
    expect(Object.keys(now(told(changed), told(whole)).boards.play.nodes)).toEqual(["0", "1", "2"]);
  });

  it("lose what hangs on no parent any more", () => {
    const cut: Answer = { type: "tree", board: "play-1", whole: false, nodes: [node(0, null, [])] };
    expect(Object.keys(now(told(whole), told(cut)).boards.play.nodes)).toEqual(["0"]);
  });
});

describe("a person", () => {
  it("opens rooms, and See looks at the board used last", () => {
    expect(now({ type: "room", room: "analyse" }, { type: "room", room: "see" }).shown).toBe("analyse");
    expect(now({ type: "room", room: "analyse" }, { type: "room", room: "play" }).shown).toBe("play");
  });

  it("begins anew without anything of the last game", () => {
    const state = now(told(position()), { type: "fresh", board: "play", name: "play-9" });
    expect(state.boards.play).toMatchObject({ name: "play-9", position: null, nodes: {} });
  });

  it("prefers one thing and keeps the rest", () => {
    const state = now({ type: "prefer", change: { sound: true } });
    expect(state.preferences).toEqual({ ...BEGIN.preferences, sound: true });
  });
});
