"""Policy and value learned together from games of people: AlphaGo Zero's loss on human moves and results.

loss = cross-entropy of the move played + value_weight * (z - v)^2, and an L2 term in the optimiser
(Silver et al., Nature 550, 2017, Methods; they weighted the value by 0.01 when learning from people, because a network
of their size learned the games by heart). A recipe in TOML says everything; the run's folder keeps a copy.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from torch import nn

from move37 import config as toml
from move37.errors import ConfigError
from move37.features.encoder import get_encoder
from move37.games.duplicates import unseen
from move37.games.legal import legal_games
from move37.games.ranks import required_rank
from move37.games.store import GameFilter, GameStore
from move37.nets import weights
from move37.nets.fast_cpu import cores
from move37.nets.torch_net import GraphModule, from_torch, to_torch, with_training
from move37.rules import symmetry
from move37.rules.ruleset import ruleset
from move37.rules.scoring import check_komi
from move37.training import examples
from move37.training.devices import chosen, placed
from move37.training.examples import Examples, Sampler, Source, one_a_game
from move37.training.held_out import Accuracy, accuracy, measure
from move37.training.loop import LoopConfig, Task, train
from move37.training.losses import loss
from move37.training.network_recipe import NetworkRecipe, beside, new_network
from move37.training.results import Counting, black_leads, black_results
from move37.training.run_folder import keep_recipe


@dataclass(frozen=True)
class SourceRecipe:
    """Games to learn from, and what to learn from them."""

    files: tuple[Path, ...]
    """Parquet stores; relative paths start at the recipe's folder."""
    share: float = 1.0
    """Part of each batch, relative to the other sources."""
    games: GameFilter = field(default_factory=GameFilter)
    policy_min_rank: str | None = None
    """Moves of weaker players (and of players of unknown rank) are no policy targets; None: all moves are."""
    policy_weight: float = 1.0
    value_weight: float = 1.0
    name: str | None = None
    """With a name, this source's held-out games also have figures of their own."""
    learn_pass: bool = False
    """Games that end with a counted score get two passes at their end: servers and collections leave them out."""
    positions: Literal["all", "one"] = "all"
    """one: a single position of each game, the one that its store marks or else one that chance chose."""
    max_games: int | None = None
    """Learn from so many games only, chosen by the seed; None: from all that are not held out."""
    counting: Counting = "territory"
    """How scores were counted, see `black_results`; games that programs of this package played: area."""

    def __post_init__(self) -> None:
        if self.max_games is not None and self.max_games < 1:
            raise ConfigError(f"max_games is 1 or more, not {self.max_games}")
        if not 0.0 < self.share < math.inf:
            raise ConfigError(f"the share of a source is above 0, not {self.share}")
        if not (0.0 <= self.policy_weight < math.inf and 0.0 <= self.value_weight < math.inf):
            raise ConfigError("the weights of a source are 0 or more")


@dataclass(frozen=True)
class TestRecipe:
    """Games that are asked beside the held-out ones, under a name of their own; no source may contain them."""

    name: str
    files: tuple[Path, ...]
    games: GameFilter = field(default_factory=GameFilter)
    positions: int = 8192

    def __post_init__(self) -> None:
        if not self.name or self.positions < 1:
            raise ConfigError("a test needs a name and positions of 1 or more")


@dataclass(frozen=True)
class SupervisedRecipe:
    """Everything that decides a supervised run."""

    sources: tuple[SourceRecipe, ...]
    network: NetworkRecipe
    loop: LoopConfig
    batch: int = 256
    seed: int = 1
    size: int = 9
    komi: float = 7.0
    """Counted games are counted again at this komi; see `black_results`."""
    komi_band: tuple[float, float] = (6.5, 7.5)
    """Kept in the network's spec: another komi warns."""
    rules: str = "chinese"
    value_weight: float = 1.0
    score_weight: float = 0.1
    """Of the score's error, where the network has a score; ours. Games count as much as for the value."""
    ownership_weight: float = 1.5
    """Of the ownership's error, the mean over the points, where the network has ownership and the games tell it;
    KataGo's 1.5 (Wu 2019, Appendix B)."""
    held_out: float = 0.05
    """Part of the games (chosen by their moves and the seed) that is never trained on."""
    held_out_positions: int = 8192
    tests: tuple[TestRecipe, ...] = ()
    augment: bool = True
    first_batch: int = 0
    """Where in the endless row of batches the run begins; one that goes on from another's network passes over its."""

    def __post_init__(self) -> None:
        if not self.sources or self.batch < 1 or not 0.0 < self.held_out < 1.0:
            raise ConfigError("a recipe needs sources, a batch of 1 or more, and held_out between 0 and 1")
        if self.batch < self.loop.threads:
            raise ConfigError(f"a batch of {self.batch} cannot be cut for {self.loop.threads} threads")
        names = [test.name for test in self.tests] + [one.name for one in self.sources if one.name is not None]
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise ConfigError(f"two of the tests and sources are named {twice[0]}; give each a name of its own")
        if self.held_out_positions < 1 or min(self.seed, self.first_batch) < 0:
            raise ConfigError("a recipe needs held_out_positions of 1 or more, and a seed and first_batch of 0 or more")
        low, high = self.komi_band
        if not -math.inf < low <= high < math.inf:
            raise ConfigError(f"komi_band is the lowest and the highest komi, not {low} and {high}")
        ruleset(self.rules)
        check_komi(self.komi)


