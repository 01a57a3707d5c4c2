"""GoGui's own commands: what its analyze menu offers, and how it sets up boards.

Pictures are answers of GoGui's kind `gfx` (lines such as `COLOR #ff0000 A1`, `LABEL A1 53`, `INFLUENCE A1 0.5`). Those
about a search show the last one if it was of the position on the board, else they search as for a move. Source: GoGui's
documentation, "Analyze commands" and "GTP extensions".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from move37.errors import GtpError, Move37Error
from move37.gtp.analyze_text import analysis_of
from move37.gtp.arguments import color_of, point_of
from move37.gtp.network_commands import sight
from move37.gtp.play_commands import NO_MOVE, choose
from move37.gtp.protocol import Handler, Stream, StreamHandler
from move37.gtp.table import Table
from move37.players.player import Seer
from move37.rules.color import Color
from move37.search.result import SearchResult

_LEAST_SHARE: Final = 0.005
_PLAIN: Final = (
    "string/Final Score/final_score",
    "hstring/Explain Score/move37-explain_score",
    "plist/Dead Stones/final_status_list dead",
    "plist/Seki/final_status_list seki",
    "plist/Black Territory/final_status_list black_territory",
    "plist/White Territory/final_status_list white_territory",
    "hstring/Rules/kata-get-rules",
)
_POLICY: Final = "gfx/Network: Policy/move37-policy"
_OWNERSHIP: Final = "gfx/Network: Ownership/move37-ownership"
_ANALYST: Final = (
    "gfx/Search: Visits/move37-visits",
    "gfx/Search: Win Rates/move37-winrates",
    "varc/Search: Principal Variation/move37-variation %c",
)


class GoGuiCommands:
    """What is offered depends on the player: a network to ask, a search to look at."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def handlers(self) -> dict[str, Handler]:
        """The commands by name."""
        handlers: dict[str, Handler] = {
            "gogui-analyze_commands": self._analyze_commands,
            "gogui-title": self._title,
            "gogui-interrupt": lambda words: "",
            "gogui-setup": self._setup,
            "gogui-setup_player": self._setup_player,
            "gogui-play_sequence": self._play_sequence,
        }
        if isinstance(self._table.player, Seer):
            handlers["move37-policy"] = self._policy
        if _foretells_ownership(self._table):
            handlers["move37-ownership"] = self._ownership
        return handlers

    def stream_handlers(self) -> dict[str, StreamHandler]:
        """Those that may search."""
        if self._table.analyst is None:
            return {}
        return {
            "move37-visits": self._visits,
            "move37-winrates": self._winrates,
            "move37-variation": self._variation,
        }

    def _analyze_commands(self, words: list[str]) -> str:
        player = self._table.player
        offered = [_POLICY] if isinstance(player, Seer) else []
        offered += [_OWNERSHIP] if _foretells_ownership(self._table) else []
        return "\n".join([*offered, *(_ANALYST if self._table.analyst is not None else ()), *_PLAIN])

    def _title(self, words: list[str]) -> str:
        return f"move37 {self._table.player.name}"

    # ---- boards

    def _setup(self, words: list[str]) -> str:
        """`gogui-setup COLOR VERTEX ...`: put these stones on the board as it is; the game begins anew from there."""
        position = self._table.position.copy()
        stones: dict[Color, list[int]] = {Color.BLACK: [], Color.WHITE: []}
        for color, point in self._pairs(words):
            if point == position.rows * position.cols:
                raise GtpError(NO_MOVE)
            stones[color].append(point)
        position.edit(stones[Color.BLACK], stones[Color.WHITE], position.to_play)
        self._table.begin(position)
        return ""

    def _setup_player(self, words: list[str]) -> str:
        position = self._table.position.copy()
        position.edit(to_play=color_of(words[0] if words else "", "invalid color"))
        self._table.begin(position)
        return ""

    def _play_sequence(self, words: list[str]) -> str:
        """`gogui-play_sequence COLOR VERTEX ...`: all of these moves, or none."""
        try:
            self._table.position.play_many(list(self._pairs(words)))
        except Move37Error:
            raise GtpError("illegal move") from None
        self._table.may_ponder = False
        return ""

    def _pairs(self, words: list[str]) -> list[tuple[Color, int]]:
        if len(words) % 2:
            raise GtpError(NO_MOVE)
        position = self._table.position
        pairs = zip(words[::2], words[1::2], strict=True)
        return [(color_of(color, NO_MOVE), point_of(position, vertex, NO_MOVE)) for color, vertex in pairs]

    # ---- pictures of the network

    def _policy(self, words: list[str]) -> str:
        """Where the network would play: the redder the likelier, with percents."""
        player = self._table.player
        if not isinstance(player, Seer):
            raise GtpError("this player has no network")
        seen = sight(player, self._table.position)
        text = f"{self._table.position.to_play.title}: pass {seen.policy[-1]:.1%}, win rate {seen.win:.1%}"
        return _heat(self._table, seen.policy.astype(np.float64), text)

    def _ownership(self, words: list[str]) -> str:
        """Whose each point will be, as the network foretells it: positive is Black's."""
        player, position = self._table.player, self._table.position
        owned = sight(player, position).ownership if isinstance(player, Seer) else None
        if owned is None:
            raise GtpError("this network does not foretell ownership")
        sign = 1.0 if position.to_play is Color.BLACK else -1.0
        values = (sign * owned).ravel().tolist()
        pairs = " ".join(f"{position.vertex(point)} {value:.3f}" for point, value in enumerate(values))
        return f"INFLUENCE {pairs}\nTEXT expected score {sum(values) - position.komi:+.1f} for Black"

    # ---- pictures of the search

    def _visits(self, words: list[str], stream: Stream) -> str:
        """How often the search looked at each move."""
        result = self._result(self._table.position.to_play, stream)
        shares = result.visits / max(1, int(result.visits.sum()))
        labels = _labels(self._table, result, [str(count) for count in result.visits.tolist()])
        return _heat(self._table, shares, _summary(result), labels)

    def _winrates(self, words: list[str], stream: Stream) -> str:
        """The win rate of each move that the search looked at, in percent for the player to move."""
        result = self._result(self._table.position.to_play, stream)
        rates = np.nan_to_num(analysis_of(result).winrates)
        labels = _labels(self._table, result, [f"{100 * rate:.0f}" for rate in rates.tolist()])
        return _heat(self._table, rates, _summary(result), labels)

    def _variation(self, words: list[str], stream: Stream) -> str:
        """The line that the search expects, for GoGui's kind `varc`."""
        color = color_of(words[0], "invalid color") if words else self._table.position.to_play
        result = self._result(color, stream)
        line = analysis_of(result).variations.get(result.move, (result.move,))
        return " ".join(self._table.position.vertex(move) for move in line)

    def _result(self, color: Color, stream: Stream) -> SearchResult:
        """The last search if it was of this position, else a new one as for a move."""
        known = self._table.thought_of(self._table.to_move(color))
        if known is None:
            choose(self._table, color, stream.input)
            known = self._table.thought_of(self._table.to_move(color))
        if known is None:
            raise GtpError("nothing was searched: a pass ends the game and wins")
        return known


