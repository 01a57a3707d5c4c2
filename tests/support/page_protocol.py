"""The protocol of the page as TypeScript has it: which fields each message has, read from `web/src/protocol.ts`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

PROTOCOL = Path(__file__).parents[2] / "web" / "src" / "protocol.ts"
_INTERFACE = re.compile(r"interface (\w+)(?: extends (\w+))? \{(.*?)\n?\}(?:\n|$)", re.DOTALL)
_COMMENT = re.compile(r"/\*\*.*?\*/", re.DOTALL)
_FIELD = re.compile(r"(\w+)(\?)?: ([^;]+);?")


@dataclass(frozen=True)
class Interface:
    """An interface: its fields, those that may be left out, and its own `type` if it is a message."""

    fields: frozenset[str]
    optional: frozenset[str]
    type: str | None


@cache
def interfaces() -> dict[str, Interface]:
    """All interfaces by name."""
    found: dict[str, Interface] = {}
    for name, base, body in _INTERFACE.findall(_COMMENT.sub("", PROTOCOL.read_text(encoding="utf-8"))):
        fields: list[tuple[str, str, str]] = [
            (one, mark, kind.strip()) for one, mark, kind in _FIELD.findall(_flat(body))
        ]
        above = found.get(base, Interface(frozenset(), frozenset(), None))
        kind = next((kind.strip('" ') for one, _, kind in fields if one == "type"), None)
        found[name] = Interface(
            frozenset(one for one, _, _ in fields) | above.fields,
            frozenset(one for one, mark, _ in fields if mark) | above.optional,
            kind,
        )
    return found


def _flat(body: str) -> str:
    """A body without the fields of objects inside it."""
    return re.sub(r"\{[^{}]*\}", "object", body)


def union(name: str) -> list[str]:
    """The interfaces of a union type, `Request` or `Answer`."""
    text = PROTOCOL.read_text(encoding="utf-8")
    match = re.search(rf"export type {name} =([^;]+);", text)
    assert match is not None
    return [one.strip() for one in match[1].split("|") if one.strip()]


def check_answer(message: dict[str, Any]) -> None:
    """Refuse a message of the server whose fields are not those of the protocol."""
    known = {interfaces()[name].type: interfaces()[name] for name in union("Answer")}
    expected = known[message["type"]]
    assert message.keys() <= expected.fields, (message["type"], message.keys() - expected.fields)
    assert message.keys() >= expected.fields - expected.optional, (message["type"], expected.fields - message.keys())
