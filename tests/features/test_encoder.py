"""The list of encoders and what all of them refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from move37.errors import ConfigError
from move37.features import KataGoEncoder, encode, encoder_names, get_encoder
from move37.rules.board_kernels import BOARD
from move37.rules.position import Position
from tests.support.positions import batch


def test_encoders_are_found_by_their_own_name() -> None:
    for name in encoder_names():
        assert get_encoder(name).name == name


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(ConfigError, match=r"no encoder 'zero18'; choose one of zero17, article17, .*leela18, gnugo\.$"):
        get_encoder("zero18")


def test_positions_and_records_encode_alike() -> None:
    games = [Position.from_moves(["C3", "D4"], size=5), Position(size=5)]
    assert (encode("zero17", games).spatial == encode("zero17", batch(games)).spatial).all()


def test_an_encoder_itself_encodes_too() -> None:
    game = Position.from_moves(["C3", "B2"], size=5)
    planes = encode(KataGoEncoder(history=0), game).spatial[0]
    assert not planes[9:14].any() and encode("katago22", game).spatial[0, 9:14].any()


def test_a_batch_of_two_sizes_is_refused() -> None:
    with pytest.raises(ValueError, match="holds 5x5, 9x9; group"):
        encode("zero17", [Position(size=9), Position(size=5)])


def test_arrays_that_are_not_records_are_refused() -> None:
    with pytest.raises(ValueError, match="array BOARD"):
        get_encoder("zero17").encode(np.zeros((1, 9, 9)))


def test_an_empty_batch_is_refused() -> None:
    with pytest.raises(ValueError, match="no positions"):
        encode("zero17", [])


@pytest.mark.parametrize("what", [None, 3, "abc", [1], [Position(9), None], {1: 2}, Position(9).board])
def test_what_is_no_position_is_refused(what: Any) -> None:
    with pytest.raises(TypeError, match="Positions are Position objects"):
        encode("zero17", what)


@pytest.mark.parametrize("side", [0, 20, 255])
def test_records_of_no_board_are_refused(side: int) -> None:
    boards = np.zeros(2, BOARD)
    boards["rows"] = boards["cols"] = side
    for name in encoder_names():
        with pytest.raises(ValueError, match=f"A board of {side}x{side} is none"):
            encode(name, boards)
