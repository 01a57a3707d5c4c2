"""A game against a player in the terminal: a board, a prompt, and a few words.

The game is a `Position` and the opponent any `Player`; this file only reads words and shows what happened. Two people
at one terminal need the player for hints alone, so theirs may be on a board that it cannot play.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Literal

import numpy as np
from rich.console import Console
from rich.text import Text

from move37.cli.board_view import board_text
from move37.errors import IllegalMoveError, PlayerError, SgfError, VertexError
from move37.evaluators.dead_stones import stones_to_remove
from move37.players.game_clocks import GameClocks
from move37.players.player import Clock, Decision, Player, Preparing, TimeSystem, judge_of, require_size
from move37.rules.color import Color
from move37.rules.position import Position
from move37.rules.result import Result
from move37.rules.ruleset import ruleset
from move37.sgf.files import write_sgf
from move37.sgf.game_record import GameRecord
from move37.sgf.lines import counted

HELP = """\
E5        play there (a letter without I, then a number; any case)
pass      pass; after two passes the board is counted
undo      take back your last move and the answer to it
hint      what the other side would play in your place
score     count the board (without stones that look dead, where the rules let you agree on them)
resign    give up
save FILE write the game to an SGF file
new       start again
quit      leave"""
_AREA = "Counting: your stones and the empty points only you surround; White adds komi."
_TERRITORY = "Counting: the empty points only you surround and your prisoners; White adds komi."
_AS_IT_STANDS = "Every stone on the board counts as alive, so capture dead stones before you pass."
_AGREED = "Stones that look dead are taken off after two passes; name a stone to change that, for example C4."
_ENCORE = "Two passes begin the encore, two more its second half, where stones cost nothing: capture dead ones there."

_VERTEX = re.compile(r"[a-zA-Z]\d{1,2}")


@dataclass(frozen=True)
class GameSettings:
    """How the game begins. `color` is what the person plays: black, white, or both."""

    size: int = 9
    color: str = "black"
    komi: float = 7.0
    rules: str = "tromp-taylor"
    handicap: int = 0
    clock: TimeSystem | None = None

    def position(self) -> Position:
        """The first position; `RulesError` or `SetupError` for settings that do not exist."""
        position = Position(self.size, rules=self.rules, komi=self.komi)
        if self.handicap:
            position.place_handicap(self.handicap)
        return position

    @property
    def counting(self) -> str:
        """How the game will be counted, for people."""
        rules = ruleset(self.rules)
        ending = _ENCORE if rules.encore else _AGREED if rules.agrees_on_dead else _AS_IT_STANDS
        return f"{_AREA if rules.scoring == 'area' else _TERRITORY} {ending}"

    def is_person(self, color: Color) -> bool:
        """Whether the person plays this colour."""
        return self.color in ("both", color.word)


def play_in_terminal(settings: GameSettings, opponent: Player) -> None:
    """Play on stdin and stdout until the person leaves."""
    with contextlib.suppress(ImportError):
        import_module("readline")  # line editing at the prompt, where the system has it

    console = Console(highlight=False, markup=False, emoji=False)
    console.width = console.width or 80  # some terminals say 0, at which rich would print nothing
    TerminalGame(settings, opponent, console, console.input).run()


class TerminalGame:
    """The loop of one sitting. `ask` shows a prompt and returns a line, or raises `EOFError`."""

    def __init__(self, settings: GameSettings, opponent: Player, console: Console, ask: Callable[[str], str]) -> None:
        self._settings = settings
        self._opponent = opponent
        self._console = console
        self._ask = ask
        self._position = settings.position()
        if settings.color != "both":
            require_size(opponent, settings.size, settings.size)
        self._resigned: Color | None = None
        self._how: Literal["resignation", "time"] = "resignation"
        if settings.clock is not None and isinstance(opponent, Preparing):
            opponent.prepare(settings.size, settings.size)
        self._clocks = GameClocks(settings.clock)
        self._win_rate: float | None = None
        self._dead: set[str] = set()
        self._saved: set[str] = set()
        self._words: dict[str, Callable[[], None]] = {
            "pass": lambda: self._play("pass"),
            "undo": self._undo,
            "hint": self._hint,
            "score": self._score,
            "resign": self._resign,
            "new": self._new,
            "help": lambda: self._say(f"{HELP}\n{self._settings.counting}"),
        }

    def run(self) -> None:
        """Play until `quit` or the end of the input."""
        self._say("Type a point such as E5, or: pass, undo, hint, score, resign, save FILE, new, help, quit.")
        self._show()
        while True:
            if not self._is_over and not self._settings.is_person(self._position.to_play):
                self._answer()
                continue
            try:
                word = self._ask(f"{'over' if self._is_over else self._position.to_play.word}> ").strip()
            except EOFError:
                return
            if word.lower() in ("quit", "exit"):
                return
            self._obey(word)

    @property
    def _is_over(self) -> bool:
        return self._resigned is not None or self._position.is_over

    @property
    def _agrees(self) -> bool:
        """Whether the person may say which stones are dead."""
        counted = self._resigned is None and not self._position.is_no_result
        return counted and self._position.phase == 0 and self._position.rules.agrees_on_dead

    def _obey(self, word: str) -> None:
        command = self._words.get(word.lower())
        verb, _, name = word.partition(" ")
        if command is not None:
            command()
        elif verb.lower() == "save":
            self._save(name.strip())
        elif _VERTEX.fullmatch(word):
            self._play(word)
        elif word:
            self._say(f"There is no {word!r} here: type a point such as E5, or help.")

    # ---- what the person does

    def _play(self, move: str) -> None:
        if self._is_over:
            self._change_dead(move)
            return
        color = self._position.to_play
        try:
            self._position.play(move)
        except (IllegalMoveError, VertexError) as error:
            self._say(str(error))
            return
        self._stop_clock(color)
        if self._settings.color == "both":
            self._win_rate = None
        self._go_on(show=self._settings.color == "both")

    def _change_dead(self, vertex: str) -> None:
        """After the end: declare the chain at a vertex dead, or living if it was dead."""
        if not self._agrees:
            self._say("The game is over: undo, save, new or quit.")
            return
        try:
            stones = set(self._position.chain(vertex).stones)
        except VertexError as error:
            self._say(str(error))
            return
        self._dead = self._dead - stones if stones <= self._dead else self._dead | stones
        self._show_result()

    def _undo(self) -> None:
        """Take moves back until it is the person's turn again."""
        self._resigned, self._win_rate = None, None
        self._clocks.begin()
        undone = 0
        while self._position.moves and (undone == 0 or not self._settings.is_person(self._position.to_play)):
            self._position.undo()
            undone += 1
        self._say(f"Took back {counted(undone, 'move')}." if undone else "There is nothing to take back.")
        self._show()

    def _hint(self) -> None:
        if self._is_over:
            self._say("The game is over.")
            return
        try:
            require_size(self._opponent, self._position.rows, self._position.cols)
        except PlayerError as error:
            self._say(f"No hint: {error}.")
            return
        decision = self._think()
        if decision.move is None:
            self._say("Hint: resign.")
            return
        rate = "" if decision.win_rate is None else f" (win rate {decision.win_rate:.0%})"
        self._say(f"Hint: {self._position.vertex(decision.move)}{rate}{self._alternatives(decision)}")

    def _alternatives(self, decision: Decision) -> str:
        if decision.visits is None or decision.visits.sum() <= 0:
            return ""
        share = decision.visits / decision.visits.sum()
        best = [int(move) for move in np.argsort(-share, kind="stable")[:3] if share[move] > 0]
        return "; looked at " + ", ".join(f"{self._position.vertex(move)} {share[move]:.0%}" for move in best)

    def _score(self) -> None:
        dead = self._dead if self._is_over else self._judged_dead()
        self._say(f"As it stands{_without(dead)}.\n{self._position.score(dead).sums}")

    def _judged_dead(self) -> tuple[str, ...]:
        return stones_to_remove(self._position, judge_of(self._opponent, self._position))

    def _resign(self) -> None:
        if not self._is_over:
            self._resigned, self._how = self._position.to_play, "resignation"
            self._go_on(show=True)

    def _save(self, name: str) -> None:
        """Write the game to a file, which may be there only if it was this game that wrote it."""
        path = Path(os.path.expanduser(name))  # noqa: PTH111  # as it is where there is no home
        place = os.path.realpath(path)
        if not name:
            self._say("Name the file, for example: save game.sgf")
        elif os.path.lexists(path) and place not in self._saved:
            self._say(f"{path} is there already: choose another name.")
        elif not path.parent.is_dir():
            self._say(f"There is no folder {path.parent}: choose another or make it first.")
        else:
            self._write(path, place)

    def _write(self, path: Path, place: str) -> None:
        result = self._result
        try:
            write_sgf(GameRecord.from_position(self._position, **self._names, result=result.text), path)
        except SgfError as error:
            self._say(str(error))
            return
        self._saved.add(place)
        ending = "" if result == Result() else f", {result.text}"
        self._say(f"Saved {path}: {counted(len(self._position.moves), 'move')}{ending}.")

    @property
    def _result(self) -> Result:
        """The game's result as it is now, with the stones taken off that are dead now; unknown while it goes on."""
        if self._resigned is not None:
            return Result(self._resigned.opponent, None, self._how)
        return self._position.result(self._dead if self._is_over else ())

    @property
    def _names(self) -> dict[str, str]:
        """The names that a record needs: that of the other side, if it plays."""
        played = [color for color in Color if not self._settings.is_person(color)]
        return {f"{color.word}_name": self._opponent.name for color in played}

    def _new(self) -> None:
        self._position = self._settings.position()
        self._resigned, self._win_rate = None, None
        self._clocks = GameClocks(self._settings.clock)
        self._saved = set()
        self._show()

    # ---- what the other side does

    def _think(self, clock: Clock | None = None) -> Decision:
        with Console(stderr=True).status("thinking"):
            return self._opponent.choose(self._position, clock)

    def _answer(self) -> None:
        color = self._position.to_play
        decision = self._think(self._clocks.clock(color))
        if decision.win_rate is not None:
            self._win_rate = 1 - decision.win_rate
        if decision.resign or decision.move is None:
            self._resigned, self._how = color, "resignation"
        else:
            self._position.play(decision.move)
            self._say(f"{color.title} plays {self._position.vertex(decision.move)}.")
            self._stop_clock(color)
        self._go_on(show=True)

    def _stop_clock(self, color: Color) -> None:
        if not self._clocks.end(color):
            self._resigned, self._how = color, "time"

    def _go_on(self, show: bool) -> None:
        """After a move or a resignation: if the game is over judge what is dead; show the board then, or if told to."""
        if self._is_over:
            self._dead = set(self._judged_dead())
        if show or self._is_over:
            self._show()

    # ---- what is shown

    def _show(self) -> None:
        self._console.print(board_text(self._position, _speaks_unicode(self._console)), soft_wrap=True)
        if self._is_over:
            self._show_result()
            return
        taken = self._position.prisoners
        line = f"Move {self._position.move_number + 1}, {self._position.to_play.title} to play"
        line += f"; encore {self._position.phase} of 2" if self._position.phase else ""
        line += f"; prisoners: Black {taken[Color.BLACK]}, White {taken[Color.WHITE]}; komi {self._position.komi:g}"
        self._say(line)
        if self._clocks.words:
            self._say(f"Clocks: {self._clocks.words}")
        if self._win_rate is not None:
            self._say(f"Your win rate: {self._win_rate:.0%} (the other side's estimate from its search)")

    def _show_result(self) -> None:
        position = self._position
        if self._resigned is not None:
            winner: Color | None = self._resigned.opponent
            what, letter = ("resigns", "R") if self._how == "resignation" else ("ran out of time", "T")
            self._say(f"{self._resigned.title} {what}: {self._resigned.opponent.letter}+{letter}.")
        elif position.is_no_result:
            self._say("A long cycle: the game has no result.\nGame over: undo, save, new or quit.")
            return
        else:
            score = position.score(self._dead)
            winner = score.winner
            ended = "Two passes" if position.passes >= 2 else "The move limit"
            self._say(f"{ended}{_without(self._dead)}.\n{score.sums}")
        if self._settings.color != "both":
            won = winner is not None and self._settings.is_person(winner)
            self._say("A draw." if winner is None else "You win." if won else "You lose.")
        change = ", or name a stone to change what is dead" if self._agrees else ""
        self._say(f"Game over: undo, save, new or quit{change}.")

    def _say(self, text: str) -> None:
        self._console.print(Text(text), soft_wrap=True)


def _without(dead: Iterable[str]) -> str:
    """Which stones are not counted, sorted for the eye."""
    named = " ".join(sorted(dead))
    return f", without the dead stones {named}" if named else ""


def _speaks_unicode(console: Console) -> bool:
    try:
        "●○·".encode(console.encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
