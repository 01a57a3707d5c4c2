"""What a record says of its game: players, ranks, date, komi, rules, handicap, result.

SGF puts this in the root; where a program put it in a later node, up to that of the first move, it is found there.
Setting writes to where it was found, else to the root; an empty text takes the property off.
"""

from __future__ import annotations

import operator
from numbers import Real
from typing import TYPE_CHECKING, Final, SupportsIndex, overload

from move37.errors import RulesError, SgfError
from move37.rules.coordinates import MAX_SGF_SIDE
from move37.sgf import lines, properties
from move37.sgf.grammar import Node
from move37.sgf.node import GameNode
from move37.sgf.rule_names import rules_named, rules_text

if TYPE_CHECKING:
    from move37.rules.result import Result
    from move37.rules.ruleset import Ruleset

INFO_NAMES: Final = {
    "black_name": "PB",
    "white_name": "PW",
    "black_rank": "BR",
    "white_rank": "WR",
    "black_team": "BT",
    "white_team": "WT",
    "date": "DT",
    "event": "EV",
    "round": "RO",
    "place": "PC",
    "game_name": "GN",
    "game_comment": "GC",
    "source": "SO",
    "annotator": "AN",
    "author": "US",
    "copyright": "CP",
    "opening": "ON",
    "overtime": "OT",
    "time_limit": "TM",
    "comment": "C",
}
"""The texts of a record by their names in Python."""


class Info:
    """One text of a record as an attribute; empty where the record has none."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._attribute, self._name = name, INFO_NAMES[name]

    @overload
    def __get__(self, record: None, owner: type) -> Info: ...
    @overload
    def __get__(self, record: GameInfo, owner: type) -> str: ...
    def __get__(self, record: GameInfo | None, owner: type) -> Info | str:
        return self if record is None else record.get(self._name) or ""

    def __set__(self, record: GameInfo, text: str) -> None:
        record.set(self._name, text_of(self._attribute, text))


class GameInfo:
    """The game's information as attributes: the half of `GameRecord` that needs no tree but its first nodes."""

    black_name = Info()
    white_name = Info()
    black_rank = Info()
    white_rank = Info()
    black_team = Info()
    white_team = Info()
    date = Info()
    event = Info()
    round = Info()
    place = Info()
    game_name = Info()
    game_comment = Info()
    source = Info()
    annotator = Info()
    author = Info()
    copyright = Info()
    opening = Info()
    overtime = Info()
    time_limit = Info()
    comment = Info()

    root: GameNode
    """The first node."""
    rows: int
    cols: int

    def get(self, name: str) -> str | None:
        """The first value of a property of the game as text, such as ``get("PB")``; None where there is none."""
        tree = self._holder(name)
        return None if tree is None else properties.unescape_text(tree.properties[name][0])

    def set(self, name: str, text: str | int) -> None:
        """Give a property of the game one value; an empty text takes it off."""
        node = GameNode(self._holder(name) or self.root.tree, self.rows, self.cols)
        if text == "":
            node.remove(name)
        else:
            node.set(name, text)

    @property
    def komi(self) -> float | None:
        """Points for White, None if the record does not say; may be set."""
        value = properties.parse_komi(self.get("KM") or "")
        return value if value is not None and is_komi(value) else None

    @komi.setter
    def komi(self, points: float | None) -> None:
        if points is not None and not is_komi(points):
            raise RulesError(f"Komi cannot be {points!r:.60}: use a whole or half number from -400 to 400.")
        self.set("KM", "" if points is None else f"{points:g}")

    @property
    def rules_text(self) -> str:
        """The rules as the record names them (``RU``), empty if it does not."""
        return self.get("RU") or ""

    @property
    def rules(self) -> Ruleset | None:
        """The rules, None if the record names none or some that are not known; may be set."""
        return rules_named(self.rules_text)

    @rules.setter
    def rules(self, rules: Ruleset | str) -> None:
        from move37.rules.ruleset import ruleset

        self.set("RU", rules_text(ruleset(rules)))

    @property
    def handicap(self) -> int | None:
        """The number of handicap stones that the record names (``HA``), None if it names none; may be set."""
        tree = self._holder("HA")
        return None if tree is None else lines.handicap_of(tree)

    @handicap.setter
    def handicap(self, stones: int | None) -> None:
        if stones is not None and not is_handicap(stones):
            raise RulesError(f"A handicap cannot be {stones!r:.60}: use a whole number of stones, or None for none.")
        self.set("HA", int(stones) if stones else "")

    @property
    def result(self) -> Result:
        """The result (``RE``); may be set to one, or to its text such as ``"B+3.5"``."""
        from move37.rules.result import Result

        return Result.parse(self.get("RE") or "")

    @result.setter
    def result(self, result: Result | str) -> None:
        self.set("RE", result_text(result))

    @property
    def year(self) -> int | None:
        """The year of the date, None if it names none."""
        return properties.parse_year(self.date)

    @property
    def is_go(self) -> bool:
        """Whether the record is of a game of Go (``GM[1]`` or no ``GM``)."""
        return game_number(self.root.tree) == 1

    def _holder(self, name: str) -> Node | None:
        """The first node up to the first move that has a property."""
        for tree in lines.main_line(self.root.tree):
            if name in tree.properties:
                return tree
            if "B" in tree.properties or "W" in tree.properties or (tree.unread and name not in ("B", "W")):
                return None
        return None


