// A picture of the server's, in a shadow root: its rules of style stay its own, and hovering tells its values.
import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "../parts/Button";
import { useWords } from "../words/words";
import { safeSvg } from "./sanitize";

export function SafeSvg({ svg, label }: { svg: string; label: string }) {
  const words = useWords();
  const place = useRef<HTMLDivElement>(null);
  const [large, setLarge] = useState(false);
  useEffect(() => {
    const host = place.current;
    if (host === null) return;
    const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    const picture = safeSvg(svg);
    root.replaceChildren(...(picture ? [picture] : []));
    if (picture && !large) {
      picture.style.maxWidth = "100%";
      picture.style.height = "auto";
    }
  }, [svg, large]);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <div class="picture" ref={place} dir="ltr" tabIndex={0} role="region" aria-label={label} />
      <Button kind="quiet" icon="search" pressed={large} onClick={() => setLarge(!large)}>
        {words.say("see.large")}
      </Button>
    </>
  );
}
