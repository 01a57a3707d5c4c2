// What went wrong, in one sentence; and that the connection is lost, as long as it is.
import { useEffect } from "preact/hooks";
import { usePage } from "../page_context";
import { IconButton } from "../parts/Button";
import { useWords } from "../words/words";

const SHOWN = 12_000;

export function Notice() {
  const { state, actions } = usePage();
  const words = useWords();
  const { notice } = state;
  useEffect(() => {
    if (notice === null) return;
    const timer = setTimeout(() => actions.tell(null), SHOWN);
    return () => clearTimeout(timer);
  }, [notice, actions]);
  return (
    <div class="notices" role="alert">
      {state.link === "lost" && <p class="notice">{words.say("notice.lost")}</p>}
      {notice !== null && (
        <p class="notice" dir="auto">
          <span>{notice}</span>
          <IconButton icon="close" label={words.say("notice.close")} onClick={() => actions.tell(null)} />
        </p>
      )}
    </div>
  );
}
