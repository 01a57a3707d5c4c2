"""Policy and value learned together from games of people: AlphaGo Zero's loss on human moves and results.

loss = cross-entropy of the move played + value_weight * (z - v)^2, and an L2 term in the optimiser
(Silver et al., Nature 550, 2017, Methods; they weighted the value by 0.01 when learning from people, because a network
of their size learned the games by heart). A recipe in TOML says everything; the run's folder keeps a copy.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from move37 import config as toml
from move37.errors import CheckpointError, ConfigError
from move37.features.encoder import get_encoder
from move37.games.ranks import required_rank
from move37.games.store import GameFilter, GameStore
from move37.nets import weights
from move37.nets.torch_net import GraphModule, from_torch, to_torch, with_training
from move37.rules.ruleset import ruleset
from move37.rules.scoring import check_komi
from move37.training import checkpoint, examples
from move37.training.examples import Examples, Sampler, Source
from move37.training.held_out import measure
from move37.training.loop import LoopConfig, Task, train
from move37.training.network_recipe import NetworkRecipe, new_network
from move37.training.workers import Losses


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

    def __post_init__(self) -> None:
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
    held_out: float = 0.05
    """Part of the games (chosen by their moves and the seed) that is never trained on."""
    held_out_positions: int = 8192
    tests: tuple[TestRecipe, ...] = ()
    augment: bool = True

    def __post_init__(self) -> None:
        if not self.sources or self.batch < 1 or not 0.0 < self.held_out < 1.0:
            raise ConfigError("a recipe needs sources, a batch of 1 or more, and held_out between 0 and 1")
        if self.held_out_positions < 1 or self.seed < 0:
            raise ConfigError("a recipe needs held_out_positions of 1 or more and a seed of 0 or more")
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
    if network.start is not None and (folder / network.start).is_file():
        network = replace(network, start=(folder / network.start).resolve())
    return replace(recipe, sources=sources, tests=tests, network=network)


def black_results(games: GameStore, komi: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Each game's value for Black at `komi` under area rules, and how far to trust it: float32[G] each.

    Values are -1, 0 or 1, weights 0 or 1. A counted game is counted again: margin + its own komi is the lead on the
    board. Most records count territory; on a board with an odd number of points the area lead is odd (no seki), one
    more than an even territory lead, for then Black made the last move. Resigned games keep their winner. Weight 0: no
    winner known, lost on time or by leaving, or counted with unknown komi.
    """
    margin = games.margin
    lead = np.round(margin + games.komi)
    odd_board = games.size % 2 == 1
    area_lead = np.where(odd_board & (lead % 2 == 0), lead + 1, lead)
    counted = ~np.isnan(area_lead)
    result = np.where(counted, np.sign(area_lead - komi), games.winner)
    resigned = np.char.endswith(games.result, "+R") | np.char.endswith(games.result, "+")
    trusted = counted | (resigned & (games.winner != 0))
    return np.nan_to_num(result).astype(np.float32), trusted.astype(np.float32)


def make_source(recipe: SourceRecipe, games: GameStore, komi: float) -> Source:
    """Targets and weights of one source's games."""
    result, trusted = black_results(games, komi)
    ranks = np.stack([games.black_rank, games.white_rank], axis=1)
    allowed = np.ones(ranks.shape, dtype=np.bool_)
    if recipe.policy_min_rank is not None:
        allowed = ranks >= required_rank(recipe.policy_min_rank)
    weight = (allowed * recipe.policy_weight).astype(np.float32)
    return Source(games, result, trusted * np.float32(recipe.value_weight), weight)


def load_sources(recipe: SupervisedRecipe) -> tuple[tuple[Source, ...], tuple[Source, ...]]:
    """(training sources, held-out sources), in the recipe's order. `ConfigError` for a source without games."""
    train_sources: list[Source] = []
    held_sources: list[Source] = []
    for number, source in enumerate(recipe.sources):
        games = GameStore.open(source.files).filter(replace(source.games, size=recipe.size))
        parts = games.split(recipe.held_out, recipe.seed)
        if min(int(part.moves.offsets[-1]) for part in parts) == 0:
            raise ConfigError(f"source {number + 1} has too few games ({len(games)}) after its filter; ask for less")
        if source.learn_pass:
            parts = (parts[0].with_final_passes(), parts[1])
        train_sources.append(make_source(source, parts[0], recipe.komi))
        held_sources.append(make_source(source, parts[1], recipe.komi))
    return tuple(train_sources), tuple(held_sources)


def load_test(recipe: SupervisedRecipe, test: TestRecipe) -> Source:
    """The games of a test, as a source. `ConfigError` if none is left after its filter."""
    games = GameStore.open(test.files).filter(replace(test.games, size=recipe.size))
    if int(games.moves.offsets[-1]) == 0:
        raise ConfigError(f"the test {test.name} has no games after its filter; ask for less")
    return make_source(SourceRecipe(test.files), games, recipe.komi)


def sampler_of(recipe: SupervisedRecipe, sources: tuple[Source, ...]) -> Sampler:
    """The sampler of a recipe's batches."""
    shares = tuple(source.share for source in recipe.sources)
    encoder = get_encoder(recipe.network.encoder)
    return Sampler(sources, shares, encoder, recipe.batch, recipe.seed, recipe.komi, recipe.augment)


