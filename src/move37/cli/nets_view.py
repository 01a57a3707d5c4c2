"""What the terminal shows of networks: tables and facts on stdout, progress and hints on stderr."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

from move37.cli.plain_text import one_line
from move37.errors import ConfigError, NetworkFileError
from move37.nets import facts, weights
from move37.nets.download import download
from move37.nets.file_kind import OWN_SUFFIX, kind_of, plain_name
from move37.nets.finding import FoundNetwork, found_networks, user_folder
from move37.nets.tap import only

_COLUMNS = ("name", "format", "blocks", "boards", "encoder", "komi", "runs on", "size", "where")
_WRITERS = {OWN_SUFFIX: "convert", ".onnx": "export"}
"""Which command writes files of an ending."""


def list_networks(as_json: bool) -> None:
    """Print the networks that are found by name, one a line, and on stderr what is no network in the user's folder."""
    entries = [_entry(found) for found in found_networks()]
    if as_json:
        _print_json(entries)
        return
    rows = [[_cell(entry, column) for column in _COLUMNS] for entry in entries if not entry["problem"]]
    print(_aligned([_COLUMNS, *rows]) if rows else "no network is found")
    for entry in entries:
        if entry["problem"]:
            print(f"move37: {one_line(entry['problem'])}", file=sys.stderr)
    print(f"your folder: {one_line(str(user_folder()))}", file=sys.stderr)


def describe_network(net: str, as_json: bool) -> None:
    """Print the facts of a network by its name or file."""
    path = weights.find(net)
    found = facts.facts(path)
    found = {"name": plain_name(path), "network": found["name"]} | {k: v for k, v in found.items() if k != "name"}
    if as_json:
        _print_json(found)
        return
    for name, value in _in_words(found).items():
        print(f"{one_line(name)}: {one_line(value)}")


def get_network(url: str, name: str | None, sha256: str | None, force: bool) -> None:
    """Download with progress on stderr; print what came and where it lies."""
    console = Console(stderr=True)
    columns = (TextColumn("downloading"), BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("downloading", total=None)
        path = download(
            url, None, name, sha256, force, lambda here, total: bar.update(task, completed=here, total=total)
        )
    print(f"{path}: {facts.glance(path, kind_of(path)).format}, {_size(path.stat().st_size)}")
    print(f"use it with: --net {shlex.quote(plain_name(path))}", file=sys.stderr)


def convert_network(net: str, out: Path, outputs: str | None, name: str | None, force: bool) -> None:
    """Write a network in our own format: all of it, or what leads to some of its outputs."""
    _check_out(out, OWN_SUFFIX, force)
    network = weights.load(weights.find(net))
    kept = list(network.graph.outputs) if outputs is None else [part.strip() for part in outputs.split(",")]
    weights.save(only(network, kept, name), out)
    print(f"{out}: {_size(out.stat().st_size)}")


def export_network(net: str, out: Path, size: int | None, force: bool) -> None:
    """Write a network as ONNX, and say which inputs and outputs it has."""
    from move37.nets.onnx_export import export, fixed_size

    _check_out(out, ".onnx", force)
    network = weights.load(weights.find(net))
    board = None if size is None else (size, size)
    export(network, out, board)
    rows, cols = fixed_size(network, board) or ("rows", "cols")
    inputs = f"spatial [batch, {network.spec.planes}, {rows}, {cols}]"
    inputs += f", globals [batch, {network.spec.globals}]" if network.spec.globals else ""
    print(f"{out}: {_size(out.stat().st_size)}, inputs {inputs}, outputs {', '.join(network.graph.outputs)}")


def _check_out(out: Path, suffix: str, force: bool) -> None:
    if out.suffix != suffix:
        other = _WRITERS.get(out.suffix)
        hint = f"; nets {other} writes {out.suffix}" if other else ""
        raise ConfigError(f"{out}: the name of the file to write should end in {suffix}{hint}")
    if out.exists() and not force:
        raise NetworkFileError(f"{out}: is there already; --force replaces it")


def _entry(found: FoundNetwork) -> dict[str, Any]:
    """A found network as JSON values; what cannot be told is None."""
    entry: dict[str, Any] = {"name": found.name, "path": str(found.path), "where": found.source, "runs_on": None}
    glance, problem = None, found.problem
    if found.kind is not None:
        try:
            glance = facts.glance(found.path, found.kind)
            entry["runs_on"] = facts.file_runs_on(found.path, found.kind)
        except NetworkFileError as error:
            problem = str(error)
    about = dict.fromkeys(facts.Glance.__slots__) if glance is None else asdict(glance)
    try:
        size = found.path.stat().st_size
    except OSError as error:  # it is gone since it was found
        size, problem = 0, problem or f"{found.path}: cannot be read ({error.strerror})."
    return entry | {"file_bytes": size} | about | {"problem": problem}


def _cell(entry: Mapping[str, Any], column: str) -> str:
    if column == "blocks":
        return f"{entry['blocks']}x{entry['channels']}"
    if column == "runs on":
        ways = entry["runs_on"]
        return ("fast" if facts.FAST in ways else ways[0]) if ways else "needs torch"
    return _size(entry["file_bytes"]) if column == "size" else one_line(str(entry[column]))


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    """Columns of text, two spaces apart."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)


def _in_words(found: dict[str, Any]) -> dict[str, str]:
    """The facts for people: sizes with units, lists with commas, nothing that is empty."""
    names = (
        ("name", "path", "format") if found["network"] in ("", found["name"]) else ("name", "network", "path", "format")
    )
    spec = {name: found[name] for name in names}
    band, sizes = found["komi_band"], found["board_sizes"]
    words = spec | {
        "file": _size(found["file_bytes"]),
        "blocks": f"{found['blocks']} of {found['channels']} channels",
        "parameters": f"{found['parameters']:,}",
        "layers": f"{found['layers']}",
        "inputs": f"{found['encoder']}, {found['planes']} planes and {found['globals']} globals",
        "outputs": ", ".join(found["outputs"]),
        "boards": ", ".join(f"{rows}x{cols}" for rows, cols in sizes) or "any size",
        "komi": "any" if band is None else " to ".join(f"{end:g}" for end in dict.fromkeys(band)),
        "rules": "any" if found.get("katago") else found["rules"],
        "runs on": ", ".join(found["runs_on"]) or "nothing that is installed: it needs torch, the extra [gpu]",
    }
    training = {f"training, {name.replace('_', ' ')}": _value(value) for name, value in found["training"].items()}
    return words | training


def _value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _size(count: int) -> str:
    return f"{count / 1e6:,.1f} MB" if count >= 1e5 else f"{count / 1e3:,.1f} kB"


def _print_json(value: Any) -> None:
    json.dump(value, sys.stdout, ensure_ascii=False, indent=2)
    print()
