"""Which network plays: a file, a bundled name, the bundled one that fits the board, or an evaluator made by the caller.

A source is cheap: it reads the headers of files, so a wrong path is told at once, and loads a network at the first
board that needs it. One source serves all sizes its networks support.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol, TypeAlias, runtime_checkable

from move37.errors import NetworkFileError
from move37.nets import weights
from move37.nets.graph import Network, NetworkSpec
from move37.search.evaluator import Evaluator


@runtime_checkable
class Holder(Protocol):
    """Something that holds a network, such as what `load_network` returns."""

    @property
    def network(self) -> Network:
        """The network's description and arrays."""
        ...


Net: TypeAlias = Path | str | Network | Holder | Evaluator | None
"""A file or bundled name, a network in memory, a ready evaluator, or None: the bundled one that fits the board."""


class NetworkSource:
    """Evaluators by board size.

    `wrap` puts wrappers (cache, symmetries) around a network, once for each network. `threads` are the network's on
    the CPU.
    """

    def __init__(
        self, net: Net = None, wrap: Callable[[Evaluator], Evaluator] | None = None, threads: int | None = None
    ) -> None:
        self._threads = threads
        self._wrap = wrap if wrap is not None else _as_it_is
        self._network: Network | None = None
        self._evaluator: Evaluator | None = None
        self._specs: dict[Path, NetworkSpec] = {}
        self._loaded: dict[Path, Evaluator] = {}
        if isinstance(net, Network):
            self._network = net
        elif isinstance(net, Holder):
            self._network = net.network
        elif net is None or isinstance(net, str | Path):
            self._specs = {path: weights.load_description(path)[0] for path in _paths(net)}
        else:
            self._evaluator = net

    @property
    def name(self) -> str:
        """The network's name, for logs; empty where the board decides or the caller made the evaluator."""
        if self._network is not None:
            return self._network.spec.name
        return next(iter(self._specs)).stem if len(self._specs) == 1 else ""

    def supports(self, rows: int, cols: int) -> bool:
        """Whether there is a network for this board size; a ready evaluator is taken at its word."""
        if self._evaluator is not None:
            return True
        specs = [self._network.spec] if self._network is not None else list(self._specs.values())
        return any(spec.supports(rows, cols) for spec in specs)

    def evaluator(self, rows: int, cols: int) -> Evaluator:
        """The evaluator for a board size; `NetworkFileError` in one sentence where no network fits."""
        if self._evaluator is not None:
            return self._evaluator
        if self._network is not None:
            if not self._network.spec.supports(rows, cols):
                raise _misfit(self._network.spec.name, [self._network.spec], rows, cols)
            self._evaluator = self._make(self._network)
            return self._evaluator
        path = next((path for path, spec in self._specs.items() if spec.supports(rows, cols)), None)
        if path is None:
            raise _misfit(", ".join(map(str, self._specs)), list(self._specs.values()), rows, cols)
        if path not in self._loaded:
            self._loaded[path] = self._make(weights.load(path))
        return self._loaded[path]

    def _make(self, network: Network) -> Evaluator:
        # torch comes with this import; a GTP session's first answers need not wait for it.
        from move37.evaluators.network import NetworkEvaluator

        return self._wrap(NetworkEvaluator(network, threads=self._threads))


def _as_it_is(evaluator: Evaluator) -> Evaluator:
    return evaluator


def _paths(net: Path | str | None) -> list[Path]:
    if net is not None:
        return [weights.find(net)]
    paths = list(weights.bundled().values())
    if not paths:
        raise NetworkFileError("no network is bundled with this installation: name one with --net PATH")
    return paths


def _misfit(what: str, specs: list[NetworkSpec], rows: int, cols: int) -> NetworkFileError:
    sizes = "; ".join(spec.sizes_text() for spec in specs)
    return NetworkFileError(
        f"{what}: no network for a {rows}x{cols} board, found networks for {sizes}: choose --net or --size"
    )
