"""The page's messages against a real server: playing, editing, counting, analysis, review, pictures."""

from __future__ import annotations

import base64
from collections.abc import Generator
from itertools import pairwise
from typing import Any

import pytest

from move37.pictures.catalogue import CATALOGUE
from move37.search.result import SearchResult
from move37.search.root import AnySearch
from move37.sgf.game_record import GameRecord
from tests.support.page_client import Page, Server, serving

PASS_9 = 81
FAST = {"player": "zero", "visits": 8}
DEAD_IN_CORNER = """(;SZ[5]KM[0]RU[Chinese]AB[da][db][dc][dd][de]AW[ca][cb][cc][cd][ce]AB[ac])"""


@pytest.fixture(scope="module")
def server() -> Generator[Server]:
    with serving() as running:
        yield running


@pytest.fixture
def page(server: Server) -> Generator[Page]:
    with server.page() as opened:
        yield opened


def begin(page: Page, **settings: Any) -> dict[str, Any]:
    """A new 9x9 game; its first position."""
    return page.ask("position", "new", settings={"size": 9, **settings})


# ------------------------------------------------------------------------------------------------ the beginning


def test_the_welcome_names_what_there_is(page: Page) -> None:
    welcome = page.welcome
    kinds = {kind["name"]: kind for kind in welcome["players"]}
    assert kinds["zero"]["searches"] and 9 in kinds["zero"]["sizes"] and "visits" in kinds["zero"]["options"]
    assert not kinds["random"]["searches"] and kinds["random"]["options"] == []
    assert {one["name"] for one in welcome["pictures"]} == CATALOGUE.keys() - {"curves"}
    assert "japanese" in welcome["rules"] and "5k" in welcome["ranks"]
    assert "zero-9x9-6x64" in {one["name"] for one in welcome["networks"]}


def test_a_new_game_has_its_settings(page: Page) -> None:
    position = begin(page, size=13, rules="japanese", komi=0.5, handicap=3, clock="10m+5x30s")
    assert (position["rows"], position["cols"], position["komi"], position["handicap"]) == (13, 13, 0.5, 3)
    assert position["rules"] == "japanese" and position["agrees_on_dead"]
    assert sum(position["stones"]) == 3 and position["to_play"] == "W"
    clocks = position["clocks"]
    assert clocks["system"] == "10m+5x30s" and clocks["white"] == {"seconds": 600.0, "count": 0}
    assert clocks["running"] == "W"


def test_a_board_that_is_not_square(page: Page) -> None:
    position = page.ask("position", "new", settings={"rows": 5, "cols": 7})
    assert len(position["stones"]) == 35
    assert page.ask("position", "play", point=34)["last_move"] == 34


# ------------------------------------------------------------------------------------------------ playing


def test_an_engine_answers_and_undo_goes_back_to_the_persons_turn(page: Page) -> None:
    begin(page, white=FAST)
    mine = page.ask("position", "play", point=40)
    assert mine["thinking"] == "W" and mine["stones"][40] == 1
    theirs = page.until("position", thinking=None)
    assert theirs["move_number"] == 2 and theirs["to_play"] == "B" and theirs["stones"].count(2) == 1
    back = page.ask("position", "undo")
    assert back["move_number"] == 0 and back["to_play"] == "B"
    assert "no move to take back" in page.refused("undo")


def test_an_engine_with_black_begins(page: Page) -> None:
    assert begin(page, black=FAST)["thinking"] == "B"
    assert page.until("position", thinking=None)["move_number"] == 1


def test_two_engines_play_to_the_end(page: Page) -> None:
    begin(page, size=5, black={"player": "random"}, white={"player": "random"}, rules="tromp-taylor")
    end = page.until("position", over=True)
    assert end["passes"] == 2 and end["node"] == end["move_number"]
    score = page.until("score")
    assert score["black"] + score["white"] >= 7 and not score["changeable"] and score["dead"] == []
    assert page.ask("position", "undo")["move_number"] == end["move_number"] - 1


def test_the_thinking_can_be_stopped_and_ordered(page: Page) -> None:
    begin(page, white={"player": "zero", "seconds": 60})
    assert page.ask("position", "play", point=40)["thinking"] == "W"
    assert "thinking" in page.refused("play", point=0)
    assert page.ask("position", "stop")["thinking"] is None
    assert page.ask("position", "move", engine={"player": "zero", "seconds": 60})["thinking"] == "W"
    page.send("move")
    assert page.until("position", thinking=None)["move_number"] == 2


