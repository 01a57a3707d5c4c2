"""What each plane and number of an encoder means, in a few words: for pictures, pages and messages.

The full account, with all that the sources leave open, stands in each encoder's own file; this is its list as data.
"Own" is the player to move. KataGo's numbers are the only ones there are beside planes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from move37.features.encoder import get_encoder

__all__ = ["number_meanings", "plane_meanings"]

_PLIES: Final = ("now", "1 move ago", *(f"{i} moves ago" for i in range(2, 8)))
_LADDERS: Final = ("capture works", "escape works", "stones in a working ladder", "ladder breakers")


def plane_meanings(encoder: str) -> tuple[str, ...]:
    """A few words for each plane of the encoder called `encoder`, in order; ConfigError if there is none."""
    return tuple(_PLANES[get_encoder(encoder).name]())


def number_meanings(encoder: str) -> tuple[str, ...]:
    """The same for the numbers beside the planes; empty for most encoders."""
    return _NUMBERS if get_encoder(encoder).name == "katago22" else ()


def _upto(what: str, first: int, count: int, *, open_end: bool = True) -> list[str]:
    """One for each of `count` numbers from `first` on; the last stands for all above it if the end is open."""
    last = first + count - 1
    return [f"{what} {n}" + (" or more" if open_end and n == last else "") for n in range(first, last + 1)]


def _of(what: str) -> list[str]:
    return [f"{what}, {when}" for when in _PLIES]


def _zero17() -> list[str]:
    return [f"{who}, {when}" for when in _PLIES for who in ("own stones", "opponent’s stones")] + ["Black is to move"]


def _article17() -> list[str]:
    return [*_of("black stones"), *_of("white stones"), "Black is to move"]


def _leela18() -> list[str]:
    return [*_of("own stones"), *_of("opponent’s stones"), "Black is to move", "White is to move"]


def _alphago49() -> list[str]:
    return [
        *("own stones", "opponent’s stones", "empty points", "ones"),
        *(f"stone put {n} turn{'s' if n > 1 else ''} ago" + (" or longer" if n == 8 else "") for n in range(1, 9)),
        *_upto("liberties of the chain:", 1, 8),
        *_upto("stones a move takes:", 0, 8),
        *_upto("stones a move puts into self-atari:", 1, 8),
        *_upto("liberties after the move:", 1, 8),
        *("ladder capture", "ladder escape", "sensible moves", "zeros", "Black is to move"),
    ]


def _article48() -> list[str]:
    return [
        *("black stones", "white stones", "empty points"),
        *_of("black stones"),
        *_of("white stones"),
        *_upto("liberties of own chain:", 1, 4, open_end=False),
        *_upto("liberties of opponent’s chain:", 1, 4, open_end=False),
        *_upto("opponent’s stones a move puts into atari:", 1, 4, open_end=False),
        *_upto("own stones the opponent could put into atari:", 1, 4, open_end=False),
        *(f"own ladders: {one}" for one in _LADDERS),
        *(f"opponent’s ladders: {one}" for one in _LADDERS),
        "legal moves",
        *_upto("line", 1, 3, open_end=False),
        "line 4 or deeper",
    ]


def _article48_000() -> list[str]:
    moves = [f"the move {n} ago" for n in range(8, 1, -1)] + ["the last move"]
    return [
        *("black stones", "white stones", "empty points", "ones"),
        *_upto("liberties of the chain:", 1, 8, open_end=False),
        *_upto("liberties of the weakest opponent beside a move, after it:", 1, 8, open_end=False),
        *_upto("liberties after the move:", 1, 8, open_end=False),
        *moves,
        *(f"own ladders: {one}" for one in _LADDERS),
        *(f"opponent’s ladders: {one}" for one in _LADDERS),
        *("same after half a turn", "same in both mirrorings", "same in both diagonals", "Black is to move"),
    ]


def _article22() -> list[str]:
    moves = ["the last move"] + [f"the move {n} ago" for n in range(2, 6)]
    return [
        *("black stones", "white stones", "empty points", "ones", "Black is to move"),
        *moves,
        *("forbidden by ko", "own moves that take a ko", "points where the opponent could take a ko"),
        *("own komi / 20", "suicide is legal", "positional superko", "situational superko", "territory scoring"),
        *("tax in seki or on all groups", "tax on all groups", "the button is free", "phase / 2"),
    ]


def _katago22() -> list[str]:
    moves = ["the last move"] + [f"the move {n} ago" for n in range(2, 6)]
    return [
        *("every point", "own stones", "opponent’s stones"),
        *(f"chains with {n} libert{'y' if n == 1 else 'ies'}" for n in (1, 2, 3)),
        *("forbidden by ko", "blocked against being retaken (encore)", "nothing"),
        *moves,
        *("stones caught in a ladder", "caught in a ladder, 1 move ago", "caught in a ladder, 2 moves ago"),
        *("own moves that catch in a ladder", "own area", "opponent’s area"),
        *("own stones at the start of the second encore", "opponent’s stones at the start of the second encore"),
    ]


_NUMBERS: Final = (
    *(f"a pass {n} move{'s' if n > 1 else ''} ago" for n in range(1, 6)),
    *("own komi / 20", "superko", "positional +0.5 or situational −0.5", "suicide is legal", "territory scoring"),
    *("there is a tax", "tax on all groups", "an encore", "the second encore", "a pass now ends the phase"),
    *("playout doubling advantage", "half of it", "the button is free", "komi’s wave between draws"),
)


def _gnugo() -> list[str]:
    return [
        *("own stones", "opponent’s stones", "can capture", "can connect", "makes an eye"),
        *_upto("liberties after the move:", 1, 8),
        *_upto("liberties of the weakest opponent beside a move:", 1, 8),
        *_upto("line", 1, 3, open_end=False),
        *("line 4 or deeper", "hane pattern", "cut pattern", "side pattern"),
    ]


def _first(count: int, of: Callable[[], list[str]]) -> Callable[[], list[str]]:
    return lambda: of()[:count]


_PLANES: Final[dict[str, Callable[[], Iterable[str]]]] = {
    "zero17": _zero17,
    "article17": _article17,
    "leela18": _leela18,
    "alphago49": _alphago49,
    "alphago48": _first(48, _alphago49),
    "alphago20": _first(20, _alphago49),
    "alphago12": _first(12, _alphago49),
    "alphago4": _first(4, _alphago49),
    "article48": _article48,
    "article48_000": _article48_000,
    "article22": _article22,
    "katago22": _katago22,
    "gnugo": _gnugo,
}
