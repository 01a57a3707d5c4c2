"""What every encoder promises: shapes, determinism, independence of the batch, symmetry."""

from __future__ import annotations

import numpy as np
import pytest

from move37.features import encode, encoder_names, get_encoder
from move37.rules import symmetry
from move37.rules.position import Position
from tests.support.positions import batch, random_position, turned

SIZES = [(1, 1), (4, 7), (9, 9), (19, 19)]


def games(rows: int, cols: int) -> list[Position]:
    rng = np.random.default_rng(11)
    return [random_position(rng, rows, cols, moves) for moves in (0, 3, 8, 40)]


@pytest.mark.parametrize("name", encoder_names())
@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_shapes_and_types(name: str, rows: int, cols: int) -> None:
    encoder = get_encoder(name)
    encoded = encode(name, games(rows, cols))
    assert len(encoded) == 4
    assert encoded.spatial.shape == (4, encoder.planes, rows, cols)
    assert encoded.globals.shape == (4, encoder.globals)
    assert encoded.spatial.dtype == encoded.globals.dtype == np.float32
    assert np.isfinite(encoded.spatial).all()
    assert np.isfinite(encoded.globals).all()


@pytest.mark.parametrize("name", encoder_names())
@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_positions_are_encoded_independently_and_records_stay(name: str, rows: int, cols: int) -> None:
    boards = batch(games(rows, cols))
    before = boards.copy()
    together = get_encoder(name).encode(boards)
    assert (boards == before).all()
    for i in range(len(boards)):
        alone = get_encoder(name).encode(boards[i : i + 1])
        np.testing.assert_array_equal(alone.spatial[0], together.spatial[i])
        np.testing.assert_array_equal(alone.globals[0], together.globals[i])


@pytest.mark.parametrize("name", encoder_names())
@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_a_turned_game_has_turned_planes(name: str, rows: int, cols: int) -> None:
    for s in symmetry.allowed(rows, cols):
        for game in games(rows, cols):
            plain, mapped = encode(name, [game]), encode(name, [turned(game, s)])
            np.testing.assert_array_equal(mapped.spatial, symmetry.apply(s, plain.spatial))
            np.testing.assert_array_equal(mapped.globals, plain.globals)
