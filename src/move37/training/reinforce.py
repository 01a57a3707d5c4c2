"""REINFORCE: a policy network learns from the results of its own games against earlier selves.

Every iteration plays a batch of n games between the network that learns and one opponent drawn from a pool, half of
them with each colour, and moves the weights along

    1/n * sum over games and over the learner's moves of grad log p(a | s) * (z - v(s))

with z = 1, -1, 0 for a game won, lost or drawn by the learner, and v = 0 or the answer of a value network. The pool is
the network at the start (the parent) and then at every `pool_every`-th iteration; it lies in the run's folder `pool`.
The games of an iteration depend on the seed, its number, the weights and the pool alone, so a killed run goes on as if
nothing had been. Norms of the parent are folded away first: what learns is then exactly what plays, and the network
has the paper's shape. p is the policy over the moves that `policy_games` allows.

Source: Silver et al., Nature 529 (2016), Methods, "Reinforcement learning of policy networks" (n = 128, a pool that
grows every 500 of 10,000 iterations, baseline 0 in a first pass and the value network in a second); Williams 1992.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from move37 import config as toml
from move37.errors import ConfigError
from move37.evaluators.network import NetworkEvaluator
from move37.features.encoder import Encoder, get_encoder
from move37.nets import weights
from move37.nets.folding import fold
from move37.nets.graph import Network
from move37.nets.torch_net import GraphModule, from_torch, to_torch, with_training
from move37.rules.board_kernels import BoardArray
from move37.rules.records import new_records
from move37.rules.ruleset import ruleset
from move37.rules.scoring import check_komi
from move37.search.evaluator import Evaluator
from move37.training import policy_games
from move37.training.devices import placed
from move37.training.loop import LoopConfig, Task, train
from move37.training.network_recipe import beside
from move37.training.policy_games import Passes, Ply
from move37.training.policy_match import Playing, evaluator_of, policy_match
from move37.training.run_folder import keep_recipe
from move37.training.workers import Losses

CHUNK_POINTS = 1024 * 81
"""Points of the positions whose planes and activations are held at a time while learning."""


@dataclass(frozen=True)
class ReinforceRecipe:
    """Everything that decides a run; `loop.steps` is the number of iterations."""

    parent: Path
    """The policy network to start from; a relative path starts at the recipe's folder, a bare name may be bundled."""
    loop: LoopConfig
    size: int = 19
    komi: float = 7.5
    rules: str = "chinese"
    games: int = 128
    pool_every: int = 500
    baseline: Path | None = None
    """A value network; without one the baseline is 0."""
    passes: Passes = "guarded"
    max_moves: int | None = None
    """A longer game is counted as it stands; None: four times the number of points."""
    playing: Playing = "bfloat16"
    seed: int = 1
    name: str | None = None
    """The network's name; None: the parent's with "reinforced-" before it."""
    test_games: int = 200
    """Games against the parent at every evaluation, once drawn from the policies and once by their likeliest moves."""

    def __post_init__(self) -> None:
        if self.games < 2 or self.games % 2 or self.test_games < 2 or self.test_games % 2:
            raise ConfigError("games and test_games are even numbers of 2 or more: each colour plays half of them")
        if self.pool_every < 1 or self.seed < 0 or (self.max_moves is not None and self.max_moves < 1):
            raise ConfigError("pool_every and max_moves are 1 or more, the seed 0 or more")
        if not 1 <= self.size <= 19:
            raise ConfigError(f"the size of the board is 1 to 19, not {self.size}")
        ruleset(self.rules)
        check_komi(self.komi)

    @property
    def longest(self) -> int:
        """The moves after which a game is counted."""
        return self.max_moves or 4 * self.size * self.size


@dataclass(frozen=True)
class Moves:
    """K moves of the learner in `games` games, each with the weight (z - v) of its gradient, and `figures` about all.

    `boards` BOARD[K] before the moves, `allowed` bool[K, A], `moves` int64[K], `advantage` float32[K].
    """

    boards: BoardArray
    allowed: NDArray[np.bool_]
    moves: NDArray[np.int64]
    advantage: NDArray[np.float32]
    games: float
    figures: dict[str, float] = field(default_factory=dict[str, float])


def load_recipe(path: Path) -> ReinforceRecipe:
    """The recipe at `path`, with absolute paths where there are such files."""
    recipe = toml.load_toml(ReinforceRecipe, path)
    baseline = None if recipe.baseline is None else beside(path, recipe.baseline)
    return replace(recipe, parent=beside(path, recipe.parent), baseline=baseline)


