from __future__ import annotations

import resource
from pathlib import Path

import numpy as np
import pytest

from move37.errors import ConfigError, GamesFileError
from move37.games.ranks import UNKNOWN_RANK
from move37.games.store import GameFilter, GameStore
from tests.support.shared import SHARED
from tests.support.stored_games import TYPES, pa, random_rows, row, store_of, write_rows

ROWS = [
    row([0, 1, 25, 25], result="B+3.5", winner=1, komi=5.5),
    row([2], black_rank=None, white_rank="1p", komi=None, year=None, result=None),
    row([3, 4, 5], handicap=2, setup_black=[6, 8], first_player=-1, white_rank="2k", result="0", winner=0),
    row([8, 80, 81], size=9, result="B+R", winner=1),
]


@pytest.fixture
def store(tmp_path: Path) -> GameStore:
    return store_of(tmp_path / "games.parquet", ROWS)


def test_columns_are_read_as_described(store: GameStore) -> None:
    assert len(store) == 4
    assert store.size.tolist() == [5, 5, 5, 9]
    assert [store.moves[i].tolist() for i in range(4)] == [[0, 1, 25, 25], [2], [3, 4, 5], [8, 80, 81]]
    assert store.komi[0] == 5.5 and np.isnan(store.komi[1])
    assert store.black_rank.tolist() == [3, UNKNOWN_RANK, 3, 3]
    assert store.white_rank.tolist() == [-11, 10, -1, -11]
    assert store.setup_black[2].tolist() == [6, 8] and len(store.setup_black[0]) == 0
    assert store.first_player.tolist() == [1, 1, -1, 1]
    assert store.result.tolist() == ["B+3.5", "?", "0", "B+R"]
    assert store.year.tolist() == [2020, 0, 2020, 2020]


@pytest.mark.parametrize(
    ("wanted", "kept"),
    [
        (GameFilter(), [0, 1, 2, 3]),
        (GameFilter(size=9), [3]),
        (GameFilter(min_moves=3), [0, 2, 3]),
        (GameFilter(even=True), [0, 1, 3]),
        (GameFilter(has_winner=True), [0, 1, 3]),
        (GameFilter(ends_in_passes=True), [0]),
        (GameFilter(komi=(5.5, 6.5)), [0]),
        (GameFilter(min_rank="2k"), [2]),
        (GameFilter(min_best_rank="4d"), [1]),
        (GameFilter(min_winner_rank="1d"), [0, 1, 3]),
        (GameFilter(max_rank_gap=4), [2]),
        (GameFilter(size=5, has_winner=True, min_moves=2), [0]),
    ],
)
def test_filters(store: GameStore, wanted: GameFilter, kept: list[int]) -> None:
    assert np.flatnonzero(store.matches(wanted)).tolist() == kept
    chosen = store.filter(wanted)
    assert [chosen.moves[i].tolist() for i in range(len(chosen))] == [ROWS[i]["moves"] for i in kept]


def test_a_wrong_rank_in_a_filter_is_named(store: GameStore) -> None:
    with pytest.raises(ConfigError, match="'strong' is no rank"):
        store.filter(GameFilter(min_rank="strong"))


def test_select_takes_any_order(store: GameStore) -> None:
    chosen = store.select(np.array([2, 0, 2]))
    assert chosen.handicap.tolist() == [2, 0, 2]
    assert [chosen.moves[i].tolist() for i in range(3)] == [[3, 4, 5], [0, 1, 25, 25], [3, 4, 5]]
    assert [chosen.setup_black[i].tolist() for i in range(3)] == [[6, 8], [], [6, 8]]


def test_an_empty_selection_is_a_store(store: GameStore) -> None:
    empty = store.filter(GameFilter(size=19))
    assert len(empty) == 0 and empty.describe()["games"] == 0
    assert not empty.filter(GameFilter(ends_in_passes=True, min_rank="1d")).size.size


