"""What is wrong with a line of the analysis protocol, as the protocol says it.

An answer names the query by its id and the field that is wrong, so that a program can tell whose mistake it was. The
wording is KataGo's where KataGo has the same complaint, for clients compare it (KaTrain looks for "Illegal move").
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from move37.errors import Move37Error

__all__ = ["Notice", "QueryError"]

LONGEST = 2_000
"""Characters of a complaint; what is quoted from a line of megabytes is cut there."""


class QueryError(Move37Error):
    """A line that gets no analysis; `id` and `field` are None where the line does not tell them."""

    def __init__(self, text: str, id: str | None = None, field: str | None = None) -> None:
        super().__init__(_cut(text))
        self.id, self.field = id, field

    def answer(self) -> dict[str, Any]:
        """The answer's fields."""
        return _framed("error", str(self), self.id, self.field)


@dataclass(frozen=True)
class Notice:
    """A warning: the query goes on without what it is about."""

    text: str
    id: str
    field: str

    def answer(self) -> dict[str, Any]:
        """The answer's fields."""
        return _framed("warning", _cut(self.text), self.id, self.field)


def _framed(kind: str, text: str, id: str | None, field: str | None) -> dict[str, Any]:
    about = {"id": id, "field": field}
    return {kind: text} | {key: value for key, value in about.items() if value is not None}


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[:LONGEST] + "..."
