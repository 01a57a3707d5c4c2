"""What the results of stored games teach: who won, and by how much, counted again by area at one komi.

Reads results as they were recorded; it looks at no board.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from move37.games.store import GameStore

Counting = Literal["territory", "area"]
"""How the scores of stored games were counted."""


def black_results(
    games: GameStore, komi: float, counting: Counting = "territory"
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Each game's value for Black at `komi` under area rules, and how far to trust it: float32[G] each.

    Values are -1, 0 or 1, weights 0 or 1. A counted game is counted again, by its lead on the board (`black_leads`).
    Resigned games keep their winner. Weight 0: no winner known, lost on time or by leaving, or counted with unknown
    komi.
    """
    area_lead = black_leads(games, counting)
    counted = ~np.isnan(area_lead)
    result = np.where(counted, np.sign(area_lead - komi), games.winner)
    resigned = np.char.endswith(games.result, "+R") | np.char.endswith(games.result, "+")
    trusted = counted | (resigned & (games.winner != 0))
    return np.nan_to_num(result).astype(np.float32), trusted.astype(np.float32)


def black_leads(games: GameStore, counting: Counting = "territory") -> NDArray[np.float32]:
    """Points Black was ahead on the board when the game was counted by area, komi aside; float32[G], NaN if unknown.

    Margin + the game's own komi is the lead on the board. Most records count territory; on a board with an odd number
    of points the area lead is odd (no seki), one more than an even territory lead, for then Black made the last move.
    With `counting` "area" the lead stays as it is.
    """
    lead = np.round(games.margin + games.komi)
    odd_board = (games.size % 2 == 1) & (counting == "territory")
    return np.where(odd_board & (lead % 2 == 0), lead + 1, lead).astype(np.float32)
