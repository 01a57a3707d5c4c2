"""A person's game in the terminal: a whole 9x9 game through a pseudo-terminal, and the words one by one."""

from __future__ import annotations

import io
import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import pytest
from rich.console import Console

from move37.cli import run as cli
from move37.cli.board_view import board_text
from move37.cli.play import GameSettings, TerminalGame
from move37.errors import PlayerError
from move37.nets import weights
from move37.rules.position import Position
from move37.sgf.files import read_sgf
from tests.support.networks import small_network
from tests.support.players import ScriptedPlayer

pty = pytest.importorskip("pty", reason="pseudo-terminals are a thing of Unix")

_LIMIT = 300.0


class Terminal:
    """A program on a pseudo-terminal of its own, as a person's terminal window runs it."""

    def __init__(self, *arguments: str) -> None:
        self._master, slave = pty.openpty()
        environment = {**os.environ, "TERM": "dumb", "NO_COLOR": "1", "COLUMNS": "120", "PYTHONIOENCODING": "utf-8"}
        command = [sys.executable, "-m", "move37.cli", "play", *arguments]
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=subprocess.DEVNULL, close_fds=True, env=environment
        )
        os.close(slave)
        self.text = ""

    def read_until(self, pattern: str) -> str:
        """Read on until `pattern` is in what was not read before, and return that."""
        fresh = ""
        deadline = time.monotonic() + _LIMIT
        while not re.search(pattern, fresh):
            if not select.select([self._master], [], [], max(0.0, deadline - time.monotonic()))[0]:
                pytest.fail(f"no {pattern!r} within {_LIMIT:g} s after:\n{self.text}")
            try:
                piece = os.read(self._master, 65536).decode(errors="replace")
            except OSError:  # Linux says so when the program's side is closed
                piece = ""
            if not piece:
                pytest.fail(f"the program ended before {pattern!r}:\n{self.text}")
            fresh += piece
            self.text += piece
        return fresh

    def type(self, line: str) -> None:
        os.write(self._master, f"{line}\n".encode())

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._master)


def first_legal_answer(game: Position) -> str:
    """The mirror image of a simple player: the first point that fills no own eye."""
    legal = game.legal_moves()
    for vertex in legal[:-1]:
        own = all(game.stone_at(beside) is game.to_play for beside in game.neighbors(vertex))
        if not own:
            return vertex
    return "pass"


def test_a_whole_game_on_9x9_through_a_pseudo_terminal(tmp_path: Path) -> None:
    """Black is a person who types; White is the search, with a network of random weights."""
    net = tmp_path / "围棋" / "a net.safetensors"
    weights.save(small_network(sizes=[9]), net)
    terminal = Terminal("--net", str(net), "--visits", "2", "--seed", "1", "--threads", "1", "--komi", "7")
    game = Position(9, komi=7)
    try:
        terminal.read_until("black> ")
        for word, expected in (
            ("help", "take back"),
            ("i5", "is not a point"),
            ("score", "White: 7 komi = 7"),
            ("hint", "Hint: "),
        ):
            terminal.type(word)
            assert expected in terminal.read_until("black> ")
        terminal.type("e5")
        terminal.read_until("black> ")
        terminal.type("undo")
        assert "Took back 2 moves" in terminal.read_until("black> ")
        while not game.is_over:
            assert game.move_number < 300
            move = first_legal_answer(game) if game.move_number < 50 else "pass"
            game.play(move)
            terminal.type(move)
            shown = terminal.read_until("(black|over)> ")
            played = re.search(r"White plays (\w+)\.", shown)
            if played:
                game.play(played[1])
        terminal.type("quit")
        assert terminal.process.wait(60) == 0
    finally:
        terminal.close()
    assert (
        game.score().sums.splitlines()
        == [line for line in terminal.text.splitlines() if line in game.score().sums][-3:]
    )
    assert ("You win." in terminal.text) == (game.score().text[0] == "B")
    assert "Your win rate: " in terminal.text
    assert "Traceback" not in terminal.text


def play(words: Iterable[str], opponent: ScriptedPlayer | None = None, **settings: object) -> str:
    """What is shown when a person types `words`."""
    lines = iter(words)

    def ask(prompt: str) -> str:
        shown.print(prompt, end="")
        word = next(lines, None)
        if word is None:
            raise EOFError
        return word

    shown = Console(file=io.StringIO(), width=200, highlight=False, markup=False, emoji=False)
    chosen = GameSettings(**{"size": 5, **settings})  # type: ignore[arg-type]  # tests name them
    TerminalGame(chosen, opponent or ScriptedPlayer(), shown, ask).run()
    assert isinstance(shown.file, io.StringIO)
    return shown.file.getvalue()


def test_the_board_shows_coordinates_stones_and_the_last_move() -> None:
    position = Position(5)
    position.play("E5")
    position.play("C3")
    assert board_text(position, unicode=False).plain.splitlines() == [
        "    A B C D E",
        "  5 . . . . X  5",
        "  4 . . . . .  4",
        "  3 . .(O). .  3",
        "  2 . . . . .  2",
        "  1 . . . . .  1",
        "    A B C D E",
    ]
    position.play("E1")
    assert board_text(position).plain.splitlines()[5] == "  1 · · · ·(●) 1"


