"""Which network plays: a file, a bundled name, the bundled one that fits the board, or an evaluator made by the caller.

A source tells at once what cannot be: a wrong path, a damaged file, a network that nothing here can run. What costs
time, making a network ready to compute, waits for the first board that needs it. One source serves all sizes its
networks support.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeAlias, cast, runtime_checkable

from move37.errors import ConfigError, NetworkFileError, PlayerError
from move37.evaluators.backends import Backend, require_backend, require_runnable
from move37.nets import finding, weights
from move37.nets.file_kind import FileKind
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


class Source(Protocol):
    """What a player needs of the networks it plays with; see `NetworkSource`."""

    @property
    def name(self) -> str:
        """For logs; may be empty."""
        ...

    @property
    def specs(self) -> list[NetworkSpec]:
        """Of all its networks that are known."""
        ...

    def supports(self, rows: int, cols: int) -> bool:
        """Whether there is a network for this board size."""
        ...

    def evaluator(self, rows: int, cols: int) -> Evaluator:
        """The evaluator for a board size."""
        ...

    def plain(self, rows: int, cols: int) -> Evaluator:
        """`evaluator` without its wrappers."""
        ...

    def judge(self, rows: int, cols: int) -> Evaluator | None:
        """What foretells ownership on boards of a size, if anything does."""
        ...


class NetworkSource:
    """Evaluators by board size.

    `net` None: of `candidates`, by default the bundled networks, those that have all `heads`; the first that fits the
    board plays. `wrap` puts wrappers (cache, symmetries) around a network, once for each network. `threads`, `device`
    and `backend` are those of `evaluators.backends`, `heads` those of `NetworkEvaluator`. NetworkFileError or
    ConfigError in one sentence for a network that cannot be loaded or run.
    """

    def __init__(
        self,
        net: Net = None,
        wrap: Callable[[Evaluator], Evaluator] | None = None,
        threads: int | None = None,
        device: str | None = None,
        backend: str | None = None,
        heads: Sequence[str] = ("policy", "value"),
        candidates: Sequence[Path] | None = None,
    ) -> None:
        require_backend(backend or "auto", threads)
        computing = {"threads": threads, "device": device, "backend": backend or "auto", "heads": heads}
        self._computing: dict[str, Any] = computing
        self._wrap = wrap if wrap is not None else _as_it_is
        self._ready: Evaluator | None = None
        self._specs: dict[Path | None, NetworkSpec] = {}
        self._networks: dict[Path | None, Network] = {}
        self._loaded: dict[Path | None, _Loaded] = {}
        if isinstance(net, Network | Holder):
            network = net if isinstance(net, Network) else net.network
            self._networks[None], self._specs[None] = network, network.spec
        elif net is None:
            self._specs.update(_with_heads(heads, candidates))
        elif isinstance(net, str | Path):
            path = weights.find(net)
            self._networks[path] = weights.load(path)
            self._specs[path] = self._networks[path].spec
        elif hasattr(net, "evaluate"):
            self._ready = net
        else:
            raise ConfigError(f"A player's net is a file, a name, a network or an evaluator, not {net!r:.60}.")
        self._require_runnable = partial(require_runnable, backend=cast(Backend, backend or "auto"), device=device)
        for network in self._networks.values():
            self._require_runnable(network)

    @property
    def name(self) -> str:
        """The network's name, for logs; empty where the board decides or the caller made the evaluator."""
        if len(self._specs) != 1:
            return ""
        path, spec = next(iter(self._specs.items()))
        return spec.name if path is None else weights.plain_name(path)

    def lacks(self, head: str) -> bool:
        """Whether a network of it that is not loaded yet has no such output; KataGo's have all."""
        networks = [network for network in self._networks.values() if network.spec.katago is None]
        return any(head not in network.graph.outputs for network in networks)

    @property
    def specs(self) -> list[NetworkSpec]:
        """Of all its networks; none where the caller made the evaluator."""
        return list(self._specs.values())

    def supports(self, rows: int, cols: int) -> bool:
        """Whether there is a network for this board size; a ready evaluator is taken at its word."""
        return self._ready is not None or self._fitting(rows, cols) is not None

    def file(self, rows: int, cols: int) -> Path | None:
        """The file whose network plays on boards of a size; None where none fits or it came from no file."""
        fitting = self._fitting(rows, cols)
        return None if fitting is None else fitting[0]

    def evaluator(self, rows: int, cols: int) -> Evaluator:
        """The evaluator for a board size; `NetworkFileError` in one sentence where no network fits."""
        return self._ready if self._ready is not None else self._load(rows, cols).wrapped

    def plain(self, rows: int, cols: int) -> Evaluator:
        """`evaluator` without its wrappers."""
        return self._ready if self._ready is not None else self._load(rows, cols).plain

    def judge(self, rows: int, cols: int) -> Evaluator | None:
        """What foretells ownership on boards of a size, unwrapped; None where no such network fits."""
        if self._ready is not None:
            return self._ready
        fitting = self._fitting(rows, cols)
        return self._load(rows, cols).plain if fitting is not None and fitting[1].katago is not None else None

    def _fitting(self, rows: int, cols: int) -> tuple[Path | None, NetworkSpec] | None:
        return next((item for item in self._specs.items() if item[1].supports(rows, cols)), None)

    def _load(self, rows: int, cols: int) -> _Loaded:
        fitting = self._fitting(rows, cols)
        if fitting is None:
            names = ", ".join(str(path or spec.name) for path, spec in self._specs.items())
            raise _misfit(names, self.specs, rows, cols)
        path = fitting[0]
        if path not in self._loaded:
            plain = self._make(self._network(path))
            self._loaded[path] = _Loaded(plain, self._wrap(plain))
        return self._loaded[path]

    def _network(self, path: Path | None) -> Network:
        if path is None or path in self._networks:
            return self._networks.pop(path)
        network = weights.load(path)
        self._require_runnable(network)
        return network

    def _make(self, network: Network) -> Evaluator:
        # What computes a network (torch, kernels) comes with this import; a GTP session's first answers need not wait.
        from move37.evaluators.network import NetworkEvaluator

        return NetworkEvaluator(network, **self._computing)


