"""A shelf: so many things, so long, and each taken once."""

from __future__ import annotations

from move37.web.shelf import Shelf


def test_things_are_taken_once_and_the_first_go_first() -> None:
    shelf: Shelf[int] = Shelf(2, 10.0, lambda: 0.0)
    for name, thing in (("a", 1), ("b", 2), ("a", 3), ("c", 4)):
        shelf.put(name, thing)
    assert [shelf.take(name) for name in ("a", "b", "c", "a")] == [3, None, 4, None]


def test_things_are_kept_for_a_while() -> None:
    now = 0.0
    shelf: Shelf[int] = Shelf(5, 10.0, lambda: now)
    shelf.put("a", 1)
    now = 8.0
    shelf.put("b", 2)
    now = 11.0
    assert shelf.take("a") is None and shelf.take("b") == 2