def load_recipe(path: Path) -> SupervisedRecipe:
    """The recipe at `path`, its games' files as absolute paths."""
    recipe = toml.load_toml(SupervisedRecipe, path)
    folder = path.resolve().parent

    def absolute(files: tuple[Path, ...]) -> tuple[Path, ...]:
        return tuple((folder / file).resolve() for file in files)

    sources = tuple(replace(source, files=absolute(source.files)) for source in recipe.sources)
    tests = tuple(replace(test, files=absolute(test.files)) for test in recipe.tests)
    network = recipe.network
    if network.start is not None:
        network = replace(network, start=beside(path, network.start))
    return replace(recipe, sources=sources, tests=tests, network=network)


def make_source(recipe: SourceRecipe, games: GameStore, komi: float, seed: int = 0, *, owners: bool = False) -> Source:
    """Targets and weights of one source's games; `seed` chooses where one position a game is wanted.

    `owners`: whether examples are to say who owned what in the end.
    """
    result, trusted = black_results(games, komi, recipe.counting)
    ranks = np.stack([games.black_rank, games.white_rank], axis=1)
    allowed = np.ones(ranks.shape, dtype=np.bool_)
    if recipe.policy_min_rank is not None:
        allowed = ranks >= required_rank(recipe.policy_min_rank)
    weight = (allowed * recipe.policy_weight).astype(np.float32)
    chosen = one_a_game(games, seed) if recipe.positions == "one" else None
    leads = black_leads(games, recipe.counting)
    return Source(games, result, trusted * np.float32(recipe.value_weight), weight, chosen, leads, owners)


def load_sources(recipe: SupervisedRecipe) -> tuple[tuple[Source, ...], tuple[Source, ...]]:
    """(training sources, held-out sources), in the recipe's order. `ConfigError` for a source without games.

    What is held out of any source or stands in a test is learned from in none, be it turned, mirrored, or with other
    passes at its end (`move37.games.duplicates`). A value network is asked one position of each held-out game, whatever
    it learns from.
    """
    parts = [_divided(recipe, number, _games(recipe, source)) for number, source in enumerate(recipe.sources)]
    tests = [load_test(recipe, test).games for test in recipe.tests]
    asked = [*(held for _, held in parts), *tests]
    train_sources: list[Source] = []
    held_sources: list[Source] = []
    for number, (source, (learned, held)) in enumerate(zip(recipe.sources, parts, strict=True)):
        games = _some(unseen(learned, asked), source.max_games, recipe.seed)
        if int(games.moves.offsets[-1]) == 0:
            raise ConfigError(f"source {number + 1} has no games but those held out or in tests; ask for less in tests")
        games = games.with_final_passes() if source.learn_pass else games
        train_sources.append(make_source(source, games, recipe.komi, recipe.seed, owners=recipe.network.ownership))
        held_sources.append(_held_source(recipe, source, held))
    return tuple(train_sources), tuple(held_sources)


def load_held_out(recipe: SupervisedRecipe) -> tuple[Source, ...]:
    """The held-out sources alone, the games not checked beforehand."""
    parts = [
        _divided(recipe, number, _games(recipe, source, checked=False)) for number, source in enumerate(recipe.sources)
    ]
    return tuple(_held_source(recipe, source, held) for source, (_, held) in zip(recipe.sources, parts, strict=True))


def _held_source(recipe: SupervisedRecipe, source: SourceRecipe, held: GameStore) -> Source:
    asking = replace(source, positions="one") if recipe.network.kind == "value" else source
    return make_source(asking, held, recipe.komi, recipe.seed, owners=recipe.network.ownership)


