"""Commands that print what something is: networks, figures."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table


def list_networks() -> None:
    """Print the bundled networks, one a line."""
    from move37.nets import weights

    table = Table("name", "boards", "encoder", "komi", "parameters", box=None)
    for name, path in weights.bundled().items():
        spec, graph = weights.load_description(path)
        komi = "any" if spec.komi_band is None else f"{spec.komi_band[0]:g} to {spec.komi_band[1]:g}"
        table.add_row(name, spec.sizes_text(), spec.encoder, komi, f"{graph.parameter_count:,}")
    if table.row_count:
        Console().print(table)
    else:
        print("no network is bundled")


def describe_network(net: str, as_json: bool) -> None:
    """Print the description of a bundled network or a file."""
    from move37.nets import weights
    from move37.nets.graph_json import spec_to_json

    path = weights.find(net)
    spec, graph = weights.load_description(path)
    facts = {
        "path": str(path),
        **spec_to_json(spec),
        "parameters": graph.parameter_count,
        "layers": len(graph.nodes),
    }
    _print_facts(facts, as_json)


def run_benchmark(groups: Sequence[str], as_json: bool, against: Path | None, records: Path | None) -> None:
    """Measure, tell each figure on stderr, print all as JSON or as a table."""
    from move37.benchmark import figures, suite

    stored = figures.read(against) if against is not None else None
    console = Console(stderr=True)
    with console.status("measuring") as status:
        found = suite.run(
            groups, lambda one: status.update(f"measuring; {one.name}: {one.value:,.4g} {one.unit}"), records
        )
    print(figures.to_json(found) if as_json else figures.table(found, stored))


def print_figures(figures: Mapping[str, float]) -> None:
    """Print named numbers, one a line."""
    for name, value in figures.items():
        print(f"{name}: {value:.4f}")


def _print_facts(facts: Mapping[str, Any], as_json: bool) -> None:
    if as_json:
        json.dump(facts, sys.stdout, ensure_ascii=False, indent=2)
        print()
        return
    for name, value in facts.items():
        words = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        print(f"{name.replace('_', ' ')}: {words}")
