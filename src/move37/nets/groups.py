"""Which nodes of a description run together in one step of the fast plan.

A convolution or dense layer takes along what only it feeds: sums with something that is there already, and after them a
batch norm and an activation. So the sum, its normalised and activated form, or both are written while the numbers are
still in registers. A sum that others read too is kept (`Group.raw`). Knows descriptions only, no memory and no steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from move37.nets import ops
from move37.nets.graph import GLOBALS, SPATIAL, Graph, Node

ACTIVATIONS = (ops.Relu, ops.Mish, ops.Silu, ops.Tanh)
_SUMMING = (ops.Conv2d, ops.Dense, ops.Add, ops.Multiply, ops.PointBias)


@dataclass(slots=True)
class Group:
    """A main node and what it takes along.

    `source`: what the main node reads (all of it for `Concat`: see the node). `others`: what is added to its result.
    `raw`: the sum's name if somebody reads it. `norm`, `activation`: what follows it, and `result` the last name of
    those, None if nothing follows.
    """

    main: Node
    source: str
    others: list[str] = field(default_factory=list[str])
    raw: str | None = None
    norm: Node | None = None
    activation: Node | None = None
    result: str | None = None

    @property
    def reads(self) -> tuple[str, ...]:
        """Names that must be there first."""
        return (*self.main.inputs, *(name for name in self.others if name not in self.main.inputs))


def grouped(graph: Graph) -> list[Group]:
    """The nodes of `graph` as groups, each after those it reads."""
    uses = graph.uses()
    users: dict[str, list[Node]] = {}
    for node in graph.nodes:
        for name in node.inputs:
            users.setdefault(name, []).append(node)
    taken: set[str] = set()
    groups: list[Group] = []
    for node in graph.nodes:
        if node.name not in taken:
            groups.append(_group(node, users, uses, taken))
    return list(_ordered(groups))


def _group(node: Node, users: Mapping[str, list[Node]], uses: Mapping[str, int], taken: set[str]) -> Group:
    group = Group(node, node.inputs[0])
    taken.add(node.name)
    if isinstance(node.op, ops.BatchNorm):
        group.norm, group.result = node, node.name
        _take_activation(group, node.name, users, uses, taken)
        return group
    if isinstance(node.op, ACTIVATIONS):
        group.activation, group.result = node, node.name
        return group
    end = node
    if isinstance(node.op, ops.Add):
        group.others.append(node.inputs[1])
    while isinstance(node.op, _SUMMING) and uses[end.name] == 1:
        follower = users.get(end.name, [None])[0]
        if follower is None or not isinstance(follower.op, ops.Add) or follower.name in taken:
            break
        first, second = follower.inputs
        group.others.append(second if first == end.name else first)
        end = follower
        taken.add(end.name)
    group.raw = end.name
    if isinstance(node.op, _SUMMING):
        _take_tail(group, users, uses, taken)
    return group


def _take_tail(group: Group, users: Mapping[str, list[Node]], uses: Mapping[str, int], taken: set[str]) -> None:
    """Take a norm and an activation, or one of them, after the sum along; forget the sum if nobody else reads it."""
    end = group.raw
    assert end is not None
    norms = [n for n in users.get(end, []) if isinstance(n.op, ops.BatchNorm) and n.name not in taken]
    if norms:
        group.norm, group.result = norms[0], norms[0].name
        taken.add(norms[0].name)
        _take_activation(group, norms[0].name, users, uses, taken)
    else:
        followers = [n for n in users.get(end, []) if isinstance(n.op, ACTIVATIONS) and n.name not in taken]
        if followers:
            group.activation, group.result = followers[0], followers[0].name
            taken.add(followers[0].name)
    if group.result is not None and uses[end] == 1:
        group.raw = None


def _take_activation(
    group: Group, end: str, users: Mapping[str, list[Node]], uses: Mapping[str, int], taken: set[str]
) -> None:
    follower = users.get(end, [None])[0]
    if uses[end] == 1 and follower is not None and isinstance(follower.op, ACTIVATIONS):
        group.activation, group.result = follower, follower.name
        taken.add(follower.name)


def _ordered(groups: list[Group]) -> Iterator[Group]:
    """The groups so that each comes after what it reads, in the description's order where that is free."""
    there = {SPATIAL, GLOBALS}
    waiting = list(groups)
    while waiting:
        ready = next(i for i, group in enumerate(waiting) if there.issuperset(group.reads))
        group = waiting.pop(ready)
        there.update(name for name in (group.raw, group.result) if name is not None)
        yield group
