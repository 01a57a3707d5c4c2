"""The interface of an encoder, and the list of encoders by name.

An encoder turns board records into the arrays a network reads. It holds no state and no randomness: equal records give
equal arrays, whatever else is in the batch. Which planes there are is said in each encoder's own file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.features.alphago import ALPHAGO4, ALPHAGO12, ALPHAGO20, ALPHAGO48, ALPHAGO49
from move37.features.article import ARTICLE22, ARTICLE48, ARTICLE48_000
from move37.features.encoded import Encoded
from move37.features.gnugo import GNUGO
from move37.features.katago import KATAGO22
from move37.features.leela import LEELA18
from move37.features.zero import ARTICLE17, ZERO17
from move37.rules.batch import Batch
from move37.rules.board_kernels import BOARD
from move37.rules.position import Position
from move37.rules.position_view import PositionView

__all__ = ["Encoded", "Encoder", "Positions", "encode", "encoder_names", "get_encoder", "records"]


@runtime_checkable
class Encoder(Protocol):
    """Turns BOARD[B] into network inputs; `planes` is C and `globals` is G of what `encode` returns."""

    @property
    def name(self) -> str:
        """The name by which networks ask for it."""
        ...

    @property
    def planes(self) -> int:
        """How many planes it writes."""
        ...

    @property
    def globals(self) -> int:
        """How many numbers per position it writes beside the planes; may be 0."""
        ...

    def encode(self, boards: NDArray[Any], out: NDArray[np.float32] | None = None) -> Encoded:
        """Inputs of `boards` (BOARD[B], one board size); `out` float32[B, C, H, W] is reused for the planes."""
        ...


_LISTED: tuple[Encoder, ...] = (
    ZERO17,
    ARTICLE17,
    ALPHAGO48,
    ALPHAGO49,
    ALPHAGO4,
    ALPHAGO12,
    ALPHAGO20,
    ARTICLE48,
    ARTICLE48_000,
    ARTICLE22,
    KATAGO22,
    LEELA18,
    GNUGO,
)
_ENCODERS: dict[str, Encoder] = {encoder.name: encoder for encoder in _LISTED}


def encoder_names() -> tuple[str, ...]:
    """Names that `get_encoder` knows."""
    return tuple(_ENCODERS)


def get_encoder(name: str) -> Encoder:
    """The encoder called `name`; ConfigError that lists the names if there is none."""
    try:
        return _ENCODERS[name]
    except KeyError:
        raise ConfigError(f"There is no encoder {name!r}; choose one of {', '.join(_ENCODERS)}.") from None


Positions: TypeAlias = "Position | Sequence[Position] | Batch | NDArray[Any]"
"""One position, several, a batch of games, or their records BOARD[B]; of one board size."""


def records(positions: Positions) -> NDArray[Any]:
    """Board records of `positions`, BOARD[B]: Position objects are copied, an array of records is returned as it is.

    TypeError for anything else.
    """
    if isinstance(positions, np.ndarray):
        return positions
    if isinstance(positions, Batch):
        return positions.boards
    found = _positions(positions)
    boards = np.zeros(len(found), dtype=BOARD)
    for i, position in enumerate(found):
        boards[i] = position.board
    return boards


def _positions(positions: Any) -> list[PositionView]:
    """One or several position objects as a list; TypeError for anything else."""
    found: list[Any] = [*positions] if isinstance(positions, Sequence) else [positions]
    for one in found:
        if not isinstance(one, PositionView):
            raise TypeError(f"Positions are Position objects, a Batch, or records BOARD[B], not {one!r:.60}.")
    return found


def encode(name: str | Encoder, positions: Positions) -> Encoded:
    """What the encoder called `name`, or an encoder itself, shows a network of `positions`: one or several of one size.

    ConfigError for a name that no encoder has, TypeError for what are no positions.
    """
    encoder = name if isinstance(name, Encoder) else get_encoder(name)
    return encoder.encode(records(positions))
