"""What a page may not do, and that a server which it was tried on goes on as before."""

from __future__ import annotations

import json
import time
from collections.abc import Generator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from move37.web.limits import Limits
from tests.support.page_client import PATIENCE, Page, Server, serving

SMALL = Limits(
    pages=3,
    boards=2,
    message_bytes=60_000,
    messages_a_second=20.0,
    burst=10,
    nodes=500,
    line=100,
    comment=50,
    looks=2,
    players=1,
)


@pytest.fixture(scope="module")
def server() -> Generator[Server]:
    with serving(SMALL) as running:
        yield running


@pytest.fixture
def page(server: Server) -> Generator[Page]:
    with server.page() as opened:
        opened.ask("position", "new", settings={"size": 9})
        yield opened


def still_plays(page: Page) -> bool:
    """Whether the page's board answers as before."""
    return bool(page.ask("position", "new", settings={"size": 5})["rows"] == 5)


@pytest.mark.parametrize(
    "text",
    ["", "x", "[]", "7", "null", '{"type":"play"', "[" * 5000, '{"a":' * 5000, '{"type":NaN}', "9" * 5000, '"\\ud800"'],
)
def test_what_is_no_message_is_told_and_harms_nothing(page: Page, text: str) -> None:
    page.socket.send(text)
    assert page.until("error")["board"] is None
    assert still_plays(page)


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"type": "play"},
        {"type": "play", "board": 7},
        {"type": "play", "board": "../x"},
        {"type": "play", "board": "a" * 41},
        {"type": ["play"], "board": "a"},
        {"type": "play", "board": "a"},
        {"type": "play", "board": "a", "point": "40"},
        {"type": "play", "board": "a", "point": 1e300},
        {"type": "play", "board": "a", "point": True},
        {"type": "play", "board": "a", "point": -1},
        {"type": "play", "board": "a", "point": 40, "more": 1},
        {"type": "go", "board": "a", "node": 10**30},
        {"type": "new", "board": "a", "settings": []},
        {"type": "new", "board": "a", "settings": {"size": 20}},
        {"type": "new", "board": "a", "settings": {"komi": 0.3}},
        {"type": "new", "board": "a", "settings": {"rules": "/etc/passwd.toml"}},
        {"type": "new", "board": "a", "settings": {"handicap": 1}},
        {"type": "new", "board": "a", "settings": {"clock": "soon"}},
        {"type": "new", "board": "a", "settings": {"white": {"player": "gtp:gnugo"}}},
        {"type": "new", "board": "a", "settings": {"white": {"player": "zero", "net": "/etc/passwd"}}},
        {"type": "new", "board": "a", "settings": {"white": {"player": "zero", "visits": 10**9}}},
        {"type": "new", "board": "a", "settings": {"white": {"player": "zero", "rank": "5k", "visits": 5}}},
        {"type": "new", "board": "a", "settings": {"white": {"player": "random", "visits": 5}}},
        {"type": "new", "board": "a", "settings": {"white": {"player": "zero", "batch": 5}}},
        {"type": "analyse", "board": "a", "engines": [{"player": "zero"}] * 3},
        {"type": "analyse", "board": "a", "engines": "zero"},
        {"type": "setup", "board": "a", "black": [81]},
        {"type": "setup", "board": "a", "black": [1], "white": [1]},
        {"type": "load", "board": "a", "text": "no game"},
        {"type": "load", "board": "a"},
        {"type": "comment", "board": "a", "text": "x" * 51},
        {"type": "picture", "board": "a", "name": "../board"},
        {"type": "quit", "board": "a"},
    ],
)
def test_requests_that_cannot_be_are_one_sentence_and_change_nothing(page: Page, message: dict[str, Any]) -> None:
    page.socket.send(json.dumps(message | {"id": 5}))
    error = page.until("error")
    assert error["text"] and "\n" not in error["text"] and "defect" not in error["text"]
    assert error["id"] == 5
    assert page.ask("position", "comment", text="")["node"] == 0


def test_a_message_that_is_too_large_ends_the_page_alone(server: Server, page: Page) -> None:
    with server.page() as other:
        other.socket.send("x" * (SMALL.message_bytes + 1))
        with pytest.raises(ConnectionClosed):
            other.until("error")
    assert still_plays(page)


