"""Searching players on a clock: they keep it, whatever their evaluator does; a virtual clock, no waiting."""

from __future__ import annotations

import tracemalloc
from dataclasses import dataclass, field

import numpy as np
import pytest

from move37.errors import ConfigError
from move37.players.network_source import NetworkSource
from move37.players.player import Preparing
from move37.players.presets import random, zero
from move37.players.search_player import SearchPlayer, SearchPlayerConfig
from move37.rules.board_kernels import BoardArray
from move37.rules.position import Position
from move37.search.clock import Clock, TimeSystem
from move37.search.evaluator import ConstantEvaluator, Evaluations
from move37.search.limits import StopRequest
from move37.search.match_clock import MatchClock
from move37.search.puct import SearchConfig
from move37.search.time_words import time_system

ABSOLUTE = TimeSystem("absolute", main=60.0)


@dataclass
class World:
    """A virtual clock, and an evaluator whose batches take their time on it."""

    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(5))
    seconds: float = 0.2
    time: float = 0.0
    calls: int = 0

    def evaluate(self, boards: BoardArray) -> Evaluations:
        self.calls += 1
        stall = 3.0 if self.rng.random() < 0.01 else 1.0
        self.time += stall * self.seconds * float(self.rng.uniform(0.5, 1.5))
        return ConstantEvaluator().evaluate(boards)

    def player(self, config: SearchPlayerConfig | None = None) -> SearchPlayer:
        return SearchPlayer(NetworkSource(self), config, SearchConfig(), self.rng, now=lambda: self.time)


@pytest.mark.parametrize("text", ["1m", "10s+2s", "20s+3x5s", "10s+1x10s", "10s+5/20s"])
def test_a_player_never_loses_on_time(text: str) -> None:
    world = World()
    player, referee = world.player(), MatchClock(time_system(text))
    position = Position(5, komi=0.5)
    for _ in range(12):
        before = world.time
        decision = player.choose(position, referee.clock())
        assert decision.move is not None and decision.tree is not None
        assert referee.spend(world.time - before + 0.2), f"lost on time at move {position.move_number}"
        position.play(decision.move)
        position.play(int(np.flatnonzero(position.legal_mask())[0]))
    assert world.time > 12 * 4 * world.seconds  # it did think


def test_the_clock_counts_from_the_question_and_bounds_a_search_of_few_visits() -> None:
    world = World()
    few = world.player(SearchPlayerConfig(visits=2))
    few.choose(Position(5), Clock(ABSOLUTE))
    assert world.calls <= 3
    long = world.player()
    long.choose(Position(5), Clock(TimeSystem("byo-yomi", period=30.0, periods=1)))
    assert 20.0 < world.time < 30.0


def test_a_clock_without_limit_leaves_the_players_own_settings() -> None:
    world = World()
    found = world.player().choose(Position(5), Clock()).tree
    assert found.root_visits == SearchPlayerConfig().default_visits


def test_little_time_still_gives_a_move() -> None:
    for left in (0.0, 0.01, -1.0):
        decision = World().player().choose(Position(5), Clock(ABSOLUTE, left))
        assert decision.move is not None and decision.tree.evaluations == 1


def test_time_that_nobody_needs_is_saved() -> None:
    """A forced recapture takes less than an open position: one move has nearly all the visits."""
    forced = Position.from_diagram(
        """
        . X X X .
        X O O O X
        X O . O X
        X O O O X
        . X X X .
        """,
        komi=0.5,
        to_play="B",
    )
    world = World(seconds=0.02)
    used = []
    for position in (forced, Position(5, komi=0.5)):
        before = world.time
        world.player().choose(position, Clock(ABSOLUTE))
        used.append(world.time - before)
    assert used[0] != used[1]


def test_players_can_get_ready_before_a_clock_runs() -> None:
    world = World()
    player = world.player()
    assert isinstance(player, Preparing) and not isinstance(random(), Preparing)
    player.prepare(5, 5)
    calls = world.calls
    assert calls >= 2
    assert player.choose(Position(5), Clock(ABSOLUTE)).tree.reused_visits == 0


def test_a_lag_out_of_range_is_refused() -> None:
    with pytest.raises(ConfigError, match="a lag is a finite number of seconds of at least 0, not nan"):
        zero(net=ConstantEvaluator(), lag=float("nan"))


def test_b55_pondering_keeps_its_memory() -> None:
    """Pondering for a whole game, far beyond the node limit each time: memory is flat after the first moves."""
    stop = StopRequest()

    class Counting:
        calls = 0

        def evaluate(self, boards: BoardArray) -> Evaluations:
            self.calls += 1
            if self.calls % 400 == 0:
                stop.stop()
            return ConstantEvaluator().evaluate(boards)

    player = SearchPlayer(NetworkSource(Counting()), None, SearchConfig(max_nodes=1500), np.random.default_rng(1))
    position = Position(5, komi=0.5)
    held: list[int] = []
    tracemalloc.start()
    try:
        for _ in range(8):
            stop.stopped = False
            result = player.ponder(position, stop)
            assert result.nodes <= 1500
            position.play(result.move)
            held.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert max(held[3:]) < 1.2 * held[2]
