"""The slow twin of `arena.rating`: chances game by game, one parameter at a time, curvature by differences.

A list of games (black, white, result) with result 0 for Black's win, 1 for a draw, 2 for White's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import exp, log

import numpy as np
from numpy.typing import NDArray

Game = tuple[int, int, int]
ELO = 400 / log(10)


def chances(strengths: Sequence[float], advantage: float, drawing: float, black: int, white: int) -> list[float]:
    """Of Black's win, a draw, White's win: Davidson's formula, with strengths as positive numbers."""
    stronger, weaker = exp(strengths[black] + advantage), exp(strengths[white])
    draw = exp(drawing) * (stronger * weaker) ** 0.5
    total = stronger + weaker + draw
    return [stronger / total, draw / total, weaker / total]


def plausibility(parameters: Sequence[float], games: Counter[Game], prior: float) -> float:
    """The logarithm of likelihood times prior; `parameters` are the strengths, the advantage, the readiness to draw."""
    *strengths, advantage, drawing = parameters
    found = 0.0
    for (black, white, result), times in games.items():
        found += times * log(chances(strengths, advantage, drawing, black, white)[result])
    draw_of_equals = exp(drawing) / (exp(drawing) + 2)
    even = [*(1 / (1 + exp(-x)) for x in (*strengths, advantage)), draw_of_equals]
    return found + sum(prior * log(chance) + prior * log(1 - chance) for chance in even)


def slow_rate(players: int, games: Iterable[Game], prior: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Parameters and covariance as `rate` gives them: float64[N + 2] and float64[N + 2, N + 2]."""
    counted = Counter(games)
    found = [0.0] * (players + 2)
    width = 4.0
    while width > 1e-7:
        moved = False
        for number in range(players + 2):
            moved |= _improve(found, number, width, counted, prior)
        if not moved:
            width /= 2
    covariance = np.linalg.inv(-_curvature(found, counted, prior))
    units = np.array([ELO] * (players + 1) + [1.0])
    found[-1] -= log(2)
    return np.array(found) * units, np.asarray(covariance, np.float64) * np.outer(units, units)


def _improve(found: list[float], number: int, width: float, games: Counter[Game], prior: float) -> bool:
    """Move one parameter by `width` up or down while that is more plausible; True if it moved."""
    start = found[number]
    for way in (width, -width):
        best = plausibility(found, games, prior)
        while True:
            found[number] += way
            now = plausibility(found, games, prior)
            if now <= best:
                found[number] -= way
                break
            best = now
    return found[number] != start


def _curvature(found: Sequence[float], games: Counter[Game], prior: float) -> NDArray[np.float64]:
    """Second derivatives by differences."""
    count, near = len(found), 1e-3
    unit = np.eye(count) * near

    def at(*moves: NDArray[np.float64]) -> float:
        return plausibility([float(x) for x in np.asarray(found) + sum(moves)], games, prior)

    table = np.zeros((count, count))
    for i in range(count):
        for j in range(count):
            corners = at(unit[i], unit[j]) - at(unit[i], -unit[j]) - at(-unit[i], unit[j]) + at(-unit[i], -unit[j])
            table[i, j] = corners / (4 * near**2)
    return table
