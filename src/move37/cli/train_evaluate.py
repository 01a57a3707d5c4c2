"""`move37 train evaluate`: what a network foretells of games it never saw, as tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from move37.training.held_out import Accuracy


def command(net: str, recipe: Path, symmetries: int, positions: int | None, device: str | None) -> None:
    """Ask the network and print a table for each test: all positions, then by move number."""
    from move37.training import supervised

    found = supervised.evaluate_network(
        net, recipe, symmetries=symmetries, positions=positions, device=device or "auto"
    )
    for name, one in found.items():
        print("\n".join(table(name or "held out", one)))


def table(name: str, found: Accuracy) -> list[str]:
    """The lines of one test's table."""
    figures = list(found.figures)
    lines = [f"{name}", "  ".join([f"{'moves':10}", f"{'positions':>9}", *(f"{one:>11}" for one in figures)])]
    rows = {"all": {**found.figures, "positions": found.positions}}
    for band, count in found.by_move.get("positions", {}).items():
        rows[band] = {one: values[band] for one, values in found.by_move.items()} | {"positions": count}
    for label, row in rows.items():
        cells = [f"{row[one]:11.4f}" if one in row else f"{'':11}" for one in figures]
        lines.append("  ".join([f"{label:10}", f"{row['positions']:9.0f}", *cells]).rstrip())
    return lines
