"""What a controller may set that is no part of the game: pondering, how analysis is shown, when it ends by itself."""

from __future__ import annotations

from dataclasses import dataclass

from move37.rules.color import Color


@dataclass
class Settings:
    """`kata-set-param` and `lz-setoption` change it.

    ponder: think on while the other side does. view: whose win rates and scores analysis shows; None: those of the
    player to move. visits, seconds: what ends analysis and pondering even without input; None: nothing does.
    variation_length: most moves of a variation shown.
    """

    ponder: bool = False
    view: Color | None = None
    visits: int | None = None
    seconds: float | None = None
    variation_length: int | None = None
