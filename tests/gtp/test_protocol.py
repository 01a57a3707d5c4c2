"""The wire: cleaning, parsing, framing, and that no handler can end a session."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from move37.errors import GtpError, VertexError
from move37.gtp.protocol import Commands, Protocol
from move37.gtp.wire import Command, clean, format_response, parse_line


def _crash(words: list[str]) -> str:
    raise ZeroDivisionError("what a\nbug")


def _refuse(words: list[str]) -> str:
    raise GtpError("not today")


def _lose_way(words: list[str]) -> str:
    raise VertexError("no such\npoint")


def _session(log: io.StringIO | None = None) -> Protocol:
    return Protocol(
        Commands(
            {
                "echo": " ".join,
                "crash": _crash,
                "refuse": _refuse,
                "lose_way": _lose_way,
                "lines": lambda words: "\n".join(words).replace("_", ""),
            },
            {"whole": lambda text: f"<{text}>"},
        ),
        log or io.StringIO(),
    )


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("play b d4\n", "play b d4"),
        ("play\tb\td4\r\n", "play b d4"),
        ("pl\x00ay b\x07 d4\x7f", "play b d4"),
        ("\x01\x02\x0b\x0c\x1f", ""),
        ("  play b d4  # d4 is the lower left", "play b d4"),
        ("# only a comment", ""),
        ("#", ""),
        ("render r", "render r"),
    ],
)
def test_clean_drops_what_the_standard_drops(line: str, expected: str) -> None:
    assert clean(line) == expected


def test_every_control_character_is_really_dropped() -> None:
    for code in [*range(9), *range(10, 32), 127]:
        assert clean(f"a{chr(code)}b") == "ab", code


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("name", Command("", "name")),
        ("007 play b  d4", Command("007", "play", "b  d4")),
        ("12", Command("12", "")),
        ("12abc", Command("", "12abc")),
        ("-1 name", Command("", "-1", "name")),
        ("٣ name", Command("", "٣", "name")),
        ("", None),
        ("  \t # x", None),
    ],
)
def test_parse_line(line: str, expected: Command | None) -> None:
    assert parse_line(line) == expected


def test_answers_are_framed_exactly() -> None:
    assert format_response("", "") == "= \n\n"
    assert format_response("7", "E5") == "=7 E5\n\n"
    assert format_response("7", "illegal move", success=False) == "?7 illegal move\n\n"
    assert format_response("", "a\n\n\nb\n\n") == "= a\n \n \nb\n\n"
    assert format_response("", "a\r\nb\x00\tc") == "= a\nb\tc\n\n"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("protocol_version", "= 2\n\n"),
        ("5 echo a b", "=5 a b\n\n"),
        ("echo", "= \n\n"),
        ("5 nonsense", "?5 unknown command\n\n"),
        ("5", "?5 unknown command\n\n"),
        ("refuse", "? not today\n\n"),
        ("lose_way", "? no such point\n\n"),
        ("lines a _ b", "= a\n \nb\n\n"),
        ("3 whole  a  b\tc # d", "=3 <a  b c>\n\n"),
        ("whole", "= <>\n\n"),
        ("known_command whole", "= true\n\n"),
        ("known_command echo", "= true\n\n"),
        ("known_command echoes", "= false\n\n"),
        ("known_command", "= false\n\n"),
        ("quit", "= \n\n"),
    ],
)
def test_responses(line: str, expected: str) -> None:
    assert _session().respond(line) == expected


def test_list_commands_lists_each_command_once_and_no_other() -> None:
    session = _session()
    answer = session.respond("list_commands")
    assert answer is not None
    listed = answer[2:].split()
    assert listed == session.commands == sorted(set(listed))
    assert {"echo", "whole", "quit", "known_command", "list_commands", "protocol_version"} <= set(listed)


def test_a_defect_in_a_handler_is_reported_and_the_session_goes_on() -> None:
    log = io.StringIO()
    session = _session(log)
    assert session.respond("3 crash") == "?3 internal error: ZeroDivisionError: what a bug\n\n"
    assert "Traceback" in log.getvalue()
    assert session.respond("echo on") == "= on\n\n"


def test_run_answers_until_quit_and_ignores_what_follows() -> None:
    output = io.StringIO()
    _session().run(["\n", "# hello\n", "1 echo x\n", "2 quit\n", "3 echo y\n"], output)
    assert output.getvalue() == "=1 x\n\n=2 \n\n"


def test_run_ends_at_the_end_of_input_and_when_the_controller_is_gone(tmp_path: Path) -> None:
    output = io.StringIO()
    _session().run(["echo x"], output)
    assert output.getvalue() == "= x\n\n"

    class Gone(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    _session().run(["echo x", "echo y"], Gone())
