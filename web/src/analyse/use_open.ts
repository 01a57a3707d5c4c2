// Puts a record on the board of the study and goes there, unless it is larger than the server takes.
import { useCallback } from "preact/hooks";
import type { GivenRecord } from "../actions";
import { usePage } from "../page_context";
import { useWords } from "../words/words";

/** What a message has besides the record, in bytes; more than enough. */
const REST = 500;

export function useOpen(): (record: GivenRecord) => void {
  const { state, actions } = usePage();
  const words = useWords();
  const most = state.welcome?.limits.message_bytes ?? Number.POSITIVE_INFINITY;
  return useCallback(
    (record) => {
      const bytes = new TextEncoder().encode(JSON.stringify(record)).length;
      if (bytes + REST > most) return actions.tell(words.say("open.too_large", { most: words.number(most / 1000) }));
      actions.enter("analyse");
      void actions.load("analyse", record);
    },
    [most, actions, words],
  );
}
