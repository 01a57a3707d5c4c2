"""A match of two policies without search, all games side by side: the arena's rules and figures at a network's speed.

As in `arena.match`, games come in pairs from one random opening with colours swapped, and the result is a
`MatchResult`. What differs is said at `policy_games`: whole batches through one call, moves drawn at a temperature.
"""

from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np

from move37.arena.conditions import opening
from move37.arena.game import GameResult, Reason
from move37.arena.match import MatchResult
from move37.errors import ConfigError
from move37.evaluators.network import NetworkEvaluator
from move37.nets.graph import Network
from move37.rules.coordinates import format_vertex
from move37.rules.position import Position
from move37.search.evaluator import Evaluator
from move37.training import policy_games
from move37.training.policy_games import Passes, PlayedGames

Playing = Literal["bfloat16", "float32", "fast"]
"""What computes a network that plays: torch in one of two precisions, or the fast path. On processors with matrix
units (AMX) bfloat16 is about twice as fast as the fast path, on others much slower."""

TOGETHER = 512
"""Games side by side at most."""


def evaluator_of(network: Network, playing: Playing) -> NetworkEvaluator:
    """An evaluator on one core of a network that has a policy at least."""
    if playing == "fast":
        return NetworkEvaluator(network, threads=1, backend="fast", heads=("policy",))
    from move37.nets.torch_runner import TorchRunner

    return NetworkEvaluator(network, heads=("policy",), runner=TorchRunner(network, "cpu", playing))


def policy_match(
    player_a: Evaluator,
    player_b: Evaluator,
    *,
    games: int,
    size: int,
    rules: str = "chinese",
    komi: float = 7.0,
    temperature: float = 1.0,
    passes: Passes = "guarded",
    opening_moves: int = 2,
    seed: int = 0,
    names: tuple[str, str] = ("A", "B"),
) -> MatchResult:
    """Play `games` games and return the result; A is Black in every other one.

    `opening_moves` random moves to begin with, the same ones in both games of a pair. A game of more than four moves a
    point is counted as it stands. ConfigError for numbers out of range.
    """
    if games < 1 or opening_moves < 0:
        raise ConfigError("a match needs at least one game, and openings of 0 moves or more")
    begin = partial(opening, size=size, rules=rules, komi=komi, opening_moves=opening_moves, seed=seed)
    starts = [begin(number) for number in range(games)]
    white = np.arange(games) % 2
    played = policy_games.play(
        np.concatenate([start.board_array for start in starts]),
        [player_a, player_b],
        np.stack([white, 1 - white], axis=1).astype(np.int64),
        policy_games.streams([seed, 1], 0, games),
        max_moves=4 * size * size,
        temperature=temperature,
        passes=passes,
        together=TOGETHER,
    )
    return MatchResult(*names, [_result(number, starts[number], played) for number in range(games)])


def _result(number: int, start: Position, played: PlayedGames) -> GameResult:
    """A game as the arena tells it."""
    margin = float(played.black_margin[number])
    black, white = ("A", "B") if number % 2 == 0 else ("B", "A")
    moves = [start.vertex(move) for _, move in start.moves]
    moves += [format_vertex(int(move), start.rows, start.cols) for move in played.moves[number]]
    if played.boards["no_result"][number]:
        return GameResult(number, black, None, "Void", "void", len(start.moves), moves)
    text = "0" if margin == 0 else f"{'B' if margin > 0 else 'W'}+{abs(margin):g}"
    winner = None if margin == 0 else black if margin > 0 else white
    reason: Reason = "score" if played.passed_out[number] else "move limit"
    return GameResult(number, black, winner, text, reason, len(start.moves), moves)
