// Changes to the record: put stones, pass, undo, take a branch off, make it the main line.
import { useBoard, usePage } from "../page_context";
import { Button } from "../parts/Button";
import { Segments } from "../parts/fields";
import type { Position } from "../protocol";
import { useWords } from "../words/words";
import { TOOLS, type Tool } from "./tools";

export function EditCard({ position, tool, choose }: { position: Position; tool: Tool; choose: (tool: Tool) => void }) {
  const { actions } = usePage();
  const { nodes } = useBoard("analyse");
  const words = useWords();
  const isRoot = nodes[position.node]?.parent === null;
  const other = position.to_play === "B" ? "W" : "B";
  return (
    <section class="card" aria-label={words.say("edit.title")}>
      <Segments
        label={words.say("edit.title")}
        value={tool}
        choices={TOOLS.map((value) => ({ value, label: words.say(`tool.${value}`) }))}
        onChange={choose}
      />
      <div class="buttons">
        <Button icon="pass" keys="P" onClick={() => actions.pass("analyse")}>
          {words.say("game.pass")}
        </Button>
        <Button icon="undo" keys="U" disabled={isRoot} onClick={() => actions.undo("analyse")}>
          {words.say("game.undo")}
        </Button>
        <Button icon="up" disabled={isRoot} onClick={() => actions.promote("analyse", position.node)}>
          {words.say("edit.promote")}
        </Button>
        <Button icon="trash" disabled={isRoot} onClick={() => actions.remove("analyse", position.node)}>
          {words.say("edit.delete")}
        </Button>
        <Button onClick={() => actions.setup("analyse", { to_play: other })}>
          {words.say(other === "B" ? "edit.black_to_play" : "edit.white_to_play")}
        </Button>
      </div>
    </section>
  );
}
