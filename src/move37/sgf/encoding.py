"""From bytes to text: which encoding a file of game records is in.

The order is: what the caller names, a byte-order mark, the file's own ``CA``, UTF-8, a guess. A file that declares one
thing and holds another is common, so a declared encoding only counts where the bytes allow it. This knows nothing of
the tree, except where a ``CA`` stands; text is decoded before it is parsed, because the second byte of a Shift-JIS or
Big5 character may look like a bracket or a backslash.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from move37.errors import SgfError
from move37.sgf.broken_bytes import close_values, is_mostly_utf8
from move37.sgf.guess import CANDIDATES, guess_encoding, plausibility

__all__ = ["Decoded", "decode", "text_encoding"]

_WIDE_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""UTF-32 stands first: the mark of UTF-16 is the beginning of its own."""

_WIDER: Final = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "shift_jis_2004": "cp932",
    "shift_jisx0213": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
    "iso2022_jp": "iso2022_jp_2",
    "ascii": "utf-8",
    "iso8859-1": "cp1252",
}
"""Codecs that are read as a larger one, since files use characters that the declared one lacks."""

_CHARSET: Final = re.compile(rb"CA\s*+\[\s*+([A-Za-z0-9_.:-][A-Za-z0-9_.: -]{0,39})\s*+\]")
_ISO_2022: Final = b"\x1b$"
_ASCII_SIGNS: Final = (_ISO_2022, b"~{")
"""What ISO-2022 and HZ have instead of bytes beyond ASCII."""
_MOST_PIECES: Final = 200
_LONGEST_SAMPLE: Final = 1 << 20
_ALIKE: Final = b"(;AZaz[]) \\09 \\u0041 +AFs-"
"""Must read as it does in ASCII; no escapes of Python's or of UTF-7."""
_NOT_OF_TEXT: Final = frozenset(
    {"idna", "mbcs", "oem", "punycode", "raw_unicode_escape", "undefined", "unicode_escape"}
)
"""Codecs of Python's that are no encodings of files: escapes, domain names, whatever this computer is set to."""


@dataclass(slots=True)
class Decoded:
    """A file's text, the Python name of the encoding it was read in, and what had to be mended."""

    text: str
    encoding: str
    warnings: list[str] = field(default_factory=list[str])


@lru_cache(maxsize=256)
def text_encoding(name: str) -> str | None:
    """The Python codec that reads text of the encoding `name`, or None if there is none that SGF can be in.

    >>> text_encoding("GB2312"), text_encoding("Shift_JIS"), text_encoding("x-sjis"), text_encoding("rot13")
    ('gb18030', 'cp932', 'cp932', None)
    """
    spelling = name.strip().lower().removeprefix("x-")
    spelling = re.sub(r"^(utf|cp|windows|iso)[-_ ]?(?=\d)", r"\1-", spelling).replace("cp-", "cp")
    try:
        found = _codec(re.sub(r"^(utf-\d\d)([lb]e)$", r"\1-\2", spelling))
        found = _WIDER.get(found, found)
        alike = _ALIKE.decode(found) == _ALIKE.decode("ascii")
    except (LookupError, ValueError):
        return None
    return found if alike else None


def _codec(name: str) -> str:
    """Python's name of a codec of text; LookupError or ValueError if there is none, or it is no encoding of files."""
    found = codecs.lookup(name).name
    if found.replace("-", "_") in _NOT_OF_TEXT:
        raise LookupError(name)
    b"".decode(found)  # LookupError where the codec is none of text
    return found


def decode(data: bytes, encoding: str | None = None) -> Decoded:
    """Text of the bytes of a file, with what was guessed or replaced as warnings.

    `encoding` overrules all that the file says of itself; `SgfError` if Python knows none of that name. Files of
    several games with different ``CA`` are decoded piece by piece.
    """
    if encoding is not None:
        return _decode_as_told(data, encoding)
    if data.isascii() and not any(sign in data for sign in _ASCII_SIGNS):
        return Decoded(data.decode("ascii"), "utf-8", _unknown_charset(data))
    if data.startswith(codecs.BOM_UTF8):
        return decode(data[len(codecs.BOM_UTF8) :], None if _strict(data, "utf-8") is None else "utf-8")
    if wide := _wide(data):
        return _replacing(data, wide)
    pieces = _pieces(data)
    if len(pieces) == 1:
        return _decode_piece(data, pieces[0][1], data)
    return _joined([_decode_piece(piece, declared, data) for piece, declared in pieces])


def _decode_as_told(data: bytes, encoding: str) -> Decoded:
    try:
        return _replacing(data, _codec(encoding))
    except (LookupError, ValueError) as error:
        raise SgfError(f"{encoding!r} is no text encoding that Python knows; try 'utf-8' or 'gb18030'.") from error


