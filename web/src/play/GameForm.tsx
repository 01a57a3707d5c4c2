// The form of a new game. What is chosen is kept, so the next game begins with it at one click.
import { usePage } from "../page_context";
import { type Choice, NumberField, Segments, Select } from "../parts/fields";
import type { GameChoice, Seat } from "../state/preferences";
import { useWords } from "../words/words";
import { withSize } from "./opponents";
import { StrengthFields } from "./StrengthFields";

/** Time for each side, as the server reads it. */
const CLOCKS = ["none", "5m", "10m", "30m", "5m+3s", "10m+5s", "5m+3x20s", "10m+5x30s", "10m+25/5m"];
const USUAL_KOMI = 7;

export function GameForm() {
  const { state, actions } = usePage();
  const words = useWords();
  const game = state.preferences.game;
  const change = (some: Partial<GameChoice>) => actions.prefer({ game: { ...game, ...some } });
  const seats: Choice<Seat>[] = [
    { value: "B", label: words.say("color.black") },
    { value: "W", label: words.say("color.white") },
    { value: "both", label: words.say("seat.both") },
    { value: "neither", label: words.say("seat.neither") },
  ];
  const clocks = CLOCKS.map((clock) => ({ value: clock, label: clock === "none" ? words.say("clock.none") : clock }));
  const rules = (state.welcome?.rules ?? [game.rules]).map((name) => ({
    value: name,
    label: words.sayOr(`rules.${name}`, name),
  }));
  const handicaps = [0, 2, 3, 4, 5, 6, 7, 8, 9].map((stones) => ({
    value: stones,
    label: stones === 0 ? words.say("form.no_handicap") : words.number(stones),
  }));
  return (
    <div class="form">
      <Segments
        label={words.say("form.size")}
        value={game.size}
        choices={[9, 13, 19].map((size) => ({ value: size, label: `${size}×${size}` }))}
        onChange={(size) => actions.prefer({ game: withSize(game, size, state.welcome?.players ?? []) })}
      />
      <Segments
        label={words.say("form.seat")}
        value={game.seat}
        choices={seats}
        onChange={(seat) => change({ seat })}
      />
      {game.seat !== "both" && <StrengthFields choice={game} change={change} />}
      <div class="fields">
        <Select
          label={words.say("form.handicap")}
          value={game.handicap}
          choices={handicaps}
          onChange={(handicap) => change({ handicap, komi: handicap > 0 ? 0.5 : USUAL_KOMI })}
        />
        <NumberField
          label={words.say("form.komi")}
          value={game.komi}
          min={-150}
          max={150}
          step={0.5}
          onChange={(komi) => change({ komi: Math.round(komi * 2) / 2 })}
        />
        <Select
          label={words.say("form.rules")}
          value={game.rules}
          choices={rules}
          onChange={(name) => change({ rules: name })}
        />
        <Select
          label={words.say("form.clock")}
          value={game.clock}
          choices={clocks}
          onChange={(clock) => change({ clock })}
        />
      </div>
      <button type="button" class="button primary" onClick={() => actions.beginChosen()} disabled={!state.welcome}>
        {words.say("form.begin")}
      </button>
    </div>
  );
}
