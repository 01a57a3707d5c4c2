"""`move37 train`: what a person can get wrong is one clear sentence and exit code 2; a killed run goes on."""

from __future__ import annotations

import random
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from move37.cli.run import run
from move37.games.columns import arrow
from move37.nets import weights
from move37.nets.alphago import policy_network
from tests.support.stored_games import TYPES, random_rows, write_rows

pa = arrow()
GAMES = "games.parquet"


RECIPE = """
batch = 16
size = 5
held_out = 0.2
held_out_positions = 32
[network]
kind = "policy"
filters = 4
encoder = "zero17"
convolutions = 2
[loop]
steps = 30
threads = 1
log_every = 3
evaluate_every = 20
checkpoint_every = 5
[loop.schedule]
peak = 0.05
[[sources]]
name = "own"
files = ["games.parquet"]
share = 0.5
games = {}
[[sources]]
files = ["games.parquet"]
share = 0.5
[[tests]]
name = "pro"
files = ["test.parquet"]
positions = 32
games = {from_year = 2000}
"""


def recipe_in(folder: Path, old: str = "", new: str = "") -> Path:
    """The recipe and random games of 5x5 to learn from and to be asked, `old` in its text replaced by `new`."""
    folder.mkdir(parents=True, exist_ok=True)
    write_rows(folder / GAMES, random_rows(seed=1, count=60))
    write_rows(folder / "test.parquet", random_rows(seed=2, count=10))
    assert old in RECIPE
    path = folder / "recipe.toml"
    path.write_text(RECIPE.replace(old, new, 1) if old else RECIPE, encoding="utf-8")
    return path


def table_of(folder: Path) -> dict[str, list[Any]]:
    """The columns of the games in the folder, to write others like them."""
    columns: dict[str, list[Any]] = pa.parquet.read_table(folder / GAMES).to_pydict()
    return columns


def write_table(folder: Path, columns: dict[str, Any], types: dict[str, Any] | None = None) -> None:
    kinds = TYPES | (types or {})
    table = pa.table({name: pa.array(values, kinds.get(name)) for name, values in columns.items()})
    pa.parquet.write_table(table, folder / GAMES)


# ---- what can be wrong with games


