// One idea: its name, a sentence that explains it, the file that does it, its options, and the server's picture of it.
import { useEffect, useRef, useState } from "preact/hooks";
import { usePage } from "../page_context";
import type { PictureKind, PictureOptions, Position } from "../protocol";
import { useWords } from "../words/words";
import { ideaName } from "./IdeaList";
import { OptionFields } from "./OptionFields";
import { SafeSvg } from "./SafeSvg";

/** Typing in a field asks for one picture, not for one a letter. */
const PAUSE = 250;

export function PicturePanel({ kind, position }: { kind: PictureKind; position: Position }) {
  const words = useWords();
  const [options, setOptions] = useState<PictureOptions>({});
  const { svg, error, busy } = usePicture(kind, options, position);
  return (
    <section class="card idea" aria-busy={busy}>
      <IdeaHead name={kind.name} about={kind.shows} file={kind.idea} />
      <OptionFields kind={kind} options={options} change={setOptions} position={position} />
      {error !== null && (
        <p class="problem" dir="auto" role="alert">
          {error}
        </p>
      )}
      {svg !== null && <SafeSvg svg={svg} label={ideaName(words, kind.name)} />}
      {svg === null && error === null && <p class="faint drawing">{words.say("see.drawing")}</p>}
    </section>
  );
}

export function IdeaHead({ name, about, file }: { name: string; about: string; file: string }) {
  const words = useWords();
  return (
    <header class="idea-head">
      <h2>{ideaName(words, name)}</h2>
      <p>{words.sayOr(`idea.${name}.about`, about)}</p>
      <p class="faint">
        {words.say("see.file")} <code dir="ltr">src/move37/{file}</code>
      </p>
    </header>
  );
}

/** The picture of the position that is shown, anew whenever it, the options or the colours change. */
function usePicture(kind: PictureKind, options: PictureOptions, position: Position) {
  const { state, actions } = usePage();
  const [svg, setSvg] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const first = useRef(true);
  const { theme } = state.preferences;
  const board = state.shown;
  const asked = JSON.stringify({ ...options, theme });
  useEffect(() => {
    let wanted = true;
    const ask = async () => {
      setBusy(true);
      try {
        const answer = await actions.picture(board, kind.name, JSON.parse(asked) as PictureOptions);
        if (!wanted || answer.type !== "picture") return;
        setSvg(answer.svg);
        setError(null);
      } catch (reason) {
        if (wanted) setError(reason instanceof Error ? reason.message : String(reason));
      }
      if (wanted) setBusy(false);
    };
    const timer = setTimeout(() => void ask(), first.current ? 0 : PAUSE);
    first.current = false;
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [kind.name, asked, board, position.board, position.node, state.link, actions]);
  return { svg, error, busy };
}
