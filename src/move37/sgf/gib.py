r"""GIB, the game records of the Tygem servers (Korea, China, Japan and the international one), read as SGF trees.

The format was never published. What is read: header lines ``\[KEY=value\]`` between ``\HS`` and ``\HE``, some of which
hold fields ``NAME:value``; between ``\GS`` and ``\GE`` a line ``INI 0 1 handicap``, then ``STO 0 number colour column
row`` (colour 1 is Black, points count from 0 at the top left), ``SKI`` for a pass and ``WIT`` for a move taken back.
GRLT is the kind of result; komi (GONGJE) and margin (ZIPSU) are in tenths of a point. Comments and variations of
reviews follow after ``\GE`` and are left out. Sources: https://senseis.xmp.net/?GIB and files of the servers.
"""

from __future__ import annotations

import re

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
from move37.sgf.grammar import Collection, Node, SgfWarning
from move37.sgf.rank_words import short_rank

_MOST_WARNINGS = 100
_CODEPAGES = {"korea": "cp949", "china": "gb18030", "japan": "cp932"}
"""The encoding of a file that is not UTF-8, by the server its header names (GIBOKIND)."""
_WON_WITHOUT_COUNT = {"3": "B+R", "4": "W+R", "7": "B+T", "8": "W+T"}
_FIELD = re.compile(r"(?<![A-Z])([A-Z]++):([^,]*)")
_TAG = re.compile(r"(?:^|,)\s*([A-Z]):?([^,]*)")
_OPENINGS = ("\\HE", "\\GS", "INI", "STO", "SKI")


def recognizes(data: bytes) -> bool:
    r"""Whether the bytes look like a GIB record: ``\HS`` at the start, or its header or move lines early on."""
    head = data[:4096].replace(b"\0", b"")
    return b"\\HS" in head[:16] or b"\\[GAME" in head or re.search(rb"^STO 0 \d+ [12] ", head, re.MULTILINE) is not None


def parse(data: bytes, encoding: str | None = None) -> Collection:
    """Read one GIB record as a collection of one game; `SgfError` if it is none.

    A move that names no point of the board is a move all the same, with its line as its value, and is warned of.
    """
    if not recognizes(data):
        raise SgfError("no game was found: the file has neither the header nor the moves of a GIB record")
    text, used, faults = _decode(data, encoding)
    header, lines, first, offset = _split(text)
    game = _Game(header)
    for number, line in enumerate(lines, first):
        game.read_line(line, number, offset)
        offset += len(line) + 1
    return Collection([game.tree()], [SgfWarning(1, fault, 0) for fault in faults] + game.warnings, used, text)


def _decode(data: bytes, encoding: str | None) -> tuple[str, str, list[str]]:
    """(text, its encoding, faults): as asked, else UTF-8, else what the server named in the header writes."""
    kind = re.search(rb"GIBOKIND=([A-Za-z]+)", data[:4096])
    if encoding is None and kind is not None:
        try:
            return data.decode("utf-8-sig"), "utf-8", []
        except UnicodeDecodeError:
            encoding = _CODEPAGES.get(kind[1].decode("ascii").lower())
    decoded = decode(data, encoding)
    return decoded.text, decoded.encoding, decoded.warnings


def _split(text: str) -> tuple[dict[str, str], list[str], int, int]:
    r"""(header values by key, the lines after the header up to ``\GE``, number and offset of the first of these).

    A value may run over several lines, up to its ``\]``.
    """
    lines = text.split("\n")
    header: dict[str, list[str]] = {}
    key, start = "", len(lines)
    for place, line in enumerate(lines):
        part = line.strip()
        if part.startswith(_OPENINGS):
            start = place
            break
        if part.startswith("\\["):
            key, _, part = part[2:].partition("=")
            header[key] = []
        if key:
            header[key].append(part.removesuffix("\\]"))
            key = "" if part.endswith("\\]") else key
    end = next((place for place in range(start, len(lines)) if lines[place].startswith("\\GE")), len(lines))
    values = {name: "\n".join(parts).strip() for name, parts in header.items()}
    return values, lines[start:end], start + 1, sum(len(line) + 1 for line in lines[:start])


