"""Why a move is not allowed, in words."""

from __future__ import annotations

from enum import IntEnum

from move37.rules import board_kernels


class Illegal(IntEnum):
    """The reasons, numbered as in `board_kernels`, where 0 is a legal move.

    The first one that holds is given, in this order: off the board, occupied, ko, suicide, superko.
    """

    OCCUPIED = board_kernels.OCCUPIED
    KO = board_kernels.KO
    SUPERKO = board_kernels.SUPERKO
    SUICIDE = board_kernels.SUICIDE
    OFF_BOARD = board_kernels.OFF_BOARD

    def __str__(self) -> str:
        """The reason's name: a number would say nothing."""
        return self.name

    @property
    def sentence(self) -> str:
        """The reason as a clause, such as "a stone is there already"."""
        return _SENTENCES[self]


_SENTENCES = {
    Illegal.OCCUPIED: "a stone is there already",
    Illegal.KO: "it retakes a ko at once",
    Illegal.SUPERKO: "it repeats an earlier position (superko)",
    Illegal.SUICIDE: "it is suicide",
    Illegal.OFF_BOARD: "it is off the board",
}
