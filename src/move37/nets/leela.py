"""Networks of Leela Zero, read from its text weights (`.txt`, or gzipped) into the neutral description.

The format: one line for the version, then one line of numbers an array. A convolution has four lines: weights in the
order [filters, channels, rows, columns], biases, and its batch norm's means and variances; the norm has no scale, and
its shift is folded into the biases, which are therefore subtracted from the means here. First the 3x3 convolution of
the 18 input planes, then two for each residual block; then the policy head (a 1x1 convolution to 2 filters, dense
weights [actions, inputs] and biases) and the value head (a 1x1 convolution to 1 filter, a hidden dense layer with ReLU,
a dense layer to one number, tanh). Numbers of blocks, filters and hidden units and the board size follow from the
lines: 8 lines a block, 18 others and the version. The tower and the heads are AlphaGo Zero's (`zero.paper_graph`),
epsilon 1e-5.

- Version 1: the value is for the player to move. Version 2 (networks of ELF OpenGo and Minigo in this format): for
  Black, so the description multiplies it by +1 or -1, which it reads off the planes that say who is to move.
- Leela Zero counts rows from the bottom. Kernels and dense layers are turned upside down at load, so that the network
  reads planes with row 0 at the top and answers for the same points as Leela Zero does without a symmetry.

Made for komi 7.5 and area scoring. Source: leela-zero/leela-zero, README, "Weights format", and src/Network.cpp,
`load_v1_network`; training/elf/elf_convert.py for version 2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from move37.nets.file_kind import plain_name
from move37.nets.graph import SPATIAL, Graph, Network, NetworkSpec, Node
from move37.nets.leela_text import LeelaLines
from move37.nets.ops import Conv2d, GlobalPool, Multiply
from move37.nets.zero import paper_graph

__all__ = ["load", "read_size"]

ENCODER, PLANES = "leela18", 18
KOMI = 7.5
POLICY_FILTERS = 2
MAX_BLOCKS, MAX_FILTERS, MAX_HIDDEN, MAX_SIZE = 256, 512, 4096, 19
MAX_PARAMETERS = 2**27
"""Largest networks that are read; published ones have at most 40 blocks, 256 filters and 47 million parameters."""

_BLACK_PLANE, _WHITE_PLANE = 16, 17
_OTHER_LINES, _POLICY_DENSE = 18, -10
"""Lines beside the version's and the blocks'; and where among all lines the policy's dense layer is."""

Array = NDArray[np.float32]
Arrays = dict[str, Array]


def load(path: Path | str) -> Network:
    """The network in the file `path`; NetworkFileError in one sentence: path, line, what is wrong."""
    source = Path(path)
    with LeelaLines(source) as lines:
        version = _read_version(lines)
        found = _read(lines)
        lines.end()
    graph = paper_graph(found.blocks, found.filters, PLANES, value_hidden=found.hidden, size=(found.size, found.size))
    arrays = found.arrays
    if version == "2":
        graph = _value_for_black(graph)
        arrays["black_to_move.weight"] = _signs()
    return Network(_spec(source, found.size), graph, arrays)


def read_size(path: Path | str) -> tuple[int, int, int, NetworkSpec]:
    """Version, blocks, filters and spec of the network in `path`, from the lengths of its lines alone.

    Numbers are not looked at, which takes a tenth of the time of `load`. Errors as `load`.
    """
    source = Path(path)
    with LeelaLines(source) as lines:
        version = int(_read_version(lines))
        most = max(9 * MAX_FILTERS**2, POLICY_FILTERS * MAX_SIZE**2 * (MAX_SIZE**2 + 1))
        lengths = lines.lengths(most, 8 * MAX_BLOCKS + _OTHER_LINES)
        blocks, rest = divmod(len(lengths) - _OTHER_LINES, 8)
        size = _board_side(lengths[_POLICY_DENSE]) if blocks >= 0 and not rest else None
        if size is None:
            raise lines.error("the number of lines or their lengths fit no network")
    return version, blocks, lengths[1], _spec(source, size)


@dataclass(frozen=True, slots=True)
class _Found:
    """What the lines hold: arrays by their names in `zero.paper_graph`, and the sizes that follow from them."""

    blocks: int
    filters: int
    hidden: int
    size: int
    arrays: Arrays


def _read_version(lines: LeelaLines) -> str:
    version = lines.version()
    if version not in ("1", "2"):
        raise lines.error(f"expected Leela Zero weights of version 1 or 2, found version {version[:20]!r}")
    return version


def _spec(path: Path, size: int) -> NetworkSpec:
    return NetworkSpec(plain_name(path), ENCODER, PLANES, board_sizes=((size, size),), komi_band=(KOMI, KOMI))


def _read(lines: LeelaLines) -> _Found:
    weights = lines.numbers("the input convolution", MAX_FILTERS * PLANES * 9)
    filters, rest = divmod(len(weights), PLANES * 9)
    if rest or not filters:
        raise lines.error(f"the input convolution should hold {PLANES * 9} numbers a filter, but has {len(weights):,}")
    arrays = _convolution(lines, "input", weights, filters, PLANES, 3)
    blocks, policy = _read_tower(lines, arrays, filters)
    size = _read_policy(lines, arrays, policy, filters)
    hidden = _read_value(lines, arrays, filters, size)
    return _Found(blocks, filters, hidden, size, arrays)


