"""Zero: a tiny run learns; killed in any phase it ends the same; gates, slices, packing, and what is refused."""

from __future__ import annotations

import json
import math
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from move37 import config as toml
from move37.arena.game import GameResult
from move37.arena.match import MatchResult
from move37.errors import CheckpointError, ConfigError
from move37.evaluators.network import NetworkEvaluator
from move37.games.self_play import SelfPlayGames
from move37.nets import weights
from move37.rules.position import Position
from move37.search.puct import SearchConfig
from move37.training import losses, run_log, zero, zero_chunks, zero_gate, zero_pack, zero_recipe
from move37.training.loop import LoopConfig
from move37.training.schedule import Schedule
from move37.training.selfplay import SelfPlayConfig
from move37.training.window import Window
from move37.training.zero_chunks import Chunk, Job, LocalPlayer, PlayedChunk
from move37.training.zero_recipe import Gate, Shape, Yardstick, ZeroRecipe

ROOT = Path(__file__).parents[2]
LOOP = LoopConfig(
    steps=8,
    schedule=Schedule(peak=0.01, kind="constant"),
    optimizer="adamw",
    average=0.5,
    log_every=2,
    evaluate_every=1000,
    checkpoint_every=2,
)
TINY = ZeroRecipe(
    network=Shape(1, filters=4, value_hidden=4, score=True, ownership=True, opponent=True),
    self_play=SelfPlayConfig(sizes=(3,), komi=2.5, komi_stdev=1.0, visits=6, fast_visits=3, surprise=0.5, together=4),
    loop=LOOP,
    generations=2,
    games=8,
    chunk_games=4,
    batch=16,
    window=Window(samples=20),
    gate=Gate("score", games=2, score=0.1, visits=4),
    yardstick=Yardstick(games=2, every=2, visits=4),
)
"""Two generations that learn next to nothing, with every phase in them."""


def write(folder: Path, recipe: ZeroRecipe = TINY) -> Path:
    toml.save_toml(recipe, folder / "recipe.toml")
    return folder / "recipe.toml"


def arrays(run: Path, name: str = "network.safetensors") -> dict[str, Any]:
    return dict(weights.load(run / name).arrays)


def assert_same(first: Path, second: Path, generations: int = 2) -> None:
    """The runs have the same games, networks and gates."""
    for generation in range(generations):
        name = f"games/generation-{generation:05d}.parquet"
        one, other = (SelfPlayGames.open(run / name) for run in (first, second))
        for column in ("moves", "komi", "result"):
            left, right = (getattr(games.games, column) for games in (one, other))
            np.testing.assert_array_equal(getattr(left, "values", left), getattr(right, "values", right))
        for column in ("root_values", "weights", "target_points", "target_weights"):
            np.testing.assert_array_equal(getattr(one, column).values, getattr(other, column).values)
    for array, wanted in arrays(second).items():
        np.testing.assert_array_equal(arrays(first)[array], wanted, array)
    assert gates(first) == gates(second)


def gates(run: Path) -> list[tuple[int, float]]:
    """(best, score) of each gate."""
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((run / "gates").glob("*.json"))]
    return [(gate["best"], gate["score"]) for gate in found]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An uninterrupted run of TINY."""
    folder = tmp_path_factory.mktemp("whole")
    zero.main(write(folder), folder / "run", quiet=True)
    return folder / "run"


def test_a_tiny_run_learns_to_take_the_board(tmp_path: Path) -> None:
    """On 3x3 Black takes the middle and all 9 points. A search by the rules alone does not begin there, and loses."""
    recipe = replace(
        TINY,
        network=replace(TINY.network, filters=16, value_hidden=16),
        self_play=SelfPlayConfig(
            sizes=(3,),
            komi=4.5,
            komi_stdev=2.0,
            visits=32,
            puct=SearchConfig(noise_fraction=0.25),
            moves_a_point=4.0,
            temperature_moves=200.0,
            together=48,
        ),
        loop=replace(LOOP, steps=240, average=0.9, log_every=40, checkpoint_every=40),
        generations=6,
        games=48,
        chunk_games=48,
        batch=64,
        window=Window(samples=2000),
        gate=Gate("none"),
        yardstick=Yardstick(games=4, every=6, visits=64),
    )
    figures = zero.main(write(tmp_path, recipe), tmp_path / "run", quiet=True)
    assert figures["centre"] == 1.0 and figures["black_points"] == 9.0 and figures["score"] > 0.5, figures
    log = run_log.read(tmp_path / "run")
    before = next(line for line in log if line["kind"] == "yardstick")
    assert before["generation"] == 0 and before["centre"] == 0.0
    assert before["score"] == 0.5  # a network that has learned nothing is the search by the rules alone
    policy = [line["policy"] for line in log if line["kind"] == "train"]
    value = [line["value"] for line in log if line["kind"] == "train"]
    assert policy[-1] < 0.9 * policy[0] and value[-1] < math.log(2)
    saved = weights.load(tmp_path / "run" / "network.safetensors")
    assert saved.spec.training["games"] == 288 and saved.spec.training["evaluations"] > 288 * 32
    assert "opponent" not in saved.graph.outputs and saved.spec.komi_band is None


SCRIPT = """
import os, signal, sys
from move37.training import loop, zero_chunks, zero_gate, zero
phase = sys.argv[3]
def dying(function, count):
    calls = []
    def called(*args, **options):
        found = function(*args, **options)
        calls.append(1)
        if len(calls) == count:
            os.kill(os.getpid(), signal.SIGKILL)
        return found
    return called
