"""What the filters of a network look like, what they answer to a position, and one convolution step by step.

Concept pictures D1 and D9 of the course. Activations are those of the network itself, tapped at a layer and run by the
fast path or by torch, whichever would play; blue is above zero, orange below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.evaluators.backends import make_runner
from move37.features.encoder import encode
from move37.features.meanings import plane_meanings
from move37.nets.graph import SPATIAL, Network, Node
from move37.nets.ops import Conv2d
from move37.nets.tap import TAPPED, tap
from move37.pictures.boards import board_panel
from move37.pictures.drawing import GAP, Picture, box, grid, signed, text
from move37.pictures.planes import plane_panel
from move37.rules.board_svg import CELL, Frame
from move37.rules.position import Position

__all__ = ["activations", "activations_picture", "convolution_picture", "filters_picture", "plane_layers"]


def plane_layers(network: Network, rows: int, cols: int) -> list[str]:
    """The names of the layers that give planes, the first one first."""
    shapes = network.graph.node_shapes((network.spec.planes, rows, cols), (network.spec.globals,))
    return [node.name for node in network.graph.nodes if len(shapes[node.name]) == 3]


def activations(network: Network, position: Position, layer: str) -> NDArray[np.float32]:
    """float32[C, H, W] that `layer` gives for a position; ConfigError for a layer that there is not, or without planes.

    ConfigError too where the network is not for the board's size.
    """
    rows, cols = position.rows, position.cols
    if not network.spec.supports(rows, cols):
        raise ConfigError(f"{network.spec.name} is for {network.spec.sizes_text()}, not for {rows}x{cols}")
    if layer not in plane_layers(network, rows, cols):
        known = ", ".join(plane_layers(network, rows, cols))
        raise ConfigError(f"{network.spec.name} has no layer {layer!r} of planes; there are {known}")
    encoded = encode(network.spec.encoder, position)
    found = make_runner(tap(network, layer), threads=1).run(encoded.spatial, encoded.globals)[TAPPED]
    planes: NDArray[np.float32] = found[0].reshape(-1, rows, cols)
    return planes


def activations_picture(
    network: Network,
    position: Position,
    layer: str,
    channels: Sequence[int] = (),
    *,
    most: int = 32,
    heading: str = "",
    caption: str = "",
) -> Picture:
    """What the channels of a layer answer: those named, else the `most` that vary the most over the board."""
    found = activations(network, position, layer)
    chosen = _channels(found, channels, most, layer)
    stones = position.stones
    panels = [_activation(found[i], f"{layer} {i}", stones) for i in chosen]
    board = board_panel(stones, "the board", last=position.last_move, width=240)
    title = heading or f"{network.spec.name}, layer {layer}: {len(found)} channels"
    told = caption or f"each with its least and its greatest answer; shown are {len(chosen)}, the liveliest first"
    return grid("Activations", [board, grid("channels", panels, 8)], 1, heading=title, caption=told)


def _channels(found: NDArray[np.float32], channels: Sequence[int], most: int, layer: str) -> list[int]:
    for channel in channels:
        if not 0 <= channel < len(found):
            raise ConfigError(f"layer {layer} has no channel {channel}: they are numbered 0 to {len(found) - 1}")
    if channels:
        return list(channels)
    order = np.argsort(-found.std(axis=(1, 2)), kind="stable")
    return [int(i) for i in order[:most]]


def _activation(values: NDArray[np.float32], name: str, stones: NDArray[np.int8]) -> Picture:
    full = max(float(np.abs(values).max()), 1e-9)
    told = f"{name.split()[-1]}: {values.min():.2g} to {values.max():.2g}"
    return plane_panel(values, name, stones=stones, scale=full, caption=told)


def _convolution(network: Network, layer: str) -> Node:
    """The convolution called `layer`, the first one if that is empty; ConfigError for others."""
    convolutions = {node.name: node for node in network.graph.nodes if isinstance(node.op, Conv2d)}
    wanted = layer or next(iter(convolutions), "")
    if wanted not in convolutions:
        raise ConfigError(f"{network.spec.name} has no convolution {layer!r}; there are {', '.join(convolutions)}")
    return convolutions[wanted]


def filters_picture(
    network: Network,
    layer: str = "",
    filters: Sequence[int] = (),
    *,
    rows: int = 12,
    columns: int = 12,
    heading: str = "",
    caption: str = "",
) -> Picture:
    """The weights of a convolution (default: the first): a row a filter, a column an input channel.

    Filters are those named or the first `rows`; channels the `columns` that weigh the most over these filters.
    """
    node = _convolution(network, layer)
    weight = network.arrays[f"{node.name}.weight"]
    chosen = list(filters) or list(range(min(rows, len(weight))))
    for one in chosen:
        if not 0 <= one < len(weight):
            raise ConfigError(f"layer {node.name} has no filter {one}: they are numbered 0 to {len(weight) - 1}")
    strongest = np.argsort(-np.abs(weight[chosen]).sum(axis=(0, 2, 3)), kind="stable")[:columns]
    inputs = sorted(int(i) for i in strongest)
    words = _inputs(network, node)
    full = {f: max(float(np.abs(weight[f, inputs]).max()), 1e-9) for f in chosen}
    panels = [
        plane_panel(weight[f, c], f"filter {f}, {words(c)}", scale=full[f], width=62, caption=f"{f} on {c}")
        for f in chosen
        for c in inputs
    ]
    named = f"inputs: {'; '.join(f'{c} {words(c)}' for c in inputs)}" if node.inputs[0] == SPATIAL else ""
    shape = " × ".join(str(n) for n in weight.shape)
    title = (
        heading
        or f"{network.spec.name}, {node.name}: filters {shape} (blue adds, orange takes away; each row by its greatest)"
    )
    return grid("Filters", panels, len(inputs), heading=title, caption=caption or named)


def _inputs(network: Network, node: Node) -> Callable[[int], str]:
    meanings = plane_meanings(network.spec.encoder) if node.inputs[0] == SPATIAL else ()
    return lambda channel: meanings[channel] if meanings else f"channel {channel}"


def convolution_picture(
    network: Network, position: Position, point: int, filter_: int = 0, *, heading: str = "", caption: str = ""
) -> Picture:
    """The first convolution at one point: patch × weights = product for the planes that count the most, and the sum."""
    node = _convolution(network, "")
    weight = network.arrays[f"{node.name}.weight"]
    if node.inputs[0] != SPATIAL or not 0 <= filter_ < len(weight):
        raise ConfigError(f"layer {node.name} has no filter {filter_}: they are numbered 0 to {len(weight) - 1}")
    patches = patches_at(encode(network.spec.encoder, position).spatial[0], point, weight.shape[-1])
    products = patches * weight[filter_]
    sums = products.sum(axis=(1, 2))
    bias = network.arrays.get(f"{node.name}.bias")
    total = float(sums.sum()) + (float(bias[filter_]) if bias is not None else 0.0)
    strongest = [int(i) for i in np.argsort(-np.abs(sums), kind="stable")[:5] if sums[i] != 0]
    meanings = plane_meanings(network.spec.encoder)
    rows = [_step(patches[i], weight[filter_, i], products[i], f"{i}: {meanings[i]}") for i in strongest]
    board = _window(position, point, weight.shape[-1])
    told = caption or (
        f"sum over {len(weight[0])} planes{'' if bias is None else ' and the bias'}: {signed(total, '.3f')}. "
        "The same weights go over every point of the board."
    )
    title = heading or f"Convolution: filter {filter_} of {node.name} at {position.vertex(point)}"
    steps = grid("steps", rows, 1)
    return grid("A convolution at one point", [board, steps], 2, heading=title, caption=told, gap=2 * GAP)


def patches_at(planes: NDArray[np.float32], point: int, kernel: int) -> NDArray[np.float32]:
    """float32[C, kernel, kernel]: what a filter sees of planes [C, H, W] around a point, zeros beyond the edge."""
    reach = kernel // 2
    row, col = divmod(point, planes.shape[2])
    padded = np.pad(planes, ((0, 0), (reach, reach), (reach, reach)))
    return padded[:, row : row + kernel, col : col + kernel]


def _step(patch: NDArray[np.float32], weight: NDArray[np.float32], product: NDArray[np.float32], name: str) -> Picture:
    full = max(float(np.abs(weight).max()), 1e-9)
    panels = [
        plane_panel(patch, f"patch of {name}", width=78),
        _sign("×"),
        plane_panel(weight, f"weights of {name}", scale=full, width=78),
        _sign("="),
        plane_panel(product, f"product of {name}", scale=full, width=78),
        _sign(f"Σ {signed(float(product.sum()), '.3f')}", 90),
    ]
    return grid(name, panels, 6, heading=name)


def _sign(words: str, width: float = 18) -> Picture:
    return Picture(words, width, 78, text(width / 2, 44, words, 14))


def _window(position: Position, point: int, kernel: int) -> Picture:
    """The board with the filter's window on it."""
    reach = kernel // 2

    def drawn(frame: Frame) -> Iterable[str]:
        x, y = frame.xy(point)
        side = CELL * (2 * reach + 1)
        look = ' fill="#1f66b0" fill-opacity="0.18" stroke="#1f66b0" stroke-width="2"'
        yield box(x - side / 2, y - side / 2, side, side, "window", more=look)

    told = f"the {kernel} × {kernel} window"
    return board_panel(position.stones, "the board", last=position.last_move, overlay=drawn, width=320, caption=told)
