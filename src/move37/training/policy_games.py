"""Many games of policies side by side, so that every call of a network is a large batch.

A move is drawn from the softmax of its policy over the moves that a player of this package could make: legal ones that
fill no own eye; what holds of a pass is said at `Passes`. All games advance together; a game that ends makes room for
the next. Chance is one stream a game, so a game does not depend on those beside it, as far as the answers of its
evaluator do not. Knows no search, no learning and no results but the count of the final board.

Source: the games of Silver et al., Nature 529 (2016), Methods, "Reinforcement learning of policy networks", where n
games are played in parallel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.games.columns import Lists
from move37.players.move_kernels import eye_filling_mask, safe_mask
from move37.rules import batch_kernels
from move37.rules.board_kernels import BoardArray, legal_mask_batch
from move37.rules.color import Color
from move37.rules.repetition_kernels import KEYS_A_PLY
from move37.search.evaluator import Evaluator, masked_softmax

Passes = Literal["guarded", "learned", "last"]
"""When a player may pass.

guarded: as every player of this package does (`players.pass_guard`): not if the count would then lose and a safe move
is left; and if the other side has just passed and the count wins, it passes. Otherwise as the policy says.
learned: whenever the policy says so. last: only where no other move is left, the paper's way.
"""


@dataclass(frozen=True)
class Ply:
    """The moves of K games that were drawn by one call of a chooser.

    `games` int64[K], `chooser` their chooser's number, `boards` BOARD[K] before the moves (nobody changes them later),
    `allowed` bool[K, A] the moves that were drawn from, `moves` int64[K].
    """

    games: NDArray[np.int64]
    chooser: int
    boards: BoardArray
    allowed: NDArray[np.bool_]
    moves: NDArray[np.int64]


@dataclass(frozen=True)
class PlayedGames:
    """B games that are over.

    `moves`: of each game, points and passes from where it started. `boards` BOARD[B] at the end. `black_margin`
    float32[B]: points Black is ahead by the count of the board as it stands, komi included.
    """

    moves: Lists
    boards: BoardArray
    black_margin: NDArray[np.float32]

    @property
    def black_result(self) -> NDArray[np.float32]:
        """float32[B]: 1 where Black won, -1 where White did, 0 for a draw."""
        return np.sign(self.black_margin)

    @property
    def passed_out(self) -> NDArray[np.bool_]:
        """bool[B]: which games ended by two passes, not at the limit."""
        ended: NDArray[np.bool_] = self.boards["passes"] >= 2
        return ended


def streams(words: Sequence[int], first: int, count: int) -> list[np.random.Generator]:
    """The generators of the games number `first` to `first + count - 1`, by their number and `words` alone."""
    return [np.random.default_rng([*words, number]) for number in range(first, first + count)]


def play(
    boards: BoardArray,
    choosers: Sequence[Evaluator],
    chooser_of: NDArray[np.int64],
    rng_streams: Sequence[np.random.Generator],
    *,
    max_moves: int | NDArray[np.int64],
    temperature: float = 1.0,
    passes: Passes = "guarded",
    together: int | None = None,
    watch: Callable[[Ply], None] | None = None,
) -> PlayedGames:
    """Play on from each of `boards` (BOARD[B] of one size, left as they are) to two passes, or for `max_moves` moves.

    `max_moves`: one number for all games, or int64[B].
    `chooser_of` int64[B, 2]: the number among `choosers` of each game's Black and White. `temperature` t: draws by
    p^(1/t); at 0 the likeliest move. `together`: so many games at a time at most (all by default). `watch` is told of
    every move. Superko, where the rules have it, sees the moves from `boards` on. ConfigError for numbers out of range,
    ValueError for arrays of other shapes.
    """
    _check(boards, choosers, chooser_of, rng_streams)
    limits = np.broadcast_to(np.asarray(max_moves, np.int64), len(boards))
    if limits.min() < 0 or not 0.0 <= temperature < np.inf or (together is not None and together < 1):
        raise ConfigError("games need max_moves and a temperature of 0 or more, and a number side by side of 1 or more")
    games = _Games(boards.copy(), chooser_of, rng_streams, limits)
    waiting = np.arange(len(boards))
    going = waiting[:0]
    while True:
        free = len(boards) if together is None else together - len(going)
        started, waiting = waiting[:free], waiting[free:]
        games.start(started)
        going = games.unfinished(np.concatenate([going, started]))
        if not len(going):
            if len(waiting):
                continue
            return games.played()
        games.advance(going, choosers, temperature, passes, watch)


class _Games:
    """The games' boards, keys of repetition, random numbers and moves so far."""

    def __init__(
        self,
        boards: BoardArray,
        chooser_of: NDArray[np.int64],
        rng_streams: Sequence[np.random.Generator],
        limits: NDArray[np.int64],
    ) -> None:
        count, max_moves = len(boards), int(limits.max())
        self.boards, self.chooser_of, self.rng_streams, self.limits = boards, chooser_of, rng_streams, limits
        self.keys: NDArray[np.uint64] = np.zeros((count, 1 + KEYS_A_PLY * max_moves), np.uint64)
        self.key_counts: NDArray[np.int64] = np.zeros(count, np.int64)
        self.chances: NDArray[np.float64] = np.empty((count, max_moves))
        self.moves: NDArray[np.uint16] = np.empty((count, max_moves), np.uint16)
        self.lengths: NDArray[np.int64] = np.zeros(count, np.int64)
        batch_kernels.start_keys(boards, np.ones(count, np.bool_), self.keys, self.key_counts)

    def start(self, games: NDArray[np.int64]) -> None:
        """Draw the chances of some games."""
        for game in games.tolist():
            limit = self.limits[game]
            self.chances[game, :limit] = self.rng_streams[game].random(limit)

    def unfinished(self, games: NDArray[np.int64]) -> NDArray[np.int64]:
        """Those of `games` that go on."""
        over = np.empty(len(self.boards), np.bool_)
        batch_kernels.write_over(self.boards, over)
        return games[~over[games] & (self.lengths[games] < self.limits[games])]

    def advance(
        self,
        going: NDArray[np.int64],
        choosers: Sequence[Evaluator],
        temperature: float,
        passes: Passes,
        watch: Callable[[Ply], None] | None,
    ) -> None:
        """One move in every game of `going`."""
        side = self.boards["to_play"][going].astype(np.int64) - 1
        number = self.chooser_of[going, side]
        actions = np.full(len(self.boards), -1, np.int64)
        for chooser, evaluator in enumerate(choosers):
            games = going[number == chooser]
            if not len(games):
                continue
            boards = self.boards[games]
            allowed = allowed_moves(boards, passes)
            chances = self.chances[games, self.lengths[games]]
            moves = draw(evaluator.evaluate(boards).policy, allowed, chances, temperature)
            actions[games] = moves
            if watch is not None:
                watch(Ply(games, chooser, boards, allowed, moves))
        self.moves[going, self.lengths[going]] = actions[going]
        self.lengths[going] += 1
        batch_kernels.play_all(self.boards, actions, self.keys, self.key_counts)

    def played(self) -> PlayedGames:
        """The games, when none goes on."""
        offsets = np.concatenate([[0], np.cumsum(self.lengths)]).astype(np.int64)
        columns = np.arange(self.moves.shape[1], dtype=np.int64)
        used = np.less(columns, self.lengths[:, None])
        return PlayedGames(Lists(self.moves[used], offsets), self.boards, margins(self.boards).astype(np.float32))


