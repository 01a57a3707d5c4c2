"""Games with one position each for a value network; the signs of their targets (B59 of the behaviour list)."""

from __future__ import annotations

import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from move37 import config as toml
from move37.errors import ConfigError, GamesFileError, Move37Error
from move37.features.encoder import get_encoder
from move37.games.columns import Lists
from move37.games.store import GameStore
from move37.nets import weights
from move37.rules.board_kernels import BoardArray
from move37.rules.position import Position
from move37.rules.records import new_records
from move37.rules.ruleset import ruleset
from move37.search.evaluator import ConstantEvaluator, Evaluations
from move37.training import value_positions
from move37.training.examples import make_examples, one_a_game
from move37.training.supervised import SourceRecipe, make_source
from move37.training.value_positions import ValueGamesRecipe, games_of_file
from tests.support.networks import small_policy, small_value
from tests.support.shared import ROOT

TINY = ValueGamesRecipe(first=Path("a"), then=Path("b"), size=5, games=60, file_games=30, together=16, komi=0.5)
ANYTHING = ConstantEvaluator()


class Watched(ConstantEvaluator):
    """A policy without opinion that remembers the number of the moves that it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[int] = []

    def evaluate(self, boards: NDArray[np.void]) -> Evaluations:
        self.asked += boards["move_number"].tolist()
        return super().evaluate(boards)


def write_recipe(folder: Path, **changes: object) -> Path:
    """The tiny recipe with networks of its own."""
    weights.save(small_policy(), folder / "policy.safetensors")
    recipe = replace(TINY, first=Path("policy.safetensors"), then=Path("policy.safetensors"))
    toml.save_toml(replace(recipe, **changes), folder / "recipe.toml")  # type: ignore[arg-type]  # any field
    return folder / "recipe.toml"


# ---- the games


def test_the_first_policy_opens_and_the_second_plays_on_after_one_stone() -> None:
    first, then = Watched(), Watched()
    games = games_of_file(replace(TINY, games=1, file_games=1, seed=3), (first, then), 0)
    assert len(games) == 1
    mark, length = int(games.marked_ply[0]), int(games.moves.lengths[0])
    assert 1 <= mark < length
    assert first.asked == list(range(mark - 1))
    assert then.asked == list(range(mark, length))


def test_every_ply_is_drawn_and_most_games_are_kept() -> None:
    recipe = replace(TINY, games=400, file_games=400, together=400, latest_ply=4)
    games = games_of_file(recipe, (ANYTHING, ANYTHING), 0)
    counts = np.bincount(games.marked_ply, minlength=5)
    assert len(games) > 370 and counts[0] == 0 and len(counts) == 5
    assert all(60 < count < 140 for count in counts[1:])


def test_u_grows_with_the_board() -> None:
    assert replace(TINY, size=19).largest_u == 450
    assert replace(TINY, size=9).largest_u == 101
    assert replace(TINY, latest_ply=7).largest_u == 7


def test_games_are_legal_end_in_passes_and_have_the_result_of_their_last_board() -> None:
    games = games_of_file(TINY, (ANYTHING, ANYTHING), 1)
    assert games.ends_in_passes.all()
    for number in range(len(games)):
        position = Position(size=5, rules="chinese", komi=0.5)
        for move in games.moves[number].tolist():
            position.play(move)
        assert games.result[number] == position.score().text
        assert games.winner[number] == {"B": 1, "W": -1, "0": 0}[games.result[number][0]]


def test_a_game_that_ends_before_its_mark_is_left_out() -> None:
    class Passes(ConstantEvaluator):
        def evaluate(self, boards: BoardArray) -> Evaluations:
            found = super().evaluate(boards)
            found.policy[:, -1] = 50.0
            return found

    recipe = replace(TINY, games=200, file_games=200, together=200, latest_ply=6, komi=0.0)  # nobody is behind
    games = games_of_file(recipe, (Passes(), ANYTHING), 0)
    assert set(games.marked_ply.tolist()) == {1, 2}
    assert 30 < len(games) < 110


def test_the_stone_falls_on_any_legal_point_and_is_no_pass() -> None:
    board = new_records(1, 2, 2, ruleset("chinese"), 0.5)
    position = Position(size=2, rules="chinese", komi=0.5)
    for move in (0, 3):
        position.play(move)
    board[0] = position.board
    drawn = [value_positions.any_point(board[0], np.random.default_rng(seed)) for seed in range(40)]
    assert set(drawn) == set(np.flatnonzero(position.legal_mask()[:-1]).tolist())


def test_a_file_depends_on_its_number_alone() -> None:
    policies = (ANYTHING, ANYTHING)
    longer = games_of_file(replace(TINY, games=90), policies, 1)
    again = games_of_file(replace(TINY, together=7), policies, 1)
    np.testing.assert_array_equal(longer.moves.values, again.moves.values)
    np.testing.assert_array_equal(longer.marked_ply, again.marked_ply)
    other = games_of_file(TINY, policies, 0)
    assert not np.array_equal(other.moves.values[:50], again.moves.values[:50])


# ---- what they teach


@pytest.mark.parametrize(("winner", "for_black"), [("W+3.5", -1.0), ("B+3.5", 1.0), ("0", 0.0)])
def test_the_value_of_a_marked_position_is_for_the_player_to_move(winner: str, for_black: float) -> None:
    moves = np.array([12, 6, 13, 7, 25, 25], np.uint16)
    lists = Lists(np.concatenate([moves, moves]), np.array([0, 6, 12]))
    margin = {"W": -3.5, "B": 3.5, "0": 0.0}[winner[0]]
    games = value_positions.store_of(
        replace(TINY, komi=7.5 if margin else 7.0), lists, np.full(2, margin, np.float32), np.array([2, 3])
    )
    assert games.result.tolist() == [winner] * 2
    source = make_source(SourceRecipe(files=(), positions="one", counting="area"), games, float(games.komi[0]))
    assert source.chosen is not None and source.positions == 2
    found = make_examples(source, source.chosen, get_encoder("alphago49"), komi=float(games.komi[0]))
    assert found.spatial[:, 48, 0, 0].tolist() == [1.0, 0.0]  # Black is to move after 2 moves, White after 3
    assert found.value.tolist() == [for_black, -for_black if for_black else 0.0]
    assert found.ply.tolist() == [2, 3] and found.value_weight.tolist() == [1.0, 1.0]


def test_a_finished_game_won_by_white_is_lost_for_black_to_move_and_won_for_white() -> None:
    games = games_of_file(TINY, (ANYTHING, ANYTHING), 0)
    game = games.select(np.flatnonzero(games.winner == -1)[:1])
    source = make_source(SourceRecipe(files=(), counting="area"), game, TINY.komi)
    samples = make_examples(source, np.arange(source.positions), get_encoder("alphago49"), komi=TINY.komi)
    black_to_move = samples.spatial[:, 48, 0, 0] == 1.0
    assert black_to_move.tolist() == [ply % 2 == 0 for ply in range(len(samples))]
    np.testing.assert_array_equal(samples.value, np.where(black_to_move, -1.0, 1.0))


def test_even_leads_counted_by_area_stay_as_they_are() -> None:
    lists = Lists(np.array([25, 25], np.uint16), np.array([0, 2]))
    games = value_positions.store_of(replace(TINY, komi=7.0), lists, np.array([-1.0], np.float32), np.array([0]))
    assert make_source(SourceRecipe(files=(), counting="area"), games, 7.0).black_result.tolist() == [-1.0]
    assert make_source(SourceRecipe(files=(), counting="territory"), games, 7.0).black_result.tolist() == [0.0]


# ---- runs


def test_a_run_killed_at_any_moment_ends_with_the_same_games(tmp_path: Path) -> None:
    path = write_recipe(tmp_path, games=50, file_games=15)
    figures = value_positions.main(path, tmp_path / "whole", quiet=True)
    script = f"""
