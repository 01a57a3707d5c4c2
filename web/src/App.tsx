// The frame of the page: header, the room that is open, and what is announced. Language and theme are set here.
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Actions } from "./actions";
import { AnalyseRoom } from "./analyse/AnalyseRoom";
import { Announcer } from "./frame/Announcer";
import { DropTarget } from "./frame/DropTarget";
import { Header } from "./frame/Header";
import { Notice } from "./frame/Notice";
import { useKeys } from "./frame/use_keys";
import { useRoute } from "./frame/use_route";
import { PageContext } from "./page_context";
import { PlayRoom } from "./play/PlayRoom";
import { SeeRoom } from "./see/SeeRoom";
import type { Store } from "./state/store";
import { useStore } from "./state/store";
import { ENGLISH, loadMessages, pickLanguage, type Words, WordsContext, wordsOf } from "./words/words";

export function App({ store, actions }: { store: Store; actions: Actions }) {
  const state = useStore(store);
  const words = useLanguage(state.preferences.language);
  const page = useMemo(() => ({ state, actions }), [state, actions]);
  useRoute(state.room, actions.enter);
  useKeys(store, actions);
  useEffect(() => {
    document.documentElement.dataset.theme = state.preferences.theme;
  }, [state.preferences.theme]);
  return (
    <WordsContext.Provider value={words}>
      <PageContext.Provider value={page}>
        <Header />
        <Notice />
        {state.room === "play" && <PlayRoom />}
        {state.room === "analyse" && <AnalyseRoom />}
        {state.room === "see" && <SeeRoom />}
        <DropTarget />
        <Announcer />
        <p id="board-keys" hidden>
          {words.say("board.keys")}
        </p>
      </PageContext.Provider>
    </WordsContext.Provider>
  );
}

/** The words of the language that was chosen; English until they are there. */
function useLanguage(chosen: string): Words {
  const [words, setWords] = useState(ENGLISH);
  const language = pickLanguage(chosen, navigator.languages);
  useEffect(() => {
    let wanted = true;
    void loadMessages(language).then((messages) => wanted && setWords(wordsOf(language, messages)));
    return () => {
      wanted = false;
    };
  }, [language]);
  useEffect(() => {
    document.documentElement.lang = words.language;
    document.documentElement.dir = words.direction;
    document.title = words.say("page.title");
  }, [words]);
  return words;
}
