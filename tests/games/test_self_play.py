from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from move37.errors import GamesFileError
from move37.games.columns import Lists, arrow
from move37.games.self_play import SelfPlayGames, value_code, weight_code
from move37.games.store import GameStore
from move37.training.selfplay import play_chunk
from tests.support.slow_search import HashEvaluator
from tests.training.test_selfplay import LIVELY, same


@pytest.fixture(scope="module")
def games() -> SelfPlayGames:
    return play_chunk(HashEvaluator(), LIVELY, 0, 6)


def test_a_chunk_is_read_back_as_it_was(games: SelfPlayGames, tmp_path: Path) -> None:
    games.write(tmp_path / "one.parquet")
    assert same(SelfPlayGames.open(tmp_path / "one.parquet"), games)
    games.select(np.array([1, 0])).write(tmp_path / "two.parquet")
    both = SelfPlayGames.open([tmp_path / "one.parquet", tmp_path / "two.parquet"])
    assert both.number.tolist() == [0, 1, 2, 3, 4, 5, 1, 0]
    assert same(both.select(np.arange(8) < 6), games)
    assert both.moves == games.moves + int(games.games.moves.lengths[:2].sum())


def test_no_games_are_a_file_too(games: SelfPlayGames, tmp_path: Path) -> None:
    games.select(np.array([], np.int64)).write(tmp_path / "none.parquet")
    assert len(SelfPlayGames.open(tmp_path / "none.parquet")) == 0


def test_it_is_a_store_of_games(games: SelfPlayGames, tmp_path: Path) -> None:
    games.write(tmp_path / "games.parquet")
    store = GameStore.open(tmp_path / "games.parquet")
    assert store.result.tolist() == games.games.result.tolist()
    np.testing.assert_array_equal(store.moves.values, games.games.moves.values)


def test_targets_are_looked_up_by_move(games: SelfPlayGames) -> None:
    offsets = games.target_offsets
    known = np.flatnonzero(games.target_counts.values)
    numbers = known[[7, 2, 7]]
    found = games.targets(numbers, 17)
    np.testing.assert_array_equal(found, games.targets(numbers, 17, offsets))
    np.testing.assert_array_equal(found[0], found[2])
    for number, target in zip(numbers.tolist(), found, strict=True):
        entries = slice(offsets[number], offsets[number + 1])
        weights = games.target_weights.values[entries].astype(float)
        np.testing.assert_allclose(target[games.target_points.values[entries]], weights / weights.sum(), rtol=1e-6)
        assert target.sum() == pytest.approx(1.0)


def test_codes() -> None:
    assert [value_code(value) for value in (-1.0, 0.0, 1.0, 1.0000001)] == [0, 10_000, 20_000, 20_000]
    assert [weight_code(weight) for weight in (0.0, 1.0, 1e9)] == [0, 1000, 65_535]
    with pytest.raises(ValueError, match="nan"):
        value_code(float("nan"))


def rewritten(games: SelfPlayGames, path: Path, **columns: Any) -> Path:
    """The file of `games` with other columns."""
    games.write(path)
    pa = arrow()
    table = pa.parquet.read_table(path)
    for name, values in columns.items():
        place = table.column_names.index(name)
        table = table.remove_column(place) if values is None else table.set_column(place, name, values)
    pa.parquet.write_table(table, path)
    return path


def shortened(lists: Lists) -> Any:
    """The lists with the first one without its last entry, as Arrow has them."""
    offsets = lists.offsets - (np.arange(len(lists.offsets)) > 0)
    pa = arrow()
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pa.array(lists.values[1:], pa.uint16()))


def test_broken_files_are_told_in_a_sentence(games: SelfPlayGames, tmp_path: Path) -> None:
    path = tmp_path / "broken.parquet"
    with pytest.raises(GamesFileError, match=r"lacks the column\(s\) weights; it is no store of games of self-play"):
        SelfPlayGames.open(rewritten(games, path, weights=None))
    with pytest.raises(GamesFileError, match="game 0 has root_values that do not fit its moves"):
        SelfPlayGames.open(rewritten(games, path, root_values=shortened(games.root_values)))
    with pytest.raises(GamesFileError, match="game 0 has target_points that do not fit its moves"):
        SelfPlayGames.open(rewritten(games, path, target_points=shortened(games.target_points)))
    beyond = Lists(np.full_like(games.games.black_area.values, 16), games.games.black_area.offsets)
    arrays = arrow().ListArray.from_arrays(
        arrow().array(beyond.offsets, arrow().int32()), arrow().array(beyond.values, arrow().uint16())
    )
    with pytest.raises(GamesFileError, match="has a point of its black_area at point 16, off its board"):
        SelfPlayGames.open(rewritten(games, path, black_area=arrays))
    with pytest.raises(GamesFileError, match="game 0 has rules that do not fit"):
        SelfPlayGames.open(rewritten(games, path, rules=arrow().array(["ing"] * len(games), arrow().string())))
    games.games.write(path)
    with pytest.raises(GamesFileError, match="no store of games of self-play"):
        SelfPlayGames.open(path)
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(GamesFileError, match="cannot be read as Parquet"):
        SelfPlayGames.open(path)
    with pytest.raises(GamesFileError, match="no games file was given"):
        SelfPlayGames.open([])
