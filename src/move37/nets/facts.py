"""What can be said of a network without running it: its format, its tower, its sizes, and what can run it.

`glance` is for lists: it reads the beginning of a file, or the lengths of its lines. `facts` is for one network: it
loads the whole file, so a damaged one is told. `file_runs_on` loads as little as can tell.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from move37.nets import katago, leela, own_file, weights
from move37.nets.file_kind import FileKind, kind_of
from move37.nets.graph import SPATIAL, Graph, Network, NetworkSpec, Node
from move37.nets.graph_json import spec_to_json
from move37.nets.ops import Add, BatchNorm, Conv2d

__all__ = ["FAST", "Glance", "facts", "file_runs_on", "glance", "runs_on", "tower"]

FAST = "fast CPU path"

_ANY_SIZE = (19, 19)


@dataclass(frozen=True, slots=True)
class Glance:
    """A network at a glance: `format` with its version, residual `blocks`, `channels` of the trunk, `encoder`.

    `boards` and `komi` in words: "9x9, 13x13" or "any size"; "6.5 to 7.5" or "any".
    """

    format: str
    blocks: int
    channels: int
    encoder: str
    boards: str
    komi: str


def glance(path: Path, kind: FileKind) -> Glance:
    """What the beginning of the file `path` says; NetworkFileError as `weights.load`, so far as that sees."""
    match kind:
        case FileKind.MOVE37:
            spec, graph = own_file.load_description(path)
            version = own_file.FORMAT_VERSION
            blocks, channels = tower(spec, graph)
        case FileKind.KATAGO:
            version, blocks, channels = katago.read_size(path)
            spec = NetworkSpec("", katago.ENCODER, 0)
        case FileKind.LEELA:
            version, blocks, channels, spec = leela.read_size(path)
    return Glance(f"{kind} {version}", blocks, channels, spec.encoder, spec.sizes_text(), komi_text(spec))


def facts(path: Path) -> dict[str, Any]:
    """Everything there is to say of the network in `path`, as JSON values; NetworkFileError as `weights.load`."""
    kind = kind_of(path)
    network = weights.load(path)
    spec, graph = network.spec, network.graph
    blocks, channels = tower(spec, graph)
    return {
        "path": str(path),
        "file_bytes": path.stat().st_size,
        "format": glance(path, kind).format,
        **spec_to_json(spec),
        "blocks": blocks,
        "channels": channels,
        "parameters": graph.parameter_count,
        "layers": len(graph.nodes),
        "outputs": list(graph.outputs),
        "runs_on": runs_on(network),
    }


def tower(spec: NetworkSpec, graph: Graph) -> tuple[int, int]:
    """Residual blocks and channels of the trunk: sums of boards as wide as the first convolution.

    An attention and the feed-forward layer after it count as two, as they do in KataGo's files; blocks inside a
    bottleneck do not count. A network without such blocks (AlphaGo's of 2016) has its convolutions counted instead.
    """
    rows, cols = spec.board_sizes[0] if spec.board_sizes else _ANY_SIZE
    shapes = graph.node_shapes((spec.planes, rows, cols), (spec.globals,))
    first = next((node for node in graph.nodes if isinstance(node.op, Conv2d) and node.inputs == (SPATIAL,)), None)
    if first is None:
        return 0, 0
    trunk = shapes[first.name]
    by_name = {node.name: node for node in graph.nodes}
    sums = [node for node in graph.nodes if isinstance(node.op, Add) and not _around_one_layer(node, by_name)]
    blocks = sum(all(shapes[name] == trunk for name in node.inputs) for node in sums)
    layers = sum(isinstance(node.op, Conv2d) and shapes[node.name] == trunk for node in graph.nodes)
    return blocks or layers, trunk[0]


def _around_one_layer(node: Node, by_name: Mapping[str, Node]) -> bool:
    """Whether a sum adds a convolution's own input to it, as AlphaGo's networks do while they are trained."""
    for name, other in (node.inputs, node.inputs[::-1]):
        layer = by_name.get(name)
        if layer is not None and isinstance(layer.op, BatchNorm):
            layer = by_name.get(layer.inputs[0])
        if layer is not None and isinstance(layer.op, Conv2d) and layer.inputs[0] == other:
            return True
    return False


def runs_on(network: Network) -> list[str]:
    """What of this installation can run `network`: "fast CPU path", "torch"; empty if nothing can."""
    from move37.nets.fast_cpu import can_run  # compiled code, which most of the facts do not need

    return ([FAST] if can_run(network) else []) + _torch()


def file_runs_on(path: Path, kind: FileKind) -> list[str]:
    """`runs_on` of the network in the file `path`; NetworkFileError as `weights.load`, where it has to be loaded.

    Networks of Leela Zero are all of one kind, and their texts take long to read.
    """
    return [FAST, *_torch()] if kind is FileKind.LEELA else runs_on(weights.load(path))


def _torch() -> list[str]:
    return ["torch"] if find_spec("torch") is not None else []


def komi_text(spec: NetworkSpec) -> str:
    """The komi that the network is made for: "6.5 to 7.5", "7.5" or "any"."""
    if spec.komi_band is None:
        return "any"
    low, high = spec.komi_band
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"
