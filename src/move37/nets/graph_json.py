"""Descriptions as plain JSON values and back, strictly: an unknown operation, key or type is a ValueError.

Only the layout; files are `weights`' business.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping
from typing import Any, cast, get_args

from move37.nets import ops
from move37.nets.graph import Graph, KataGoSpec, NetworkSpec, Node

_LARGEST = 2**24
"""Of a whole number in a description: no layer is wider."""
_LONGEST_TEXT = 1000
_SIZES = 19 * 19

_OPS: dict[str, type[Any]] = {cls.__name__: cls for cls in get_args(ops.Op)}


def spec_to_json(spec: NetworkSpec) -> dict[str, Any]:
    """`spec` as JSON values; keys are the field names."""
    return {field.name: _plain(getattr(spec, field.name)) for field in dataclasses.fields(spec)}


def spec_from_json(values: Any) -> NetworkSpec:
    """The spec of what `spec_to_json` gave; ValueError or TypeError for anything else."""
    known = {field.name for field in dataclasses.fields(NetworkSpec)}
    if not isinstance(values, dict) or not values.keys() <= known:
        raise ValueError(f"a spec has keys among {', '.join(sorted(known))}")
    found = cast(dict[str, Any], values)
    band = found.get("komi_band")
    return NetworkSpec(
        name=_text(found, "name"),
        encoder=_text(found, "encoder"),
        planes=_count(found, "planes", 1),
        globals=_count(found, "globals", 0),
        board_sizes=_board_sizes(_typed(found, "board_sizes", list)),
        komi_band=None if band is None else _komi_band(band),
        rules=_text(found, "rules"),
        pass_rule=_text(found, "pass_rule"),
        training=_typed(found, "training", dict),
        katago=None if found.get("katago") is None else _katago(_typed(found, "katago", dict)),
    )


def _katago(values: dict[str, Any]) -> KataGoSpec:
    spec = KataGoSpec(**values)
    for field in dataclasses.fields(spec):
        _check_setting("a KataGo network", field, getattr(spec, field.name))
    return spec


def _board_sizes(values: list[Any]) -> tuple[tuple[int, int], ...]:
    sizes = tuple(_board_size(size) for size in values[: _SIZES + 1])
    if len(set(sizes)) != len(values):
        raise ValueError("a board size is named twice")
    return sizes


def _board_size(value: Any) -> tuple[int, int]:
    rows, cols = value
    if not all(type(side) is int and 1 <= side <= 19 for side in (rows, cols)):
        raise ValueError(f"a board size is two whole numbers from 1 to 19, not {value!r}")
    return rows, cols


def _komi_band(value: Any) -> tuple[float, float]:
    low, high = (float(end) for end in value)
    if not -math.inf < low <= high < math.inf:
        raise ValueError(f"a komi band is its lowest and its highest komi, not {value!r}")
    return low, high


def graph_to_json(graph: Graph) -> dict[str, Any]:
    """`graph` as JSON values: nodes as {"name", "op", "inputs", "settings"}."""
    nodes = [
        {"name": node.name, "op": type(node.op).__name__, "inputs": list(node.inputs), "settings": _settings(node.op)}
        for node in graph.nodes
    ]
    return {"nodes": nodes, "outputs": dict(graph.outputs)}


def graph_from_json(values: Any) -> Graph:
    """The graph of what `graph_to_json` gave; ValueError, KeyError or TypeError for anything else."""
    nodes = tuple(_node(entry) for entry in values["nodes"])
    return Graph(nodes, {str(output): str(name) for output, name in values["outputs"].items()})


def _settings(op: ops.Op) -> dict[str, Any]:
    return {field.name: _plain(getattr(op, field.name)) for field in dataclasses.fields(op)}


def _node(entry: dict[str, Any]) -> Node:
    kind = entry["op"]
    if kind not in _OPS:
        raise ValueError(f"unknown operation {kind!r}")
    op = _OPS[kind](**{key: _frozen(value) for key, value in entry["settings"].items()})
    for field in dataclasses.fields(op):
        _check_setting(kind, field, getattr(op, field.name))
    return Node(str(entry["name"]), op, tuple(entry["inputs"]))


def _check_setting(kind: str, field: dataclasses.Field[Any], value: Any) -> None:
    fits = {
        "int": type(value) is int and 1 <= value <= _LARGEST,
        "float": isinstance(value, int | float) and 0 < value < math.inf,
        "bool": isinstance(value, bool),
        "tuple[str, ...]": isinstance(value, tuple),
    }[str(field.type)]
    if not fits:
        raise ValueError(f"{field.name} of {kind} cannot be {value!r}")


def _typed(values: dict[str, Any], key: str, kind: type[Any]) -> Any:
    value = values[key]
    if not isinstance(value, kind):
        raise ValueError(f"{key} should be {kind.__name__}, not {value!r}")
    return value


def _text(values: dict[str, Any], key: str) -> str:
    value: str = _typed(values, key, str)
    if not value.isprintable() or len(value) > _LONGEST_TEXT:
        raise ValueError(f"{key} should be a text of one line, not {value!r}")
    return value


def _count(values: dict[str, Any], key: str, least: int) -> int:
    value: int = _typed(values, key, int)
    if isinstance(value, bool) or not least <= value <= _LARGEST:
        raise ValueError(f"{key} should be a number from {least:,} to {_LARGEST:,}, not {value!r}")
    return value


def _plain(value: Any) -> Any:
    """Tuples as lists, other mappings as dicts, as JSON has them."""
    if isinstance(value, KataGoSpec):
        return dataclasses.asdict(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in cast(Iterable[Any], value)]
    if isinstance(value, Mapping):
        return dict(cast(Mapping[str, Any], value))
    return value


def _frozen(value: Any) -> Any:
    return tuple(cast(Iterable[Any], value)) if isinstance(value, list) else value
