"""Features of rollout and tree policies against their slow twin, from nothing and kept up to date."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.features import rollout_feature_kernels as numbers
from move37.features.rollout_around_kernels import AROUND, play_stone, recent_cell, start
from move37.features.rollout_move_kernels import MOST_FEATURES, POINTS, list_candidates, write_probabilities
from move37.features.rollout_policy import FeatureSet, RolloutPolicy
from move37.rules.board_kernels import NO_POINT, STRIDE, cell_of, point_of
from move37.rules.position import Position
from tests.support.positions import eventful_position, random_position
from tests.support.rollout_policies import policy_of
from tests.support.slow_rollout_features import Features, SlowFeatures


def found(policy: RolloutPolicy, position: Position) -> Features:
    """What the kernels list."""
    board, around = position.board, np.zeros(1, AROUND)[0]
    start(board, around, policy.tables)
    ko = cell_of(board["ko_point"], board["cols"]) if board["ko_point"] != NO_POINT else 0
    cells, ends = np.empty(POINTS, np.int16), np.zeros((POINTS, 2), np.int16)
    features = np.empty((POINTS, MOST_FEATURES), np.int32)
    moves = recent_cell(board, 0), recent_cell(board, 1), int(board["to_play"])
    count = list_candidates(board, around, policy.tables, ko, *moves, True, cells, features, ends)
    points = [int(point_of(int(cell), int(board["cols"]))) for cell in cells[:count]]
    rows = [features[row].tolist() for row in range(count)]
    return Features(
        {point: sorted(row[: ends[i, 0]]) for i, (point, row) in enumerate(zip(points, rows, strict=True))},
        {point: sorted(row[ends[i, 0] : ends[i, 1]]) for i, (point, row) in enumerate(zip(points, rows, strict=True))},
    )


def some_positions(seed: int, count: int) -> list[Position]:
    rng = np.random.default_rng(seed)
    rules = {"ko": "simple", "suicide": False}
    made = [eventful_position(seed + i, 4 + i % 3, 5, rules, 30) for i in range(count // 2)]
    sides = [(int(rng.integers(1, 8)), int(rng.integers(1, 8))) for _ in range(count - len(made))]
    return made + [
        random_position(rng, rows, cols, int(rng.integers(2 * rows * cols)), "chinese") for rows, cols in sides
    ]


@pytest.mark.parametrize("features", ["paper", "article"])
@pytest.mark.parametrize("seed", range(3))
def test_features_are_those_of_the_definition(features: FeatureSet, seed: int) -> None:
    positions = some_positions(1000 * seed, 12)
    policy = policy_of(positions, np.random.default_rng(seed), features)
    for position in positions:
        assert found(policy, position) == SlowFeatures(policy, position).all(), str(position)


def test_every_kind_of_feature_comes_up() -> None:
    rng = np.random.default_rng(1)
    positions = [*some_positions(1, 40), *(random_position(rng, 9, 9, moves, "chinese") for moves in (1, 2, 3))]
    met: Counter[str] = Counter()
    for features in ("paper", "article"):
        policy = policy_of(positions, np.random.default_rng(1), features)
        for position in positions:
            listed = found(policy, position)
            for feature in [f for row in (*listed.rollout.values(), *listed.tree.values()) for f in row]:
                met[kind_of(policy, feature)] += 1
    assert set(met) == set(KINDS), met


KINDS = (
    *("response", "save", "beside", "corner", "self-atari", "distance", "line", "big point", "atari", "take"),
    *("nakade", "answer", "shape", "other shape", "diamond", "other diamond"),
)


def kind_of(policy: RolloutPolicy, feature: int) -> str:
    """In words, by the first number of each kind."""
    p = policy.patterns
    firsts = [numbers.RESPONSE, numbers.SAVE, numbers.BESIDE, numbers.CORNER, numbers.SELF_ATARI, numbers.DISTANCE]
    firsts += [numbers.LINE, numbers.BIG_POINT, numbers.ATARI, numbers.TAKE]
    firsts += [p.first_nakade, p.first_answer, p.first_shape, p.first_diamond - 1, p.first_diamond, p.features - 1]
    return KINDS[int(np.searchsorted(firsts, feature, side="right")) - 1]


def on_board(array: NDArray[np.generic], cells: Iterable[int]) -> NDArray[np.generic]:
    return array[..., list(cells)]


@pytest.mark.parametrize("seed", range(6))
def test_what_is_kept_up_to_date_is_what_is_found_from_nothing(seed: int) -> None:
    """Random games with captures and kos, on boards so small that stones come and go."""
    rng = np.random.default_rng(seed)
    rows, cols = int(rng.integers(2, 6)), int(rng.integers(2, 6))
    positions = [random_position(rng, rows, cols, 20, "chinese") for _ in range(4)]
    tables = policy_of(positions, rng, "article" if seed % 4 == 3 else "paper").tables
    position = Position(rows=rows, cols=cols, rules={"ko": "simple"})
    board, around, fresh = position.board_array.copy()[0], np.zeros(1, AROUND)[0], np.zeros(1, AROUND)[0]
    cells = [(row + 1) * STRIDE + col + 1 for row in range(rows) for col in range(cols)]
    start(board, around, tables)
    ko, color, taken = 0, 1, 0
    for _ in range(120):
        playable = [cell for cell in cells if around["ids"][color - 1, cell] >= 0 and cell != ko]
        if not playable:
            break
        ko = play_stone(board, around, tables, int(rng.choice(playable)), color)
        taken += int(around["takes"])
        color = 3 - color
        start(board, fresh, tables)
        for name in ("code", "ids", "shown"):
            np.testing.assert_array_equal(on_board(around[name], cells), on_board(fresh[name], cells), name)
        assert not around["is_changed"].any()
    assert taken > 0 or rows * cols < 6


@pytest.mark.parametrize("seed", range(3))
def test_probabilities_are_the_softmax_of_sums_of_weights(seed: int) -> None:
    positions = [random_position(np.random.default_rng(seed), 5, 5, 8 + 6 * i, "chinese") for i in range(4)]
    policy = policy_of(positions, np.random.default_rng(seed), size=5)
    boards = np.concatenate([position.board_array for position in positions])
    for number, weights in enumerate((policy.rollout, policy.tree)):
        out = np.empty((len(boards), 26), np.float32)
        write_probabilities(boards, np.zeros(1, AROUND), policy.tables, weights, number, out)
        for position, row in zip(positions, out, strict=True):
            slow = SlowFeatures(policy, position).all()
            wanted = np.zeros(26)
            for point, features in slow.rollout.items():
                wanted[point] = np.exp(weights[features + (slow.tree[point] if number else [])].sum())
            wanted[-1] = 0.0 if slow.rollout else 1.0
            np.testing.assert_allclose(row, wanted / wanted.sum(), rtol=1e-4)
