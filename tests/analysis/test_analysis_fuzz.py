"""Two thousand lines, most of them wrong: never a crash, and one framed answer wherever one is due (B47)."""

from __future__ import annotations

import json
import random
from typing import Any

from move37.analysis.session import as_line
from tests.support.analysis import BASE, Asked, SearchingPlayer, is_dict, is_list
from tests.support.slow_search import HashEvaluator

LINES = 2_000

FULL: dict[str, Any] = {
    **BASE,
    "id": "q",
    "boardXSize": 5,
    "boardYSize": 5,
    "moves": [["B", "C3"], ["W", "D4"]],
    "initialStones": [["B", "A1"]],
    "initialPlayer": "B",
    "analyzeTurns": [0, 2],
    "priorities": [1, 2],
    "whiteHandicapBonus": "N",
    "analysisPVLen": 3,
    "rootFpuReductionMax": 0.1,
    "overrideSettings": {"maxVisits": 3, "maxTime": 1.0, "cpuctExploration": 1.0},
    "includeOwnership": True,
    "includePolicy": True,
    "reportDuringSearchEvery": 1.0,
    "avoidMoves": [{"player": "B", "moves": ["C3", "pass"], "untilDepth": 2}],
}
ACTIONS: list[dict[str, Any]] = [
    {"id": "x", "action": "query_version"},
    {"id": "x", "action": "query_models"},
    {"id": "x", "action": "clear_cache"},
    {"id": "x", "action": "terminate", "terminateId": "q", "turnNumbers": [0]},
    {"id": "x", "action": "terminate_all"},
]
ODD: list[Any] = [
    *[None, True, -1, 0, 1, 2, 3, 2**31, 2**63, 10**400, -(10**30), 0.5, 1e308, -0.0],
    *["", "B", "w", "pass", "C3", "Z99", "\u0000", "é", "\ud800", "chinese", "japanese", "x" * 5000],
    *[[], {}, [[]], [["B", "C3"]], [["W", "C3"], ["W", "C3"]], [0], [2, 1], ["C3"]],
    *[{"ko": "SIMPLE"}, {"scoring": "TERRITORY"}, {"player": "B"}, [{"player": "B", "moves": []}]],
]


def mutated(rng: random.Random, value: Any, depth: int = 0) -> Any:
    """A value with some part of it replaced, dropped or doubled."""
    if depth and rng.random() < 0.3:
        return rng.choice(ODD)
    if is_dict(value) and value:
        changed = dict(value)
        key = rng.choice(list(changed))
        if rng.random() < 0.2:
            del changed[key]
        else:
            changed[key] = mutated(rng, changed[key], depth + 1)
        if rng.random() < 0.1:
            changed[rng.choice(["foo", "", "maxVisits", "komi", "é"])] = rng.choice(ODD)
        return changed
    if is_list(value) and value:
        items = list(value)
        at = rng.randrange(len(items))
        items[at : at + 1] = [mutated(rng, items[at], depth + 1)] * rng.choice([0, 1, 1, 1, 2])
        return items
    return rng.choice(ODD)


def garbled(rng: random.Random, text: str) -> str:
    """A line with some characters lost, doubled or replaced."""
    letters = list(text)
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(letters))
        letters[at : at + 1] = rng.choices('{}[]",:0eE-\\\x00é \u2028', k=rng.choice([0, 1, 2]))
        if not letters:
            return "{"
    return "".join(letters)


def line(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.05:
        return bytes(rng.randrange(256) for _ in range(rng.randint(1, 60))).decode("utf-8", errors="replace")
    if kind < 0.07:
        return rng.choice("[{") * rng.choice([10, 100_000])
    base = rng.choice(ACTIONS) if kind < 0.2 else FULL
    if kind > 0.5:  # one priority for all, as in most queries
        base = {name: value for name, value in base.items() if name != "priorities"}
    changed: Any = base
    for _ in range(rng.choice([0, 1, 1, 2, 4])):
        changed = mutated(rng, changed)
    text = json.dumps(changed)
    return garbled(rng, text) if rng.random() < 0.2 else text


def test_b47_fuzzed_lines_never_crash_the_engine() -> None:
    rng = random.Random(37)
    asked = Asked(SearchingPlayer(HashEvaluator(), katago=False), parallel=4)
    searched = 0
    for number in range(LINES):
        sent = line(rng)
        before = len(asked.answers)
        asked.engine.receive(sent)
        for _ in range(50):
            if asked.engine.busy:
                asked.now += 0.4
                asked.engine.step()
        if asked.engine.busy:  # a mutation that asks for millions of visits
            asked.engine.receive('{"id": "end", "action": "terminate_all"}')
            asked.engine.finish()
        new = asked.answers[before:]
        for answer in new:
            assert "\n" not in as_line(answer)
            assert not answer.get("error", "").startswith("internal error"), (number, sent, answer)
        finals = [answer for answer in new if answer.get("isDuringSearch") is False]
        errors = [answer for answer in new if "error" in answer]
        searched += len(finals)
        if sent.strip():
            assert len(errors) <= 1
            assert bool(errors) + bool(finals) + any("action" in answer for answer in new) >= 1 or _asks_nothing(sent)
    assert searched > LINES / 5


def _asks_nothing(sent: str) -> bool:
    """Whether a line is a query of no turns, which KataGo answers by silence."""
    query = json.loads(sent)
    return bool(query.get("analyzeTurns") == [])
