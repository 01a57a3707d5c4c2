"""The reports of a scripted review: golden SGF, JSON and HTML, what must stay in a record, and what others read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from sgfmill import sgf

from move37.analysis.review import ReviewSettings, review
from move37.analysis.review_graph import graph_svg
from move37.analysis.review_html import review_html
from move37.analysis.review_json import review_json, review_object
from move37.analysis.review_sgf import MARK, annotate
from move37.analysis.review_words import lead_words
from move37.sgf.game_record import GameRecord
from tests.support.review_script import GAME, ScriptedEngine, Seen, scripted_review, without_points

GOLDEN = Path(__file__).parents[1] / "golden" / "review"


def raw(node: Any, name: str) -> str:
    """A property as sgfmill, which has no types, keeps it."""
    return str(node.get_raw(name), "utf-8")


def annotated(text: str = GAME) -> str:
    record, found = scripted_review(text)
    annotate(record, found)
    return record.to_sgf()


def plain_page() -> str:
    return review_html(*without_points())


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("game.sgf", annotated),
        ("game.json", lambda: review_json(*scripted_review())),
        ("game.html", lambda: review_html(*scripted_review())),
        ("win-rates.html", plain_page),
    ],
)
def test_reports_are_as_they_were(name: str, made: Callable[[], str], update_golden: bool) -> None:
    text = made()
    if update_golden:
        GOLDEN.mkdir(parents=True, exist_ok=True)
        (GOLDEN / name).write_text(text, encoding="utf-8")
    assert (GOLDEN / name).read_text(encoding="utf-8") == text


# ---------------------------------------------------------------------------------------------------- SGF


def test_sgfmill_reads_the_record_back() -> None:
    game = sgf.Sgf_game.from_bytes(annotated().encode())
    nodes = game.get_main_sequence()
    assert [node.get_move() for node in nodes[1:4]] == [("b", (2, 2)), ("w", (3, 2)), ("b", (3, 1))]
    assert [float(raw(node, "SBKV")) for node in nodes[:5]] == [50, 60, 75, 69, 95]
    assert [float(raw(node, "SBKS")) for node in nodes[:5]] == [0, 1, 4.5, 3, 10.5]
    assert not nodes[5].has_property("SBKV")
    assert nodes[2].get("BM") == 1
    assert nodes[3].get("DO")
    assert "White C4 is a mistake: it loses 3.5 points and 15% of the win rate." in nodes[2].get("C")


def test_what_the_record_held_stays() -> None:
    record, before = GameRecord.from_text(annotated()), GameRecord.from_text(GAME)
    old, new = list(before.main_line()), list(record.main_line())
    assert record.moves() == before.moves()
    for one, other in zip(old, new, strict=True):
        for name, values in one.properties.items():
            assert name == "C" or other.properties[name] == values
        assert other.comment.startswith(one.comment)
    assert new[1].variations[1].comment == "Or here?"  # the record's own second move: the first line is joined to it
    assert "BM" not in new[4].properties  # TE was there
    assert [node.move for node in new[1].variations] == [(2, 7), (2, 6), (2, 13)]


def test_the_lines_of_a_fault_are_variations() -> None:
    record = GameRecord.from_text(annotated())
    line = list(record.main_line())
    assert [len(node.variations) for node in line] == [1, 3, 3, 3, 1, 1, 0]
    better = line[1].variations[2]
    assert [record.position(better).vertex(node.move[1]) for node in better.main_line() if node.move] == [
        "D3",
        "C4",
        "B4",
    ]
    assert better.comment == f"{MARK}\nD3 C4 B4 (40% for White, Black is ahead by 1.0 points)"
    assert [node.move for node in line[3].variations[1].main_line()][-1] == (2, 25)  # a pass in a line


def test_a_second_review_takes_the_place_of_the_first() -> None:
    once = annotated()
    assert annotated(once) == once


def test_a_reviewed_record_is_the_original_but_for_what_was_added() -> None:
    record = GameRecord.from_text(annotated())
    for node in record.root.walk():
        node.comment = node.comment.partition(MARK)[0].rstrip()
        for name in ("SBKV", "SBKS", "BM", "DO"):
            node.remove(name)
    added = [node for node in record.root.walk() if len(node.path()) > 1 and node not in _own(record)]
    for node in added:
        if node.parent is not None and node.parent not in added:
            node.delete()
    assert record.to_sgf() == GameRecord.from_text(GAME).to_sgf()


def _own(record: GameRecord) -> list[object]:
    return [*record.main_line(), list(record.main_line())[1].variations[1]]


def test_two_moves_in_a_node_and_a_move_in_the_root() -> None:
    script = {number: Seen(0.1 if number % 2 else 0.9, None, ("E5 D5",)) for number in range(4)}
    record = GameRecord.from_text("(;SZ[5]KM[0]B[aa];W[bb]B[cc])")
    found = review(record, ScriptedEngine(script))
    annotate(record, found)
    root, end = record.main_line()
    assert (root.properties.get("SBKV"), end.properties["SBKV"]) == (["10"], ["10"])
    assert "script with the network paper" in root.comment
    assert "Black A5" in root.comment
    assert "White B4" in end.comment
    assert "Black C3" in end.comment
    assert [node.move for node in root.variations] == [(2, 6), (2, 4)]


# ---------------------------------------------------------------------------------------------------- JSON


def test_json_says_black_where_it_means_black() -> None:
    record, found = scripted_review()
    made = json.loads(review_json(record, found))
    assert made == review_object(record, found)
    assert (made["format"], made["version"], made["engine"]["network"]) == ("move37 review", 1, "paper")
    second = made["positions"][1]
    assert (second["to_play"], second["black_winrate"], second["black_lead"]) == ("white", 0.6, 1.0)
    assert second["candidates"][0] == {
        "move": "D3", "visits": 8, "prior": 0.04, "winrate": 0.4, "lead": -1.0, "line": ["D3", "C4", "B4"],
    }  # fmt: skip
    assert made["moves"][1] == {
        "number": 2, "color": "white", "move": "C4", "phase": "opening", "points_lost": 3.5, "winrate_lost": 0.15,
        "rank": 3, "grade": "mistake",
    }  # fmt: skip
    assert made["players"]["white"]["worst"] == [4, 2]
    plain = review_object(*without_points())
    assert (plain["positions"][1]["black_lead"], plain["moves"][1]["points_lost"]) == (None, None)


# ---------------------------------------------------------------------------------------------------- HTML


class _Page(HTMLParser):
    """Checks that tags are balanced, and collects what matters."""

    EMPTY = frozenset({"meta", "br", "hr", "img", "link", "input"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        held = dict(attrs)
        self.ids += [value for name in ("id",) if (value := held.get(name))]
        self.links += [value for name in ("href", "src", "xlink:href", "action") if (value := held.get(name))]
        assert not any(name.startswith("on") for name in held)
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.mark.parametrize("made", [lambda: review_html(*scripted_review()), plain_page])
def test_the_page_stands_alone(made: Callable[[], str]) -> None:
    text = made()
    page = _Page(text)
    assert page.open == []
    assert page.links
    assert all(link.startswith("#") for link in page.links)
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))
    assert "script>" not in text
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|@import|url\((?!#)", text)
    for drawing in re.findall(r"<svg.*?</svg>", text):
        ElementTree.fromstring(drawing)


def test_the_page_shows_names_as_text_and_the_worst_moves_first() -> None:
    text = review_html(*scripted_review())
    assert "Ann &amp; &lt;b&gt;Bea&lt;/b&gt; 3k – Cho" in text
    assert "<b>Bea" not in text
    assert re.findall(r"<h3>Move (\d+)", text) == ["4", "2", "3"]
    assert "The board before move 2; played C4, the engine’s choice D3" in text
    assert text.count("<svg") == 4


def test_a_page_without_moves_or_faults() -> None:
    record, found = scripted_review("(;SZ[5]KM[0])")
    text = review_html(record, found)
    assert "No move was an inaccuracy or worse." in text
    assert _Page(text).open == []
    assert graph_svg(found) == ""


def test_the_graph_draws_blacks_view() -> None:
    _, found = scripted_review()
    drawing = ElementTree.fromstring(graph_svg(found))
    name = "{http://www.w3.org/2000/svg}"
    curve = next(path for path in drawing.iter(f"{name}path") if path.get("class") == "curve")
    heights = [float(point.split()[1]) for point in curve.attrib["d"].removeprefix("M").split("L")]
    assert heights == pytest.approx([97, 82, 59.5, 68.5, 29.5])  # 22 is 100 % for Black, 172 is 100 % for White
    bars = [one for one in drawing.iter(f"{name}rect") if one.get("class", "").startswith("loss")]
    assert [(one.get("class"), float(one.attrib["y"]) < 477) for one in bars] == [
        ("loss mistake", False), ("loss inaccuracy", True), ("loss blunder", False),
    ]  # fmt: skip
    assert [one.get("href") for one in drawing.iter(f"{name}a")] == ["#m2", "#m3", "#m4"]


def test_nobody_is_ahead_by_nothing() -> None:
    assert lead_words(0.04) == "nobody is ahead"
    assert lead_words(-12.34) == "White is ahead by 12.3 points"


def test_settings_are_told() -> None:
    record = GameRecord.from_text(GAME)
    found = review(record, ScriptedEngine(), ReviewSettings(visits=30, seconds=0.5))
    assert "script with the network paper, 30 visits or 0.5 s a position" in review_html(record, found)
