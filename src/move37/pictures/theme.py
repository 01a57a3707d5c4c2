"""The colours of pictures: one palette for a light ground and one for a dark, and the style sheet that applies them.

Elements name a colour by class; `THEMES` decides at the end: "auto" follows the reader's screen. The base of the
palette is that of the review pages, so that both look alike. No fonts are loaded.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, get_args

from move37.analysis import review_style
from move37.errors import ConfigError

__all__ = ["DARK", "FONT", "LIGHT", "THEMES", "Theme", "resolved", "style_sheet"]

Theme = Literal["auto", "light", "dark"]
THEMES: Final[tuple[str, ...]] = get_args(Theme)

FONT: Final = "system-ui, sans-serif"

LIGHT: Final = review_style.LIGHT | {
    "blue": "#1f66b0",
    "orange": "#bd4b0c",
    "green": "#1d7a3e",
    "violet": "#7a3fa8",
    "on-color": "#ffffff",
}
"""Colours by class name on a light ground; "on-color" is for text on blue, orange, green and violet."""
DARK: Final = review_style.DARK | {
    "blue": "#7db8ff",
    "orange": "#ff9a5c",
    "green": "#63c98a",
    "violet": "#c79bf0",
    "on-color": "#1b1a18",
}
"""The same classes on a dark one."""

_FILLED: Final = ("paper", "ink", "faint", "rule", "card", "blue", "orange", "green", "violet", "on-color")
_DRAWN: Final = ("ink", "faint", "rule", "blue", "orange", "green", "violet")


def style_sheet(theme: str) -> str:
    """The rules of a picture whose root has the classes ``m37`` and ``m37-THEME``; ConfigError for no theme.

    A class fills (``blue``), or draws a line with ``line-`` before it; ``halo`` sets words off from what is below them.
    """
    if theme not in THEMES:
        raise ConfigError(f"there is no theme {theme!r:.40}; there are {', '.join(THEMES)}")
    root = f".m37-{theme}"
    if theme == "dark":
        return _rules(root, DARK)
    light = _rules(root, LIGHT)
    return light if theme == "light" else f"{light}@media (prefers-color-scheme: dark){{{_rules(root, DARK)}}}"


def _rules(root: str, colors: Mapping[str, str]) -> str:
    filled = "".join(f"{root} .{name}{{fill:{colors[name]}}}" for name in _FILLED)
    halo = f"{root} .halo{{stroke:{colors['paper']};stroke-width:3;stroke-linejoin:round;paint-order:stroke}}"
    return halo + filled + "".join(f"{root} .line-{name}{{stroke:{colors[name]};fill:none}}" for name in _DRAWN)


def resolved(style: str, colors: Mapping[str, str]) -> str:
    """`style` with the colours in place of its variables ``var(--name)``, which not every reader of SVG knows."""
    for name, color in colors.items():
        style = style.replace(f"var(--{name})", color)
    return style
