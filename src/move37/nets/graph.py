"""A neutral description of a network: named nodes, named float32 arrays, and what the network was made for.

The torch module and any other way to run a network are built from this, so no two copies of an architecture exist. The
description does not compute anything itself; `parameter_shapes` and `output_shapes` are enough to check a file before
it is read. Two inputs exist: `SPATIAL` float32[B, C, H, W] and `GLOBALS` float32[B, G].
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.nets.ops import GLOBALS, MOST_NUMBERS, SPATIAL, Op, Shape

__all__ = [
    "GLOBALS",
    "SCORE_UNIT",
    "SPATIAL",
    "Graph",
    "GraphError",
    "KataGoSpec",
    "Network",
    "NetworkSpec",
    "Node",
    "check_sizes",
    "output_shapes",
]

OUTPUT_NAMES = ("policy", "optimistic", "value", "value_logits", "misc", "ownership", "score", "opponent")
SCORE_UNIT = 20.0
"""Points that the output "score" counts as one: an ordinary margin, so that a network has a number near 1 to learn."""
_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")

MOST_NODES = 2**13
"""The largest networks of the field have some hundreds."""
_ANY_SIZE = ((19, 19), (9, 13))
"""A network for any size is checked on these; no layer that depends on the size fits both."""


class GraphError(ValueError):
    """A description that contradicts itself; the message says which node and why."""


@dataclass(frozen=True, slots=True)
class KataGoSpec:
    """What a KataGo network's file says beyond its layers; `katago_outputs` reads its raw outputs with it.

    `version`: of the model format, 8 to 17; it decides how the short-term errors are meant.
    `score_mean` to `score_error`: multipliers of the outputs of those names.
    `suicide_area`: the network was trained with planes of unconditional life as if suicide of several stones were
    allowed, whatever the rules.
    """

    version: int
    score_mean: float = 20.0
    score_stdev: float = 20.0
    lead: float = 20.0
    variance_time: float = 40.0
    winloss_error: float = 0.25
    score_error: float = 30.0
    suicide_area: bool = False


@dataclass(frozen=True, slots=True)
class NetworkSpec:
    """What a network is for, kept beside its weights.

    `encoder`, `planes`, `globals`: who makes the inputs, and how many there are.
    `board_sizes`: (rows, cols) it may be used on; empty means any size.
    `komi_band`: lowest and highest komi it was trained for, both included; None if it is shown komi or does not care.
    `rules`: name of the ruleset it was trained for.
    `pass_rule`: "trained" if the last policy entry is a learned logit for pass; networks without one name their rule:
    "mean" if it is the mean of the points' logits.
    `training`: a summary for people: data, steps, held-out accuracy. Plain JSON values.
    `katago`: how to read the outputs of a KataGo network; None for networks whose outputs are used as they are.
    """

    name: str
    encoder: str
    planes: int
    globals: int = 0
    board_sizes: tuple[tuple[int, int], ...] = ()
    komi_band: tuple[float, float] | None = None
    rules: str = "tromp-taylor"
    pass_rule: str = "trained"
    training: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    katago: KataGoSpec | None = None

    def supports(self, rows: int, cols: int) -> bool:
        """Whether the network may be used on boards of `rows` x `cols`."""
        return not self.board_sizes or (rows, cols) in self.board_sizes

    def sizes_text(self) -> str:
        """The board sizes for messages: "9x9, 13x13" or "any size"."""
        return ", ".join(f"{rows}x{cols}" for rows, cols in self.board_sizes) or "any size"


@dataclass(frozen=True, slots=True)
class Node:
    """One step: `op` applied to the outputs of the nodes (or inputs) named in `inputs`, in that order."""

    name: str
    op: Op
    inputs: tuple[str, ...]

    def parameter_shapes(self) -> dict[str, Shape]:
        """Shapes of the node's arrays by full name, `node.parameter`."""
        return {f"{self.name}.{key}": shape for key, shape in self.op.parameter_shapes().items()}


