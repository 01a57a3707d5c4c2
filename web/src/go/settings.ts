// From the form of a new game to what the server is asked for.
import type { Engine, PlayerKind, Settings } from "../protocol";
import type { GameChoice } from "../state/preferences";

type Options = PlayerKind["options"];

/** The opponent with the strength that was chosen, as far as it takes such `options`. */
export function engineOf(choice: GameChoice, options: Options): Engine {
  const engine: Engine = { player: choice.player };
  if (choice.net !== "" && options.includes("net")) engine.net = choice.net;
  if (!options.includes(choice.strength)) return engine;
  return { ...engine, [choice.strength]: choice[choice.strength] };
}

/** What to ask for; `options` are those of the opponent. */
export function settingsOf(choice: GameChoice, options: Options): Settings {
  const engine = engineOf(choice, options);
  return {
    size: choice.size,
    rules: choice.rules,
    komi: choice.komi,
    handicap: choice.handicap,
    clock: choice.clock,
    black: choice.seat === "W" || choice.seat === "neither" ? engine : null,
    white: choice.seat === "B" || choice.seat === "neither" ? engine : null,
  };
}
