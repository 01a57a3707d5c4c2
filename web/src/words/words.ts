// The texts of the page in the language that was chosen. A language is one file in `messages/`; English fills gaps.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import en from "../messages/en.json";

export type Key = keyof typeof en;
export type Messages = Partial<Record<string, string>>;
export type Values = Record<string, string | number>;

export interface Words {
  language: string;
  direction: "ltr" | "rtl";
  /** The text of a key, with `{name}` replaced by the value of that name. */
  say: (key: Key, values?: Values) => string;
  /** The text of a key that is put together at run time, or the other text where there is none. */
  sayOr: (key: string, other: string) => string;
  number: (value: number, digits?: number) => string;
  percent: (share: number, digits?: number) => string;
  /** With its sign: "+3.5". */
  signed: (value: number) => string;
}

const FILES = import.meta.glob<Messages>(["../messages/*.json", "!../messages/en.json"], { import: "default" });

/** The codes of all languages there are: the names of the files. */
export const LANGUAGES: string[] = [
  "en",
  ...Object.keys(FILES)
    .map((path) => /([\w-]+)\.json$/.exec(path)?.[1] ?? "")
    .sort(),
];

/** The language to use: the one chosen, else the first that the browser likes, else English. */
export function pickLanguage(chosen: string, liked: readonly string[]): string {
  const wanted = [chosen, ...liked].map((code) => code.toLowerCase());
  for (const code of wanted) {
    const found = LANGUAGES.find((one) => one === code) ?? LANGUAGES.find((one) => one === code.split("-")[0]);
    if (found !== undefined) return found;
  }
  return "en";
}

export async function loadMessages(language: string): Promise<Messages> {
  return (await FILES[`../messages/${language}.json`]?.()) ?? en;
}

export function wordsOf(language: string, messages: Messages): Words {
  // Digits as on the board's edge, which every language shares.
  const locale = `${language}-u-nu-latn`;
  const say = (key: Key, values: Values = {}) => filled(messages[key] ?? en[key], values);
  return {
    language,
    direction: messages["language.direction"] === "rtl" ? "rtl" : "ltr",
    say,
    sayOr: (key, other) => messages[key] ?? (en as Messages)[key] ?? other,
    number: (value, digits = 0) => new Intl.NumberFormat(locale, digitsOf(digits)).format(value),
    percent: (share, digits = 0) =>
      new Intl.NumberFormat(locale, { style: "percent", ...digitsOf(digits) }).format(share),
    signed: (value) => new Intl.NumberFormat(locale, { signDisplay: "exceptZero", ...digitsOf(1) }).format(value),
  };
}

function digitsOf(digits: number): Intl.NumberFormatOptions {
  return { minimumFractionDigits: digits, maximumFractionDigits: digits };
}

function filled(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

export const ENGLISH: Words = wordsOf("en", en);
export const WordsContext = createContext<Words>(ENGLISH);

export function useWords(): Words {
  return useContext(WordsContext);
}
