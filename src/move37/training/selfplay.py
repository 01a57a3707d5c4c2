"""Self-play: many games side by side, whose searches share the batches of one network.

A *chunk* of games depends on the network, the config and the numbers of the games alone (`play_chunk`), so it may be
played again, anywhere. Its games sit in a pool of trees, one seat a game: every round takes one leaf from each (or
`leaves`), has them all evaluated by one call, and plays a move wherever a search has had its simulations. A game that
ends makes room for the next. So nothing in Python happens once a simulation, only once a round and once a move.

How a root is searched is `selfplay_search`, what a game is `selfplay_game`, and the options are `selfplay_config`.
Games of different sizes are played one size after the other, because a batch has one board size.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from move37.evaluators.symmetric import SymmetricEvaluator
from move37.games.self_play import SelfPlayGames
from move37.rules import batch_kernels
from move37.rules.area_kernels import area_owner
from move37.rules.records import new_records
from move37.rules.ruleset import ruleset
from move37.search.evaluator import Evaluator
from move37.search.root import finite_answers
from move37.training.selfplay_config import SelfPlayConfig, gumbel, modern, strict
from move37.training.selfplay_game import Game, Plan, rows_of
from move37.training.selfplay_search import Found, searches_for

__all__ = ["Played", "SelfPlayConfig", "SelfPlayGames", "gumbel", "modern", "play_chunk", "strict"]

_NOTHING = Plan(0, False, 0.0)


@dataclass(frozen=True)
class Played:
    """How far a chunk is: games that are over, their moves, and positions evaluated so far, in unfinished games too."""

    games: int
    moves: int
    rows: int


def play_chunk(
    evaluator: Evaluator,
    config: SelfPlayConfig,
    first: int,
    count: int,
    *,
    watch: Callable[[Played], None] | None = None,
) -> SelfPlayGames:
    """Play the games number `first` to `first + count - 1`, in that order in the result.

    `watch` is told after each game that ends. Raises EvaluationError, in one sentence, if the evaluator answers NaN.
    """
    if first < 0 or count < 0:
        raise ValueError(f"a chunk begins at game 0 or later and has 0 games or more, not {first} and {count}")
    asked = evaluator
    if config.symmetries:
        asked = SymmetricEvaluator(evaluator, "position", np.random.default_rng(config.seed))
    games = [Game.of(config, number) for number in range(first, first + count)]
    played = Played(0, 0, 0)
    for size in sorted({game.size for game in games}):
        together = [game for game in games if game.size == size]
        with finite_answers(evaluator):
            played = _Pool(asked, config, together, played, watch).play()
    return rows_of(games)


class _Pool:
    """Games of one size, `waiting` and in seats.

    left int64[G]: simulations that each seat's search still has. fresh bool[G]: its root waits for its evaluation.
    full bool[G]: it is searched in full.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        config: SelfPlayConfig,
        games: Sequence[Game],
        played: Played,
        watch: Callable[[Played], None] | None,
    ) -> None:
        self.evaluator, self.config, self.played, self.watch = evaluator, config, played, watch
        self.size = games[0].size
        self.waiting = list(reversed(games))
        seats = min(config.together, len(games))
        self.searches = searches_for(self.size, seats, config)
        self.trees = self.searches.trees
        self.games: list[Game | None] = [None] * seats
        self.plans = [_NOTHING] * seats
        self.left: NDArray[np.int64] = np.zeros(seats, np.int64)
        self.fresh: NDArray[np.bool_] = np.zeros(seats, np.bool_)
        self.full: NDArray[np.bool_] = np.zeros(seats, np.bool_)
        self.rows = 0

    def play(self) -> Played:
        """Play all games to their end."""
        for seat in range(len(self.games)):
            self._take_seat(seat)
        while any(game is not None for game in self.games):
            self._round()
            self._moves()
        return self.played

    def _round(self) -> None:
        """One batch of evaluations."""
        self.searches.compact()
        quota = np.minimum(self.left, self.config.leaves)
        wanted = quota.copy()
        leaves = self.searches.collect(quota, self.full)
        started = wanted - quota
        if not started.any():
            raise RuntimeError("no search of self-play could go on: its trees are at fault")
        if leaves:
            self.trees.expand(leaves, self.evaluator.evaluate(self.trees.leaf_boards[:leaves]))
        self.rows += leaves
        self.left -= started
        for seat in np.flatnonzero(self.fresh).tolist():
            self.fresh[seat] = False
            self._prepare(seat)

    def _moves(self) -> None:
        """Play a move in every game whose search has ended."""
        actions = np.full(len(self.games), -1, np.int64)
        ended: list[int] = []
        for seat in np.flatnonzero(self.left == 0).tolist():
            game = self.games[seat]
            if game is None:
                continue
            found = self._found(seat, game)
            if not game.is_opening and game.resigns(found):
                game.give_up()
                ended.append(seat)
            else:
                game.play(found, self.plans[seat])
                actions[seat] = found.move
        if (actions >= 0).any():
            self.trees.play(actions)
            ended += self._go_on(np.flatnonzero(actions >= 0).tolist())
        for seat in ended:
            self._leave_seat(seat)

    def _found(self, seat: int, game: Game) -> Found:
        if game.is_opening:
            return self.searches.from_policy(seat, game.rng)
        return self.searches.found(seat, game.rng, bool(self.full[seat]), game.temperature)

    def _go_on(self, seats: list[int]) -> list[int]:
        """Begin the next search of the games that are not over; those that are, with their result."""
        over = np.empty(len(self.games), np.bool_)
        margins = np.empty(len(self.games), np.float64)
        batch_kernels.write_over(self.trees.boards, over)
        if over[seats].any():
            batch_kernels.black_margins(self.trees.boards, margins)
        for seat in seats:
            game = self.games[seat]
            assert game is not None
            if over[seat]:
                owner = np.empty(self.size**2, np.int8)
                area_owner(self.trees.boards[seat], owner)
                game.end(float(margins[seat]), bool(self.trees.boards[seat]["no_result"]), owner)
            else:
                self._begin(seat, game)
        return [seat for seat in seats if over[seat]]

    def _begin(self, seat: int, game: Game) -> None:
        """Begin a search, in the tree that is left of the last one if that is wanted."""
        self.plans[seat] = _NOTHING if game.is_opening else game.plan()
        self.full[seat] = self.plans[seat].full
        if not self.config.reuse:
            self.trees.drop(seat)
        if not self.trees.has_tree(seat):
            self.trees.replant(seat)
            self.fresh[seat], self.left[seat] = True, 1
        else:
            self._prepare(seat)

    def _prepare(self, seat: int) -> None:
        """Make an evaluated root ready."""
        game, plan = self.games[seat], self.plans[seat]
        assert game is not None
        simulations = plan.simulations
        if simulations > 0:
            if self.config.count_reused:
                simulations = max(1, simulations - self.searches.visits(seat))
            self.searches.prepare(seat, game.rng, plan.full, game.temperature, simulations)
        self.left[seat] = simulations

    def _take_seat(self, seat: int) -> None:
        """Seat the next game, if one waits."""
        self.games[seat], self.left[seat] = None, 0
        if not self.waiting:
            return
        game = self.games[seat] = self.waiting.pop()
        board = new_records(1, self.size, self.size, ruleset(self.config.rules), game.komi)
        board["move_limit"] = self.config.longest(self.size)
        keys, counts = np.zeros((1, 1), np.uint64), np.zeros(1, np.int64)
        batch_kernels.start_keys(board, np.ones(1, np.bool_), keys, counts)
        self.trees.plant(seat, board[0], keys[0])
        self.trees.drop(seat)
        self._begin(seat, game)

    def _leave_seat(self, seat: int) -> None:
        """A game is over: make room."""
        game = self.games[seat]
        assert game is not None
        before = self.played
        self.played = Played(before.games + 1, before.moves + game.ply, before.rows + self.rows)
        self.rows = 0
        if self.watch is not None:
            self.watch(self.played)
        self.trees.drop(seat)
        self._take_seat(seat)
