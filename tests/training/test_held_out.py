"""Figures of accuracy by hand, the mean over symmetries, and by move number."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from move37.rules import symmetry
from move37.training.examples import Examples
from move37.training.held_out import accuracy, ask, measure

POINTS = 9


def batch_of(moves: list[int], plies: list[int], spatial: np.ndarray | None = None) -> Examples:
    count = len(moves)
    ones = np.ones(count, np.float32)
    planes = np.zeros((count, 1, 3, 3), np.float32) if spatial is None else spatial
    none = np.zeros((count, 0), np.float32)
    return Examples(planes, none, np.array(moves), ones, ones, ones, np.array(plies))


class Corner(nn.Module):
    """Sees the board as it is turned: its logit is high at the top left and where a stone is; value: the top row."""

    def forward(self, planes: Tensor, _: Tensor) -> dict[str, Tensor]:
        logits = planes.flatten(1) * 2.0
        logits[:, 0] += 1.0
        passing = torch.zeros(len(logits), 1)
        return {"policy": torch.cat([logits, passing], dim=1), "value": planes[:, 0, 0].mean(dim=1)}


def test_eight_symmetries_are_the_mean_of_the_probabilities_turned_back() -> None:
    rng = np.random.default_rng(3)
    spatial = (rng.random((4, 1, 3, 3)) < 0.4).astype(np.float32)
    batch = batch_of([0, 1, 4, POINTS], [0, 1, 2, 3], spatial)
    found = ask(Corner(), batch, 8)
    shares = np.zeros((4, POINTS + 1))
    values = np.zeros(4)
    for s in symmetry.SYMMETRIES:
        for row in range(4):
            turned = np.zeros(POINTS)
            for point in range(POINTS):
                turned[symmetry.point(s, point, 3, 3)] = spatial[row].ravel()[point]
            logits = np.append(turned * 2.0, 0.0)
            logits[0] += 1.0
            chance = np.exp(logits) / np.exp(logits).sum()
            shares[row] += [chance[symmetry.point(s, point, 3, 3)] for point in range(POINTS + 1)]
            values[row] += turned[:3].mean()
    np.testing.assert_allclose(found["policy"].exp().numpy(), shares / 8, rtol=1e-5)
    np.testing.assert_allclose(found["value"].numpy(), values / 8, rtol=1e-5)
    assert found["policy"].exp()[:, [0, 2, 6, 8]].std() > 0  # the boards differ


def test_a_module_that_is_the_same_all_around_needs_no_symmetries() -> None:
    class Same(nn.Module):
        def forward(self, planes: Tensor, _: Tensor) -> dict[str, Tensor]:
            passing = torch.full((len(planes), 1), 0.5)
            return {"policy": torch.cat([planes.flatten(1), passing], dim=1)}

    spatial = np.random.default_rng(4).random((3, 1, 3, 3), dtype=np.float32)
    batch = batch_of([1, 2, POINTS], [0, 1, 2], spatial)
    one, eight = (measure(Same(), [batch], count) for count in (1, 8))
    assert one == pytest.approx(eight, rel=1e-5)


class Liking(nn.Module):
    """Likes the points in their order."""

    def forward(self, planes: Tensor, _: Tensor) -> dict[str, Tensor]:
        return {"policy": -torch.arange(POINTS + 1.0).repeat(len(planes), 1)}


def test_figures_by_move_number() -> None:
    batches = [batch_of([0, 1, 0], [0, 59, 60]), batch_of([7, 0], [119, 130])]
    found = accuracy(Liking(), batches)
    assert found.positions == 5
    assert found.by_move["positions"] == {"1-60": 2.0, "61-120": 2.0, "121-180": 1.0}
    assert found.by_move["top1"] == {"1-60": 0.5, "61-120": 0.5, "121-180": 1.0}
    assert found.by_move["top5"] == {"1-60": 1.0, "61-120": 0.5, "121-180": 1.0}
    total = math.log(sum(math.exp(-k) for k in range(10)))
    assert found.by_move["policy"] == pytest.approx({"1-60": total + 0.5, "61-120": total + 3.5, "121-180": total})
    assert found.figures == measure(Liking(), batches)


def test_what_does_not_count_is_in_no_figure() -> None:
    batch = replace(batch_of([0, 5], [0, 70]), policy_weight=np.array([1.0, 0.0], np.float32))
    found = accuracy(Liking(), [batch])
    assert found.positions == 1 and found.by_move["top1"] == {"1-60": 1.0}
    none = accuracy(Liking(), [replace(batch, policy_weight=np.zeros(2, np.float32))])
    assert (none.figures, none.by_move, none.positions) == ({}, {}, 0)
