"""Configuration files of KataGo's: `key = value` lines, and the `key=value,key=value` of its command line.

Only what they say is read here; `settings` knows what it means.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from move37.errors import ConfigError
from move37.files import read_bytes

__all__ = ["read_config", "read_pairs"]

_LARGEST: Final = 2**20
_DEEPEST: Final = 8


def read_config(path: Path | str) -> dict[str, str]:
    """The keys and values of a file; `#` begins a comment, `@include FILE` reads another file in its place.

    ConfigError in one sentence that names the file and line for anything else.
    """
    return _read(Path(path), 0)


def _read(path: Path, depth: int) -> dict[str, str]:
    if depth > _DEEPEST:
        raise ConfigError(f"{path}: too many files include one another; does one include itself?")
    try:
        text = read_bytes(path, _LARGEST).decode("utf-8-sig")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or " ".join(str(error).split())
        raise ConfigError(f"{path}: the configuration cannot be read ({reason})") from error
    values: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].strip()
        if words.startswith("@include "):
            values |= _read(path.parent / words.removeprefix("@include ").strip(), depth + 1)
        elif words:
            key, sign, value = (part.strip() for part in words.partition("="))
            if not (sign and key):
                raise ConfigError(f"{path}, line {number}: expected key = value, found {words!r:.80}")
            values[key] = value
    return values


def read_pairs(text: str) -> dict[str, str]:
    """The keys and values of `key=value,key=value`; ConfigError for anything else."""
    values: dict[str, str] = {}
    for pair in filter(None, (part.strip() for part in text.split(","))):
        key, sign, value = (part.strip() for part in pair.partition("="))
        if not (sign and key):
            raise ConfigError(f"{pair!r:.80} is no setting: write key=value, with commas between several")
        values[key] = value
    return values
