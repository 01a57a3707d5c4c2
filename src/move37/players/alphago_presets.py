"""AlphaGo before Zero as presets: Fan, Lee and Master, and the course's article; one short function each.

Sources: "2016" is Silver et al., Nature 529 (Methods; Extended Data Tables 5 and 8), "2017" is Silver et al., Nature
550 (Methods, "AlphaGo versions"), "article" is the course's chapter on search. What is in none of them is called ours.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from move37.players.network_source import Net
from move37.players.pair_source import WrappedSource, alphago_source
from move37.players.ranks import strength
from move37.players.rollout_choice import RolloutChoice
from move37.players.search_player import SearchPlayer, SearchPlayerConfig
from move37.players.wrappers import wrapper
from move37.search.mixed import MixedConfig
from move37.search.puct import SearchConfig
from move37.search.time_plan import LAG

__all__ = ["article", "fan", "lee", "master"]

VISITS = 1600
"""Of Fan and Lee, where nothing else ends a search: ours. The article gives about 100,000 for their machines."""
MASTER_VISITS = 800
"""Ours; the article: Master searched less."""
ARTICLE_VISITS = 400
"""Ours."""
SEARCH_THREADS = 40
"""2016: "the final version of AlphaGo used 40 search threads, 48 CPUs, and 8 GPUs"."""
RESIGN = -0.8
"""2016: "AlphaGo resigns when its overall evaluation drops below an estimated 10% probability", max Q < -0.8."""
EXTENSION = 2.0
"""2016 extends a search whose most visited and best moves differ; how far is ours."""
CACHE = 100_000
"""Article: an LRU cache of 100,000 evaluations. Ours for the others; 2016 names none."""
MIX = 0.5
"""λ of the article, and of 2016."""
C_PUCT, BETA = 5.0, 0.67
"""Of Fan: 2016, Extended Data Table 5, for searches of about 100,000 simulations."""
LEE_C_PUCT, LEE_BETA = 1.5, 1.0
"""Of Lee and Master: ours, no paper prints theirs. The prior's weight falls with the root of the simulations: in 1,600
of them 5 weighs eight times as much as in the paper's, and the best move is not found where the policy is wrong."""
FAN_NETWORKS = (("fan-policy", "policy"), ("fan-value", "value", "master"))
LEE_NETWORKS = (("lee-policy", "master", "policy"), ("lee-value", "master", "value"))
MASTER_NETWORKS = (("master",),)
"""How names of the networks begin that they look for; the board's size follows. The first are preferred."""


def fan(
    net: Net = None,
    value_net: Net = None,
    visits: int | None = None,
    time: float | None = None,
    rank: str | None = None,
    lag: float = LAG,
    resign: float = RESIGN,
    mix: float = MIX,
    c_puct: float = C_PUCT,
    beta: float = BETA,
    rollout_policy: str | None = None,
    batch: int = 8,
    asynchronous: bool = False,
    cache: int = CACHE,
    threads: int | None = None,
    device: str | None = None,
    backend: str | None = None,
    symmetry: str = "random",
    seed: int | None = None,
) -> SearchPlayer:
    """AlphaGo Fan, which beat Fan Hui in October 2015 (2016): the mixed search over two networks of 192 filters.

    λ (`mix`) 0.5, `c_puct` 5, softmax temperature (`beta`) 0.67, expansion threshold 40, virtual loss 3: 2016, see
    `MixedConfig`. λ 0 plays no rollouts, λ 1 asks for no values. Priors come from the policy that learned from people
    and not from the one that learned by winning, which searched worse; values from the network that learned from the
    latter's games (2016). `net` and `value_net`: by default those for the board named as `FAN_NETWORKS` says; a network
    with both heads does alone. `rollout_policy`: "pattern" (the trained one), "light", or a file; see `RolloutChoice`.
    `batch` is ours: 2016 has 1, for its latency. `asynchronous`: as in 2016, and then the clock has a share in what is
    found. Each position is seen through one random symmetry (2016). `resign` -1: never. `rank`, `lag`: as in
    `presets.zero`.
    """
    rng = np.random.default_rng(seed)
    options: dict[str, Any] = {"wrap": wrapper(symmetry, rng, cache), "device": device, "backend": backend}
    source = alphago_source("fan", net, value_net, FAN_NETWORKS, values=mix < 1, threads=threads, **options)
    search = MixedConfig(
        mix, c_puct, beta=beta, wave=SEARCH_THREADS, batch=batch, asynchronous=asynchronous, threads=threads
    )
    make = RolloutChoice("fan", rollout_policy).make
    return SearchPlayer(source, _turn(VISITS, visits, time, rank, lag, resign), search, rng, name="fan", make=make)


