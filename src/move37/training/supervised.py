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
from typing import Any, Literal

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
from move37.nets.graph import Network
from move37.nets.torch_net import GraphModule, from_torch, to_torch, with_training
from move37.nets.zero import zero_network
from move37.rules.ruleset import ruleset
from move37.rules.scoring import check_komi
from move37.training import checkpoint, examples
from move37.training.examples import Examples, Sampler, Source
from move37.training.loop import LoopConfig, Task, train
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

    def __post_init__(self) -> None:
        if not 0.0 < self.share < math.inf:
            raise ConfigError(f"the share of a source is above 0, not {self.share}")
        if not (0.0 <= self.policy_weight < math.inf and 0.0 <= self.value_weight < math.inf):
            raise ConfigError("the weights of a source are 0 or more")


@dataclass(frozen=True)
class NetworkRecipe:
    """The shape of a two-headed residual network; see `move37.nets.zero`."""

    blocks: int
    filters: int
    head: Literal["paper", "pooled"] = "pooled"
    policy_filters: int | None = None
    value_filters: int | None = None
    value_hidden: int = 256
    encoder: str = "zero17"
    name: str | None = None


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
    sources = tuple(replace(s, files=tuple((folder / file).resolve() for file in s.files)) for s in recipe.sources)
    return replace(recipe, sources=sources)


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
        train_sources.append(make_source(source, parts[0], recipe.komi))
        held_sources.append(make_source(source, parts[1], recipe.komi))
    return tuple(train_sources), tuple(held_sources)


def sampler_of(recipe: SupervisedRecipe, sources: tuple[Source, ...]) -> Sampler:
    """The sampler of a recipe's batches."""
    shares = tuple(source.share for source in recipe.sources)
    encoder = get_encoder(recipe.network.encoder)
    return Sampler(sources, shares, encoder, recipe.batch, recipe.seed, recipe.komi, recipe.augment)


def held_out_examples(recipe: SupervisedRecipe, sources: tuple[Source, ...]) -> list[Examples]:
    """The same `held_out_positions` positions every time, unturned, in the shares of the recipe, as batches."""
    sampler = replace(sampler_of(recipe, sources), batch=min(512, recipe.held_out_positions), augment=False)
    return [sampler.draw(number) for number in range(math.ceil(recipe.held_out_positions / sampler.batch))]


def loss(module: nn.Module, batch: Examples, value_weight: float) -> Losses:
    """Terms of the loss of one batch, each a mean over the examples that count."""
    outputs = module(_planes(batch), torch.from_numpy(batch.globals))
    policy, value = _terms(outputs, batch)
    policy_mean = (policy * torch.from_numpy(batch.policy_weight)).sum() / max(float(batch.policy_weight.sum()), 1.0)
    value_mean = (value * torch.from_numpy(batch.value_weight)).sum() / max(float(batch.value_weight.sum()), 1.0)
    return {"loss": policy_mean + value_weight * value_mean, "policy": policy_mean, "value": value_mean}


def _planes(batch: Examples) -> Tensor:
    return torch.from_numpy(batch.spatial).contiguous(memory_format=torch.channels_last)


def _terms(outputs: dict[str, Tensor], batch: Examples) -> tuple[Tensor, Tensor]:
    """Cross-entropy and squared error of each example, float32[B]."""
    policy = functional.cross_entropy(outputs["policy"].float(), torch.from_numpy(batch.move), reduction="none")
    value = (outputs["value"].float() - torch.from_numpy(batch.value)) ** 2
    return policy, value


