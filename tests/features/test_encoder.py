"""The list of encoders and what all of them refuse."""

from __future__ import annotations

import numpy as np
import pytest

from move37.errors import ConfigError
from move37.features import encode, encoder_names, get_encoder
from move37.rules.position import Position
from tests.support.positions import batch


def test_encoders_are_found_by_their_own_name() -> None:
    for name in encoder_names():
        assert get_encoder(name).name == name


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(ConfigError, match=r"no encoder 'zero18'; choose one of zero17, article17\.$"):
        get_encoder("zero18")


def test_positions_and_records_encode_alike() -> None:
    games = [Position.from_moves(["C3", "D4"], size=5), Position(size=5)]
    assert (encode("zero17", games).spatial == encode("zero17", batch(games)).spatial).all()


def test_a_batch_of_two_sizes_is_refused() -> None:
    with pytest.raises(ValueError, match="holds 5x5, 9x9; group"):
        encode("zero17", [Position(size=9), Position(size=5)])


def test_arrays_that_are_not_records_are_refused() -> None:
    with pytest.raises(ValueError, match="array BOARD"):
        get_encoder("zero17").encode(np.zeros((1, 9, 9)))


def test_an_empty_batch_is_refused() -> None:
    with pytest.raises(ValueError, match="no positions"):
        encode("zero17", [])
