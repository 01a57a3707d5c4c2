"""Where the large test data lies: a folder `shared` beside the repository, which is never part of it."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
"""The root of the repository."""

SHARED = ROOT.parent / "shared"
"""The folder of large test data; tests that need it skip only where it is absent."""
