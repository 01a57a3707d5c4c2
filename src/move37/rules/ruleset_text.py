"""What a person writes for rules, as plain keys and values: TOML files, JSON, and `key=value` lists.

Nothing here knows which keys and values there are; `ruleset` does.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, cast

from move37.errors import RulesError
from move37.files import read_bytes

BASE: Final = "base"
"""The key that names the rules whose values the other keys change."""
_LARGEST_FILE: Final = 2**20


def parse_rules_text(text: str) -> str | Mapping[str, Any]:
    """Tell what a text is: JSON (``{"ko": "simple"}``), a list (``japanese, encore=true``), or else a name, unchanged.

    A list has pairs with commas between them; its first entry may be a name. Raises `RulesError` for broken JSON, an
    entry that is no pair, and a key that stands twice.
    """
    words = text.strip()
    if words.startswith("{"):
        return _from_json(words)
    return _from_list(words) if "=" in words else words


def read_rules_file(path: Path | str) -> Mapping[str, Any]:
    """Read a TOML file, with a byte-order mark or without; `RulesError` in one sentence that names it."""
    try:
        return tomllib.loads(read_bytes(path, _LARGEST_FILE).decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        what = 'write texts in quotes, such as ko = "simple"' if _is_bad_toml(error) else "give a TOML file of rules"
        raise RulesError(f"{path}: the rules cannot be read ({_reason(error)}): {what}.") from error


def _is_bad_toml(error: Exception) -> bool:
    return not isinstance(error, OSError | UnicodeDecodeError)


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return error.strerror or str(error)
    if isinstance(error, UnicodeDecodeError):
        return f"it is not UTF-8 text at byte {error.start}"
    return f"it is not TOML: {' '.join(str(error).split())}"


def _from_json(text: str) -> Mapping[str, Any]:
    try:
        values: object = json.loads(text, object_pairs_hook=_pairs)
    except (ValueError, RecursionError) as error:
        raise RulesError(f'Rules {text!r:.80} are not JSON ({error}): write {{"ko": "simple"}}, say.') from error
    return cast("Mapping[str, Any]", values)  # what begins with a brace and is JSON is an object


def _from_list(text: str) -> Mapping[str, Any]:
    first, *more = [entry.strip() for entry in text.split(",")]
    pairs = [(BASE, first), *map(_pair, more)] if "=" not in first else list(map(_pair, [first, *more]))
    return _pairs(pairs)


def _pair(entry: str) -> tuple[str, str]:
    key, sign, value = (part.strip() for part in entry.partition("="))
    if not (key and sign and value):
        raise RulesError(f"{entry!r:.80} is no rule: write key=value, such as suicide=false, with commas between.")
    return key, value


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise RulesError(f"Rule {key!r:.80} is given twice: give it once.")
        found[key] = value
    return found
