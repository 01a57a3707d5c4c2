"""Zero: a network learns Go from nothing but the rules, by playing itself.

A generation: the best network plays games, then the network learns from the newest ones (the window), then, if there is
a gate, it has to beat the best one so far to take its place. One code serves two shapes, told apart by the recipe alone
(`zero_recipe`, `docs/zero.md`): that of the paper, and one that learns from far fewer games. Each phase leaves a file
behind (`zero_files`), so a run that is killed anywhere goes on and ends the same; chunks of games may be played by
anyone (`zero_chunks`). Knows neither search nor loss.

Source: Silver et al., Nature 550 (2017), Methods, "Self-play training pipeline"; Silver et al., Science 362 (2018);
Wu 2019 (arXiv:1902.10565).
"""

from __future__ import annotations

import time
from collections.abc import Generator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import nn

from move37.features.encoder import get_encoder
from move37.games.self_play import SelfPlayGames
from move37.nets import weights
from move37.nets.graph import Network
from move37.nets.torch_net import GraphModule, from_torch, to_torch, with_training
from move37.nets.zero import without_helpers
from move37.training import examples
from move37.training.devices import placed
from move37.training.examples import Examples, Sampler
from move37.training.loop import Task, Trainer
from move37.training.losses import loss
from move37.training.run_folder import keep_recipe
from move37.training.selfplay_config import SelfPlayConfig
from move37.training.selfplay_examples import SelfPlaySource
from move37.training.selfplay_resigning import resign_threshold
from move37.training.zero_chunks import Chunk, ChunkPlayer, Job, LocalPlayer
from move37.training.zero_files import RunFiles, chunk, drop_chunks, read_json, write_json
from move37.training.zero_gate import Arena, accepted, figures_of_gate, finish, yardstick_figures
from move37.training.zero_recipe import ZeroRecipe, find, load_recipe

__all__ = ["Zero", "main"]


def main(
    recipe: Path | str,
    run: Path | str,
    *,
    depth: int | None = None,
    minutes: float | None = None,
    player: ChunkPlayer | None = None,
    quiet: bool = False,
) -> dict[str, float]:
    """Let the recipe (a file, or a bundled one's name) learn in the folder `run`; write `network.safetensors` there.

    A folder that holds a run of the same recipe is gone on with. `depth` turns the recipe's dial. After `minutes` it
    stops where it is, for the same call to go on with. Returns the last figures against a search without a network.
    """
    loaded, folder = load_recipe(find(recipe), depth), Path(run)
    network = loaded.new_network()
    keep_recipe(loaded, folder)
    end = None if minutes is None else time.monotonic() + 60.0 * minutes
    zero = Zero(loaded, folder, network, player or LocalPlayer(loaded.threads), end)
    return zero.go(quiet=quiet)


