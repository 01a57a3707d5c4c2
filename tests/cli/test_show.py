"""`move37 show`: what it lists, writes and refuses."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from move37.cli import run as cli
from move37.pictures.catalogue import CATALOGUE

Streams = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def sentence(*arguments: str, capfd: Streams) -> str:
    assert cli.run(["show", *arguments]) == 2
    streams = capfd.readouterr()
    assert streams.out == "" and streams.err.count("\n") == 1
    return streams.err.removeprefix("move37: ").rstrip("\n")


def test_without_a_name_all_pictures_are_listed(capfd: Streams) -> None:
    assert cli.run(["show"]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[::2]] == list(CATALOGUE)
    assert lines[1].strip() == "a file, --moves, --play, --size, --komi, --rules, --numbers, --label, --mark"


def test_a_picture_is_written_under_its_name(here: Path, capfd: Streams) -> None:
    assert cli.run(["show", "board", "--play", "E5 C3", "--numbers", "--label", "A1=x=y", "--mark", "B2=tomato"]) == 0
    assert capfd.readouterr().err == "move37: wrote board.svg\n"
    text = (here / "board.svg").read_text(encoding="utf-8")
    ElementTree.fromstring(text)
    assert ">x=y</text>" in text and 'fill="tomato"' in text and ">2</text>" in text


def test_a_dash_is_stdout_and_out_a_file(here: Path, capfd: Streams) -> None:
    assert cli.run(["show", "matrix", "--out", "-", "--theme", "dark", "--width", "300", "--caption", "شبكة"]) == 0
    streams = capfd.readouterr()
    root = ElementTree.fromstring(streams.out)
    assert (root.get("width"), root.get("class"), streams.err) == ("300", "m37 m37-dark", "")
    assert "شبكة" in streams.out and not (here / "matrix.svg").exists()
    assert cli.run(["show", "matrix", "--out", "new folder/a b.svg"]) == 0
    assert (here / "new folder" / "a b.svg").is_file()


def test_lists_of_numbers_are_read(here: Path) -> None:
    words = ["show", "planes", "--encoder", "zero17", "--only", "16, 0", "--moves", "3", "--out", "a.svg"]
    assert cli.run(words) == 0
    text = (here / "a.svg").read_text(encoding="utf-8")
    assert ">16: Black is to</text>" in text or ">16: Black is to move</text>" in text
    assert ">1: opponent" not in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("x", "there is no picture 'x'; there are board, matrix"),
        ("board --net a", "the picture board has no use for --net; it uses a file, --moves"),
        ("board --moves a", "'a' is no number: write --moves 10,60"),
        ("heatmap --temperature 1,b", "'b' is no number: write --temperature 0.5,1"),
        ("board --label E5", "'E5' names no point and text: write --label E5=A"),
        ("board --mark =red", "'=red' names no point and text: write --mark E5=tomato"),
        ("board --out a.gif", "a.gif: a picture is written as .svg or .png; end its name so"),
        ("board --theme pink", "there is no theme 'pink'; there are auto, light, dark"),
        ("board --moves 14", "there is no move 14: the game has 13"),
        ("board none.sgf", "none.sgf cannot be opened: No such file or directory."),
        ("board --size 20", ""),
        ("board --width 3", ""),
        ("tree --visits 0", ""),
        ("convolution --at pass", "a pass is no point of the board: give --at a vertex such as E5"),
        ("curves", "curves are of a training run: name its folder"),
        ("curves .", ". has no log.jsonl with figures: name the folder of a training run"),
        ("game", "this picture is of a whole game: name a record, such as GAME.sgf"),
    ],
)
def test_wrong_words_are_one_sentence(words: str, said: str, here: Path, capfd: Streams) -> None:
    assert sentence(*words.split(" "), capfd=capfd).startswith(said)
    assert list(here.iterdir()) == []


def test_who_does_not_search_cannot_review(here: Path, capfd: Streams) -> None:
    (here / "a.sgf").write_text("(;SZ[9];B[ee];W[gc])", encoding="utf-8")
    said = sentence("game", "a.sgf", "--player", "random", capfd=capfd)
    assert said == "player 'random' does not search, so it cannot review: use katago or zero"
