"""Elo by maximum likelihood: Bradley and Terry's model with draws and an advantage of colour, and 95 % intervals.

Black b against white w, with strengths r, Black's advantage h and the readiness to draw δ (natural logarithms):

    d = r[b] − r[w] + h        P(Black) : P(draw) : P(White)  =  exp(d/2) : exp(δ) : exp(−d/2)

R. Bradley, M. Terry, Rank Analysis of Incomplete Block Designs (1952); the draw is R. Davidson's (On Extending the
Bradley–Terry Model to Accommodate Ties, 1970), the colour R. Davidson's and R. Beaver's (On Extending the Bradley–Terry
Model to Incorporate Within-Pair Order Effects, 1977). The logarithm of the likelihood is concave, and so is that of the
prior, so Newton's method finds the one maximum; the inverse of the information there is the covariance.

The prior keeps perfect scores finite: every strength, h, and the draws have been seen as `PRIOR` wins and as many
losses of an even chance (a strength: against somebody at the middle of the scale; h: of Black between equals; δ: a
draw between equals). It is bounded: however far a player is from the middle, it pulls by a quarter of a game at most.
One Elo is ln 10 / 400 of these units: if h is 0, wins and losses of two players are as 10^(difference / 400) to 1.

Not here: how strength changes over time, and games of more than two players.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log, sqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from move37.arena.match import NORMAL_95

__all__ = ["PRIOR", "Estimate", "Ratings", "rate"]

Floats: TypeAlias = NDArray[np.float64]
PRIOR = 0.25
ELO = 400 / log(10)
"""Elo of one unit of natural logarithms."""
_STEPS = 200
_NEAR = 1e-10


@dataclass(frozen=True)
class Estimate:
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Ratings:
    """Strengths in Elo, with what is needed to say how sure they are.

    parameters: float64[N + 2], the players' Elo, then Black's advantage in Elo, then the logarithm of the odds of a
    draw between equals. covariance: float64[N + 2, N + 2] of these. The zero of the scale is the prior's; say what it
    shall be by `elo`'s anchor.
    """

    parameters: Floats
    covariance: Floats

    @property
    def players(self) -> int:
        """How many."""
        return len(self.parameters) - 2

    def elo(self, player: int, anchor: int | None = None) -> Estimate:
        """A player's Elo above the player `anchor`, or above the mean of all, whose own is exactly 0 then."""
        weights = np.zeros(self.players + 2)
        weights[: self.players] = -1 / self.players if anchor is None else 0
        weights[player] += 1
        if anchor is not None:
            weights[anchor] -= 1
        return self._estimate(weights)

    @property
    def advantage(self) -> Estimate:
        """Black's advantage under the komi played, in Elo."""
        return self._estimate(np.eye(self.players + 2)[-2])

    @property
    def draws(self) -> Estimate:
        """The share of draws between equals, in [0, 1]."""
        odds = self._estimate(np.eye(self.players + 2)[-1])
        return Estimate(_chance(odds.value), _chance(odds.low), _chance(odds.high))

    def _estimate(self, weights: Floats) -> Estimate:
        """A sum of parameters, float64[N + 2] weights."""
        value = float(weights @ self.parameters)
        reach = NORMAL_95 * sqrt(max(0.0, float(weights @ self.covariance @ weights)))
        return Estimate(value, value - reach, value + reach)


def rate(black_wins: ArrayLike, draws: ArrayLike, white_wins: ArrayLike) -> Ratings:
    """The ratings of N players from their games, each array [N, N] of games by [black, white].

    Players whose games do not join them are compared by the prior alone, with intervals as wide as that. ValueError
    for arrays that are not square, not equal in shape, or not finite and at least 0.
    """
    games = np.stack([np.asarray(part, np.float64) for part in (black_wins, draws, white_wins)])
    if games.ndim != 3 or games.shape[1] != games.shape[2] or not (np.isfinite(games) & (games >= 0)).all():
        raise ValueError(f"games are three arrays [N, N] of numbers of at least 0, not of shape {games.shape[1:]}")
    games = games * (1 - np.eye(games.shape[1]))
    found = np.zeros(games.shape[1] + 2)
    for _ in range(_STEPS):
        gradient, information = _slopes(found, games)
        step = np.asarray(np.linalg.solve(information, gradient), np.float64)
        found = found + _shortened(step, found, games)
        if np.abs(step).max() < _NEAR:
            break
    units = np.full(len(found), ELO)
    units[-1] = 1
    covariance = np.asarray(np.linalg.inv(_slopes(found, games)[1]), np.float64) * np.outer(units, units)
    return Ratings((found - _middle(len(found))) * units, covariance)


def _chance(odds: float) -> float:
    """The chance that the logarithm of odds stands for."""
    return 1 / (1 + exp(-odds))


def _shortened(step: Floats, found: Floats, games: Floats) -> Floats:
    """Newton's step, halved until it does not lead down."""
    before = _height(found, games)
    while _height(found + step, games) < before - _NEAR and np.abs(step).max() > _NEAR:
        step = step / 2
    return step


def _middle(parameters: int) -> Floats:
    """Where the prior's chances are even: a draw between equals has the chance exp(δ) / (exp(δ) + 2)."""
    middle = np.zeros(parameters)
    middle[-1] = log(2)
    return middle


def _utilities(found: Floats) -> Floats:
    """Logarithms of the odds of Black's win, a draw and White's win, float64[3, N, N]."""
    strengths, advantage, drawing = found[:-2], found[-2], found[-1]
    half = (strengths[:, None] - strengths[None, :] + advantage) / 2
    return np.stack([half, np.full_like(half, drawing), -half])


def _height(found: Floats, games: Floats) -> float:
    """The logarithm of likelihood times prior, but for a constant."""
    utilities = _utilities(found)
    seen = games * (utilities - np.logaddexp.reduce(utilities, axis=0))
    beside = found - _middle(len(found))
    return float(seen.sum() - PRIOR * (np.logaddexp(0, beside) + np.logaddexp(0, -beside)).sum())


def _slopes(found: Floats, games: Floats) -> tuple[Floats, Floats]:
    """The gradient of `_height`, float64[N + 2], and its negated second derivatives (the information)."""
    utilities, played = _utilities(found), games.sum(axis=0)
    black, draw, white = np.exp(utilities - np.logaddexp.reduce(utilities, axis=0))
    lean = (black - white) / 2
    by_difference = (games[0] - games[2]) / 2 - played * lean
    by_drawing = games[1] - played * draw
    gradient = np.array([*_of_players(by_difference), by_difference.sum(), by_drawing.sum()])

    twice, mixed = played * ((black + white) / 4 - lean**2), -played * lean * draw
    advantage, drawing = _of_players(twice)[:, None], _of_players(mixed)[:, None]
    information = np.block(
        [
            [np.diag((twice + twice.T).sum(axis=1)) - twice - twice.T, advantage, drawing],
            [advantage.T, twice.sum(), mixed.sum()],
            [drawing.T, mixed.sum(), (played * draw * (1 - draw)).sum()],
        ]
    )
    even = 1 / (1 + np.exp(_middle(len(found)) - found))
    return gradient + PRIOR * (1 - 2 * even), information + np.diag(2 * PRIOR * even * (1 - even))


def _of_players(cells: Floats) -> Floats:
    """What [black, white] cells, which count d, say of each player: as Black, less as White."""
    return np.asarray(cells.sum(axis=1) - cells.sum(axis=0))
