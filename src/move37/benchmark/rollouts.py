"""How fast games are played out: uniform, light and trained rollouts on one core, and the classic search on all."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from move37.benchmark.figures import Figure, best_rate, figure, require
from move37.nets import finding, linear
from move37.rules.area_kernels import area_owner
from move37.rules.board_kernels import BLACK, BOARD, NO_POINT, WHITE, is_legal, play, reset
from move37.rules.setup_kernels import finish_setup
from move37.search.light_rollout_kernels import light_rollout
from move37.search.rollout_batch_kernels import play_rollouts
from move37.search.rollout_kernels import rollout, seed_random
from move37.search.rollouts import Rollouts

__all__ = ["board_group", "rollout_group"]

PLAYOUT_REFERENCE = 12_000.0  # games a second, 19x19, one core: the design's target; a prototype reached 12,600
MOVE_REFERENCE = 5_000_000.0
LIGHT_REFERENCES = {
    9: 3_000.0,
    19: 1_000.0,
}  # 19: AlphaGo (Silver et al. 2016, Methods)
LENGTH = 3  # moves a point at most
VISITS = 4000
MOVE_TIME_REFERENCE = 2.0  # µs: AlphaGo's rollout policy (Silver et al. 2016, Methods)


def board_group() -> Iterator[Figure]:
    """Uniform playouts from the empty board on one core."""
    for size, games in ((19, 3000), (9, 12_000)):
        _check(size, light=False)
        playouts, moves = _rates(size, games, light=False)
        yield figure(f"playouts-{size}", playouts, "games/s", PLAYOUT_REFERENCE if size == 19 else None)
        if size == 19:
            yield figure("moves-19", moves, "moves/s", MOVE_REFERENCE)


def rollout_group() -> Iterator[Figure]:
    """Light rollouts from the empty board on one core, and UCB1 over them on all cores."""
    for size, games in ((19, 1000), (9, 4000)):
        _check(size, light=True)
        yield figure(f"rollouts-light-{size}", _rates(size, games, light=True)[0], "games/s", LIGHT_REFERENCES[size])
    for size, games in ((19, 500), (9, 2000)):
        yield from _trained(size, games)
    for size in (19, 9):
        yield figure(f"uct-{size}", _search_rate(size), "simulations/s")


def _trained(size: int, games: int) -> Iterator[Figure]:
    """Rollouts by the bundled policy from the empty board on one core, and what a move costs; nothing without one."""
    path = finding.bundled_rollouts().get(f"rollout-{size}x{size}")
    if path is None:
        return
    rollouts = Rollouts(1, seed=1, policy=linear.load(path))
    _check_trained(rollouts, size)
    board = np.zeros(1, BOARD)
    reset(board[0], size, size)
    moves = 0

    def work() -> float:
        nonlocal moves
        played = rollouts.play(board, games, keep_moves=True)
        require(played.lengths is not None, "the rollouts kept no moves")
        moves = int(played.lengths.sum()) if played.lengths is not None else 0
        return games

    rate = best_rate(work)
    yield figure(f"rollouts-trained-{size}", rate, "games/s", LIGHT_REFERENCES[size])
    yield figure(f"rollout-move-{size}", 1e6 * games / (rate * moves), "us", MOVE_TIME_REFERENCE)


def _check_trained(rollouts: Rollouts, size: int) -> None:
    """Play the moves of some rollouts by the rules and compare the scores."""
    board = np.zeros(1, BOARD)
    reset(board[0], size, size)
    played = rollouts.play(board, 5, keep_moves=True)
    require(played.moves is not None and played.lengths is not None, "the rollouts kept no moves")
    if played.moves is None or played.lengths is None:
        return
    for game, length in enumerate(played.lengths[0].tolist()):
        reset(board[0], size, size)
        for move in played.moves[0, game, :length].tolist():
            require(is_legal(board[0], move, board[0]["to_play"]), "a rollout played an illegal move")
            play(board[0], move, board[0]["to_play"])
        margin = area_owner(board[0], np.zeros(size * size, np.int8))
        require(margin == played.margins[0, game], "a rollout was scored wrongly")


def _check(size: int, light: bool) -> None:
    """Rebuild chains and liberties of finished rollouts from the bare stones and compare."""
    boards = np.zeros(2, BOARD)
    state, moves = np.zeros(1, np.uint64), np.zeros(LENGTH * size * size, np.int16)
    for seed in range(20):
        reset(boards[0], size, size)
        seed_random(state, seed)
        (light_rollout if light else rollout)(boards[0], state, moves)
        boards[1] = boards[0]
        require(finish_setup(boards[1]) == NO_POINT, "a rollout left a chain without a liberty")
        stones = (boards[0]["stones"] == BLACK) | (boards[0]["stones"] == WHITE)
        counts = [board["liberties"][board["root"]][stones] for board in boards]
        require(np.array_equal(counts[0], counts[1]), "liberty counts differ from those counted from the stones")


def _rates(size: int, games: int, light: bool) -> tuple[float, float]:
    """Games and moves a second from the empty board, one core."""
    board = np.zeros(1, BOARD)
    reset(board[0], size, size)
    margins, lengths = np.zeros(games, np.int16), np.zeros(games, np.int16)
    owners, scratch = np.zeros((1, size * size), np.int8), np.zeros((1, LENGTH * size * size), np.int16)
    moves = 0

    def work() -> float:
        nonlocal moves
        moves = play_rollouts(board, games, 0, games, 1, light, margins, owners, scratch, lengths)
        return games

    rate = best_rate(work)
    return rate, rate * moves / games


def _search_rate(size: int) -> float:
    """Simulations a second from the empty board, one light rollout each."""
    from move37.evaluators.rollout import RolloutEvaluator
    from move37.rules.position import Position
    from move37.search.ucb1_search import UctSearch

    search = UctSearch(RolloutEvaluator(Rollouts(seed=1)), rng=np.random.default_rng(1))
    position = Position(size)

    def work() -> float:
        search.clear()
        result = search.run(position, VISITS)
        require(int(result.visits.sum()) == VISITS - 1, "child visits do not add up to the root's")
        return VISITS

    return best_rate(work)