class _Game:
    """One game while it is read."""

    def __init__(self, header: dict[str, str]) -> None:
        self.header = header
        self.warnings: list[SgfWarning] = []
        self._moves: list[Move] = []
        self._handicap = 0
        self._fields: dict[str, str] = {}
        for name in ("GAMEINFOMAIN", "GAMEINFOSUB", "WUSERINFO", "BUSERINFO"):
            self._fields |= dict(_FIELD.findall(header.get(name, "")))
        self._tags = dict(_TAG.findall(header.get("GAMETAG", "")))
        lines = _number(self._fields.get("LINE")) or 19
        self._size = lines if lines <= 52 else 19

    def read_line(self, line: str, number: int, offset: int) -> None:
        """Take in one line of the part with the moves; lines of other kinds say nothing about the game."""
        words = line.split()
        match words[0] if words else "":
            case "INI":
                self._handicap = _number(words[3]) or 0 if len(words) > 3 else 0
            case "STO":
                self._add_stone(words, offset)
            case "SKI":  # the colour on the line is not reliable
                self._moves.append(Move(next_color(self._moves, self._handicap), "", offset))
            case "WIT" if self._moves:
                self._moves.pop()
                self._warn(number, f"move {len(self._moves) + 1} was taken back (WIT) and is left out")
            case _:
                pass

    def _add_stone(self, words: list[str], offset: int) -> None:
        told = words[3] if len(words) > 3 else ""
        color = {"1": "B", "2": "W"}.get(told) or next_color(self._moves, self._handicap)
        col, row = (_number(word) for word in words[4:6]) if len(words) >= 6 else (None, None)
        if col is None or row is None or told not in ("1", "2") or max(col, row) >= self._size:
            value = unreadable_value(" ".join(words))
        else:
            value = format_sgf(row * self._size + col, self._size, self._size)
        self._moves.append(Move(color, value, offset))

    def _warn(self, line: int, message: str) -> None:
        if len(self.warnings) < _MOST_WARNINGS:
            self.warnings.append(SgfWarning(line, message, 0))

    def tree(self) -> Node:
        """The game as an SGF tree."""
        stones = handicap_letters(self._handicap, self._size)
        black, black_rank = self._player("B", "BLACK", "N")
        white, white_rank = self._player("W", "WHITE", "L")
        seconds = _number(self._fields.get("GTIME", "").partition("-")[0])
        info: dict[str, str | list[str]] = {
            "FF": "4",
            "GM": "1",
            "SZ": str(self._size),
            "PB": black,
            "BR": black_rank,
            "PW": white,
            "WR": white_rank,
            "KM": self._komi(),
            "HA": str(self._handicap) if stones else "",
            "RE": self._result(),
            "DT": self._date(),
            "TM": str(seconds) if seconds else "",
            "GN": self.header.get("GAMENAME", ""),
            "PC": self.header.get("GAMEPLACE", ""),
            "GC": self.header.get("GAMECOMMENT", ""),
            "AB": stones,
        }
        return line_of_play(info, self._moves)

    def _player(self, letter: str, color: str, level_tag: str) -> tuple[str, str]:
        """(name, rank). The level code tells professionals from amateurs, the rank after the name does not."""
        text = self.header.get(f"GAME{color}NAME", "").strip()
        name, bracket, written = text.rpartition("(")
        if not (bracket and written.endswith(")")):
            name, written = text, ""
        level = _number(self._fields.get(f"{letter}LV") or self._tags.get(level_tag))
        rank = _rank(level) if level is not None else short_rank(written)
        others = (self._fields.get(f"{letter}ID", ""), self.header.get(f"GAME{color}NICK", ""))
        return next((one.strip() for one in (name, *others) if one.strip()), ""), rank

    def _value(self, field: str, key: str, tag: str) -> str | None:
        """The text of a fact that stands in three places of the header."""
        return self._fields.get(field) or self.header.get(key) or self._tags.get(tag)

    def _komi(self) -> str:
        """White's points: GONGJE, or less than 0 where White gives a weaker Black points (DUM, which are whole)."""
        tenths = _number(self._value("GONGJE", "GAMEGONGJE", "G"))
        given = _number(self._value("DUM", "GAMEDUM", "D"))
        if not tenths and given and self._handicap:
            return str(-given)
        return "" if tenths is None else f"{tenths / 10:g}"

    def _result(self) -> str:
        kind = self._fields.get("GRLT") or self._tags.get("W", "")
        tenths = _number(self._value("ZIPSU", "GAMEZIPSU", "Z"))
        if kind in ("0", "1"):
            return f"{'BW'[int(kind)]}+{tenths / 10:g}" if tenths else f"{'BW'[int(kind)]}+"
        return _WON_WITHOUT_COUNT.get(kind, "") if kind else self.header.get("GAMERESULT", "")

    def _date(self) -> str:
        for text in (self._tags.get("C"), self._fields.get("GDATE"), self.header.get("GAMEDATE")):
            if text and (date := iso_date(text)):
                return date
        return ""


def _number(text: str | None) -> int | None:
    """The text as a whole number of at most four digits, else None."""
    word = (text or "").strip()
    return int(word) if word.isascii() and word.isdigit() and len(word) <= 4 else None


def _rank(level: int) -> str:
    """The rank of a level code: 0 to 17 are 18k to 1k, 18 to 26 are 1d to 9d, from 27 on professionals."""
    if level <= 17:
        return f"{18 - level}k"
    return f"{level - 17}d" if level <= 26 else f"{min(level, 35) - 26}p"