def load_network(path: Path, output: str, size: int) -> Network:
    """A network with the output that plays on the board; `ConfigError` or `NetworkFileError` in one sentence."""
    network = weights.load(weights.find(path))
    if output not in network.graph.outputs:
        raise ConfigError(f"{path} has no {output}; give a network that has one")
    if not network.spec.supports(size, size):
        raise ConfigError(f"{path} is made for {network.spec.sizes_text()}, but the recipe plays on {size}x{size}")
    return network


def main(recipe_path: Path | str, run: Path | str, *, quiet: bool = False) -> dict[str, float]:
    """Let the recipe's parent learn in the folder `run`, write `network.safetensors` there; figures against the parent.

    A folder that holds a run of the same recipe is gone on with, from its last checkpoint.
    """
    recipe, folder = load_recipe(Path(recipe_path)), Path(run)
    parent = fold(load_network(recipe.parent, "policy", recipe.size))
    baseline = None if recipe.baseline is None else load_network(recipe.baseline, "value", recipe.size)
    keep_recipe(recipe, folder)
    self_play = SelfPlay(recipe, parent, baseline, folder / "pool")
    task = Task(
        batches=self_play.batches,
        loss=partial(loss, encoder=get_encoder(parent.spec.encoder)),
        split=split,
        evaluate=partial(against_parent, parent=parent, recipe=recipe),
    )
    outcome = train(self_play.make_module, task, recipe.loop, folder, quiet=quiet)
    trained = outcome.module
    assert isinstance(trained, GraphModule)
    figures = {name: round(value, 4) for name, value in outcome.figures.items()}
    summary: dict[str, Any] = {"kind": "reinforce", "parent": parent.spec.name, "iterations": outcome.progress.step}
    summary |= {"games": recipe.games, "pool_every": recipe.pool_every, "seed": recipe.seed, "komi": recipe.komi}
    summary |= {"minutes": round(outcome.progress.seconds / 60, 1), "against_parent": figures}
    network = with_training(from_torch(trained), summary)
    name = recipe.name or f"reinforced-{parent.spec.name}"
    network = Network(replace(network.spec, name=name), network.graph, network.arrays)
    weights.save(network, folder / "network.safetensors")
    return outcome.figures


