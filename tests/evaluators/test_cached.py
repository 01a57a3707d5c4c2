"""The cache: the same answers as without it, fewer questions, and keys that tell apart what networks see."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from move37.errors import ConfigError
from move37.evaluators.cache_kernels import write_keys
from move37.evaluators.cached import CachedEvaluator
from move37.rules.board_kernels import BOARD
from move37.rules.position import Position
from move37.search.evaluator import Evaluations
from tests.support.networks import StonesEvaluator
from tests.support.positions import batch, random_position


def some_games(count: int, size: int = 5, seed: int = 0) -> list[Position]:
    rng = np.random.default_rng(seed)
    return [random_position(rng, size, size, 2 + i % 9) for i in range(count)]


def assert_equal(found: Evaluations, expected: Evaluations) -> None:
    for name in Evaluations.__dataclass_fields__:
        one, other = getattr(found, name), getattr(expected, name)
        assert (one is None) == (other is None), name
        if one is not None:
            np.testing.assert_array_equal(one, other, err_msg=name)


def key_of(board: Any) -> tuple[int, int]:
    keys = np.empty((1, 2), np.uint64)
    write_keys(board.reshape(1), keys)
    return int(keys[0, 0]), int(keys[0, 1])


def asked(inner: StonesEvaluator) -> int:
    return sum(len(boards) for boards in inner.batches)


def test_answers_are_those_of_the_wrapped_evaluator() -> None:
    cache = CachedEvaluator(StonesEvaluator(full=True), 64)
    boards = batch(some_games(20))
    expected = StonesEvaluator(full=True).evaluate(boards)
    assert_equal(cache.evaluate(boards), expected)
    assert_equal(cache.evaluate(boards), expected)
    mixed = np.concatenate([batch(some_games(7, seed=9)), boards[::-1]])  # known and unknown ones in one batch
    assert_equal(cache.evaluate(mixed), StonesEvaluator(full=True).evaluate(mixed))


def test_known_positions_and_duplicates_are_not_asked_again() -> None:
    inner = StonesEvaluator()
    cache = CachedEvaluator(inner)
    boards = batch([Position(size=5), Position.from_moves(["C3"], size=5), Position(size=5)])
    cache.evaluate(boards)
    assert asked(inner) == 2
    cache.evaluate(boards)
    assert asked(inner) == 2
    statistics = cache.statistics
    assert (statistics.asked, statistics.hits) == (6, 4)
    assert statistics.hit_rate == pytest.approx(4 / 6)


def test_clear_forgets() -> None:
    inner = StonesEvaluator()
    cache = CachedEvaluator(inner)
    boards = batch([Position(size=5)])
    cache.evaluate(boards)
    cache.clear()
    assert cache.statistics.asked == 0
    assert cache.statistics.hit_rate == 0.0
    cache.evaluate(boards)
    assert asked(inner) == 2


def test_sizes_do_not_mix() -> None:
    cache = CachedEvaluator(StonesEvaluator(), 10)
    for size in (3, 5, 3, 5):
        assert cache.evaluate(batch([Position(size=size)])).policy.shape == (1, size * size + 1)
    assert cache.statistics.hits == 2


def test_the_least_recently_used_gives_way() -> None:
    inner = StonesEvaluator()
    cache = CachedEvaluator(inner, 3)
    boards = batch([Position.from_moves([vertex], size=5) for vertex in ("A1", "B1", "C1", "D1")])
    for i in (0, 1, 2, 0, 3):  # 3 takes the place of 1
        cache.evaluate(boards[i : i + 1])
    assert asked(inner) == 4
    for i in (0, 2, 3):
        cache.evaluate(boards[i : i + 1])
    assert asked(inner) == 4
    cache.evaluate(boards[1:2])
    assert asked(inner) == 5


@pytest.mark.parametrize("capacity", [1, 7, 8, 30])
def test_a_batch_longer_than_the_cache_is_answered_rightly(capacity: int) -> None:
    cache = CachedEvaluator(StonesEvaluator(), capacity)
    boards = batch(some_games(40))
    for _ in range(3):
        assert_equal(cache.evaluate(boards), StonesEvaluator().evaluate(boards))


def test_given_back_arrays_are_the_callers_own() -> None:
    cache = CachedEvaluator(StonesEvaluator())
    boards = batch([Position.from_moves(["C3"], size=5)])
    cache.evaluate(boards)
    cache.evaluate(boards).policy[:] = 9.0
    assert_equal(cache.evaluate(boards), StonesEvaluator().evaluate(boards))


def test_two_threads_get_the_right_answers() -> None:
    cache = CachedEvaluator(StonesEvaluator(), 16)
    boards = batch(some_games(24))
    expected = StonesEvaluator().evaluate(boards)

    def work(seed: int) -> None:
        rng = np.random.default_rng(seed)
        for _ in range(50):
            chosen = rng.integers(len(boards), size=6)
            np.testing.assert_array_equal(cache.evaluate(boards[chosen]).policy, expected.policy[chosen])

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(work, (1, 2)))
    assert cache.statistics.asked == 600


def test_a_cache_holds_something() -> None:
    with pytest.raises(ConfigError, match="at least one evaluation, not 0"):
        CachedEvaluator(StonesEvaluator(), 0)


SEEN = {
    "to_play": 2,
    "passes": 1,
    "ko_rule": 2,
    "suicide": 0,
    "scoring": 1,
    "tax": 2,
    "button": 1,
    "friendly_pass": 1,
    "phase": 1,
    "phase_moves": 2,
    "encore": 1,
    "play_bonus": -0.5,
    "history_length": 5,
    "ko_point": 7,
    "komi": 6.5,
    "white_bonus": 3.0,
}


@pytest.mark.parametrize("field", SEEN)
def test_the_key_covers_each_scalar_a_network_may_see(field: str) -> None:
    board = batch([Position.from_moves(["C3", "D3", "C2"], size=5, komi=7.5)])[0]
    board["to_play"], board["friendly_pass"], board["suicide"] = 1, 0, 1
    changed = board.copy()
    changed[field] = SEEN[field]
    assert changed[field] != board[field]
    assert key_of(changed) != key_of(board)


@pytest.mark.parametrize(
    ("field", "rules", "entries_seen"),
    [
        *((name, "tromp-taylor", None) for name in ("history", "history_ko", "last_moves", "last_colors")),
        ("superko_banned", "tromp-taylor", None),
        ("ko_recapture_blocked", "japanese, encore=true", None),
        ("encore_stones", "japanese, encore=true", None),
        ("prisoners", "japanese", slice(1, 3)),
    ],
)
def test_the_key_covers_every_entry_of_each_array_a_network_may_see(
    field: str, rules: str, entries_seen: slice | None
) -> None:
    board = np.zeros(1, BOARD)
    board[0] = batch([Position.from_moves(["C3", "D3", "C2", "pass", "pass"], size=5, rules=rules)])[0]
    keys = {key_of(board)}
    entries = board[0][field].reshape(-1)[entries_seen or slice(None)]
    for i in range(len(entries)):
        changed = board.copy()
        changed[0][field].reshape(-1)[entries_seen or slice(None)][i] += 1
        keys.add(key_of(changed))
    assert len(keys) == len(entries) + 1


def test_boards_of_different_shape_have_different_keys() -> None:
    shapes = [(1, 6), (6, 1), (2, 3), (3, 2)]
    assert len({key_of(batch([Position(rows=r, cols=c)])[0]) for r, c in shapes}) == 4


def test_a_transposition_with_equal_history_has_one_key_and_chain_roots_do_not_matter() -> None:
    orders = (["A1", "E5", "B1", "D5"], ["B1", "E5", "A1", "D5"])
    games: list[Position] = []
    for order in orders:
        game = Position(size=5)
        for vertex, color in zip(order, "BWBW", strict=True):
            game.play(vertex, color)
        for i, move in enumerate(["pass"] * 8):
            game.play(move, "BW"[i % 2])
        games.append(game)
    boards = batch(games)
    boards["last_moves"][0] = boards["last_moves"][1]
    assert key_of(boards[0]) == key_of(boards[1])
