"""The parts of the loss, against numbers by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from move37.training.examples import Examples
from move37.training.losses import loss


class Says(nn.Module):
    """The same outputs whatever it is shown."""

    def __init__(self, **outputs: Any) -> None:
        super().__init__()
        self.outputs = {name: torch.tensor(value, dtype=torch.float32) for name, value in outputs.items()}

    def forward(self, planes: Tensor, globals_: Tensor) -> dict[str, Tensor]:
        return self.outputs


def examples(**columns: Any) -> Examples:
    """Two examples on a board of 1x2, as arrays; `columns` replace what is there."""
    ones = np.ones(2, np.float32)
    given: dict[str, Any] = {
        "spatial": np.zeros((2, 1, 1, 2), np.float32),
        "globals": np.zeros((2, 0), np.float32),
        "move": np.array([0, 2]),
        "value": np.array([1.0, -1.0], np.float32),
        "policy_weight": ones,
        "value_weight": ones,
        "ply": np.array([0, 1]),
    }
    floats: dict[str, Any] = {name: np.array(value, np.float32) for name, value in columns.items()}
    return Examples(**(given | floats))


LOGITS = [[0.0, 1.0, 2.0], [1.0, 1.0, 1.0]]
P0 = np.exp([0.0, 1.0, 2.0]) / np.exp([0.0, 1.0, 2.0]).sum()


def test_a_policy_is_taught_by_moves_or_by_shares() -> None:
    moves = loss(Says(policy=LOGITS), examples(), 1.0)
    assert float(moves["policy"]) == pytest.approx((-math.log(P0[0]) + math.log(3)) / 2)
    shares = [[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]]
    searched = loss(Says(policy=LOGITS), examples(policy=shares), 1.0)
    assert float(searched["policy"]) == pytest.approx(
        (-0.5 * math.log(P0[0]) - 0.5 * math.log(P0[1]) + math.log(3)) / 2
    )
    one_hot = loss(Says(policy=LOGITS), examples(policy=[[1, 0, 0], [0, 0, 1]]), 1.0)
    assert float(one_hot["policy"]) == pytest.approx(float(moves["policy"]))


def test_a_value_is_taught_by_squares_or_by_the_winner() -> None:
    batch = examples(value=[1.0, 0.0])
    squares = loss(Says(value=[0.5, -0.5]), batch, 2.0)
    assert float(squares["value"]) == pytest.approx(0.25) and float(squares["loss"]) == pytest.approx(0.5)
    winner = loss(Says(value=[0.5, -0.5]), batch, 1.0, value_loss="entropy")
    drawn = -0.5 * math.log(0.25) - 0.5 * math.log(0.75)
    assert float(winner["value"]) == pytest.approx((-math.log(0.75) + drawn) / 2, rel=1e-5)


def test_a_sure_and_wrong_value_costs_much_but_not_everything() -> None:
    found = loss(Says(value=[-1.0, -1.0]), examples(), 1.0, value_loss="entropy")
    assert 5.0 < float(found["value"]) < 10.0


def test_the_opponents_answer_counts_where_there_is_one() -> None:
    batch = examples(opponent=[[0.0, 0.0, 1.0], [0.0, 0.0, 0.0]], opponent_weight=[1.0, 0.0])
    found = loss(Says(opponent=LOGITS), batch, 1.0, opponent_weight=0.15)
    assert float(found["opponent"]) == pytest.approx(-math.log(P0[2]))
    assert float(found["loss"]) == pytest.approx(-0.15 * math.log(P0[2]))


def test_ownership_is_the_cross_entropy_of_each_points_owner() -> None:
    """The network's answer is tanh of its output: the chance that the player to move owns a point is (1 + tanh) / 2."""
    outputs = [[[[0.0, 0.7]]], [[[5.0, 5.0]]]]
    batch = examples(ownership=[[[1.0, -1.0]], [[0.0, 0.0]]], ownership_weight=[1.0, 0.0])
    found = loss(Says(ownership=outputs), batch, 1.0, ownership_weight=1.5)
    wanted = (-math.log(0.5) - math.log(1.0 - (1.0 + math.tanh(0.7)) / 2)) / 2
    assert float(found["ownership"]) == pytest.approx(wanted, rel=1e-5)
    assert float(found["loss"]) == pytest.approx(1.5 * wanted, rel=1e-5)


def test_heads_that_the_examples_do_not_tell_of_are_left_alone() -> None:
    outputs = {"policy": LOGITS, "opponent": LOGITS, "ownership": [[[[0.0, 0.0]]]] * 2, "score": [[0.0], [0.0]]}
    assert loss(Says(**outputs), examples(), 1.0).keys() == {"loss", "policy"}
