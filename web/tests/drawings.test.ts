// Where things are drawn: the tree of a record, the graph of a game, clocks, and views.
import { describe, expect, it } from "vitest";
import { barsOf, curveOf, HIGH, scaleOf } from "../src/analyse/graph_shapes";
import { stonesOf } from "../src/analyse/tools";
import { placesOf } from "../src/analyse/tree_places";
import { clockText, timeLeft } from "../src/play/clock_text";
import type { Clocks, SearchTree } from "../src/protocol";
import { nodeAt } from "../src/see/draw_tree";
import { layoutOf } from "../src/see/tree_layout";
import { fitted, moved, zoomed } from "../src/see/view";
import { node, nodesOf, position } from "./positions";

describe("the tree of a record", () => {
  //  0 - 1 - 2 - 3 - 6
  //      |     \ 7
  //       \ 4 - 5
  const nodes = nodesOf(
    node(0, null, [1]),
    node(1, 0, [2, 4]),
    node(2, 1, [3, 7]),
    node(3, 2, [6]),
    node(4, 1, [5]),
    node(5, 4, []),
    node(6, 3, []),
    node(7, 2, []),
  );
  const places = placesOf(nodes);

  it("goes on in one row, and puts later variations above earlier ones", () => {
    const at = (id: number) => [places.get(id)?.column, places.get(id)?.row];
    expect([0, 1, 2, 3, 6].map((id) => at(id)[1])).toEqual([0, 0, 0, 0, 0]);
    expect(at(7)).toEqual([3, 1]);
    expect([at(4), at(5)]).toEqual([
      [2, 2],
      [3, 2],
    ]);
    expect(places.get(4)?.from).toBe(0);
  });

  it("has one place for each node", () => {
    const taken = [...places.values()].map(({ column, row }) => `${column} ${row}`);
    expect(new Set(taken).size).toBe(8);
  });
});

describe("the graph of a game", () => {
  it("spans the width, with Black's win rate upwards, and breaks where nothing is known", () => {
    const scale = scaleOf(5, 400);
    expect(curveOf([0, 1, null, 0.5, 0.5], scale, (rate) => rate)).toBe(
      `M0,${HIGH}L100,0M300,${HIGH / 2}L400,${HIGH / 2}`,
    );
    expect(scale.index(260)).toBe(3);
  });

  it("has bars for faults alone, higher for worse ones", () => {
    const judged = (grade: "good" | "mistake" | "blunder", points_lost: number) => ({
      winrate_lost: 0.1,
      points_lost,
      grade,
    });
    const line = [
      node(0, null, [1]),
      node(1, 0, [2], { judged: judged("good", 0.2) }),
      node(2, 1, [3], { judged: judged("mistake", 5) }),
      node(3, 2, [], { judged: judged("blunder", 12) }),
    ];
    const bars = barsOf(line, scaleOf(4, 300));
    expect(bars.map((bar) => bar.grade)).toEqual(["mistake", "blunder"]);
    expect(bars[1]?.height).toBeGreaterThan(bars[0]?.height ?? 0);
  });
});

describe("a clock", () => {
  const clocks: Clocks = {
    system: "1m+3x10s",
    kind: "byo-yomi",
    period: 10,
    black: { seconds: 4, count: 3 },
    white: { seconds: 60, count: 0 },
    running: "B",
    elapsed: 0,
  };

  it("runs down, through periods of byo-yomi", () => {
    expect(timeLeft(clocks, "B", 1)).toEqual({ seconds: 3, count: 3 });
    expect(timeLeft(clocks, "B", 9)).toEqual({ seconds: 5, count: 2 });
    expect(timeLeft(clocks, "B", 99)).toEqual({ seconds: 0, count: 1 });
    expect(timeLeft(clocks, "W", 70)).toEqual({ seconds: 0, count: 0 });
  });

  it("is written as people read it", () => {
    expect([3723, 545, 60, 9.96, 0].map(clockText)).toEqual(["1:02:03", "9:05", "1:00", "0:09.9", "0:00.0"]);
  });
});

it("tools put stones, and take off the one that is there", () => {
  const stones = new Array(81).fill(0);
  stones[3] = 1;
  const shown = position({ stones });
  expect(stonesOf("black", shown, 4)).toEqual({ black: [4] });
  expect(stonesOf("black", shown, 3)).toEqual({ empty: [3] });
  expect(stonesOf("white", shown, 3)).toEqual({ white: [3] });
  expect(stonesOf("erase", shown, 3)).toEqual({ empty: [3] });
});

describe("the tree of a search", () => {
  // The root with three moves, the first of them with two answers.
  const tree: SearchTree = {
    type: "search_tree",
    board: "play-1",
    node: 0,
    to_play: "B",
    visits: 100,
    finished: true,
    parent: [-1, 0, 0, 0, 1, 1],
    point: [null, 4, 5, 6, 7, 8],
    n: [100, 60, 30, 9, 40, 19],
    q: [0, 0, 0, 0, 0, 0],
    prior: [1, 0.5, 0.3, 0.2, 0.5, 0.5],
    best: [0, 1, 4],
    last: [0, 1, 5],
  };
  const { spots } = layoutOf(tree);

  it("has its root in the middle, each move further out, larger the more visits it has", () => {
    const far = spots.map((spot) => Math.round(Math.hypot(spot.x, spot.y)));
    expect(far).toEqual([0, far[1], far[1], far[1], 2 * (far[1] ?? 0), 2 * (far[1] ?? 0)]);
    expect(far[1]).toBeGreaterThan(0);
    const radii = [1, 4, 2, 5, 3].map((index) => spots[index]?.radius ?? 0);
    expect(radii).toEqual([...radii].sort((a, b) => b - a));
  });

  it("has no node on top of another, and finds each below the pointer", () => {
    const view = { x: 300, y: 200, scale: 0.5 };
    for (const spot of spots) {
      expect(nodeAt(layoutOf(tree), view, spot.x * 0.5 + 300, spot.y * 0.5 + 200)).toBe(spot.index);
    }
    expect(nodeAt(layoutOf(tree), view, 5000, 5000)).toBeNull();
  });
});

describe("a view", () => {
  it("shows all of a drawing, in the middle", () => {
    const view = fitted({ left: -1000, right: 1000, top: -100, bottom: 100 }, 500, 400);
    expect([view.x, view.y]).toEqual([250, 200]);
    expect(-1000 * view.scale + view.x).toBeGreaterThan(0);
  });

  it("keeps what is below the pointer there", () => {
    const view = { x: 10, y: 20, scale: 1 };
    const near = zoomed(view, 2, 110, 120);
    expect([(110 - near.x) / near.scale, (120 - near.y) / near.scale]).toEqual([100, 100]);
    expect(moved(view, 5, -5)).toEqual({ x: 15, y: 15, scale: 1 });
    expect(zoomed(view, 1e9, 0, 0).scale).toBeLessThan(20);
  });
});
