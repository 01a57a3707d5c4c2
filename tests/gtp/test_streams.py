"""Streamed answers: what is written while a search goes on, what ends it, and that framing always holds."""

from __future__ import annotations

import queue
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from move37.errors import NetworkFileError
from move37.gtp import stops
from move37.gtp.engine import Engine
from move37.gtp.settings import Settings
from move37.players.search_player import SearchPlayer
from move37.rules.color import Color
from move37.rules.position import Position
from move37.search.limits import StopRequest
from move37.search.result import SearchResult
from tests.support.gtp_session import HARD_LIMIT, PlainEvaluator, Typist, plain_player

TRANSCRIPTS = sorted((Path(__file__).parents[1] / "transcripts" / "analysis").glob("*.gtp"))
MANY = 200_000
ANALYSIS = ("lz-analyze", "kata-analyze", "analyze")


def engine(scores: bool = True, visits: int = 16, settings: Settings | None = None) -> Engine:
    return Engine(plain_player(visits, scores), size=5, komi=0.5, settings=settings or Settings(visits=16))


@pytest.fixture
def typist() -> Iterator[Typist]:
    with Typist(engine()) as session:
        yield session


def is_analysis(command: str) -> bool:
    return any(word in ANALYSIS for word in command.split()[:2])


def reply(session: Typist, command: str) -> tuple[list[str], bool]:
    """Send one command: its answer, of an analysis the head and its only report; whether it is still open."""
    session.send(command)
    if not command:
        return [], False
    if not is_analysis(command):
        return session.answer(), False
    lines = [session.line(), session.line()]
    return (lines, True) if lines[1] else (lines[:1], False)


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_a_session_of_a_known_program_goes_as_written(path: Path, update_golden: bool) -> None:
    written = path.read_text(encoding="utf-8").splitlines()
    head = [line for line in written if line.startswith(";")]
    scores = not any("without scores" in line for line in head)
    found = list(head)
    still_open = False
    with Typist(engine(scores)) as session:
        for command in [line[2:] for line in written if line.startswith("> ")]:
            if still_open:
                session.send("")
                assert session.line() == ""
            lines, still_open = reply(session, command)
            found += [f"> {command}", *lines]
        session.end()
        session.join()
    assert session.nothing_more()
    if update_golden:
        path.write_text("\n".join(found) + "\n", encoding="utf-8")
    assert found == written


def test_there_are_transcripts_of_every_analysis_command() -> None:
    sent = "\n".join(path.read_text(encoding="utf-8") for path in TRANSCRIPTS)
    for name in (*ANALYSIS, "lz-genmove_analyze", "kata-genmove_analyze", "genmove_analyze", "cgos-genmove_analyze"):
        assert re.search(rf"^> (\d+ )?{name}\b", sent, re.MULTILINE), name


@pytest.mark.parametrize("ending", ["", "   ", "# a comment", "\t", "stop", "7 name", "lz-analyze 6000", "no-such"])
def test_analysis_stops_at_the_next_line_whatever_it_is(ending: str) -> None:
    with Typist(engine(settings=Settings())) as session:  # without a limit: only input can end it
        session.send("5 kata-analyze 0")
        assert session.line() == "=5"
        assert session.line().startswith("info move ")
        session.send(ending)
        while session.line():
            pass
        session.send("9 protocol_version")
        while (line := session.line()) != "=9 2":
            assert line == "" or line[0] in "=?" or line.startswith("info ")


def test_analysis_stops_at_the_end_of_input() -> None:
    with Typist(engine(settings=Settings())) as session:
        session.send("lz-analyze 0")
        assert session.line() == "="
        session.end()
        session.join()
        assert all(line.startswith("info move ") for line in session.answer())
        assert session.nothing_more()


def test_analysis_that_has_a_line_behind_it_ends_at_once_and_every_line_is_answered(typist: Typist) -> None:
    typist.send("1 lz-analyze 0", "2 kata-analyze 0", "", "3 name", "4 quit")
    assert [typist.answer() for _ in range(4)] == [["=1"], ["=2"], ["=3 move37"], ["=4"]]
    typist.join()
    assert typist.nothing_more()


@pytest.mark.parametrize("word", ["quit", "# interrupt"])
def test_a_search_for_a_move_is_cut_short_when_somebody_wants_to_leave(
    word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stops, "GRACE_SECONDS", 0.0)
    with Typist(engine(visits=MANY)) as session:
        session.send("kata-genmove_analyze b 0")
        assert session.line() == "="
        assert session.line().startswith("info move ")
        session.send(word)
        lines = session.answer()
        assert re.fullmatch(r"play [A-E][1-5]", lines[-1])
        assert sum(map(int, re.findall(r"edgeVisits (\d+)", lines[-2]))) < MANY - 1
    assert len(session.engine.position.moves) == 1


