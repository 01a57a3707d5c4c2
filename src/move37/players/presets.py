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
from move37.players.network_source import Net, NetworkSource
from move37.players.player import Player
from move37.players.policy_player import PolicyPlayer
from move37.players.random_player import RandomPlayer
from move37.players.search_player import SearchPlayer, SearchPlayerConfig
from move37.search.evaluator import Evaluator
from move37.search.puct import SearchConfig


def random(seed: int | None = None) -> RandomPlayer:
    """Uniform among the moves that fill no own eye."""
    return RandomPlayer(np.random.default_rng(seed))


def policy(
    net: Net = None, temperature: float = 0.0, threads: int | None = None, seed: int | None = None
) -> PolicyPlayer:
    """The network's policy alone, no search."""
    return PolicyPlayer(NetworkSource(net, threads=threads), temperature, np.random.default_rng(seed))


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
    seed: int | None = None,
) -> SearchPlayer:
    """AlphaGo Zero (Silver et al. 2017): PUCT, each leaf seen through one random symmetry, evaluations kept.

    `visits` (default 400 unless `time`, seconds a move, is given) is ours: the paper's 1,600 a move are for its
    machines. `resign` is the value in [-1, 0) below which it resigns; by default it never does. No noise: that is for
    self-play.
    """
    rng = np.random.default_rng(seed)

    def wrap(network: Evaluator) -> Evaluator:
        from move37.evaluators.cached import CachedEvaluator
        from move37.evaluators.symmetric import SymmetricEvaluator

        return CachedEvaluator(SymmetricEvaluator(network, mode="random", rng=rng), capacity=cache)

    if visits is None and time is None:
        visits = 400
    config = SearchPlayerConfig(visits, time, temperature, temperature_moves, resign)
    search = SearchConfig(batch=batch) if c_puct is None else SearchConfig(batch=batch, c_puct=c_puct)
    return SearchPlayer(NetworkSource(net, wrap, threads), config, search, rng, name="zero")


PRESETS: Mapping[str, Callable[..., Player]] = MappingProxyType({"random": random, "policy": policy, "zero": zero})
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