def test_messages_are_read_no_faster_than_allowed(page: Page) -> None:
    began = time.monotonic()
    for _ in range(40):
        page.send("comment", text="")
    last = page.ask("position", "comment", text="last")
    assert last["comment"] == "last"
    assert time.monotonic() - began >= (41 - SMALL.burst) / SMALL.messages_a_second * 0.9


def test_a_page_that_does_not_read_is_let_go() -> None:
    with serving(Limits(unread=1_000_000)) as server, server.page() as page, server.page() as other:
        other.ask("position", "load", text=f"(;SZ[9]C[{'x' * 900_000}])")
        with pytest.raises(ConnectionClosed):
            for _ in range(60):
                other.send("sgf")
            deadline = time.monotonic() + PATIENCE
            while time.monotonic() < deadline:
                other.socket.ping().wait(1)
        assert still_plays(page)


def test_boards_pages_players_and_looks_are_counted(server: Server, page: Page) -> None:
    page.ask("position", "new", "b", settings={"size": 9, "white": {"player": "random"}})
    assert "at most 2 boards" in page.refused("new", "c", settings={})
    page.ask("position", "new", "a", settings={"size": 9, "white": {"player": "random"}})
    page.ask("position", "play", "b", point=0)
    page.until("position", board="b", thinking=None)
    page.send("play", "a", point=0)
    assert "engines are playing already" in page.until("error")["text"]
    page.ask("closed", "close", "b")
    page.ask("position", "move", "a")
    assert page.until("position", board="a", thinking=None)["move_number"] == 2
    two = [{"player": "zero"}, {"player": "zero"}]
    page.send("analyse", "a", engines=two)
    page.until("analysis", opinion=1)
    page.ask("position", "new", "b", settings={"size": 9})
    page.send("analyse", "b", engines=[{"player": "zero"}])
    assert "already" in page.until("error")["text"]
    with server.page(), server.page(), pytest.raises(ConnectionClosed), server.page():
        pass


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(;SZ[9]" + "(;B[aa])" * 600 + ")", "more than 500 nodes"),
        ("(;SZ[9]" + "(;B[aa]" * 499 + ")" * 499 + ")", "over 100 nodes"),
        ("(;SZ[9]" + ";B[aa];W[bb]" * 60 + ")", "over 100 nodes"),
        ("(;SZ[9]" + ";AB[aa:ii]" * 101 + ")", "over 100 nodes"),
        ("(;SZ[52])", "19x19"),
        ("(;GM[2])", "not a game of Go"),
        ("<html>", "not SGF"),
        ("(" * 50_000, "SGF"),
    ],
)
def test_records_that_are_too_much_are_refused(page: Page, text: str, words: str) -> None:
    assert words in page.refused("load", text=text)
    assert still_plays(page)


def test_scripts_in_a_record_stay_text(page: Page) -> None:
    evil = "<script>alert(1)</script><img src=x onerror=alert(2)>"
    text = f"(;SZ[9]PB[{evil}]C[{evil}]LB[aa:{evil}]KM[7];B[ee]C[{evil}])"
    position = page.ask("position", "load", text=text)
    assert position["comment"] == evil and position["black"]["name"] == evil
    for name in ("board", "game"):
        options = {"player": "zero", "visits": 2} if name == "game" else {}
        svg = page.ask("picture", "picture", name=name, options=options)["svg"]
        assert "<script" not in svg and "onerror" not in svg
    assert evil in page.ask("sgf", "sgf")["text"]


def test_what_a_page_left_running_is_stopped_when_it_goes(server: Server, page: Page) -> None:
    with server.page() as other:
        other.ask("position", "new", settings={"size": 9, "white": {"player": "zero", "seconds": 60}})
        other.ask("position", "play", point=40)
        other.ask("position", "new", "b", settings={"size": 9})
        other.send("analyse", "b", engines=[{"player": "zero"}, {"player": "uct"}])
        other.until("analysis")
    page.send("analyse", engines=[{"player": "zero", "visits": 20}, {"player": "zero", "visits": 20}])
    page.until("analysis", opinion=1, finished=True)
    page.send("analyse", engines=[])
    page.ask("position", "new", settings={"size": 5, "white": {"player": "random"}})
    page.ask("position", "play", point=12)
    while True:  # the player of the page that went is given back once it is made
        message = page.receive()
        if message["type"] == "error":
            assert "already" in message["text"]
            page.send("move")
        elif message["type"] == "position" and message["move_number"] == 2:
            break