if phase == "self-play":
    zero_chunks.play_chunk = dying(zero_chunks.play_chunk, 2)
elif phase == "training":
    loop.Trainer._step = dying(loop.Trainer._step, 3)
else:
    zero_gate.search_match = dying(zero_gate.search_match, 1)
zero.main(sys.argv[1], sys.argv[2], quiet=True)
"""


def test_a_run_killed_in_every_phase_goes_on_and_ends_the_same(tmp_path: Path, whole: Path) -> None:
    recipe, run = write(tmp_path), tmp_path / "围棋 run"
    reached: list[tuple[int, ...]] = []
    for phase in ("self-play", "training", "gate"):
        command = [sys.executable, "-c", SCRIPT, str(recipe), str(run), phase]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
        assert done.returncode == -signal.SIGKILL, done.stderr.decode()
        state = json.loads((run / "state.json").read_text()) if (run / "state.json").is_file() else {"step": 0}
        counts = [len(list((run / "games").rglob(pattern))) for pattern in ("chunk-*.parquet", "generation-*.parquet")]
        reached.append((state["step"], *counts))
    # one chunk kept of the first generation; two steps of four; all four, when the match for the second one is on
    assert reached == [(0, 1, 0), (2, 0, 1), (4, 0, 1)]
    zero.main(recipe, run, quiet=True)
    assert_same(run, whole)


def test_a_finished_run_is_left_as_it_is(tmp_path: Path, whole: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in (whole / "games").iterdir()}
    kept = arrays(whole)
    figures = zero.main(whole / "config.toml", whole, quiet=True)
    assert {path: path.stat().st_mtime_ns for path in (whole / "games").iterdir()} == before
    for name, array in arrays(whole).items():
        np.testing.assert_array_equal(array, kept[name])
    assert figures["finished"] == 1.0 and figures["generation"] == 2.0
    assert {"score", "black_points", "centre"} <= figures.keys()


def test_slices_of_no_time_at_all_do_one_thing_each_and_end_the_same(
    tmp_path: Path, whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def stopped(self: zero.Zero) -> bool:
        asked.append(1)
        return len(asked) % 3 == 0

    monkeypatch.setattr(zero.Zero, "stopped", stopped)
    recipe, calls = write(tmp_path), list[dict[str, float]]()
    while not calls or not calls[-1]["finished"]:
        calls.append(zero.main(recipe, tmp_path / "run", quiet=True))
        assert len(calls) < 60
    generations = [call["generation"] for call in calls]
    assert len(calls) > 3 and generations == sorted(generations)
    assert_same(tmp_path / "run", whole)


def test_the_time_of_a_slice_ends_it(tmp_path: Path) -> None:
    figures = zero.main(write(tmp_path), tmp_path / "run", minutes=1e-9, quiet=True)
    assert figures["finished"] == figures["generation"] == 0.0
    assert not list((tmp_path / "run" / "games").rglob("*.parquet"))


def test_the_recipes_own_minutes_end_a_run_with_what_it_has_learned(tmp_path: Path) -> None:
    recipe = replace(TINY, loop=replace(LOOP, max_minutes=1e-9), gate=Gate("none"), yardstick=Yardstick())
    figures = zero.main(write(tmp_path, recipe), tmp_path / "run", quiet=True)
    assert figures["finished"] == 1.0 and figures["generation"] < 2.0
    assert weights.load(tmp_path / "run" / "network.safetensors").spec.training["kind"] == "zero"


def test_chunks_in_any_order_by_any_player_are_the_same_run(tmp_path: Path, whole: Path) -> None:
    class Elsewhere(LocalPlayer):
        def play(self, job: Job, chunks: Iterable[Chunk], stopped: Callable[[], bool]) -> Iterator[PlayedChunk]:
            yield from reversed(list(super().play(job, chunks, stopped)))

    zero.main(write(tmp_path), tmp_path / "run", player=Elsewhere(2), quiet=True)
    assert_same(tmp_path / "run", whole)


def test_a_refused_network_does_not_play_and_the_best_is_handed_over(tmp_path: Path) -> None:
    recipe = replace(TINY, gate=replace(TINY.gate, score=0.99), yardstick=Yardstick())
    zero.main(write(tmp_path, recipe), tmp_path / "run", quiet=True)
    gates = [json.loads(path.read_text()) for path in sorted((tmp_path / "run" / "gates").glob("*.json"))]
    assert [gate["generation"] for gate in gates] == [1.0, 2.0]
    bests = [gate["best"] for gate in gates]
    expected = 0
    for gate, best in zip(gates, bests, strict=True):
        assert gate["against"] == expected
        expected = int(gate["generation"]) if gate["score"] > 0.99 else expected
        assert best == expected
    played = weights.load(tmp_path / "run" / "network.safetensors")
    assert played.spec.training["generation"] == bests[-1]


def test_what_a_gate_asks() -> None:
    def result(wins: int, losses: int) -> MatchResult:
        games = [GameResult(n, "A", "A" if n < wins else "B", "B+R", "score", 0) for n in range(wins + losses)]
        return MatchResult("A", "B", games)

    papers = Gate("score")
    assert (papers.games, papers.score) == (400, 0.55)
    assert zero_gate.accepted(papers, result(221, 179)) and not zero_gate.accepted(papers, result(220, 180))
    sprt = Gate("sprt", score=0.6)
    assert zero_gate.accepted(sprt, result(80, 20)) and not zero_gate.accepted(sprt, result(50, 50))
    assert not zero_gate.accepted(sprt, result(2, 0))  # not decided


def test_a_packed_run_goes_on_and_ends_the_same(tmp_path: Path, whole: Path) -> None:
    recipe, run = write(tmp_path), tmp_path / "run"
    player = _Stopping(3)
    zero.main(recipe, run, player=player, quiet=True)
    (run / "networks" / "generation-00000.safetensors").touch()
    size = zero_pack.pack(run, tmp_path / "run.tar.xz")
    assert size == (tmp_path / "run.tar.xz").stat().st_size
    assert zero_pack.pack(run, tmp_path / "again.tar.xz") == size
    assert (tmp_path / "run.tar.xz").read_bytes() == (tmp_path / "again.tar.xz").read_bytes()
    zero_pack.unpack(tmp_path / "run.tar.xz", tmp_path / "new" / "run")
    zero.main(tmp_path / "new" / "run" / "config.toml", tmp_path / "new" / "run", quiet=True)
    zero.main(recipe, run, quiet=True)
    assert_same(run, whole)
    for name, array in arrays(tmp_path / "new" / "run").items():
        np.testing.assert_array_equal(array, arrays(whole)[name])


class _Stopping(LocalPlayer):
    """Plays so many chunks and no more."""

    def __init__(self, chunks: int) -> None:
        super().__init__(1)
        self.left = chunks

    def play(self, job: Job, chunks: Iterable[Chunk], stopped: Callable[[], bool]) -> Iterator[PlayedChunk]:
        for chunk in list(chunks)[: self.left]:
            self.left -= 1
            yield from super().play(job, [chunk], stopped)


def test_what_cannot_be_packed_or_unpacked_is_one_sentence(tmp_path: Path, whole: Path) -> None:
    with pytest.raises(CheckpointError, match="holds no Zero run"):
        zero_pack.pack(tmp_path, tmp_path / "a.tar.xz")
    zero_pack.pack(whole, tmp_path / "a.tar.xz")
    with pytest.raises(ConfigError, match="is not empty"):
        zero_pack.unpack(tmp_path / "a.tar.xz", whole)
    data = (tmp_path / "a.tar.xz").read_bytes()
    for damaged in (data[: len(data) // 2], b"hello", b""):
        (tmp_path / "b.tar.xz").write_bytes(damaged)
        with pytest.raises(CheckpointError, match="cannot be unpacked"):
            zero_pack.unpack(tmp_path / "b.tar.xz", tmp_path / "run")
        assert not (tmp_path / "run").exists()


def test_an_archive_cannot_write_outside_its_folder(tmp_path: Path) -> None:
    import io
    import tarfile

    with tarfile.open(tmp_path / "evil.tar.xz", "w:xz") as file:
        member = tarfile.TarInfo("../evil")
        member.size = 2
        file.addfile(member, io.BytesIO(b"no"))
    with pytest.raises(CheckpointError, match=r"holds \.\./evil, which is no part of a run"):
        zero_pack.unpack(tmp_path / "evil.tar.xz", tmp_path / "run")
    assert not (tmp_path / "evil").exists()


def test_a_loss_that_is_no_number_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def spoiled(module: nn.Module, batch: Any, **options: Any) -> dict[str, Tensor]:
        return {"loss": losses.loss(module, batch, **options)["loss"] * math.nan}

    monkeypatch.setattr(zero, "loss", spoiled)
    with pytest.raises(CheckpointError, match=r"the loss became nan at step 1 .* lower the learning rate"):
        zero.main(write(tmp_path), tmp_path / "run", quiet=True)
    monkeypatch.undo()
    zero.main(write(tmp_path), tmp_path / "run", quiet=True)


def test_a_folder_of_something_else_is_refused(tmp_path: Path, whole: Path) -> None:
    with pytest.raises(ConfigError, match="a run of another recipe"):
        zero.main(write(tmp_path, replace(TINY, seed=2)), whole, quiet=True)
    with pytest.raises(ConfigError, match="a run of another recipe"):
        zero.main(whole / "config.toml", whole, depth=2, quiet=True)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("generations = 2\n", "", "the key 'generations' is missing"),
        ("depth = 1", "depht = 1", r"unknown key 'network\.depht'; did you mean 'depth'"),
        ("visits = 6", 'visits = "six"', r"'self_play\.visits' must be a whole number"),
        ("steps = 8", "steps = 7", r"loop\.steps, 7, are as many for each of 2 generations"),
    ],
)
def test_a_bad_recipe_is_one_sentence(tmp_path: Path, old: str, new: str, reason: str) -> None:
    text = toml.to_toml(TINY)
    assert old in text
    (tmp_path / "bad.toml").write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ConfigError, match=reason) as caught:
        zero.main(tmp_path / "bad.toml", tmp_path / "run", quiet=True)
    assert "\n" not in str(caught.value) and not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"generations": 3},
        {"games": 0},
        {"chunk_games": 0},
        {"threads": 0},
        {"batch": 0},
        {"seed": -1},
        {"self_play": SelfPlayConfig(sizes=(3, 5))},
        {"loop": replace(LOOP, threads=20)},
    ],
)
def test_a_recipe_with_a_value_out_of_range_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        replace(TINY, **wrong)


@pytest.mark.parametrize("wrong", [{"games": 3}, {"visits": 1}, {"score": 1.0}, {"kind": "sprt", "score": 0.5}])
def test_a_gate_out_of_range_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        Gate(**wrong)


def test_the_bundled_recipes_are_sound() -> None:
    found = zero_recipe.bundled()
    assert {"5x5", "7x7", "7x7-strict", "9x9"} <= found.keys()
    for name, path in found.items():
        assert zero_recipe.find(name) == path
        recipe = zero_recipe.load_recipe(path)
        network = recipe.new_network()
        assert network.spec.supports(recipe.size, recipe.size) and network.spec.name == f"zero-{name}"
    with pytest.raises(ConfigError, match=r"no recipe of that name; the recipes are .*5x5"):
        zero_recipe.find("6x6")


def test_the_dial_changes_the_size_alone() -> None:
    path = zero_recipe.find("5x5")
    small, large = (zero_recipe.load_recipe(path, depth) for depth in (None, 10))
    assert large.network.depth == 10 and large.network.width == 128
    assert replace(large, network=small.network) == small


def test_the_games_have_the_runs_seed(tmp_path: Path) -> None:
    recipe = zero_recipe.load_recipe(write(tmp_path, replace(TINY, seed=7)))
    assert recipe.self_play.seed == 7


@pytest.mark.parametrize("shape", [TINY.network, Shape(1, filters=4, encoder="zero17", head="paper")])
def test_a_network_that_has_learned_nothing_likes_every_move_alike(shape: Shape) -> None:
    evaluator = NetworkEvaluator(replace(TINY, network=shape).new_network(), threads=1)
    board = Position(3, rules="tromp-taylor", komi=2.5)
    board.play("B2")
    found = evaluator.evaluate(board.board_array)
    assert not found.policy.any() and not found.value.any()


def test_whoever_is_shown_no_komi_is_made_for_a_band() -> None:
    blind = replace(TINY, network=Shape(1, filters=4, encoder="zero17", head="paper"))
    assert blind.new_network().spec.komi_band == (2.5 - 3.0, 2.5 + 3.0)


def test_threads_give_results_in_order_and_stop_when_told() -> None:
    begun: list[int] = []

    def work(number: int) -> int:
        begun.append(number)
        return number * number

    found = list(zero_chunks.in_threads(work, range(5), 2, lambda: False))
    assert found == [0, 1, 4, 9, 16]
    begun.clear()
    assert list(zero_chunks.in_threads(work, range(5), 2, lambda: len(begun) >= 3)) == [0, 1, 4]


def test_torch_in_half_precision_plays_too(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    recipe = replace(TINY, playing="bfloat16", generations=1, loop=replace(LOOP, steps=2), gate=Gate("none"))
    figures = zero.main(write(tmp_path, recipe), tmp_path / "run", quiet=True)
    assert figures["generation"] == 1.0