import os, signal
from move37.training import value_positions
usual = value_positions.games_of_file
def deadly(recipe, policies, number):
    games = usual(recipe, policies, number)
    if number == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return games
value_positions.games_of_file = deadly
value_positions.main({str(path)!r}, {str(tmp_path / "run")!r}, quiet=True)
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    assert len(list((tmp_path / "run" / "games").iterdir())) == 2 and not (tmp_path / "run" / "games.parquet").exists()
    assert value_positions.main(path, tmp_path / "run", quiet=True) == figures
    assert (tmp_path / "run" / "games.parquet").read_bytes() == (tmp_path / "whole" / "games.parquet").read_bytes()
    assert one_a_game(GameStore.open(tmp_path / "run" / "games.parquet"), 1).shape == (figures["games"],)


def test_files_played_side_by_side_are_the_same(tmp_path: Path) -> None:
    value_positions.main(write_recipe(tmp_path, games=40, file_games=10), tmp_path / "one", quiet=True)
    value_positions.main(write_recipe(tmp_path, games=40, file_games=10, threads=3), tmp_path / "three", quiet=True)
    assert (tmp_path / "one" / "games.parquet").read_bytes() == (tmp_path / "three" / "games.parquet").read_bytes()


# ---- bad input


def test_a_broken_file_of_a_run_is_named(tmp_path: Path) -> None:
    path = write_recipe(tmp_path, games=20, file_games=10)
    value_positions.main(path, tmp_path / "run", quiet=True)
    file = value_positions.file_of(tmp_path / "run", 1)
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(GamesFileError, match=r"games-00001\.parquet cannot be read as Parquet"):
        value_positions.main(path, tmp_path / "run", quiet=True)


def test_another_recipe_is_refused(tmp_path: Path) -> None:
    value_positions.main(write_recipe(tmp_path, games=4, file_games=4), tmp_path / "run", quiet=True)
    with pytest.raises(ConfigError, match="holds a run of another recipe"):
        value_positions.main(write_recipe(tmp_path, games=5), tmp_path / "run", quiet=True)


def test_networks_that_cannot_play_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"plays on 5x5, but the recipe's games are on 7x7"):
        value_positions.main(write_recipe(tmp_path, size=7), tmp_path / "run")
    weights.save(small_value(), tmp_path / "value.safetensors")
    with pytest.raises(ConfigError, match="has no policy output"):
        value_positions.main(write_recipe(tmp_path, then=Path("value.safetensors")), tmp_path / "run")
    with pytest.raises(Move37Error, match="nonesuch"):
        value_positions.main(write_recipe(tmp_path, then=Path("nonesuch")), tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    "wrong",
    [{"size": 1}, {"games": 0}, {"temperature": 0.0}, {"latest_ply": 51}, {"seed": -1}, {"threads": 0}, {"rules": "x"}],
)
def test_recipes_out_of_range_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(Move37Error):
        replace(TINY, **wrong)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("path", sorted((ROOT / "recipes").glob("value-games-*.toml")), ids=lambda path: path.name)
def test_the_recipes_of_the_repository_are_valid(path: Path) -> None:
    assert value_positions.load_recipe(path).files > 1
