"""The benchmark's figures, their JSON and table; no test looks at a speed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from move37.benchmark import suite
from move37.benchmark.figures import figure, read, table, to_json
from move37.benchmark.positions import midgame
from move37.errors import ConfigError
from move37.nets import weights
from tests.support.networks import small_network


def test_a_ratio_says_how_many_times_better_it_is() -> None:
    assert figure("a", 30.0, "games/s", 10.0).ratio == pytest.approx(3.0)
    assert figure("a", 1.5, "s", 3.0).ratio == pytest.approx(2.0)
    assert figure("a", 1.5, "s").ratio is None


def test_json_has_the_promised_keys_and_reads_back(tmp_path: Path) -> None:
    figures = [figure("playouts-19", 12_000.0, "games/s", 6_000.0), figure("gtp-start", 2.0, "s", 3.0)]
    rows = json.loads(to_json(figures))
    assert rows[0] == {
        "name": "playouts-19",
        "value": 12_000.0,
        "unit": "games/s",
        "reference": 6_000.0,
        "ratio": 2.0,
        "checked": True,
    }
    path = tmp_path / "früher am.json"
    path.write_text(to_json(figures), encoding="utf-8")
    assert read(path) == {"playouts-19": 12_000.0, "gtp-start": 2.0}


def test_a_table_compares_with_a_stored_run() -> None:
    text = table([figure("playouts-19", 12_000.0, "games/s"), figure("new", 1.0, "games/s")], {"playouts-19": 24_000.0})
    lines = text.splitlines()
    assert lines[0].split()[-2:] == ["against", "stored"]
    assert lines[1].split() == ["playouts-19", "12,000", "games/s", "–", "–", "0.50"]
    assert lines[2].split()[-1] == "–"


@pytest.mark.parametrize("text", ["", "[1]", "{}x", '[{"name": "a"}]'])
def test_a_file_that_is_no_stored_run_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "run.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"run\.json is not a stored benchmark"):
        read(path)


def test_an_unknown_group_is_named_before_anything_is_measured() -> None:
    with pytest.raises(ConfigError, match="There is no benchmark 'bord'; choose from board"):
        suite.run(["board", "bord"])


def test_midgame_positions_are_the_same_every_time() -> None:
    one, two = midgame(3, 9, 20), midgame(3, 9, 20)
    assert one.tobytes() == two.tobytes()
    assert (one["move_number"] == 20).all()
    assert len({board["stones"].tobytes() for board in one}) == 3


def test_a_wrong_result_prints_no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(board: np.void) -> int:
        board["liberties"][:] += 1
        return -1

    monkeypatch.setattr(suite, "finish_setup", broken)
    with pytest.raises(suite.BenchmarkError, match="check failed"):
        next(suite.board_group())


def test_the_names_of_board_and_start_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    def few_games(size: int, games: int) -> tuple[float, float]:
        return 1000.0 * size, 2.0

    monkeypatch.setattr(suite, "_rollout_rates", few_games)
    monkeypatch.setattr(suite, "_first_answer", lambda: 1.5)
    found = {one.name: (one.value, one.ratio) for one in suite.run(["board", "start"])}
    assert found == {
        "playouts-19": (19_000.0, 19 / 12),
        "moves-19": (2.0, 2.0 / 5_000_000),
        "playouts-9": (9000.0, None),
        "gtp-start": (1.5, 2.0),
    }


def test_records_are_measured_beside_sgfmill_on_the_same_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("move37.benchmark.figures.ROUNDS", 1)
    (tmp_path / "a.sgf").write_text("(;SZ[9]HA[2]AB[cc][gg];W[ee];B[];W[ef])", encoding="utf-8")
    (tmp_path / "illegal.sgf").write_text("(;SZ[9];B[ee];W[ee])", encoding="utf-8")
    (tmp_path / "page.sgf").write_text("<html></html>", encoding="utf-8")
    monkeypatch.setattr("move37.benchmark.records.MOST_FILES", 3)
    one, stored = suite.run(["sgf"], records=tmp_path)
    assert (one.name, one.unit) == ("sgf-replay", "games/s")
    assert one.value > 0 and one.reference is not None
    assert (stored.name, stored.unit) == ("sgf-import", "games/s") and stored.value > 0
    with pytest.raises(ConfigError, match="'sgf' needs SGF files: name their folder with --records"):
        suite.run(["sgf"])


def test_networks_are_measured_by_their_file_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("move37.benchmark.figures.ROUNDS", 1)
    path = tmp_path / "围棋 dir" / "tiny-5x5.safetensors"
    weights.save(small_network(), path)
    figures = list(suite.net_group([str(path)]))
    assert [one.name for one in figures] == ["net-tiny-5x5-b1", "net-tiny-5x5-b16"]
    assert all(one.unit == "evaluations/s" and one.checked and one.value > 0 for one in figures)


NAMES = ["benson-19", "encode-zero17", "encode-article17", "search-constant-19"]


def test_groups_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("move37.benchmark.figures.ROUNDS", 1)
    heard: list[str] = []
    figures = suite.run(["life", "encode", "search"], lambda one: heard.append(one.name))
    assert heard == [one.name for one in figures] == NAMES
    assert all(one.checked and one.value > 0 for one in figures)
