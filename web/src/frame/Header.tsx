// The top of the page: its name, the three rooms, and the menu with language, theme and sound.
import { usePage } from "../page_context";
import type { Room } from "../state/state";
import { useWords } from "../words/words";
import { Menu } from "./Menu";

const ROOMS: readonly Room[] = ["play", "analyse", "see"];

export function Header() {
  const { state } = usePage();
  const words = useWords();
  return (
    <header class="top">
      <a class="brand" href="#play" aria-label="move37">
        <svg viewBox="0 0 40 28" aria-hidden="true">
          <circle class="brand-black" cx="13" cy="14" r="11" />
          <circle class="brand-white" cx="27" cy="14" r="11" />
        </svg>
        <span>
          move<b>37</b>
        </span>
      </a>
      <nav aria-label={words.say("nav.label")}>
        {ROOMS.map((room) => (
          <a key={room} href={`#${room}`} aria-current={state.room === room ? "page" : undefined}>
            {words.say(`nav.${room}`)}
          </a>
        ))}
      </nav>
      <Menu />
    </header>
  );
}
