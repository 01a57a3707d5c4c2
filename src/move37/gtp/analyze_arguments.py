"""What a controller asks of an analysis: the arguments of `lz-analyze`, `kata-analyze` and their kin, taken apart.

They are `[COLOR] [INTERVAL] KEY VALUE ...`; INTERVAL is in centiseconds, and may also be a key. `avoid` and `allow`
have three values: a colour, moves with commas between them, and for how many plies (1: the next move alone). Facts:
KataGo's GTP extensions and its `gtp.cpp`; Leela Zero's `GTP.cpp`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from move37.errors import GtpError
from move37.gtp.arguments import color_of, point_of
from move37.rules.color import Color
from move37.rules.position import Position
from move37.search.restriction import Restriction

_DEFAULT_SECONDS: Final = 1.0
_MOST_NUMBER: Final = 10**9
_SWITCHES: Final = {
    "ownership": "ownership",
    "ownershipStdev": "ownership_stdev",
    "movesOwnership": "moves_ownership",
    "pvVisits": "pv_visits",
    "rootInfo": "root_info",
    "noResultValue": "no_result",
}
_LISTS: Final = {"avoid": False, "allow": True}


@dataclass(frozen=True)
class AnalyzeRequest:
    """What to search and what to tell of it.

    color: whose move is looked for. seconds: between two reports. minmoves, maxmoves: how many moves a report tells of,
    0 and None for those that were searched. The other switches are fields of the report.
    """

    color: Color
    seconds: float = _DEFAULT_SECONDS
    minmoves: int = 0
    maxmoves: int | None = None
    restrictions: tuple[Restriction, ...] = ()
    ownership: bool = False
    ownership_stdev: bool = False
    moves_ownership: bool = False
    pv_visits: bool = False
    root_info: bool = False
    no_result: bool = False

    @property
    def owns(self) -> bool:
        """Whether ownership has to be averaged over the tree."""
        return self.ownership or self.ownership_stdev or self.moves_ownership


def analyze_request(words: list[str], position: Position, switches: bool = True) -> AnalyzeRequest:
    """Read the arguments of an analysis of `position`; `GtpError` names the word that is not understood.

    `switches`: whether there are those of KataGo's, which Leela Zero's lines have no place for.
    """
    rest = list(words)
    request = AnalyzeRequest(position.to_play)
    if rest and (color := _color(rest[0])) is not None:
        request = replace(request, color=color)
        del rest[0]
    if rest and _is_number(rest[0]):
        request = replace(request, seconds=int(rest.pop(0)) / 100)
    while rest:
        request = _with_key(request, rest, position, _SWITCHES if switches else {})
    return request


def _color(word: str) -> Color | None:
    try:
        return color_of(word, "")
    except GtpError:
        return None


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and int(word) <= _MOST_NUMBER


def _with_key(
    request: AnalyzeRequest, rest: list[str], position: Position, switches: Mapping[str, str]
) -> AnalyzeRequest:
    """Take one key and its values off `rest`."""
    key = rest.pop(0)
    if key in _LISTS:
        return replace(request, restrictions=_joined(request.restrictions, _restriction(key, rest, position)))
    value = rest.pop(0) if rest else ""
    if key == "interval" and _is_number(value):
        return replace(request, seconds=int(value) / 100)
    if key in ("minmoves", "maxmoves") and _is_number(value):
        return replace(request, minmoves=int(value)) if key == "minmoves" else replace(request, maxmoves=int(value))
    if key in switches and value in ("true", "false"):
        switch: dict[str, Any] = {switches[key]: value == "true"}
        return replace(request, **switch)
    raise _unclear(f"{key} {value}".strip(), switches)


def _restriction(key: str, rest: list[str], position: Position) -> Restriction:
    words = [rest.pop(0) for _ in range(min(3, len(rest)))]
    complaint = f"{key} {' '.join(words)}"
    color = _color(words[0]) if words else None
    if len(words) < 3 or color is None or not _is_number(words[2]) or int(words[2]) < 1:
        raise _unclear(complaint)
    vertices = [word for word in words[1].split(",") if word]
    moves = tuple(point_of(position, word, str(_unclear(complaint))) for word in vertices)
    return Restriction(int(color), moves, int(words[2]), only=_LISTS[key])


def _joined(before: tuple[Restriction, ...], new: Restriction) -> tuple[Restriction, ...]:
    """One more restriction; moves allowed one by one for one colour are one list, as in Leela Zero."""
    for index, old in enumerate(before):
        if old.only and new.only and (old.color, old.until_depth) == (new.color, new.until_depth):
            return (*before[:index], replace(old, moves=old.moves + new.moves), *before[index + 1 :])
    return (*before, new)


def _unclear(what: str, switches: Iterable[str] = ()) -> GtpError:
    keys = ", ".join(["interval", "minmoves", "maxmoves", *_LISTS, *switches])
    return GtpError(f"cannot parse analyze arguments at {what!r}: use [COLOR] [CENTISECONDS] and the keys {keys}")
