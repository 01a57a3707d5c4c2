"""What a Zero run is: its recipe, and where recipes are found. Runs nothing.

Every number of a run stands in one TOML file. `network.depth` is the one dial for size. The recipes that come with the
package (`recipes/zero-*.toml`) are known by the word after "zero-", as "5x5".
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from move37 import config as toml
from move37.arena.sprt import Sprt
from move37.errors import ConfigError
from move37.features.encoder import get_encoder
from move37.nets.graph import Network
from move37.training.loop import LoopConfig
from move37.training.network_recipe import NetworkRecipe, beside, new_network
from move37.training.policy_match import Playing
from move37.training.selfplay_config import SelfPlayConfig
from move37.training.window import Window

__all__ = ["Gate", "Shape", "Weights", "Yardstick", "ZeroRecipe", "bundled", "find", "load_recipe"]

_LAST_LAYERS = (
    "policy_dense",
    "policy_points_conv",
    "policy_pass",
    "value_dense",
    "ownership_conv",
    "opponent_points_conv",
    "opponent_pass",
)
"""Of `nets.zero`, with either kind of heads; the score's begins with zeros anyway."""


@dataclass(frozen=True)
class Shape:
    """The network.

    depth: the one dial for size: residual blocks. filters: None for those of KataGo's networks of that depth (6 blocks
    of 96, 10 of 128, 15 of 192, 20 of 256; Wu 2019, Table 2), 32 more for every three blocks.
    encoder: "zero17" is AlphaGo Zero's and knows no komi, "katago22" does. head, policy_filters, value_filters,
    value_hidden, score, ownership, opponent: see `nets.zero`. start: a network whose weights are taken over.
    """

    depth: int
    filters: int | None = None
    encoder: str = "katago22"
    head: Literal["paper", "pooled"] = "pooled"
    policy_filters: int | None = None
    value_filters: int | None = None
    value_hidden: int = 64
    score: bool = False
    ownership: bool = False
    opponent: bool = False
    start: Path | None = None

    def __post_init__(self) -> None:
        if self.depth < 0:
            raise ConfigError(f"depth is 0 or more, not {self.depth}")
        get_encoder(self.encoder)

    @property
    def width(self) -> int:
        """Filters of each convolution.

        >>> [Shape(depth).width for depth in (2, 4, 6, 10, 15, 20)]
        [64, 64, 96, 128, 192, 256]
        """
        return self.filters if self.filters is not None else 32 * round(1 + self.depth / 3)


@dataclass(frozen=True)
class Weights:
    """The weight of each part of the loss beside the policy's 1.

    Default: KataGo's (Wu 2019, Appendix B), its score distributions replaced by one number. AlphaGo Zero's value counts
    as much as its policy, and there is nothing else. ownership: of the mean over the points.
    """

    value: float = 1.5
    score: float = 0.1
    ownership: float = 1.5
    opponent: float = 0.15

    def __post_init__(self) -> None:
        if not all(0.0 <= weight < math.inf for weight in vars(self).values()):
            raise ConfigError("the weights of a loss are 0 or more")


@dataclass(frozen=True)
class Gate:
    """Whether a new network has to win a match against the best one so far before it plays the games to learn from.

    kind: "none", every network plays (AlphaZero); "score", it must score more than `score` in `games` (AlphaGo Zero:
    0.55 in 400, and 1,600 simulations); "sprt", the test of `arena.sprt` between 0.5 and `score` must be decided for it
    within `games` (Leela Zero's way). visits: of each search, without noise, the most visited move played.
    opening_moves: random ones, the same for both games of a pair; the papers say nothing of how games differ.
    """

    kind: Literal["none", "score", "sprt"] = "none"
    games: int = 400
    score: float = 0.55
    error: float = 0.05
    visits: int = 100
    opening_moves: int = 2

    def __post_init__(self) -> None:
        if self.games < 2 or self.games % 2 or self.visits < 2 or self.opening_moves < 0:
            raise ConfigError("a gate has games, an even number, visits of 2 or more, and opening_moves of 0 or more")
        if not 0.0 <= self.score < 1.0:
            raise ConfigError(f"a gate's score is 0 to below 1, not {self.score}")
        if self.kind == "sprt":
            self.test()

    def test(self) -> Sprt:
        """The sequential test."""
        return Sprt(self.score, self.error)


@dataclass(frozen=True)
class Yardstick:
    """Games of each `every`-th network against a search with the same visits that knows the rules alone.

    games: 0 for none; half of them with each colour, from the empty board and then from random openings.
    """

    games: int = 0
    every: int = 1
    visits: int = 100
    opening_moves: int = 2

    def __post_init__(self) -> None:
        if self.games < 0 or self.games % 2 or self.every < 1 or self.visits < 2 or self.opening_moves < 0:
            raise ConfigError("a yardstick has an even number of games, every of 1 or more, visits of 2 or more")


