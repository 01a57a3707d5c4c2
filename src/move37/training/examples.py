"""Training examples drawn from stored games: planes, the move played, and who won.

Planes are made while training: a position is drawn, its game is replayed to it by a kernel, encoded, and turned by one
of the eight symmetries together with its move. A batch depends on the seed and its number alone, so a resumed run sees
the very batches an uninterrupted one would. Knows no network and no loss.
"""

from __future__ import annotations

import hashlib
import itertools
from collections import deque
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from move37.games.areas import black_ownership
from move37.nets.fast_cpu import cores
from move37.rules import symmetry

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from move37.features.encoder import Encoder
    from move37.games.store import GameStore


def _nothing() -> NDArray[np.float32]:
    return np.empty(0, np.float32)


@dataclass(frozen=True)
class Examples:
    """One batch of B examples; every target is for the player to move.

    `spatial` float32[B, C, H, W] and `globals` float32[B, G]: the encoder's planes. `move` int64[B]: the move played
    (point, or pass = H * W). `value` float32[B]: +1 if the player to move won, -1 if it lost, 0 for a draw.
    `policy_weight`, `value_weight` float32[B]: how much each target counts; 0 where it is unknown or not wanted.
    `ply` int64[B]: how many moves were played before. `score` float32[B]: points ahead on the board in the end, komi
    aside; NaN where that is unknown, and empty where the games do not tell.

    `ownership` float32[B, H, W]: 1 where the player to move owns the point in the end, -1 where the opponent does;
    `ownership_weight` float32[B]. Both empty if it is not asked for.

    From self-play, else empty: `policy` float32[B, A], rows that sum to 1: what the policy is to be; all zeros where
    that is unknown. `opponent` float32[B, A]: what it is to be for the opponent's answer; `opponent_weight` float32[B].
    """

    spatial: NDArray[np.float32]
    globals: NDArray[np.float32]
    move: NDArray[np.int64]
    value: NDArray[np.float32]
    policy_weight: NDArray[np.float32]
    value_weight: NDArray[np.float32]
    ply: NDArray[np.int64]
    score: NDArray[np.float32] = field(default_factory=_nothing)
    policy: NDArray[np.float32] = field(default_factory=_nothing)
    opponent: NDArray[np.float32] = field(default_factory=_nothing)
    opponent_weight: NDArray[np.float32] = field(default_factory=_nothing)
    ownership: NDArray[np.float32] = field(default_factory=_nothing)
    ownership_weight: NDArray[np.float32] = field(default_factory=_nothing)

    def __len__(self) -> int:
        return len(self.move)


class AnySource(Protocol):
    """Games to draw from, whatever they teach."""

    @property
    def side(self) -> int:
        """The side of the board of all its games."""
        ...

    def draw(self, rng: np.random.Generator, count: int) -> NDArray[np.int64]:
        """The numbers int64[count] of positions drawn by chance."""
        ...

    def examples(
        self, positions: NDArray[np.int64], encoder: Encoder, symmetries: NDArray[np.int64], komi: float
    ) -> Examples:
        """The examples of positions by their numbers (int64[B]), each turned by its own symmetry (int64[B])."""
        ...


