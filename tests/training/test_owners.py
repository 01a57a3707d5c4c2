"""Who owned what: told from finished games, checked by their score, kept in a store, turned into targets, learned."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from move37 import config as toml
from move37.errors import ConfigError, GamesFileError
from move37.features.encoder import get_encoder
from move37.games.areas import areas_of, black_ownership
from move37.games.columns import Lists
from move37.games.store import GameStore
from move37.nets import weights
from move37.rules import symmetry
from move37.training import owners, supervised
from move37.training.examples import make_examples
from move37.training.held_out import measure
from move37.training.losses import loss
from move37.training.network_recipe import NetworkRecipe
from move37.training.owners import OwnersRecipe, with_owners
from move37.training.supervised import SourceRecipe, load_recipe, make_source
from tests.support.shared import ROOT
from tests.support.stored_games import row, store_of, write_rows
from tests.training.test_supervised import write_recipe

PASS = 25
# . . X O .
# . . X O .
# O . X O .   White's stone on A3 is dead: Black owns 15 points, White 10.
# . . X O .
# . . X O .
MOVES = [2, 3, 7, 8, 12, 13, 17, 18, 22, 23, PASS, 10]
OWNER = np.tile(np.array([1, 1, 1, 2, 2], np.int8), 5)
COUNTED = row(MOVES, result="B+5", winner=1, komi=0.0)


def counted(path: Path, **changes: object) -> GameStore:
    return with_owners(store_of(path / "games.parquet", [COUNTED | changes]))


def test_a_dead_stone_belongs_to_whoever_surrounds_it(tmp_path: Path) -> None:
    games = counted(tmp_path)
    assert games.black_area[0].tolist() == np.flatnonzero(OWNER == 1).tolist()
    assert games.white_area[0].tolist() == np.flatnonzero(OWNER == 2).tolist()


@pytest.mark.parametrize(("result", "kept"), [("B+5", 1), ("B+4", 1), ("B+6", 0), ("B+8", 0), ("W+5", 0)])
def test_a_game_whose_count_is_not_the_recorded_one_is_left_out(tmp_path: Path, result: str, kept: int) -> None:
    # an even lead by territory is one point more by area: B+4 is 5, B+6 is 7
    assert len(counted(tmp_path, result=result, winner=1 if result[0] == "B" else -1)) == kept


def test_areas_are_kept_in_the_store_and_go_with_their_games(tmp_path: Path) -> None:
    games = counted(tmp_path)
    other = store_of(tmp_path / "other.parquet", [row([0, 1])])
    both = GameStore.join([other, games, other])
    both.write(tmp_path / "both.parquet")
    read = GameStore.open(tmp_path / "both.parquet").select(np.array([2, 1]))
    assert read.black_area.lengths.tolist() == [0, 15]
    assert read.white_area[1].tolist() == games.white_area[0].tolist()
    assert "black_area" in games.columns() and "black_area" not in other.columns()
    whole = black_ownership(read, np.array([1, 0]))
    np.testing.assert_array_equal(whole[0].ravel(), np.where(OWNER == 1, 1.0, -1.0))
    assert not whole[1].any()
    beyond = replace(games, black_area=Lists(np.array([PASS], np.uint16), np.array([0, 1])))
    beyond.write(tmp_path / "beyond.parquet")
    with pytest.raises(GamesFileError, match="game 0 has a point of its black_area at point 25, off its board"):
        GameStore.open(tmp_path / "beyond.parquet")


def test_areas_of_owners() -> None:
    black, white = areas_of([np.array([0, 1, 2, 1], np.int8), np.array([2, 0, 0, 0], np.int8)])
    assert [black[i].tolist() for i in range(2)] == [[1, 3], []]
    assert [white[i].tolist() for i in range(2)] == [[2], [0]]


def test_targets_are_for_the_player_to_move_and_turn_with_the_board(tmp_path: Path) -> None:
    games = GameStore.join([counted(tmp_path), store_of(tmp_path / "other.parquet", [row([0, 1])])])
    source = make_source(SourceRecipe((tmp_path,)), games, 0.0, owners=True)
    encoder, plies = get_encoder("zero17"), np.arange(len(MOVES) + 2)
    straight = make_examples(source, plies, encoder)
    view = np.where(np.arange(len(MOVES)) % 2 == 0, 1.0, -1.0)
    black = np.where(OWNER == 1, 1.0, -1.0).reshape(5, 5)
    np.testing.assert_array_equal(straight.ownership[: len(MOVES)], view[:, None, None] * black)
    assert straight.ownership_weight.tolist() == [1.0] * len(MOVES) + [0.0, 0.0]
    turns = plies % 8
    turned = make_examples(source, plies, encoder, turns)
    for i, one in enumerate(turns.tolist()):
        np.testing.assert_array_equal(turned.ownership[i], symmetry.apply(one, straight.ownership[i]))
    assert len(make_examples(replace(source, owners=False), plies, encoder).ownership) == 0


class Owning(torch.nn.Module):
    """Says that the player to move owns all."""

    def forward(self, planes: torch.Tensor, *_: object) -> dict[str, torch.Tensor]:
        count, side = planes.shape[0], planes.shape[-1]
        return {"value": torch.zeros(count), "ownership": torch.full((count, 1, side, side), 3.0)}


def test_the_held_out_figure_is_the_share_of_owned_points_foretold(tmp_path: Path) -> None:
    source = make_source(SourceRecipe((tmp_path,)), counted(tmp_path), 0.0, owners=True)
    batch = make_examples(source, np.arange(len(MOVES)), get_encoder("zero17"))
    assert measure(Owning(), [batch], symmetries=8)["owners"] == pytest.approx(0.5)  # Black has 15 of 25, White 10
    assert measure(Owning(), [batch])["owners"] == pytest.approx(0.5)
    black = make_examples(source, np.arange(0, len(MOVES), 2), get_encoder("zero17"))
    assert measure(Owning(), [black])["owners"] == pytest.approx(0.6)
    sure = float(np.log1p(np.exp(-6.0)))  # of a point that is owned as foretold; 6 more of one that is not
    terms = loss(Owning(), black, 1.0, ownership_weight=1.5)
    assert float(terms["ownership"]) == pytest.approx(sure + 6.0 * 0.4, rel=1e-5)
    assert float(terms["loss"]) == pytest.approx(float(terms["value"]) + 1.5 * float(terms["ownership"]), rel=1e-6)


def test_the_stage_counts_all_games_and_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    rows = [COUNTED, row([0, 1]), COUNTED | {"result": "B+9"}, COUNTED | {"result": "B+4"}]
    games = write_rows(tmp_path / "games.parquet", rows)
    recipe = OwnersRecipe((games,), 5, file_games=2, threads=1)
    toml.save_toml(recipe, tmp_path / "recipe.toml")
    run = tmp_path / "run"
    figures = owners.main(tmp_path / "recipe.toml", run, quiet=True)
    assert figures == {"counted": 3.0, "kept": 2.0, "share": pytest.approx(2 / 3)}
    whole = (run / "games.parquet").read_bytes()
    owners.file_of(run, 1).unlink()
    first = owners.file_of(run, 0).stat().st_mtime_ns
    assert owners.main(tmp_path / "recipe.toml", run, quiet=True) == figures
    assert (run / "games.parquet").read_bytes() == whole
    assert owners.file_of(run, 0).stat().st_mtime_ns == first
    assert GameStore.open(run / "games.parquet").result.tolist() == ["B+5", "B+4"]


def test_games_of_which_none_was_counted_are_told(tmp_path: Path) -> None:
    games = write_rows(tmp_path / "games.parquet", [row([0, 1])])
    toml.save_toml(OwnersRecipe((games,), 5), tmp_path / "recipe.toml")
    with pytest.raises(ConfigError, match="none of the 1 games on 5x5 was counted"):
        owners.main(tmp_path / "recipe.toml", tmp_path / "run", quiet=True)
    with pytest.raises(ConfigError, match="one file of games or more"):
        OwnersRecipe((), 5)
    with pytest.raises(ConfigError, match="1 or more"):
        OwnersRecipe((games,), 5, playouts=0)


def test_a_run_with_ownership_learns_to_foretell_it(tmp_path: Path) -> None:
    path = write_recipe(tmp_path)
    games = GameStore.open(tmp_path / "games.parquet")
    black, white = areas_of([np.ones(25, np.int8)] * len(games))
    replace(games, black_area=black, white_area=white).write(tmp_path / "games.parquet")
    recipe = load_recipe(path)
    network = NetworkRecipe(
        8, "policy-value", "alphago49", convolutions=2, value_filters=4, value_hidden=8, score=True, ownership=True
    )
    loop = replace(recipe.loop, steps=200)
    toml.save_toml(replace(recipe, network=network, loop=loop), path)
    figures = supervised.main(path, tmp_path / "run", quiet=True)
    assert (
        figures["owners"] > 0.9
    )  # all is Black's, as only the plane of the colour tells; at first nothing is foretold
    trained = weights.load(tmp_path / "run" / "network.safetensors")
    assert trained.graph.outputs.keys() == {"policy", "value", "score", "ownership"}
    again = supervised.evaluate_network(tmp_path / "run" / "network.safetensors", path)
    assert again[""].figures == pytest.approx(figures, abs=1e-6)


def test_the_recipes_of_the_repository_are_valid() -> None:
    recipe = owners.load_recipe(ROOT / "recipes" / "owners-19x19.toml")
    assert recipe.size == 19 and all(file.is_absolute() for file in recipe.files)
    learner = load_recipe(ROOT / "recipes" / "master-19x19.toml")
    assert learner.network.ownership and learner.sources[1].files[0].parent.name == "owners-19x19"