def _unknown_charset(data: bytes) -> list[str]:
    """A warning, if the first encoding that a file declares is none that is known."""
    declared = _CHARSET.search(data)
    if declared is None or data[declared.start() - 1 : declared.start()].isalpha():
        return []
    name = declared[1].decode("ascii").strip()
    return [] if text_encoding(name) is not None else [_misfit(name)]


def _misfit(declared: str) -> str:
    """The words for an encoding that is not the text's: one that nobody knows, or that does not fit."""
    known = text_encoding(declared) is not None or declared.lower().startswith("utf")
    return f"the declared encoding {declared!r} {'does not fit the text' if known else 'is unknown'}"


def _wide(data: bytes) -> str | None:
    """UTF-16 or UTF-32 by its mark, or UTF-16 by the zeros that are half of a game's first bytes."""
    for mark, name in _WIDE_MARKS:
        if data.startswith(mark):
            return name
    head = data[:64]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if max(even, odd) * 3 < len(head) or min(even, odd) * 8 > len(head):
        return None
    return "utf-16-le" if odd > even else "utf-16-be"


def _pieces(data: bytes) -> list[tuple[bytes, str | None]]:
    """The bytes cut before each game that declares another encoding than the one before, with what it declares."""
    starts: list[int] = []
    names: list[str] = []
    for match in _CHARSET.finditer(data):
        name = match[1].decode("ascii").strip()
        if data[match.start() - 1 : match.start()].isalpha() or (names and names[-1].lower() == name.lower()):
            continue
        start = data.rfind(b"(", starts[-1] + 1, match.start()) if starts else 0
        if start >= 0:
            starts.append(start)
            names.append(name)
    if not 2 <= len(starts) <= _MOST_PIECES:
        return [(data, names[0] if names else None)]
    ends = [*starts[1:], len(data)]
    return [(data[start:end], name) for start, end, name in zip(starts, ends, names, strict=True)]


def _joined(parts: list[Decoded]) -> Decoded:
    warnings = dict.fromkeys(warning for part in parts for warning in part.warnings)
    return Decoded("".join(part.text for part in parts), parts[0].encoding, list(warnings))


def _decode_piece(piece: bytes, declared: str | None, data: bytes) -> Decoded:
    """Text of one or more games by what they declare, as UTF-8, or as the bytes of the whole file make likely."""
    name = None if declared is None else text_encoding(declared)
    utf8 = _strict(piece, "utf-8")
    if utf8 is not None and name == "utf-8":
        return Decoded(utf8, name)
    mostly_utf8 = utf8 is None and is_mostly_utf8(piece, declared=name == "utf-8")
    text = None if name is None or mostly_utf8 else _strict(piece, name)
    if name is not None and text is not None and (utf8 is None or _rather(text, name, utf8)):
        return _closed(Decoded(text, name))
    if mostly_utf8:
        found = _replacing(piece, "utf-8")
    elif utf8 is not None:
        text = _strict(piece, "iso2022_jp_2") if _ISO_2022 in piece else None
        found = Decoded(utf8, "utf-8") if text is None else Decoded(text, "iso2022_jp_2")
    else:
        found = _replacing(piece, guess_encoding(data[:_LONGEST_SAMPLE], name))
        if found.encoding != name:
            found.warnings.insert(
                0, f"the text was read as {found.encoding}, a guess: name the encoding if it is wrong"
            )
    if declared is not None and found.encoding != name and not piece.isascii():
        found.warnings.insert(0, _misfit(declared))
    return found


def _rather(text: str, name: str, utf8: str) -> bool:
    """Whether a text that is good UTF-8 as well is rather in its declared encoding."""
    if text.isascii() or utf8.isascii():
        return True
    return name in CANDIDATES and plausibility(text, name) >= plausibility(utf8, "utf-8")


def _strict(data: bytes, name: str) -> str | None:
    try:
        return data.decode(name)
    except UnicodeError:
        return None


def _replacing(data: bytes, name: str) -> Decoded:
    text = data.decode(name, "replace").removeprefix("\ufeff")
    lost = text.count("\ufffd")
    warnings = [f"what is no {name} was replaced by '\ufffd' in {lost} places"] if lost else []
    return _closed(Decoded(text, name, warnings))


def _closed(decoded: Decoded) -> Decoded:
    """The text with the brackets that cut characters took."""
    text, times = close_values(decoded.text, decoded.encoding)
    if not times:
        return decoded
    said = f"a cut character before ']' was replaced by '\ufffd' in {times} places"
    return Decoded(text, decoded.encoding, [*decoded.warnings, said])
