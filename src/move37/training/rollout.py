"""Rollout and tree policy learned from games: patterns are mined, then their weights found by maximum likelihood.

The weights maximise the likelihood of the moves played, under a softmax over all legal moves that fill no own eye, by
Adagrad (Duchi, Hazan, Singer 2011) on batches of whole games. AlphaGo's were found by stochastic gradient descent
(Silver et al. 2016, Methods); neither its rate nor how its patterns were chosen is known. Both policies are learned at
once, since they share their features. Torch is not needed.

A batch depends on the seed and its number alone, and gradients are added in a fixed order, so a run that is killed and
gone on with ends with the same weights, whatever the number of threads.
"""

from __future__ import annotations

import math
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from move37 import config as toml
from move37.errors import ConfigError, GamesFileError
from move37.features.neighbourhood_kernels import NO_KEY
from move37.features.rollout_around_kernels import AROUND
from move37.features.rollout_policy import FeatureSet, Patterns, RolloutPolicy, RolloutSpec, pattern_tables
from move37.games.store import GameFilter, GameStore
from move37.nets import finding, linear
from move37.training import checkpoint
from move37.training.rollout_kernels import FIGURES, learn, mine
from move37.training.run_folder import keep_recipe
from move37.training.run_log import RunLog

__all__ = ["RolloutRecipe", "evaluate_policy", "load_recipe", "main"]

POLICIES: Final = ("rollout", "tree")
KINDS: Final = ("nakade", "answers", "shapes", "diamonds")
SHARES: Final = 4
"""A batch's games are dealt out so, whatever the number of threads."""
TABLE: Final = 1 << 21
"""Different patterns of a kind that mining can count, less a quarter."""


@dataclass(frozen=True)
class GamesRecipe:
    """Games to learn from or to be tested on; a source with a name has held-out figures of its own."""

    files: tuple[Path, ...]
    """Parquet stores; relative paths start at the recipe's folder."""
    games: GameFilter = field(default_factory=GameFilter)
    name: str | None = None


@dataclass(frozen=True)
class Limit:
    """Which patterns of a kind are kept: those that came up `least` times, and of them the `most` most frequent."""

    least: int = 10
    most: int = 10_000

    def __post_init__(self) -> None:
        if self.least < 1 or self.most < 0:
            raise ConfigError("a pattern comes up at least once, and none or more are kept")


@dataclass(frozen=True)
class MiningRecipe:
    """From how many games patterns are mined, and which are kept."""

    games: int = 4000
    nakade: Limit = Limit(5, 1000)
    answers: Limit = Limit(20, 5000)
    """Diamonds around the last move; each has up to twelve places for an answer."""
    shapes: Limit = Limit(5, 20_000)
    diamonds: Limit = Limit(20, 20_000)


@dataclass(frozen=True)
class RolloutRecipe:
    """Everything that decides a run."""

    sources: tuple[GamesRecipe, ...]
    name: str = "rollout"
    size: int = 19
    features: FeatureSet = "paper"
    tree: bool = True
    """Whether a tree policy is learned too."""
    seed: int = 1
    held_out: float = 0.02
    """Part of the games (chosen by their moves and the seed) that is never learned from."""
    held_out_games: int = 400
    """How many of them are asked."""
    tests: tuple[GamesRecipe, ...] = ()
    """Games that are asked beside the held-out ones; no source may contain them."""
    mining: MiningRecipe = MiningRecipe()
    steps: int = 1000
    batch: int = 32
    """Games in a batch."""
    rate: float = 0.2
    """Adagrad's step, which falls to 0 in a straight line."""
    damping: float = 1e-5
    """What Adagrad adds to the root of its sums of squares: features of hardly any gradient stay where they are."""
    threads: int = 2
    log_every: int = 50
    evaluate_every: int = 500
    checkpoint_every: int = 100

    def __post_init__(self) -> None:
        if not self.sources or not 0.0 < self.held_out < 1.0:
            raise ConfigError("a recipe needs sources, and held_out between 0 and 1")
        counts = (self.held_out_games, self.mining.games, self.steps, self.batch, self.threads)
        if min(*counts, self.log_every, self.evaluate_every, self.checkpoint_every) < 1 or self.seed < 0:
            raise ConfigError("numbers of games, steps and threads are 1 or more, and a seed 0 or more")
        if not (0.0 < self.rate < math.inf and 0.0 < self.damping < math.inf):
            raise ConfigError("rate and damping are above 0")
        if any(test.name is None for test in self.tests):
            raise ConfigError("a test needs a name")