class Zero:
    """One run, from its start or from where it was."""

    def __init__(
        self, recipe: ZeroRecipe, run: Path, network: Network, player: ChunkPlayer, end: float | None = None
    ) -> None:
        self.recipe, self.network, self.player, self.end = recipe, network, player, end
        self.files = RunFiles(run)
        self.arena = Arena(recipe, self.stopped)
        self.window: dict[int, SelfPlayGames] = {}
        self.sampler: Sampler | None = None
        weighting = recipe.weights
        task = Task(
            batches=self.batches,
            loss=partial(
                loss,
                value_weight=weighting.value,
                score_weight=weighting.score,
                ownership_weight=weighting.ownership,
                opponent_weight=weighting.opponent,
                value_loss=recipe.value_loss,
            ),
            split=examples.split,
        )
        self.task: Task[Examples] = task

    def stopped(self) -> bool:
        """Whether this call's time is over."""
        return self.end is not None and time.monotonic() >= self.end

    def go(self, *, quiet: bool = False) -> dict[str, float]:
        """All generations that are left; the figures of the last network that was measured."""
        recipe = self.recipe
        with Trainer(self.new_module, self.task, recipe.loop, self.files.run, quiet=quiet) as self.trainer:
            generation = self.trainer.progress.step // recipe.steps
            while generation < recipe.generations and not self.is_late and self.generation(generation):
                generation += 1
            finished = self.judge(generation) if generation == recipe.generations else self.is_late
            if self.is_late and generation < recipe.generations and recipe.gate.kind == "none":
                self.hand_over(self.present(generation))
            self.trainer.save()
        return {"finished": float(finished)} | self.figures(generation)

    @property
    def is_late(self) -> bool:
        """Whether the recipe's own minutes are over."""
        minutes = self.recipe.loop.max_minutes
        return minutes is not None and self.trainer.progress.seconds >= 60.0 * minutes

    def generation(self, number: int) -> bool:
        """One generation, or what is left of it; False if the time was over before its end."""
        if not (self.judge(number) and self.play(number)):
            return False
        self.sampler = self.sample(number)
        self.trainer.advance((number + 1) * self.recipe.steps, self.stopped)
        self.trainer.save()
        return self.trainer.progress.step == (number + 1) * self.recipe.steps

    # ---- the network: published, measured, let in

    def new_module(self) -> nn.Module:
        """A module with the network's first weights."""
        return placed(to_torch(self.network), torch.device("cpu"))

    def judge(self, generation: int) -> bool:
        """Publish the network after so many generations, measure it, and let the gate look at it."""
        if not self.files.network(generation).is_file():
            weights.save(self.present(generation), self.files.network(generation))
        if not (self.measure(generation) and self.pass_gate(generation)):
            return False
        self.hand_over(weights.load(self.files.network(self.best(generation))))
        return True

    def present(self, generation: int) -> Network:
        """The network as it is now, after so many generations or a little later."""
        module = self.trainer.average
        assert isinstance(module, GraphModule)
        played = [read_json(self.files.figures(one)) for one in range(generation)]
        summary: dict[str, Any] = {"kind": "zero", "generation": generation, "steps": self.trainer.progress.step}
        summary |= {name: sum(one[name] for one in played) for name in ("games", "samples", "evaluations")}
        gates = [self.files.gate(one) for one in range(generation) if self.files.gate(one).is_file()]
        summary |= {"gate_evaluations": sum(read_json(gate)["evaluations"] for gate in gates)}
        summary |= {"minutes": round(self.trainer.progress.seconds / 60, 1), "seed": self.recipe.seed}
        return with_training(from_torch(module), summary)

    def hand_over(self, network: Network) -> None:
        """Write a network to play with, as the run's own."""
        weights.save(without_helpers(network), self.files.final)

    def measure(self, generation: int) -> bool:
        """Every now and then, games against a search that knows the rules alone."""
        yardstick, file = self.recipe.yardstick, self.files.yardstick(generation)
        last = generation == self.recipe.generations
        if not yardstick.games or file.is_file() or not (last or generation % yardstick.every == 0):
            return True
        started = time.monotonic()
        played = self.arena.yardstick(self.files.network(generation), file)
        self.trainer.spend(time.monotonic() - started)
        if played is None:
            return False
        found = yardstick_figures(self.recipe, played.result)
        finish(file, found | played.kept())
        self.log("yardstick", found | {"generation": float(generation)})
        return True

    def pass_gate(self, generation: int) -> bool:
        """The network of `generation` against the best one before it."""
        gate, file = self.recipe.gate, self.files.gate(generation)
        if gate.kind == "none" or generation == 0 or file.is_file():
            return True
        best, started = self.best(generation - 1), time.monotonic()
        played = self.arena.gate(self.files.network(generation), self.files.network(best), file)
        self.trainer.spend(time.monotonic() - started)
        if played is None:
            return False
        let_in = accepted(gate, played.result)
        found = figures_of_gate(played.result) | {"generation": float(generation), "against": float(best)}
        finish(file, found | {"best": generation if let_in else best} | played.kept())
        self.log("gate", found | {"accepted": float(let_in)})
        return True

    def best(self, generation: int) -> int:
        """The network that plays in a generation: how many generations it has learned for."""
        if self.recipe.gate.kind == "none" or generation == 0:
            return generation
        return int(read_json(self.files.gate(generation))["best"])

    # ---- games

    def play(self, generation: int) -> bool:
        """The games of a generation, whichever chunks are missing."""
        whole = self.files.games(generation)
        if self.files.figures(generation).is_file():
            return True
        recipe = self.recipe
        chunks = [
            Chunk(number, generation * recipe.games + first, min(recipe.chunk_games, recipe.games - first))
            for number, first in enumerate(range(0, recipe.games, recipe.chunk_games))
        ]
        missing = [one for one in chunks if not chunk(whole, one.number).is_file()]
        job = Job(self.files.network(self.best(generation)), recipe.playing, self.config(generation))
        started = time.monotonic()
        for played in self.player.play(job, missing, self.stopped):
            file = chunk(whole, played.chunk.number)
            write_json(file.with_suffix(".json"), {"evaluations": played.rows, "seconds": played.seconds})
            played.games.write(file)
        self.trainer.spend(time.monotonic() - started)
        if not all(chunk(whole, one.number).is_file() for one in chunks):
            return False
        self.gather(generation, [chunk(whole, one.number) for one in chunks], job.config.resign_below)
        return True

    def config(self, generation: int) -> SelfPlayConfig:
        """How the games of a generation are played: as the recipe says, and giving up where earlier games allow it."""
        config = self.recipe.self_play
        if not self.recipe.resign or generation == 0:
            return config
        before = read_json(self.files.figures(generation - 1))["resign_below"]
        games = SelfPlayGames.open(self.files.games(generation - 1))
        return replace(config, resign_below=resign_threshold(games, before))

    def gather(self, generation: int, parts: list[Path], resign_below: float | None) -> None:
        """One file of all chunks of a generation, and figures about it."""
        games = SelfPlayGames.open(parts)
        games.write(self.files.games(generation))
        found = [read_json(part.with_suffix(".json")) for part in parts]
        figures = games_figures(games) | {
            "evaluations": sum(one["evaluations"] for one in found),
            "seconds": sum(one["seconds"] for one in found),
        }
        write_json(self.files.figures(generation), {**figures, "resign_below": resign_below})
        drop_chunks(self.files.games(generation))
        self.log("self_play", figures | {"generation": float(generation)})

    # ---- learning

    def sample(self, generation: int) -> Sampler:
        """Draws batches from the window as it is after the games of `generation`."""
        recipe, played = self.recipe, [read_json(self.files.figures(one)) for one in range(generation + 1)]
        first = recipe.window.first([one["games"] for one in played], [one["samples"] for one in played])
        for one in [one for one in self.window if one < first]:
            del self.window[one]
        for one in range(first, generation + 1):
            if one not in self.window:
                self.window[one] = SelfPlayGames.open(self.files.games(one))
        games = SelfPlayGames.join([self.window[one] for one in range(first, generation + 1)])
        source = SelfPlaySource(games, recipe.network.ownership, recipe.network.opponent)
        encoder = get_encoder(recipe.network.encoder)
        return Sampler((source,), (1.0,), encoder, recipe.batch, recipe.seed, augment=recipe.augment)

    def batches(self, first: int) -> Generator[Examples]:
        """Batches `first`, `first + 1`, ... of the window."""
        assert self.sampler is not None
        return examples.prefetch(self.sampler, first)

    # ---- what is told

    def log(self, kind: str, figures: dict[str, Any]) -> None:
        """One line of the run's log."""
        step = self.trainer.progress.step
        minutes = {"minutes": self.trainer.progress.seconds / 60}
        self.trainer.log.write(kind, step, {**{name: float(value) for name, value in figures.items()}, **minutes})

    def figures(self, generation: int) -> dict[str, float]:
        """How far the run is, and the last figures of the yardstick."""
        found: dict[str, float] = {
            "generation": float(generation),
            "minutes": round(self.trainer.progress.seconds / 60, 2),
        }
        measured = [one for one in range(generation + 1) if self.files.yardstick(one).is_file()]
        if measured:
            values = read_json(self.files.yardstick(measured[-1]))
            found |= {name: float(value) for name, value in values.items() if name not in ("match", "evaluations")}
        return found


def games_figures(games: SelfPlayGames) -> dict[str, float]:
    """What is told of games: how many, positions to learn from, mean length, how often Black won and nobody did."""
    winner = games.games.winner
    return {
        "games": len(games),
        "moves": games.moves,
        "samples": int((games.weights.values > 0).sum()),
        "mean_moves": float(games.games.moves.lengths.mean()),
        "black_wins": float((winner == 1).mean()),
        "draws": float((winner == 0).mean()),
    }