def test_illegal_moves_are_refused_and_told_before(page: Page) -> None:
    page.ask("position", "load", text="(;SZ[5]RU[Chinese]AB[ab][ba][bb])")
    position = page.ask("position", "play", point=24)
    assert position["illegal"] == [0]
    assert "illegal" in page.refused("play", point=0)
    assert "from 0 to 25" in page.refused("play", point=26)


def test_resigning_ends_the_game_and_undo_opens_it(page: Page) -> None:
    begin(page)
    page.ask("position", "play", point=40)
    end = page.ask("position", "resign")
    assert end["over"] and end["result"] == "B+R"
    assert "over" in page.refused("play", point=0)
    assert "over" in page.refused("resign")
    assert "RE[B+R]" in page.ask("sgf", "sgf")["text"]
    assert not page.ask("position", "undo")["over"]
    assert "RE[" not in page.ask("sgf", "sgf")["text"]


def test_time_runs_out_without_a_move(page: Page) -> None:
    begin(page, clock="300ms")
    end = page.until("position", over=True)
    assert end["result"] == "W+T" and end["clocks"]["running"] is None


def test_an_engine_plays_by_its_clock(page: Page) -> None:
    begin(page, white={"player": "zero"}, clock="10s+5s")
    page.ask("position", "play", point=40)
    after = page.until("position", thinking=None)
    assert not after["over"] and after["clocks"]["white"]["seconds"] < 15.0


def test_hints_come_from_the_other_seat_or_whom_one_names(page: Page) -> None:
    begin(page, white=FAST)
    hint = page.ask("hint", "hint")
    assert hint["engine"] == FAST and 0 <= hint["point"] <= PASS_9 and 0 <= hint["black_winrate"] <= 1
    assert page.ask("hint", "hint", engine={"player": "policy"})["engine"] == {"player": "policy"}


# ------------------------------------------------------------------------------------------------ the tree


def test_variations_are_kept_and_followed(page: Page) -> None:
    begin(page)
    first = page.ask("position", "play", point=40)["node"]
    page.ask("position", "go", node=0)
    page.send("play", point=20)
    added = page.until("tree")
    other = page.until("position")["node"]
    assert [one["id"] for one in added["nodes"]] == [0, other] and added["nodes"][0]["children"] == [first, other]
    page.ask("position", "go", node=0)
    assert page.ask("position", "play", point=40)["node"] == first
    assert page.ask("position", "promote", node=other)["node"] == first
    assert page.ask("sgf", "sgf")["text"].index("B[cc]") < page.ask("sgf", "sgf")["text"].index("B[ee]")
    assert page.ask("position", "delete", node=first)["node"] == 0
    assert "no node" in page.refused("go", node=first)
    assert "root" in page.refused("delete", node=0)


def test_a_record_is_read_with_its_variations_and_marks(page: Page) -> None:
    text = "(;SZ[9]PB[Shusaku]RE[B+2.5];B[ee]C[first];W[cc](;B[gg]TR[ee][cc]LB[aa:x])(;B[cg]))"
    page.send("load", text=text, at="end")
    tree = page.until("tree")
    assert tree["whole"] and [one["number"] for one in tree["nodes"]] == [0, 1, 2, 3, 3]
    assert tree["nodes"][1]["comment"] and tree["nodes"][2]["children"] == [3, 4]
    position = page.until("position")
    assert position["move_number"] == 3 and position["result"] == "B+2.5" and position["black"]["name"] == "Shusaku"
    assert {"point": 40, "kind": "triangle", "text": ""} in position["marks"]
    assert {"point": 0, "kind": "label", "text": "x"} in position["marks"]


def test_a_file_in_an_old_encoding_is_read_from_its_bytes(page: Page) -> None:
    data = "(;SZ[9]CA[gb2312]PB[聂卫平];B[ee])".encode("gb2312")
    assert page.ask("position", "load", base64=base64.b64encode(data).decode())["black"]["name"] == "聂卫平"
    assert "base64" in page.refused("load", base64="%%%")
    assert "as text or as base64" in page.refused("load", base64="", text="")


