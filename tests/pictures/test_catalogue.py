"""Every picture of the course is in the catalogue, can be drawn, and stands in the docs with its command and file."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest

import move37
from move37.errors import ConfigError, NetworkFileError
from move37.pictures.catalogue import CATALOGUE, draw, option
from move37.pictures.request import EXAMPLE, Request, after, bundled_network
from tests.support.drawings import parsed, words

PAGE = Path(__file__).parents[2] / "docs" / "pictures.md"
CONCEPTS = {"A1", "A2", "A5", "A8", "A10", "C5", "D1", "D3", "D9", "E1", "E3", "H4"}
"""The concept pictures that the course names."""
SGF = "(;SZ[9]KM[7]RU[Chinese];B[ee];W[gc];B[cc];W[cg];B[gg];W[ec])"


def request_for(name: str, folder: Path) -> Request:
    """Something to show, as small as possible."""
    record = folder / "game.sgf"
    record.write_text(SGF, encoding="utf-8")
    (folder / "log.jsonl").write_text(json.dumps({"kind": "train", "step": 1, "loss": 2.0}) + "\n", encoding="utf-8")
    given = {
        "game": Request(source=record, visits=2),
        "curves": Request(source=folder),
        "scores": Request(visits=20),
        "tree": Request(visits=20),
        "virtual-loss": Request(visits=160),
        "filters": Request(only=("0",)),
        "stages": Request(source=record),
    }
    return given.get(name, Request())


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_picture_can_be_drawn(name: str, tmp_path: Path) -> None:
    picture = draw(name, request_for(name, tmp_path))
    assert parsed(picture).get("aria-label") == picture.title
    assert words(picture)


def test_every_concept_of_the_course_has_its_picture() -> None:
    shown = {word for entry in CATALOGUE.values() for word in re.findall(r"[A-H]\d+", entry.course)}
    assert shown == CONCEPTS


def test_the_files_of_the_ideas_are_there() -> None:
    package = Path(move37.__file__).parent
    assert [entry.idea for entry in CATALOGUE.values() if not (package / entry.idea).is_file()] == []


def test_what_pictures_use_are_parts_of_a_request() -> None:
    parts = {one.name for one in fields(Request)}
    assert all(set(entry.uses) <= parts for entry in CATALOGUE.values())
    assert parts - {part for entry in CATALOGUE.values() for part in entry.uses} == {"heading", "caption"}


def test_the_page_lists_every_picture_with_its_command_article_and_file() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `move37 show")]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    assert cells == [
        [f"`move37 show {entry.name}`", entry.shows, entry.course, f"`{entry.idea}`"] for entry in CATALOGUE.values()
    ]


def test_words_of_ones_own_stand_around_the_picture() -> None:
    picture = draw("board", Request(heading="Above", caption="Below"))
    assert words(picture)[0] == "Above" and words(picture)[-1] == "Below"
    assert "the board" in words(draw("matrix", Request(heading="Above")))


def test_what_a_picture_does_not_use_is_refused() -> None:
    with pytest.raises(
        ConfigError, match="the picture matrix has no use for --visits; it uses a file, --moves, --play"
    ):
        draw("matrix", Request(visits=0))
    with pytest.raises(ConfigError, match="the picture filters has no use for a file"):
        draw("filters", Request(source=Path("x")))
    with pytest.raises(ConfigError, match="there is no picture 'x'; there are board, matrix"):
        draw("x", Request())
    assert [option(part) for part in ("labels", "net", "source")] == ["--label", "--net", "a file"]


def test_positions_come_from_the_record_the_moves_or_the_example(tmp_path: Path) -> None:
    record = tmp_path / "game.sgf"
    record.write_text(SGF, encoding="utf-8")
    game = Request(source=record)
    assert (game.position().move_number, game.position().komi, game.position().rules.name) == (6, 7, "chinese")
    assert Request(source=record, komi=0.5, rules="japanese").position().komi == 0.5
    assert [one.move_number for one in game.positions((0.2, 0.5, 1.0))] == [1, 3, 6]
    assert [one.move_number for one in Request(source=record, moves=(4, 0)).positions()] == [4, 0]
    assert Request().position().move_number == len(EXAMPLE.split())
    assert Request(size=5).position().move_number == 0
    played = Request(play="C3, D3 pass", size=5).position()
    assert (played.rows, played.move_number, played.passes) == (5, 3, 1)


def test_wrong_requests_are_one_sentence(tmp_path: Path) -> None:
    record = tmp_path / "game.sgf"
    record.write_text(SGF, encoding="utf-8")
    with pytest.raises(ConfigError, match="there is no move 7: the game has 6"):
        Request(source=record, moves=(7,)).position()
    with pytest.raises(ConfigError, match="leave out --play and --size"):
        Request(source=record, size=9).position()
    with pytest.raises(ConfigError, match="this picture is of one position: give --moves one number"):
        Request(source=record, moves=(1, 2)).position()
    with pytest.raises(ConfigError, match="'a' is no number: write --only 0,3,7"):
        Request(only=("a",)).indices()
    with pytest.raises(ConfigError, match=r"this picture is of a whole game: name a record, such as GAME\.sgf"):
        Request().record()
    with pytest.raises(NetworkFileError, match="no network for a 7x7 board"):
        bundled_network(7, 7)
    for moves, match in (((13,), "needs a move that was played after move 13"), ((), "needs a game with moves")):
        with pytest.raises(ConfigError, match=match):
            draw("batch", Request(moves=moves, play=None if moves else ""))


def test_a_position_of_a_game_is_had_without_changing_it() -> None:
    end = Request().game()
    assert after(end, 3).move_number == 3 and end.move_number == 13
    assert after(end, 13) == end