def _foretells_ownership(table: Table) -> bool:
    """Whether a network of the player's is of the kind that does; an evaluator made elsewhere may be."""
    player = table.player
    return isinstance(player, Seer) and (not player.specs or any(spec.katago for spec in player.specs))


def _summary(result: SearchResult) -> str:
    return f"{result.root_visits} visits, win rate {analysis_of(result).winrate:.1%}"


def _labels(table: Table, result: SearchResult, texts: list[str]) -> list[str]:
    """`LABEL` lines for the moves that were visited."""
    points = [int(point) for point in np.flatnonzero(result.visits[:-1])]
    return [f"LABEL {table.position.vertex(point)} {texts[point]}" for point in points]


def _heat(table: Table, values: NDArray[np.float64], text: str, labels: Iterable[str] | None = None) -> str:
    """Values float64[A] in [0, 1] as colours from blue to red, the least left out; labels are percents by default."""
    shown = [int(point) for point in np.flatnonzero(values[:-1] >= _LEAST_SHARE)]
    vertex = table.position.vertex
    lines = [f"COLOR {_color_code(float(values[point]))} {vertex(point)}" for point in shown]
    if labels is None:
        labels = [f"LABEL {vertex(point)} {100 * values[point]:.0f}" for point in shown]
    return "\n".join([*lines, *labels, f"TEXT {text}"])


def _color_code(value: float) -> str:
    """Blue for 0, green in the middle, red for 1; small values differ more."""
    warmth = min(max(value, 0.0), 1.0) ** 0.5
    red, green, blue = max(0.0, 2 * warmth - 1), 1 - abs(2 * warmth - 1), max(0.0, 1 - 2 * warmth)
    return f"#{round(255 * red):02x}{round(255 * green):02x}{round(255 * blue):02x}"
