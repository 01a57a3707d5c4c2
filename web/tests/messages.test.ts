// Every language says everything, with the same values in it; and says nothing that is not asked for.
import { describe, expect, it } from "vitest";
import ar from "../src/messages/ar.json";
import en from "../src/messages/en.json";
import { LANGUAGES, loadMessages, pickLanguage, wordsOf } from "../src/words/words";

const valuesIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

describe.each(LANGUAGES)("%s", (language) => {
  it("has the keys of English, no text empty, with the same values", async () => {
    const messages = await loadMessages(language);
    expect(Object.keys(messages).sort()).toEqual(Object.keys(en).sort());
    for (const [key, text] of Object.entries(en)) {
      expect(messages[key]?.trim(), key).not.toBe("");
      expect(valuesIn(messages[key] ?? ""), key).toEqual(valuesIn(text));
    }
  });
});

it("finds the language that is liked, by its region too", () => {
  expect(LANGUAGES).toEqual(expect.arrayContaining(["en", "ar"]));
  expect(pickLanguage("", ["xx", "ar-EG", "en"])).toBe("ar");
  expect(pickLanguage("en", ["ar"])).toBe("en");
  expect(pickLanguage("", ["xx"])).toBe("en");
});

it("fills values in, and falls back to English and to the other text", () => {
  const words = wordsOf("ar", { ...ar, "move.pass": undefined });
  expect(words.direction).toBe("rtl");
  expect(words.say("said.move", { color: "X", point: "E5" })).toContain("E5");
  expect(words.say("move.pass")).toBe(en["move.pass"]);
  expect(words.sayOr("player.nobody", "nobody")).toBe("nobody");
});

it("writes digits as on the board in every language", () => {
  expect(wordsOf("ar", ar).number(37)).toBe("37");
});