def margins(boards: BoardArray) -> NDArray[np.float64]:
    """float64[B]: points Black is ahead on each of `boards` (BOARD[B]) by the count of the board as it stands."""
    found = np.empty(len(boards), np.float64)
    batch_kernels.black_margins(boards, found)
    return found


def allowed_moves(boards: BoardArray, passes: Passes = "guarded") -> NDArray[np.bool_]:
    """bool[B, A]: what each player to move on `boards` (BOARD[B], one size) may draw from; at least one move each."""
    actions = int(boards[0]["rows"]) * int(boards[0]["cols"]) + 1
    allowed = np.empty((len(boards), actions), np.bool_)
    legal_mask_batch(boards, allowed)
    eyes = np.empty(actions, np.bool_)
    for i, color in enumerate(boards["to_play"].tolist()):
        eye_filling_mask(boards[i : i + 1], color, eyes)
        allowed[i] &= ~eyes
    if passes == "last":
        allowed[:, -1] = ~allowed[:, :-1].any(axis=1)
    elif passes == "guarded":
        _guard_passes(boards, allowed)
    return allowed


def _guard_passes(boards: BoardArray, allowed: NDArray[np.bool_]) -> None:
    """Change `allowed` (bool[B, A]) as `Passes` says of guarded passes."""
    ahead = np.where(boards["to_play"] == Color.BLACK, 1.0, -1.0) * margins(boards)
    wins = (boards["passes"] == 1) & (ahead > 0)
    allowed[wins, :-1] = False
    safe = np.empty(allowed.shape[1], np.bool_)
    for i in np.flatnonzero(ahead < 0).tolist():
        allowed[i, -1] = safe_mask(boards[i : i + 1], int(boards["to_play"][i]), safe) == 0


def draw(
    logits: NDArray[np.float32],
    allowed: NDArray[np.bool_],
    chances: NDArray[np.float64],
    temperature: float = 1.0,
) -> NDArray[np.int64]:
    """Moves int64[B] by the softmax of `logits` (float32[B, A]) over `allowed` (bool[B, A], at least one a row).

    `chances` float64[B] in [0, 1) decide: each move is chosen by an interval as long as its probability. At temperature
    0 the likeliest move, whatever the chances.
    """
    if temperature == 0.0:
        return np.asarray(np.argmax(np.where(allowed, logits, -np.inf), axis=1), np.int64)
    upper = masked_softmax(logits / np.float32(temperature), allowed).astype(np.float64).cumsum(axis=1)
    return np.asarray(np.argmax(upper > chances[:, None] * upper[:, -1:], axis=1), np.int64)


def _check(
    boards: BoardArray,
    choosers: Sequence[Evaluator],
    chooser_of: NDArray[np.int64],
    rng_streams: Sequence[np.random.Generator],
) -> None:
    count = len(boards)
    if count < 1 or chooser_of.shape != (count, 2) or len(rng_streams) != count:
        raise ValueError(
            f"{count} games need chooser_of of shape ({count}, 2) and as many streams, not {chooser_of.shape} and "
            f"{len(rng_streams)}"
        )
    if chooser_of.min() < 0 or chooser_of.max() >= len(choosers):
        raise ValueError(f"chooser_of names choosers 0 to {len(choosers) - 1}, not {chooser_of.max()}")
