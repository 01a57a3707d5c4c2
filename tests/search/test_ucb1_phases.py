"""The phases of the classic search, simulation by simulation: they are those that the search itself goes through."""

from __future__ import annotations

import numpy as np
import pytest

from move37.evaluators.rollout import RolloutEvaluator
from move37.rules.color import Color
from move37.rules.position import Position
from move37.search.rollouts import Rollouts
from move37.search.ucb1 import UctConfig
from move37.search.ucb1_phases import simulations
from move37.search.ucb1_search import UctSearch


def search(**options: object) -> UctSearch:
    evaluator = RolloutEvaluator(Rollouts(1, seed=2), keep_moves=True)
    return UctSearch(evaluator, UctConfig(**options), np.random.default_rng(1))  # type: ignore[arg-type]  # by name


def test_watching_changes_nothing() -> None:
    watched = search(batch=1)
    count = sum(1 for _ in simulations(watched, Position(5), 200))
    np.testing.assert_array_equal(watched.snapshot().visits, search(batch=1).run(Position(5), 200).visits)
    assert count == 200


def test_the_phases_follow_each_other() -> None:
    position = Position(5)
    seen = list(simulations(search(batch=1), position, 150))
    assert seen[0].selection == () and seen[0].backup[0][0] == 1
    lines = [simulation.line for simulation in seen]
    assert len(set(lines)) == len(lines)  # each expands a node of its own
    assert all(line[:-1] in lines[:i] for i, line in enumerate(lines) if line)  # below one that was there
    for number, simulation in enumerate(seen, 1):
        assert len(simulation.backup) == len(simulation.line) + 1
        assert simulation.backup[0] == (1, 0.5 + 0.5 * simulation.result)
        assert simulation.backup[-1][0] == number
        replayed = position.copy()
        for move in [*simulation.line, *simulation.rollout]:
            replayed.play(move, force=True)  # a rollout does not look at superko
        margin = replayed.score().margin_for(_to_play(position, simulation.line))
        assert np.sign(margin) == simulation.result


def _to_play(position: Position, line: tuple[int, ...]) -> Color:
    leaf = position.copy()
    for move in line:
        leaf.play(move)
    return leaf.to_play


def test_selection_takes_the_greatest_bound_once_every_move_was_tried() -> None:
    chosen = 0
    for simulation in simulations(search(batch=1), Position(rows=2, cols=3), 120):
        for choice in simulation.selection[:-1]:
            assert choice.bounds[choice.move] == pytest.approx(max(choice.bounds.values()))
            assert choice.bounds.keys() == choice.visits.keys() == choice.win_rates.keys()
            chosen += 1
        if simulation.selection:
            assert simulation.selection[-1].move not in simulation.selection[-1].bounds
    assert chosen > 50


def test_batches_and_rave_are_refused() -> None:
    for options in ({"batch": 2}, {"batch": 1, "rave": True}):
        with pytest.raises(ValueError, match="one simulation at a time"):
            next(simulations(search(**options), Position(5), 10))
