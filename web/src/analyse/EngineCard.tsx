// Who looks at the position, and what of it is drawn: candidates, ownership, policy; and a second opinion.
import { usePage } from "../page_context";
import { Switch } from "../parts/fields";
import type { Engine, PlayerKind } from "../protocol";
import { useWords } from "../words/words";
import { EngineChoice } from "./EngineChoice";

const SECOND_VISITS = 400;

export function EngineCard() {
  const { state, actions } = usePage();
  const words = useWords();
  const { analysing, engine, second, layers } = state.preferences;
  const other = otherEngine(state.welcome?.players ?? [], engine, state.boards.analyse.position?.cols ?? 9);
  return (
    <section class="card" aria-label={words.say("analyse.analysis")}>
      <Switch
        label={words.say("analyse.analysis")}
        on={analysing}
        onChange={(on) => actions.prefer({ analysing: on })}
      />
      <EngineChoice
        label={words.say("analyse.engine")}
        engine={engine}
        onChange={(chosen) => actions.prefer({ engine: chosen })}
      />
      <div class="switches">
        {(["moves", "ownership", "policy"] as const).map((layer) => (
          <Switch
            key={layer}
            label={words.say(`layer.${layer}`)}
            on={layers[layer]}
            onChange={(on) => actions.prefer({ layers: { ...layers, [layer]: on } })}
          />
        ))}
        <Switch
          label={words.say("analyse.second")}
          on={second !== null}
          onChange={(on) => actions.prefer({ second: on ? other : null })}
        />
      </div>
      {second && (
        <EngineChoice
          label={words.say("analyse.second_engine")}
          engine={second}
          onChange={(chosen) => actions.prefer({ second: chosen })}
        />
      )}
    </section>
  );
}

/** Another searching player for this board, rather one with a network. */
function otherEngine(players: readonly PlayerKind[], engine: Engine, size: number): Engine {
  const able = players.filter(
    (player) => player.searches && player.name !== engine.player && player.sizes.includes(size),
  );
  const other = able.find((player) => player.options.includes("net")) ?? able[0];
  return { player: other?.name ?? engine.player, visits: SECOND_VISITS };
}
