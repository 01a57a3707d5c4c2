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

from move37.cli.board_view import board_text
from move37.cli.play import GameSettings, TerminalGame
from move37.errors import PlayerError
from move37.nets import weights
from move37.rules.position import Position
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
            ("score", "White 7"),
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
    assert f"with komi: {game.score().text}." in terminal.text
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
    assert "Two passes. Black 25, White 7 with komi: B+18.\nYou win.\nGame over: undo, new or quit." in shown
    assert "The game is over: undo, new or quit." in shown
    assert shown.endswith("Move 1, Black to play; prisoners: Black 0, White 0; komi 7\nblack> ")


WALLS = [*(f"{column}{row}" for row in range(1, 6) for column in "cd"), "pass", "a3", "pass", "pass"]
"""Two walls on 5x5 and a white stone inside Black's; then both pass."""


@pytest.mark.parametrize(
    ("rules", "with_dead", "without"),
    [
        ("chinese", "Two passes, without the dead stones A3. Black 15, White 10 with komi: B+5.", "W+6"),
        ("japanese", "Two passes, without the dead stones A3. Black 11, White 5 with komi: B+6.", "W+5"),
    ],
)
def test_where_players_agree_dead_stones_are_proposed_and_may_be_changed(
    rules: str, with_dead: str, without: str
) -> None:
    shown = play([*WALLS, "b3", "a3", "score", "a3"], color="both", rules=rules, komi=0)
    assert shown.count(with_dead) == 2
    assert "Game over: undo, new or quit, or name a stone to change what is dead." in shown
    assert "There is no stone at B3" in shown
    assert shown.count(f"with komi: {without}.") == 2


def test_a_new_game_forgets_which_stones_were_dead() -> None:
    shown = play([*WALLS, "new", "a3", "resign", "score"], color="both", rules="chinese", komi=0)
    assert "As it stands: Black 25, White 0 with komi: B+25." in shown


def test_where_they_do_not_the_board_is_counted_as_it_stands() -> None:
    shown = play([*WALLS, "a3"], color="both", komi=0)
    assert "Two passes. Black 5, White 11 with komi: W+6.\nGame over: undo, new or quit.\n" in shown
    assert "The game is over: undo, new or quit." in shown


def test_the_score_on_the_way_says_what_it_leaves_out() -> None:
    assert "As it stands, without the dead stones A3: " in play([*WALLS[:-2], "score"], color="both", rules="chinese")


def test_the_encore_is_played_out() -> None:
    shown = play([*WALLS, "a2", "pass", "pass", "pass", "pass"], color="both", rules="japanese,encore=true", komi=0)
    assert "encore 1 of 2" in shown and "encore 2 of 2" in shown
    assert "Two passes. " in shown
    assert "name a stone" not in shown


def test_the_move_limit_ends_the_game() -> None:
    assert "The move limit. Black 25, White 7 with komi: B+18." in play(["c3"], rules="moveLimit=2")


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
    assert "Took back 1 moves." in both and "plays" not in both


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
        (["", "score"], "As it stands: Black 0, White 7 with komi: W+7."),
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
