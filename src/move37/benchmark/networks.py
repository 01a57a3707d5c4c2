"""Evaluations a second: each network, each way to run it here, each batch size, and which settings to use.

An evaluation is encoding a position and running the network. Where torch is installed it runs in both memory layouts,
in turn with the fast path, which must agree with it before anything is timed; the better layout is the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.benchmark.figures import Figure, best_rate, figure, require
from move37.benchmark.positions import midgame
from move37.benchmark.probe import REFERENCE_GFLOPS, probe
from move37.errors import ConfigError
from move37.evaluators.backends import require_runnable
from move37.features.encoder import get_encoder
from move37.nets import fast_cpu, weights
from move37.nets.graph import Network, NetworkSpec
from move37.nets.runner import Runner

__all__ = ["net_group"]

BATCHES = (1, 2, 4, 8, 16, 32)
TORCH_BATCHES = (1, 8, 32)
SECONDS = 0.7
"""What a round of measuring takes, about."""
KATAGO_NETWORK = "g170-b6c96"
KATAGO_TARGET = 320.0  # evaluations/s: twice KataGo 1.17.2's on two AMD Zen 3 cores, which is 157 to 175
VISITS_TARGET = 340.0  # visits/s: KataGo's own are 164 to 188
VISITS, SEARCH_BATCH = 400, 8
OPENING_MOVES, OPENING_VISITS = 40, 8
TOLERANCE = 2e-3  # of the logits' own size

Evaluate = Callable[[NDArray[Any]], dict[str, NDArray[np.float32]]]


def net_group(names: Sequence[str] = ()) -> Iterator[Figure]:
    """Each of the networks called `names`; without any, the bundled ones and an untrained one of 10 x 128 filters."""
    if names:
        networks = [weights.load(weights.find(name)) for name in names]
    else:
        networks = [weights.load(path) for path in weights.bundled().values()] + [_untrained()]
    for network in networks:
        require_runnable(network)
    machine = probe()
    yield machine
    for network in networks:
        yield from _measured(network, machine.value)


def _untrained() -> Network:
    from move37.nets.zero import zero_network

    return zero_network(blocks=10, filters=128, sizes=[19], rng=np.random.default_rng(1), name="untrained-10x128")


def _measured(network: Network, machine: float) -> Iterator[Figure]:
    name = network.spec.name
    size = _square(network.spec)
    boards = midgame(max(BATCHES), size, size * 7)
    if network.spec.komi_band is not None:
        boards["komi"] = network.spec.komi_band[0]
    ways = _ways(network)
    _check(ways, boards[:3])
    rates: dict[tuple[str, int], float] = {}
    for batch in BATCHES:
        for way, evaluate in ways.items():
            if way == "fast" or "fast" not in ways or batch in TORCH_BATCHES:
                others = [rate for key, rate in rates.items() if key[1] == batch and way == "fast"]
                rates[way, batch] = _rate(evaluate, boards[:batch])
                yield figure(f"{name}-{way}-b{batch}", rates[way, batch], "evaluations/s", max(others, default=None))
    yield _best(name, rates, machine)
    if network.spec.katago is not None:
        yield figure(f"{name}-visits", _visits(network, size), "visits/s", _scaled(VISITS_TARGET, name, machine))


def _visits(network: Network, side: int) -> float:
    """Visits a second of KataGo's search: moves in the middle of a game it plays with itself, a new tree each."""
    from move37.evaluators.network import NetworkEvaluator
    from move37.rules.position import Position
    from move37.search.katago import KataGoConfig
    from move37.search.katago_search import KataGoSearch

    search = KataGoSearch(NetworkEvaluator(network), KataGoConfig(batch=SEARCH_BATCH))
    position = Position(size=side, rules="chinese", komi=7.5)

    def work() -> float:
        search.clear()
        result = search.run(position, VISITS)
        position.play(result.move)
        return float(result.root_visits)

    for _ in range(OPENING_MOVES):
        position.play(search.run(position, OPENING_VISITS).move)
    return best_rate(work)


def _scaled(target: float, name: str, machine: float) -> float | None:
    """What KataGo's test network must reach: less on a machine that multiplies matrices slower."""
    return target * min(1.0, machine / REFERENCE_GFLOPS) if name.startswith(KATAGO_NETWORK) else None


def _square(spec: NetworkSpec) -> int:
    """The side of the board to measure on; ConfigError if the network is for none that is square."""
    sides = [rows for rows, cols in spec.board_sizes or ((19, 19),) if rows == cols]
    if not sides:
        raise ConfigError(f"{spec.name}: is made for {spec.sizes_text()}; speeds are measured on square boards alone.")
    return sides[0]


def _ways(network: Network) -> dict[str, Evaluate]:
    """What can run `network` here, the fast path last."""
    encoder = get_encoder(network.spec.encoder)
    if (encoder.planes, encoder.globals) != (network.spec.planes, network.spec.globals):
        raise ConfigError(f"{network.spec.name}: reads other inputs than its encoder {encoder.name} writes.")

    def evaluate(runner: Runner) -> Evaluate:
        def run(boards: NDArray[Any]) -> dict[str, NDArray[np.float32]]:
            encoded = encoder.encode(boards)
            return runner.run(encoded.spatial, encoded.globals)

        return run

    runners: dict[str, Runner] = {}
    try:
        from move37.nets.torch_runner import TorchRunner
    except ModuleNotFoundError:
        pass
    else:
        runners["torch-nchw"] = TorchRunner(network, layout="nchw")
        runners["torch-nhwc"] = TorchRunner(network, layout="nhwc")
    if fast_cpu.can_run(network):
        runners["fast"] = fast_cpu.FastRunner(network)
    return {way: evaluate(runner) for way, runner in runners.items()}


def _check(ways: dict[str, Evaluate], boards: NDArray[Any]) -> None:
    """All ways agree, and a position's answer does not depend on its batch."""
    answers = {way: evaluate(boards) for way, evaluate in ways.items()}
    first = next(iter(answers.values()))
    for way, evaluate in ways.items():
        alone = evaluate(boards[:1])
        for name, wanted in first.items():
            scale = max(1.0, float(np.abs(wanted).max()))
            for found, what in ((answers[way][name], "its batch"), (alone[name], "the way it runs")):
                close = np.allclose(found / scale, wanted[: len(found)] / scale, atol=TOLERANCE)
                require(close, f"{name} of the network depends on {what} ({way})")


def _rate(evaluate: Evaluate, boards: NDArray[Any]) -> float:
    def work(rounds: int) -> float:
        for _ in range(rounds):
            evaluate(boards)
        return float(rounds * len(boards))

    single = best_rate(lambda: work(1))
    rounds = max(1, int(SECONDS * single / len(boards)))
    return best_rate(lambda: work(rounds))


def _best(name: str, rates: dict[tuple[str, int], float], machine: float) -> Figure:
    """The best of all, and the settings that gave it; KataGo's test network has a target, less on slower machines."""
    (way, _), rate = max(rates.items(), key=lambda item: item[1])
    near = min(size for (other, size), found in rates.items() if other == way and found >= 0.95 * rate)
    target = _scaled(KATAGO_TARGET, name, machine)
    backend = "fast" if way == "fast" else "torch"
    note = f"{name}: use the {backend} backend and batches of {near}, {rates[way, near]:,.0f} evaluations/s here"
    return replace(figure(f"{name}-best", rate, "evaluations/s", target), note=note)
