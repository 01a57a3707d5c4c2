// Who the opponent is, with which network, and how strong: by a rank, by visits, or by seconds a move.
import { usePage } from "../page_context";
import { type Choice, NumberField, Select } from "../parts/fields";
import type { GameChoice, Strength } from "../state/preferences";
import { playerName } from "../words/go_words";
import { useWords } from "../words/words";
import { canPlay, withPlayer } from "./opponents";

const VISITS = [1, 10, 50, 100, 200, 400, 800, 1600, 3200];

export function StrengthFields({
  choice,
  change,
}: {
  choice: GameChoice;
  change: (some: Partial<GameChoice>) => void;
}) {
  const { state } = usePage();
  const words = useWords();
  const welcome = state.welcome;
  const players = welcome?.players ?? [];
  const kind = players.find((player) => player.name === choice.player);
  const ways = (["rank", "visits", "seconds"] as const).filter((way) => kind?.options.includes(way));
  const networks = [
    { value: "", label: words.say("form.usual_network") },
    ...(welcome?.networks ?? []).map((network) => ({ value: network.name, label: network.name })),
  ];
  return (
    <>
      <Select
        label={words.say("form.opponent")}
        value={choice.player}
        choices={players
          .filter((player) => canPlay(player, choice))
          .map((player) => ({ value: player.name, label: playerName(words, player.name) }))}
        onChange={(name) => change(withPlayer(choice, players, name))}
        help={words.sayOr(`player.${choice.player}.about`, kind?.about ?? "")}
      />
      <div class="fields">
        {ways.length > 0 && (
          <Select
            label={words.say("form.strength")}
            value={choice.strength}
            choices={ways.map((way): Choice<Strength> => ({ value: way, label: words.say(`strength.${way}`) }))}
            onChange={(strength) => change({ strength })}
          />
        )}
        {ways.includes(choice.strength) && <Amount choice={choice} change={change} />}
        {kind?.options.includes("net") && networks.length > 2 && (
          <Select
            label={words.say("form.network")}
            value={choice.net}
            choices={networks}
            onChange={(net) => change({ net })}
          />
        )}
      </div>
    </>
  );
}

function Amount({ choice, change }: { choice: GameChoice; change: (some: Partial<GameChoice>) => void }) {
  const { state } = usePage();
  const words = useWords();
  if (choice.strength === "rank") {
    const ranks = (state.welcome?.ranks ?? []).map((rank) => ({ value: rank, label: rank }));
    return (
      <Select
        label={words.say("strength.rank")}
        value={choice.rank}
        choices={ranks}
        onChange={(rank) => change({ rank })}
      />
    );
  }
  if (choice.strength === "seconds") {
    const most = state.welcome?.limits.seconds ?? 60;
    return (
      <NumberField
        label={words.say("strength.seconds")}
        value={choice.seconds}
        min={0.1}
        max={most}
        step={0.1}
        onChange={(seconds) => change({ seconds })}
      />
    );
  }
  const most = state.welcome?.limits.visits ?? 3200;
  const visits = VISITS.filter((count) => count <= most).map((count) => ({ value: count, label: words.number(count) }));
  return (
    <Select
      label={words.say("strength.visits")}
      value={choice.visits}
      choices={visits}
      onChange={(count) => change({ visits: count })}
    />
  );
}
