// Which position is looked at: that of the game, that of the study, or an example where there is neither.
import { useEffect } from "preact/hooks";
import { usePage } from "../page_context";
import { Segments } from "../parts/fields";
import type { BoardKey } from "../state/state";
import { useWords } from "../words/words";

/** The game of the package's README, which ends with a capture. */
const EXAMPLE = "(;GM[1]FF[4]SZ[9]KM[7];B[ee];W[de];B[dd];W[ce];B[df];W[ec];B[ed];W[gg];B[cd];W[cg];B[be];W[gc];B[cf])";

export function BoardChoice() {
  const { state, actions } = usePage();
  const words = useWords();
  const { play, analyse } = state.boards;
  const open = state.link === "open";
  const none = play.position === null && analyse.position === null;
  useEffect(() => {
    if (!open || !none) return;
    // A board that was there before the page was loaded anew may still be on its way.
    const timer = setTimeout(() => {
      actions.showInSee("analyse");
      void actions.load("analyse", { text: EXAMPLE });
    }, 400);
    return () => clearTimeout(timer);
  }, [open, none, actions]);
  const there = (["play", "analyse"] as const).filter((key) => state.boards[key].position !== null);
  const only = there.length === 1 ? there[0] : undefined;
  useEffect(() => {
    if (only !== undefined) actions.showInSee(only);
  }, [only, actions]);
  if (there.length < 2) return null;
  return (
    <Segments
      label={words.say("see.board")}
      value={state.shown}
      choices={there.map((value: BoardKey) => ({ value, label: words.say(`see.${value}`) }))}
      onChange={actions.showInSee}
    />
  );
}
