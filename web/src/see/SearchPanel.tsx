// The live search: a tree that grows simulation by simulation, as a picture one can move about in.
import { useEffect, useState } from "preact/hooks";
import { useBoard, usePage } from "../page_context";
import { Button } from "../parts/Button";
import { NumberField, Select } from "../parts/fields";
import type { Position, SearchTree } from "../protocol";
import { moveWord } from "../words/go_words";
import { useWords } from "../words/words";
import { SEARCH } from "./IdeaList";
import { IdeaHead } from "./PicturePanel";
import { TreeCanvas } from "./TreeCanvas";

const FIRST = 50;
const MOST_NODES = 5000;
const RULES = ["puct", "mixed", "ucb1"] as const;

export function SearchPanel({ position }: { position: Position }) {
  const { state, actions } = usePage();
  const words = useWords();
  const { search } = useBoard(state.shown);
  const [rule, setRule] = useState<(typeof RULES)[number] | "">("");
  const [goal, setGoal] = useState(1000);
  const tree = search?.node === position.node ? search : null;
  const done = tree?.visits ?? 0;
  const grow = (visits: number) =>
    actions.search(state.shown, { visits, seed: 0, most: MOST_NODES, ...(rule === "" ? {} : { rule }) });
  useEffect(() => {
    grow(FIRST);
  }, [position.node, position.board, rule, state.link]);
  const rules = [
    { value: "" as const, label: words.say("option.usual") },
    ...RULES.map((value) => ({ value, label: words.say(`rule.${value}`) })),
  ];
  const running = tree !== null && !tree.finished;
  return (
    <section class="card idea">
      <IdeaHead name={SEARCH} about="" file="search/tree.py" />
      <div class="fields options">
        <Select label={words.say("option.rule")} value={rule} choices={rules} onChange={setRule} />
        <NumberField
          label={words.say("option.visits")}
          value={goal}
          min={1}
          max={state.welcome?.limits.visits ?? 5000}
          onChange={(value) => setGoal(Math.round(value))}
        />
      </div>
      <div class="row">
        <Button
          icon="back"
          disabled={done <= 1 || running}
          label={words.say("search.back")}
          onClick={() => grow(done - 1)}
        >
          −1
        </Button>
        <Button icon="forward" disabled={running} label={words.say("search.step")} onClick={() => grow(done + 1)}>
          +1
        </Button>
        <Button disabled={running} label={words.say("search.ten")} onClick={() => grow(done + 10)}>
          +10
        </Button>
        {running ? (
          <Button icon="stop" onClick={() => actions.stop(state.shown)}>
            {words.say("review.stop")}
          </Button>
        ) : (
          <Button kind="primary" icon="play" onClick={() => grow(goal)}>
            {words.say("search.run", { visits: words.number(goal) })}
          </Button>
        )}
        <span class="faint" role="status">
          {words.say("search.done", { visits: words.number(done) })}
        </span>
      </div>
      {tree && <TreeCanvas tree={tree} size={position} />}
      {tree && <BestLine tree={tree} position={position} />}
    </section>
  );
}

/** The best path in words. */
function BestLine({ tree, position }: { tree: SearchTree; position: Position }) {
  const words = useWords();
  return (
    <p class="best-line">
      <strong>{words.say("search.best")}</strong>{" "}
      {tree.best.slice(1).map((node) => (
        <span key={node} dir="ltr">
          {moveWord(words, tree.point[node] ?? 0, position)}{" "}
          <small class="faint">
            N {words.number(tree.n[node] ?? 0)}, Q {words.number(tree.q[node] ?? 0, 2)}
          </small>{" "}
        </span>
      ))}
    </p>
  );
}
