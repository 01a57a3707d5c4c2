"""Pictures of every idea of the course, as SVG by hand and as PNG: the same that the page shows alive.

Each file draws one idea from plain data (arrays, positions, trees) and returns a `Picture`, which a notebook shows by
itself. `catalogue` lists them all and makes them for `move37 show`. Nothing is computed here that has a home elsewhere.
"""

from __future__ import annotations

from move37.pictures.drawing import Picture

__all__ = ["Picture"]
