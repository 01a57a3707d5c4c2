"""The networks of AlphaGo's players: a policy network and a value network apart, or one with both heads.

Which files a player looks for where none is named is said by the player (`alphago_presets`); where they lie, by
`nets.finding`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from move37.errors import NetworkFileError, PlayerError
from move37.nets import finding
from move37.nets.file_kind import OWN_SUFFIX
from move37.nets.graph import NetworkSpec
from move37.players.network_source import Net, NetworkSource, Source
from move37.search.evaluator import Evaluator
from move37.search.two_networks import TwoNetworks

__all__ = ["PairSource", "WrappedSource", "alphago_source"]


class PairSource:
    """Evaluators of two networks, for boards that both support."""

    def __init__(self, policy: Source, value: Source) -> None:
        self._policy = policy
        self._value = value

    @property
    def name(self) -> str:
        """Both names."""
        return f"{self._policy.name} and {self._value.name}"

    @property
    def specs(self) -> list[NetworkSpec]:
        """Of both."""
        return [*self._policy.specs, *self._value.specs]

    def supports(self, rows: int, cols: int) -> bool:
        """Whether both do."""
        return self._policy.supports(rows, cols) and self._value.supports(rows, cols)

    def evaluator(self, rows: int, cols: int) -> Evaluator:
        """The pair for a board size; `NetworkFileError` in one sentence where one of the two does not fit."""
        return TwoNetworks(self._policy.evaluator(rows, cols), self._value.evaluator(rows, cols))

    def plain(self, rows: int, cols: int) -> Evaluator:
        """`evaluator` without its wrappers."""
        return TwoNetworks(self._policy.plain(rows, cols), self._value.plain(rows, cols))

    def judge(self, rows: int, cols: int) -> Evaluator | None:
        """What foretells ownership: the value network, if it does."""
        return self._value.judge(rows, cols)


class WrappedSource:
    """Another source, its evaluators wrapped as wholes."""

    def __init__(self, inner: Source, wrap: Callable[[Evaluator], Evaluator]) -> None:
        self._inner = inner
        self._wrap = wrap

    @property
    def name(self) -> str:
        """See `Source`."""
        return self._inner.name

    @property
    def specs(self) -> list[NetworkSpec]:
        """See `Source`."""
        return self._inner.specs

    def supports(self, rows: int, cols: int) -> bool:
        """See `Source`."""
        return self._inner.supports(rows, cols)

    def evaluator(self, rows: int, cols: int) -> Evaluator:
        """See `Source`."""
        return self._wrap(self._inner.evaluator(rows, cols))

    def plain(self, rows: int, cols: int) -> Evaluator:
        """See `Source`."""
        return self._inner.plain(rows, cols)

    def judge(self, rows: int, cols: int) -> Evaluator | None:
        """See `Source`."""
        return self._inner.judge(rows, cols)


def alphago_source(player: str, wanted: Sequence[str], net: Net, value_net: Net, **options: Any) -> Source:
    """The networks of `player`: `net` and `value_net`, or else those named `wanted` (policy and value, or one of both).

    A network with both heads does alone; where nothing is wanted, the bundled one for the board. `options` are those of
    `NetworkSource`. NetworkFileError where `wanted` are not there, PlayerError where a network has not the head that it
    is needed for; both say what to do.
    """
    if net is None and value_net is None and wanted:
        net, value_net = _wanted(player, wanted)
    if net is None and value_net is not None:
        raise PlayerError(f"player {player!r} was given a value network alone: name its policy network too, with --net")
    if value_net is None:
        source = NetworkSource(net, **options)
        if source.lacks("value") or source.lacks("policy"):
            raise PlayerError(
                f"player {player!r} needs a policy and a value, and {source.name} has one of them: "
                "name the policy network with --net and the value network with --value-net"
            )
        return source
    return PairSource(_headed("policy", net, options), _headed("value", value_net, options))


def _headed(head: str, net: Net, options: dict[str, Any]) -> NetworkSource:
    source = NetworkSource(net, heads=(head,), **options)
    if source.lacks(head):
        raise PlayerError(f"{source.name} has no {head} output: choose another network for the {head}")
    return source


def _wanted(player: str, names: Sequence[str]) -> tuple[Net, Net]:
    """The files of these names, the second None if there is but one."""
    try:
        found = [finding.find(name) for name in names]
    except NetworkFileError as error:
        files = " and ".join(f"{name}{OWN_SUFFIX}" for name in names)
        pair = " and --value-net" if len(names) == 2 else ""
        raise NetworkFileError(
            f"player {player!r} wants its trained networks, {files}, in {finding.user_folder()}: put them there, "
            f"or name others with --net{pair} (a network with policy and value does alone)"
        ) from error
    return found[0], found[1] if len(found) == 2 else None
