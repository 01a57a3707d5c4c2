"""Lines of plain moves have no nodes until somebody asks for them; nobody can tell, but for the time it takes."""

from __future__ import annotations

import copy
import gc
import pickle
import random
import re
import threading
import weakref
from collections.abc import Callable, Iterator
from itertools import islice, pairwise
from typing import Any

import numpy as np
import pytest

from move37.errors import SgfError
from move37.sgf import grammar, lines
from move37.sgf.game_record import GameRecord
from move37.sgf.grammar import Collection, Node, parse, serialize
from move37.sgf.main_line import main_line_of
from tests.sgf.fuzz import damaged, flat, seeds

GAME = "(;SZ[9]PB[a]\n;B[ee] ;W[gc]\n\n;B[cg];W[];B[TT]\r\n)"
PIECES = [
    *(";", ";B[aa]", ";W[bb]", ";B[]", ";W[tt];B[cc]", ";B[gg];W[hh]\n;B[ii]", "(", ")", "(;B[dd];W[ee])", "C[x]"),
    *("[ff]", ";b[aa]", "AB[aa]", ";PL[W]", ";B", "[aa]", ";B[zz]", ";B[a1]"),
]


@pytest.fixture
def eagerly(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes | str], Collection]:
    """Reading that makes a node for each token, one after another: no token is a line of moves."""
    token: re.Pattern[str] = vars(grammar)["_TOKEN"]
    single = re.compile(token.pattern.replace("{2,}+)", "{2,}+(?!))"), token.flags)
    assert single.pattern != token.pattern

    def read(data: bytes | str) -> Collection:
        with monkeypatch.context() as patch:
            patch.setattr(grammar, "_TOKEN", single)
            return parse(data)

    return read


def texts(count: int) -> Iterator[bytes | str]:
    """Damaged files, and moves mixed with what may stand between them."""
    rng = random.Random(3)
    files = [*seeds(), GAME.encode(), b"(;GM[1]" + b";B[aa];W[bb]" * 20 + b")"]
    for number in range(count):
        if number % 2:
            yield damaged(rng.choice(files), rng, files)
        else:
            yield "(;SZ[9]" + "".join(rng.choices(PIECES, k=rng.randrange(1, 25)))


def links(roots: list[Node]) -> bool:
    """Whether every node is a child of its parent once, and the roots have none."""
    return all(root.parent is None for root in roots) and all(
        child.parent is node for root in roots for node in root.walk() for child in node.children
    )


# ------------------------------------------------------------------------------------------------ reading


def test_what_is_unread_is_the_text_of_the_moves_until_a_child_is_asked_for() -> None:
    root = parse(GAME).games[0]
    assert root.unread == ";B[ee] ;W[gc]\n\n;B[cg];W[];B[TT]\r\n"
    assert root.properties == {"SZ": ["9"], "PB": ["a"]} and root.unread
    first = root.children[0]
    assert root.unread == "" and first.unread == ""
    assert [node.properties for node in root.walk()][1:] == [
        *({"B": ["ee"]}, {"W": ["gc"]}, {"B": ["cg"]}, {"W": [""]}, {"B": ["TT"]})
    ]
    assert root.children[0] is first and first.parent is root


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("(;B[aa];W[bb];B[cc])", ";W[bb];B[cc]"),
        ("(;SZ[9](;B[aa];W[bb])(;B[cc]))", ""),
        ("(;SZ[9];B[aa];W[bb](;B[cc])(;B[dd]))", ""),
        ("(;SZ[9];B[aa];W[bb]C[x])", ""),
        ("(;SZ[9];B[aa];W[bb]", ""),
        ("(;SZ[9];B[aa])", ""),
    ],
)
def test_only_a_line_to_the_end_is_left_unread(text: str, unread: str) -> None:
    assert parse(text).games[0].unread == unread


def test_variations_that_follow_a_line_without_nodes_stand_behind_it() -> None:
    root = parse("(;SZ[9](;B[aa];W[bb]);B[cc](;W[dd];B[ee]))").games[0]
    assert [child.properties for child in root.children] == [{"B": ["aa"]}, {"B": ["cc"]}]
    assert len(list(root.walk())) == 6 and links([root])


def test_damaged_texts_give_the_same_nodes_places_and_warnings_as_reading_node_by_node(
    eagerly: Callable[[bytes | str], Collection],
) -> None:
    unread = 0
    for data in texts(4000):
        try:
            expected = eagerly(data)
        except SgfError as error:
            with pytest.raises(SgfError, match=re.escape(str(error))):
                parse(data)
            continue
        collection = parse(data)
        unread += any(root.unread for root in collection.games)
        assert list(map(str, collection.warnings)) == list(map(str, expected.warnings)), data
        assert flat(collection.games) == flat(expected.games), data
        for root, twin in zip(collection.games, expected.games, strict=True):
            assert [node.offset for node in root.walk()] == [node.offset for node in twin.walk()], data
        assert links(collection.games) and links(expected.games), data
    assert unread > 300


def test_main_lines_are_the_same_with_and_without_nodes() -> None:
    seen = 0
    for data in texts(4000):
        try:
            games, twins = parse(data).games, parse(data).games
        except SgfError:
            continue
        for root, twin in zip(games, twins, strict=True):
            assert len(list(twin.walk())) > 0 and not twin.unread
            seen += bool(root.unread)
            assert main_line_of(root, 9, 9) == main_line_of(twin, 9, 9), data
    assert seen > 300


