// An engine that searches, and the most visits that it makes of one position.
import { useBoard, usePage } from "../page_context";
import { Select } from "../parts/fields";
import type { Engine } from "../protocol";
import { playerName } from "../words/go_words";
import { useWords } from "../words/words";

const VISITS = [50, 100, 200, 400, 800, 1600, 3200, 10_000, 50_000];
const USUAL_VISITS = 800;

export function EngineChoice({
  label,
  engine,
  onChange,
}: {
  label: string;
  engine: Engine;
  onChange: (engine: Engine) => void;
}) {
  const { state } = usePage();
  const { position } = useBoard("analyse");
  const words = useWords();
  const { players = [], networks = [], limits } = state.welcome ?? {};
  const size = position?.rows === position?.cols ? position?.rows : undefined;
  const able = players.filter(
    (player) => player.searches && (size === undefined || player.sizes.includes(size) || player.name === engine.player),
  );
  const visits = VISITS.filter((count) => count <= (limits?.visits ?? USUAL_VISITS));
  const named = { value: "", label: words.say("form.usual_network") };
  const takesNetwork = players.find((player) => player.name === engine.player)?.options.includes("net") ?? false;
  return (
    <div class="fields">
      <Select
        label={label}
        value={engine.player}
        choices={able.map((player) => ({ value: player.name, label: playerName(words, player.name) }))}
        onChange={(player) => onChange({ player, visits: engine.visits ?? USUAL_VISITS })}
      />
      <Select
        label={words.say("strength.visits")}
        value={engine.visits ?? USUAL_VISITS}
        choices={visits.map((count) => ({ value: count, label: words.number(count) }))}
        onChange={(count) => onChange({ ...engine, visits: count })}
      />
      {takesNetwork && networks.length > 1 && (
        <Select
          label={words.say("form.network")}
          value={engine.net ?? ""}
          choices={[named, ...networks.map((network) => ({ value: network.name, label: network.name }))]}
          onChange={(net) => {
            const { net: _, ...rest } = engine;
            onChange(net === "" ? rest : { ...rest, net });
          }}
        />
      )}
    </div>
  );
}
