"""The commands that stream what a search finds while it goes on.

Analysis (`lz-analyze`, `kata-analyze`, Sabaki's `analyze`) goes on until the next line of input, whatever it is. Where
a limit ends the search earlier (`Settings`), the last report is written and the answer stays open until then. The
`genmove` forms end by themselves with a line `play VERTEX`; so do the `search` forms, which do not play. Facts:
KataGo's GTP extensions, Leela Zero's `GTP.cpp`, CGOS's wiki.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from move37.gtp.analyze_arguments import AnalyzeRequest, analyze_request
from move37.gtp.analyze_text import View, cgos_json, katago_line, leela_line
from move37.gtp.arguments import color_of
from move37.gtp.play_commands import CANCELLED, choose, play_choice, vertex_of
from move37.gtp.protocol import Stream, StreamHandler
from move37.gtp.stops import UntilInput
from move37.gtp.table import Table
from move37.players.player import Analyst, Decision
from move37.rules.color import Color
from move37.search.result import SearchResult

_LineMaker = Callable[[SearchResult, AnalyzeRequest, View, Callable[[int], str], int | None], str]
_LEELA: Final[_LineMaker] = leela_line
_KATAGO: Final[_LineMaker] = katago_line


class AnalyzeCommands:
    """For a player that searches; the tree is the player's own, so analysis and play help each other."""

    def __init__(self, table: Table, player: Analyst) -> None:
        self._table = table
        self._player = player

    def stream_handlers(self) -> dict[str, StreamHandler]:
        """The commands by name."""
        return {
            "lz-analyze": partial(self._analyze, _LEELA),
            "kata-analyze": partial(self._analyze, _KATAGO),
            "analyze": partial(self._analyze, _KATAGO),
            "lz-genmove_analyze": partial(self._genmove, _LEELA),
            "kata-genmove_analyze": partial(self._genmove, _KATAGO),
            "genmove_analyze": partial(self._genmove, _KATAGO),
            "kata-search_analyze": partial(self._search, _KATAGO),
            "kata-search_analyze_cancellable": self._search_cancellable,
            "cgos-genmove_analyze": self._cgos_genmove,
        }

    def _analyze(self, maker: _LineMaker, words: list[str], stream: Stream) -> None:
        table, settings = self._table, self._table.settings
        request = analyze_request(words, table.position, maker is _KATAGO)
        position = table.to_move(request.color)
        report = self._reporter(maker, request, stream)
        stop = UntilInput(stream.input, settings.visits, settings.seconds)
        stream.begin()
        result = self._player.analyze(
            position, stop, request.restrictions, report=report, every=request.seconds, ownership=request.owns
        )
        table.think(result, position)
        if not stream.input.waiting():
            report(result)
            stream.input.wait()

    def _genmove(self, maker: _LineMaker, words: list[str], stream: Stream) -> None:
        color, decision = self._decide(maker, words, stream)
        stream.line(f"play {play_choice(self._table, color, decision)}")

    def _search(self, maker: _LineMaker, words: list[str], stream: Stream) -> None:
        _, decision = self._decide(maker, words, stream)
        stream.line(f"play {vertex_of(self._table.position, decision)}")

    def _search_cancellable(self, words: list[str], stream: Stream) -> None:
        stop = UntilInput(stream.input)
        _, decision = self._decide(_KATAGO, words, stream, stop)
        stream.line(f"play {CANCELLED if stop.stopped else vertex_of(self._table.position, decision)}")

    def _decide(
        self, maker: _LineMaker, words: list[str], stream: Stream, stop: UntilInput | None = None
    ) -> tuple[Color, Decision]:
        """Choose a move while reports are written, the last one of all that was found."""
        request = analyze_request(words, self._table.position, maker is _KATAGO)
        report = self._reporter(maker, request, stream)
        decision = choose(self._table, request.color, stream.input, request, report, stop)
        if decision.tree is not None:
            report(decision.tree)
        return request.color, decision

    def _cgos_genmove(self, words: list[str], stream: Stream) -> None:
        """The JSON of the search, then the move."""
        color = color_of(words[0] if words else "", "invalid color")
        request = AnalyzeRequest(color, ownership=True)
        decision = choose(self._table, color, stream.input, request)
        if decision.tree is not None:
            stream.line(cgos_json(decision.tree, request, self._table.position.vertex))
        stream.line(f"play {play_choice(self._table, color, decision)}")

    def _reporter(self, maker: _LineMaker, request: AnalyzeRequest, stream: Stream) -> Callable[[SearchResult], None]:
        """What writes a report as one line; nothing where there is nothing to tell yet."""
        settings, name = self._table.settings, self._table.position.vertex
        view = View.of(request.color, settings.view)

        def report(result: SearchResult) -> None:
            line = maker(result, request, view, name, settings.variation_length)
            if line:
                stream.line(line)

        return report


def ponder(table: Table, player: Analyst, stop: UntilInput) -> None:
    """Think on after a move of ours until `stop`, if that is wanted and the game goes on."""
    if table.settings.ponder and table.may_ponder and not table.position.is_over:
        player.ponder(table.position, stop)