def _some(games: GameStore, count: int | None, seed: int) -> GameStore:
    """`count` of the games, chosen by `seed`, in their order; all of them for None."""
    if count is None or count >= len(games):
        return games
    return games.select(np.sort(np.random.default_rng(seed).permutation(len(games))[:count]))


def _divided(recipe: SupervisedRecipe, number: int, games: GameStore) -> tuple[GameStore, GameStore]:
    """The games of source `number` (from 0), to learn from and held out; neither is empty."""
    source = recipe.sources[number]
    learned, held = games.split(recipe.held_out, recipe.seed)
    which, asked = f"source {number + 1} ({', '.join(file.name for file in source.files)})", recipe.held_out
    if int(games.moves.offsets[-1]) == 0:
        raise ConfigError(f"{which} has no games on {recipe.size}x{recipe.size} after its filter; ask for less")
    if int(held.moves.offsets[-1]) == 0:
        raise ConfigError(f"{which} has no game to hold out ({asked:g} of its {len(games)}); raise held_out")
    if int(learned.moves.offsets[-1]) == 0:
        raise ConfigError(f"{which} has no game left to learn from ({asked:g} of its {len(games)} are held out)")
    return learned, held


def _games(recipe: SupervisedRecipe, source: SourceRecipe, *, checked: bool = True) -> GameStore:
    """The games of a source after its filter; for a value network only those whose results are trusted.

    `checked`: each is replayed beforehand, and an illegal one named.
    """
    wanted = replace(source.games, size=recipe.size)
    games = legal_games(source.files, wanted, cores()) if checked else GameStore.open(source.files).filter(wanted)
    if recipe.network.kind != "value":
        return games
    return games.select(black_results(games, recipe.komi, source.counting)[1] > 0)


def load_test(recipe: SupervisedRecipe, test: TestRecipe) -> Source:
    """The games of a test, as a source. `ConfigError` if none is left after its filter."""
    games = _games(recipe, SourceRecipe(test.files, games=test.games))
    if int(games.moves.offsets[-1]) == 0:
        raise ConfigError(f"the test {test.name} has no games after its filter; ask for less")
    return make_source(SourceRecipe(test.files), games, recipe.komi, owners=recipe.network.ownership)


def sampler_of(recipe: SupervisedRecipe, sources: tuple[Source, ...]) -> Sampler:
    """The sampler of a recipe's batches."""
    shares = tuple(source.share for source in recipe.sources)
    encoder = get_encoder(recipe.network.encoder)
    return Sampler(sources, shares, encoder, recipe.batch, recipe.seed, recipe.komi, recipe.augment)


def held_out_samplers(recipe: SupervisedRecipe, held: tuple[Source, ...]) -> dict[str, tuple[Sampler, int]]:
    """What is asked and how many batches: all held-out games under "", those of a name and of a test under the name."""
    usual = replace(sampler_of(recipe, held), augment=False)
    found = {"": _asking(usual, recipe.held_out_positions)}
    for source, games in zip(recipe.sources, held, strict=True):
        if source.name is not None:
            found[source.name] = _asking(replace(usual, sources=(games,), shares=(1.0,)), recipe.held_out_positions)
    for test in recipe.tests:
        only = replace(usual, sources=(load_test(recipe, test),), shares=(1.0,))
        found[test.name] = _asking(only, test.positions)
    return found


def same_examples(recipe: SupervisedRecipe, sources: tuple[Source, ...], positions: int) -> list[Examples]:
    """So many positions of the sources in their shares, unturned, the same every time, as batches."""
    sampler, count = _asking(replace(sampler_of(recipe, sources), augment=False), positions)
    return [sampler.draw(number) for number in range(count)]


def _asking(sampler: Sampler, positions: int) -> tuple[Sampler, int]:
    batch = min(512, positions)
    return replace(sampler, batch=batch), math.ceil(positions / batch)


def held_out_examples(recipe: SupervisedRecipe, held: tuple[Source, ...]) -> dict[str, list[Examples]]:
    """The same positions every time, unturned, as batches by the names of `held_out_samplers`."""
    asked = held_out_samplers(recipe, held)
    return {name: [sampler.draw(number) for number in range(count)] for name, (sampler, count) in asked.items()}


def evaluate(module: nn.Module, tests: dict[str, list[Examples]]) -> dict[str, float]:
    """The figures of `measure` for every test, those of a named one with its name in front, like "pro_top1"."""
    figures: dict[str, float] = {}
    for test, batches in tests.items():
        prefix = f"{test}_" if test else ""
        figures |= {prefix + name: value for name, value in measure(module, batches).items()}
    return figures


