"""The commands about the program itself: its names, its time and memory, its speed; and the end of pondering.

Sources: GNU Go's `cputime`, gomill's GTP extensions, KataGo's and Leela Zero's.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import isnan

from move37.errors import GtpError
from move37.gtp.analyze_text import analysis_of
from move37.gtp.arguments import whole_numbers
from move37.gtp.protocol import Handler, Stream, StreamHandler
from move37.gtp.stops import UntilInput
from move37.gtp.table import Table, Thought
from move37.players.search_player import Forgetful, SearchPlayer

_MOST_VISITS = 10**9
_DEFAULT_VISITS = 400


@dataclass(frozen=True)
class Identity:
    """What the engine answers to `name` and `version`."""

    name: str = "move37"
    version: str = "0"


class EngineCommands:
    """Nothing here changes the game."""

    def __init__(self, table: Table, identity: Identity) -> None:
        self._table = table
        self._identity = identity

    def handlers(self) -> dict[str, Handler]:
        """The commands by name."""
        handlers: dict[str, Handler] = {
            "name": lambda words: self._identity.name,
            "version": lambda words: self._identity.version,
            "cputime": lambda words: f"{time.process_time():.3f}",
            "gomill-cpu_time": lambda words: f"{time.process_time():.3f}",
            "gomill-describe_engine": self._describe,
            "stop": self._stop,
        }
        if self._table.analyst is not None:
            handlers["gomill-explain_last_move"] = self._explain
        if isinstance(self._table.player, SearchPlayer):
            handlers["clear_cache"] = self._clear_cache
        return handlers

    def stream_handlers(self) -> dict[str, StreamHandler]:
        """Those that search."""
        return {"kata-benchmark": self._benchmark} if self._table.analyst is not None else {}

    def _describe(self, words: list[str]) -> str:
        player = self._table.player
        return f"{self._identity.name} {self._identity.version}\nplayer {player.name}\n{player!r}"

    def _stop(self, words: list[str]) -> str:
        """End pondering, which any input has done already, and do not begin again."""
        self._table.may_ponder = False
        return ""

    def _clear_cache(self, words: list[str]) -> str:
        if isinstance(self._table.player, SearchPlayer):
            self._table.player.forget()
        self._table.thought = None
        return ""

    def _explain(self, words: list[str]) -> str:
        thought = self._table.thought
        return "" if thought is None else explanation(thought, self._table)

    def _benchmark(self, words: list[str], stream: Stream) -> str:
        """`kata-benchmark [VISITS]`: search the position anew and tell how fast that was."""
        visits = whole_numbers(words, 1, "visits not an integer")[0] if words else _DEFAULT_VISITS
        player, position = self._table.analyst, self._table.position
        if not 1 <= visits <= _MOST_VISITS or player is None:
            raise GtpError(f"visits not from 1 to {_MOST_VISITS}")
        search = player.new_search(position.rows, position.cols)
        if isinstance(search.evaluator, Forgetful):  # what is known already would cost nothing
            search.evaluator.clear()
        result = search.run(position, UntilInput(stream.input, visits))
        speed = result.root_visits / max(result.seconds, 1e-9)
        return f"{result.root_visits} visits in {result.seconds:.2f} s, visits/s = {speed:.1f}"


def explanation(thought: Thought, table: Table) -> str:
    """The last search in one line: visits, win rate, lead, and the line expected."""
    result, vertex = thought.result, table.position.vertex
    analysis = analysis_of(result)
    lead = "" if isnan(analysis.lead) else f", lead {analysis.lead:+.1f}"
    line = " ".join(vertex(move) for move in analysis.variations.get(result.move, (result.move,)))
    return f"{thought.mover.title}: {result.root_visits} visits, win rate {analysis.winrate:.1%}{lead}, expects {line}"
