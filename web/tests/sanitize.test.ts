// What comes as a picture may only be a picture.
import { describe, expect, it } from "vitest";
import { safeSvg } from "../src/see/sanitize";

const picture = (inside: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" class="m37 m37-light" onload="x()">${inside}</svg>`;

describe("a picture", () => {
  it("keeps its shapes, words and rules of style", () => {
    const body =
      '<style>.m37-light .ink{fill:#000}</style><g transform="translate(1 2)"><path d="M0 0"></path><text x="1">E5</text></g>';
    expect(safeSvg(picture(body))?.innerHTML.replace(/ xmlns="[^"]*"/g, "")).toBe(body);
  });

  it.each([
    "<script>x()</script>",
    '<a href="https://example.org"><text>x</text></a>',
    '<image href="https://example.org/x.png"/>',
    "<foreignObject><p>x</p></foreignObject>",
    "<style>@import url(https://example.org/x.css)</style>",
    '<use href="#x"/>',
  ])("loses %s", (evil) => {
    const safe = safeSvg(picture(`<g>${evil}</g><circle r="1"/>`));
    expect(safe?.querySelector("g")?.children.length).toBe(0);
    expect(safe?.querySelector("circle")).not.toBeNull();
  });

  it.each([
    ["onclick", '<circle onclick="x()"/>'],
    ["style", '<circle style="fill:url(https://example.org)"/>'],
    ["fill", '<circle fill="url(https://example.org#a)"/>'],
    ["href", '<circle href="javascript:x()"/>'],
  ])("loses %s", (name, evil) => {
    const safe = safeSvg(picture(evil));
    expect(safe?.hasAttribute("onload")).toBe(false);
    expect(safe?.querySelector("circle")?.hasAttribute(name)).toBe(false);
  });

  it("may refer to itself", () => {
    expect(safeSvg(picture('<circle fill="url(#m37b)"/>'))?.querySelector("circle")?.getAttribute("fill")).toBe(
      "url(#m37b)",
    );
  });

  it("is nothing where it is none", () => {
    for (const text of ["", "<html></html>", "<svg"]) expect(safeSvg(text)).toBeNull();
  });
});
