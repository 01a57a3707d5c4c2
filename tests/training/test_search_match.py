"""Matches of searches side by side: the same games as one after the other by the arena's own player, and any split."""

from __future__ import annotations

import numpy as np
import pytest

from move37.arena.game import play_game
from move37.players.network_source import NetworkSource
from move37.players.search_player import SearchPlayer, SearchPlayerConfig
from move37.search.evaluator import ConstantEvaluator, Evaluator
from move37.search.puct import SearchConfig
from move37.training.search_match import MatchPlan, search_match
from tests.support.networks import StonesEvaluator

PLAN = MatchPlan(size=3, komi=2.5, visits=40, opening_moves=1, seed=5)


def evaluators() -> dict[str, Evaluator]:
    return {"A": StonesEvaluator(), "B": ConstantEvaluator()}


def test_games_side_by_side_are_those_of_the_arenas_player() -> None:
    found = search_match(evaluators(), PLAN, range(6))
    for game in found:
        players = {
            side: SearchPlayer(evaluator, SearchPlayerConfig(PLAN.visits), SearchConfig(), np.random.default_rng(0))
            for side, evaluator in sources().items()
        }
        black = "A" if game.number % 2 == 0 else "B"
        wanted = play_game(players, black, PLAN.start(game.number), game.number)
        assert (game.moves, game.result, game.winner, game.reason) == (
            wanted.moves,
            wanted.result,
            wanted.winner,
            wanted.reason,
        )


def sources() -> dict[str, NetworkSource]:
    return {side: NetworkSource(evaluator) for side, evaluator in evaluators().items()}


def test_a_game_depends_on_its_number_alone() -> None:
    whole = search_match(evaluators(), PLAN, range(6))
    parts = search_match(evaluators(), PLAN, [5, 3]) + search_match(evaluators(), PLAN, [0])
    by_number = {game.number: game for game in whole}
    assert parts == [by_number[5], by_number[3], by_number[0]]


def test_pairs_begin_alike_with_colours_swapped_and_the_first_may_begin_empty() -> None:
    plan = MatchPlan(size=5, komi=0.5, visits=2, opening_moves=3, plain_start=True, seed=1)
    games = search_match(evaluators(), plan, range(4))
    assert [game.opening_moves for game in games] == [0, 0, 3, 3]
    assert games[2].moves[:3] == games[3].moves[:3]
    assert [game.black for game in games] == ["A", "B", "A", "B"]


@pytest.mark.parametrize("komi", [-9.5, 9.5])
def test_whoever_cannot_lose_wins_with_both_colours(komi: float) -> None:
    games = search_match(evaluators(), MatchPlan(size=3, komi=komi, visits=4), range(2))
    sign = "W" if komi > 0 else "B"
    assert all(game.result.startswith(sign) for game in games)
    assert {game.winner for game in games} == {"A", "B"}
