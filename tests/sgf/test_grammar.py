from __future__ import annotations

import copy
import gc
import importlib
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from move37.errors import SgfError
from move37.sgf.grammar import Collection, Node, parse, serialize
from tests.sgf.fuzz import DATA, flat
from tests.support.shared import SHARED

ODD = SHARED / "games" / "sgf-odd"


def line(root: Node) -> list[dict[str, list[str]]]:
    """The properties of the nodes of the main line."""
    found = [root.properties]
    while root.children:
        root = root.children[0]
        found.append(root.properties)
    return found


def messages(collection: Collection) -> list[str]:
    return [str(warning) for warning in collection.warnings]


# ------------------------------------------------------------------------------------------------------ what is right


def test_nodes_properties_and_values_keep_their_order_and_their_escapes() -> None:
    collection = parse(
        r"(;XY[b][a]GM[1] C [a\] \\ b;(]" + "\n;B[aa]\n(;W[bb];B[])(;W[cc]TR[aa:bb]\n[dd]))\r\n(;SZ[9])\n"
    )
    assert messages(collection) == []
    first, second = collection.games
    assert list(first.properties.items()) == [("XY", ["b", "a"]), ("GM", ["1"]), ("C", [r"a\] \\ b;("])]
    assert line(first)[1:] == [{"B": ["aa"]}, {"W": ["bb"]}, {"B": [""]}]
    assert first.children[0].children[1].properties == {"W": ["cc"], "TR": ["aa:bb", "dd"]}
    assert line(second) == [{"SZ": ["9"]}]
    assert first.parent is None and first.children[0].children[1].parent is first.children[0]


def test_a_node_knows_its_place_in_the_file() -> None:
    collection = parse("(;GM[1]\n;B[aa]\n;;W[bb])")
    nodes = list(collection.games[0].walk())
    assert [node.offset for node in nodes] == [1, 8, 15, 16]
    assert [collection.line(node.offset) for node in nodes] == [1, 2, 3, 3]
    assert [parse("(;\r;B[aa]\r)").line(offset) for offset in (0, 3, 10)] == [1, 2, 3]
    assert Node().offset == -1


def test_variations_may_begin_with_several_nodes_or_empty_ones() -> None:
    root = parse("(;(;;B[aa])(;)(;W[bb](;C[x])))").games[0]
    shapes = [(node.properties, len(node.children)) for node in root.walk()]
    assert shapes == [({}, 3), ({}, 1), ({"B": ["aa"]}, 0), ({}, 0), ({"W": ["bb"]}, 1), ({"C": ["x"]}, 0)]


def test_writing_breaks_lines_between_nodes_and_variations_only() -> None:
    text = serialize(
        parse("(;GM[1]C[a\nb" + "x" * 100 + "]" + ";B[aa];W[bb]" * 8 + "(;B[cc];W[])(;B[dd](;W[ee])(;W[ff])))").games
    )
    assert text.splitlines() == [
        "(;GM[1]C[a",
        "b" + "x" * 100 + "]",
        ";B[aa];W[bb];B[aa];W[bb];B[aa];W[bb];B[aa];W[bb];B[aa];W[bb];B[aa];W[bb];B[aa]",
        ";W[bb];B[aa];W[bb]",
        "(;B[cc];W[])",
        "(;B[dd]",
        "(;W[ee])",
        "(;W[ff])))",
    ]


def test_writing_mends_what_would_not_be_read_again() -> None:
    root = Node({"C": ["a ] b", r"fine \] \\", "ends\\"], "AB": []})
    assert serialize([root]) == "(;C[a \\] b][fine \\] \\\\][ends\\\\])\n"
    assert serialize([]) == ""


@pytest.mark.parametrize("path", sorted(DATA.glob("*.sgf")), ids=lambda path: path.stem)
def test_hand_made_files_survive_writing_and_reading(path: Path) -> None:
    collection = parse(path.read_bytes())
    again = parse(serialize(collection.games))
    assert flat(again.games) == flat(collection.games)
    assert again.warnings == [] or path.stem == "broken"


@pytest.mark.skipif(not ODD.is_dir(), reason="no shared folder of odd files")
def test_every_shared_file_survives_writing_and_reading() -> None:
    files = sorted((SHARED / "games").glob("sgf-*/**/*.sgf"))
    assert len(files) > 600
    without_game = []
    for path in files:
        try:
            collection = parse(path.read_bytes())
        except SgfError:
            without_game.append(path.name)
            continue
        assert flat(parse(serialize(collection.games)).games) == flat(collection.games), path
        if "sgf-sample" in path.parts:
            assert collection.warnings == [], path
    assert without_game == ["littlego__not-an-sgf-file.sgf", "teeny-go__21682239.sgf"]