def test_pass_pass_ends_and_counts() -> None:
    shown = play(["c3", "pass", "c4", "new", "quit"], ScriptedPlayer())
    assert "White plays pass." in shown
    assert "Two passes.\nBlack: 1 stone + 24 territory = 25\nWhite: 7 komi = 7\nB+18\nYou win.\n" in shown
    assert "Game over: undo, save, new or quit." in shown
    assert "The game is over: undo, save, new or quit." in shown
    assert shown.endswith("Move 1, Black to play; prisoners: Black 0, White 0; komi 7\nblack> ")


WALLS = [*(f"{column}{row}" for row in range(1, 6) for column in "cd"), "pass", "a3", "pass", "pass"]
"""Two walls on 5x5 and a white stone inside Black's; then both pass."""


@pytest.mark.parametrize(
    ("rules", "with_dead", "without"),
    [
        ("chinese", "Black: 5 stones + 10 territory = 15\nWhite: 5 stones + 5 territory = 10\nB+5\n", "\nW+6\n"),
        ("japanese", "Black: 10 territory + 1 prisoner = 11\nWhite: 5 territory = 5\nB+6\n", "\nW+5\n"),
    ],
)
def test_where_players_agree_dead_stones_are_proposed_and_may_be_changed(
    rules: str, with_dead: str, without: str
) -> None:
    shown = play([*WALLS, "b3", "a3", "score", "a3"], color="both", rules=rules, komi=0)
    assert shown.count(f"Two passes, without the dead stones A3.\n{with_dead}") == 2
    assert "Game over: undo, save, new or quit, or name a stone to change what is dead." in shown
    assert "There is no stone at B3" in shown
    assert shown.count(without) == 2


def test_a_new_game_forgets_which_stones_were_dead() -> None:
    shown = play([*WALLS, "new", "a3", "resign", "score"], color="both", rules="chinese", komi=0)
    assert "As it stands.\nBlack: 1 stone + 24 territory = 25\nWhite: 0\nB+25\n" in shown


def test_where_they_do_not_the_board_is_counted_as_it_stands() -> None:
    shown = play([*WALLS, "a3"], color="both", komi=0)
    assert "White: 6 stones + 5 territory = 11\nW+6\nGame over: undo, save, new or quit.\n" in shown
    assert "The game is over: undo, save, new or quit." in shown


def test_the_score_on_the_way_says_what_it_leaves_out() -> None:
    assert "As it stands, without the dead stones A3.\n" in play([*WALLS[:-2], "score"], color="both", rules="chinese")


def test_the_encore_is_played_out() -> None:
    shown = play([*WALLS, "a2", "pass", "pass", "pass", "pass"], color="both", rules="japanese,encore=true", komi=0)
    assert "encore 1 of 2" in shown and "encore 2 of 2" in shown
    assert "Two passes.\n" in shown
    assert "name a stone" not in shown


def test_the_move_limit_ends_the_game() -> None:
    assert "The move limit.\nBlack: 1 stone + 24 territory = 25\nWhite: 7 komi = 7\nB+18\n" in play(
        ["c3"], rules="moveLimit=2"
    )


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ("tromp-taylor", "Every stone on the board counts as\nalive"),
        ("chinese", "Stones that look dead are taken off"),
        ("japanese", "the empty points only you surround and your prisoners"),
        ("japanese,encore=true", "Two passes begin the encore"),
    ],
)
def test_help_says_how_it_is_counted(rules: str, words: str) -> None:
    assert words.replace("\n", " ") in play(["help"], rules=rules)


def test_the_person_may_be_white_or_both() -> None:
    white = play(["quit"], ScriptedPlayer(["E5"]), color="white")
    assert "Black plays E5." in white and "Your win rate: 25%" in white and white.endswith("white> ")
    both = play(["a1", "b1", "undo", "quit"], color="both")
    assert "Took back 1 move." in both and "plays" not in both


def test_undo_takes_back_the_answer_too_and_reopens_a_finished_game() -> None:
    shown = play(["undo", "c3", "undo", "resign", "undo", "c3", "quit"], ScriptedPlayer(["A1", "A1"]))
    assert "There is nothing to take back." in shown
    assert "Took back 2 moves." in shown
    assert "Black resigns: W+R.\nYou lose." in shown
    assert shown.rstrip().endswith("black>")


def test_resignation_of_the_other_side() -> None:
    shown = play(["c3", "quit"], ScriptedPlayer(["resign"]))
    assert "White resigns: B+R.\nYou win." in shown


def test_hints_name_the_move_and_the_rate_and_play_nothing() -> None:
    opponent = ScriptedPlayer(["D4", "resign"])
    shown = play(["hint", "hint"], opponent)
    assert "Hint: D4 (win rate 75%)" in shown and "Hint: resign." in shown
    assert [position.move_number for position in opponent.seen] == [0, 0]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["c3", "c3"], "Move 3, Black C3, is illegal: a stone is there already."),
        (["z9"], "'z9' is not a point of a 5x5 board"),
        (["jump"], "There is no 'jump' here: type a point such as E5, or help."),
        (["", "score"], "As it stands.\nBlack: 0\nWhite: 7 komi = 7\nW+7\n"),
    ],
)
def test_words_that_cannot_be_done_say_why(words: list[str], sentence: str) -> None:
    assert sentence in play(words)