def test_stones_are_set_up_and_comments_written(page: Page) -> None:
    begin(page)
    position = page.ask("position", "setup", black=[0, 1], white=[80], to_play="W")
    assert position["node"] == 0 and position["stones"][0] == 1 and position["stones"][80] == 2
    assert position["to_play"] == "W"
    page.ask("position", "play", point=40)
    edited = page.ask("position", "setup", empty=[40], black=[41])
    assert edited["node"] == 2 and edited["stones"][40] == 0 and edited["stones"][41] == 1
    assert page.ask("position", "comment", text="so [it] is")["comment"] == "so [it] is"
    record = GameRecord.from_text(page.ask("sgf", "sgf")["text"])
    assert record.end.comment == "so [it] is" and record.position().stones.ravel()[41] == 1
    assert "liberty" in page.refused("setup", black=[0], white=[1, 9])


# ------------------------------------------------------------------------------------------------ counting


def test_dead_stones_are_proposed_changed_and_agreed_on(page: Page) -> None:
    page.ask("position", "load", text=DEAD_IN_CORNER)
    assert "not over" in page.refused("agree")
    page.ask("position", "play", point=25)
    page.ask("position", "play", point=25)
    proposed = page.until("score")
    assert proposed["dead"] == [10] and proposed["result"] == "W+5" and proposed["changeable"]
    changed = page.ask("score", "dead", point=10)
    assert changed["dead"] == [] and changed["owner"][0] == 0
    assert page.ask("score", "dead", point=10)["dead"] == [10]
    assert page.ask("position", "agree")["result"] == "W+5"
    assert "no stone" in page.refused("dead", point=0)


def test_where_rules_know_no_agreement_nothing_is_dead(page: Page) -> None:
    begin(page, rules="tromp-taylor")
    page.ask("position", "play", point=40)
    score = page.ask("score", "score")
    assert score["dead"] == [] and not score["changeable"] and score["owner"] == [1] * 81
    assert "capture" in page.refused("dead", point=40)


# ------------------------------------------------------------------------------------------------ engines' opinions


def test_live_analysis_follows_the_board(page: Page) -> None:
    begin(page)
    page.send("analyse", engines=[{"player": "zero", "visits": 40}], policy=True, ownership=True)
    end = page.until("analysis", finished=True)
    assert end["node"] == 0 and end["visits"] >= 40 and end["opinion"] == 0
    assert len(end["policy"]) == 82 and sum(end["policy"]) == pytest.approx(1, abs=0.01)
    best = end["moves"][0]
    assert best["line"][0] == best["point"] and best["visits"] == max(one["visits"] for one in end["moves"])
    after = page.ask("position", "play", point=best["point"])
    second = page.until("analysis", finished=True, node=after["node"])
    assert second["judged"]["grade"] == "best"
    page.send("analyse", engines=[])
    page.until("tree")
    assert page.nodes[0]["seen"]["visits"] >= 40 and page.nodes[after["node"]]["judged"] == second["judged"]


def test_rollouts_know_who_owns_the_points_and_wins_are_blacks(page: Page) -> None:
    page.ask("position", "load", text="(;SZ[5]KM[0.5]RU[Chinese]AB[ba][bb][bc][bd][be]PL[W])")
    page.send("analyse", engines=[{"player": "uct", "visits": 200}], ownership=True)
    end = page.until("analysis", finished=True)
    assert end["to_play"] == "W" and end["black_winrate"] > 0.7 and end["black_lead"] > 5
    assert end["black_ownership"][0] > 0.5


def test_two_engines_are_compared_on_one_position(page: Page) -> None:
    begin(page)
    page.send("analyse", engines=[{"player": "zero", "visits": 30}, {"player": "uct", "visits": 60}])
    seen: dict[int, str] = {}
    while len(seen) < 2:
        report = page.until("analysis", finished=True)
        seen[report["opinion"]] = report["engine"]["player"]
    assert seen == {0: "zero", 1: "uct"}


def test_a_mixed_search_is_told_of_from_its_first_visit_on(page: Page) -> None:
    begin(page)
    page.send("analyse", engines=[{"player": "fan", "visits": 90}], ownership=True)
    first = page.until("analysis")
    assert first["visits"] >= 1 and first["moves"]
    assert page.until("analysis", finished=True)["visits"] >= 90