@pytest.mark.skipif(not ODD.is_dir(), reason="no shared folder of odd files")
def test_sgfmill_reads_the_same_nodes_from_every_file_that_it_reads() -> None:
    sgfmill: Any = importlib.import_module("sgfmill.sgf_grammar")  # it has no types
    agreed = 0
    for path in sorted((SHARED / "games").glob("sgf-*/**/*.sgf")):
        try:
            collection = parse(path.read_bytes())
            theirs = sgfmill.parse_sgf_collection(collection.text.encode())
        except (SgfError, ValueError):
            continue
        nodes = [node.properties for root in collection.games for node in root.walk()]
        assert nodes == [decoded for game in theirs for decoded in sgfmill_nodes(game)], path
        agreed += 1
    assert agreed > 650


def sgfmill_nodes(game: Any) -> Iterator[dict[str, list[str]]]:
    """The properties of every node of sgfmill's tree, in the order of the file."""
    todo = [game]
    while todo:
        part = todo.pop()
        for node in part.sequence:
            yield {name: [value.decode() for value in values] for name, values in node.items()}
        todo.extend(reversed(part.children))


# ------------------------------------------------------------------------------------------------------ what is mended


@pytest.mark.parametrize(
    ("text", "expected", "warning"),
    [
        ("(;B[aa];W[bb]", [{"B": ["aa"]}, {"W": ["bb"]}], "line 1: the last game is not closed by ')'"),
        ("(;B[aa];W[b", [{"B": ["aa"]}, {"W": ["b"]}], "line 1: the last value is not closed by ']'"),
        ("(;B[aa];W[b\\", [{"B": ["aa"]}, {"W": ["b"]}], "line 1: the last value is not closed by ']'"),
        ("Hello (world)\n(;B[aa])", [{"B": ["aa"]}], "line 1: text outside the games was skipped"),
        ("(;B[aa])\nbye", [{"B": ["aa"]}], "line 2: text outside the games was skipped"),
        ("(;B[aa]];W[bb])", [{"B": ["aa"]}, {"W": ["bb"]}], "line 1: text that is no property was skipped"),
        ("(;\nfoo 12 B[aa]bar)", [{"B": ["aa"]}], "line 2: text that is no property was skipped (2 times, first here)"),
        ("(;[zz]B[aa])", [{"B": ["aa"]}], "line 1: a value without a property was skipped"),
        ("(GM[1]\n;B[aa])", [{"GM": ["1"]}, {"B": ["aa"]}], "line 1: a ';' is missing before a node"),
        ("(;GM[1](B[aa]))", [{"GM": ["1"]}, {"B": ["aa"]}], "line 1: a ';' is missing before a node"),
        (";GM[1];B[aa]", [{"GM": ["1"]}, {"B": ["aa"]}], "line 1: the game has no '(' before it"),
        ("(;AB[aa]C[]AB[bb])", [{"AB": ["aa", "bb"], "C": [""]}], "line 1: AB stands twice in a node"),
        ("(;C[a\0b]\0;B[aa])", [{"C": ["ab"]}, {"B": ["aa"]}], "line 1: zero bytes were taken out"),
        ("(;Bl[aa];b[bb])", [{"B": ["aa"]}, {"B": ["bb"]}], "line 1: old or small-letter property names"),
        ("(;PB[a [1d]]BR[1d])", [{"PB": [r"a [1d\]"], "BR": ["1d"]}], "line 1: brackets in a value were not escaped"),
        (
            "(;PW[[\\]=[]]\n;B[aa])",
            [{"PW": [r"[\]=[\]"]}, {"B": ["aa"]}],
            "line 1: brackets in a value were not escaped",
        ),
        ("(;PB[[x] Bob [5]])", [{"PB": [r"[x\] Bob [5\]"]}], "line 1: brackets in a value were not escaped"),
        ("(CA[UTF-8])\n(;B[aa])", [{"B": ["aa"]}], "line 1: text outside the games was skipped"),
        ("<p>(;i<n;)</p> (;B[aa])", [{"B": ["aa"]}], "line 1: text outside the games was skipped"),
    ],
)
def test_a_fault_is_mended_with_a_warning(text: str, expected: list[dict[str, list[str]]], warning: str) -> None:
    collection = parse(text)
    assert [line(root) for root in collection.games] == [expected]
    assert any(message.startswith(warning) for message in messages(collection)), messages(collection)


def test_bytes_that_end_an_old_file_and_odd_blanks_are_no_fault() -> None:
    assert messages(parse("\ufeff(;GM[1]\x1a\u3000;\x01B [aa]\t\v)\r\n\x1a")) == []


