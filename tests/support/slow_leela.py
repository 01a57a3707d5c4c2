"""Leela Zero's planes made the obvious way, stone by stone, and its networks run the way its format says. Oracles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from move37.rules.color import Color
from move37.rules.position import Position


def leela18(position: Position) -> NDArray[np.float32]:
    """float32[18, H, W]: moves are taken back one by one, and each stone found sets one number."""
    planes = np.zeros((18, position.rows, position.cols), np.float32)
    game = position.copy()
    for past in range(8):
        for row in range(game.rows):
            for col in range(game.cols):
                stone = int(np.array(game.stones)[row, col])
                if stone:
                    planes[past if stone == int(position.to_play) else 8 + past, row, col] = 1.0
        if not game.moves:
            break
        game.undo()
    planes[16 if position.to_play is Color.BLACK else 17] = 1.0
    return planes


def forward(lines: list[list[float]], planes: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Logits float64[N² + 1] and value of one position, as the lines of a weights file say, in Leela Zero's own order.

    `planes`: float64[18, N, N] with row 0 at the bottom; logits are in that order too. The value is for the player to
    move, of version 2 for Black.
    """
    arrays = [np.array(line, np.float64) for line in lines]
    side = planes.shape[-1]
    filters = len(arrays[1])
    x = _norm_relu(_conv(planes, arrays[0].reshape(filters, 18, 3, 3)), arrays[1:4])
    at = 4
    while len(arrays[at]) == filters * filters * 9:
        inner = _norm_relu(_conv(x, arrays[at].reshape(filters, filters, 3, 3)), arrays[at + 1 : at + 4])
        outer = _conv(inner, arrays[at + 4].reshape(filters, filters, 3, 3))
        x = _norm_relu(outer, arrays[at + 5 : at + 8], x)
        at += 8
    policy = _norm_relu(_conv(x, arrays[at].reshape(2, filters, 1, 1)), arrays[at + 1 : at + 4])
    logits = arrays[at + 4].reshape(side * side + 1, -1) @ policy.ravel() + arrays[at + 5]
    value = _norm_relu(_conv(x, arrays[at + 6].reshape(1, filters, 1, 1)), arrays[at + 7 : at + 10])
    hidden = np.maximum(arrays[at + 10].reshape(-1, side * side) @ value.ravel() + arrays[at + 11], 0.0)
    return logits, float(np.tanh(arrays[at + 12] @ hidden + arrays[at + 13])[0])


def _conv(x: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Cross-correlation point by point, zeros outside the board."""
    reach = weights.shape[-1] // 2
    padded = np.pad(x, ((0, 0), (reach, reach), (reach, reach)))
    out = np.zeros((len(weights), *x.shape[1:]))
    for row in range(x.shape[1]):
        for col in range(x.shape[2]):
            window = padded[:, row : row + 2 * reach + 1, col : col + 2 * reach + 1]
            out[:, row, col] = (weights * window).sum(axis=(1, 2, 3))
    return out


def _norm_relu(
    x: NDArray[np.float64], bias_mean_variance: list[NDArray[np.float64]], skip: NDArray[np.float64] | float = 0.0
) -> NDArray[np.float64]:
    """Bias, norm without scale and shift, sum with `skip`, ReLU."""
    bias, mean, variance = (array[:, None, None] for array in bias_mean_variance)
    return np.maximum((x + bias - mean) / np.sqrt(variance + 1e-5) + skip, 0.0)
