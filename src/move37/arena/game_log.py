"""The log of games: JSON Lines, one finished game a line, written at once, so that a kill loses only what is going on.

A line says what the game belongs to (a ladder or a tournament, under that word: its settings and players), who played,
and the game. Whole lines count; a last line that a kill cut short is taken out before more are added. One log may hold
games of several ladders, tournaments and matches; who reads it takes those that are its own. What the games mean is
worked out elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

from move37.arena.game import GameResult
from move37.errors import ConfigError
from move37.files import write_text

__all__ = ["Kind", "add_game", "add_line", "games_of", "read_lines"]

Kind: TypeAlias = Literal["ladder", "tournament"]
_NEEDED = {"number", "black", "winner", "result", "reason", "opening_moves", "player_a", "player_b"}


def add_line(path: Path, line: str) -> None:
    """Add `line`, or only try with ""; opened anew each time, so that nothing refused is tried again at the end."""
    try:
        with path.open("ab", buffering=0) as file:
            file.write(line.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise ConfigError(f"{path}: the log cannot be written ({error.strerror or error}); choose another") from error


def add_game(path: Path, names: tuple[str, str], game: GameResult, belongs: Mapping[str, Any] | None = None) -> None:
    """Add a game of the players `names` (A, B); `belongs`, such as {"ladder": {...}}, says what it is part of."""
    line = {**(belongs or {}), "player_a": names[0], "player_b": names[1], **game.to_dict()}
    add_line(path, json.dumps(line, ensure_ascii=False) + "\n")


def read_lines(log: Path, kind: Kind, *, mend: bool = False) -> list[dict[str, Any]]:
    """The whole lines of a log, [] where there is none; with `mend` a line that was cut short is taken out of the file.

    `ConfigError` for a file that is no log of games, which stays as it is.
    """
    try:
        data = log.read_bytes() if log.exists() else b""
        whole, rest = data[: data.rfind(b"\n") + 1], data[data.rfind(b"\n") + 1 :]
        found: list[Any] = [json.loads(line) for line in whole.split(b"\n") if line.strip()]
    except (OSError, ValueError) as error:
        raise ConfigError(f"{log}: this is no log of a {kind} ({error}); give another file") from error
    if not all(_is_fit(line, kind) for line in found) or rest[:1] not in (b"", b"{"):
        raise ConfigError(f"{log}: this is no log of a {kind} (a line is no game); give another file")
    if mend and rest:
        write_text(log, whole.decode())
    return found


def games_of(lines: Iterable[Mapping[str, Any]], kind: Kind, key: Mapping[str, Any], most: int) -> list[GameResult]:
    """The games of what `key` describes, each number below `most` once (its last line), in the order of the log."""
    mine = {line["number"]: line for line in lines if line.get(kind) == key and line["number"] < most}
    names = {field.name for field in fields(GameResult)}
    return [GameResult(**{name: line[name] for name in names if name in line}) for line in mine.values()]


def _is_fit(line: object, kind: Kind) -> bool:
    """Whether a line is something else's, or has what a game has, of the right kinds."""
    if not isinstance(line, dict):
        return False
    found = cast("dict[str, Any]", line)
    return kind not in found or (
        found.keys() >= _NEEDED
        and isinstance(found["number"], int)
        and found["black"] in ("A", "B")
        and found["winner"] in ("A", "B", None)
        and isinstance(found.get("moves", []), list)
    )
