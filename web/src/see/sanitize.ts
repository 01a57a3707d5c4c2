// The server's pictures as elements of the page: only shapes, words and rules of style, nothing that acts or loads.
const ELEMENTS = new Set(
  "svg g path rect circle ellipse line polyline polygon text tspan title desc style defs marker clipPath linearGradient radialGradient stop".split(
    " ",
  ),
);

/** The picture as an element; null where the text is no picture. */
export function safeSvg(text: string): SVGSVGElement | null {
  const read = new DOMParser().parseFromString(text, "image/svg+xml");
  const root = read.documentElement;
  if (root.nodeName !== "svg" || read.querySelector("parsererror") !== null) return null;
  clean(root);
  return document.importNode(root, true) as unknown as SVGSVGElement;
}

function clean(element: Element): void {
  for (const attribute of [...element.attributes]) {
    if (!isHarmless(attribute.localName, attribute.value)) element.removeAttributeNode(attribute);
  }
  for (const child of [...element.children]) {
    const loads = child.localName === "style" && /url\s*\(|@import|expression/i.test(child.textContent ?? "");
    if (ELEMENTS.has(child.localName) && !loads) clean(child);
    else child.remove();
  }
}

/** A reference may only point into the picture itself (`url(#arrow)`). */
function isHarmless(name: string, value: string): boolean {
  if (/^on/i.test(name) || name === "href" || name === "src") return false;
  return !/url\s*\((?!\s*["']?#)/i.test(value) && !/javascript:/i.test(value);
}