def _read_tower(lines: LeelaLines, arrays: Arrays, filters: int) -> tuple[int, Array]:
    """Read residual blocks until a line is the policy head's; how many there were, and that line."""
    half = 0
    most = min(2 * MAX_BLOCKS, MAX_PARAMETERS // (9 * filters * filters))
    while True:
        what = f"convolution {half + 2}"
        weights = lines.numbers(what, max(9 * filters, POLICY_FILTERS) * filters)
        if len(weights) == POLICY_FILTERS * filters and half % 2 == 0:
            return half // 2, weights
        if len(weights) != 9 * filters * filters:
            raise lines.error(
                f"{what} should hold {9 * filters * filters:,} numbers (a residual block) or "
                f"{POLICY_FILTERS * filters} (the policy head), but holds {len(weights):,}"
            )
        if half >= most:
            raise lines.error(f"the network has more than {MAX_BLOCKS} blocks or {MAX_PARAMETERS:,} parameters")
        name = f"block{half // 2}{'ab'[half % 2]}"
        arrays |= _convolution(lines, name, weights, filters, filters, 3)
        half += 1


def _read_policy(lines: LeelaLines, arrays: Arrays, weights: Array, filters: int) -> int:
    """Read the rest of the policy head; the board's side, which its dense layer tells."""
    arrays |= _convolution(lines, "policy", weights, POLICY_FILTERS, filters, 1)
    points = MAX_SIZE * MAX_SIZE
    dense = lines.numbers("the policy's dense layer", POLICY_FILTERS * points * (points + 1))
    size = _board_side(len(dense))
    if size is None:
        raise lines.error(f"the policy's dense layer fits no square board: it holds {len(dense):,} numbers")
    points = size * size
    arrays["policy_dense.weight"] = _turned_rows(_turned_inputs(dense, POLICY_FILTERS, size), size)
    arrays["policy_dense.bias"] = _turned_rows(lines.exactly("the policy's biases", points + 1), size)
    return size


def _read_value(lines: LeelaLines, arrays: Arrays, filters: int, size: int) -> int:
    """Read the value head; its number of hidden units."""
    arrays |= _convolution(lines, "value", lines.exactly("the value's convolution", filters), 1, filters, 1)
    dense = lines.numbers("the value's hidden layer", MAX_HIDDEN * size * size)
    hidden, rest = divmod(len(dense), size * size)
    if rest or not hidden:
        raise lines.error(f"the value's hidden layer should hold {size * size} numbers a unit, but has {len(dense):,}")
    arrays["value_hidden.weight"] = _turned_inputs(dense, 1, size)
    arrays["value_hidden.bias"] = lines.exactly("the hidden layer's biases", hidden)
    arrays["value_dense.weight"] = lines.exactly("the value's last layer", hidden)[None, :]
    arrays["value_dense.bias"] = lines.exactly("the value's bias", 1)
    return hidden


def _convolution(lines: LeelaLines, name: str, weights: Array, filters: int, channels: int, kernel: int) -> Arrays:
    """The arrays of a convolution and its norm, its weights being read already."""
    bias = lines.exactly("biases of a convolution", filters)
    mean = lines.exactly("means of a norm", filters)
    variance = lines.exactly("variances of a norm", filters)
    if variance.min() < 0.0:
        raise lines.error("variances of a norm should not be negative")
    turned = weights.reshape(filters, channels, kernel, kernel)[:, :, ::-1]
    return {
        f"{name}_conv.weight": np.ascontiguousarray(turned),
        f"{name}_norm.weight": np.ones(filters, np.float32),
        f"{name}_norm.bias": np.zeros(filters, np.float32),
        f"{name}_norm.mean": mean - bias,
        f"{name}_norm.variance": variance,
    }


def _turned_inputs(dense: Array, planes: int, size: int) -> Array:
    """Weights float32[outputs * planes * size²] as [outputs, planes * size²], the boards they read upside down."""
    turned = dense.reshape(-1, planes, size, size)[:, :, ::-1]
    return np.ascontiguousarray(turned).reshape(len(turned), planes * size * size)


def _turned_rows(by_action: Array, size: int) -> Array:
    """The leading axis (points row by row, then the pass) with the board upside down."""
    order = np.append(np.arange(size * size).reshape(size, size)[::-1].ravel(), size * size)
    return np.ascontiguousarray(by_action[order])


def _board_side(weights: int) -> int | None:
    """N with 2·N²·(N² + 1) weights, if there is one from 1 to 19."""
    points = (math.isqrt(1 + 2 * weights) - 1) // 2
    side = math.isqrt(points)
    fits = 1 <= side <= MAX_SIZE and POLICY_FILTERS * side**2 * (side**2 + 1) == weights
    return side if fits else None


def _value_for_black(graph: Graph) -> Graph:
    """`graph` with its value multiplied, before tanh, by +1 if Black is to move and -1 if White is."""
    signs = [
        Node("black_to_move", Conv2d(PLANES, 1, 1), (SPATIAL,)),
        Node("black_sign", GlobalPool(("max",)), ("black_to_move",)),
        Node("value_for_player", Multiply(), ("value_dense", "black_sign")),
    ]
    *nodes, tanh = graph.nodes
    return Graph((*nodes, *signs, Node(tanh.name, tanh.op, ("value_for_player",))), graph.outputs)


def _signs() -> Array:
    """Weights float32[1, 18, 1, 1] of a convolution that gives +1 everywhere if Black is to move, else -1."""
    weights = np.zeros((1, PLANES, 1, 1), np.float32)
    weights[0, _BLACK_PLANE], weights[0, _WHITE_PLANE] = 1.0, -1.0
    return weights
