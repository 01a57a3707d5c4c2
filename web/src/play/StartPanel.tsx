// The first screen: one button begins a game on 9×9; who wants something else finds it below.
import { useState } from "preact/hooks";
import { usePage } from "../page_context";
import { Button } from "../parts/Button";
import { Icon } from "../parts/icons";
import { useWords } from "../words/words";
import { GameForm } from "./GameForm";

export function StartPanel() {
  const { state, actions } = usePage();
  const words = useWords();
  const [open, setOpen] = useState(false);
  const { size } = state.preferences.game;
  return (
    <section class="card start" aria-labelledby="start-title">
      <h1 id="start-title">{words.say("start.title")}</h1>
      <p class="lead">{words.say("start.lead")}</p>
      <button
        type="button"
        class="button primary large"
        onClick={() => actions.beginChosen()}
        disabled={!state.welcome}
      >
        <Icon name="play" />
        <span>{words.say("start.begin", { size })}</span>
      </button>
      <p class="faint">{words.say("start.or_click")}</p>
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{words.say("start.choices")}</summary>
        {open && <GameForm />}
      </details>
      <div class="row">
        <Button kind="quiet" icon="search" onClick={() => actions.enter("analyse")}>
          {words.say("start.analyse")}
        </Button>
        <Button kind="quiet" icon="tree" onClick={() => actions.enter("see")}>
          {words.say("start.see")}
        </Button>
      </div>
    </section>
  );
}
