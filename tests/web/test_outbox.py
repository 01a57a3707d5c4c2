"""What waits to be sent: answers in order, of reports the newest, and not without end."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from move37.web.outbox import FullError, Letter, Outbox


def report(visits: int, opinion: int = 0, board: str = "a") -> Letter:
    return Letter.of({"type": "analysis", "board": board, "opinion": opinion, "visits": visits})


async def taken(outbox: Outbox, count: int) -> list[dict[str, Any]]:
    return [json.loads(await outbox.take()) for _ in range(count)]


def test_answers_come_in_order_and_of_each_kind_of_report_the_newest() -> None:
    async def scene() -> list[dict[str, Any]]:
        outbox = Outbox(1000)
        outbox.put(report(1))
        outbox.put(Letter.of({"type": "error", "text": "one"}))
        outbox.put(report(2))
        outbox.put(report(3, opinion=1))
        outbox.put(report(4, board="b"))
        outbox.put(report(5))
        outbox.put(Letter.of({"type": "review", "board": "a", "finished": False, "done": 1}))
        outbox.put(Letter.of({"type": "review", "board": "a", "finished": False, "done": 2}))
        outbox.put(Letter.of({"type": "review", "board": "a", "finished": True, "done": 2}))
        return await taken(outbox, 6)

    found = asyncio.run(scene())
    assert [one.get("text") or one.get("visits") or one["finished"] for one in found] == ["one", 3, 4, 5, False, True]


def test_who_does_not_read_is_told_on_but_one_long_answer_is_no_fault() -> None:
    async def scene() -> None:
        outbox = Outbox(100)
        outbox.put(Letter.of({"type": "sgf", "text": "x" * 500}))
        assert len(await outbox.take()) > 500
        for _ in range(3):
            outbox.put(Letter.of({"type": "sgf", "text": "x" * 40}))
        await outbox.take()

    with pytest.raises(FullError):
        asyncio.run(scene())


def test_reports_that_replace_each_other_never_fill_it() -> None:
    async def scene() -> list[dict[str, Any]]:
        outbox = Outbox(200)
        for visits in range(1000):
            outbox.put(report(visits))
            outbox.put(report(visits, opinion=1))
        return await taken(outbox, 2)

    assert [one["visits"] for one in asyncio.run(scene())] == [999, 999]


def test_waiting_ends_with_the_next_letter() -> None:
    async def scene() -> str:
        outbox = Outbox(100)
        waiting = asyncio.create_task(outbox.take())
        await asyncio.sleep(0)
        outbox.put(Letter("late"))
        return await waiting

    assert asyncio.run(scene()) == "late"
