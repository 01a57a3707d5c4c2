"""The commands about the end of a game: its score, what is dead, whose territory is what.

Where the rules let players pass with dead stones on the board (territory scoring, `friendly_pass_ok`), dead are the
stones that `evaluators.dead_stones` proposes, by the player's network where it foretells ownership; under others,
Tromp–Taylor's for one, and in the encore phases, where play settles it, every stone on the board lives. One judgement
serves all commands, so score and status never disagree; `move37-explain_score` says which stones it took off and how
it counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import numpy as np

from move37.errors import GtpError
from move37.gtp.protocol import Handler
from move37.gtp.table import Table
from move37.rules.color import EMPTY, Color
from move37.rules.position import Position
from move37.rules.territory import Count


class ResultCommands:
    """Nothing here changes the game."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def handlers(self) -> dict[str, Handler]:
        """The commands by name."""
        return {
            "final_score": self._final_score,
            "final_status_list": self._final_status_list,
            "move37-explain_score": self._explain_score,
        }

    def _final_score(self, words: list[str]) -> str:
        position = self._table.position
        return "Void" if position.is_no_result else position.score(self._table.dead()).text

    def _explain_score(self, words: list[str]) -> str:
        position = self._table.position
        if position.is_no_result:
            return f"no result under {position.rules.name} rules: a long cycle"
        return position.score(self._table.dead()).explanation

    def _final_status_list(self, words: list[str]) -> str:
        if not words:
            raise GtpError("missing status")
        lister = _LISTERS.get(words[0])
        if lister is None:
            raise GtpError("invalid status")
        position = self._table.position
        return lister(position, position.count(self._table.dead()))


def _chains(position: Position, points: Iterable[int]) -> str:
    """The chains on these points, one a line."""
    wanted = set(points)
    return "\n".join(" ".join(chain.stones) for chain in position.chains() if chain.points[0] in wanted)


def _alive(position: Position, count: Count) -> str:
    stones = set(np.flatnonzero(position.stones).tolist())
    return _chains(position, stones.difference(count.dead, count.seki))


def _territory(color: Color) -> Callable[[Position, Count], str]:
    """A lister of the empty points of one side, all in one line."""

    def listed(position: Position, count: Count) -> str:
        points = np.flatnonzero((count.owner.ravel() == color) & (position.stones.ravel() == EMPTY))
        return _vertices(position, points.tolist())

    return listed


def _vertices(position: Position, points: Iterable[int]) -> str:
    return " ".join(position.vertex(point) for point in points)


_LISTERS: Final[dict[str, Callable[[Position, Count], str]]] = {
    "alive": _alive,
    "dead": lambda position, count: _chains(position, count.dead),
    "seki": lambda position, count: _chains(position, count.seki),
    "black_territory": _territory(Color.BLACK),
    "white_territory": _territory(Color.WHITE),
    "dame": lambda position, count: _vertices(position, sorted(set(count.dame).difference(count.dead))),
}