def test_several_files_are_joined(tmp_path: Path) -> None:
    paths = [write_rows(tmp_path / f"{i}.parquet", ROWS[i : i + 2]) for i in (0, 2)]
    joined = GameStore.open(paths)
    assert joined.size.tolist() == [5, 5, 5, 9]
    assert joined.moves[3].tolist() == [8, 80, 81]


def test_written_and_read_again_is_equal(store: GameStore, tmp_path: Path) -> None:
    path = tmp_path / "围棋 dir" / "copy of games.parquet"
    store.write(path)
    again = GameStore.open(path)
    for name in ("size", "komi", "handicap", "result", "winner", "black_rank", "white_rank", "year", "first_player"):
        np.testing.assert_array_equal(getattr(again, name), getattr(store, name))
    for name in ("moves", "setup_black", "setup_white"):
        np.testing.assert_array_equal(getattr(again, name).values, getattr(store, name).values)
        np.testing.assert_array_equal(getattr(again, name).offsets, getattr(store, name).offsets)


def test_split_depends_on_moves_and_seed_only(tmp_path: Path) -> None:
    store = store_of(tmp_path / "games.parquet", random_rows(seed=1, count=300))
    train, held = store.split(0.3, seed=7)
    assert len(train) + len(held) == 300 and 50 < len(held) < 130
    held_moves = {held.moves[i].tobytes() for i in range(len(held))}
    assert not held_moves & {train.moves[i].tobytes() for i in range(len(train))}
    _, held_of_part = store.select(np.arange(0, 300, 3)).split(0.3, seed=7)
    assert {held_of_part.moves[i].tobytes() for i in range(len(held_of_part))} <= held_moves
    _, other = store.split(0.3, seed=8)
    assert {other.moves[i].tobytes() for i in range(len(other))} != held_moves


def test_describe_counts(store: GameStore) -> None:
    found = store.describe()
    assert found["games"] == 4 and found["moves"] == 11
    assert found["sizes"] == {"5": 3, "9": 1}
    assert found["komi"] == {"7": 2, "5.5": 1, "unknown": 1}
    assert (found["black_wins"], found["white_wins"], found["no_winner"]) == (2, 1, 1)
    assert found["counted"] == 2 and found["end_in_two_passes"] == 1 and found["handicap_games"] == 1
    assert found["other_setup_games"] == 0
    assert found["rank_unknown"] == 1 and found["years"] == [2020, 2020]


# ---- bad input


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(GamesFileError, match=r"no games file .*gone\.parquet"):
        GameStore.open(tmp_path / "gone.parquet")


def test_no_file_at_all() -> None:
    with pytest.raises(GamesFileError, match="no games file was given"):
        GameStore.open([])


@pytest.mark.parametrize("keep", [0, 3, 100, -1, -20])
def test_a_truncated_file_is_one_sentence(tmp_path: Path, keep: int) -> None:
    path = write_rows(tmp_path / "games.parquet", ROWS)
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(GamesFileError, match=r"games\.parquet cannot be read as Parquet") as caught:
        GameStore.open(path)
    assert "\n" not in str(caught.value)


def test_a_file_damaged_in_the_middle_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    write_rows(path, random_rows(seed=2, count=50))
    data = bytearray(path.read_bytes())
    data[4:200] = b"\xff" * 196
    path.write_bytes(data)
    with pytest.raises(GamesFileError, match=r"games\.parquet"):
        GameStore.open(path)