def cut(folder: Path) -> None:
    whole = (folder / GAMES).read_bytes()
    (folder / GAMES).write_bytes(whole[: len(whole) // 2])


def without_moves(folder: Path) -> None:
    columns = table_of(folder)
    del columns["moves"]
    write_table(folder, columns)


def foreign(folder: Path) -> None:
    pa.parquet.write_table(pa.table({"city": ["Seoul"], "people": [9_600_000]}), folder / GAMES)


def comma_separated(folder: Path) -> None:
    (folder / GAMES).write_text("size,komi,moves\n5,7,1 2 3\n", encoding="utf-8")


def empty_file(folder: Path) -> None:
    (folder / GAMES).write_bytes(b"")


def gone(folder: Path) -> None:
    (folder / GAMES).unlink()


def shuffled(folder: Path) -> None:
    """The moves of each game in another order, so that most games are illegal."""
    columns, rng = table_of(folder), random.Random(1)
    columns["moves"] = [rng.sample(moves, len(moves)) for moves in columns["moves"]]
    write_table(folder, columns)


def repeated(folder: Path) -> None:
    columns = table_of(folder)
    columns["moves"] = [[*moves[:4], moves[3], *moves[4:]] for moves in columns["moves"]]
    write_table(folder, columns)


def moves_as_text(folder: Path) -> None:
    columns = table_of(folder)
    columns["moves"] = [" ".join(map(str, moves)) for moves in columns["moves"]]
    write_table(folder, columns, {"moves": pa.string()})


def komi_as_text(folder: Path) -> None:
    columns = table_of(folder)
    columns["komi"] = ["seven"] * len(columns["komi"])
    write_table(folder, columns, {"komi": pa.string()})


def off_the_board(folder: Path) -> None:
    columns = table_of(folder)
    columns["moves"][7][2] = 26
    write_table(folder, columns)


def no_games(folder: Path) -> None:
    write_table(folder, {name: [] for name in TYPES})


BAD_GAMES = [
    (cut, r"cannot be read as Parquet"),
    (without_moves, r"lacks the column\(s\) moves"),
    (foreign, r"lacks the column\(s\) size, komi"),
    (comma_separated, r"cannot be read as Parquet \(it seems to be a text file\); give a Parquet file of games"),
    (empty_file, r"cannot be read as Parquet"),
    (gone, r"there is no games file"),
    (shuffled, r"cannot be replayed: illegal after \d+ moves"),
    (repeated, r"cannot be replayed: illegal after 4 moves"),
    (moves_as_text, r"column moves should hold list of integers but holds string"),
    (komi_as_text, r"column komi should hold number but holds string"),
    (off_the_board, r"game 7 has a move at point 26, off its board"),
    (no_games, r"source 1 \(games\.parquet\) has no games on 5x5 after its filter"),
]


def one_sentence(capfd: pytest.CaptureFixture[str], *arguments: object) -> str:
    """What the command says of a mistake, which it must make one line of, with code 2."""
    assert run([str(argument) for argument in arguments]) == 2
    lines = [line for line in capfd.readouterr().err.splitlines() if line.startswith("move37: ")]
    assert lines, "nothing was said"
    assert "Traceback" not in lines[-1] and len(lines[-1]) < 500
    return lines[-1]


@pytest.mark.parametrize(("spoil", "sentence"), BAD_GAMES, ids=[spoil.__name__ for spoil, _ in BAD_GAMES])
def test_games_that_are_none_are_one_sentence(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], spoil: Callable[[Path], None], sentence: str
) -> None:
    recipe = recipe_in(tmp_path)
    spoil(tmp_path)
    said = one_sentence(capfd, "train", "policy", recipe, "--run", tmp_path / "run")
    assert re.search(sentence, said) and GAMES in said, said


# ---- what can be wrong with a recipe


BAD_RECIPES = [
    ("games = {}", 'games = {min_rank = "9p"}', r"source 1 \(games\.parquet\) has no games on 5x5"),
    ("size = 5", "size = 9", r"has no games on 9x9 after its filter"),
    ("held_out = 0.2", "held_out = 1e-6", r"has no game to hold out \(1e-06 of its 60\); raise held_out"),
    ("held_out = 0.2", "held_out = 0.9999", r"has no game left to learn from"),
    ("test.parquet", GAMES, r"no games but those held out or in tests"),
    ("from_year = 2000", "from_year = 2050", r"the test pro has no games after its filter"),
    ('"own"', '"pro"', r"two of the tests and sources are named pro"),
    ('"pro"', '""', r"a test needs a name and positions of 1 or more"),
    ("positions = 32", "positions = 0", r"positions of 1 or more"),
    ("threads = 1", "threads = 17", r"a batch of 16 cannot be cut for 17 threads"),
    ("share = 0.5", "share = 1e-9", r"source 1 gets none of the 16 examples of a batch"),
    ("zero17", "zero18", r"no encoder 'zero18'"),
    ("steps = 30", "steps = 30\ndevice = 'cuda'", r"no GPU here that torch can use"),
    ("steps = 30", "steps = 30\nlearning_rate = 1.0", r"unknown key 'loop\.learning_rate'"),
    ("filters = 4", "filters = 0", r"1 to \d+ filters"),
    ("filters = 4", "filters = 4\nstart = 'nowhere.safetensors'", r"nowhere\.safetensors"),
    ("steps = 30", "steps = = 30", r"is not valid TOML"),
]


@pytest.mark.parametrize(("old", "new", "sentence"), BAD_RECIPES, ids=[new for _, new, _ in BAD_RECIPES])
def test_a_recipe_that_cannot_be_is_one_sentence(
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    old: str,
    new: str,
    sentence: str,
) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    recipe = recipe_in(tmp_path, old, new)
    said = one_sentence(capfd, "train", "policy", recipe, "--run", tmp_path / "run")
    assert re.search(sentence, said), said
    assert not (tmp_path / "run" / "network.safetensors").exists()


def test_what_is_not_there_is_one_sentence(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    recipe = recipe_in(tmp_path)
    said = one_sentence(capfd, "train", "policy", tmp_path / "none.toml", "--run", tmp_path / "run")
    assert "none.toml: cannot be read" in said
    said = one_sentence(capfd, "train", "evaluate", tmp_path / "none.safetensors", recipe)
    assert "none.safetensors" in said
    said = one_sentence(capfd, "train", "evaluate", tmp_path / GAMES, recipe)
    assert GAMES in said


# ---- numbers that are none


def test_weights_that_are_no_numbers_stop_a_run_before_it_learns(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    network = policy_network(
        sizes=[5], rng=np.random.default_rng(1), filters=4, convolutions=2, encoder="zero17", planes=17
    )
    network.arrays["layer1_conv.weight"][0, 0, 0, 0] = np.nan
    weights.save(network, tmp_path / "start.safetensors")
    recipe = recipe_in(tmp_path, "filters = 4", "filters = 4\nstart = 'start.safetensors'")
    said = one_sentence(capfd, "train", "policy", recipe, "--run", tmp_path / "run")
    assert "start.safetensors" in said and ("not finite" in said or "NaN" in said or "nan" in said)


def test_a_rate_at_which_the_loss_explodes_is_one_sentence_and_keeps_the_last_good_checkpoint(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    recipe = recipe_in(tmp_path, "peak = 0.05", "peak = 1e18")
    said = one_sentence(capfd, "train", "policy", recipe, "--run", tmp_path / "run")
    assert re.search(r"the (loss|gradient) became (nan|inf) at step \d+ .* lower the learning rate", said), said
    assert not (tmp_path / "run" / "network.safetensors").exists()


# ---- killed, and gone on with


def test_a_command_killed_ends_as_if_it_had_never_been(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    recipe = recipe_in(tmp_path / "围棋 games")

    def command(name: str) -> list[str]:
        return ["train", "policy", str(recipe), "--run", str(tmp_path / name)]

    kill_after(command("killed"), 24)  # a step between two checkpoints
    assert run(command("killed")) == 0
    resumed = capfd.readouterr().out
    assert run(command("whole")) == 0
    assert resumed == capfd.readouterr().out
    first, second = (weights.load(tmp_path / name / "network.safetensors") for name in ("whole", "killed"))
    assert {**first.spec.training, "minutes": 0} == {**second.spec.training, "minutes": 0}
    for name, array in first.arrays.items():
        np.testing.assert_array_equal(array, second.arrays[name])


def kill_after(arguments: list[str], step: int) -> None:
    """Start the command and kill it as soon as it has told of this step."""
    command = [sys.executable, "-m", "move37.cli", *arguments]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for line in iter(process.stderr.readline, ""):
            if line.startswith(f"train step {step} "):
                process.send_signal(signal.SIGKILL)
                break
        process.communicate()
        assert process.returncode == -signal.SIGKILL
