"""What the raw values of SGF properties mean: texts, points, sizes, komi, dates; and what kind each property is.

Values come from files that people have, so numbers are found among words and in several notations. Nothing here knows
a tree or a board's stones. Points are ints, row-major from the top left, as everywhere; how they are spelled is
`rules.coordinates`' business. After the FF[4] specification and its predecessors.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from move37.errors import SgfError, VertexError
from move37.rules.coordinates import MAX_SGF_SIDE, parse_sgf

__all__ = [
    "GAME_INFO",
    "MAY_BE_EMPTY",
    "MOVES",
    "POINTS",
    "POINT_LISTS",
    "ROOT",
    "SETUP",
    "TEXTS",
    "escape_text",
    "holds_points",
    "lacks_point",
    "parse_color",
    "parse_handicap",
    "parse_komi",
    "parse_point_list",
    "parse_real",
    "parse_size",
    "parse_year",
    "short_name",
    "split_composed",
    "unescape_simple_text",
    "unescape_text",
    "written_komi",
]

MOVES: Final = frozenset({"B", "W", "KO", "MN", "BM", "DO", "IT", "TE", "BL", "WL", "OB", "OW"})
"""What belongs to a move; only ``B`` and ``W`` are moves themselves."""
SETUP: Final = frozenset({"AB", "AW", "AE", "PL"})
"""What edits the board without a move."""
ROOT: Final = frozenset({"AP", "CA", "FF", "GM", "ST", "SZ"})
"""What holds for the whole tree and stands in its root."""
GAME_INFO: Final = frozenset(
    "AN BR BT CP DT EV GC GN HA KM ON OT PB PC PW RE RO RU SO TM US WR WT".split()  # noqa: SIM905 - a table to read
)
"""What tells of the game: once on every path from the root."""
POINT_LISTS: Final = frozenset("AB AW AE CR DD MA SL SQ TB TR TW VW L M RG SC".split())  # noqa: SIM905
"""Lists of points, where ``aa:cc`` is a rectangle; the last four are older than FF[4]."""
POINTS: Final = POINT_LISTS | {"B", "W", "AR", "LN", "LB", "EX"}
"""All properties whose values name points: moves, lists, pairs (``AR``, ``LN``), a point with a text (``LB``)."""
MAY_BE_EMPTY: Final = frozenset({"DD", "VW", "TB", "TW"})
"""Lists that may have no point, which is one empty value: nothing dimmed, all shown, no territory."""
TEXTS: Final = frozenset({"C", "GC"})
"""Texts that keep their lines; all other texts are one line (`unescape_simple_text`)."""


# ------------------------------------------------------------------------------------------------------ names

_LONG_NAMES: Final = {
    "addblack": "AB",
    "addempty": "AE",
    "addwhite": "AW",
    "black": "B",
    "blackrank": "BR",
    "comment": "C",
    "date": "DT",
    "event": "EV",
    "game": "GM",
    "gamecomment": "GC",
    "gamename": "GN",
    "handicap": "HA",
    "komi": "KM",
    "letters": "L",
    "marked": "M",
    "name": "N",
    "place": "PC",
    "player": "PL",
    "playerblack": "PB",
    "playerwhite": "PW",
    "result": "RE",
    "round": "RO",
    "rules": "RU",
    "size": "SZ",
    "source": "SO",
    "timelimit": "TM",
    "user": "US",
    "white": "W",
    "whiterank": "WR",
}


_LONGEST_KNOWN: Final = max(map(len, _LONG_NAMES))
"""Longer names are no words of a table; nor are they kept."""


def short_name(identifier: str) -> str:
    """The identifier of today for one as it stands in a file: FF[1] to FF[3] wrote ``GaMe`` or whole words.

    >>> short_name("GaMe"), short_name("Size"), short_name("AddBlack"), short_name("XyZ"), short_name("b")
    ('GM', 'SZ', 'AB', 'XZ', 'B')
    """
    return _short_name(identifier) if len(identifier) <= _LONGEST_KNOWN else _without_small_letters(identifier)


@lru_cache(maxsize=1024)
def _short_name(identifier: str) -> str:
    word = _LONG_NAMES.get(identifier.lower())
    if word is not None and not identifier.isupper():
        return word
    return _without_small_letters(identifier)


def _without_small_letters(identifier: str) -> str:
    kept = "".join(letter for letter in identifier if not letter.islower())
    return kept if kept[:1].isalpha() else identifier.upper()


def holds_points(name: str) -> bool:
    """Whether a property's values name points of the board, so that a mirrored board changes them."""
    return name in POINTS


# ------------------------------------------------------------------------------------------------------ texts

_ESCAPE = re.compile(r"\\(\r\n|\n\r|.)|\r\n|\n\r|\r", re.DOTALL)
_COMPOSED = re.compile(r"((?:[^:\\]|\\.)*+):", re.DOTALL)
_BLANKS: Final = {ord(blank): " " for blank in "\t\v\f"}


def _unescaped(match: re.Match[str]) -> str:
    escaped: str | None = match[1]
    if escaped is None:
        return "\n"
    return "" if escaped[0] in "\r\n" else escaped


