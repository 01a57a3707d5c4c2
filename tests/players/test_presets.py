"""The presets' numbers, each as its paper prints it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from move37.players.network_source import NetworkSource
from move37.players.presets import alphazero, katago, preset, zero
from move37.players.search_player import SearchPlayer, SearchPlayerConfig
from move37.rules.board_kernels import BoardArray
from move37.rules.position import Position
from move37.search.evaluator import ConstantEvaluator, Evaluations
from move37.search.root import Search
from tests.support.networks import katago_network, small_network


def test_alphazero_explores_more_with_more_visits() -> None:
    """Silver et al. 2018, pseudocode: pb_c = log((N + c_base + 1) / c_base) + c_init, c_base 19652, c_init 1.25."""
    player = alphazero(net=ConstantEvaluator())
    search = player.new_search(5, 5)
    assert isinstance(search, Search)
    assert (search.config.c_puct, search.config.c_base, search.config.fpu_value) == (1.25, 19_652, 0.0)
    assert player.config.resign_below is None and player.config.temperature == 0
    assert math.log((1 + 19_652 + 19_652) / 19_652) + 1.25 == pytest.approx(1.943, abs=1e-3)


def test_alphazero_sees_positions_as_they_are_and_zero_turned() -> None:
    def visits(name: str, seed: int) -> tuple[float, ...]:
        found = preset(name, net=small_network(), visits=24, batch=1, seed=seed).choose(Position(5)).visits
        assert found is not None
        return tuple(found)

    assert len({visits("alphazero", seed) for seed in range(4)}) == 1
    assert len({visits("zero", seed) for seed in range(6)}) > 1


def test_zero_has_batches_of_eight_and_katago_resigns_after_three_turns() -> None:
    search = zero(net=ConstantEvaluator()).new_search(5, 5)
    assert isinstance(search, Search) and search.config.batch == 8 and search.config.noise_fraction == 0
    config = katago(net=katago_network()).config
    assert (config.resign_below, config.resign_turns, config.resign_by) == (-0.9, 3, "value")
    assert zero(net=ConstantEvaluator()).config.resign_by == "both"


# ---- resigning


class _OneGoodMove:
    """All is lost for who moves first, but after the move `good` the other side's value is only `value`."""

    def __init__(self, good: int, value: float) -> None:
        self._good, self._value = good, value

    def evaluate(self, boards: BoardArray) -> Evaluations:
        values: list[float] = []
        for board in boards:
            count = int(board["move_number"])
            good = count > 0 and int(board["last_moves"][count - 1]) == self._good if count <= 5 else False
            others = self._value if good else 0.95
            values.append(others if count % 2 == 1 else -others)
        return Evaluations(ConstantEvaluator().evaluate(boards).policy, np.array(values, np.float32))


@pytest.mark.parametrize("to_play", ["B", "W"])
@pytest.mark.parametrize(
    ("by", "value", "resigns"),
    [
        ("value", 0.95, True),
        ("best", 0.95, True),
        ("both", 0.95, True),
        ("best", 0.5, False),  # a move worth -0.5 for the player to move
        ("both", 0.5, False),
        ("both", 0.85, True),
    ],
)
def test_which_value_resigns(to_play: str, by: str, value: float, resigns: bool) -> None:
    """AlphaGo 2016 looks at the best Q of any move, AlphaGo Zero at the root's value and that of the best child."""
    position = Position(3, komi=7)
    position.setup(to_play=to_play)
    config = SearchPlayerConfig(visits=30, resign_below=-0.8, resign_by=by, resign_after=0)  # type: ignore[arg-type]
    player = SearchPlayer(NetworkSource(_OneGoodMove(4, value)), config, rng=np.random.default_rng(0))
    assert player.choose(position).resign is resigns
