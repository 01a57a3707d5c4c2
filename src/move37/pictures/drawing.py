"""A picture as hand-written SVG: the few shapes that all pictures are made of, and how pictures are put side by side.

A `Picture` is text without a theme; `svg` adds size, style sheet and words for those who cannot see it. All text is
escaped here and nowhere else. No scripts, no fonts, no links. PNG is `png`'s business.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Final

from move37.errors import ConfigError
from move37.files import write_text
from move37.pictures.png import write_png
from move37.pictures.theme import FONT, style_sheet

__all__ = [
    "GAP",
    "Picture",
    "arrow",
    "box",
    "circle",
    "grid",
    "line",
    "lines_of",
    "number",
    "path",
    "place",
    "signed",
    "text",
]

GAP: Final = 14.0
"""Between panels, and around a picture."""
_LETTER: Final = 0.56
"""The width of a letter, in sizes of the font."""
_ISOLATED, _END = "\u2067", "\u2069"


@dataclass(frozen=True, repr=False)
class Picture:
    """A drawing of `width` × `height` units.

    title: what it is, for those who cannot see it. body: SVG elements. heading and caption: lines above and below it,
    from the right where they are in a script that runs so. extra: further rules of style.
    """

    title: str
    width: float
    height: float
    body: str
    heading: str = ""
    caption: str = ""
    extra: str = ""

    def __repr__(self) -> str:
        return f"<picture {self.title!r}, {self.width:.0f} x {self.height:.0f}>"

    def svg(self, *, width: int | None = None, theme: str = "auto") -> str:
        """One ``<svg>`` element, `width` pixels wide (default: a pixel a unit); ConfigError for no theme."""
        framed = self.framed()
        wide, high = framed.width + 2 * GAP, framed.height + 2 * GAP
        shown = width or round(wide)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="m37 m37-{theme}" viewBox="0 0 {number(wide)} '
            f'{number(high)}" width="{shown}" height="{shown * high / wide:.0f}" font-family="{FONT}" role="img" '
            f'aria-label="{escape(_printable(self.title))}"><title>{escape(_printable(self.title))}</title>'
            f"<style>{style_sheet(theme)}{self.extra}</style>"
            f'<rect class="paper" width="{number(wide)}" height="{number(high)}" rx="6"/>'
            f"{place(GAP, GAP, framed.body)}</svg>"
        )

    def _repr_svg_(self) -> str:
        return self.svg()

    def save(self, path: Path | str, *, width: int | None = None, theme: str = "auto") -> None:
        """Write it as the name of the file says: ``.svg``, or ``.png`` (which needs resvg-py).

        ConfigError for another name, OSError as the system does.
        """
        kind = Path(path).suffix.lower()
        if kind == ".svg":
            write_text(path, self.svg(width=width, theme=theme) + "\n")
        elif kind == ".png":
            write_png(self.svg(theme="light" if theme == "auto" else theme), path, width)
        else:
            raise ConfigError(f"{path}: a picture is written as .svg or .png; end its name so")

    def framed(self) -> Picture:
        """The same with heading and caption drawn, as a part of a larger picture."""
        above = lines_of(self.heading, self.width, 13)
        below = lines_of(self.caption, self.width, 12)
        top, bottom = 18.0 * len(above), 16.0 * len(below)
        body = [_line_of_words(one, self.width, 13 + 18 * i, 13, "ink") for i, one in enumerate(above)]
        body.append(place(0, top, self.body) if top else self.body)
        start = top + self.height + 13
        body += [_line_of_words(one, self.width, start + 16 * i, 12, "faint") for i, one in enumerate(below)]
        return replace(self, height=self.height + top + bottom, body="".join(body), heading="", caption="")


def grid(
    title: str, panels: Iterable[Picture], columns: int, *, heading: str = "", caption: str = "", gap: float = GAP
) -> Picture:
    """Panels from left to right and top to bottom, `columns` a row; each row is as high as its highest."""
    framed = [panel.framed() for panel in panels]
    rows = [framed[i : i + columns] for i in range(0, len(framed), columns)]
    widths = [
        max((row[i].width for row in rows if i < len(row)), default=0.0) for i in range(min(columns, len(framed)))
    ]
    parts: list[str] = []
    y = 0.0
    for row in rows:
        for i, panel in enumerate(row):
            parts.append(place(sum(widths[:i]) + gap * i, y, panel.body))
        y += max(panel.height for panel in row) + gap
    extra = "".join(dict.fromkeys(panel.extra for panel in framed))
    wide = sum(widths) + gap * max(0, len(widths) - 1)
    return Picture(title, wide, max(0.0, y - gap), "".join(parts), heading, caption, extra)


def lines_of(words: str, width: float, size: float) -> list[str]:
    """`words` broken into lines that fit a width, as far as one can tell without the font; none of no words."""
    letters = max(8, int(width / (size * _LETTER)))
    return [line for part in words.splitlines() for line in textwrap.wrap(_printable(part), letters)]


def _line_of_words(words: str, width: float, y: float, size: float, kind: str) -> str:
    """A line that begins at the left, or at the right if its first letter is of a script that runs so."""
    bold = kind == "ink"
    if _runs_left(words):
        return text(width, y, _ISOLATED + words + _END, size, kind, "end", bold=bold)
    return text(0, y, words, size, kind, "start", bold=bold)


def _runs_left(words: str) -> bool:
    directions = (unicodedata.bidirectional(letter) for letter in words)
    return next((one for one in directions if one in ("L", "R", "AL")), "L") != "L"


def _printable(words: str) -> str:
    """Without signs that XML forbids."""
    return "".join(" " if letter in "\t\n\r" else letter for letter in words if _is_legal(letter))


def _is_legal(letter: str) -> bool:
    return letter in "\t\n\r" or (
        letter >= " " and not 0xD800 <= ord(letter) <= 0xDFFF and letter not in "\ufffe\uffff"
    )


# ------------------------------------------------------------------------------------------------------- shapes


def number(value: float) -> str:
    """A length in at most one decimal."""
    return f"{round(float(value), 1):g}" if abs(value) < 1e5 else f"{value:.0f}"


def signed(value: float, form: str = ".2f") -> str:
    """A number with its sign, as people write it."""
    return f"{value:+{form}}".replace("-", "−")


def text(
    x: float, y: float, words: str, size: float = 12, kind: str = "ink", anchor: str = "middle", *, bold: bool = False
) -> str:
    """Words whose baseline begins, ends or has its middle at (x, y); `kind` is a class."""
    weight = ' font-weight="600"' if bold else ""
    return (
        f'<text class="{kind}" x="{number(x)}" y="{number(y)}" font-size="{number(size)}" text-anchor="{anchor}"'
        f"{weight}>"
        f"{escape(_printable(words))}</text>"
    )


def _hover(words: str) -> str:
    return f"<title>{escape(_printable(words))}</title>" if words else ""


def _shape(element: str, kind: str, where: str, opacity: float, hover: str, more: str) -> str:
    seen = "" if opacity >= 1 else f' fill-opacity="{opacity:.3f}"'
    inside = _hover(hover)
    end = f">{inside}</{element}>" if inside else "/>"
    return f'<{element} class="{kind}" {where}{seen}{more}{end}'


def box(
    x: float, y: float, w: float, h: float, kind: str, *, opacity: float = 1, hover: str = "", more: str = ""
) -> str:
    """A rectangle; `hover` is what a pointer on it is told, `more` further attributes (not escaped)."""
    where = f'x="{number(x)}" y="{number(y)}" width="{number(w)}" height="{number(h)}"'
    return _shape("rect", kind, where, opacity, hover, more)


def circle(x: float, y: float, r: float, kind: str, *, opacity: float = 1, hover: str = "", more: str = "") -> str:
    """A disc, options as of `box`."""
    return _shape("circle", kind, f'cx="{number(x)}" cy="{number(y)}" r="{number(r)}"', opacity, hover, more)


def line(x1: float, y1: float, x2: float, y2: float, kind: str = "rule", width: float = 1, *, more: str = "") -> str:
    """A straight line of the colour `kind`."""
    ends = f'x1="{number(x1)}" y1="{number(y1)}" x2="{number(x2)}" y2="{number(y2)}"'
    return f'<line class="line-{kind}" {ends} stroke-width="{number(width)}"{more}/>'


def path(points: Sequence[tuple[float, float]], kind: str, width: float = 1.5, *, more: str = "") -> str:
    """A line through all points."""
    places = "L".join(f"{number(x)} {number(y)}" for x, y in points)
    return f'<path class="line-{kind}" d="M{places}" stroke-width="{number(width)}"{more}/>'


def arrow(x1: float, y1: float, x2: float, y2: float, kind: str = "ink", width: float = 1.5) -> str:
    """A line with a head at its second end."""
    length = max(1e-6, ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5)
    ux, uy = (x2 - x1) / length * 7, (y2 - y1) / length * 7
    head = [(x2 - ux + uy * 0.5, y2 - uy - ux * 0.5), (x2, y2), (x2 - ux - uy * 0.5, y2 - uy + ux * 0.5)]
    return line(x1, y1, x2, y2, kind, width) + path(head, kind, width)


def place(x: float, y: float, body: str) -> str:
    """Elements moved to the right and down."""
    return f'<g transform="translate({number(x)} {number(y)})">{body}</g>'
