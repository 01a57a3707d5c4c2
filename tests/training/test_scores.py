"""The score as a target: its sign, its komi, games that do not tell it, its loss and its held-out error."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from move37 import config as toml
from move37.features.encoder import get_encoder
from move37.nets import weights
from move37.nets.graph import SCORE_UNIT
from move37.training import supervised
from move37.training.examples import Examples, Source, join, make_examples, split
from move37.training.held_out import answers, by_move_number
from move37.training.losses import loss
from move37.training.results import black_leads
from move37.training.supervised import load_recipe, make_source
from tests.support.stored_games import random_rows, row, store_of, write_rows
from tests.training.test_supervised import write_recipe


class Foretells(torch.nn.Module):
    """Answers with given scores, in units of the network's, and nothing for moves and values."""

    def __init__(self, points: list[float]) -> None:
        super().__init__()
        self.points = torch.tensor(points)

    def forward(self, planes: torch.Tensor, *_: object) -> dict[str, torch.Tensor]:
        count, points = len(self.points), planes.shape[-1] * planes.shape[-2]
        score = (self.points / SCORE_UNIT)[:, None]
        return {"policy": torch.zeros(count, points + 1), "value": torch.zeros(count), "score": score}


def examples_of(score: list[float], value_weight: list[float]) -> Examples:
    count = len(score)
    ones = np.ones(count, np.float32)
    planes = np.zeros((count, 1, 5, 5), np.float32), np.zeros((count, 0), np.float32)
    ply = np.array([0, 70, 3, 4][:count], np.int64)
    weight = np.array(value_weight, np.float32)
    return Examples(*planes, np.zeros(count, np.int64), ones, ones, weight, ply, np.array(score, np.float32))


@pytest.mark.parametrize(
    ("result", "winner", "komi", "lead"),
    [
        ("B+1.5", 1, 5.5, 7.0),  # 1.5 + 5.5: odd as it is
        ("B+0.5", 1, 5.5, 7.0),  # 6 by territory: Black made the last move, 7 by area
        ("W+0.5", -1, 5.5, 5.0),  # White won by half a point after komi: Black is 5 ahead on the board
        ("W+12.5", -1, 6.5, -5.0),  # -6 by territory
        ("0", 0, 7.0, 7.0),
        ("B+R", 1, 6.5, np.nan),  # nobody counted
        ("W+T", -1, 6.5, np.nan),
        ("B+2.5", 1, None, np.nan),  # counted, but with what komi?
    ],
)
def test_the_lead_on_the_board_is_margin_and_komi(
    tmp_path: Path, result: str, winner: int, komi: float | None, lead: float
) -> None:
    store = store_of(tmp_path / "g.parquet", [row([0, 1], result=result, winner=winner, komi=komi)])
    np.testing.assert_array_equal(black_leads(store), np.array([lead], np.float32))


def test_targets_are_for_the_player_to_move_and_know_no_komi(tmp_path: Path) -> None:
    rows = [row([0, 1, 2], result="B+1.5", winner=1, komi=5.5), row([3, 4], result="B+R", winner=1)]
    store = store_of(tmp_path / "g.parquet", rows)
    source = make_source(supervised.SourceRecipe(files=()), store, 7.0)
    for komi in (0.5, 7.0):
        found = make_examples(source, np.arange(5), get_encoder("zero17"), komi=komi)
        np.testing.assert_array_equal(found.score, np.array([7, -7, 7, np.nan, np.nan], np.float32))
    assert found.value_weight.tolist() == [1.0] * 5  # the value of a resigned game counts, its score does not


def test_sources_without_leads_give_no_scores(tmp_path: Path) -> None:
    store = store_of(tmp_path / "g.parquet", [row([0, 1, 2])])
    ones = np.ones((1, 2), np.float32)
    batch = make_examples(Source(store, ones[0, :1], ones[0, :1], ones), np.arange(3), get_encoder("zero17"))
    assert len(batch.score) == 0
    assert len(join([batch, batch]).score) == 0 and len(split(batch, 2)[1].score) == 0
    assert "score" not in loss(Foretells([1.0, 2.0, 3.0]), batch, 1.0, 1.0)


def test_the_loss_is_squared_up_to_a_side_and_linear_beyond() -> None:
    batch = examples_of([10.0, -3.0, np.nan, 4.0], [1.0, 1.0, 1.0, 0.0])
    terms = loss(Foretells([7.0, 12.0, 100.0, 100.0]), batch, 0.0, 0.25)
    near, far = (3 / 5) ** 2, 2 * (15 / 5) - 1  # in sides of 5 points
    assert float(terms["score"]) == pytest.approx((near + far) / 2)
    assert float(terms["loss"]) == pytest.approx(float(terms["policy"]) + 0.25 * float(terms["score"]))


def test_a_batch_without_any_counted_game_has_no_score_loss() -> None:
    terms = loss(Foretells([7.0, 12.0]), examples_of([np.nan, np.nan], [1.0, 1.0]), 1.0, 1.0)
    assert float(terms["score"]) == 0.0 and bool(torch.isfinite(terms["loss"]))


def test_the_held_out_error_is_in_points_over_counted_games() -> None:
    batch = examples_of([10.0, -3.0, np.nan, 4.0], [1.0, 1.0, 1.0, 0.0])
    figures = supervised.evaluate(Foretells([7.0, 4.0, 100.0, 100.0]), {"": [batch]})
    assert figures["score_error"] == pytest.approx((3 + 7) / 2)
    _, value = answers(Foretells([7.0, 4.0, 100.0, 100.0]), [batch])
    assert by_move_number(value, "score_error") == {"1-60": pytest.approx(3.0), "61-120": pytest.approx(7.0)}


def test_a_run_with_a_score_learns_to_foretell_it(tmp_path: Path) -> None:
    path = write_recipe(tmp_path)
    # Black is far ahead in each game, so an untrained network is far off and the mean soon foretold.
    rows = [one | {"result": "B+18", "winner": 1, "komi": 7.0} for one in random_rows(seed=1, count=60)]
    write_rows(tmp_path / "games.parquet", rows)
    recipe = load_recipe(path)
    network = replace(recipe.network, score=True, encoder="alphago49")  # the plane of the colour tells the sign
    toml.save_toml(replace(recipe, network=network, score_weight=1.0), path)
    figures = supervised.main(path, tmp_path / "run", quiet=True)
    trained = weights.load(tmp_path / "run" / "network.safetensors")
    assert trained.graph.outputs.keys() == {"policy", "value", "score"}
    untrained = supervised.evaluate(
        supervised.new_module(load_recipe(path)),
        supervised.held_out_examples(load_recipe(path), supervised.load_sources(load_recipe(path))[1]),
    )
    assert figures["score_error"] < 0.8 * untrained["score_error"]