def unescape_text(raw: str) -> str:
    r"""The text of a raw value: escapes taken away, line ends as ``\n``, an escaped line end is none.

    >>> unescape_text(r"a \] b \\")
    'a ] b \\'
    """
    if "\\" in raw or "\r" in raw:
        raw = _ESCAPE.sub(_unescaped, raw)
    return raw.translate(_BLANKS)


def unescape_simple_text(raw: str) -> str:
    """The text of a raw value in one line."""
    return unescape_text(raw).replace("\n", " ")


def escape_text(text: str, *, composed: bool = False) -> str:
    r"""The raw value of a text; in a `composed` value the colon is escaped too.

    >>> print(escape_text(r"[a] \ b"))
    [a\] \\ b
    """
    raw = text.replace("\0", "").replace("\\", "\\\\").replace("]", "\\]")  # a reader drops zero bytes
    return raw.replace(":", "\\:") if composed else raw


def split_composed(raw: str) -> tuple[str, str] | None:
    r"""Both raw halves of a composed value such as ``aa:1``, or None where there is no colon (escaped ones aside).

    >>> split_composed(r"CGoban\:3:2.6"), split_composed("aa")
    (('CGoban\\:3', '2.6'), None)
    """
    match = _COMPOSED.match(raw)
    return None if match is None else (match[1], raw[match.end() :])


# ------------------------------------------------------------------------------------------------------ points


def parse_point_list(values: Iterable[str], cols: int, rows: int) -> list[int]:
    """The points of a list's values, rectangles (``aa:cc``, any two opposite corners) written out row by row.

    Empty values are skipped, a point named twice comes once; `VertexError` for a value that names no point.

    >>> parse_point_list(["aa:ba", "", "ba", "cc"], 9, 9)
    [0, 1, 20]
    """
    points: dict[int, None] = {}
    for raw in values:
        first, _, second = raw.partition(":")
        start = parse_sgf(first, rows, cols)
        end = parse_sgf(second, rows, cols) if second.strip() else start
        if start == rows * cols and not first.strip():
            continue
        if rows * cols in (start, end):
            raise VertexError(f"{raw[:20]!r} in a list of SGF points names a pass, which is none.")
        points.update(dict.fromkeys(_rectangle(start, end, cols)))
    return list(points)


def _rectangle(corner: int, opposite: int, cols: int) -> list[int]:
    if corner == opposite:
        return [corner]
    (top, left), (bottom, right) = divmod(corner, cols), divmod(opposite, cols)
    top, bottom = min(top, bottom), max(top, bottom)
    left, right = min(left, right), max(left, right)
    return [row * cols + col for row in range(top, bottom + 1) for col in range(left, right + 1)]


# ------------------------------------------------------------------------------------------------------ numbers

_SIZE = re.compile(r"\s*(\d{1,9})\s*(?:[:xX×*,]\s*(\d{1,9}))?\D*")
_NUMBER = re.compile(r"[-+]?\s*(?:\d{1,9}(?:[.,]\d{0,9})?|[.,]\d{1,9})(?:[eE][-+]?\d{1,9}(?![A-Za-z]))?")
_FRACTION = re.compile(r"([-+]?\d{1,9})?\s*(?:又|and|&)?\s*([1-9])\s*/\s*([1-9])")
_IN_STONES = re.compile(r"子|\d\s*zi(?![a-z])", re.IGNORECASE)
_FEWEST_POINTS: Final = 4
"""Komi of one side in stones lies below this."""
_LACKING_POINT: Final = frozenset({"45", "55", "65", "75", "85"})
"""Komi that some programs write instead of 4.5 and so on; nobody gives so many points."""
_LARGEST_NUMBER: Final = 1e15
_LONGEST_NUMBER: Final = 100
"""Longer values are looked at only so far: no number is longer, and no pattern may take long."""
_FORMS: Final = {"½": " 1/2", "¼": " 1/4", "¾": " 3/4"} | dict(zip("〇一二三四五六七八九", "0123456789", strict=True))
_ERAS: Final = {"明治": 1868, "大正": 1912, "昭和": 1926, "平成": 1989, "令和": 2019}
_ERA = re.compile(rf"({'|'.join(_ERAS)})\s*(\d{{1,2}}|元)")
_YEAR = re.compile(r"(?<!\d)(1[0-9]{3}|20[0-9]{2})(?=(?:[01]\d[0-3]\d)?(?!\d))")
_SHORT_YEAR = re.compile(r"(?:^|\D)([5-9]\d)\s*$|^([0-9]{2})[-./]\d{1,2}[-./]\d{1,2}$|'(\d\d)(?!\d)")


def parse_size(raw: str) -> tuple[int, int]:
    """Columns and rows of ``SZ``: one number, or ``columns:rows``; `SgfError` beyond 1 to 52.

    >>> parse_size("19"), parse_size("13:9"), parse_size(" 9x9 ")
    ((19, 19), (13, 9), (9, 9))
    """
    match = _SIZE.fullmatch(_plain(raw))
    if match is None:
        raise SgfError(f"SZ[{raw[:20]}] is no board size: write one number, or columns:rows.")
    cols = int(match[1])
    rows = int(match[2] or cols)
    if not (1 <= cols <= MAX_SGF_SIDE and 1 <= rows <= MAX_SGF_SIDE):
        raise SgfError(f"SZ[{raw[:20]}] is no board size: each side must be 1 to {MAX_SGF_SIDE}.")
    return cols, rows


