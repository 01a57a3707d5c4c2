"""Weaker play by rank: the table, the draw, and the presets that take one."""

from __future__ import annotations

import numpy as np
import pytest

from move37.errors import ConfigError, PlayerError
from move37.players.presets import PRESETS, options_of, policy, preset
from move37.players.ranks import RANKS, Strength, strength
from move37.players.search_player import SearchPlayerConfig
from move37.rules.position import Position
from move37.search.evaluator import ConstantEvaluator
from tests.support.networks import katago_network, small_network


def test_ranks_grow_stronger() -> None:
    assert list(RANKS) == [f"{number}k" for number in range(10, 0, -1)] + [f"{number}d" for number in range(1, 6)]
    steps = [(found.visits, -found.temperature) for found in RANKS.values()]
    assert steps == sorted(steps) and len(set(steps)) == len(steps)


@pytest.mark.parametrize("text", ["5k", " 5K "])
def test_a_rank_reads_in_any_case(text: str) -> None:
    assert strength(text) is RANKS["5k"]


@pytest.mark.parametrize("text", ["", "11k", "6d", "1p", "k5", "5", "5 k", "５k"])
def test_a_bad_rank_is_told_in_one_sentence(text: str) -> None:
    with pytest.raises(PlayerError, match=r"there is no rank .*: choose one from 10k \(weakest\) to 1k and 1d to 5d"):
        strength(text)


def test_a_draw_follows_the_temperature_and_leaves_silly_moves_out() -> None:
    rng = np.random.default_rng(0)
    weights = np.array([0.6, 0.3, 0.09, 0.005, 0.0])
    drawn = np.bincount([Strength(1, 1.0).draw(weights, rng) for _ in range(4000)], minlength=5) / 4000
    np.testing.assert_allclose(drawn, [0.606, 0.303, 0.091, 0, 0], atol=0.03)
    warm = np.bincount([Strength(1, 2.0).draw(weights, rng) for _ in range(4000)], minlength=5) / 4000
    assert warm[0] < drawn[0] and warm[2] > drawn[2] and warm[3] == warm[4] == 0
    cold = np.bincount([Strength(1, 0.1).draw(weights, rng) for _ in range(400)], minlength=5) / 400
    assert cold[0] > 0.99


@pytest.mark.parametrize("name", [name for name in PRESETS if "rank" in options_of(name)])
def test_every_network_player_takes_a_rank(name: str) -> None:
    network = katago_network() if name == "katago" else small_network()
    moves: set[int] = set()
    for seed in range(6):
        rollouts = {"rollout_policy": "light"} if "rollout_policy" in options_of(name) else {}
        player = preset(name, net=network, rank="8k", seed=seed, **rollouts)
        decision = player.choose(Position(5))
        assert decision.move is not None and Position(5).is_legal(decision.move)
        assert decision.tree is None or decision.tree.root_visits == 1
        moves.add(decision.move)
    assert len(moves) > 1
    assert {"policy", "zero", "alphazero", "katago"} <= {name for name in PRESETS if "rank" in options_of(name)}


def test_a_dan_rank_searches_a_little() -> None:
    assert preset("zero", net=small_network(), rank="3d", seed=0).choose(Position(5)).tree.root_visits == 16
    with pytest.raises(PlayerError, match="player 'policy' does not search, which rank '3d' does: use 10k to 1k"):
        policy(net=small_network(), rank="3d")


@pytest.mark.parametrize("options", [{"visits": 10}, {"temperature": 1.0}])
def test_a_rank_takes_no_visits_and_no_temperature_beside_it(options: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match="a rank has its own visits and temperature: give either the rank or these"):
        preset("zero", net=ConstantEvaluator(), rank="1k", **options)
    with pytest.raises(ConfigError, match="a rank has its own temperature"):
        policy(net=small_network(), rank="1k", temperature=1.0)
    assert SearchPlayerConfig(rank=RANKS["1k"]).rank is RANKS["1k"]
