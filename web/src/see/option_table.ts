// What the options of pictures may be. The server refuses what it does not know, in one sentence.
export const ENCODERS = ["alphago48", "alphago49", "article48", "article22", "zero17", "leela18", "katago22", "gnugo"];

/** Bounds of the numbers, and what they are where nothing is said; null: each picture has its own. */
export const USUAL_NUMBERS = {
  visits: { value: 200, min: 1, max: 5000 },
  simulation: { value: 400, min: 1, max: 5000 },
  most: { value: null, min: 1, max: 5000 },
  seed: { value: 0, min: 0, max: 999_999 },
} as const;