@dataclass(frozen=True)
class _Loaded:
    """A network's evaluator, as it is and in its wrappers."""

    plain: Evaluator
    wrapped: Evaluator


def katago_source(
    net: Net = None,
    wrap: Callable[[Evaluator], Evaluator] | None = None,
    threads: int | None = None,
    device: str | None = None,
    backend: str | None = None,
) -> NetworkSource:
    """The source of a player that needs KataGo's networks; by default the first that is found and can be run here.

    PlayerError for a network of another format; where no network will do, the error of the first, or NetworkFileError
    if there is none.
    """
    if net is not None:
        source = NetworkSource(net, wrap, threads, device, backend)
        _require_katago(source)
        return source
    errors: list[ConfigError | NetworkFileError] = []
    for found in finding.found_networks():
        if found.kind is FileKind.KATAGO:
            try:
                return NetworkSource(found.path, wrap, threads, device, backend)
            except (ConfigError, NetworkFileError) as error:
                errors.append(error)
    raise (
        errors[0]
        if errors
        else NetworkFileError(
            "player 'katago' needs a network of KataGo's, a file such as NAME.bin.gz from katagotraining.org: "
            f"name it with --net PATH, or put it into {finding.user_folder()}"
        )
    )


def _require_katago(source: NetworkSource) -> None:
    if any(spec.katago is None for spec in source.specs):
        raise PlayerError(
            f"player 'katago' needs a network of KataGo's, which {source.name or 'this'} is not: "
            "choose another one, or player 'zero'"
        )


def _as_it_is(evaluator: Evaluator) -> Evaluator:
    return evaluator


def _with_heads(heads: Sequence[str], candidates: Sequence[Path] | None) -> dict[Path | None, NetworkSpec]:
    """Specs of the candidates (default: the bundled networks) that have all `heads`."""
    paths = list(weights.bundled().values()) if candidates is None else candidates
    found: dict[Path | None, NetworkSpec] = {}
    for path in paths:
        spec, graph = weights.load_description(path)
        if all(head in graph.outputs for head in heads):
            found[path] = spec
    if not found and candidates is None:
        raise NetworkFileError("no network is bundled with this installation: name one with --net PATH")
    return found


def _misfit(what: str, specs: list[NetworkSpec], rows: int, cols: int) -> NetworkFileError:
    sizes = "; ".join(spec.sizes_text() for spec in specs)
    return NetworkFileError(
        f"{what}: no network for a {rows}x{cols} board, found networks for {sizes}: choose --net or --size"
    )