@pytest.mark.parametrize(
    "moves", [";B[ee];W[gc];B[cg]", ";B[ee];W[EE];B[cg]", ";W[ee];B[zz];W[aa]", ";B[];W[tt];B[aa]"]
)
def test_a_replay_is_the_same_with_and_without_nodes(moves: str) -> None:
    game, twin = (GameRecord.from_text(f"(;SZ[9]HA[2]AB[cc][gg]{moves})") for _ in range(2))
    assert len(twin.moves()) >= 2
    assert game.root.tree.unread and not twin.root.tree.unread
    one, other = game.replay(), twin.replay()
    assert game.root.tree.unread or "zz" in moves or "EE" in moves, "a replay needs no nodes"
    assert (one.played, one.fault) == (other.played, other.fault)
    assert np.array_equal(one.boards, other.boards)
    assert game.position() == twin.position() and list(game.positions()) == list(twin.positions())


def test_what_a_game_says_of_itself_needs_no_nodes() -> None:
    game = GameRecord.from_text(GAME)
    assert (game.black_name, game.komi, game.handicap, game.get("XX")) == ("a", None, None, None)
    game.white_name = "b"
    assert game.root.tree.unread
    assert game.get("B") == "ee", "the first move's node is looked at where that may matter"


# ------------------------------------------------------------------------------------------------ afterwards


def test_what_is_unread_is_edited_like_anything_else() -> None:
    game, other, third = (GameRecord.from_text(GAME) for _ in range(3))
    node = game.root.add_variation("A1")
    assert [len(child.variations) for child in game.root.variations] == [1, 0] and node.move_number == 1
    node.promote()
    assert [point for _, point in game.moves()] == [72]
    end = other.append("J9")
    assert end.move_number == 6 and other.to_sgf().endswith(";B[TT];W[ia])\n")
    variations = third.root.variations
    variations[0].delete()
    assert third.root.variations == [] and third.to_sgf() == "(;SZ[9]PB[a])\n"
    root = parse(GAME).games[0]
    root.children.clear()
    assert root.children == [] and root.unread == ""


def test_a_warning_of_a_replay_names_the_line_of_a_move_that_had_no_node() -> None:
    game = GameRecord.from_text("(;SZ[9]\n;B[ee]\n;W[gc]\r\n;B[ee]\n;W[cc])")
    assert game.position().move_number == 2
    assert [str(warning)[:31] for warning in game.warnings] == ["line 4: Move 3, Black E5, is il"]
    assert [game.line_of(node.tree) for node in game.main_line()] == [1, 2, 3, 4, 5]


def long_line() -> Node:
    root = parse("(;GM[1]" + ";B[aa];W[bb]" * 50_000 + ")").games[0]
    assert root.unread
    return root


def test_a_hundred_thousand_unread_moves_are_walked_copied_pickled_and_written() -> None:
    expected = {"B": ["aa"]}, {"W": ["bb"]}
    line = long_line()
    assert len(main_line_of(line, 9, 9).points) == 100_000 and line.unread
    twin = pickle.loads(pickle.dumps(copy.deepcopy(line)))
    assert parse(serialize([twin])).games[0].unread.count(";") == 100_000
    for tree in (line, twin):
        nodes = list(lines.main_line(tree))
        assert len(nodes) == 100_001 and all(node.properties == expected[n % 2] for n, node in enumerate(nodes[1:]))
        assert all(node.parent is parent for parent, node in pairwise(nodes))
        assert sum(1 for _ in tree.walk()) == 100_001


class Watched(Node):
    """A node that can be watched while it is freed."""

    __slots__ = ("__weakref__",)


def test_a_long_line_is_freed_with_and_without_nodes() -> None:
    for make_nodes in (False, True):
        root = Watched({"GM": ["1"]})
        text = ";B[aa];W[bb]" * 50_000
        root.leave_unread(text, 0, len(text))
        if make_nodes:
            last = list(root.walk())[-1]
            assert last.properties == {"W": ["bb"]}
            del last
        gone = weakref.ref(root)
        del root
        gc.collect()
        assert gone() is None


def test_a_tree_without_nodes_is_no_work_for_the_collector() -> None:
    root = Watched()
    root.leave_unread(";B[aa];W[bb]", 0, 12)
    gone = weakref.ref(root)
    del root
    assert gone() is None, "no link leads back to it"


def test_threads_that_read_one_tree_together_see_the_same_nodes() -> None:
    text = "(;GM[1]" + ";B[aa];W[bb]" * 200 + ")"
    for _ in range(20):
        root, barrier = parse(text).games[0], threading.Barrier(4)
        found: list[list[int]] = []

        def read(root: Any = root, barrier: Any = barrier, found: Any = found) -> None:
            barrier.wait()
            found.append([id(node) for node in root.walk()])

        threads = [threading.Thread(target=read) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == 4 and len({tuple(ids) for ids in found}) == 1 and len(found[0]) == 401


def test_the_first_moves_may_be_taken_without_the_rest() -> None:
    root = long_line()
    assert [node.properties for node in islice(root.walk(), 1, 3)] == [{"B": ["aa"]}, {"W": ["bb"]}]
