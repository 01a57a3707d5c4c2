"""How fast training examples are made: games replayed to a position, encoded, and turned, as a training run does.

A training run on the same cores must find this cheap: a step consumes a few hundred positions a second.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import islice

import numpy as np

from move37.benchmark.figures import Figure, best_rate, figure, require
from move37.features.encoder import get_encoder
from move37.games.columns import Lists
from move37.games.store import even_games
from move37.rules.board_kernels import BOARD, legal_mask, play, reset
from move37.training.examples import Sampler, Source, make_examples, prefetch

__all__ = ["training_data_group"]

SIZE = 19
GAMES = 32
MOVES = 200
BATCH = 128
BATCHES = 8
ENCODERS = ("zero17", "alphago48")
REFERENCE = 2_400.0  # ten times what a policy network of 8 layers and 128 filters learns from in a second on two cores


def training_data_group() -> Iterator[Figure]:
    """Examples a second on 19x19, by one thread and by one a core."""
    source = _source()
    for name in ENCODERS:
        sampler = Sampler((source,), (1.0,), get_encoder(name), BATCH, seed=37)
        _check(source, sampler)
        for threads, label in ((1, "one"), (None, "all")):

            def work(sampler: Sampler = sampler, threads: int | None = threads) -> float:
                with closing(prefetch(sampler, 0, threads=threads)) as batches:
                    return float(sum(len(batch) for batch in islice(batches, BATCHES)))

            yield figure(f"examples-{name}-{label}", best_rate(work), "positions/s", REFERENCE)


def _source() -> Source:
    """Games of random legal moves, the same on every machine."""
    rng = np.random.default_rng(37)
    board, mask = np.zeros(1, BOARD)[0], np.zeros(SIZE * SIZE + 1, np.bool_)
    moves: list[int] = []
    for _ in range(GAMES):
        reset(board, SIZE, SIZE)
        for _ in range(MOVES):
            legal_mask(board, int(board["to_play"]), mask)
            moves.append(int(rng.choice(np.flatnonzero(mask[:-1]))))
            play(board, moves[-1], int(board["to_play"]))
    games = even_games(
        np.full(GAMES, SIZE, np.int16),
        np.full(GAMES, 7.5, np.float32),
        Lists(np.array(moves, np.uint16), np.arange(0, GAMES * MOVES + 1, MOVES, dtype=np.int64)),
        ["?"] * GAMES,
        np.zeros(GAMES, np.int8),
    )
    ones = np.ones((GAMES, 2), np.float32)
    return Source(games, ones[:, 0], ones[:, 0], ones)


def _check(source: Source, sampler: Sampler) -> None:
    """The moves to learn are legal in the positions that are shown, and threads change nothing."""
    games, plies = np.arange(GAMES), np.full(GAMES, MOVES - 1)
    boards = source.games.replay(games, plies)
    mask = np.zeros(SIZE * SIZE + 1, np.bool_)
    found = make_examples(source, source.games.moves.offsets[1:] - 1, sampler.encoder)
    for board, move in zip(boards, found.move.tolist(), strict=True):
        legal_mask(board, int(board["to_play"]), mask)
        require(bool(mask[move]), "an example's move is illegal")
    require(np.array_equal(found.spatial, sampler.encoder.encode(boards).spatial), "an example shows other planes")
    with closing(prefetch(sampler, 5, threads=3)) as batches:
        for number, batch in enumerate(islice(batches, 3), 5):
            require(np.array_equal(batch.spatial, sampler.draw(number).spatial), "threads changed a batch")