def lee(
    net: Net = None,
    value_net: Net = None,
    visits: int | None = None,
    time: float | None = None,
    rank: str | None = None,
    lag: float = LAG,
    resign: float = RESIGN,
    mix: float = MIX,
    c_puct: float = LEE_C_PUCT,
    beta: float = LEE_BETA,
    rollout_policy: str | None = None,
    batch: int = 8,
    asynchronous: bool = False,
    cache: int = CACHE,
    threads: int | None = None,
    device: str | None = None,
    backend: str | None = None,
    symmetry: str = "random",
    seed: int | None = None,
) -> SearchPlayer:
    """AlphaGo Lee, which beat Lee Sedol in March 2016: Fan's search over larger networks (2017).

    It was "similar in most regards to AlphaGo Fan", with two networks of 256 filters, of which the value network had
    learned from fast games of the whole program against itself, not of its policy (2017). So it differs from `fan` by
    its networks, lee-policy and lee-value; where those are missing, Master's for the board does for both (ours), see
    `LEE_NETWORKS`. Ours too are `c_puct` and `beta` (`LEE_C_PUCT`), and that only `batch` simulations are under way at
    once: of 1,600, 40 at a time go where the others of their wave have not yet shown that it is bad.
    """
    rng = np.random.default_rng(seed)
    options: dict[str, Any] = {"wrap": wrapper(symmetry, rng, cache), "device": device, "backend": backend}
    source = alphago_source("lee", net, value_net, LEE_NETWORKS, values=mix < 1, threads=threads, **options)
    search = MixedConfig(mix, c_puct, beta=beta, wave=batch, batch=batch, asynchronous=asynchronous, threads=threads)
    make = RolloutChoice("lee", rollout_policy).make
    return SearchPlayer(source, _turn(VISITS, visits, time, rank, lag, resign), search, rng, name="lee", make=make)


def master(
    net: Net = None,
    visits: int | None = None,
    time: float | None = None,
    rank: str | None = None,
    lag: float = LAG,
    resign: float = RESIGN,
    mix: float = MIX,
    c_puct: float = LEE_C_PUCT,
    beta: float = LEE_BETA,
    rollout_policy: str | None = None,
    batch: int = 8,
    cache: int = CACHE,
    threads: int | None = None,
    device: str | None = None,
    backend: str | None = None,
    symmetry: str = "random",
    seed: int | None = None,
) -> SearchPlayer:
    """AlphaGo Master, which won 60 games online in January 2017: one two-headed network, rollouts, less search.

    It had "the same neural network architecture, reinforcement learning algorithm, and MCTS algorithm" as Zero, but
    "the same handcrafted features and rollouts as AlphaGo Lee" (2017). So a leaf is expanded at its first visit
    (threshold 0) and as many simulations are under way as Zero's batches have positions, 8 (2017); λ and the other
    constants and the rollouts are Lee's. `net`: by default the network for the board whose name begins with master.
    """
    rng = np.random.default_rng(seed)
    options: dict[str, Any] = {"wrap": wrapper(symmetry, rng, cache), "device": device, "backend": backend}
    source = alphago_source("master", net, None, MASTER_NETWORKS, values=mix < 1, threads=threads, **options)
    search = MixedConfig(mix, c_puct, beta=beta, threshold=0, wave=batch, batch=batch, threads=threads)
    turn = _turn(MASTER_VISITS, visits, time, rank, lag, resign)
    return SearchPlayer(source, turn, search, rng, name="master", make=RolloutChoice("master", rollout_policy).make)


def article(
    net: Net = None,
    value_net: Net = None,
    visits: int | None = None,
    time: float | None = None,
    rank: str | None = None,
    lag: float = LAG,
    resign: float = -1.0,
    mix: float = MIX,
    batch: int = 32,
    cache: int = CACHE,
    threads: int | None = None,
    device: str | None = None,
    backend: str | None = None,
    symmetry: str = "mean",
    seed: int | None = None,
) -> SearchPlayer:
    """AlphaGo as the course's article tells it: PUCT, and one number for each position, (1 - λ) v + λ z.

    Article: λ (`mix`) 0.5 and one rollout a position, batches of 32, a cache of 100,000 evaluations, means over all
    symmetries, the move with the greatest visits × (1 + Q). c_puct is that of `SearchConfig`, as the article names
    none. `net`: by default the bundled network for the board. It resigns only if told to.
    """
    from move37.evaluators.mixture import MixtureEvaluator
    from move37.search.rollouts import Rollouts

    rng = np.random.default_rng(seed)
    rollouts = Rollouts(threads, int(rng.integers(2**63)))
    options: dict[str, Any] = {"wrap": wrapper(symmetry, rng, cache), "device": device, "backend": backend}
    inner = alphago_source("article", net, value_net, threads=threads, **options)
    source = WrappedSource(inner, lambda network: MixtureEvaluator(network, rollouts, mix))
    turn = replace(_turn(ARTICLE_VISITS, visits, time, rank, lag, resign), extension=1.0, resign_by="value")
    return SearchPlayer(
        source, turn, SearchConfig(batch=batch, choice="article", virtual_loss_kind="loss"), rng, name="article"
    )


def _turn(
    default: int, visits: int | None, time: float | None, rank: str | None, lag: float, resign: float
) -> SearchPlayerConfig:
    """How the mixed search becomes a move: extended while it is undecided, given up by the best move's value (2016)."""
    return SearchPlayerConfig(
        visits,
        time,
        lag,
        default_visits=default,
        extension=EXTENSION,
        rank=None if rank is None else strength(rank),
        resign_below=_below(resign),
        resign_by="best",
    )


def _below(resign: float) -> float | None:
    return None if resign == -1 else resign
