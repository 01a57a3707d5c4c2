"""When a player of self-play may give up: the value below which that was hardly ever wrong.

Some games are played to the end whatever the values are; in them one sees who would have resigned at a threshold, and
whether he would have won. Source: Silver et al., Nature 550 (2017), Methods, "Self-play": resignation is switched off
in 10 % of the games, and the threshold is such that fewer than 5 % of those that would have been resigned could have
been won.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from move37.games.self_play import OPENING, SelfPlayGames

__all__ = ["Resignations", "resign_threshold", "resignations"]

FALSE_SHARE = 0.05
"""Of resigned games, those that could have been won."""
THRESHOLDS = np.arange(-0.99, -0.499, 0.01)
"""Values that may be the threshold."""
LEAST_GAMES = 20
"""Fewer games played out say nothing."""


@dataclass(frozen=True)
class Resignations:
    """What `games` games that were played out say of each of THRESHOLDS (T).

    resigned int64[T]: how many would have been resigned; wrong int64[T]: by a player who did not lose.
    """

    games: int
    resigned: NDArray[np.int64]
    wrong: NDArray[np.int64]


def resignations(games: SelfPlayGames) -> Resignations:
    """Look at the games among `games` that were played out. A draw given up is as wrong as a game."""
    chosen = np.flatnonzero((games.played_out == 1) & (games.games.moves.lengths > 0))
    counts = np.zeros((2, len(THRESHOLDS)), np.int64)
    values = np.maximum(games.root_value, games.best_value)
    values[(games.flags.values & OPENING) > 0] = 1.0  # nobody thinks there
    offsets = games.games.moves.offsets
    for game in chosen.tolist():
        lowest = np.minimum.accumulate(values[offsets[game] : offsets[game + 1]])
        first = np.searchsorted(-lowest, -THRESHOLDS, side="right")  # the first value below each threshold
        resigns = first < len(lowest)
        mover = np.where(first % 2 == 0, 1, -1)
        counts[0] += resigns
        counts[1] += resigns & (mover * games.games.winner[game] >= 0)
    return Resignations(len(chosen), counts[0], counts[1])


def resign_threshold(
    games: SelfPlayGames, present: float | None, false_share: float = FALSE_SHARE, least_games: int = LEAST_GAMES
) -> float | None:
    """The greatest threshold at which, as at every smaller one, less than `false_share` of resignations were wrong.

    `present` stays where fewer than `least_games` games were played out; None, nobody resigns, where no threshold is
    right so often.
    """
    found = resignations(games)
    if found.games < least_games:
        return present
    right = (found.wrong < false_share * found.resigned) | (found.resigned == 0)
    allowed = len(right) if right.all() else int(np.argmin(right))
    return None if allowed == 0 else round(float(THRESHOLDS[allowed - 1]), 2)
