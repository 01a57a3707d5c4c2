"""What the engine says of wrong queries: the words and fields of KataGo 1.18.1, which clients look for (B47)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.analysis import BASE, Asked

TABLE = Path(__file__).parents[1] / "data" / "analysis_wording.jsonl"
"""Queries and the errors and warnings that KataGo answered to them; `without`: fields of BASE that are not there."""

CASES: list[dict[str, Any]] = [json.loads(line) for line in TABLE.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["query"]["id"])
def test_errors_and_warnings_are_katagos(case: dict[str, Any]) -> None:
    query = {name: value for name, value in BASE.items() if name not in case["without"]} | case["query"]
    asked = Asked()
    asked.engine.receive(json.dumps(query))
    said = [answer for answer in asked.answers if "error" in answer or "warning" in answer]
    assert said == [{"id": query["id"], **answer} for answer in case["answers"]]
    asked.engine.finish()
    failed = any("error" in answer for answer in case["answers"])
    assert sum("rootInfo" in answer for answer in asked.answers) == (0 if failed else 1)


def test_the_table_is_there() -> None:
    assert len(CASES) > 80


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("{bad", "could not parse input line as json request: {bad"),
        ("nul", "could not parse"),
        ('{"id": "a", "komi": NaN}', "NaN is no number"),
        ("[1]", "was not an object, ignoring: [1]"),
        ('"x"', "was not an object"),
        ("{}", 'Request must have a string "id" field'),
        ('{"id": 3}', 'Request must have a string "id" field'),
        ("[" * 100_000, "could not parse"),
        ('{"id": "a", "komi": ' + "9" * 5000 + "}", "could not parse"),
    ],
)
def test_b47_a_line_that_is_no_query_gets_one_error_without_an_id(line: str, word: str) -> None:
    asked = Asked()
    asked.engine.receive(line)
    assert [list(answer) for answer in asked.answers] == [["error"]]
    assert word in asked.answers[0]["error"]
    assert len(asked.answers[0]["error"]) < 3000


def test_b47_an_unknown_action_and_wrong_turns_name_the_query() -> None:
    asked = Asked()
    for action in ({"action": "quit"}, {"action": "terminate_all", "turnNumbers": [1.5]}):
        asked.engine.receive(json.dumps({"id": "a", **action}))
    assert [(answer["id"], answer["field"]) for answer in asked.answers] == [("a", "action"), ("a", "turnNumbers")]


def test_a_blank_line_gets_no_answer() -> None:
    asked = Asked()
    asked.engine.receive("  \t\r\n")
    assert asked.answers == []
