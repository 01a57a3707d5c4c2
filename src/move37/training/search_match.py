"""A match of two networks that search, all games side by side: the leaves of all searches in one call of each network.

The arena's rules: games come in pairs from one random opening with colours swapped, nobody passes a game away
(`players.pass_guard`), and a game is a `GameResult`. A game depends on its number, the networks and the plan alone, so
any part of a match can be played anywhere. Searches are without noise; the most visited move is played, nobody resigns.

Source of the idea: the evaluator of AlphaGo Zero (Silver et al., Nature 550, 2017, Methods). Decides nothing: what a
score means is said at `zero_gate`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from move37.arena.conditions import opening
from move37.arena.game import GameResult, counted_game
from move37.players.pass_guard import guarded, pass_wins_now
from move37.players.player import Decision
from move37.rules.board_kernels import BOARD, BoardArray
from move37.rules.position import Position
from move37.search.evaluator import Evaluations, Evaluator
from move37.search.puct import SearchConfig
from move37.search.result import SearchResult
from move37.search.root import Search, Steps

__all__ = ["MatchPlan", "search_match"]


@dataclass(frozen=True)
class MatchPlan:
    """What the games share. `opening_moves` random ones begin every pair but, with `plain_start`, the first."""

    size: int
    komi: float
    rules: str = "tromp-taylor"
    visits: int = 100
    opening_moves: int = 2
    plain_start: bool = False
    seed: int = 0
    search: SearchConfig = field(default_factory=SearchConfig)

    def start(self, number: int) -> Position:
        """Where game `number` begins; games 0 and 1, 2 and 3, ... begin alike."""
        moves = 0 if self.plain_start and number < 2 else self.opening_moves
        return opening(number, size=self.size, rules=self.rules, komi=self.komi, opening_moves=moves, seed=self.seed)


def search_match(evaluators: Mapping[str, Evaluator], plan: MatchPlan, numbers: Sequence[int]) -> list[GameResult]:
    """Play the games of these numbers between the evaluators "A" and "B"; A is Black in those of even number.

    A game of more than four moves a point is counted as it stands.
    """
    games = [_Game(number, plan, evaluators) for number in numbers]
    going = [game for game in games if not game.is_over]
    while going:
        for side, evaluator in evaluators.items():
            asking = [game for game in going if not game.is_over and game.side == side]
            if not asking:
                continue
            answers = evaluator.evaluate(np.concatenate([game.boards for game in asking]))
            at = 0
            for game in asking:
                size = len(game.boards)
                game.take(answers.part(at, at + size))
                at += size
        going = [game for game in going if not game.is_over]
    return [game.result() for game in games]


class _Game:
    """A game whose player to move is thinking: `boards` wait for the evaluator of `side`."""

    def __init__(self, number: int, plan: MatchPlan, evaluators: Mapping[str, Evaluator]) -> None:
        self.number, self.plan = number, plan
        self.position = plan.start(number)
        self.opening = len(self.position.moves)
        self.black = "A" if number % 2 == 0 else "B"
        self.searches = {side: Search(evaluator, plan.search) for side, evaluator in evaluators.items()}
        self.boards: BoardArray = np.zeros(0, BOARD)
        self.steps: Steps | None = None
        self._think()

    @property
    def side(self) -> str:
        """Whose turn it is, "A" or "B"."""
        black_moves = int(self.position.to_play) == 1
        return self.black if black_moves else "B" if self.black == "A" else "A"

    @property
    def is_over(self) -> bool:
        """Whether there is nothing more to think about."""
        return self.steps is None

    def take(self, answers: Evaluations) -> None:
        """Go on with the answers about `boards`, and if the search ends, play and think on."""
        assert self.steps is not None
        try:
            self.boards = self.steps.send(answers)
        except StopIteration as end:
            self._play(end.value)
            self._think()

    def _think(self) -> None:
        """Begin the next search that needs an answer, if the game goes on until there is one."""
        self.steps = None
        position = self.position
        while not position.is_over and len(position.moves) < 4 * position.rows * position.cols:
            if pass_wins_now(position):
                position.play(position.rows * position.cols)
                continue
            steps = self.searches[self.side].steps(position, self.plan.visits)
            try:
                self.boards = next(steps)
            except StopIteration as end:
                self._play(end.value)
                continue
            self.steps = steps
            return

    def _play(self, found: SearchResult) -> None:
        decision = guarded(self.position, Decision(found.move), found.visits.astype(np.float64) + found.priors)
        assert decision.move is not None
        self.position.play(decision.move)

    def result(self) -> GameResult:
        """How it ended."""
        return counted_game(self.position, self.number, self.black, self.opening)
