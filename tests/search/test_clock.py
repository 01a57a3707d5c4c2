"""Time: systems and their texts, a referee's clock, budgets, and searches that keep within them by a virtual clock."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from move37.benchmark.clock_games import SYSTEMS, clock_group, play_matches
from move37.errors import ConfigError
from move37.search.clock import Clock, TimeSystem
from move37.search.clock_stopper import ClockStopper, Pace
from move37.search.limits import UNLIMITED, Progress
from move37.search.match_clock import MatchClock
from move37.search.time_plan import Budget, budget, complexity
from move37.search.time_words import duration, duration_words, time_system, time_words

ABSOLUTE = TimeSystem("absolute", main=600.0)
BYO_YOMI = TimeSystem("byo-yomi", main=60.0, period=30.0, periods=3)
CANADIAN = TimeSystem("canadian", main=60.0, period=120.0, stones=5)
FISCHER = TimeSystem("fischer", main=60.0, increment=5.0, cap=70.0)

# ---- systems and their texts


@pytest.mark.parametrize(
    ("text", "system"),
    [
        ("none", TimeSystem()),
        ("10m", ABSOLUTE),
        ("600", ABSOLUTE),
        ("0.5h", TimeSystem("absolute", main=1800.0)),
        ("60+1", TimeSystem("fischer", main=60.0, increment=1.0)),
        ("1m+5s max 70", FISCHER),
        ("1M + 3X30S", BYO_YOMI),
        ("0+5x500ms", TimeSystem("byo-yomi", period=0.5, periods=5)),
        ("1m+5/2m", CANADIAN),
        ("0s+25/5m", TimeSystem("canadian", period=300.0, stones=25)),
    ],
)
def test_a_text_names_a_time_system(text: str, system: TimeSystem) -> None:
    assert time_system(text) == system
    assert time_system(time_words(system)) == system


@pytest.mark.parametrize(
    "text",
    ["", "0", "-5m", "5m+", "5m+0x30s", "5m+3x", "0+5s", "5m+3s max", "5 minutes", "nan", "1e999", "٥m", "5m+x3s"],
)
def test_what_is_no_time_system_is_told_in_one_sentence(text: str) -> None:
    with pytest.raises(ConfigError, match=r"is no time system: write 10m \(absolute\), 5m\+3s"):
        time_system(text)


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "absolute"},
        {"kind": "absolute", "main": -1.0},
        {"kind": "absolute", "main": nan},
        {"kind": "fischer", "main": 10.0, "increment": inf},
        {"kind": "fischer", "main": 10.0, "increment": 1.0, "cap": 0.0},
        {"kind": "byo-yomi", "main": 10.0, "period": 10.0},
        {"kind": "canadian", "main": 10.0, "stones": 5},
        {"kind": "hourglass", "main": 10.0},
    ],
)
def test_a_system_without_time_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match="time needs positive times and counts"):
        TimeSystem(**wrong)  # type: ignore[arg-type]  # wrong values are the point


def test_a_refused_system_is_told_in_words() -> None:
    with pytest.raises(ConfigError, match=r"fischer time needs positive times and counts, not none at all\."):
        TimeSystem("fischer")
    with pytest.raises(ConfigError, match=r"not main -5, increment 2\."):
        TimeSystem("fischer", main=-5.0, increment=2.0)


def test_durations_read_back() -> None:
    for seconds in (0.001, 0.25, 1.0, 59.5, 60.0, 90.0, 600.0, 3600.0, 5400.0):
        assert duration(duration_words(seconds)) == pytest.approx(seconds)
    assert [duration(text) for text in ("0", "5x", "", "1.5.2", "s")] == [None] * 5


# ---- what a controller tells


def test_a_clock_that_was_not_told_is_full() -> None:
    assert Clock(ABSOLUTE).filled() == Clock(ABSOLUTE, 600.0, 0)
    assert Clock(TimeSystem("byo-yomi", period=30.0, periods=3)).filled().stones_left == 3
    assert Clock(CANADIAN, 0.0, 0).filled() == Clock(CANADIAN, 120.0, 5)
    assert Clock(CANADIAN, 10.0, 2).filled() == Clock(CANADIAN, 10.0, 2)
    assert Clock(ABSOLUTE, -3.0).filled() == Clock(ABSOLUTE, 0.0, 0)


# ---- the referee


def spent(system: TimeSystem, *moves: float) -> tuple[list[bool], Clock]:
    clock = MatchClock(system)
    return [clock.spend(seconds) for seconds in moves], clock.clock()


def test_absolute_time_runs_down() -> None:
    assert spent(ABSOLUTE, 200, 300, 100) == ([True] * 3, Clock(ABSOLUTE, 0.0, 0))
    assert spent(ABSOLUTE, 600.1)[0] == [False]


def test_an_increment_comes_after_the_move_and_up_to_the_cap() -> None:
    assert spent(FISCHER, 10) == ([True], Clock(FISCHER, 55.0, 0))
    assert spent(FISCHER, 1, 1, 1) == ([True] * 3, Clock(FISCHER, 70.0, 0))
    assert spent(FISCHER, 61)[0] == [False]
    above = TimeSystem("fischer", main=90.0, increment=5.0, cap=70.0)
    assert spent(above, 2)[1] == Clock(above, 88.0, 0)


def test_a_period_of_byo_yomi_begins_anew_until_a_move_takes_longer() -> None:
    assert spent(BYO_YOMI, 59) == ([True], Clock(BYO_YOMI, 1.0, 0))
    assert spent(BYO_YOMI, 60) == ([True], Clock(BYO_YOMI, 30.0, 3))
    assert spent(BYO_YOMI, 90, 30, 1) == ([True] * 3, Clock(BYO_YOMI, 30.0, 3))
    assert spent(BYO_YOMI, 91) == ([True], Clock(BYO_YOMI, 30.0, 2))
    assert spent(BYO_YOMI, 60, 90) == ([True] * 2, Clock(BYO_YOMI, 30.0, 1))
    assert spent(BYO_YOMI, 60, 90.5)[0] == [True, False]
    assert spent(BYO_YOMI, 150.5)[0] == [False]


def test_a_canadian_period_has_its_stones() -> None:
    assert spent(CANADIAN, 70) == ([True], Clock(CANADIAN, 110.0, 4))
    assert spent(CANADIAN, 60, 0, 20) == ([True] * 3, Clock(CANADIAN, 100.0, 3))
    assert spent(CANADIAN, 60, 20, 20, 20, 20, 40) == ([True] * 6, Clock(CANADIAN, 120.0, 5))
    assert spent(CANADIAN, 60, 100, 21)[0] == [True, True, False]


def test_without_a_limit_nobody_loses() -> None:
    assert spent(TimeSystem(), 1e9) == ([True], Clock())


# ---- budgets

SYSTEM_STRATEGY = st.sampled_from([ABSOLUTE, BYO_YOMI, CANADIAN, FISCHER, *map(time_system, SYSTEMS.values())])


@given(SYSTEM_STRATEGY, st.floats(-5, 1000), st.integers(0, 30), st.integers(0, 500), st.floats(0, 5), st.floats(0, 9))
def test_a_budget_is_within_what_there_is(
    system: TimeSystem, left: float, stones: int, moves: int, lag: float, least: float
) -> None:
    clock = Clock(system, left, min(stones, system.overtime_count))
    plan = budget(clock, 361, moves, lag, least)
    full = clock.filled()
    assert plan is not None and full.time_left is not None
    assert 0 <= plan.soft <= plan.hard
    there_is = full.time_left + (system.period * max(1, system.periods) if system.overtime_count else 0.0)
    assert plan.hard <= there_is
    if system.kind == "absolute":
        assert plan.hard <= 0.3 * full.time_left
    if system.kind in ("absolute", "fischer") and full.time_left > 2 * lag:
        assert plan.hard <= full.time_left - lag


def test_no_clock_no_budget() -> None:
    assert budget(Clock(), 81, 0) is None


def soft(clock: Clock, moves: int = 60, points: int = 361) -> float:
    plan = budget(clock, points, moves)
    assert plan is not None
    return plan.soft


def test_the_middle_game_gets_most_and_a_longer_game_less_a_move() -> None:
    assert soft(Clock(ABSOLUTE), 0) < soft(Clock(ABSOLUTE), 60) > soft(Clock(ABSOLUTE, 60.0), 280)
    assert soft(Clock(ABSOLUTE), 20, 81) > soft(Clock(ABSOLUTE), 20, 361)


def test_overtime_is_used_fully_but_for_the_lag() -> None:
    last = budget(Clock(BYO_YOMI, 30.0, 1), 361, 100, lag=1.0)
    assert last == Budget(28.0, 28.0, use_all=True)
    spare = budget(Clock(TimeSystem("byo-yomi", period=30.0, periods=9), 30.0, 9), 361, 100, lag=1.0)
    assert spare == Budget(29.0, 59.0, use_all=True)
    stones = budget(Clock(CANADIAN, 101.0, 5), 361, 100, lag=1.0)
    assert stones is not None and stones.soft == pytest.approx(20.0) and not stones.use_all
    assert budget(Clock(CANADIAN, 22.0, 1), 361, 100, lag=1.0) == Budget(20.0, 20.0, use_all=True)


def test_the_rest_of_main_time_goes_with_the_first_period() -> None:
    plan = budget(Clock(BYO_YOMI, 5.0, 0), 361, 100, lag=1.0)
    assert plan == Budget(34.0, 34.0, use_all=True)


def test_an_increment_is_spent_and_nothing_falls_off_the_cap() -> None:
    assert soft(Clock(TimeSystem("fischer", main=60.0, increment=10.0), 60.0)) > 10.0
    full = budget(Clock(FISCHER, 70.0), 361, 250)
    assert full is not None and full.soft >= 5.0
    little = budget(Clock(TimeSystem("fischer", main=60.0, increment=10.0), 8.0), 361, 100)
    assert little is not None and little.hard <= 0.7 * 8.0


def test_where_late_is_lost_one_more_step_is_kept() -> None:
    assert budget(Clock(BYO_YOMI, 30.0, 1), 361, 100, step=3.0) == Budget(25.0, 25.0, use_all=True)
    assert budget(Clock(BYO_YOMI, 30.0, 2), 361, 100, step=3.0) == Budget(29.0, 29.0, use_all=True)
    assert budget(Clock(CANADIAN, 22.0, 1), 361, 100, step=30.0) == Budget(0.0, 0.0, use_all=True)


def test_a_slow_search_fills_its_bank_first() -> None:
    clock = Clock(TimeSystem("fischer", main=60.0, increment=2.0), 20.0)
    assert soft(clock) > 2.0
    assert budget(clock, 361, 60, step=4.0) == Budget(1.4, 1.4)


def test_a_later_stone_keeps_what_a_move_costs() -> None:
    plan = budget(Clock(CANADIAN, 20.0, 2), 361, 100, lag=1.0, least=15.0)
    assert plan is not None and plan.hard == pytest.approx(3.0)
    assert soft(Clock(ABSOLUTE, 300.0), 100) > budget_soft_with_least(1.0) > budget_soft_with_least(3.0) == 0


def budget_soft_with_least(least: float) -> float:
    plan = budget(Clock(ABSOLUTE, 300.0), 361, 100, least=least)
    assert plan is not None
    return plan.soft


# ---- complexity


@dataclass
class Seen:
    visits: NDArray[np.int32]
    q: NDArray[np.float32]
    value: float = 0.0


def seen(visits: list[int], q: list[float], value: float = 0.0) -> Seen:
    return Seen(np.array(visits, np.int32), np.array(q, np.float32), value)


def test_open_choices_take_longer_than_clear_ones() -> None:
    clear, near = seen([100, 5, 0], [0.2, 0.1, nan]), seen([100, 90, 0], [0.2, 0.1, nan])
    differ = seen([100, 90, 0], [0.1, 0.2, nan])
    rare = seen([100, 90, 1], [0.2, 0.1, 0.9])
    decided = seen([100, 90, 0], [0.2, 0.1, nan], value=0.95)
    assert complexity(clear) < complexity(decided) < complexity(near) == complexity(rare) < complexity(differ)
    assert complexity(seen([0, 0, 0], [nan] * 3)) == 1.0


# ---- the stopper


class Bench:
    """A search by a virtual clock: each batch takes `batch` seconds and gives `visits` to the moves in turn."""

    def __init__(self, batch: float = 0.1) -> None:
        self.time, self.batch, self.shown = 0.0, batch, seen([0, 0], [0.1, 0.0])

    def run(self, plan: Budget, pace: Pace | None = None, share: float = 0.5, early: bool = True) -> float:
        began = self.time
        stopper = ClockStopper(plan, pace or Pace(), began, now=lambda: self.time, look=lambda: self.shown, early=early)
        self.time += self.batch
        visits, first = 1, 0.0
        while True:
            second = visits - 1 - first
            self.shown = seen([int(first), int(second)], [0.1, 0.0])
            lead = int(abs(first - second))
            left = stopper.visits_left(Progress(visits, visits - 1, visits, self.time - began, lead))
            if left == 0:
                return self.time - began
            self.time += self.batch
            visits += min(left, 8)
            first += share * min(left, 8)


def test_a_search_never_passes_its_deadline() -> None:
    for batch in (0.01, 0.1, 0.7, 1.0):
        bench, pace = Bench(batch=batch), Pace()
        bench.run(Budget(10, 10, use_all=True), pace)
        for plan in (Budget(1.5, 2.0), Budget(5, 5, use_all=True), Budget(3, 30)):
            assert bench.run(plan, pace) <= max(plan.hard, batch)


def test_a_period_is_used_up_to_the_last_batch() -> None:
    assert 9.5 <= Bench(batch=0.1).run(Budget(10, 10, use_all=True)) <= 10
    assert 9.5 <= Bench(batch=0.1).run(Budget(10, 10, use_all=True), share=1.0) <= 10


def test_open_choices_get_more_than_the_plan_and_clear_ones_less() -> None:
    assert 6.0 < Bench().run(Budget(5, 20), share=0.5) < 13.0
    assert Bench().run(Budget(5, 20), share=0.85) < 5.0
    assert Bench().run(Budget(5, 20), share=1.0) <= 2.7


def test_it_stops_early_only_where_the_second_move_cannot_catch_up() -> None:
    pace = Pace()
    Bench().run(Budget(5, 5, use_all=True), pace)
    stopper = ClockStopper(Budget(4, 4), pace, 0.0, now=lambda: 1.0)
    rate = pace.batches.visits_per_second
    assert stopper.visits_left(Progress(900, 0, 900, 1.0, int(3.2 * rate))) == 0
    assert stopper.visits_left(Progress(900, 0, 900, 1.0, int(2.8 * rate))) > 0
    patient = ClockStopper(Budget(4, 4), pace, 0.0, now=lambda: 1.0, early=False)
    assert patient.visits_left(Progress(900, 0, 900, 1.0, 899)) > 0


def test_before_the_first_batch_nothing_is_known() -> None:
    assert ClockStopper(Budget(4, 4), Pace(), 0.0, now=lambda: 0.0).visits_left(Progress(1, 0, 1, 0.0, 0)) == UNLIMITED


def test_a_period_to_spare_is_spent_on_an_open_choice_and_only_there() -> None:
    plan = Budget(10, 40, use_all=True)
    assert Bench().run(plan, share=0.5) > 39
    assert Bench().run(plan, share=1.0) <= 10


def test_one_freak_batch_is_no_habit_and_two_are() -> None:
    pace = Pace()
    for seconds in (60.0, 0.1, 0.1, 0.1):
        pace.batches.add(seconds, 8)
    assert pace.batches.slowest < 1.0
    pace.batches.add(50.0, 8)
    assert pace.batches.slowest > 50.0


# ---- matches


@pytest.mark.parametrize("name", SYSTEMS)
def test_no_match_is_lost_on_time_and_the_time_is_used(name: str) -> None:
    found = play_matches(SYSTEMS[name], games=3, seed=1)
    assert (found.clocks, found.lost) == (6, 0)
    assert found.used / found.main > 0.55
    assert found.periods == 0 or found.overtime / found.periods > 0.5


def test_the_simulated_referee_does_find_losses() -> None:
    assert play_matches("20s", games=6, seed=1).lost > 0


def test_the_benchmark_tells_losses_and_use() -> None:
    figures = {one.name: one for one in clock_group(games=1)}
    assert figures["clock-lost-absolute"].value == 0 and figures["clock-lost-absolute"].unit == "games lost on time"
    assert 10 < figures["clock-used-absolute"].value <= 100
    assert "clock-overtime-canadian" in figures and "clock-overtime-fischer" not in figures
