"""The command line: help without heavy imports, one sentence and code 2 for every mistake, 130 when interrupted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from move37 import __version__
from move37.cli import run as cli
from move37.cli.options import seconds
from move37.errors import ConfigError
from move37.nets import weights
from tests.support.networks import katago_network, small_network
from tests.support.players import fake_program

MOVE37 = [sys.executable, "-m", "move37.cli"]


@pytest.fixture
def net(tmp_path: Path) -> str:
    path = tmp_path / "围棋 dir" / "a net.safetensors"
    weights.save(small_network(), path)
    return str(path)


def test_help_and_version_import_nothing_heavy(capfd: pytest.CaptureFixture[str]) -> None:
    probe = (
        "import sys; from move37.cli.run import run; "
        "assert run(['--help']) == run(['--version']) == run(['match', '--help']) == 0; "
        "assert not {'numba', 'torch', 'numpy', 'pyarrow'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", probe], check=True, timeout=60)
    out = capfd.readouterr().out
    assert f"move37 {__version__}" in out
    for command in ("play", "gtp", "match", "tournament", "nets", "games", "train", "benchmark", "warmup"):
        assert command in out


def test_an_interrupt_before_a_command_begins_is_one_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(arguments: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "run", interrupted)
    with pytest.raises(SystemExit) as exit:
        cli.main([])
    assert exit.value.code == 130


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "Missing command. (see move37 --help)"),
        (["plya"], "No such command 'plya'."),
        (["play", "--board", "9"], "(see move37 play --help)"),
        (["nets", "info"], "(see move37 nets info --help)"),
        (["gtp", "--resign", "0.5"], "who resigns does so below a value from -1 to just under 0, not 0.5"),
        (["match", "random"], "Missing argument"),
        (["match", "random", "random", "--games", "0"], "--games"),
        (["play", "--player", "zeero"], "or gtp:COMMAND; did you mean 'zero'?"),
        (["play", "--player", "random", "--size", "20"], "A board of 20 rows and 20 columns is not possible"),
        (["play", "--player", "random", "--komi", "7.3"], "Komi 7.3 is not possible"),
        (["play", "--player", "random", "--rules", "klingon"], "There are no rules named 'klingon'"),
        (["play", "--player", "random", "--rules", "no.toml"], "no.toml: the rules cannot be read (No such file"),
        (["gtp", "--player", "random", "--rules", "aga,encore=true"], "An encore needs territory scoring"),
        (["match", "random", "random", "--rules", '{"ko": "spight"}'], "Rule 'ko' cannot be 'spight'"),
        (["play", "--player", "random", "--handicap", "1"], "2 to 9 stones, not 1"),
        (["play", "--color", "red"], "--color"),
        (["play", "--time", "soon"], "'soon' is no thinking time: write 5s, 500ms or 2m"),
        (["play", "--player", "random", "--visits", "9"], "player 'random' has no option 'visits': it takes seed"),
        (["match", "random", "random", "--visits", "9"], "neither 'random' nor 'random' has an option 'visits'"),
        (["match", "random", "random", "--visits-b", "9"], "player 'random' has no option 'visits'"),
        (
            ["gtp", "--net", "no such net"],
            "no such net: expected a network file or a name",
        ),
        (["gtp", "--backend", "abacus"], "There is no backend 'abacus'; choose one of auto, fast, torch."),
        (["match", "random", "random", "--batch", "2"], "neither 'random' nor 'random' has an option 'batch'"),
        (["gtp", "--player", "gtp:no-such-program"], "'no-such-program' cannot be started"),
        (["nets", "info", "nonesuch"], "nonesuch: expected a network file or a name that 'move37 nets list' shows"),
        (["games", "info", "nonesuch.parquet"], "nonesuch.parquet"),
        (["train", "supervised", "nonesuch.toml", "--run", "x"], "nonesuch.toml: cannot be read"),
        (["train", "evaluate", "zero", "nonesuch.toml"], "nonesuch.toml: cannot be read"),
        (["benchmark", "nonesuch"], "There is no benchmark 'nonesuch'"),
    ],
)
def test_a_mistake_is_one_sentence_and_code_2(
    arguments: list[str], sentence: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(arguments) == 2
    streams = capfd.readouterr()
    assert streams.out == ""
    assert streams.err.startswith("move37: ") and streams.err.count("\n") == 1
    assert sentence in streams.err


def test_a_network_for_another_size_is_named(net: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["play", "--net", net, "--size", "9"]) == 2
    assert "player 'zero' cannot play on 9x9" in capfd.readouterr().err
    assert cli.run(["match", "policy", "random", "--net", net, "--size", "9"]) == 2
    assert "player 'policy' cannot play on 9x9" in capfd.readouterr().err


def test_a_truncated_network_is_named(net: str, capfd: pytest.CaptureFixture[str]) -> None:
    path = Path(net)
    path.write_bytes(path.read_bytes()[:-100])
    assert cli.run(["gtp", "--net", net]) == 2
    assert "a net.safetensors: expected" in capfd.readouterr().err


def test_an_interrupt_is_quiet(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    def interrupt(as_json: bool) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("move37.cli.nets_view.list_networks", interrupt)
    assert cli.run(["nets", "list"]) == 130
    assert capfd.readouterr() == ("", "")


def test_a_defect_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(as_json: bool) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("move37.cli.nets_view.list_networks", fail)
    with pytest.raises(ZeroDivisionError):
        cli.run(["nets", "list"])


def test_a_missing_library_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(as_json: bool) -> None:
        raise ModuleNotFoundError("No module named 'torch'", name="torch")

    monkeypatch.setattr("move37.cli.nets_view.list_networks", fail)
    assert cli.run(["nets", "list"]) == 2
    assert "pip install 'move37[gpu]'" in capfd.readouterr().err


def test_a_match_writes_result_and_log(net: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log, result = tmp_path / "围棋 log.jsonl", tmp_path / "a result.json"
    options = ["--games", "2", "--size", "5", "--net", net, "--visits", "8", "--parallel", "2", "--threads", "1"]
    assert cli.run(["match", "zero", "random", *options, "--log", str(log), "--json", str(result)]) == 0
    streams = capfd.readouterr()
    assert streams.out.startswith("zero against random: ")
    facts = json.loads(result.read_text(encoding="utf-8"))
    assert facts["games"] == 2 and facts["spec_a"] == "zero" and facts["komi"] == 7.0
    games = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert len(games) == 2 and all(game["reason"] in ("score", "move limit") for game in games)


@pytest.mark.parametrize("computing", [["--backend", "fast"], ["--backend", "torch"], ["--device", "cpu"]])
def test_a_match_of_the_katago_player_takes_all_its_options(
    computing: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a katago.safetensors"
    weights.save(katago_network(), path)
    options = ["--net", str(path), "--visits", "4", "--batch", "2", "--threads", "1", *computing]
    assert cli.run(["match", "katago", "random", "--games", "2", "--size", "3", "--max-moves", "9", *options]) == 0
    assert "in 2 games" in capfd.readouterr().out


def test_a_forfeit_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    spec = f"gtp:{fake_program('die=genmove')}"
    assert cli.run(["match", spec, "random", "--games", "1", "--size", "5"]) == 0
    streams = capfd.readouterr()
    assert "game 1 was forfeited: fake: GTP program" in streams.err
    assert "0 wins, 1 losses" in streams.out


def test_warmup_says_when_it_is_done(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["warmup"]) == 0
    streams = capfd.readouterr()
    assert streams.out == "" and "move37: ready, " in streams.err


def test_nets_info(net: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["nets", "info", net, "--json"]) == 0
    facts = json.loads(capfd.readouterr().out)
    assert facts["path"] == net and facts["encoder"] == "zero17" and facts["parameters"] > 0
    assert cli.run(["nets", "info", net]) == 0
    assert "inputs: zero17, 17 planes" in capfd.readouterr().out


def test_nets_list_lists_the_bundled(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["nets", "list"]) == 0
    out = capfd.readouterr().out
    for name in weights.bundled():
        assert name in out


def test_gtp_as_a_process_keeps_stdout_clean(net: str) -> None:
    commands = b"1 genmove b\n\x00\xff\n2 play w e5\r\n3 boardsize 19\n4 boardsize 5\n5 genmove b\n"
    done = subprocess.run(
        [*MOVE37, "gtp", "--net", net, "--visits", "4", "--size", "5"],
        input=commands, capture_output=True, timeout=300, check=True,
    )  # fmt: skip
    blocks = done.stdout.decode().split("\n\n")
    assert [block[:2] for block in blocks] == ["=1", "? ", "=2", "?3", "=4", "=5", ""]


def test_play_with_the_streams_of_a_pipe_ends_at_the_end_of_input() -> None:
    done = subprocess.run(
        [*MOVE37, "play", "--player", "random", "--size", "5"],
        input=b"c3\nzz\n", capture_output=True, timeout=300, check=True, env=os.environ | {"PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    assert b"There is no 'zz' here" in done.stdout
    assert b"X" in done.stdout and done.stdout.isascii()


@pytest.mark.parametrize(("text", "expected"), [(None, None), ("5", 5.0), ("5s", 5.0), ("500ms", 0.5), ("2M", 120.0)])
def test_times(text: str | None, expected: float | None) -> None:
    assert seconds(text) == expected


@pytest.mark.parametrize("text", ["", "s", "-1s", "nan", "inf", "5d", "0"])
def test_wrong_times(text: str) -> None:
    with pytest.raises(ConfigError, match="is no thinking time"):
        seconds(text)


@pytest.mark.parametrize("command", ["gtp", "play"])
@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&-", "2>&-"])
def test_a_closed_standard_stream_is_an_empty_one(command: str, closed: str) -> None:
    line = f'echo quit | "$0" -m move37.cli {command} --player random {closed}'
    ended = subprocess.run(["sh", "-c", line, sys.executable], capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_what_stdout_cannot_encode_is_escaped(net: str) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"}
    ended = subprocess.run([*MOVE37, "nets", "info", net], capture_output=True, timeout=60, check=True, env=environment)
    assert rb"\u56f4\u68cb dir" in ended.stdout


def test_a_match_that_could_not_be_written_is_not_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["match", "random", "random", "--json", str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert f"{tmp_path}: the result cannot be written (it is a folder)" in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_log_on_a_full_disk_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["match", "random", "random", "--size", "3", "--games", "2", "--log", "/dev/full"]) == 2
    assert "/dev/full: the log cannot be written (No space left on device)" in capsys.readouterr().err


def test_what_a_terminal_should_not_get_is_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["nets", "info", "red\x1b[31m\nnet"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("move37: red\\x1b[31m net: expected a network file")
    assert err.count("\n") == 1 and "\x1b" not in err


def test_too_little_memory_is_one_sentence(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def full(name: object) -> Path:
        raise MemoryError

    monkeypatch.setattr(weights, "find", full)
    assert cli.run(["nets", "info", "net"]) == 2
    assert capsys.readouterr().err == (
        "move37: there is not enough memory for this: use a smaller network, batch or board\n"
    )
