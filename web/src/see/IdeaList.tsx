// The list of all ideas in the order of the course; on a narrow screen a choice instead.
import { usePage } from "../page_context";
import { Select } from "../parts/fields";
import type { PictureKind } from "../protocol";
import { useWords, type Words } from "../words/words";

/** The live search tree, which is no picture of the server's. */
export const SEARCH = "search";

export function IdeaList({ chosen, choose }: { chosen: string; choose: (name: string) => void }) {
  const { state } = usePage();
  const words = useWords();
  const pictures = state.welcome?.pictures ?? [];
  const all = [
    { value: SEARCH, label: words.say("see.search") },
    ...pictures.map((picture) => ({ value: picture.name, label: ideaName(words, picture.name) })),
  ];
  return (
    <>
      <div class="idea-select">
        <Select label={words.say("see.ideas")} value={chosen} choices={all} onChange={choose} />
      </div>
      <nav class="idea-list card" aria-label={words.say("see.ideas")}>
        <IdeaButton name={SEARCH} label={words.say("see.search")} chosen={chosen} choose={choose} />
        {chapters(pictures).map(([chapter, names]) => (
          <section key={chapter}>
            <h2>{words.sayOr(`chapter.${chapter}`, chapter)}</h2>
            {names.map((name) => (
              <IdeaButton key={name} name={name} label={ideaName(words, name)} chosen={chosen} choose={choose} />
            ))}
          </section>
        ))}
      </nav>
    </>
  );
}

function IdeaButton(props: { name: string; label: string; chosen: string; choose: (name: string) => void }) {
  return (
    <button
      type="button"
      data-idea={props.name}
      aria-current={props.name === props.chosen}
      onClick={() => props.choose(props.name)}
    >
      {props.label}
    </button>
  );
}

export function ideaName(words: Words, name: string): string {
  return words.sayOr(`idea.${name}`, name);
}

/** Pictures by the article of the course that they belong to first. */
function chapters(pictures: readonly PictureKind[]): [string, string[]][] {
  const found = new Map<string, string[]>();
  for (const picture of pictures) {
    const chapter = /^\d+/.exec(picture.course)?.[0] ?? "other";
    found.set(chapter, [...(found.get(chapter) ?? []), picture.name]);
  }
  return [...found];
}
