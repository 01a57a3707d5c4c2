// How a record comes to the board and leaves it: a file, a dropped file, pasted text, an empty board; saved as SGF.
import { useRef, useState } from "preact/hooks";
import { usePage } from "../page_context";
import { Button } from "../parts/Button";
import { Icon } from "../parts/icons";
import { saveFile } from "../parts/save_file";
import { useWords } from "../words/words";
import { fileRecord } from "./record_file";
import { useOpen } from "./use_open";

const SIZES = [9, 13, 19] as const;

export function OpenCard({ first = false }: { first?: boolean }) {
  const { state, actions } = usePage();
  const words = useWords();
  const load = useOpen();
  const file = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const open = async (list: FileList | null) => {
    const chosen = list?.[0];
    if (chosen) load(await fileRecord(chosen));
  };
  const save = async () => {
    const record = await actions.record("analyse");
    if (record) saveFile(record.name, record.text);
  };
  return (
    <section class={`card open-card ${first ? "first" : ""}`} aria-label={words.say("open.title")}>
      {first && (
        <>
          <h2>{words.say("open.title")}</h2>
          <p class="drop-hint">
            <Icon name="open" /> {words.say("open.drop")}
          </p>
        </>
      )}
      <input
        ref={file}
        type="file"
        accept=".sgf,.gib,.ngf,application/x-go-sgf"
        hidden
        aria-label={words.say("open.file")}
        onChange={(event) => void open(event.currentTarget.files)}
      />
      <div class="row">
        <Button icon="open" kind={first ? "primary" : "plain"} onClick={() => file.current?.click()}>
          {words.say("open.file")}
        </Button>
        {!first && (
          <Button icon="save" onClick={() => void save()}>
            {words.say("game.save")}
          </Button>
        )}
        {first && state.boards.play.position && (
          <Button onClick={() => void actions.studyGame()}>{words.say("open.played")}</Button>
        )}
      </div>
      <div class="row">
        <span class="faint">{words.say("open.empty")}</span>
        {SIZES.map((size) => (
          <Button key={size} onClick={() => void actions.begin("analyse", { size })}>
            {size}×{size}
          </Button>
        ))}
      </div>
      <details>
        <summary>{words.say("open.paste")}</summary>
        <textarea
          dir="ltr"
          aria-label={words.say("open.paste")}
          placeholder="(;GM[1]SZ[19] …"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <Button disabled={text.trim() === ""} onClick={() => load({ text })}>
          {words.say("open.text")}
        </Button>
      </details>
    </section>
  );
}