def text_of(name: str, value: object) -> str:
    """The value of an attribute that is a text; `SgfError` if it is none."""
    if not isinstance(value, str):
        raise SgfError(f"{name} cannot be {value!r:.60}: it is a text; '' takes it off.")
    return value


def result_text(value: object) -> str:
    """What ``RE`` holds for a result or its text, which stays as it is; `RulesError` for what says nothing."""
    from move37.rules.result import Result

    if isinstance(value, Result):
        return value.text
    if isinstance(value, str) and (value in ("", "?") or Result.parse(value) != Result()):
        return value
    raise RulesError(
        f"A result cannot be {value!r:.60}: use a Result or its text, such as 'B+3.5', 'W+R', '0', 'Void' or '?', or "
        "'' for none."
    )


def is_komi(value: object) -> bool:
    """Whether positions can have this komi: a whole or half number from -400 to 400."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    try:
        number = float(value)
    except OverflowError:
        return False
    return abs(number) <= 400 and number * 2 == int(number * 2)


def is_handicap(value: object) -> bool:
    """Whether a record can name so many handicap stones: a whole number, not more than a board has points."""
    return (
        isinstance(value, SupportsIndex) and type(value) is not bool and 0 <= operator.index(value) <= MAX_SGF_SIDE**2
    )


def game_number(root: Node) -> int | None:
    """The number of ``GM``: 1 is Go and is meant where it is missing; None for what is no number."""
    text = root.properties.get("GM", ["1"])[0].strip() or "1"
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else None


def size_of(root: Node) -> tuple[int, int]:
    """Rows and columns of a record, 19 where it does not say; `SgfError` for what is no size."""
    values = root.properties.get("SZ")
    if values is None:
        return 19, 19
    cols, rows = properties.parse_size(values[0])
    return rows, cols


def _faults_of_komi(raw: str, komi: float | None) -> list[str]:
    if raw and komi is None:
        return [f"KM[{raw:.20}] is no komi: it is taken as unknown"]
    if properties.lacks_point(raw):
        return [f"KM[{raw:.20}] lacks its decimal point: {komi:g} is taken"]
    if komi != properties.written_komi(raw):
        return [f"KM[{raw:.20}] is no whole or half number: {komi:g} is taken, which decides every game alike"]
    return []


def faults_of(info: GameInfo) -> list[str]:
    """What in the game's information cannot be used, a sentence each, with what is done instead."""
    faults: list[str] = []
    tree = info.root.tree
    if not info.is_go:
        faults.append(f"GM[{tree.properties['GM'][0]:.20}] is not Go (1): the record can be read, not replayed")
    try:
        size_of(tree)
    except SgfError as error:
        faults.append(f"{str(error).partition(':')[0]}: 19x19 is taken")
    faults += _faults_of_komi(info.get("KM") or "", info.komi)
    if info.get("HA") and info.handicap is None:
        faults.append(f"HA[{info.get('HA'):.20}] is no number: it is taken as no handicap")
    if info.rules_text and info.rules is None:
        faults.append(f"RU[{info.rules_text:.40}] names no rules that are known here: they are taken as unknown")
    return faults
