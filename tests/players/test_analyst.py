"""A searching player as an analyst: its kept search looked at, guided, stopped; fresh searches beside it."""

from __future__ import annotations

import numpy as np
import pytest

from move37.errors import ConfigError, PlayerError
from move37.players.player import Analyst
from move37.players.presets import random, zero
from move37.players.searches import new_search
from move37.rules.board_kernels import BoardArray
from move37.rules.position import Position
from move37.search.evaluator import ConstantEvaluator, Evaluations
from move37.search.limits import StopRequest, limit
from move37.search.puct import SearchConfig
from move37.search.restriction import Restriction
from move37.search.result import SearchResult
from move37.search.root import Search


class _Stopping:
    """A constant evaluator that asks to stop at its `at`-th call (from 1)."""

    def __init__(self, stop: StopRequest, at: int) -> None:
        self._stop, self._at, self.calls = stop, at, 0

    def evaluate(self, boards: BoardArray) -> Evaluations:
        self.calls += 1
        if self.calls == self._at:
            self._stop.stop()
        return ConstantEvaluator().evaluate(boards)


def test_searching_players_are_analysts_and_others_are_not() -> None:
    assert isinstance(zero(net=ConstantEvaluator(), visits=1), Analyst)
    assert not isinstance(random(), Analyst)


def test_analysis_decides_nothing_and_its_tree_is_kept() -> None:
    player = zero(net=ConstantEvaluator(), visits=64, seed=0)
    position = Position(3, komi=0.5)
    found = player.analyze(position, limit(48))
    assert found.root_visits == 48 and position.moves == []
    tree = player.choose(position).tree
    assert isinstance(tree, SearchResult) and (tree.reused_visits, tree.root_visits) == (48, 64)


def test_pondering_ends_when_told_and_serves_the_next_choice() -> None:
    stop = StopRequest()
    evaluator = _Stopping(stop, at=20)
    player = zero(net=evaluator, visits=40, batch=1, cache=1, symmetry="none", seed=0)
    position = Position(3, komi=0.5)
    found = player.ponder(position, stop)
    assert evaluator.calls == 20
    position.play(found.move)
    tree = player.choose(position).tree
    assert isinstance(tree, SearchResult) and tree.reused_visits == int(found.visits[found.move])


def test_a_choice_told_to_stop_still_chooses() -> None:
    stop = StopRequest()
    player = zero(net=_Stopping(stop, at=10), visits=4000, batch=1, symmetry="none", seed=0)
    decision = player.choose(Position(5), stop=stop)
    assert decision.move is not None and decision.tree.evaluations == 10


def test_no_rule_about_passing_breaks_a_restriction() -> None:
    player = zero(net=ConstantEvaluator(), visits=30, batch=1, seed=0)
    position = Position(3, komi=9.5)
    position.play("B2")
    position.play("pass")
    assert player.choose(position).move != 9  # it would lose
    assert player.choose(position, restrictions=[Restriction(1, (9,), only=True)]).move == 9
    position.komi = 0.5
    assert player.choose(position).move == 9
    decision = player.choose(position, restrictions=[Restriction(1, (9,))])
    assert decision.move is not None and decision.move != 9


def test_reports_come_while_it_thinks() -> None:
    told: list[SearchResult] = []
    player = zero(net=ConstantEvaluator(), visits=50, batch=1, seed=0)
    player.choose(Position(5), report=told.append, every=0.0)
    visits = [found.root_visits for found in told]
    assert len(visits) > 10 and visits == sorted(visits) and visits[-1] <= 50


def test_a_fresh_search_leaves_the_kept_one_alone() -> None:
    player = zero(net=ConstantEvaluator(), visits=64, seed=0)
    position = Position(3, komi=0.5)
    player.analyze(position, limit(32))
    beside = player.new_search(3, 3, c_puct=7.0)
    assert isinstance(beside, Search) and beside.config.c_puct == 7.0
    assert beside.run(position, 10).reused_visits == 0
    assert player.analyze(position, limit(33)).reused_visits == 32


def test_options_that_a_search_does_not_have_are_named() -> None:
    player = zero(net=ConstantEvaluator(), visits=1)
    with pytest.raises(ConfigError, match=r"player 'zero' has no such search option.*'kpuct'"):
        player.new_search(3, 3, kpuct=1.0)
    with pytest.raises(ConfigError, match="c_puct cannot be -1"):
        player.new_search(3, 3, c_puct=-1)
    with pytest.raises(PlayerError, match="there is no search with options of int: use SearchConfig"):
        new_search(ConstantEvaluator(), 3, np.random.default_rng(0))
    assert isinstance(new_search(ConstantEvaluator(), SearchConfig(), np.random.default_rng(0)), Search)
