"""The players that have names, one short function each: what a paper's program was, as a table of settings.

`preset(name, ...)` finds them by name. Numbers are those of the paper named in the function, or say that they are ours.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from move37.errors import PlayerError
from move37.players.network_source import Net, NetworkSource, katago_source
from move37.players.player import Player
from move37.players.policy_player import PolicyPlayer
from move37.players.random_player import RandomPlayer
from move37.players.search_player import SearchPlayer, SearchPlayerConfig
from move37.search.evaluator import Evaluator
from move37.search.katago import KataGoConfig
from move37.search.puct import SearchConfig

DEFAULT_VISITS = 400


def random(seed: int | None = None) -> RandomPlayer:
    """Uniform among the moves that fill no own eye."""
    return RandomPlayer(np.random.default_rng(seed))


def policy(
    net: Net = None,
    temperature: float = 0.0,
    threads: int | None = None,
    device: str | None = None,
    backend: str | None = None,
    seed: int | None = None,
) -> PolicyPlayer:
    """The network's policy alone, no search."""
    source = NetworkSource(net, threads=threads, device=device, backend=backend)
    return PolicyPlayer(source, temperature, np.random.default_rng(seed))


def zero(
    net: Net = None,
    visits: int | None = None,
    time: float | None = None,
    temperature: float = 0.0,
    temperature_moves: int = 0,
    resign: float | None = None,
    batch: int = 8,
    c_puct: float | None = None,
    cache: int = 50_000,
    threads: int | None = None,
    device: str | None = None,
    backend: str | None = None,
    symmetry: str = "random",
    seed: int | None = None,
) -> SearchPlayer:
    """AlphaGo Zero (Silver et al. 2017): PUCT, each leaf seen through one random symmetry, evaluations kept.

    `visits` (default 400 unless `time`, seconds a move, is given) is ours: the paper's 1,600 a move are for its
    machines. `resign` is the value in [-1, 0) below which it resigns; by default it never does. No noise: that is for
    self-play.
    """
    rng = np.random.default_rng(seed)
    source = NetworkSource(net, _seen(symmetry, rng, cache), threads, device, backend)
    config = SearchPlayerConfig(_visits(visits, time), time, temperature, temperature_moves, resign)
    search = SearchConfig(batch=batch) if c_puct is None else SearchConfig(batch=batch, c_puct=c_puct)
    return SearchPlayer(source, config, search, rng, name="zero")


def katago(
    net: Net = None,
    visits: int | None = None,
    time: float | None = None,
    temperature: float = 0.0,
    temperature_moves: int = 0,
    resign: float = -0.9,
    batch: int = 8,
    cache: int = 50_000,
    threads: int | None = None,
    device: str | None = None,
    backend: str | None = None,
    symmetry: str = "random",
    seed: int | None = None,
) -> SearchPlayer:
    """KataGo (Wu 2019, version 1.17): its search by winning and by score, with a network of its own format.

    `net`: by default the first KataGo network in the places of `nets.finding` that can be run here; NetworkFileError if
    there is none. PlayerError for a network of another format.
    `visits` (default 400 unless `time`, seconds a move, is given) is ours. `resign`: the value in [-1, 0) below which
    it resigns, after three of its turns in a row, both KataGo's; -1 never does. Each leaf is seen through one random
    symmetry (`symmetry`: "random"), as KataGo does; "mean" asks for all of them, "none" for none. With `batch=1` and
    `symmetry="none"` a search is KataGo's own with one thread, visit for visit where its network is the same.
    """
    rng = np.random.default_rng(seed)
    source = katago_source(net, _seen(symmetry, rng, cache), threads, device, backend)
    config = SearchPlayerConfig(_visits(visits, time), time, temperature, temperature_moves, resign, resign_turns=3)
    return SearchPlayer(source, config, KataGoConfig(batch=batch), rng, name="katago")


def _visits(visits: int | None, time: float | None) -> int | None:
    """The visits given, or our default where nothing else ends a search."""
    return DEFAULT_VISITS if visits is None and time is None else visits


def _seen(symmetry: str, rng: np.random.Generator, cache: int) -> Callable[[Evaluator], Evaluator]:
    """What wraps a network so that it sees each position once, turned as `symmetry` says."""
    if symmetry not in SYMMETRIES:
        raise PlayerError(f"there is no symmetry {symmetry!r}: use {', '.join(SYMMETRIES)}")

    def wrap(network: Evaluator) -> Evaluator:
        from move37.evaluators.cached import CachedEvaluator
        from move37.evaluators.symmetric import SymmetricEvaluator

        if symmetry == "random":
            network = SymmetricEvaluator(network, mode="random", rng=rng)
        elif symmetry == "mean":
            network = SymmetricEvaluator(network, mode="mean")
        return CachedEvaluator(network, capacity=cache)

    return wrap


SYMMETRIES = ("random", "mean", "none")
"""How a search shows positions to its network: each turned at random, all ways at once, or as they are."""

PRESETS: Mapping[str, Callable[..., Player]] = MappingProxyType(
    {"random": random, "policy": policy, "zero": zero, "katago": katago}
)
"""Every preset by its name."""


def preset(name: str, **options: Any) -> Player:
    """Make the preset `name`; an option that is None counts as not given.

    `PlayerError` in one sentence for an unknown name, or for an option that this preset does not have.
    """
    known = options_of(name)
    given = {key: value for key, value in options.items() if value is not None}
    for key in given:
        if key not in known:
            raise PlayerError(f"player {name!r} has no option {key!r}: it takes {', '.join(known)}")
    return PRESETS[name](**given)


def options_of(name: str) -> list[str]:
    """The names of the options that the preset `name` takes; `PlayerError` for an unknown preset."""
    if name not in PRESETS:
        close = difflib.get_close_matches(name, PRESETS, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise PlayerError(f"there is no player {name!r}: use {', '.join(PRESETS)} or gtp:COMMAND{hint}")
    return list(inspect.signature(PRESETS[name]).parameters)
