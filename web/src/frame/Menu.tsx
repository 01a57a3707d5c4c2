// Language, light and dark, sound, and the list of keys.
import { useEffect, useRef } from "preact/hooks";
import { usePage } from "../page_context";
import { Select, Switch } from "../parts/fields";
import { Icon } from "../parts/icons";
import type { Theme } from "../state/preferences";
import { LANGUAGES, useWords } from "../words/words";
import { KeyList } from "./KeyList";

export function Menu() {
  const { state, actions } = usePage();
  const words = useWords();
  const details = useClosing();
  const { theme, sound } = state.preferences;
  const themes = (["auto", "light", "dark"] as const).map((value) => ({ value, label: words.say(`theme.${value}`) }));
  const named = new Intl.DisplayNames([words.language], { type: "language" });
  const languages = LANGUAGES.map((code) => {
    const own = new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
    return { value: code, label: code === words.language ? own : `${own} (${named.of(code)})` };
  });
  return (
    <details class="menu" ref={details}>
      <summary aria-label={words.say("menu.label")} title={words.say("menu.label")}>
        <Icon name="settings" />
      </summary>
      <div class="menu-card card">
        <Select
          label={words.say("menu.language")}
          value={words.language}
          choices={languages}
          onChange={(language) => actions.prefer({ language })}
        />
        <Select
          label={words.say("menu.theme")}
          value={theme}
          choices={themes}
          onChange={(value: Theme) => actions.prefer({ theme: value })}
        />
        <Switch label={words.say("menu.sound")} on={sound} onChange={(on) => actions.prefer({ sound: on })} />
        <KeyList />
        {state.welcome && <p class="faint">move37 {state.welcome.version}</p>}
      </div>
    </details>
  );
}

/** A menu closes with Escape, and when something else is clicked. */
function useClosing() {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event) => {
      const menu = details.current;
      if (!menu?.open) return;
      const escaped = event instanceof KeyboardEvent && event.key === "Escape";
      const outside = event.type === "pointerdown" && !menu.contains(event.target as Node);
      if (escaped || outside) menu.open = false;
      if (escaped) menu.querySelector("summary")?.focus();
    };
    document.addEventListener("keydown", close);
    document.addEventListener("pointerdown", close);
    return () => {
      document.removeEventListener("keydown", close);
      document.removeEventListener("pointerdown", close);
    };
  }, []);
  return details;
}