@dataclass(frozen=True)
class ZeroRecipe:
    """Everything that decides a Zero run, but for the machine's numerics.

    A generation: `games` games by the best network, in chunks of `chunk_games`, then a share of the run's `loop.steps`
    on the window, then the gate. threads: chunks played at a time, one a core; chunks change no game. playing: what
    computes the network in games; "fast" gives the same games whatever the chunks. value_loss: "squared" is AlphaGo
    Zero's, "entropy" the cross-entropy of the winner, KataGo's. resign: players give up below a value at which that was
    wrong in fewer than 5 % of the last generation's games that were played out (`selfplay_resigning`).
    """

    network: Shape
    self_play: SelfPlayConfig
    loop: LoopConfig
    generations: int
    games: int
    chunk_games: int = 64
    threads: int = 1
    playing: Playing = "fast"
    batch: int = 256
    seed: int = 1
    value_loss: Literal["squared", "entropy"] = "entropy"
    weights: Weights = field(default_factory=Weights)
    window: Window = field(default_factory=Window)
    gate: Gate = field(default_factory=Gate)
    yardstick: Yardstick = field(default_factory=Yardstick)
    augment: bool = True
    resign: bool = False
    name: str | None = None

    def __post_init__(self) -> None:
        counts = (self.generations, self.games, self.chunk_games, self.threads, self.batch)
        if min(counts) < 1 or self.seed < 0:
            raise ConfigError("generations, games, chunk_games, threads and batch are 1 or more, the seed 0 or more")
        if self.batch < self.loop.threads:
            raise ConfigError(f"a batch of {self.batch} cannot be cut for {self.loop.threads} threads")
        if self.loop.steps % self.generations:
            raise ConfigError(f"loop.steps, {self.loop.steps}, are as many for each of {self.generations} generations")
        if len(self.self_play.sizes) != 1:
            raise ConfigError(f"a run has boards of one size, not {list(self.self_play.sizes)}")

    @property
    def size(self) -> int:
        """Rows and columns of the board."""
        return self.self_play.sizes[0]

    @property
    def steps(self) -> int:
        """Steps of training in each generation."""
        return self.loop.steps // self.generations

    def new_network(self) -> Network:
        """The network before it learns anything; `ConfigError` for a shape that cannot be."""
        shape, games = self.network, self.self_play
        recipe = NetworkRecipe(
            filters=shape.width,
            blocks=shape.depth,
            encoder=shape.encoder,
            name=self.name,
            start=shape.start,
            head=shape.head,
            policy_filters=shape.policy_filters,
            value_filters=shape.value_filters,
            value_hidden=shape.value_hidden,
            score=shape.score,
            ownership=shape.ownership,
            opponent=shape.opponent,
        )
        rng = np.random.default_rng(self.seed)
        network = new_network(recipe, self.size, games.komi_range, games.rules, rng)
        spec = replace(network.spec, komi_band=None) if network.spec.globals else network.spec  # it is shown the komi
        arrays = dict(network.arrays) | ({} if shape.start is not None else _undecided(network))
        return Network(spec, network.graph, arrays)


def _undecided(network: Network) -> dict[str, NDArray[np.float32]]:
    """The last layers' weights as zeros: every move alike, every game even.

    Else chance decides what the first games look like: a network that likes to pass ends them at once.
    """
    last = [f"{name}.weight" for name in _LAST_LAYERS]
    return {name: np.zeros_like(network.arrays[name]) for name in last if name in network.arrays}


def bundled() -> dict[str, Path]:
    """The recipes that come with the package: paths by name ("5x5"), in order of names."""
    package = Path(str(resources.files("move37")))
    folder = next((place for place in (package / "recipes", package.parents[1] / "recipes") if place.is_dir()), None)
    paths = [] if folder is None else sorted(folder.glob("zero-*.toml"))
    return {path.stem.removeprefix("zero-"): path for path in paths}


def find(name_or_path: Path | str) -> Path:
    """The file of a recipe: of a bundled one by its name, else of that path; `ConfigError` naming the bundled ones."""
    known = bundled()
    if str(name_or_path) in known:
        return known[str(name_or_path)]
    path = Path(name_or_path)
    if path.is_file():
        return path
    raise ConfigError(f"{path}: there is no such file and no recipe of that name; the recipes are {', '.join(known)}")


def load_recipe(path: Path | str, depth: int | None = None) -> ZeroRecipe:
    """The recipe at `path`; `depth` turns its dial. A network to start from is found as `nets list` shows it."""
    path = Path(path)
    recipe = toml.load_toml(ZeroRecipe, path)
    shape = recipe.network if depth is None else replace(recipe.network, depth=depth, filters=None)
    if shape.start is not None:
        shape = replace(shape, start=beside(path, shape.start))
    return replace(recipe, network=shape, self_play=replace(recipe.self_play, seed=recipe.seed))
