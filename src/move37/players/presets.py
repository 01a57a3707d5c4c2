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
from move37.nets import finding
from move37.players.alphago_presets import article, fan, lee, master
from move37.players.minimax_player import minimax
from move37.players.network_source import Net, NetworkSource, katago_source
from move37.players.player import Player
from move37.players.policy_player import PolicyPlayer
from move37.players.random_player import RandomPlayer
from move37.players.ranks import Strength, strength
from move37.players.search_player import SearchPlayer, SearchPlayerConfig
from move37.players.wrappers import wrapper
from move37.search.gumbel import GumbelConfig
from move37.search.katago import KataGoConfig
from move37.search.puct import SearchConfig
from move37.search.time_plan import LAG

UCT_VISITS = 4000


def random(seed: int | None = None) -> RandomPlayer:
    """Uniform among the moves that fill no own eye."""
    return RandomPlayer(np.random.default_rng(seed))


def policy(
    net: Net = None,
    temperature: float = 0.0,
    rank: str | None = None,
    threads: int | None = None,
    device: str | None = None,
    backend: str | None = None,
    seed: int | None = None,
) -> PolicyPlayer:
    """The network's policy alone, no search, as AlphaGo's policy network played (Silver et al. 2016, ED Table 7).

    `net`: by default the first for the board whose name begins with policy, else the bundled one with both heads.
    `rank`: weaker play, 10k to 1k; stronger ranks need a search.
    """
    weaker = _rank(rank)
    if weaker is not None and weaker.visits > 1:
        raise PlayerError(f"player 'policy' does not search, which rank {rank!r} does: use 10k to 1k, or player 'zero'")
    candidates = [*finding.named("policy"), *finding.bundled().values()]
    computing: dict[str, Any] = {"threads": threads, "device": device, "backend": backend}
    source = NetworkSource(net, heads=("policy",), candidates=candidates, **computing)
    return PolicyPlayer(source, temperature, np.random.default_rng(seed), rank=weaker)


