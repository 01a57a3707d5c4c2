"""Sessions of the analysis engine for tests: a player that costs nothing, and answers as Python values."""

from __future__ import annotations

import json
from typing import Any, TypeGuard

from move37.analysis.engine import Engine
from move37.analysis.settings import Settings
from move37.search.evaluator import Evaluator
from move37.search.katago import KataGoConfig
from move37.search.katago_search import KataGoSearch
from move37.search.puct import SearchConfig
from move37.search.root import AnySearch, Search
from tests.support.networks import StonesEvaluator


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Whether a JSON value is an array."""
    return isinstance(value, list)


def is_dict(value: object) -> TypeGuard[dict[str, Any]]:
    """Whether a JSON value is an object."""
    return isinstance(value, dict)


BASE: dict[str, Any] = {"moves": [], "rules": "chinese", "komi": 7, "boardXSize": 9, "boardYSize": 9, "maxVisits": 2}
"""A query that lacks nothing but its id."""


class SearchingPlayer:
    """Searches as KataGo does, or by PUCT, whatever the board, over one evaluator that answers from the stones."""

    def __init__(self, evaluator: Evaluator | None = None, katago: bool = True, sizes: tuple[int, ...] = ()) -> None:
        self.evaluator = evaluator if evaluator is not None else StonesEvaluator(full=True)
        self.made: list[AnySearch] = []
        self._katago = katago
        self._sizes = sizes

    def supports(self, rows: int, cols: int) -> bool:
        return not self._sizes or (rows in self._sizes and cols in self._sizes)

    def new_search(self, rows: int, cols: int, **overrides: Any) -> AnySearch:
        if self._katago:
            self.made.append(KataGoSearch(self.evaluator, KataGoConfig(**overrides)))
        else:
            self.made.append(Search(self.evaluator, SearchConfig(**overrides)))
        return self.made[-1]


class Asked:
    """An engine and what it has answered. Its clock stands still unless `now` is moved."""

    def __init__(self, player: SearchingPlayer | None = None, settings: Settings | None = None, **options: Any) -> None:
        self.answers: list[dict[str, Any]] = []
        self.now = 0.0
        self.player = player or SearchingPlayer()
        self.engine = Engine(
            self.player, self._write, settings or Settings(max_visits=4), clock=lambda: self.now, **options
        )

    def _write(self, answer: dict[str, Any]) -> None:
        json.dumps(answer, allow_nan=False)
        self.answers.append(answer)

    def ask(self, **fields: Any) -> None:
        """Send the query `BASE` with `fields`; one that is ... is left out."""
        query = {"id": "q", **BASE, **fields}
        self.engine.receive(json.dumps({name: value for name, value in query.items() if value is not ...}))

    def answer(self, **fields: Any) -> dict[str, Any]:
        """`ask`, finish, and give the last answer."""
        self.ask(**fields)
        self.engine.finish()
        return self.answers[-1]