class SelfPlay:
    """Plays the batches of a run with the weights that its module has at the moment."""

    def __init__(self, recipe: ReinforceRecipe, parent: Network, baseline: Network | None, pool: Path) -> None:
        self.recipe, self.parent, self.pool = recipe, parent, pool
        self.baseline = None if baseline is None else NetworkEvaluator(baseline, threads=1, heads=("value",))
        self.module: GraphModule | None = None

    def make_module(self) -> GraphModule:
        """A module with the parent's weights. The first one made is the one that plays and learns."""
        module = placed(to_torch(self.parent), torch.device("cpu"))
        if self.module is None:
            self.module = module
        return module

    def batches(self, first: int) -> Generator[Moves]:
        """Batches `first`, `first + 1`, ..., each played when it is asked for."""
        number = first
        while True:
            yield self.batch(number)
            number += 1

    def batch(self, number: int) -> Moves:
        """The learner's moves of iteration `number`, against an opponent drawn from the pool."""
        assert self.module is not None
        present = from_torch(self.module)
        if number % self.recipe.pool_every == 0:
            weights.save(present, self._member(number))
        rng = np.random.default_rng([self.recipe.seed, number])
        opponent = int(rng.integers(number // self.recipe.pool_every + 1)) * self.recipe.pool_every
        choosers = [evaluator_of(net, self.recipe.playing) for net in (present, weights.load(self._member(opponent)))]
        found = learner_games(choosers, self.recipe, number, self.baseline)
        return replace(found, figures=found.figures | {"opponent": float(opponent)})

    def _member(self, number: int) -> Path:
        return self.pool / f"iteration-{number:08d}.safetensors"


def learner_games(
    choosers: Sequence[Evaluator], recipe: ReinforceRecipe, number: int, baseline: Evaluator | None = None
) -> Moves:
    """Games of `choosers[0]`, who learns, against `choosers[1]`: its moves and what they led to."""
    count = recipe.games
    boards = new_records(count, recipe.size, recipe.size, ruleset(recipe.rules), recipe.komi)
    white = np.arange(count) % 2
    plies: list[Ply] = []
    played = policy_games.play(
        boards,
        choosers,
        np.stack([white, 1 - white], axis=1).astype(np.int64),
        policy_games.streams([recipe.seed, number], 0, count),
        max_moves=recipe.longest,
        passes=recipe.passes,
        watch=plies.append,
    )
    result = np.where(white == 1, -played.black_result, played.black_result)
    figures = {
        "score": float(np.mean(result + 1) / 2),
        "length": float(played.moves.lengths.mean()),
        "passed_out": float(played.passed_out.mean()),
    }
    return _weighted([ply for ply in plies if ply.chooser == 0], result, baseline, figures)


def _weighted(
    plies: list[Ply], result: NDArray[np.float32], baseline: Evaluator | None, figures: dict[str, float]
) -> Moves:
    """The moves of the plies with their weights; forced moves and those of weight 0 teach nothing and are left out."""
    boards, moves = np.concatenate([ply.boards for ply in plies]), np.concatenate([ply.moves for ply in plies])
    allowed = np.concatenate([ply.allowed for ply in plies])
    advantage = result[np.concatenate([ply.games for ply in plies])]
    if baseline is not None:
        advantage = advantage - baseline.evaluate(boards).value
    used = (allowed.sum(axis=1) > 1) & (advantage != 0)
    taught = advantage[used].astype(np.float32)
    return Moves(boards[used], allowed[used], moves[used], taught, float(len(result)), figures)


def split(batch: Moves, parts: int) -> list[Moves]:
    """Moves 0, n, 2n, ..., then 1, n + 1, ...; each part counts for its share of the games."""
    return [
        Moves(
            batch.boards[part::parts],
            batch.allowed[part::parts],
            batch.moves[part::parts],
            batch.advantage[part::parts],
            batch.games / parts,
            batch.figures,
        )
        for part in range(parts)
    ]


def loss(module: nn.Module, batch: Moves, encoder: Encoder) -> Losses:
    """The loss whose gradient is the negative of the one above, `entropy` in nats a move, and the batch's figures.

    The gradients of all chunks but the last are added to the module's here, so that only one chunk's activations are
    held; "loss" is the whole sum, but leads back to the last chunk alone.
    """
    total, entropy = torch.zeros(()), torch.zeros(())
    chunk = max(1, CHUNK_POINTS // (batch.allowed.shape[1] - 1))
    for first in range(0, len(batch.moves), chunk):
        one, spread = _chunk_loss(module, batch, slice(first, first + chunk), encoder)
        if first + chunk < len(batch.moves):
            one.backward()  # type: ignore[no-untyped-call]
            one = one.detach()
        total, entropy = total + one, entropy + spread.detach()
    if not len(batch.moves):  # every game drawn
        total = total + sum(parameter.sum() * 0.0 for parameter in module.parameters())
    figures = {name: torch.tensor(value) for name, value in batch.figures.items()}
    return {"loss": total, "entropy": entropy / max(len(batch.moves), 1), **figures}


def _chunk_loss(module: nn.Module, batch: Moves, part: slice, encoder: Encoder) -> tuple[Tensor, Tensor]:
    """The loss of some moves, and the sum of the entropies of their policies."""
    encoded = encoder.encode(batch.boards[part])
    planes = torch.from_numpy(encoded.spatial).contiguous(memory_format=torch.channels_last)
    logits = module(planes, torch.from_numpy(encoded.globals))["policy"].float()
    barred = torch.from_numpy(~batch.allowed[part])
    log_p = logits.masked_fill(barred, -torch.inf).log_softmax(dim=1)
    chosen = log_p.gather(1, torch.from_numpy(batch.moves[part])[:, None]).squeeze(1)
    entropy = -(log_p.exp() * log_p.masked_fill(barred, 0.0)).sum()
    return -(chosen * torch.from_numpy(batch.advantage[part])).sum() / batch.games, entropy


def against_parent(module: nn.Module, parent: Network, recipe: ReinforceRecipe) -> dict[str, float]:
    """The score against the parent with its 95 % interval: drawn by the policies, and by their likeliest moves."""
    assert isinstance(module, GraphModule)
    pair = [evaluator_of(network, recipe.playing) for network in (from_torch(module), parent)]
    figures: dict[str, float] = {}
    kinds: tuple[tuple[Literal["sampled", "greedy"], float], ...] = (("sampled", 1.0), ("greedy", 0.0))
    for kind, temperature in kinds:
        result = policy_match(
            *pair,
            games=recipe.test_games,
            size=recipe.size,
            rules=recipe.rules,
            komi=recipe.komi,
            temperature=temperature,
            passes=recipe.passes,
            seed=recipe.seed,
        )
        low, high = result.interval
        figures |= {kind: result.score, f"{kind}_low": low, f"{kind}_high": high}
    return figures
