"""The benchmark's figures, their JSON and table; no test looks at a speed."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.benchmark import rollouts, suite, training_data
from move37.benchmark.figures import BenchmarkError, Figure, figure, read, table, to_json
from move37.benchmark.positions import midgame, recorded
from move37.benchmark.probe import probe
from move37.errors import ConfigError
from move37.features.encoder import encoder_names
from move37.games.self_play import SelfPlayGames
from move37.nets import fast_cpu, weights
from move37.nets.fast_cpu import FastRunner
from move37.nets.graph import Network
from move37.training.examples import Examples, make_examples
from move37.training.selfplay import play_chunk
from tests.support.networks import katago_network, small_network


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
        "note": "",
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

    monkeypatch.setattr(rollouts, "finish_setup", broken)
    with pytest.raises(suite.BenchmarkError, match="check failed"):
        next(rollouts.board_group())


def test_the_names_of_board_and_start_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    def few_games(size: int, games: int, light: bool) -> tuple[float, float]:
        return 1000.0 * size, 2.0

    monkeypatch.setattr(rollouts, "_rates", few_games)

    def few_searches(size: int) -> float:
        return 100.0 * size

    monkeypatch.setattr(rollouts, "_search_rate", few_searches)

    def trained(size: int, games: int) -> Iterator[Figure]:
        yield figure(f"rollouts-trained-{size}", float(games), "games/s")

    monkeypatch.setattr(rollouts, "_trained", trained)
    monkeypatch.setattr(suite, "_first_answer", lambda: 1.5)
    found = {one.name: (one.value, one.ratio) for one in suite.run(["board", "rollouts", "start"])}
    assert found == {
        "playouts-19": (19_000.0, 19 / 12),
        "moves-19": (2.0, 2.0 / 5_000_000),
        "playouts-9": (9000.0, None),
        "rollouts-light-19": (19_000.0, 19.0),
        "rollouts-light-9": (9000.0, 3.0),
        "rollouts-trained-19": (500.0, None),
        "rollouts-trained-9": (2000.0, None),
        "uct-19": (1900.0, None),
        "uct-9": (900.0, None),
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


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """One short round of everything, and no look at the machine."""
    monkeypatch.setattr("move37.benchmark.figures.ROUNDS", 1)
    monkeypatch.setattr("move37.benchmark.networks.SECONDS", 0.0)
    monkeypatch.setattr("move37.benchmark.networks.BATCHES", (1, 2))
    monkeypatch.setattr("move37.benchmark.networks.TORCH_BATCHES", (2,))
    monkeypatch.setattr("move37.benchmark.networks.probe", lambda: figure("gemm-probe", 60.0, "GFLOP/s", 120.0))


def measured(path: Path) -> list[Figure]:
    return suite.run(["net"], networks=[str(path)])


@pytest.mark.usefixtures("quick")
def test_networks_are_measured_each_way_and_a_setting_is_recommended(tmp_path: Path) -> None:
    path = tmp_path / "围棋 dir" / "tiny-5x5.safetensors"
    weights.save(small_network(), path)
    figures = measured(path)
    name = weights.load(path).spec.name
    ways = ["fast-b1", "torch-nchw-b2", "torch-nhwc-b2", "fast-b2", "best"]
    assert [one.name for one in figures] == ["gemm-probe", *(f"{name}-{way}" for way in ways)]
    assert all(one.checked and one.value > 0 for one in figures)
    fast, nchw, nhwc = figures[4], figures[2], figures[3]
    assert fast.reference == max(nchw.value, nhwc.value)
    assert figures[1].reference is None
    assert figures[-1].note.startswith(f"{name}: use the ")


@pytest.mark.usefixtures("quick")
def test_katagos_network_has_a_target_that_a_slow_machine_lowers(tmp_path: Path) -> None:
    network = small_network()
    named = Network(replace(network.spec, name="g170-b6c96-x"), network.graph, network.arrays)
    weights.save(named, tmp_path / "net.safetensors")
    assert measured(tmp_path / "net.safetensors")[-1].reference == 160.0


@pytest.mark.usefixtures("quick")
def test_networks_of_katago_search_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("move37.benchmark.networks.VISITS", 5)
    monkeypatch.setattr("move37.benchmark.networks.OPENING_MOVES", 2)
    weights.save(katago_network(), tmp_path / "net.safetensors")
    last = measured(tmp_path / "net.safetensors")[-1]
    assert last.name.endswith("-visits")
    assert (last.unit, last.reference) == ("visits/s", None)
    assert last.value > 0


@pytest.mark.usefixtures("quick")
def test_ways_that_disagree_are_told_and_not_timed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weights.save(small_network(), tmp_path / "net.safetensors")
    run = FastRunner.run

    def wrong(self: FastRunner, *given: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
        return {name: output + np.float32(0.1) for name, output in run(self, *given).items()}

    monkeypatch.setattr(FastRunner, "run", wrong)
    with pytest.raises(BenchmarkError, match="of the network depends on"):
        measured(tmp_path / "net.safetensors")


def test_the_probe_multiplies() -> None:
    found = probe()
    assert (found.name, found.unit) == ("gemm-probe", "GFLOP/s")
    assert found.value > 0
    assert found.note


def test_positions_of_records_come_from_the_middle_of_games(tmp_path: Path) -> None:
    moves = "".join(f";{'BW'[i % 2]}[{chr(97 + i % 5)}{chr(97 + i // 5)}]" for i in range(9))
    (tmp_path / "a.sgf").write_text(f"(;SZ[5]{moves})", encoding="utf-8")
    (tmp_path / "b.sgf").write_text("(;SZ[9];B[aa])", encoding="utf-8")
    (tmp_path / "c.sgf").write_text("nothing", encoding="utf-8")
    boards = recorded(tmp_path, 3, 5)
    assert boards["move_number"].tolist() == [5, 5, 5]
    with pytest.raises(ConfigError, match="holds no SGF file of a game on 13x13"):
        recorded(tmp_path, 3, 13)


NAMES = ["benson-19", *(f"encode-{name}" for name in encoder_names()), "search-constant-19"]


def test_groups_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("move37.benchmark.figures.ROUNDS", 1)
    heard: list[str] = []
    figures = suite.run(["life", "encode", "search"], lambda one: heard.append(one.name))
    assert heard == [one.name for one in figures] == NAMES
    assert all(one.checked and one.value > 0 for one in figures)


def test_training_examples_are_checked_and_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("move37.benchmark.figures.ROUNDS", 1)
    for name, value in {"GAMES": 3, "MOVES": 20, "BATCH": 8, "BATCHES": 1}.items():
        monkeypatch.setattr(f"move37.benchmark.training_data.{name}", value)
    figures = suite.run(["training-data"])
    names = [f"examples-{name}-{threads}" for name in ("zero17", "alphago48") for threads in ("one", "all")]
    assert [one.name for one in figures] == names
    assert all(one.checked and one.value > 0 for one in figures)


def test_an_example_that_shows_other_planes_prints_no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*given: Any) -> Examples:
        found = make_examples(*given)
        return replace(found, spatial=found.spatial[::-1])

    monkeypatch.setattr(training_data, "make_examples", broken)
    with pytest.raises(BenchmarkError, match="an example shows other planes"):
        suite.run(["training-data"])


def test_self_play_is_checked_and_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"GAMES": 8, "SECONDS": 0.05, "ROUNDS_OF_NETWORK": 1}.items():
        monkeypatch.setattr(f"move37.benchmark.selfplay.{name}", value)
    figures = suite.run(["selfplay"])
    cases = ("9-6x96", "7-3x32", "7-3x32-gumbel")
    assert [one.name for one in figures] == [
        f"selfplay-{case}-{what}" for case in cases for what in ("rows", "inside", "other")
    ]
    assert all(one.checked and one.value > 0 for one in figures)
    assert all(one.value < 100 for one in figures if one.name.endswith("inside"))


def test_self_play_with_another_result_prints_no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*given: Any) -> SelfPlayGames:
        found = play_chunk(*given)
        found.games.result[0] = "B+0.1"
        return found

    monkeypatch.setattr("move37.benchmark.selfplay.play_chunk", broken)
    with pytest.raises(BenchmarkError, match="a game of self-play has another result"):
        suite.run(["selfplay"])


def test_the_mixed_search_is_measured_in_turn_and_beside_its_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("move37.benchmark.figures.ROUNDS", 1)
    monkeypatch.setattr("move37.benchmark.mixed.VISITS", 40)
    figures = suite.run(["mixed"])
    assert [one.name for one in figures] == ["mixed-9", "mixed-asynchronous-9", "mixed-rollouts-19"]
    assert all(one.checked and one.value > 0 and one.unit == "simulations/s" for one in figures)
    assert figures[-1].note == "0 positions evaluated in 40 simulations"


def test_a_folder_of_rubbish_is_named_and_nothing_is_waited_for(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_text("rubbish")
    (tmp_path / "b.sgf").mkdir()
    (tmp_path / "c.sgf").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "d.sgf")
    with pytest.raises(ConfigError, match="holds no SGF file that is legal to its end"):
        suite.run(["sgf"], records=tmp_path)
    with pytest.raises(ConfigError, match="is not a stored benchmark"):
        read(tmp_path / "d.sgf")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    with pytest.raises(ConfigError, match="is not a stored benchmark"):
        read(tmp_path / "deep.json")


def test_networks_that_cannot_be_measured_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    network = small_network()
    path = tmp_path / "net.safetensors"
    weights.save(replace(network, spec=replace(network.spec, encoder="alphago48")), path)
    with pytest.raises(ConfigError, match="reads other inputs than its encoder alphago48 writes"):
        measured(path)
    network = small_network(head="pooled", sizes=[5])
    weights.save(replace(network, spec=replace(network.spec, board_sizes=((3, 5),))), path)
    with pytest.raises(ConfigError, match="is made for 3x5; speeds are measured on square boards alone"):
        measured(path)

    def everything(network: Network) -> str:
        return "it is a test"

    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setattr(fast_cpu, "why_not", everything)
    weights.save(small_network(), path)
    with pytest.raises(ConfigError, match="needs torch, which is not installed"):
        measured(path)