def load_recipe(path: Path) -> RolloutRecipe:
    """The recipe at `path`, its games' files as absolute paths."""
    recipe = toml.load_toml(RolloutRecipe, path)
    folder = path.resolve().parent

    def absolute(games: tuple[GamesRecipe, ...]) -> tuple[GamesRecipe, ...]:
        return tuple(replace(one, files=tuple((folder / file).resolve() for file in one.files)) for one in games)

    return replace(recipe, sources=absolute(recipe.sources), tests=absolute(recipe.tests))


@dataclass(frozen=True)
class Games:
    """What a run learns from, and what it is asked, by name ("" for the held-out games of all sources)."""

    train: GameStore
    tests: dict[str, GameStore]


def load_games(recipe: RolloutRecipe) -> Games:
    """The games of a recipe; `ConfigError` where none are left."""
    train: list[GameStore] = []
    tests: dict[str, list[GameStore]] = {"": []}
    for number, source in enumerate(recipe.sources):
        parts = _opened(source, recipe.size).split(recipe.held_out, recipe.seed)
        if min(int(part.moves.offsets[-1]) for part in parts) == 0:
            raise ConfigError(f"source {number + 1} has too few games after its filter; ask for less")
        train.append(parts[0])
        tests[""].append(parts[1])
        if source.name is not None:
            tests.setdefault(source.name, []).append(parts[1])
    for test in recipe.tests:
        tests.setdefault(str(test.name), []).append(_opened(test, recipe.size))
    rng = np.random.default_rng(recipe.seed)
    asked = {name: _some(GameStore.join(parts), recipe.held_out_games, rng) for name, parts in tests.items()}
    empty = [name for name, store in asked.items() if int(store.moves.offsets[-1]) == 0]
    if empty:
        raise ConfigError(f"the test {empty[0]} has no games after its filter; ask for less")
    return Games(GameStore.join(train), asked)


def _opened(games: GamesRecipe, size: int) -> GameStore:
    return GameStore.open(games.files).filter(replace(games.games, size=size))


def _some(store: GameStore, most: int, rng: np.random.Generator) -> GameStore:
    return store.select(np.sort(rng.permutation(len(store))[:most]))


