"""Random trees and damaged files; `tests.sgf.fuzz` says how to run many more of the latter."""

from __future__ import annotations

import contextlib
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from move37.errors import SgfError
from move37.sgf.grammar import Node, parse, serialize
from move37.sgf.properties import escape_text
from tests.sgf.fuzz import HOSTILE, check, flat, hostile, inputs, run, seeds

COUNT = int(os.environ.get("MOVE37_FUZZ", "3000"))
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

names = st.text(LETTERS, min_size=1, max_size=3)
values = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20).map(escape_text)
nodes = st.dictionaries(names, st.lists(values, min_size=1, max_size=3), max_size=3)


@st.composite
def trees(draw: st.DrawFn) -> Node:
    """A tree of up to thirty nodes, each hung below any of those before it."""
    contents = draw(st.lists(nodes, min_size=1, max_size=30))
    found = [Node(contents[0])]
    for properties in contents[1:]:
        found.append(Node(properties, draw(st.sampled_from(found))))
    return found[0]


@given(st.lists(trees(), min_size=1, max_size=3))
def test_random_trees_survive_writing_and_reading(roots: list[Node]) -> None:
    text = serialize(roots)
    collection = parse(text)
    assert flat(collection.games) == flat(roots)
    assert collection.warnings == []
    assert flat(parse(text.encode(), "utf-8").games) == flat(roots)
    assert serialize(collection.games) == text


@given(st.binary())
def test_any_bytes_give_a_tree_or_an_error(data: bytes) -> None:
    check(data)
    check(b"(;" + data)
    check(b"(;C[" + data)


@given(st.text(alphabet=st.sampled_from("()[];:\\ \n\0ABab1é井")))
def test_any_signs_of_the_grammar_give_a_tree_or_an_error(text: str) -> None:
    check(text.encode())


def test_damaged_files_give_a_tree_or_an_error() -> None:
    read, _ = run(COUNT, seed=37)
    assert read > COUNT / 2


def test_the_fuzzer_gives_the_same_inputs_for_the_same_seed() -> None:
    files = seeds()
    first, second = inputs(5, files), inputs(5, files)
    assert [next(first) for _ in range(50)] == [next(second) for _ in range(50)]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_large_file_of_anything_gives_a_tree_or_an_error(name: str) -> None:
    with contextlib.suppress(SgfError):
        parse(hostile(name, 200_000))
