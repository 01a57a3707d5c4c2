"""The networks of AlphaGo's players: a policy network and a value network apart, or one with both heads.

By which names a player looks for them where none is given is said by the player (`alphago_presets`); where they lie, by
`nets.finding`. Which of them fits is known when the board is.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from move37.errors import NetworkFileError, PlayerError
from move37.nets import finding
from move37.nets.file_kind import OWN_SUFFIX
from move37.nets.graph import NetworkSpec
from move37.players.network_source import Net, NetworkSource, Source
from move37.search.evaluator import Evaluator
from move37.search.two_networks import TwoNetworks

__all__ = ["FirstFitting", "PairSource", "WrappedSource", "alphago_source"]


class PairSource:
    """Evaluators of two networks, for boards that both support.

    `one`: where the two would be the same file, this plays instead, and a position is computed once.
    """

    def __init__(self, policy: NetworkSource, value: NetworkSource, one: NetworkSource | None = None) -> None:
        self._policy = policy
        self._value = value
        self._one = one

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
        if (one := self._same(rows, cols)) is not None:
            return one.evaluator(rows, cols)
        return TwoNetworks(self._policy.evaluator(rows, cols), self._value.evaluator(rows, cols))

    def plain(self, rows: int, cols: int) -> Evaluator:
        """`evaluator` without its wrappers."""
        if (one := self._same(rows, cols)) is not None:
            return one.plain(rows, cols)
        return TwoNetworks(self._policy.plain(rows, cols), self._value.plain(rows, cols))

    def judge(self, rows: int, cols: int) -> Evaluator | None:
        """What foretells ownership: the value network, if it does."""
        return self._value.judge(rows, cols)

    def _same(self, rows: int, cols: int) -> NetworkSource | None:
        file = self._policy.file(rows, cols)
        return self._one if file is not None and file == self._value.file(rows, cols) else None


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


class FirstFitting:
    """The first of several sources that has a network for the board; `told` is warned of where it is not the first."""

    def __init__(self, sources: Sequence[Source], told: str) -> None:
        self._sources = sources
        self._told = told
        self._warned: set[tuple[int, int]] = set()

    @property
    def name(self) -> str:
        """Empty: the board decides."""
        return ""

    @property
    def specs(self) -> list[NetworkSpec]:
        """Of all."""
        return [spec for source in self._sources for spec in source.specs]

    def supports(self, rows: int, cols: int) -> bool:
        """Whether one of them does."""
        return any(source.supports(rows, cols) for source in self._sources)

    def evaluator(self, rows: int, cols: int) -> Evaluator:
        """Of the first that fits; NetworkFileError in one sentence where none does."""
        found = self._fitting(rows, cols)
        if found is not self._sources[0] and (rows, cols) not in self._warned:
            self._warned.add((rows, cols))
            names = ", ".join(spec.name for spec in found.specs if spec.supports(rows, cols))
            warnings.warn(f"{self._told} for {rows}x{cols}; {names} plays in their place", stacklevel=2)
        return found.evaluator(rows, cols)

    def plain(self, rows: int, cols: int) -> Evaluator:
        """`evaluator` without its wrappers."""
        return self._fitting(rows, cols).plain(rows, cols)

    def judge(self, rows: int, cols: int) -> Evaluator | None:
        """See `Source`."""
        return self._fitting(rows, cols).judge(rows, cols) if self.supports(rows, cols) else None

    def _fitting(self, rows: int, cols: int) -> Source:
        found = next((source for source in self._sources if source.supports(rows, cols)), None)
        if found is None:
            raise NetworkFileError(f"{self._told} for {rows}x{cols}: train some, or name others with --net")
        return found


def alphago_source(
    player: str, net: Net, value_net: Net, roles: Sequence[Sequence[str]] = (), *, values: bool = True, **options: Any
) -> Source:
    """The networks of `player`: `net` and `value_net`, or else those found by name and board size.

    A network with both heads does alone; without `values` no value network is wanted. `roles`: for the policy and for
    the value (or once, for both in one network) names to look for, those first that are wanted most, see
    `finding.named`; without roles, or where none of these fits the board, a bundled network with both heads plays.
    `options` are those of `NetworkSource`. PlayerError where a network has not the head that it is needed for;
    NetworkFileError, once the board is known, where no network fits; both say what to do.
    """
    heads = ("policy", "value") if values else ("policy",)
    if net is None and value_net is not None:
        raise PlayerError(f"player {player!r} was given a value network alone: name its policy network too, with --net")
    if net is None:
        return _found(player, roles, heads, options)
    if value_net is not None and values:
        return PairSource(_headed("policy", net, options), _headed("value", value_net, options))
    source = NetworkSource(net, heads=heads, **options)
    if any(source.lacks(head) for head in heads):
        raise PlayerError(
            f"player {player!r} needs a policy and a value, and {source.name} has one of them: "
            "name the policy network with --net and the value network with --value-net"
        )
    return source


def _headed(head: str, net: Net, options: dict[str, Any]) -> NetworkSource:
    source = NetworkSource(net, heads=(head,), **options)
    if source.lacks(head):
        raise PlayerError(f"{source.name} has no {head} output: choose another network for the {head}")
    return source


def _found(player: str, roles: Sequence[Sequence[str]], heads: Sequence[str], options: dict[str, Any]) -> Source:
    """The networks that are found by their names, and the bundled ones where these do not fit."""
    both = NetworkSource(heads=heads, **options)
    if not roles:
        return both
    if len(roles) == 1:
        own: Source = NetworkSource(heads=heads, candidates=_by_names(roles[0]), **options)
    else:
        parts = [
            NetworkSource(heads=(head,), candidates=_by_names(names), **options)
            for head, names in zip(heads, roles, strict=False)
        ]
        own = parts[0]
        if len(parts) == 2:
            one = NetworkSource(heads=heads, candidates=_by_names(_in_all(roles)), **options)
            own = PairSource(parts[0], parts[1], one)
    wanted = " and ".join(f"{names[0]}-SIZE" for names in roles[: len(heads)])
    return FirstFitting((own, both), f"player {player!r} has no trained networks ({wanted}{OWN_SUFFIX})")


def _in_all(roles: Sequence[Sequence[str]]) -> list[str]:
    return [name for name in roles[0] if all(name in names for names in roles)]


def _by_names(names: Sequence[str]) -> list[Path]:
    """The networks called so, in the order of the names."""
    return list(dict.fromkeys(path for name in names for path in finding.named(name)))
