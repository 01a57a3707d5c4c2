from __future__ import annotations

import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from move37.features.encoder import get_encoder
from move37.rules import symmetry
from move37.training import examples
from move37.training.examples import Examples, Sampler, Source, make_examples, prefetch, split, turn
from tests.support.stored_games import random_rows, row, store_of


def source_of(path: Path, rows: list[dict[str, object]]) -> Source:
    games = store_of(path / "games.parquet", rows)
    ones = np.ones((len(games), 2), dtype=np.float32)
    return Source(games, games.winner.astype(np.float32), ones[:, 0], ones)


def sampler_of(path: Path, *, batch: int = 24, seed: int = 5) -> Sampler:
    source = source_of(path, random_rows(seed=1, count=20))
    return Sampler((source, source), (0.25, 0.75), get_encoder("zero17"), batch, seed)


@pytest.mark.parametrize(("winner", "for_black"), [(1, 1.0), (-1, -1.0), (0, 0.0)])
def test_value_is_for_the_player_to_move(tmp_path: Path, winner: int, for_black: float) -> None:
    source = source_of(tmp_path, [row([6, 8, 16, 18, 12, 25, 25], winner=winner)])
    found = make_examples(source, np.arange(7), get_encoder("zero17"))
    black_to_move = found.spatial[:, 16, 0, 0] == 1.0
    assert black_to_move.tolist() == [True, False] * 3 + [True]
    np.testing.assert_array_equal(found.value, np.where(black_to_move, for_black, -for_black).astype(np.float32))


def test_white_moves_first_in_a_handicap_game(tmp_path: Path) -> None:
    source = source_of(tmp_path, [row([1, 3], setup_black=[0, 24], first_player=-1, winner=1)])
    found = make_examples(source, np.array([0, 1]), get_encoder("zero17"))
    assert found.value.tolist() == [-1.0, 1.0]


def test_moves_and_weights_belong_to_the_mover(tmp_path: Path) -> None:
    source = source_of(tmp_path, [row([6, 8, 25]), row([7, 9])])
    weights = np.array([[1.0, 0.25], [0.5, 0.0]], dtype=np.float32)
    source = replace(source, policy_weight=weights, value_weight=np.array([1.0, 0.0], dtype=np.float32))
    found = make_examples(source, np.arange(5), get_encoder("zero17"))
    assert found.move.tolist() == [6, 8, 25, 7, 9]
    assert found.policy_weight.tolist() == [1.0, 0.25, 1.0, 0.5, 0.0]
    assert found.value_weight.tolist() == [1.0, 1.0, 1.0, 0.0, 0.0]


def test_planes_show_the_position_before_the_move(tmp_path: Path) -> None:
    source = source_of(tmp_path, random_rows(seed=2, count=5))
    found = make_examples(source, np.arange(source.positions), get_encoder("zero17"))
    occupied = (found.spatial[:, 0] + found.spatial[:, 1]).reshape(len(found), -1)
    points = np.flatnonzero(found.move < 25)
    assert not occupied[points, found.move[points]].any()
    assert occupied.any()


@pytest.mark.parametrize("one", symmetry.SYMMETRIES)
def test_move_turns_with_the_planes(one: int) -> None:
    spatial = np.zeros((26, 1, 5, 5), dtype=np.float32)
    for point in range(25):
        spatial[point, 0, point // 5, point % 5] = 1.0
    turned, move = turn(spatial, np.arange(26), np.full(26, one))
    for point in range(25):
        assert turned[point].ravel()[move[point]] == 1.0
        assert move[point] == symmetry.point(one, point, 5, 5)
    assert move[25] == 25


def test_each_example_has_its_own_symmetry() -> None:
    rng = np.random.default_rng(1)
    spatial = rng.random((16, 3, 4, 4), dtype=np.float32)
    symmetries = rng.integers(8, size=16)
    turned, _ = turn(spatial, np.zeros(16, dtype=np.int64), symmetries)
    for i in range(16):
        np.testing.assert_array_equal(turned[i], symmetry.apply(int(symmetries[i]), spatial[i]))


def test_a_batch_depends_on_seed_and_number_alone(tmp_path: Path) -> None:
    sampler = sampler_of(tmp_path)
    first, again = sampler.draw(3), sampler.draw(3)
    np.testing.assert_array_equal(first.spatial, again.spatial)
    np.testing.assert_array_equal(first.move, again.move)
    assert not np.array_equal(first.move, sampler.draw(4).move)
    assert not np.array_equal(first.move, replace(sampler, seed=6).draw(3).move)


def test_shares_are_exact(tmp_path: Path) -> None:
    assert sampler_of(tmp_path).counts() == [6, 18]
    assert sum(replace(sampler_of(tmp_path), shares=(0.3, 0.3), batch=7).counts()) == 7


def test_all_positions_are_drawn(tmp_path: Path) -> None:
    source = source_of(tmp_path, random_rows(seed=1, count=3))
    sampler = Sampler((source,), (1.0,), get_encoder("zero17"), 2000, 1, augment=False)
    drawn = sampler.draw(0)
    everything = make_examples(source, np.arange(source.positions), sampler.encoder)
    assert {planes.tobytes() for planes in drawn.spatial} == {planes.tobytes() for planes in everything.spatial}


def test_split_deals_out_the_examples(tmp_path: Path) -> None:
    batch = sampler_of(tmp_path).draw(0)
    parts = split(batch, 3)
    assert [len(part) for part in parts] == [8, 8, 8]
    for i, part in enumerate(parts):
        np.testing.assert_array_equal(part.move, batch.move[i::3])
        np.testing.assert_array_equal(part.spatial, batch.spatial[i::3])


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_prefetch_gives_the_same_batches_for_any_number_of_threads(tmp_path: Path, threads: int) -> None:
    sampler = sampler_of(tmp_path)
    with closing(prefetch(sampler, 2, threads=threads)) as batches:
        for number in range(2, 20):
            batch, alone = next(batches), sampler.draw(number)
            for name, column in vars(batch).items():
                np.testing.assert_array_equal(column, getattr(alone, name), err_msg=f"{name} of batch {number}")
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("move37-examples")]


def test_a_slow_batch_is_not_overtaken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first batch waits until two later ones are there, and still comes first."""
    sampler, usual = sampler_of(tmp_path), Sampler.draw
    later = threading.Semaphore(0)

    def slow(self: Sampler, number: int) -> Examples:
        if number == 0:
            assert later.acquire(timeout=30) and later.acquire(timeout=30)
        else:
            later.release()
        return usual(self, number)

    monkeypatch.setattr(Sampler, "draw", slow)
    with closing(prefetch(sampler, 0, threads=3)) as batches:
        got = [next(batches) for _ in range(3)]
    for number, batch in enumerate(got):
        np.testing.assert_array_equal(batch.move, usual(sampler, number).move)


def test_an_error_in_the_background_is_raised_where_the_batch_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("no such position")

    monkeypatch.setattr(examples, "make_examples", fail)
    with pytest.raises(ValueError, match="no such position"):
        next(prefetch(sampler_of(tmp_path), 0))