def test_a_search_for_a_move_goes_on_when_other_commands_wait(typist: Typist) -> None:
    typist.send("kata-genmove_analyze b 6000", "name", "lz-genmove_analyze w 6000", "quit")
    first, name, second, end = (typist.answer() for _ in range(4))
    assert name == ["= move37"] and end == ["="]
    for lines in (first, second):
        assert re.search(r"^info move \w+ visits \d+ ", lines[1]) and lines[-1].startswith("play ")
    visits = [int(number) for number in re.findall(r"info move \w+ visits (\d+)", first[1])]
    assert sum(visits) == 15  # of 16, one is the root's own


def test_a_cancellable_search_is_cancelled_by_any_line_and_nothing_is_played() -> None:
    with Typist(engine(visits=MANY)) as session:
        session.send("kata-search_analyze_cancellable b 0")
        assert session.line() == "=" and session.line().startswith("info move ")
        session.send("")
        assert session.answer()[-1] == "play cancelled"
        session.send("kata-search_cancellable b", "")
        assert session.answer() == ["= cancelled"]
    assert session.engine.position.moves == []


def test_a_search_does_not_play(typist: Typist) -> None:
    for command in ("kata-search w", "reg_genmove w", "kata-search_cancellable w"):
        assert re.fullmatch(r"= [A-E][1-5]", typist.ask(command)[0])
    assert typist.ask("kata-search_analyze w 6000")[-1].startswith("play ")
    assert typist.engine.position.moves == []
    assert typist.engine.position.to_play is Color.BLACK


@pytest.mark.parametrize(
    "line", ["green 20", "b 20 allow b c3", "b 20 avoid b z9 1", "b 20 avoid x c3 1", "b 20 avoid b c3 0", "b x 1",
             "b -5", "ownership 1", "minmoves -1", "interval", "b 20 20"],
)  # fmt: skip
def test_arguments_that_are_not_understood_are_refused_in_an_ordinary_frame(typist: Typist, line: str) -> None:
    for name in ("lz-analyze", "kata-genmove_analyze"):
        (answer,) = typist.ask(f"3 {name} {line}")
        assert answer.startswith("?3 cannot parse analyze arguments at "), answer
    assert typist.engine.position.moves == []


def test_an_evaluator_that_fails_is_told_and_the_session_goes_on() -> None:
    evaluator = PlainEvaluator()
    session_engine = Engine(plain_player(evaluator=evaluator), size=5, settings=Settings(visits=16))
    with Typist(session_engine) as session:
        evaluator.error = NetworkFileError("the network\nis gone")
        assert session.ask("1 genmove b") == ["?1 the network is gone"]
        assert session.ask("2 kata-genmove_analyze b") == ["?2 the network is gone"]
        assert session.ask("3 kata-analyze b") == ["=3"]  # begun already: it can only be ended
        evaluator.error = ZeroDivisionError("a defect")
        assert session.ask("4 genmove b") == ["?4 internal error: ZeroDivisionError: a defect"]
        evaluator.error = None
        assert session.ask("5 genmove b")[0].startswith("=5 ")
    assert "the network is gone" in session.log.getvalue() and "a defect" in session.log.getvalue()


def test_a_controller_that_is_gone_ends_the_session_in_the_middle_of_an_answer() -> None:
    with Typist(engine(settings=Settings())) as session:
        session.send("lz-analyze 0")
        assert session.line() == "="
        session.gone = True
        session.join()


class Pondering:
    """Notes what a player found while it pondered."""

    def __init__(self, player: SearchPlayer, monkeypatch: pytest.MonkeyPatch) -> None:
        self.found = queue.Queue[SearchResult]()
        self._think = player.ponder
        monkeypatch.setattr(player, "ponder", self.ponder)

    def ponder(self, position: Position, stop: StopRequest) -> SearchResult:
        result = self._think(position, stop)
        self.found.put(result)
        return result


def test_pondering_grows_the_tree_that_the_next_move_is_searched_in(monkeypatch: pytest.MonkeyPatch) -> None:
    player = plain_player(visits=16)
    pondering = Pondering(player, monkeypatch)
    with Typist(Engine(player, size=5, settings=Settings(ponder=True, visits=64))) as session:
        assert session.ask("genmove b")[0].startswith("= ")
        result = pondering.found.get(timeout=HARD_LIMIT)
        assert result.root_visits == 64
        session.ask(f"play w {session.engine.position.vertex(result.move)}")
        told = session.ask("kata-search_analyze b 6000")[1]
        kept = int(result.visits.max())
        assert sum(map(int, re.findall(r" edgeVisits (\d+)", told))) >= max(15, kept - 1)
    assert pondering.found.empty()  # after a move of the other side there is nothing to ponder


def test_pondering_is_off_unless_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    player = plain_player()
    pondering = Pondering(player, monkeypatch)
    with Typist(Engine(player, size=5, settings=Settings(visits=20))) as session:
        session.ask("genmove b")
        session.ask("name")
        assert pondering.found.empty()
        session.ask("kata-set-param ponderingEnabled true")
        pondering.found.get(timeout=HARD_LIMIT)
        session.ask("stop")
        while not pondering.found.empty():
            pondering.found.get()
        session.ask("name")
    assert pondering.found.empty()