def new_module(recipe: SupervisedRecipe) -> GraphModule:
    """The untrained network of a recipe, from its seed, as a module with channels last."""
    rng = np.random.default_rng(recipe.seed)
    network = new_network(recipe.network, recipe.size, recipe.komi_band, recipe.rules, rng)
    return placed(to_torch(network), torch.device("cpu"))


def main(recipe_path: Path | str, run: Path | str, *, quiet: bool = False) -> dict[str, float]:
    """Train the recipe in the folder `run`, write `network.safetensors` there, and return the held-out figures.

    A folder that holds a run of the same recipe is gone on with, from its last checkpoint.
    """
    recipe, folder = load_recipe(Path(recipe_path)), Path(run)
    keep_recipe(recipe, folder)
    sources, held = load_sources(recipe)
    tests = held_out_examples(recipe, held)
    return train_network(recipe, (sources, held), partial(evaluate, tests=tests), folder, quiet=quiet)


def train_network(
    recipe: SupervisedRecipe,
    data: tuple[tuple[Source, ...], tuple[Source, ...]],
    figures: Callable[[nn.Module], dict[str, float]],
    run: Path,
    *,
    quiet: bool = False,
) -> dict[str, float]:
    """Train on `data` (what `load_sources` gives), in the folder `run`; returns the last `figures`."""
    sampler = sampler_of(recipe, data[0])
    if 0 in sampler.counts():
        number = sampler.counts().index(0) + 1
        raise ConfigError(f"source {number} gets none of the {recipe.batch} examples of a batch; raise its share")

    def batches_from(first: int) -> Generator[Examples]:
        return examples.prefetch(sampler, recipe.first_batch + first)

    task = Task(
        batches=batches_from,
        loss=partial(
            loss,
            value_weight=recipe.value_weight,
            score_weight=recipe.score_weight,
            ownership_weight=recipe.ownership_weight,
        ),
        split=examples.split,
        evaluate=figures,
    )
    outcome = train(lambda: new_module(recipe), task, recipe.loop, run, quiet=quiet)
    trained = outcome.module
    assert isinstance(trained, GraphModule)
    summary = _summary(recipe, *data, outcome.figures)
    summary |= {"steps": outcome.progress.step, "minutes": round(outcome.progress.seconds / 60, 1)}
    weights.save(with_training(from_torch(trained), summary), run / "network.safetensors")
    return outcome.figures


def evaluate_network(
    network_path: Path | str,
    recipe_path: Path | str,
    *,
    symmetries: int = 1,
    positions: int | None = None,
    device: str = "cpu",
) -> dict[str, Accuracy]:
    """What a saved network foretells of the games that a recipe holds out (under "") and tests with.

    `symmetries`: mean over so many turned boards, 1 to 8. `positions`: asked of each test instead of the recipe's.
    """
    if not 1 <= symmetries <= len(symmetry.SYMMETRIES) or (positions is not None and positions < 1):
        raise ConfigError("a network is evaluated on 1 or more positions, with 1 to 8 symmetries")
    recipe = load_recipe(Path(recipe_path))
    if positions is not None:
        tests = tuple(replace(test, positions=positions) for test in recipe.tests)
        recipe = replace(recipe, held_out_positions=positions, tests=tests)
    network = weights.load(weights.find(network_path))
    wanted = (recipe.network.encoder, recipe.size)
    if network.spec.encoder != wanted[0] or not network.spec.supports(recipe.size, recipe.size):
        raise ConfigError(
            f"{network_path} reads {network.spec.encoder} on {network.spec.sizes_text()}, but the recipe {recipe_path} "
            f"needs {wanted[0]} on {wanted[1]}x{wanted[1]}; evaluate it with its own recipe"
        )
    module = placed(to_torch(network), chosen(device))
    held = load_held_out(recipe)
    return {
        name: accuracy(module, (sampler.draw(number) for number in range(count)), symmetries)
        for name, (sampler, count) in held_out_samplers(recipe, held).items()
    }


def _summary(
    recipe: SupervisedRecipe, sources: tuple[Source, ...], held: tuple[Source, ...], figures: dict[str, float]
) -> dict[str, Any]:
    names = sorted({file.name for source in recipe.sources for file in source.files})
    return {
        "kind": "supervised",
        "files": names,
        "games": sum(len(source.games) for source in sources),
        "held_out_games": sum(len(source.games) for source in held),
        "batch": recipe.batch,
        "seed": recipe.seed,
        "komi": recipe.komi,
        "held_out": {name: round(value, 4) for name, value in figures.items()},
    }