def evaluate(module: nn.Module, batches: list[Examples]) -> dict[str, float]:
    """Held-out figures: `top1`, `top5`, `policy`, `value_error`, `value_sign`.

    How often the move played is the first or among the five first; cross-entropy; mean squared error; how often the
    sign is right where somebody won. Policy figures are over the examples with a policy weight, value figures over
    those with a value weight, each counted once.
    """
    module.eval()
    columns: dict[str, list[Tensor]] = {"top1": [], "top5": [], "policy": [], "value_error": [], "value_sign": []}
    with torch.inference_mode():
        for batch in batches:
            outputs = module(_planes(batch), torch.from_numpy(batch.globals))
            policy, value = _terms(outputs, batch)
            chosen, judged = torch.from_numpy(batch.policy_weight > 0), torch.from_numpy(batch.value_weight > 0)
            best = outputs["policy"].topk(5, dim=1).indices == torch.from_numpy(batch.move)[:, None]
            columns["top1"].append(best[chosen, 0].float())
            columns["top5"].append(best[chosen].any(dim=1).float())
            columns["policy"].append(policy[chosen])
            columns["value_error"].append(value[judged])
            decided = judged & torch.from_numpy(batch.value != 0)
            right = (outputs["value"] > 0) == torch.from_numpy(batch.value > 0)
            columns["value_sign"].append(right[decided].float())
    return {name: float(torch.cat(parts).mean()) for name, parts in columns.items()}


def new_network(recipe: SupervisedRecipe) -> Network:
    """The untrained network of a recipe, from its seed."""
    shape = recipe.network
    return zero_network(
        blocks=shape.blocks,
        filters=shape.filters,
        sizes=[recipe.size],
        rng=np.random.default_rng(recipe.seed),
        encoder=shape.encoder,
        planes=get_encoder(shape.encoder).planes,
        head=shape.head,
        policy_filters=shape.policy_filters,
        value_filters=shape.value_filters,
        value_hidden=shape.value_hidden,
        komi_band=recipe.komi_band,
        rules=recipe.rules,
        name=shape.name,
    )


def main(recipe_path: Path | str, run: Path | str, resume: bool = False, *, quiet: bool = False) -> dict[str, float]:
    """Train the recipe in the folder `run`, write `network.safetensors` there, and return the held-out figures."""
    recipe, folder = load_recipe(Path(recipe_path)), Path(run)
    _keep_recipe(recipe, folder, resume)
    sources, held = load_sources(recipe)
    sampler, batches = sampler_of(recipe, sources), held_out_examples(recipe, held)

    def make_module() -> nn.Module:
        module: nn.Module = to_torch(new_network(recipe))
        return module.to(memory_format=torch.channels_last)  # type: ignore[no-any-return,call-overload]

    def batches_from(first: int) -> Generator[Examples]:
        return examples.prefetch(sampler, first)

    task = Task(
        batches=batches_from,
        loss=partial(loss, value_weight=recipe.value_weight),
        split=examples.split,
        evaluate=partial(evaluate, batches=batches),
    )
    outcome = train(make_module, task, recipe.loop, folder, resume=resume, quiet=quiet)
    trained = outcome.module
    assert isinstance(trained, GraphModule)
    summary = _summary(recipe, sources, held, outcome.figures)
    summary |= {"steps": outcome.progress.step, "minutes": round(outcome.progress.seconds / 60, 1)}
    weights.save(with_training(from_torch(trained), summary), folder / "network.safetensors")
    return outcome.figures


def evaluate_network(network_path: Path | str, recipe_path: Path | str) -> dict[str, float]:
    """The held-out figures of a saved network on the games that the recipe holds out."""
    recipe = load_recipe(Path(recipe_path))
    network = weights.load(weights.find(network_path))
    wanted = (recipe.network.encoder, recipe.size)
    if network.spec.encoder != wanted[0] or not network.spec.supports(recipe.size, recipe.size):
        raise ConfigError(
            f"{network_path} reads {network.spec.encoder} on {network.spec.sizes_text()}, but the recipe {recipe_path} "
            f"needs {wanted[0]} on {wanted[1]}x{wanted[1]}; evaluate it with its own recipe"
        )
    _, held = load_sources(recipe)
    return evaluate(to_torch(network), held_out_examples(recipe, held))


def _keep_recipe(recipe: SupervisedRecipe, run: Path, resume: bool) -> None:
    """Save the recipe with the run; a resumed run must have the same one."""
    kept = run / "config.toml"
    if resume:
        if not kept.is_file():
            raise CheckpointError(f"there is no run to resume in {run}; start it without resuming")
        if toml.load_toml(SupervisedRecipe, kept) != recipe:
            raise ConfigError(f"the recipe differs from {kept}, with which the run began; resume with that one")
    elif checkpoint.exists(run):
        raise CheckpointError(f"{run} already holds a training run; resume it or give another folder")
    else:
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