@dataclass(frozen=True)
class Source:
    """Games to draw from, with what each game teaches.

    `black_result` float32[G]: the game's value for Black (+1 won, -1 lost, 0 draw). `value_weight` float32[G].
    `policy_weight` float32[G, 2]: weight of Black's and of White's moves as policy targets. `chosen` int64[K]: the
    numbers of the positions that are drawn, see `locate`; None: all of them.
    `black_lead` float32[G]: points Black was ahead on the board in the end, komi aside; NaN where unknown, or empty.
    `owners`: whether examples say who owned what in the end; all sources of a sampler do, or none.
    """

    games: GameStore
    black_result: NDArray[np.float32]
    value_weight: NDArray[np.float32]
    policy_weight: NDArray[np.float32]
    chosen: NDArray[np.int64] | None = None
    black_lead: NDArray[np.float32] = field(default_factory=_nothing)
    owners: bool = False

    @property
    def positions(self) -> int:
        """How many positions may be drawn: one before every move of every game, or the chosen ones."""
        return int(self.games.moves.offsets[-1]) if self.chosen is None else len(self.chosen)

    def draw(self, rng: np.random.Generator, count: int) -> NDArray[np.int64]:
        """The numbers int64[count] of positions drawn uniformly."""
        drawn = rng.integers(self.positions, size=count)
        return drawn if self.chosen is None else self.chosen[drawn]

    def locate(self, positions: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(game, ply), int64[B] each, of positions by their numbers, which count all moves, game after game."""
        return located(self.games, positions)

    @property
    def side(self) -> int:
        """See `AnySource`."""
        return int(self.games.size[0])

    def examples(
        self, positions: NDArray[np.int64], encoder: Encoder, symmetries: NDArray[np.int64], komi: float
    ) -> Examples:
        """See `AnySource`."""
        return make_examples(self, positions, encoder, symmetries, komi)


def located(games: GameStore, positions: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(game, ply), int64[B] each, of positions by their numbers, which count all moves, game after game."""
    offsets = games.moves.offsets
    found = np.searchsorted(offsets, positions, side="right") - 1
    return found, positions - offsets[found]


def one_a_game(games: GameStore, seed: int) -> NDArray[np.int64]:
    """The number of one position of each game that has any, int64[K]: the marked one, else one that chance chose.

    Chance is the game's moves and `seed`, so filters change no choice; all plies before a move are alike.
    """
    start = str(seed).encode("ascii")
    lengths = games.moves.lengths
    plies = games.marked_ply.astype(np.int64)
    for game in np.flatnonzero((plies < 0) & (lengths > 0)).tolist():
        # Not the sum that `GameStore.split` uses: the held-out games would then have their plies alike.
        digest = hashlib.blake2b(games.moves[game].tobytes(), key=start, digest_size=8).digest()
        plies[game] = int.from_bytes(digest, "little") % int(lengths[game])
    numbers: NDArray[np.int64] = (games.moves.offsets[:-1] + plies)[lengths > 0]
    return numbers


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
    view = np.where(white == 1, -1, 1).astype(np.float32)
    spatial = encoded.spatial
    if symmetries is not None:
        spatial, move = turn(spatial, move, symmetries)
    return Examples(
        spatial=spatial,
        globals=encoded.globals,
        move=move,
        value=(view * source.black_result[games]).astype(np.float32),
        policy_weight=source.policy_weight[games, white],
        value_weight=source.value_weight[games],
        ply=plies,
        score=(view * source.black_lead[games]).astype(np.float32) if len(source.black_lead) else _nothing(),
        **_owners(source, games, view, symmetries),
    )


def _owners(
    source: Source, games: NDArray[np.int64], view: NDArray[np.float32], symmetries: NDArray[np.int64] | None
) -> dict[str, NDArray[np.float32]]:
    """Who owned what in the end, if the source tells; of no weight where its game does not."""
    if not source.owners:
        return {}
    known = (source.games.black_area.lengths + source.games.white_area.lengths)[games] > 0
    owners = turned_owners(black_ownership(source.games, games), view, symmetries)
    return {"ownership": owners, "ownership_weight": known.astype(np.float32)}


def turned_owners(
    black: NDArray[np.float32], view: NDArray[np.float32], symmetries: NDArray[np.int64] | None
) -> NDArray[np.float32]:
    """`black` float32[B, H, W], Black's ownership, for the player to move (`view` float32[B]: 1 Black, -1 White)."""
    planes = (black * view[:, None, None])[:, None]
    if symmetries is not None:
        planes, _ = turn(planes, np.zeros(len(planes), np.int64), symmetries)
    return planes[:, 0]


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
        column.name: np.concatenate([getattr(part, column.name) for part in parts]) for column in fields(Examples)
    }
    return Examples(**columns)


def split(batch: Examples, parts: int) -> list[Examples]:
    """Examples 0, n, 2n, ... , then 1, n + 1, ...: each of the n parts holds every source's share."""
    columns = vars(batch)
    return [Examples(**{name: column[part::parts] for name, column in columns.items()}) for part in range(parts)]


@dataclass(frozen=True)
class Sampler:
    """Draws batches: a fixed share of each from each source, positions uniformly, a symmetry uniformly."""

    sources: tuple[AnySource, ...]
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
            if count == 0:
                continue
            positions = source.draw(rng, count)
            allowed = len(symmetry.allowed(source.side, source.side)) if self.augment else 1
            parts.append(source.examples(positions, self.encoder, rng.integers(allowed, size=count), self.komi))
        return join(parts)


class Draws(Protocol):
    """Batches by number."""

    def draw(self, number: int) -> Examples:
        """Batch `number`: the same whenever it is asked for."""
        ...


def prefetch(sampler: Draws, first: int, *, threads: int | None = None, ahead: int = 2) -> Generator[Examples]:
    """Batches `first`, `first + 1`, ... without end, made ahead by background threads; close the iterator to stop them.

    `threads`: None for one a core. Each makes whole batches, `ahead` of them, so the order and what is in a batch are
    the same for any number of threads. An error while making a batch is raised here, where the batch is asked for.
    """
    count = threads or cores()
    numbers = itertools.count(first)
    pool = ThreadPoolExecutor(count, thread_name_prefix="move37-examples")
    try:
        waiting = deque(pool.submit(sampler.draw, next(numbers)) for _ in range(count * ahead))
        while True:
            batch = waiting.popleft().result()
            waiting.append(pool.submit(sampler.draw, next(numbers)))
            yield batch
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
