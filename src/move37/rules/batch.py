"""Many games at once, for self-play, learning and experiments: arrays in, arrays out, one kernel call a step.

The same rules as `Position`, but no undo and no list of moves. A move limit may be the rules' own or the batch's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from move37.errors import IllegalMoveError, RulesError
from move37.rules import batch_kernels, board_kernels, coordinates, records, repetition_kernels
from move37.rules.board_kernels import BoardArray
from move37.rules.color import Color
from move37.rules.legality import Illegal
from move37.rules.ruleset import Ruleset, ruleset
from move37.rules.scoring import check_komi

SKIP = -1
"""The action of a game that is over."""


class Batch:
    """B games of one size, rules and komi; see `batch`.

    ``boards`` is the array ``BOARD[B]`` itself, for encoders and evaluators; writing to it breaks superko.
    """

    def __init__(self, boards: BoardArray, rules: Ruleset, move_limit: int | None = None) -> None:
        self.boards = boards
        self.rules = rules
        self.move_limit = min((limit for limit in (move_limit, rules.move_limit) if limit), default=None)
        boards["move_limit"] = self.move_limit or 0
        self.rows, self.cols = int(boards["rows"][0]), int(boards["cols"][0])
        self._keys: NDArray[np.uint64] = np.zeros((len(boards), 64), dtype=np.uint64)
        self._counts: NDArray[np.int64] = np.zeros(len(boards), dtype=np.int64)
        self.reset()

    def __repr__(self) -> str:
        """The games in short."""
        return f"<batch of {len(self)} games on {self.rows}x{self.cols}, {int(self.done.sum())} over>"

    def __len__(self) -> int:
        """Number of games."""
        return len(self.boards)

    @property
    def actions(self) -> int:
        """A: the number of actions, rows · cols points and pass."""
        return self.rows * self.cols + 1

    @property
    def done(self) -> NDArray[np.bool_]:
        """``bool[B]``: which games are over."""
        over = np.empty(len(self), np.bool_)
        batch_kernels.write_over(self.boards, over)
        return over

    @property
    def to_play(self) -> NDArray[np.int8]:
        """``int8[B]``: the player to move, 1 Black, 2 White."""
        players: NDArray[np.int8] = self.boards["to_play"].copy()
        return players

    @property
    def stones(self) -> NDArray[np.int8]:
        """``int8[B, H, W]``: 0 empty, 1 Black, 2 White; a copy."""
        return np.stack([records.stones_grid(board) for board in self.boards])

    def legal_mask(self) -> NDArray[np.bool_]:
        """``bool[B, A]``: the legal moves of each player to move, pass last; all False in games that are over."""
        mask = np.zeros((len(self), self.actions), dtype=np.bool_)
        batch_kernels.legal_masks(self.boards, self.done, mask)
        return mask

    def step(self, actions: ArrayLike) -> None:
        """Play one move in every game: ``int[B]``, a point or rows · cols for pass, -1 in games that are over.

        Raises `IllegalMoveError` naming the game and the vertex, or `ValueError` for a wrong shape or type; no game
        is then changed.
        """
        chosen = np.asarray(actions)
        if chosen.shape != (len(self),) or not np.issubdtype(chosen.dtype, np.integer):
            raise ValueError(f"actions must be {len(self)} ints, not {chosen.dtype} of shape {chosen.shape}")
        moves = np.ascontiguousarray(chosen, dtype=np.int64)
        game, reason = batch_kernels.first_wrong(self.boards, moves, self.done)
        if game >= 0:
            raise IllegalMoveError(self._complaint(game, int(moves[game]), reason))
        if int(self._counts.max()) + repetition_kernels.KEYS_A_PLY > self._keys.shape[1]:
            self._keys = np.concatenate([self._keys, np.zeros_like(self._keys)], axis=1)
        batch_kernels.play_all(self.boards, moves, self._keys, self._counts)

    def black_margin(self) -> NDArray[np.float64]:
        """``float64[B]``: points Black is ahead if the games ended now, as `score_kernels` counts the boards.

        Komi and bonuses are in it; it is 0 after a long cycle.
        """
        margins = np.empty(len(self), dtype=np.float64)
        batch_kernels.black_margins(self.boards, margins)
        return margins

    def score(self) -> NDArray[np.float64]:
        """``float64[B]``: points the player to move is ahead; `black_margin` has the fixed view."""
        margins = self.black_margin()
        return np.where(self.boards["to_play"] == Color.BLACK, margins, -margins)

    def winner(self) -> NDArray[np.int8]:
        """``int8[B]``: 1 Black, 2 White, 0 a draw; by the boards as they are, whether or not a game is over."""
        margins = self.black_margin()
        return np.where(margins > 0, Color.BLACK, np.where(margins < 0, Color.WHITE, 0)).astype(np.int8)

    def reset(self, mask: ArrayLike | None = None) -> None:
        """Start the games of ``mask: bool[B]`` again (all without it), from the empty board."""
        games = np.ones(len(self), dtype=np.bool_) if mask is None else np.asarray(mask)
        if games.shape != (len(self),) or games.dtype != np.bool_:
            raise ValueError(f"mask must be {len(self)} bools, not {games.dtype} of shape {games.shape}")
        for game in np.flatnonzero(games):
            board_kernels.reset(self.boards[game], self.rows, self.cols)
        batch_kernels.start_keys(self.boards, games, self._keys, self._counts)

    def _complaint(self, game: int, action: int, reason: int) -> str:
        if not reason:
            return f"Game {game} of the batch is over: give it the action {SKIP} or reset it, not {action}."
        player = Color(int(self.boards["to_play"][game])).title
        if reason == Illegal.OFF_BOARD:
            return (
                f"Action {action} of {player} in game {game} of the batch is off the {self.rows}x{self.cols} board: "
                f"actions run from 0 to {self.actions - 1}, which is pass."
            )
        vertex = coordinates.format_vertex(action, self.rows, self.cols)
        return f"{player} {vertex} in game {game} of the batch is illegal: {Illegal(reason).sentence}."


def batch(
    count: int,
    size: int = 19,
    *,
    rows: int | None = None,
    cols: int | None = None,
    rules: str | Ruleset | Mapping[str, Any] = "tromp-taylor",
    komi: float = 7.5,
    move_limit: int | None = None,
) -> Batch:
    """Start ``count`` games at once; the other arguments as of `Position`, ``move_limit`` ends longer games.

    Raises `RulesError` for what does not exist.

    >>> games = batch(2, size=5)
    >>> games.step([12, 25])  # C3 in the first game, pass in the second
    >>> games.legal_mask().sum(axis=1)
    array([25, 26])
    """
    height, width = size if rows is None else rows, size if cols is None else cols
    coordinates.check_size(height, width)
    if count < 1 or (move_limit is not None and move_limit < 1):
        raise RulesError(f"A batch of {count} games with the move limit {move_limit} is not possible: use at least 1.")
    chosen = ruleset(rules)
    return Batch(records.new_records(count, height, width, chosen, check_komi(komi)), chosen, move_limit)
