r"""What a few broken bytes do to a text, and how little of it they may take.

Two things happen to files of game records. A stretch of bad bytes in UTF-8 must not make the rest look like another
encoding. And a comment that a program cut in the middle of a two-byte character ends in a first byte alone: decoded as
it stands it takes the ``]`` behind it for its second byte (0x5D is one in Shift-JIS, GBK and Big5), and all moves up to
the next ``]`` become text. Which encoding a file is in is settled elsewhere (`encoding`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from move37.sgf.guess import plausibility

__all__ = ["close_values", "is_mostly_utf8"]

_LOST: Final = "\ufffd"
_TWO_BYTES: Final = re.compile("[\x80-\u07ff]")
_MORE_BYTES: Final = re.compile("[\u0800-\ufffc\uffff-\U0010ffff]")
_VALID_TO_BROKEN: Final = 4
"""So many bytes must be good for each that is not."""
_BEYOND_CHANCE: Final = 15
"""So many good characters are not met by chance; of fewer most must be common ones."""
_LIKELY: Final = 0.5
_LEAD_BYTES: Final = range(0x81, 0xFF)

_PLAIN_VALUE: Final = r"\[(?:[^\]\\]|\\[^\]]){0,80}+(?!\\\])"
"""A value that does not soon have an escaped bracket, as one that is quoted in a comment has."""
_STRUCTURE: Final = (
    rf"\s*+(?:;\s*+[A-Z][A-Za-z]{{0,11}}+\s*+{_PLAIN_VALUE}|[A-Z]{{1,2}}+\s*+{_PLAIN_VALUE}|\[[A-Za-z]{{2}}:"
    r"|(?=[;)])[;)\s]{1,80}+(?:\(\s*+;|\Z)|\)\s*+\(\s*+;|\(\s*+;\s*+[A-Z]{1,2}\s*+\[)"
)
"""What follows a value and hardly ever stands in one: the next property, node, variation, or the end."""


def is_mostly_utf8(data: bytes, *, declared: bool) -> bool:
    """Whether bytes that are not all UTF-8 are so but for a few, as a file that `declared` it is likelier to be.

    Characters of three bytes and more are hardly met by chance; those of two are in Chinese and Korean encodings, so
    they count for less unless UTF-8 was declared.
    """
    text = data.decode("utf-8", "replace")
    lost = text.count(_LOST) - data.count(_LOST.encode())
    longer, shorter = _MORE_BYTES.findall(text), len(_TWO_BYTES.findall(text))
    if len("".join(longer).encode()) + shorter * (2 if declared else 1) < _VALID_TO_BROKEN * lost:
        return False
    beyond_chance = declared or len(longer) + shorter >= _BEYOND_CHANCE
    return beyond_chance or plausibility(text.replace(_LOST, ""), "utf-8") > _LIKELY


def close_values(text: str, encoding: str) -> tuple[str, int]:
    r"""The text with ``]`` where the first byte of a cut character took it, and how often that was.

    That is where a character whose second byte is 0x5D stands before what goes on as SGF does after a value.

    >>> close_values(b"(;C[a\x89];W[cc])".decode("cp932"), "cp932")
    ('(;C[a\ufffd];W[cc])', 1)
    """
    pattern = _takers(encoding)
    return (text, 0) if pattern is None else pattern.subn(f"{_LOST}]", text)


@lru_cache(maxsize=32)
def _takers(encoding: str) -> re.Pattern[str] | None:
    """A character of the encoding whose second byte is ``]``, before SGF's structure; None where there is none."""
    pairs = (bytes((lead, ord("]"))).decode(encoding, "ignore") for lead in _LEAD_BYTES)
    characters = "".join(pair for pair in pairs if len(pair) == 1 and pair != "]")
    return re.compile(rf"[{re.escape(characters)}](?={_STRUCTURE})") if characters else None
