"""A network that ends at one of its inner nodes: how its activations are read, by whatever runs networks.

The tapped network is an ordinary one with one output, so the fast path and torch need to know nothing of it.
"""

from __future__ import annotations

from collections.abc import Mapping

from move37.errors import ConfigError
from move37.nets.graph import GLOBALS, SPATIAL, Graph, Network, Node

__all__ = ["TAPPED", "tap"]

TAPPED = "misc"
"""The name of a tapped network's output: the one whose shape a graph leaves open."""


def tap(network: Network, name: str) -> Network:
    """The part of `network` that leads to the node `name`, whose output it gives as TAPPED; ConfigError if unknown."""
    nodes = {node.name: node for node in network.graph.nodes}
    if name not in nodes:
        raise ConfigError(f"The network {network.spec.name} has no layer {name!r}; there are {', '.join(nodes)}.")
    needed = _needed(nodes, name)
    graph = Graph(tuple(node for node in network.graph.nodes if node.name in needed), {TAPPED: name})
    arrays = {key: network.arrays[key] for key in graph.parameter_shapes()}
    return Network(network.spec, graph, arrays)


def _needed(nodes: Mapping[str, Node], name: str) -> set[str]:
    found: set[str] = set()
    waiting = [name]
    while waiting:
        one = waiting.pop()
        if one not in found and one not in (SPATIAL, GLOBALS):
            found.add(one)
            waiting += nodes[one].inputs
    return found
