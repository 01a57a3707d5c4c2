// Points, lines, views and forms: the plain functions about the game.
import { describe, expect, it } from "vitest";
import { along, beside, lineThrough, lineTo } from "../src/go/lines";
import { namedPoint, pointName, stepped } from "../src/go/points";
import { settingsOf } from "../src/go/settings";
import { forMover, short } from "../src/go/views";
import { canPlay, withPlayer, withSize } from "../src/play/opponents";
import type { PlayerKind } from "../src/protocol";
import { USUAL } from "../src/state/preferences";
import { resultWords } from "../src/words/go_words";
import { ENGLISH } from "../src/words/words";
import { node, nodesOf } from "./positions";

const BOARD = { rows: 9, cols: 13 };

describe("points", () => {
  it("have names without I, from the bottom", () => {
    expect(pointName(0, BOARD)).toBe("A9");
    expect(pointName(8, BOARD)).toBe("J9");
    expect(pointName(9 * 13 - 1, BOARD)).toBe("N1");
    expect(pointName(9 * 13, BOARD)).toBeNull();
  });

  it("are found by their names, and only those that are there", () => {
    for (let point = 0; point < 9 * 13; point++) expect(namedPoint(pointName(point, BOARD) ?? "", BOARD)).toBe(point);
    expect(namedPoint(" c3 ", BOARD)).toBe(6 * 13 + 2);
    for (const name of ["", "I5", "O1", "A0", "A10", "5A", "pass"]) expect(namedPoint(name, BOARD), name).toBeNull();
  });

  it("end at the edge", () => {
    expect(stepped(0, BOARD, -1, -1)).toBe(0);
    expect(stepped(0, BOARD, 1, 1)).toBe(14);
    expect(stepped(9 * 13 - 1, BOARD, 1, 0)).toBe(9 * 13 - 1);
  });
});

describe("lines", () => {
  //  0 - 1 - 2 - 3
  //        \ 4 - 5
  const nodes = nodesOf(
    node(0, null, [1]),
    node(1, 0, [2, 4]),
    node(2, 1, [3]),
    node(3, 2, []),
    node(4, 1, [5]),
    node(5, 4, []),
  );
  const ids = (line: { id: number }[]) => line.map((one) => one.id);

  it("lead to a node, and through it to the end", () => {
    expect(ids(lineTo(nodes, 4))).toEqual([0, 1, 4]);
    expect(ids(lineThrough(nodes, 4))).toEqual([0, 1, 4, 5]);
    expect(ids(lineThrough(nodes, 1))).toEqual([0, 1, 2, 3]);
  });

  it("are stepped along, no further than they go", () => {
    expect(along(nodes, 1, 1)).toBe(2);
    expect(along(nodes, 5, -3)).toBe(0);
    expect(along(nodes, 0, 99)).toBe(3);
  });

  it("have variations beside them, round and round", () => {
    expect(beside(nodes, 2, 1)).toBe(4);
    expect(beside(nodes, 4, 1)).toBe(2);
    expect(beside(nodes, 0, 1)).toBe(0);
  });
});

describe("numbers", () => {
  it("are those of who is to move", () => {
    expect(forMover({ black_winrate: 0.75, black_lead: 3 }, "B")).toEqual({ winrate: 0.75, lead: 3 });
    expect(forMover({ black_winrate: 0.75, black_lead: 3 }, "W")).toEqual({ winrate: 0.25, lead: -3 });
    expect(forMover({ black_winrate: 0.5, black_lead: null }, "W").lead).toBeNull();
  });

  it("are short", () => {
    expect([999, 1000, 1250, 12_500].map(short)).toEqual(["999", "1.0k", "1.3k", "13k"]);
  });
});

describe("results", () => {
  it.each([
    ["B+3.5", "Black wins by 3.5"],
    ["W+R", "White wins by resignation"],
    ["W+T", "White wins on time"],
    ["0", "A draw"],
    ["Void", "No result"],
    ["", "The game is over."],
  ])("%s is told", (result, told) => expect(resultWords(ENGLISH, result)).toBe(told));
});

describe("a new game", () => {
  const kind = (name: string, options: PlayerKind["options"], sizes: number[]): PlayerKind => ({
    name,
    about: "",
    options,
    searches: true,
    sizes,
  });
  const players = [kind("zero", ["net", "visits", "seconds", "rank"], [9, 19]), kind("uct", ["visits"], [9, 13, 19])];

  it("asks for an engine in the other seat, as strong as chosen", () => {
    const asked = settingsOf({ ...USUAL.game, strength: "rank", rank: "5k" }, ["rank"]);
    expect([asked.black, asked.white]).toEqual([null, { player: "zero", rank: "5k" }]);
    expect(settingsOf({ ...USUAL.game, seat: "both" }, []).white).toBeNull();
    expect(settingsOf({ ...USUAL.game, seat: "neither" }, []).black).toEqual({ player: "zero" });
  });

  it("has an opponent that can play on its board", () => {
    expect(withSize(USUAL.game, 13, players)).toMatchObject({ size: 13, player: "uct", strength: "visits" });
    expect(withSize(USUAL.game, 19, players)).toMatchObject({ size: 19, player: "zero" });
    expect(canPlay(kind("zero", [], []), { ...USUAL.game, net: "mine" })).toBe(true);
  });

  it("keeps a strength that the opponent takes", () => {
    expect(withPlayer({ ...USUAL.game, strength: "rank" }, players, "uct").strength).toBe("visits");
    expect(withPlayer({ ...USUAL.game, strength: "seconds" }, players, "zero").strength).toBe("seconds");
  });
});