def test_a_node_after_a_variation_continues_as_another_one() -> None:
    root = parse("(;A[1](;B[aa]);W[bb])").games[0]
    assert [child.properties for child in root.children] == [{"B": ["aa"]}, {"W": ["bb"]}]


def test_old_property_names_lose_their_small_letters() -> None:  # B27
    root = parse("(;GaMe[1]SiZe[9];Black[de];White[fe])").games[0]
    assert line(root) == [{"GM": ["1"], "SZ": ["9"]}, {"B": ["de"]}, {"W": ["fe"]}]


def test_empty_values_are_kept_as_they_are() -> None:  # B23
    assert line(parse("(;GM[1]SZ[9]AB[]HA[0];B[ee]SQ[])").games[0]) == [
        {"GM": ["1"], "SZ": ["9"], "AB": [""], "HA": ["0"]},
        {"B": ["ee"], "SQ": [""]},
    ]


def test_warnings_name_the_game_and_stay_few() -> None:
    collection = parse("(;B[aa])(;B[aa]\n]];;W[bb])")
    assert messages(collection) == ["game 2, line 2: text that is no property was skipped"]
    many = parse("(;B[aa]])" * 1000)
    assert len(many.games) == 1000 and len(many.warnings) == 101
    assert many.warnings[-1].message == "further faults are not listed"


# ------------------------------------------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "the file is empty"),
        (b" \r\n\0", "the file is empty"),
        (b"this is not SGF", "SGF begins with '(;'"),
        (b"\n<!doctype html>\n<script>for(;;){a[0]}</script>", "a web page"),
        (b'{"moves": [1, 2]}', "JSON"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(1, 32)) * 9 + b"(;B[aa])", "no text"),
    ],
)
def test_what_holds_no_game_is_one_clear_error(data: bytes, what: str) -> None:
    with pytest.raises(SgfError, match=r"^No game tree was found: .*\.$") as caught:
        parse(data)
    assert what in str(caught.value)


def test_more_empty_nodes_than_any_game_has_are_refused() -> None:
    with pytest.raises(SgfError, match="no game record"):
        parse("(" + ";" * 1_000_000)


# ------------------------------------------------------------------------------------------------------ no recursion


def deep_line() -> Node:
    return parse("(;GM[1]" + ";B[aa];W[bb]" * 50_000 + ")").games[0]


def nested_variations() -> Node:
    return parse("(;GM[1]" + "(;B[aa](;W[bb];C[x])" * 5_000 + ")" * 5_001).games[0]


@pytest.mark.parametrize("make", [deep_line, nested_variations])
def test_long_and_nested_files_are_read_copied_written_and_freed(make: Callable[[], Node]) -> None:  # B25
    root = make()
    before = flat([root])
    assert len(before) > 10_000
    assert flat(parse(serialize([root])).games) == before
    twin = copy.deepcopy(root)
    assert flat([twin]) == before
    assert twin.properties is not root.properties
    del root, twin
    gc.collect()


def test_a_node_is_pickled_with_all_below_it() -> None:
    root = nested_variations()
    twin = pickle.loads(pickle.dumps(root))
    assert flat([twin]) == flat([root])
    assert [node.offset for node in twin.walk()] == [node.offset for node in root.walk()]


def test_three_thousand_open_brackets_and_a_chain_without_parents() -> None:
    nodes = list(parse("(;" * 3000).games[0].walk())
    assert len(nodes) == 3000
    for node in nodes:
        node.parent = None
    nodes.clear()
    gc.collect()


def test_copying_part_of_a_tree_leaves_its_parent() -> None:
    root = parse("(;GM[1];B[aa](;W[bb])(;W[cc]))").games[0]
    part = copy.copy(root.children[0])
    assert part.parent is None
    part.children[0].properties["W"].append("zz")
    assert root.children[0].children[0].properties == {"W": ["bb"]}
    assert repr(part) == "Node(;B[aa])"
    assert len(repr(Node({"C": ["x" * 1000]}))) < 80


def test_the_garbage_collector_is_on_again_after_a_large_file() -> None:
    parse("(;" + ";B[aa]" * 20_000 + ")")
    with pytest.raises(SgfError):
        parse("(" + ";" * 200_000)
    assert gc.isenabled()
    gc.disable()
    parse("(;" + ";B[aa]" * 20_000 + ")")
    assert not gc.isenabled()
    gc.enable()


def test_the_grammar_needs_no_numpy() -> None:
    code = "import sys, move37.sgf.grammar; assert not {'numpy', 'numba', 'charset_normalizer'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
