"""Pictures on the command line: the words of the options become a request, the picture is drawn and written."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from move37.errors import ConfigError
from move37.pictures.catalogue import CATALOGUE, draw, option
from move37.pictures.png import require_png
from move37.pictures.request import Request

STDOUT = Path("-")


def write_picture(what: str | None, parts: dict[str, Any], out: Path | None, width: int | None, theme: str) -> None:
    """Write the picture `what` to `out` (default: WHAT.svg; "-": to stdout) and say so; without `what` list all."""
    if what is None:
        print(_listed())
        return
    target = Path(f"{what}.svg") if out is None else out
    _require_writable(target)
    picture = draw(what, _request(parts))
    if target == STDOUT:
        print(picture.svg(width=width, theme=theme))
        return
    picture.save(target, width=width, theme=theme)
    print(f"move37: wrote {target}", file=sys.stderr)


def _listed() -> str:
    """All pictures, a line each, with the options that they use."""
    longest = max(len(name) for name in CATALOGUE)
    lines = [
        f"{entry.name.ljust(longest)}  {entry.shows}\n{' ' * longest}  {', '.join(option(one) for one in entry.uses)}"
        for entry in CATALOGUE.values()
    ]
    return "\n".join(lines)


def _require_writable(target: Path) -> None:
    """Refuse a name before a search is run for it."""
    if target != STDOUT and target.suffix.lower() not in (".svg", ".png"):
        raise ConfigError(f"{target}: a picture is written as .svg or .png; end its name so")
    if target.suffix.lower() == ".png":
        require_png()


def _request(parts: dict[str, Any]) -> Request:
    given = dict(parts)
    given["moves"] = tuple(int(one) for one in _numbers(given["moves"], "--moves 10,60", str.isdecimal))
    given["temperature"] = tuple(float(one) for one in _numbers(given["temperature"], "--temperature 0.5,1", _is_float))
    given["only"] = tuple(_split(given["only"]))
    given["labels"] = _pairs(given["labels"], "--label E5=A")
    given["marks"] = _pairs(given["marks"], "--mark E5=tomato")
    return Request(**given)


def _split(text: str | None) -> list[str]:
    return [one.strip() for one in (text or "").split(",") if one.strip()]


def _numbers(text: str | None, example: str, is_one: Any) -> list[str]:
    found = _split(text)
    wrong = [one for one in found if not is_one(one)]
    if wrong:
        raise ConfigError(f"{wrong[0]!r:.40} is no number: write {example}")
    return found


def _is_float(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _pairs(texts: Sequence[str], example: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in texts:
        vertex, sign, words = text.partition("=")
        if not sign or not vertex:
            raise ConfigError(f"{text!r:.40} names no point and text: write {example}")
        found[vertex] = words
    return found