def test_handicap_and_a_player_without_the_size() -> None:
    shown = play(["quit"], ScriptedPlayer(["A1"]), size=9, handicap=2)
    assert "White plays A1." in shown
    with pytest.raises(PlayerError, match="cannot play on 5x5"):
        play([], ScriptedPlayer(sizes=[9]))


@pytest.mark.parametrize("columns", ["0", "10"])
def test_a_narrow_terminal_keeps_the_rows_whole(columns: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "move37.cli", "play", "--player", "random"],
        input="quit\n",
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
        env={**os.environ, "COLUMNS": columns, "PYTHONUTF8": "1"},
    )
    assert ended.stdout.count("A B C D E F G H J\n") == 2


def test_two_people_need_no_player_but_for_hints() -> None:
    shown = play(["e5", "hint", "d4"], ScriptedPlayer(sizes=[9]), size=13, color="both")
    assert "No hint: player 'scripted' cannot play on 13x13: choose another board size or network.\n" in shown
    assert "Move 3, Black to play" in shown


def test_the_bonus_of_a_handicap_is_named() -> None:
    shown = play(["score"], size=9, handicap=3, rules="chinese", color="both")
    assert "White: 7 komi + 3 handicap bonus = 10\n" in shown


@pytest.mark.parametrize("word", ["pass", "z9", "a5", "b+", "e55"])
def test_after_the_end_a_wrong_stone_is_one_sentence(word: str) -> None:
    before, shown = (play([*WALLS, *words], color="both", rules="chinese") for words in ([], [word]))
    added = shown[len(before) :].splitlines()
    assert len(added) == 2 and added[0][0] in "'T" and added[0].endswith((".", "help."))


@pytest.mark.parametrize("option", [["--komi", "6.7"], ["--rules", "go"], ["--handicap", "1"], ["--size", "20"]])
def test_wrong_settings_are_one_sentence(option: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["play", "--player", "random", *option]) == 2
    assert capfd.readouterr().err.count("\n") == 1


# ---- saving


def test_a_game_is_saved_with_its_result_and_saved_again(tmp_path: Path) -> None:
    path = tmp_path / "my 围棋 game.sgf"
    shown = play(["c3", f"save {path}", "undo", f"SAVE  {path} ", "c3", "pass", f"save {path}"], ScriptedPlayer(["A1"]))
    assert f"Saved {path}: 2 moves.\n" in shown and f"Saved {path}: 0 moves.\n" in shown
    assert f"Saved {path}: 3 moves, B+18.\n" in shown
    record = read_sgf(path)
    assert (record.result.text, record.komi, record.black_name, record.white_name) == ("B+18", 7.0, "", "scripted")
    assert len(record.position().moves) == 3


@pytest.mark.parametrize(
    ("words", "result"),
    [
        (["resign"], "W+R"),
        ([*WALLS], "B+5"),
        ([*WALLS, "a3"], "W+6"),
        (["c3"], "?"),
    ],
)
def test_the_saved_result(tmp_path: Path, words: list[str], result: str) -> None:
    path = tmp_path / "game.sgf"
    play([*words, f"save {path}"], color="both", rules="chinese", komi=0)
    assert read_sgf(path).result.text == result


def test_nothing_is_overwritten_that_this_game_did_not_save(tmp_path: Path) -> None:
    there, new = tmp_path / "there.sgf", tmp_path / "new.sgf"
    there.write_text("precious", encoding="utf-8")
    far = tmp_path / "far" / "game.sgf"
    shown = play(
        [
            "save",
            f"save {there}",
            f"save {far}",
            f"save {tmp_path}",
            f"save {'n' * 300}",
            f"save {new}",
            "new",
            f"save {new}",
        ],
        color="both",
    )
    assert "Name the file, for example: save game.sgf" in shown
    assert f"{there} is there already: choose another name." in shown
    assert f"There is no folder {far.parent}: choose another or make it first." in shown
    assert f"{tmp_path} is there already" in shown
    assert "nnn cannot be written: File name too long." in shown
    assert f"Saved {new}: 0 moves." in shown and f"{new} is there already" in shown
    assert there.read_text(encoding="utf-8") == "precious" and not far.parent.exists()


def test_a_long_cycle_has_no_result_but_may_be_counted(tmp_path: Path) -> None:
    moves = ["A2", "B2", "A1", "B1", "A2", "A1", "A2", "B1", "B2", "A1", "A2", "B2", "A2"]
    path = tmp_path / "cycle.sgf"
    shown = play([*moves, "score", f"save {path}", "a1"], size=2, color="both", rules="japanese")
    assert "A long cycle: the game has no result.\nGame over: undo, save, new or quit." in shown
    assert "As it stands.\n" in shown and "\nno result: a long cycle ended the game" in shown
    assert f"Saved {path}: 13 moves, Void." in shown
