"""Writes random networks in Leela Zero's text format."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np

Lines = list[list[float]]


def leela_lines(seed: int = 0, blocks: int = 2, filters: int = 4, side: int = 5, hidden: int = 6) -> Lines:
    """The lines after the version: small random numbers, positive ones where the format has variances."""
    rng = np.random.default_rng(seed)
    points = side * side

    def conv(count: int, channels: int, kernel: int) -> Lines:
        fan = channels * kernel * kernel
        weights = rng.normal(size=count * fan) / np.sqrt(fan)
        statistics = [rng.normal(size=count), rng.normal(size=count) * 0.3, rng.uniform(0.5, 1.5, count)]
        return [weights.tolist(), *(array.tolist() for array in statistics)]

    def dense(outputs: int, inputs: int) -> Lines:
        return [(rng.normal(size=outputs * inputs) / np.sqrt(inputs)).tolist(), rng.normal(size=outputs).tolist()]

    lines = conv(filters, 18, 3)
    for _ in range(2 * blocks):
        lines += conv(filters, filters, 3)
    lines += conv(2, filters, 1) + dense(points + 1, 2 * points)
    return lines + conv(1, filters, 1) + dense(hidden, points) + dense(1, hidden)


def write_leela(path: Path, lines: Lines, version: int | str = 1) -> Path:
    """Write `path`, gzipped if it ends in .gz; numbers in full."""
    text = "\n".join([str(version), *(" ".join(map(repr, line)) for line in lines)]) + "\n"
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path
