"""Parts of a network: one that ends at an inner node, for its activations to be read, and one with fewer outputs.

A part is an ordinary network, so the fast path and torch need to know nothing of it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from move37.errors import ConfigError
from move37.nets.graph import GLOBALS, SPATIAL, Graph, Network, Node

__all__ = ["TAPPED", "only", "tap"]

TAPPED = "misc"
"""The name of a tapped network's output: the one whose shape a graph leaves open."""


def tap(network: Network, name: str) -> Network:
    """The part of `network` that leads to the node `name`, whose output it gives as TAPPED; ConfigError if unknown."""
    nodes = {node.name: node for node in network.graph.nodes}
    if name not in nodes:
        raise ConfigError(f"The network {network.spec.name} has no layer {name!r}; there are {', '.join(nodes)}.")
    return _part(network, {TAPPED: name})


def only(network: Network, outputs: Collection[str], name: str | None = None) -> Network:
    """`network` with no other `outputs` and what leads to them, and with another `name`; ConfigError if one is unknown.

    So the policy or the value of a two-headed network is a network of its own.
    """
    kept = {output: node for output, node in network.graph.outputs.items() if output in outputs}
    unknown = set(outputs) - kept.keys()
    if unknown or not kept:
        have = ", ".join(network.graph.outputs)
        raise ConfigError(
            f"The network {network.spec.name} has no output {', '.join(unknown) or 'left'}; it has {have}."
        )
    part = _part(network, kept)
    return part if name is None else Network(replace(part.spec, name=name), part.graph, part.arrays)


def _part(network: Network, outputs: Mapping[str, str]) -> Network:
    needed = _needed({node.name: node for node in network.graph.nodes}, outputs.values())
    graph = Graph(tuple(node for node in network.graph.nodes if node.name in needed), dict(outputs))
    arrays = {key: network.arrays[key] for key in graph.parameter_shapes()}
    return Network(network.spec, graph, arrays)


def _needed(nodes: Mapping[str, Node], names: Collection[str]) -> set[str]:
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        one = waiting.pop()
        if one not in found and one not in (SPATIAL, GLOBALS):
            found.add(one)
            waiting += nodes[one].inputs
    return found
