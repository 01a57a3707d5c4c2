"""The graph of a reviewed game as a picture of its own: win rate, lead, and what each move lost.

The drawing is that of the review pages (`analysis.review_graph`); here it gets its colours, since it stands alone.
"""

from __future__ import annotations

import re

from move37.analysis.review_graph import graph_svg
from move37.analysis.review_model import Review
from move37.analysis.review_style import GRAPH_STYLE
from move37.errors import ConfigError
from move37.pictures.drawing import Picture
from move37.pictures.theme import DARK, LIGHT, resolved

__all__ = ["game_picture"]


def game_picture(review: Review, *, heading: str = "", caption: str = "") -> Picture:
    """The graph of a review; ConfigError if fewer than two positions were looked at."""
    drawing = graph_svg(review)
    found = re.search(r'viewBox="0 0 (\d+) (\d+)"', drawing)
    if found is None:
        raise ConfigError("a game's graph needs at least two positions: choose more moves")
    width, height = float(found[1]), float(found[2])
    sized = drawing.replace("<svg ", f'<svg width="{width:g}" height="{height:g}" ', 1)
    title = heading or "The game as the engine sees it"
    return Picture("Graph of the game", width, height, sized, title, caption, _style())


def _style() -> str:
    """The graph's rules for every theme, each with its colours in place."""
    light, dark = (resolved(GRAPH_STYLE, colors) for colors in (LIGHT, DARK))
    auto = _scoped(light, "auto") + f"@media (prefers-color-scheme: dark){{{_scoped(dark, 'auto')}}}"
    return auto + _scoped(light, "light") + _scoped(dark, "dark")


def _scoped(style: str, theme: str) -> str:
    return style.replace("\n", " ").replace(".graph ", f".m37-{theme} .graph ")
