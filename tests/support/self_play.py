"""Games of self-play for tests: an evaluator with a will, a config, and a game played by the searches of `search`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.rules.position import Position
from move37.rules.ruleset import ruleset
from move37.search import Evaluations, SearchConfig
from move37.search.evaluator import Evaluator
from move37.search.gumbel_search import GumbelSearch
from move37.search.root import AnySearch, Search
from move37.training.selfplay import SelfPlayConfig

STILL = SelfPlayConfig(
    sizes=(4,), komi=0.5, visits=20, puct=SearchConfig(c_puct=1.4), temperature=0.0, resign_check=0.0, together=8
)
"""Nothing is left to chance."""


class Leaning:
    """White is ahead by `value` everywhere; the policy likes to pass by so much, and otherwise nothing."""

    def __init__(self, value: float = 0.0, passing: float = 0.0) -> None:
        self.value, self.passing = value, passing

    def evaluate(self, boards: NDArray[Any]) -> Evaluations:
        """Answers for BOARD[B]."""
        actions = int(boards[0]["rows"]) * int(boards[0]["cols"]) + 1
        policy = np.zeros((len(boards), actions), np.float32)
        policy[:, -1] = self.passing
        value = np.where(boards["to_play"] == 2, self.value, -self.value).astype(np.float32)
        return Evaluations(policy, value)


def searched_game(evaluator: Evaluator, config: SelfPlayConfig, komi: float) -> list[tuple[int, float, list[float]]]:
    """Move, value and policy target of each move of a game without chance, by one search a move, one leaf at a time."""
    size = config.sizes[0]
    rules = replace(ruleset(config.rules), move_limit=config.longest(size))
    position = Position(size=size, rules=rules, komi=komi)
    search: AnySearch = (
        Search(evaluator, replace(config.puct, batch=1))
        if config.gumbel is None
        else GumbelSearch(evaluator, replace(config.gumbel, batch=1))
    )
    played: list[tuple[int, float, list[float]]] = []
    while not position.is_over:
        kept = config.reuse and search.advance(position)
        if not kept:
            search.clear()
        before = search.trees.visits() if kept and search.trees is not None else 1
        result = search.run(position, before + config.visits)
        played.append((result.move, result.value, result.policy_target().tolist()))
        position.play(result.move)
    return played