def mine_patterns(recipe: RolloutRecipe, store: GameStore) -> Patterns:
    """The patterns of the recipe's games that come up often enough."""
    none = np.empty(0, np.int64)
    tables = pattern_tables(Patterns(none, none, none, none), recipe.features)
    keys = np.full((len(KINDS), TABLE), NO_KEY, np.int64)
    counts, room = np.zeros(keys.shape, np.int32), np.full(len(KINDS), TABLE * 3 // 4, np.int64)
    games = _some(store, recipe.mining.games, np.random.default_rng(recipe.seed))
    _check_sound(
        mine(_starts(games), games.moves.values, games.moves.offsets, np.zeros(1, AROUND), tables, keys, counts, room)
    )
    kept = {kind: _frequent(keys[i], counts[i], getattr(recipe.mining, kind)) for i, kind in enumerate(KINDS)}
    if recipe.features == "article":
        kept["nakade"] = kept["answers"] = none
    if not recipe.tree:
        kept["diamonds"] = none
    return Patterns(**kept)


def _frequent(keys: NDArray[np.int64], counts: NDArray[np.int32], limit: Limit) -> NDArray[np.int64]:
    """The keys that a limit keeps, ascending; of those equally frequent the least."""
    enough = np.flatnonzero(counts >= limit.least)
    order = np.lexsort((keys[enough], -counts[enough]))[: limit.most]
    return np.sort(keys[enough[order]])


def _starts(store: GameStore) -> NDArray[Any]:
    """BOARD[G]: the boards before the first moves."""
    return store.replay(np.arange(len(store)), np.zeros(len(store), np.int64))


def _check_sound(bad: int) -> None:
    if bad >= 0:
        raise GamesFileError(f"game {bad} of a batch has an illegal move; leave games out that cannot be replayed")


class Learner:
    """The weights of both policies with Adagrad's sums, and one step of learning.

    `arrays`: float32 each, "rollout" and "tree" (empty without a tree policy), and their "_squares".
    """

    def __init__(self, recipe: RolloutRecipe, patterns: Patterns) -> None:
        self.recipe = recipe
        self.patterns = patterns
        self.tables = pattern_tables(patterns, recipe.features)
        sizes = {"rollout": patterns.first_diamond, "tree": patterns.features if recipe.tree else 0}
        self.arrays = {name: np.zeros(size, np.float32) for name, size in sizes.items()}
        self.arrays |= {f"{name}_squares": np.zeros(size, np.float32) for name, size in sizes.items()}
        self.pool = ThreadPoolExecutor(recipe.threads)

    def step(self, number: int, games: GameStore) -> dict[str, float]:
        """Learn from a batch of games; its figures before that. `ConfigError` where the loss is no number."""
        gradients = np.zeros((SHARES, 2, self.patterns.features), np.float32)
        figures = self._go_through(games, gradients)
        if not np.isfinite(figures).all():
            raise ConfigError(f"the loss is no number at step {number}; lower the rate")
        gradient = gradients.sum(axis=0) / max(figures[0, 0], 1.0)
        rate = np.float32(self.recipe.rate * (1.0 - number / self.recipe.steps))
        for name, change in zip(POLICIES, gradient, strict=True):
            weights, squares = self.arrays[name], self.arrays[f"{name}_squares"]
            own = change[: len(weights)].astype(np.float32)
            squares += own * own
            weights -= rate * own / (np.sqrt(squares) + np.float32(self.recipe.damping))
        return _named(figures) | {"positions": float(figures[0, 0])}

    def evaluate(self, tests: dict[str, GameStore]) -> dict[str, float]:
        """The figures of every test, those of a named one with its name in front, like "pro_rollout_top1"."""
        none = np.zeros((SHARES, 2, 0), np.float32)
        found: dict[str, float] = {}
        for test, games in tests.items():
            prefix = f"{test}_" if test else ""
            figures = _named(self._go_through(games, none))
            found |= {prefix + name: value for name, value in figures.items()}
        return found

    def _go_through(self, games: GameStore, gradients: NDArray[np.float32]) -> NDArray[np.float64]:
        """Sums of figures float64[2, FIGURES]; `gradients: float32[SHARES, 2, W or 0]` are added to."""
        boards, figures = _starts(games), np.zeros((SHARES, 2, FIGURES))
        weights = self.arrays["rollout"], self.arrays["tree"]
        values, offsets = games.moves.values, games.moves.offsets

        def work(share: int) -> int:
            # Records are played on, each by its own share alone.
            around = np.zeros(1, AROUND)
            return learn(
                boards, values, offsets, share, SHARES, around, self.tables, *weights, gradients[share], figures[share]
            )

        for bad in self.pool.map(work, range(SHARES)):
            _check_sound(bad)
        total: NDArray[np.float64] = figures.sum(axis=0)
        return total

    def policy(self, training: dict[str, Any]) -> RolloutPolicy:
        """The policy as it is now."""
        spec = RolloutSpec(self.recipe.name, self.recipe.features, self.recipe.size, training)
        return RolloutPolicy(spec, self.patterns, self.arrays["rollout"].copy(), self.arrays["tree"].copy())


def _named(figures: NDArray[np.float64]) -> dict[str, float]:
    """Mean cross-entropy and share of hits of the policies that were asked."""
    named: dict[str, float] = {}
    for name, (positions, loss, hits) in zip(POLICIES, figures.tolist(), strict=True):
        if positions > 0:
            named |= {f"{name}_top1": hits / positions, f"{name}_loss": loss / positions}
    return named


@lru_cache(maxsize=2)
def _order(games: int, seed: int, epoch: int) -> NDArray[np.int64]:
    """In which order an epoch goes through the games."""
    return np.random.default_rng([seed, epoch]).permutation(games)


def _batch(recipe: RolloutRecipe, store: GameStore, number: int) -> GameStore:
    """Batch `number` of a run."""
    wanted = np.arange(number * recipe.batch, (number + 1) * recipe.batch)
    chosen = [_order(len(store), recipe.seed, k // len(store))[k % len(store)] for k in wanted.tolist()]
    return store.select(np.array(chosen, np.int64))


def main(recipe_path: Path | str, run: Path | str, *, quiet: bool = False) -> dict[str, float]:
    """Learn the recipe's policies in the folder `run`, write `rollout.safetensors` there; return held-out figures.

    A folder that holds a run of the same recipe is gone on with, from its last checkpoint.
    """
    recipe, folder = load_recipe(Path(recipe_path)), Path(run)
    keep_recipe(recipe, folder)
    games = load_games(recipe)
    learner = Learner(recipe, _kept_patterns(recipe, games.train, folder))
    progress = checkpoint.load_arrays(folder, learner.arrays) if checkpoint.exists(folder) else checkpoint.Progress()
    with RunLog(folder, progress.step, recipe.steps, quiet=quiet) as log:
        if progress.step == 0:
            log.write("mined", 0, {name: float(count) for name, count in learner.patterns.counts().items()})
        progress = _learn(learner, games, folder, progress, log)
        figures = learner.evaluate(games.tests)
        log.write("held_out", progress.step, figures)
    linear.save(learner.policy(_summary(learner, games, figures)), folder / "rollout.safetensors")
    return figures


def _learn(
    learner: Learner, games: Games, folder: Path, progress: checkpoint.Progress, log: RunLog
) -> checkpoint.Progress:
    """All steps that are left."""
    recipe = learner.recipe
    started = time.monotonic() - progress.seconds
    unwritten: list[dict[str, float]] = []
    for number in range(progress.step, recipe.steps):
        unwritten.append(learner.step(number, _batch(recipe, games.train, number)))
        step = number + 1
        log.advance(step / recipe.steps, recipe.steps)
        if step % recipe.log_every == 0:
            names = unwritten[0]
            log.write("train", step, {name: sum(one[name] for one in unwritten) / len(unwritten) for name in names})
            unwritten = []
        if step % recipe.evaluate_every == 0 and step < recipe.steps:
            log.write("held_out", step, learner.evaluate(games.tests))
        if step % recipe.checkpoint_every == 0 or step == recipe.steps:
            progress = checkpoint.Progress(step, time.monotonic() - started)
            checkpoint.save_arrays(folder, progress, learner.arrays)
    return progress


def _kept_patterns(recipe: RolloutRecipe, store: GameStore, folder: Path) -> Patterns:
    """The patterns of a run: those mined when it began."""
    path = folder / "patterns.safetensors"
    if path.is_file():
        return linear.load(path).patterns
    patterns = mine_patterns(recipe, store)
    linear.save(Learner(recipe, patterns).policy({}), path)
    return patterns


def _summary(learner: Learner, games: Games, figures: dict[str, float]) -> dict[str, Any]:
    recipe = learner.recipe
    return {
        "kind": "rollout",
        "files": sorted({file.name for source in recipe.sources for file in source.files}),
        "games": len(games.train),
        "patterns": learner.patterns.counts(),
        "mined_games": min(recipe.mining.games, len(games.train)),
        "steps": recipe.steps,
        "batch": recipe.batch,
        "seed": recipe.seed,
        "held_out": {name: round(value, 4) for name, value in figures.items()},
    }


def evaluate_policy(policy_path: Path | str, recipe_path: Path | str) -> dict[str, float]:
    """The held-out figures of a bundled or saved policy on the games that the recipe holds out and tests with."""
    recipe = load_recipe(Path(recipe_path))
    policy = linear.load(finding.bundled_rollouts().get(str(policy_path), Path(policy_path)))
    if (policy.spec.size, policy.spec.features) != (recipe.size, recipe.features):
        raise ConfigError(
            f"{policy_path} is for {policy.spec.size}x{policy.spec.size} or other features than the recipe"
        )
    learner = Learner(replace(recipe, tree=policy.has_tree), policy.patterns)
    learner.arrays["rollout"][:], learner.arrays["tree"][:] = policy.rollout, policy.tree
    return learner.evaluate(load_games(recipe).tests)
