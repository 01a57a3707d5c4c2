"""Training examples drawn from stored games: planes, the move played, and who won.

Planes are made while training: a position is drawn, its game is replayed to it by a kernel, encoded, and turned by one
of the eight symmetries together with its move. A batch depends on the seed and its number alone, so a resumed run sees
the very batches an uninterrupted one would. Knows no network and no loss.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Generator, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from move37.rules import symmetry

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from move37.features.encoder import Encoder
    from move37.games.store import GameStore


@dataclass(frozen=True)
class Examples:
    """One batch of B examples; every target is for the player to move.

    `spatial` float32[B, C, H, W] and `globals` float32[B, G]: the encoder's planes. `move` int64[B]: the move played
    (point, or pass = H * W). `value` float32[B]: +1 if the player to move won, -1 if it lost, 0 for a draw.
    `policy_weight`, `value_weight` float32[B]: how much each target counts; 0 where it is unknown or not wanted.
    `ply` int64[B]: how many moves were played before.
    """

    spatial: NDArray[np.float32]
    globals: NDArray[np.float32]
    move: NDArray[np.int64]
    value: NDArray[np.float32]
    policy_weight: NDArray[np.float32]
    value_weight: NDArray[np.float32]
    ply: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.move)


@dataclass(frozen=True)
class Source:
    """Games to draw from, with what each game teaches.

    `black_result` float32[G]: the game's value for Black (+1 won, -1 lost, 0 draw). `value_weight` float32[G].
    `policy_weight` float32[G, 2]: weight of Black's and of White's moves as policy targets.
    """

    games: GameStore
    black_result: NDArray[np.float32]
    value_weight: NDArray[np.float32]
    policy_weight: NDArray[np.float32]

    @property
    def positions(self) -> int:
        """How many (game, ply) pairs there are: one before every move."""
        return int(self.games.moves.offsets[-1])

    def locate(self, positions: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(game, ply), int64[B] each, of the numbers 0 .. positions - 1 (game after game)."""
        offsets = self.games.moves.offsets
        games = np.searchsorted(offsets, positions, side="right") - 1
        return games, positions - offsets[games]


def make_examples(
    source: Source,
    positions: NDArray[np.int64],
    encoder: Encoder,
    symmetries: NDArray[np.int64] | None = None,
    komi: float = 7.5,
) -> Examples:
    """The examples of some positions (int64[B]) of one source; example i is turned by `symmetries[i]` (int64[B])."""
    games, plies = source.locate(positions)
    boards = source.games.replay(games, plies, komi)
    encoded = encoder.encode(boards)
    move = source.games.moves.values[positions].astype(np.int64)
    white = (boards["to_play"] == 2).astype(np.int64)
    spatial = encoded.spatial
    if symmetries is not None:
        spatial, move = turn(spatial, move, symmetries)
    return Examples(
        spatial=spatial,
        globals=encoded.globals,
        move=move,
        value=np.where(white == 1, -source.black_result[games], source.black_result[games]).astype(np.float32),
        policy_weight=source.policy_weight[games, white],
        value_weight=source.value_weight[games],
        ply=plies,
    )


def turn(
    spatial: NDArray[np.float32], move: NDArray[np.int64], symmetries: NDArray[np.int64]
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Turn planes [B, C, H, W] and moves [B] together, each example by its own symmetry (int64[B]); new arrays."""
    rows, cols = spatial.shape[-2:]
    turned, moved = np.empty_like(spatial), np.empty_like(move)
    for one in np.unique(symmetries).tolist():
        chosen = np.flatnonzero(symmetries == one)
        turned[chosen] = symmetry.apply(one, spatial[chosen])
        # permutation maps new points to old ones, so where an old point goes is its inverse.
        moved[chosen] = np.argsort(symmetry.permutation(one, rows, cols))[move[chosen]]
    return turned, moved


def join(parts: Sequence[Examples]) -> Examples:
    """One batch of all parts, one after the other."""
    columns: dict[str, Any] = {
        field.name: np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Examples)
    }
    return Examples(**columns)


def split(batch: Examples, parts: int) -> list[Examples]:
    """Examples 0, n, 2n, ... , then 1, n + 1, ...: each of the n parts holds every source's share."""
    columns = vars(batch)
    return [Examples(**{name: column[part::parts] for name, column in columns.items()}) for part in range(parts)]


@dataclass(frozen=True)
class Sampler:
    """Draws batches: a fixed share of each from each source, positions uniformly, a symmetry uniformly."""

    sources: tuple[Source, ...]
    shares: tuple[float, ...]
    encoder: Encoder
    batch: int
    seed: int
    komi: float = 7.5
    augment: bool = True

    def counts(self) -> list[int]:
        """How many examples of each batch come from each source; they sum to `batch`."""
        edges = np.round(np.cumsum([0.0, *self.shares]) / sum(self.shares) * self.batch).astype(int)
        return [int(count) for count in np.diff(edges)]

    def draw(self, number: int) -> Examples:
        """Batch `number`: a function of the seed and the number alone."""
        rng = np.random.default_rng([self.seed, number])
        parts: list[Examples] = []
        for source, count in zip(self.sources, self.counts(), strict=True):
            positions = rng.integers(source.positions, size=count)
            size = int(source.games.size[0])
            allowed = len(symmetry.allowed(size, size)) if self.augment else 1
            parts.append(make_examples(source, positions, self.encoder, rng.integers(allowed, size=count), self.komi))
        return join([part for part in parts if len(part)])


def prefetch(sampler: Sampler, first: int, depth: int = 4) -> Generator[Examples]:
    """Batches `first`, `first + 1`, ... without end, made ahead by a background thread; close the iterator to stop it.

    An error while making a batch is raised here, where the batch is asked for.
    """
    ready: queue.Queue[Examples | BaseException] = queue.Queue(depth)
    stop = threading.Event()

    def put(item: Examples | BaseException) -> None:
        while not stop.is_set():
            try:
                ready.put(item, timeout=0.2)
            except queue.Full:
                continue
            return

    def work() -> None:
        number = first
        try:
            while not stop.is_set():
                put(sampler.draw(number))
                number += 1
        except BaseException as error:  # handed to the thread that asks for the batch
            put(error)

    thread = threading.Thread(target=work, name="move37-examples", daemon=True)
    thread.start()
    try:
        while True:
            item = ready.get()
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        stop.set()
        thread.join()