def parse_real(raw: str) -> float | None:
    """The first number of a value, decimal point or comma, ``½`` and ``5 1/2`` too; None if it has none.

    >>> parse_real("6.5"), parse_real("6,5 points"), parse_real("5 1/2"), parse_real("unknown")
    (6.5, 6.5, 5.5, None)
    """
    text = _plain(raw)
    match = _NUMBER.search(text)
    fraction = _FRACTION.search(text)
    if fraction is not None and match is not None and fraction.start() <= match.start():
        whole = int(fraction[1] or 0)
        part = int(fraction[2]) / int(fraction[3])
        return whole - part if (fraction[1] or "").startswith("-") else whole + part
    if match is None:
        return None
    value = float("".join(match[0].split()).replace(",", "."))
    return value if abs(value) <= _LARGEST_NUMBER else None


def parse_komi(raw: str) -> float | None:
    """White's points of ``KM``, always a whole or half number; None if it holds no number.

    What lies between becomes the half point between the same two whole numbers (6.2 and 6.75 are 6.5): margins on the
    board are whole, so that decides every game alike. For what counts double see `written_komi`.

    >>> [parse_komi(raw) for raw in ("6.5", "375", "325", "750", "3.75", "6目半", "-0.5", "6.2", "none")]
    [6.5, 7.5, 6.5, 7.5, 7.5, 6.5, -0.5, 6.5, None]
    """
    points = written_komi(raw)
    return points if points is None or points * 2 == int(points * 2) else math.floor(points) + 0.5


def written_komi(raw: str) -> float | None:
    """White's points just as ``KM`` writes them, None if it holds no number.

    Chinese records tell what each side gives in stones, which is half of it in points: below four such a number ends
    in a quarter (2.75, 3.25, 3.75), or ``zi`` or ``子`` (stones) stands behind it. The Fox server writes ``375`` for
    3.75 of these and ``650`` for 6.5 points: three digits that end in 25, 50 or 75 are hundredths. For 45 to 85 see
    `lacks_point`.
    """
    return _written_komi(raw[:_LONGEST_NUMBER])


@lru_cache(maxsize=256)
def _written_komi(raw: str) -> float | None:
    value = parse_real(raw)
    if value is None:
        return None
    text = _plain(raw)
    digits = text.strip()
    if digits.isdigit() and len(digits) == 3 and digits[1:] in ("25", "50", "75"):
        value /= 100
    if lacks_point(raw):
        value /= 10
    if "半" in text and value == int(value):
        value += 0.5
    is_quarter = value % 0.5 == 0.25 and abs(value) < _FEWEST_POINTS
    return value * 2 if is_quarter or _IN_STONES.search(text) else value


def lacks_point(raw: str) -> bool:
    """Whether ``KM`` is one of 45, 55, 65, 75 and 85, which mean 4.5, 5.5 and so on: the decimal point was lost."""
    return _plain(raw).strip() in _LACKING_POINT


def parse_handicap(raw: str) -> int | None:
    """The number of handicap stones, None if the value holds none (``HA[abc]``).

    >>> parse_handicap("4"), parse_handicap("2 stones"), parse_handicap("abc")
    (4, 2, None)
    """
    value = parse_real(raw)
    return int(value) if value is not None and value == int(value) and 0 <= value <= MAX_SGF_SIDE**2 else None


def parse_year(raw: str) -> int | None:
    """The year of ``DT``, from 1000 to 2099, out of any notation that people use; None if none is found.

    >>> [parse_year(raw) for raw in ("2016-03-09,10", "Published 1846", "13th march 94", "20160309", "平成17年")]
    [2016, 1846, 1994, 2016, 2005]
    """
    text = _plain(raw, words=False)
    if era := _ERA.search(text):
        return _ERAS[era[1]] + (1 if era[2] == "元" else int(era[2])) - 1
    if match := _YEAR.search(text):
        return int(match[1])
    if match := _SHORT_YEAR.search(text.strip()):
        digits = int(next(group for group in match.groups() if group))
        return 1900 + digits if digits >= 50 else 2000 + digits
    return None


def parse_color(raw: str) -> str | None:
    """``"B"`` or ``"W"`` of a value such as ``PL[W]``, ``PL[black]`` or FF[1]'s ``PL[2]``; None for anything else."""
    return {"B": "B", "W": "W", "1": "B", "2": "W"}.get(raw.strip()[:1].upper())


def _plain(raw: str, *, words: bool = True) -> str:
    """Full-width forms as ASCII; with `words`, numbers in Chinese characters and vulgar fractions as digits."""
    raw = raw[:_LONGEST_NUMBER]
    if raw.isascii():
        return raw
    if words:
        raw = "".join(_FORMS.get(letter, letter) for letter in raw)
    return unicodedata.normalize("NFKC", raw)
