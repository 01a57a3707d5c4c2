"""Commands that print figures: of a benchmark, of training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console


def run_benchmark(
    groups: Sequence[str], as_json: bool, against: Path | None, records: Path | None, networks: Sequence[str]
) -> None:
    """Measure, tell each figure on stderr, print all as JSON or as a table."""
    from move37.benchmark import figures, suite

    stored = figures.read(against) if against is not None else None
    console = Console(stderr=True)
    with console.status("measuring") as status:
        found = suite.run(
            groups,
            lambda one: status.update(f"measuring; {one.name}: {one.value:,.4g} {one.unit}"),
            records,
            networks,
        )
    print(figures.to_json(found) if as_json else figures.table(found, stored))


def print_figures(figures: Mapping[str, float]) -> None:
    """Print named numbers, one a line."""
    for name, value in figures.items():
        print(f"{name}: {value:.4f}")
