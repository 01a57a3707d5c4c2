// What was kept in the browser is taken as far as it makes sense.
import { expect, it } from "vitest";
import { readPreferences, USUAL } from "../src/state/preferences";

it("is the usual where nothing was kept, or nothing that can be read", () => {
  for (const text of [null, "", "{", "[]", "null", "3"]) expect(readPreferences(text)).toEqual(USUAL);
});

it("keeps what fits, and nothing else", () => {
  const kept = {
    sound: true,
    theme: 3,
    game: { size: 13, komi: "x", other: 1 },
    engine: { player: "lee" },
    second: {},
  };
  const read = readPreferences(JSON.stringify(kept));
  expect(read.sound).toBe(true);
  expect(read.theme).toBe(USUAL.theme);
  expect(read.game).toEqual({ ...USUAL.game, size: 13 });
  expect(read.engine).toEqual({ player: "lee" });
  expect(read.second).toBeNull();
});

it("reads back what it was given", () => {
  const changed = {
    ...USUAL,
    language: "ar",
    second: { player: "lee", visits: 50 },
    layers: { ...USUAL.layers, policy: true },
  };
  expect(readPreferences(JSON.stringify(changed))).toEqual(changed);
});
