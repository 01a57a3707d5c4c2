// Records that are dropped anywhere on the page, or pasted while no field is being written in: they open in the room Analyse.
import { useEffect, useState } from "preact/hooks";
import { fileRecord } from "../analyse/record_file";
import { useOpen } from "../analyse/use_open";
import { useWords } from "../words/words";

export function DropTarget() {
  const words = useWords();
  const open = useOpen();
  const [over, setOver] = useState(false);
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const field = event.target instanceof HTMLElement && event.target.closest("input, textarea");
      const text = event.clipboardData?.getData("text") ?? "";
      if (!field && text.trim().startsWith("(")) open({ text });
    };
    const dragOver = (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    };
    const dragLeave = (event: DragEvent) => event.relatedTarget === null && setOver(false);
    const drop = (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      const file = event.dataTransfer?.files[0];
      const text = event.dataTransfer?.getData("text") ?? "";
      if (file) void fileRecord(file).then(open);
      else if (text.trim() !== "") open({ text });
    };
    return listening({ paste, dragover: dragOver, dragleave: dragLeave, drop });
  }, [open]);
  return over ? <p class="drop-over">{words.say("open.drop_here")}</p> : null;
}

type Listeners = { [name in "paste" | "dragover" | "dragleave" | "drop"]: (event: DocumentEventMap[name]) => void };

/** Adds listeners to the document; the answer takes them away. */
function listening(listeners: Listeners): () => void {
  const all = Object.entries(listeners) as [string, EventListener][];
  for (const [name, listener] of all) document.addEventListener(name, listener);
  return () => {
    for (const [name, listener] of all) document.removeEventListener(name, listener);
  };
}
