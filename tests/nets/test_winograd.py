"""Winograd's convolution: the matrices convolve, the kernels are those matrices, and small products are right."""

from __future__ import annotations

import numpy as np
import pytest

from move37._vector_kernels import LANES
from move37.nets import winograd
from move37.nets.matmul_kernels import MAX_WIDTH, ROWS, multiply, width_of
from move37.nets.packing import aligned
from move37.nets.winograd_kernels import tile_to_values, values_to_tile


@pytest.mark.parametrize("tile", winograd.TILES)
def test_the_matrices_convolve(tile: int) -> None:
    rng = np.random.default_rng(tile)
    back, spread, inputs = winograd.matrices(tile)
    line, weights = rng.normal(size=tile + 2), rng.normal(size=3)
    assert np.allclose(back @ ((spread @ weights) * (inputs @ line)), np.correlate(line, weights, "valid"))


def test_the_matrices_of_the_paper() -> None:
    """Lavin and Gray 2015 print those of F(4x4, 3x3)."""
    back, spread, inputs = winograd.matrices(4)
    assert back.tolist() == [[1, 1, 1, 1, 1, 0], [0, 1, -1, 2, -2, 0], [0, 1, 1, 4, 4, 0], [0, 1, -1, 8, -8, 1]]
    assert (spread * 24).round(9).tolist()[:3] == [[6, 0, 0], [-4, -4, -4], [-4, 4, -4]]
    assert inputs.tolist()[0] == [4, 0, -5, 0, 1, 0]


@pytest.mark.parametrize("tile", winograd.TILES)
@pytest.mark.parametrize(("y", "x"), [(0, 0), (1, 2), (3, 4), (4, 1)])
def test_a_tile_becomes_its_values(tile: int, y: int, x: int) -> None:
    rows, cols, channels, count = 6, 7, 2 * LANES, tile + 2
    board = np.random.default_rng(y).normal(size=(rows, cols, channels)).astype(np.float32)
    memory = aligned(board.size + 72 * LANES + count * count * LANES)
    memory[: board.size] = board.ravel()
    scratch, target = board.size, board.size + 72 * LANES
    tile_to_values(memory, LANES, y, x, rows, cols, channels, tile, scratch, target, LANES)
    values = memory[target:].reshape(count, count, LANES)
    around = np.pad(board, ((1, count), (1, count), (0, 0)))[y : y + count, x : x + count, LANES:]
    _, _, inputs = winograd.matrices(tile)
    assert np.allclose(values, np.einsum("ia,abc,jb->ijc", inputs, around, inputs), atol=1e-4)


@pytest.mark.parametrize("tile", winograd.TILES)
def test_products_become_a_tile(tile: int) -> None:
    count = tile + 2
    values = np.random.default_rng(tile).normal(size=(count, count, LANES)).astype(np.float32)
    memory = aligned(2 * values.size + 72 * LANES)
    memory[: 2 * values.size].reshape(count * count, 2, LANES)[:, 1] = values.reshape(-1, LANES)
    place = values_to_tile(memory, LANES, 2 * LANES, tile, 2 * values.size)
    outputs = memory[place : place + tile * tile * LANES].reshape(tile, tile, LANES)
    back, _, _ = winograd.matrices(tile)
    assert np.allclose(outputs, np.einsum("ia,abc,jb->ijc", back, values, back), atol=1e-4)


@pytest.mark.parametrize("width", range(1, MAX_WIDTH + 1))
@pytest.mark.parametrize(("rows", "depth"), [(ROWS, 1), (2 * ROWS, 7), (5 * ROWS, 96)])
def test_products_of_small_matrices(width: int, rows: int, depth: int) -> None:
    rng = np.random.default_rng(width)
    stride = depth + 3
    a = rng.normal(size=(rows, stride)).astype(np.float32)
    panels = rng.normal(size=(width, depth, LANES)).astype(np.float32)
    c = np.full(rows * width * LANES + 2, np.nan, np.float32)
    multiply(a.ravel(), 0, stride, rows, depth, panels.ravel(), 0, width, 0, c, 1)
    expected = a[:, :depth] @ panels.transpose(1, 0, 2).reshape(depth, width * LANES)
    assert np.allclose(c[1:-1].reshape(rows, -1), expected, atol=1e-4)
    assert np.isnan(c[[0, -1]]).all()


@pytest.mark.parametrize("vectors", range(1, 25))
def test_widths_add_up(vectors: int) -> None:
    widths: list[int] = []
    while sum(widths) < vectors:
        widths.append(width_of(vectors - sum(widths)))
    assert sum(widths) == vectors
    assert all(1 <= width <= MAX_WIDTH for width in widths)
    assert vectors == 1 or widths.count(1) <= (MAX_WIDTH == 2)


def test_the_tile_suits_the_board() -> None:
    assert {size: winograd.best_tile(size, size) for size in (9, 13, 19)} == {9: 3, 13: 3, 19: 4}
    assert winograd.tiles_on(19, 9, 4) == (5, 3)
