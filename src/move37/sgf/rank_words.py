"""Ranks in the words of game records, in one spelling.

Records say `3d`, `3 dan`, `9 dan pro`, `5段`, `五段`, `2급`, `7D*`, `9DP`. Nothing here orders ranks: `games.ranks`
does.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

_RANK: Final = re.compile(r"(\d{1,2})\s*-?(?:st|nd|rd|th)?\s*(kyu|gup|k|dan|d|pro|p|段|단|級|级|급)\s*(p(?:ro)?\b)?")
_KYU: Final = frozenset({"k", "kyu", "gup", "級", "级", "급"})
_PROFESSIONAL: Final = re.compile(r"\bpro|プロ|职业|職業|프로|^p\d")
_AMATEUR: Final = re.compile(r"\bama|(?<![职職])[业業]|アマ|아마")
_NUMERALS: Final = {sign: str(value) for value, sign in enumerate("〇一二三四五六七八九")} | {"初": "1", "十": "10"}


@lru_cache(maxsize=4096)
def short_rank(text: str) -> str:
    """The rank as ``12k``, ``3d`` or ``9p``; nothing if the text holds none.

    Numbers that are written out (`九段`, `初段`) are how the ranks of professionals stand in East Asian records, so
    they are taken for professionals' unless the text says amateur.

    >>> [short_rank(text) for text in ("9p", "4 kyu", "7D*", "9DP", "三段", "业余5段", "P9段", "9 dan pro", "strong")]
    ['9p', '4k', '7d', '9p', '3p', '5d', '9p', '9p', '']
    """
    plain = unicodedata.normalize("NFKC", text[:40]).strip().lower()
    spelled = "".join(_NUMERALS.get(letter, letter) for letter in plain)
    match = _RANK.search(spelled)
    if match is None:
        return ""
    number, unit = int(match[1]), match[2]
    if unit in _KYU:
        return f"{number}k" if 1 <= number <= 40 else ""
    told = unit in ("p", "pro") or match[3] is not None or _PROFESSIONAL.search(plain) is not None
    professional = (told or (spelled != plain and unit in ("段", "단"))) and _AMATEUR.search(plain) is None
    if not 1 <= number <= 10 or (professional and number == 10):
        return ""
    return f"{number}{'p' if professional else 'd'}"
