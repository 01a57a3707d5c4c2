"""SVG as PNG, by resvg: a renderer in one wheel of three megabytes, typed, without system libraries.

Cairo's bindings need a library of the system, browsers are large, matplotlib would be a second way to draw. resvg knows
no media queries, so it is given a drawing of one theme. Its letters are those of the fonts that the system has.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from move37.files import replacing

__all__ = ["png_bytes", "require_png", "write_png"]

FAMILY = "DejaVu Sans"
"""What stands for a sans-serif font where the system has it; else resvg takes one that has the letters."""


def require_png() -> None:
    """Raise ModuleNotFoundError, which the command line explains, where there is no resvg-py."""
    import_module("resvg_py")


def png_bytes(drawing: str, width: int | None = None) -> bytes:
    """An ``<svg>`` element as a PNG of `width` pixels (default: two a unit); ModuleNotFoundError without resvg-py."""
    import resvg_py

    zoom = 2.0 if width is None else None
    return resvg_py.svg_to_bytes(
        svg_string=drawing, width=width, zoom=zoom, sans_serif_family=FAMILY, font_family=FAMILY
    )


def write_png(drawing: str, path: Path | str, width: int | None = None) -> None:
    """Write an ``<svg>`` element as a PNG to `path`, whole or not at all; OSError as the system does."""
    data = png_bytes(drawing, width)
    with replacing(path) as temporary:
        temporary.write_bytes(data)