def held_out_examples(recipe: SupervisedRecipe, held: tuple[Source, ...]) -> dict[str, list[Examples]]:
    """The same positions every time, unturned, as batches: all held-out games' under "", a name's under that name."""
    usual = replace(sampler_of(recipe, held), augment=False)
    found = {"": _drawn(usual, recipe.held_out_positions)}
    for source, games in zip(recipe.sources, held, strict=True):
        if source.name is not None:
            found[source.name] = _drawn(replace(usual, sources=(games,), shares=(1.0,)), recipe.held_out_positions)
    for test in recipe.tests:
        only = replace(usual, sources=(load_test(recipe, test),), shares=(1.0,))
        found[test.name] = _drawn(only, test.positions)
    return found


def _drawn(sampler: Sampler, positions: int) -> list[Examples]:
    batch = min(512, positions)
    return [replace(sampler, batch=batch).draw(number) for number in range(math.ceil(positions / batch))]


def loss(module: nn.Module, batch: Examples, value_weight: float) -> Losses:
    """Terms of the loss of one batch for the heads there are, each a mean over the examples that count."""
    outputs = module(_planes(batch), torch.from_numpy(batch.globals))
    terms: Losses = {}
    for name, errors in _errors(outputs, batch).items():
        weight = torch.from_numpy(batch.policy_weight if name == "policy" else batch.value_weight)
        terms[name] = (errors * weight).sum() / weight.sum().clamp(min=1.0)
    weights_of = {"policy": 1.0, "value": value_weight}
    total = torch.stack([weights_of[name] * term for name, term in terms.items()]).sum()
    return {"loss": total, **terms}


def _planes(batch: Examples) -> Tensor:
    return torch.from_numpy(batch.spatial).contiguous(memory_format=torch.channels_last)


def _errors(outputs: dict[str, Tensor], batch: Examples) -> dict[str, Tensor]:
    """Cross-entropy ("policy") and squared error ("value") of each example, float32[B], of the heads there are."""
    errors: dict[str, Tensor] = {}
    if "policy" in outputs:
        move = torch.from_numpy(batch.move)
        errors["policy"] = functional.cross_entropy(outputs["policy"].float(), move, reduction="none")
    if "value" in outputs:
        errors["value"] = (outputs["value"].float() - torch.from_numpy(batch.value)) ** 2
    return errors


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
    module: GraphModule = to_torch(network).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    return module


def main(recipe_path: Path | str, run: Path | str, *, quiet: bool = False) -> dict[str, float]:
    """Train the recipe in the folder `run`, write `network.safetensors` there, and return the held-out figures.

    A folder that holds a run of the same recipe is gone on with, from its last checkpoint.
    """
    recipe, folder = load_recipe(Path(recipe_path)), Path(run)
    keep_recipe(recipe, folder)
    sources, held = load_sources(recipe)
    sampler, tests = sampler_of(recipe, sources), held_out_examples(recipe, held)

    def batches_from(first: int) -> Generator[Examples]:
        return examples.prefetch(sampler, first)

    task = Task(
        batches=batches_from,
        loss=partial(loss, value_weight=recipe.value_weight),
        split=examples.split,
        evaluate=partial(evaluate, tests=tests),
    )
    outcome = train(lambda: new_module(recipe), task, recipe.loop, folder, quiet=quiet)
    trained = outcome.module
    assert isinstance(trained, GraphModule)
    summary = _summary(recipe, sources, held, outcome.figures)
    summary |= {"steps": outcome.progress.step, "minutes": round(outcome.progress.seconds / 60, 1)}
    weights.save(with_training(from_torch(trained), summary), folder / "network.safetensors")
    return outcome.figures


def evaluate_network(network_path: Path | str, recipe_path: Path | str) -> dict[str, float]:
    """The held-out figures of a saved network on the games that the recipe holds out and tests with."""
    recipe = load_recipe(Path(recipe_path))
    network = weights.load(weights.find(network_path))
    wanted = (recipe.network.encoder, recipe.size)
    if network.spec.encoder != wanted[0] or not network.spec.supports(recipe.size, recipe.size):
        raise ConfigError(
            f"{network_path} reads {network.spec.encoder} on {network.spec.sizes_text()}, but the recipe {recipe_path} "
            f"needs {wanted[0]} on {wanted[1]}x{wanted[1]}; evaluate it with its own recipe"
        )
    _, held = load_sources(recipe)
    module: nn.Module = to_torch(network).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    return evaluate(module, held_out_examples(recipe, held))


def keep_recipe(recipe: SupervisedRecipe, run: Path) -> None:
    """Save the recipe with the run; a run that is gone on with must have the same one."""
    kept = run / "config.toml"
    if checkpoint.exists(run) or kept.is_file():
        if not kept.is_file():
            raise CheckpointError(f"{run} holds a training run without its config.toml; give another folder")
        if toml.load_toml(SupervisedRecipe, kept) != recipe:
            raise ConfigError(
                f"{run} holds a run of another recipe, see its config.toml; give another folder, or the same recipe to "
                "go on with it"
            )
        return
    try:
        toml.save_toml(recipe, kept)
    except OSError as error:
        raise CheckpointError(f"cannot keep a run in {run} ({error.strerror}); give another folder") from error


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