@dataclass(frozen=True, slots=True)
class Graph:
    """Nodes in an order in which each comes after its inputs, and which node each named output is.

    `outputs` maps names of outputs, all for the player to move, to node names. Without the batch axis:
    "policy" [A]: logits, pass last. "optimistic" [A]: logits of a second policy that hopes for the best.
    "value" [1]: in [-1, 1]. KataGo networks give "value_logits" [3] instead: of a win, a loss, no result.
    "misc" [K]: KataGo's scores and errors, raw (`katago_outputs`). "ownership" [1, H, W]: before tanh.
    "score" [1]: points ahead in the end by area, komi aside, in units of `SCORE_UNIT` points.
    "opponent" [A]: logits of the other side's next move, while a network learns.
    """

    nodes: tuple[Node, ...]
    outputs: Mapping[str, str]

    def __post_init__(self) -> None:
        if len(self.nodes) > MOST_NODES:
            raise GraphError(f"there are {len(self.nodes):,} nodes, and no network has more than {MOST_NODES:,}")
        known = {SPATIAL, GLOBALS}
        for node in self.nodes:
            _check_node(node, known)
            known.add(node.name)
        for output, name in self.outputs.items():
            if output not in OUTPUT_NAMES or name not in known - {SPATIAL, GLOBALS}:
                raise GraphError(f"output {output!r} names node {name!r}; outputs are {', '.join(OUTPUT_NAMES)}")

    def parameter_shapes(self) -> dict[str, Shape]:
        """Shape of every array of the network by name."""
        return {name: shape for node in self.nodes for name, shape in node.parameter_shapes().items()}

    @property
    def parameter_count(self) -> int:
        """How many numbers the arrays hold, running statistics included."""
        return sum(math.prod(shape) for shape in self.parameter_shapes().values())

    def uses(self) -> dict[str, int]:
        """How often each node's output is read, by other nodes or as an output of the network."""
        counts = dict.fromkeys((SPATIAL, GLOBALS, *(node.name for node in self.nodes)), 0)
        for name in [name for node in self.nodes for name in node.inputs] + list(self.outputs.values()):
            counts[name] += 1
        return counts

    def node_shapes(self, spatial: Shape, globals_: Shape) -> dict[str, Shape]:
        """Shape of every node's output without the batch axis; GraphError at the first node that does not fit."""
        shapes = {SPATIAL: spatial, GLOBALS: globals_}
        for node in self.nodes:
            try:
                shape = node.op.output_shape(*(shapes[name] for name in node.inputs))
            except ValueError as error:
                raise GraphError(f"node {node.name!r}: {error}") from None
            if math.prod(shape) > MOST_NUMBERS:
                raise GraphError(f"node {node.name!r} would give {math.prod(shape):,} numbers, over {MOST_NUMBERS:,}")
            shapes[node.name] = shape
        return shapes


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """A graph with its arrays and its spec. `arrays`: float32 by name, shapes as `graph.parameter_shapes()` says."""

    spec: NetworkSpec
    graph: Graph
    arrays: Mapping[str, NDArray[np.float32]]

    def __post_init__(self) -> None:
        wanted = self.graph.parameter_shapes()
        if wanted.keys() != self.arrays.keys():
            odd = sorted(wanted.keys() ^ self.arrays.keys())
            raise GraphError(f"arrays missing or not asked for: {', '.join(odd[:5])}")
        for name, shape in wanted.items():
            array = self.arrays[name]
            if array.shape != shape or array.dtype != np.float32:
                raise GraphError(f"array {name!r} is {array.dtype}{array.shape}, expected float32{shape}")
        for rows, cols in self.spec.board_sizes:
            self.output_shapes(rows, cols)

    def output_shapes(self, rows: int, cols: int) -> dict[str, Shape]:
        """Shapes of the outputs on a board of `rows` x `cols`, without the batch axis; GraphError if it cannot run."""
        return output_shapes(self.spec, self.graph, rows, cols)


def check_sizes(spec: NetworkSpec, graph: Graph) -> None:
    """See that `graph` runs on all board sizes of `spec`, on any if it names none; GraphError if it does not."""
    for rows, cols in spec.board_sizes or _ANY_SIZE:
        output_shapes(spec, graph, rows, cols)


def output_shapes(spec: NetworkSpec, graph: Graph, rows: int, cols: int) -> dict[str, Shape]:
    """Shapes of the outputs of `graph` with the inputs of `spec`, no batch axis; GraphError if it cannot run."""
    shapes = graph.node_shapes((spec.planes, rows, cols), (spec.globals,))
    found = {output: shapes[name] for output, name in graph.outputs.items()}
    logits = (rows * cols + 1,)
    shapes_by_output = {
        "policy": logits,
        "optimistic": logits,
        "opponent": logits,
        "value": (1,),
        "value_logits": (3,),
        "ownership": (1, rows, cols),
        "score": (1,),
    }
    for output, wanted in shapes_by_output.items():
        if output in found and found[output] != wanted:
            raise GraphError(f"{output} has shape {found[output]} on {rows}x{cols}, expected {wanted}")
    return found


def _check_node(node: Node, known: set[str]) -> None:
    if not _NAME.match(node.name):
        raise GraphError(f"node name {node.name!r} is not lower-case letters, digits and underscores")
    if node.name in known:
        raise GraphError(f"two nodes are named {node.name!r}")
    unknown = [name for name in node.inputs if name not in known]
    if unknown or not node.inputs:
        raise GraphError(f"node {node.name!r} reads {unknown or 'nothing'}; inputs come before their readers")