def test_a_text_file_is_no_store(tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    path.write_text("(;GM[1])", encoding="utf-8")
    with pytest.raises(GamesFileError, match="cannot be read as Parquet"):
        GameStore.open(path)


def test_missing_columns_are_named(tmp_path: Path) -> None:
    path = tmp_path / "other.parquet"
    pa.parquet.write_table(pa.table({"size": [9], "name": ["x"]}), path)
    with pytest.raises(GamesFileError, match=r"other\.parquet lacks the column\(s\) komi.*moves"):
        GameStore.open(path)


@pytest.mark.parametrize(
    ("column", "values", "kind"),
    [
        ("size", ["nine"], "integer"),
        ("moves", ["pd"], "list of integers"),
        ("result", [3], "text"),
        ("komi", ["x"], "number"),
    ],
)
def test_a_column_of_another_type_is_named(tmp_path: Path, column: str, values: list[object], kind: str) -> None:
    table = pa.table({name: pa.array([ROWS[0][name]], type_) for name, type_ in TYPES.items()})
    table = table.set_column(table.schema.get_field_index(column), column, [values])
    pa.parquet.write_table(table, tmp_path / "games.parquet")
    with pytest.raises(GamesFileError, match=f"column {column} should hold {kind}"):
        GameStore.open(tmp_path / "games.parquet")


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (row([26]), "game 1 has a move at point 26, off its board"),
        (row([0], setup_black=[25]), "game 1 has a stone at point 25, off its board"),
        (row([0], size=20), "game 1 has size 20"),
        (row([0], first_player=2), "game 1 has a first_player or winner"),
    ],
)
def test_points_and_players_are_checked_once(tmp_path: Path, bad: dict[str, object], message: str) -> None:
    with pytest.raises(GamesFileError, match=message):
        store_of(tmp_path / "games.parquet", [ROWS[0], bad])


def test_a_full_disk_leaves_the_old_file(store: GameStore, tmp_path: Path) -> None:
    path = tmp_path / "out.parquet"
    store.select(np.array([0])).write(path)
    before = path.read_bytes()
    many = store.select(np.arange(40_000) % len(store))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, limits[1]))
    try:
        with pytest.raises(GamesFileError, match=r"cannot write the games file .*out\.parquet"):
            many.write(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["games.parquet", "out.parquet"]


@pytest.mark.skipif(not SHARED.is_dir(), reason="the large test data is not beside the repository")
def test_the_professional_games_are_as_described() -> None:
    found = GameStore.open(SHARED / "games" / "pro9-13.parquet").describe()
    assert found["games"] == 626 and found["moves"] == 34_825
    assert found["sizes"] == {"9": 517, "13": 109}


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("size", 2**16 + 9, "game 0 has size 65545"),
        ("winner", 257, "game 0 has winner 257"),
        ("year", 2**62, "game 0 has year"),
        ("moves", [2**16 + 3], "off its board"),
        ("moves", [-65533], "off its board"),
        ("moves", [None, 3], "off its board"),
    ],
)
def test_numbers_too_large_for_their_column_are_not_cut(
    tmp_path: Path, column: str, value: object, message: str
) -> None:
    table = pa.table({name: pa.array([ROWS[0][name]], type_) for name, type_ in TYPES.items()})
    table = table.set_column(table.schema.get_field_index(column), column, pa.array([value]))
    pa.parquet.write_table(table, tmp_path / "games.parquet")
    with pytest.raises(GamesFileError, match=f"games.parquet: .*{message}"):
        GameStore.open(tmp_path / "games.parquet")


def test_a_column_that_is_there_twice_is_named(tmp_path: Path) -> None:
    table = pa.table({name: pa.array([ROWS[0][name]], type_) for name, type_ in TYPES.items()})
    pa.parquet.write_table(table.append_column("komi", pa.array([7.0])), tmp_path / "games.parquet")
    with pytest.raises(GamesFileError, match="has two columns komi"):
        GameStore.open(tmp_path / "games.parquet")


def test_passes_are_added_where_a_game_was_counted_and_has_none(tmp_path: Path) -> None:
    rows = [row([0, 1], result="B+3.5"), row([2, 3], result="W+R"), row([4, 25, 25], result="W+0.5"), row([5])]
    store = store_of(tmp_path / "games.parquet", rows).with_final_passes()
    assert [store.moves[game].tolist() for game in range(4)] == [[0, 1, 25, 25], [2, 3], [4, 25, 25], [5]]


def test_years_choose_games_and_unknown_years_are_old(tmp_path: Path) -> None:
    rows = [row([0], year=2024), row([1], year=2023), row([2], year=None)]
    store = store_of(tmp_path / "games.parquet", rows)
    assert store.matches(GameFilter(from_year=2024)).tolist() == [True, False, False]
    assert store.matches(GameFilter(before_year=2024)).tolist() == [False, True, True]
