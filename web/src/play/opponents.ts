// Which opponents there are for a game, and what must change in the form when the board or the opponent does.
import type { PlayerKind } from "../protocol";
import type { GameChoice } from "../state/preferences";

/** Whether a player can play on the board that is chosen, with the network that is chosen. */
export function canPlay(player: PlayerKind, choice: GameChoice): boolean {
  const brought = choice.player === player.name && choice.net !== "";
  return brought || player.sizes.includes(choice.size);
}

/** The form with another opponent: with a strength that it takes, and the network that fits it. */
export function withPlayer(choice: GameChoice, players: readonly PlayerKind[], name: string): GameChoice {
  const options = players.find((player) => player.name === name)?.options ?? [];
  const strength = options.includes(choice.strength) ? choice.strength : options.includes("visits") ? "visits" : "rank";
  return { ...choice, player: name, strength, net: "" };
}

/** The form with another board; where the opponent cannot play on it, the first that can takes its seat. */
export function withSize(choice: GameChoice, size: number, players: readonly PlayerKind[]): GameChoice {
  const resized = { ...choice, size };
  const able = players.filter((player) => canPlay(player, resized));
  if (able.some((player) => player.name === choice.player)) return resized;
  const next = able.find((player) => player.name === "zero") ?? able.find((player) => player.name === "uct") ?? able[0];
  return next ? withPlayer(resized, players, next.name) : resized;
}
