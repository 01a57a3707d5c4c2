// What a person chose, kept in the browser between visits. What is not understood any more is the usual again.
import type { Color, Engine } from "../protocol";

export type Theme = "auto" | "light" | "dark";
export type Seat = Color | "both" | "neither";
/** How strong the opponent is told to be. */
export type Strength = "rank" | "visits" | "seconds";

/** The form of a new game. */
export interface GameChoice {
  size: number;
  /** Who the person is. */
  seat: Seat;
  player: string;
  net: string;
  strength: Strength;
  rank: string;
  visits: number;
  seconds: number;
  handicap: number;
  komi: number;
  rules: string;
  clock: string;
}

/** What is drawn over the board of a study. */
export interface Layers {
  moves: boolean;
  ownership: boolean;
  policy: boolean;
}

export interface Preferences {
  /** "" follows the browser. */
  language: string;
  theme: Theme;
  sound: boolean;
  game: GameChoice;
  analysing: boolean;
  engine: Engine;
  /** The second opinion; null: none. */
  second: Engine | null;
  layers: Layers;
}

export const USUAL: Preferences = {
  language: "",
  theme: "auto",
  sound: false,
  game: {
    size: 9,
    seat: "B",
    player: "zero",
    net: "",
    strength: "visits",
    rank: "5k",
    visits: 400,
    seconds: 5,
    handicap: 0,
    komi: 7,
    rules: "chinese",
    clock: "none",
  },
  analysing: true,
  engine: { player: "zero", visits: 800 },
  second: null,
  layers: { moves: true, ownership: false, policy: false },
};

/** Preferences from a text that was kept; of a broken one, as much as is whole. */
export function readPreferences(text: string | null): Preferences {
  const kept = parsed(text);
  return {
    ...USUAL,
    ...known(USUAL, kept),
    game: { ...USUAL.game, ...known(USUAL.game, kept.game) },
    layers: { ...USUAL.layers, ...known(USUAL.layers, kept.layers) },
    engine: isEngine(kept.engine) ? kept.engine : USUAL.engine,
    second: isEngine(kept.second) ? kept.second : null,
  };
}

function parsed(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** The fields of `value` that `usual` has too, of the same type. */
function known<T extends object>(usual: T, value: unknown): Partial<T> {
  const found: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(usual)) {
    const kept = isRecord(value) ? value[name] : undefined;
    if (typeof kept === typeof one && typeof kept !== "object") found[name] = kept;
  }
  return found as Partial<T>;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isEngine(value: unknown): value is Engine {
  return isRecord(value) && typeof value.player === "string";
}
