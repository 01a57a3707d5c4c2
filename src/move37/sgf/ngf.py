"""NGF, the game records of Cyberoro and WBaduk, read as SGF trees.

Twelve header lines: title, size, White, Black, site, handicap, a number without known meaning, komi, date, minutes of
thinking time, result, number of moves. Then one line a move: ``PM``, two letters that count, ``B`` or ``W``, and the
point as column and row and once more mirrored; ``B`` is the first line from the left and from the top, ``AA`` a pass.
Komi is whole and half a point is meant on top, except in handicap games. An older form begins its lines with ``GI``,
has other lines in the middle of the header, and tells the result in a comment behind the moves. Sources:
https://senseis.xmp.net/?NGF, A. E. Brouwer's ngf2sgf, and files of the servers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from move37.errors import SgfError
from move37.rules.coordinates import format_sgf
from move37.sgf.encoding import decode
from move37.sgf.foreign import (
    Move,
    handicap_letters,
    iso_date,
    line_of_play,
    next_color,
    unreadable_value,
)
from move37.sgf.grammar import Collection, SgfWarning
from move37.sgf.rank_words import short_rank

_MOVE = re.compile(r"PM[A-Z]{2}([BW])([A-Z])([A-Z])")
_COLOR = re.compile(r"PM[A-Z]{2}([BW])")
_FIRST_MOVE = re.compile(rb"^PM[A-Z]{2}[BW][A-Z]{2}", re.MULTILINE)
_HEADER_LINES = 12
_LINE = rb"[^\n]*\n"
_NUMBER = rb"[ \t]*\d{1,4}[ \t]*\n"
_NUMBERS = re.compile(_LINE + _NUMBER + 3 * _LINE + 3 * _NUMBER)
_RANK = re.compile(r"[\d初一二三四五六七八九]{1,2}(?:[kdp]|dp|[段단級级급]p?)\*?", re.IGNORECASE)
_LAST_COMMENT = re.compile(r"^ID\w?\[\d+\](.*?)(?:\[EndTxt\])?\s*$")
_GI_DATE = re.compile(r"\d{4}\D")


class _Header(NamedTuple):
    title: str = ""
    size: str = ""
    white: str = ""
    black: str = ""
    site: str = ""
    handicap: str = ""
    komi: str = ""
    date: str = ""
    minutes: str = ""
    result: str = ""


def recognizes(data: bytes) -> bool:
    """Whether the bytes look like an NGF record: a line of a move, or the numbers of its header where they belong."""
    head = data[:4096].replace(b"\0", b"").replace(b"\r", b"")
    return _FIRST_MOVE.search(head) is not None or _NUMBERS.match(head) is not None


def parse(data: bytes, encoding: str | None = None) -> Collection:
    """Read one NGF record as a collection of one game; `SgfError` if it is none.

    A move that names no point of the board is a move all the same, with its line as its value: `GameRecord` tells.
    """
    if not recognizes(data):
        raise SgfError("no game was found: the file has neither the header nor the moves of an NGF record")
    decoded = decode(data, encoding)
    lines = [line.strip() for line in decoded.text.split("\n")]
    header = _read_old_header(lines) if lines[0].startswith("GI") else _read_header(lines)
    size = int(header.size) if header.size.isdecimal() and 1 <= int(header.size) <= 25 else 19
    handicap = int(header.handicap) if header.handicap.isdecimal() and len(header.handicap) == 1 else 0
    moves = _read_moves(decoded.text.split("\n"), size, handicap)
    stones = handicap_letters(handicap, size)
    white, white_rank = _player(header.white)
    black, black_rank = _player(header.black)
    info: dict[str, str | list[str]] = {
        "FF": "4",
        "GM": "1",
        "SZ": str(size),
        "PB": black,
        "BR": black_rank,
        "PW": white,
        "WR": white_rank,
        "KM": _komi(header.komi, handicap),
        "HA": str(handicap) if stones else "",
        "RE": _result(header.result),
        "DT": iso_date(header.date),
        "TM": str(60 * int(header.minutes)) if header.minutes.isdecimal() and len(header.minutes) <= 4 else "",
        "GN": header.title,
        "PC": header.site,
        "AB": stones,
    }
    told = [SgfWarning(1, fault, 0) for fault in decoded.warnings]
    return Collection([line_of_play(info, moves)], told, decoded.encoding, decoded.text)


def _read_header(lines: Sequence[str]) -> _Header:
    """The header of today's form; a file that is cut short, or begins with its moves, has less of it."""
    start = next((place for place, line in enumerate(lines[:12]) if _MOVE.match(line)), 12)
    title, size, white, black, site, handicap, _, komi, date, minutes, result = [*lines[:start], *[""] * 12][:11]
    return _Header(title, size, white, black, site, handicap, komi, date, minutes, result)


def _read_old_header(lines: Sequence[str]) -> _Header:
    """The older form: title, two players, empty lines, date, size, handicap, a number, komi, number of moves."""
    told = [line[2:].strip() for line in lines[:16] if line.startswith("GI")]
    comments = (match[1] for line in lines[-5:] if (match := _LAST_COMMENT.match(line[:300])))
    result = next(comments, "").partition("(")[0]
    place = next((place for place, text in enumerate(told) if place > 2 and _GI_DATE.match(text)), len(told))
    title, white, black = [*told[:3], "", "", ""][:3]
    date, size, handicap, _, komi = [*told[place:], *[""] * 5][:5]
    return _Header(title, size, white, black, "", handicap, komi, date, "", result)


def _read_moves(lines: Sequence[str], size: int, handicap: int) -> list[Move]:
    """The moves; one that names no point of the board has its line as its value."""
    moves: list[Move] = []
    offset = 0
    for number, line in enumerate(lines, 1):
        words = line.strip()
        if words.startswith("PM") and (moves or number > _HEADER_LINES or _COLOR.match(words)):
            color = match[1] if (match := _COLOR.match(words)) else next_color(moves, handicap)
            value = _value(words, size)
            moves.append(Move(color, unreadable_value(words) if value is None else value, offset))
        offset += len(line) + 1
    return moves


def _value(line: str, size: int) -> str | None:
    """What a move's line says as the value of a move in SGF, None if it names no point of the board."""
    match = _MOVE.match(line)
    if match is None:
        return None
    col, row = (ord(letter) - ord("B") for letter in match.groups()[1:])
    if (col, row) == (-1, -1):
        return ""
    return format_sgf(row * size + col, size, size) if 0 <= col < size and 0 <= row < size else None


def _player(text: str) -> tuple[str, str]:
    """(name, rank) of a player's line; a ``P`` with the rank tells a professional, a star says nothing here."""
    name, _, last = text.rpartition(" ")
    return (name.strip(), short_rank(last)) if name and _RANK.fullmatch(last) else (text, "")


def _komi(text: str, handicap: int) -> str:
    if not text.isdecimal() or len(text) > 3:
        return text if re.fullmatch(r"-?\d{1,3}\.\d", text) else ""
    return text if handicap else f"{text}.5"


def _result(text: str) -> str:
    """The result as SGF writes it, as far as it is understood; else the words, without the count behind them."""
    from move37.rules.result import Result

    words = re.sub(r"^\d+手完、", "", text.partition(">>")[0]).strip(" !！")
    if words.lower().startswith("progress"):  # the game was not finished
        return ""
    # By the count behind ">>" the stones that some clients write are points.
    words = re.sub(r"\bresi$", "resignation", words).replace("子", "目")
    result = Result.parse(words)
    return words if result.winner is None and result.reason == "unknown" else result.text