def failing(search: AnySearch) -> SearchResult:
    raise ZeroDivisionError(search)


def test_a_defect_of_an_analysis_is_told_and_the_next_one_runs(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(page)
    with monkeypatch.context() as broken:
        broken.setattr(AnySearch, "snapshot", failing)
        page.send("analyse", engines=[{"player": "zero", "visits": 4000}])
        assert "ZeroDivisionError" in page.until("error")["text"]
    page.send("analyse", engines=[{"player": "zero", "visits": 20}])
    assert page.until("analysis", finished=True)["visits"] >= 20


def test_who_does_not_search_cannot_analyse(page: Page) -> None:
    begin(page)
    page.send("analyse", engines=[{"player": "random"}])
    assert "does not search" in page.until("error")["text"]


def test_a_game_is_reviewed_and_its_moves_judged(page: Page) -> None:
    page.ask("position", "load", text="(;SZ[9]PB[Ann]KM[7];B[ee];W[aa];B[eg];W[ge](;B[ec])(;B[ce]))")
    page.send("review", engine={"player": "zero", "visits": 20})
    tree = page.until("tree")
    done = page.until("review", finished=True)
    assert done["done"] == done["total"] == 6
    summary = done["summary"]
    assert summary["black"]["name"] == "Ann" and summary["black"]["moves"] == 3 and summary["visits"] == 20
    nodes = {one["number"]: one for one in tree["nodes"]}
    assert nodes[2]["judged"]["winrate_lost"] > 0.1 and nodes[2]["judged"]["grade"] in ("mistake", "blunder")
    worst = summary["faults"][0]
    assert (worst["node"], worst["number"], worst["color"], worst["point"]) == (nodes[2]["id"], 2, "W", 0)
    assert worst["best"]["line"][0] == worst["best"]["point"] != 0


def test_a_review_can_be_stopped(page: Page) -> None:
    moves = "".join(f";{'BW'[i % 2]}[{'abcdefghi'[i % 9]}{'abcdefghi'[i // 9]}]" for i in range(60))
    page.ask("position", "load", text=f"(;SZ[9]KM[7]{moves})")
    page.send("review", engine={"player": "zero", "visits": 20_000})
    page.until("review", done=0)
    page.send("stop")
    assert page.until("review", finished=True)["summary"] is None


# ------------------------------------------------------------------------------------------------ pictures


@pytest.mark.parametrize("name", ["board", "matrix", "zobrist", "strings", "planes", "scaling", "zero-planes"])
def test_pictures_show_the_position_on_the_board(page: Page, name: str) -> None:
    begin(page)
    page.ask("position", "play", point=40)
    picture = page.ask("picture", "picture", name=name)
    assert picture["name"] == name and picture["svg"].startswith("<svg")


def test_pictures_take_the_options_that_they_use(page: Page) -> None:
    page.ask("position", "load", text="(;SZ[9]KM[7];B[ee];W[ce];B[gc])", at="end")
    options = {"moves": [1, 3], "temperature": [0.5, 1], "net": "zero-9x9-6x64", "theme": "dark"}
    assert "m37-dark" in page.ask("picture", "picture", name="heatmap", options=options)["svg"]
    assert page.ask("picture", "picture", name="tree", options={"rule": "puct", "visits": 20, "seed": 0})
    assert page.ask("picture", "picture", name="convolution", options={"at": 40, "only": [1]})
    assert page.ask("picture", "picture", name="game", options={"player": "zero", "visits": 4})
    assert "no use for" in page.refused("picture", name="board", options={"visits": 5})


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"net": "/etc/passwd"}, "no network"),
        ({"net": "../../zero"}, "no network"),
        ({"player": "gtp:touch x"}, "no player"),
        ({"source": "/etc/passwd"}, "no 'source'"),
        ({"visits": 10**9}, "from 1 to 2,000"),
        ({"layer": "x" * 300}, "at most 200"),
        ({"encoder": "../x"}, "encoder"),
    ],
)
def test_pictures_open_nothing_that_a_page_names(page: Page, options: dict[str, Any], words: str) -> None:
    begin(page)
    name = "planes" if "encoder" in options else "game" if "player" in options else "activations"
    assert words in page.refused("picture", name=name, options=options)