def zero(
    net: Net = None,
    visits: int | None = None,
    time: float | None = None,
    rank: str | None = None,
    lag: float = LAG,
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

    From its Methods: batches of `batch` 8; one random symmetry for each evaluation; where it resigns, value and best
    move are both below the threshold; in matches τ → 0, the most visited move. `visits` (400 where neither they, nor
    `time`, seconds a move, nor a clock end a search) is ours: the paper's 1,600 a move are for its machines. Ours as
    well, for the paper does not print them: c_puct, the virtual loss, and the threshold `resign`, a value in [-1, 0);
    by default it never resigns, since the paper's measured one belongs to its network. Ours in spite of the paper: an
    unvisited move is worth its parent less KataGo's reduction, not 0. No noise: that is for self-play. `rank`, 10k to
    5d: weaker play (`players.ranks`). `lag`: seconds that a move leaves on its clock for messages to and fro.
    """
    rng = np.random.default_rng(seed)
    source = NetworkSource(net, wrapper(symmetry, rng, cache), threads, device, backend)
    config = SearchPlayerConfig(
        visits,
        time,
        lag,
        temperature=temperature,
        temperature_moves=temperature_moves,
        rank=_rank(rank),
        resign_below=resign,
        resign_by="both",
    )
    search = SearchConfig(batch=batch) if c_puct is None else SearchConfig(batch=batch, c_puct=c_puct)
    return SearchPlayer(source, config, search, rng, name="zero")


def alphazero(
    net: Net = None,
    visits: int | None = None,
    time: float | None = None,
    rank: str | None = None,
    lag: float = LAG,
    temperature: float = 0.0,
    temperature_moves: int = 0,
    resign: float | None = None,
    batch: int = 8,
    cache: int = 50_000,
    threads: int | None = None,
    device: str | None = None,
    backend: str | None = None,
    symmetry: str = "none",
    seed: int | None = None,
) -> SearchPlayer:
    """AlphaZero (Silver et al. 2018): PUCT whose exploration grows with the visits, positions seen as they are.

    c_puct(s) = log((1 + N(s) + c_base) / c_base) + c_init with c_base 19,652 and c_init 1.25 (its published
    pseudocode), where AlphaGo Zero's weight is constant; no symmetries, for chess has none (its Methods); an unvisited
    move has Q 0 (Methods, Search). What is ours: `visits`, as in `zero` (the paper's 800 are those of training),
    `batch`, the virtual loss, and `resign`. The options are those of `zero`.
    """
    rng = np.random.default_rng(seed)
    source = NetworkSource(net, wrapper(symmetry, rng, cache), threads, device, backend)
    config = SearchPlayerConfig(
        visits,
        time,
        lag,
        temperature=temperature,
        temperature_moves=temperature_moves,
        rank=_rank(rank),
        resign_below=resign,
        resign_by="both",
    )
    search = SearchConfig(c_puct=1.25, c_base=19_652, fpu_value=0.0, batch=batch)
    return SearchPlayer(source, config, search, rng, name="alphazero")


def gumbel(
    net: Net = None,
    visits: int | None = None,
    time: float | None = None,
    rank: str | None = None,
    lag: float = LAG,
    temperature: float = 0.0,
    temperature_moves: int = 0,
    resign: float | None = None,
    batch: int = 16,
    considered: int = 16,
    noise: float = 0.0,
    cache: int = 50_000,
    threads: int | None = None,
    device: str | None = None,
    backend: str | None = None,
    symmetry: str = "random",
    seed: int | None = None,
) -> SearchPlayer:
    """Gumbel AlphaZero (Danihelka et al. 2022): sequential halving among 16 moves; for few visits.

    m 16, c_visit 50 and c_scale 1 are those of its experiments on Go. `noise` 1 draws moves as its self-play does, 0 is
    ours for play. What else is ours: `visits`, as in `zero`; `batch`; `symmetry` and `resign`, as in `zero`.
    """
    rng = np.random.default_rng(seed)
    source = NetworkSource(net, wrapper(symmetry, rng, cache), threads, device, backend)
    config = SearchPlayerConfig(
        visits,
        time,
        lag,
        temperature=temperature,
        temperature_moves=temperature_moves,
        rank=_rank(rank),
        resign_below=resign,
        resign_by="both",
    )
    search = GumbelConfig(considered=considered, noise=noise, batch=batch)
    return SearchPlayer(source, config, search, rng, name="gumbel")


def katago(
    net: Net = None,
    visits: int | None = None,
    time: float | None = None,
    rank: str | None = None,
    lag: float = LAG,
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
    `visits` (400 where neither they, nor `time`, seconds a move, nor a clock end a search) is ours. `resign`: the value
    in [-1, 0) below which it resigns, after three of its turns in a row, both KataGo's; -1 never does. Each leaf is
    seen through one random symmetry (`symmetry`: "random"), as KataGo does; "mean" asks for all of them, "none" for
    none. With `batch=1` and `symmetry="none"` a search is KataGo's own with one thread, visit for visit where its
    network is the same. `rank`, `lag`: as in `zero`.
    """
    rng = np.random.default_rng(seed)
    source = katago_source(net, wrapper(symmetry, rng, cache), threads, device, backend)
    config = SearchPlayerConfig(
        visits,
        time,
        lag,
        temperature=temperature,
        temperature_moves=temperature_moves,
        rank=_rank(rank),
        resign_below=resign,
        resign_turns=3,
    )
    return SearchPlayer(source, config, KataGoConfig(batch=batch), rng, name="katago")


def uct(
    visits: int | None = None,
    time: float | None = None,
    lag: float = LAG,
    rollouts: int = 1,
    light: bool = True,
    rave: bool = True,
    c: float | None = None,
    batch: int = 16,
    resign: float | None = None,
    threads: int | None = None,
    seed: int | None = None,
) -> SearchPlayer:
    """The classic before networks: UCB1 and rollouts (Coulom 2006; Kocsis, Szepesvári 2006), on every board.

    `visits` (4,000 where neither they, nor `time`, seconds a move, nor a clock end a search): simulations a move, of
    `rollouts` games each, on `threads` cores (all by default). `light`: rollouts by the policy of
    `search.light_rollout_kernels`, else uniform. `rave`: with RAVE (Gelly, Silver 2011), else plain UCB1. `c`: weight
    of the exploring term, by default that of `search.ucb1`. `resign`: the value in [-1, 0) below which it resigns; by
    default it never does. The numbers are ours.
    """
    from move37.evaluators.rollout import RolloutEvaluator
    from move37.players.rollout_source import RolloutSource
    from move37.search.rollouts import Rollouts
    from move37.search.ucb1 import UctConfig

    rng = np.random.default_rng(seed)
    games = Rollouts(threads, int(rng.integers(2**62)), light=light)
    config = SearchPlayerConfig(visits, time, lag, default_visits=UCT_VISITS, resign_below=resign)
    search = UctConfig(rave=rave, batch=batch, c=c)
    source = RolloutSource(RolloutEvaluator(games, rollouts, keep_moves=rave))
    return SearchPlayer(source, config, search, rng, name="uct")


def _rank(rank: str | None) -> Strength | None:
    return None if rank is None else strength(rank)


PRESETS: Mapping[str, Callable[..., Player]] = MappingProxyType(
    {
        "random": random,
        "policy": policy,
        "uct": uct,
        "fan": fan,
        "lee": lee,
        "master": master,
        "zero": zero,
        "alphazero": alphazero,
        "gumbel": gumbel,
        "katago": katago,
        "article": article,
        "minimax": minimax,
    }
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
