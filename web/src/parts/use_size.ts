// How large an element is on the screen, again whenever that changes.
import { useLayoutEffect, useRef, useState } from "preact/hooks";

export function useSize<T extends Element>() {
  const element = useRef<T>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const target = element.current;
    if (target === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    setSize({ width: target.clientWidth, height: target.clientHeight });
    observer.observe(target);
    return () => observer.disconnect();
  }, []);
  return { element, size };
}