def test_curves_are_no_picture_of_a_board(page: Page) -> None:
    begin(page)
    assert "no name 'curves'" in page.refused("picture", name="curves")


# ------------------------------------------------------------------------------------------------ boards


def test_boards_are_apart_and_can_be_closed(page: Page) -> None:
    begin(page)
    page.ask("position", "new", "other", settings={"size": 5})
    page.ask("position", "play", point=40)
    assert page.ask("position", "play", "other", point=12)["move_number"] == 1
    assert page.ask("closed", "close", "other")["board"] == "other"
    assert "no such board" in page.refused("play", "other", point=0)
    assert "no such board" in page.refused("close", "other")


def test_a_board_comes_again_by_its_name_when_its_page_went(server: Server) -> None:
    with server.page() as page:
        page.ask("position", "new", "resumed", settings={"size": 9, "white": FAST, "clock": "10m"})
        page.ask("position", "play", "resumed", point=40)
        first = page.until("position", thinking=None)
        page.ask("position", "comment", "resumed", text="kept")
    with server.page() as page:
        while page.nodes == {}:  # until the server knows that the other page is gone
            page.send("show", "resumed")
            answer = page.receive()
            assert answer["type"] == "tree" or "no such board" in answer["text"]
        position = page.until("position")
        assert position["stones"] == first["stones"] and position["comment"] == "kept"
        assert position["white"]["engine"] == FAST and len(page.nodes) == 3
        assert page.ask("position", "show", "resumed")["node"] == position["node"]
        page.ask("closed", "close", "resumed")
        assert "no such board" in page.refused("show", "resumed")


def test_an_engine_thinks_on_when_its_page_comes_again(server: Server) -> None:
    with server.page() as page:
        page.ask("position", "new", "thinker", settings={"size": 9, "white": {"player": "zero", "seconds": 60}})
        assert page.ask("position", "play", "thinker", point=40)["thinking"] == "W"
    with server.page() as page:
        while page.nodes == {}:
            page.send("show", "thinker")
            page.receive()
        assert page.until("position")["thinking"] == "W"
        page.send("move", "thinker")
        assert page.until("position", thinking=None)["move_number"] == 2


# ------------------------------------------------------------------------------------------------ the tree of a search


def test_the_tree_of_a_search_grows_step_by_step_as_in_one(page: Page) -> None:
    begin(page)
    for visits in (1, 30, 31, 32):
        page.send("search", visits=visits, rule="puct", seed=3)
        stepped = page.until("search_tree", finished=True, visits=visits)
    assert stepped["last"][0] == 0 and len(stepped["last"]) >= 2
    assert all(stepped["parent"][at] == before for before, at in pairwise(stepped["last"]))
    page.send("search", visits=32, rule="puct", seed=4)
    page.until("search_tree", finished=True)
    page.send("search", visits=32, rule="puct", seed=3)
    at_once = page.until("search_tree", finished=True)
    assert {**at_once, "id": 0} == {**stepped, "id": 0}
    assert at_once["parent"][0] == -1 and at_once["point"][0] is None and at_once["n"][0] == 32
    assert all(parent < at for at, parent in enumerate(at_once["parent"]))
    children = [n for n, parent in zip(at_once["n"], at_once["parent"], strict=True) if parent == 0]
    assert sum(children) == 31 and at_once["n"][at_once["best"][1]] == max(children)


@pytest.mark.parametrize("rule", ["ucb1", "mixed"])
def test_trees_of_the_other_searches(page: Page, rule: str) -> None:
    begin(page)
    page.send("search", visits=40, rule=rule, most=10)
    tree = page.until("search_tree", finished=True)
    assert len(tree["n"]) == 10 and tree["n"][0] >= 40 and tree["to_play"] == "B"


def test_a_long_search_tells_of_itself_and_can_be_stopped(page: Page) -> None:
    begin(page)
    page.send("search", visits=10_000, rule="puct")
    assert not page.until("search_tree")["finished"]
    page.ask("position", "stop")
    page.send("search", visits=5, rule="puct", seed=1)
    assert page.until("search_tree", visits=5)["finished"]
    assert "from 1 to 10,000" in page.refused("search", visits=10**6)
