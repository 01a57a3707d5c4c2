// The comment of the node that is shown: text and nothing but text, whoever wrote it.
import { useEffect, useId, useState } from "preact/hooks";
import { usePage } from "../page_context";
import type { Position } from "../protocol";
import { useWords } from "../words/words";

export function CommentCard({ position }: { position: Position }) {
  const { actions } = usePage();
  const words = useWords();
  const id = useId();
  const [text, setText] = useState(position.comment);
  useEffect(() => setText(position.comment), [position.node, position.comment]);
  return (
    <section class="card">
      <label for={id}>
        <h2>{words.say("comment.title")}</h2>
      </label>
      <textarea
        id={id}
        dir="auto"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onBlur={() => text !== position.comment && actions.comment("analyse", text)}
      />
      {position.warnings.map((warning) => (
        <p key={warning} class="help" dir="auto">
          {warning}
        </p>
      ))}
    </section>
  );
}
