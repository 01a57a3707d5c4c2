"""The wire format of GTP version 2: lines in, framed answers out; no game, no board.

What the standard asks and this file does (specification: Gunnar Farnebäck, "GTP Version 2, draft 2", sections 2.1-2.9):

* horizontal tabs count as blanks, every other control character is dropped, `#` starts a comment;
* a line that is then empty gets no answer; every other line gets exactly one;
* an answer is `=ID TEXT` or `?ID TEXT` and ends with one empty line, so TEXT may have many lines but no empty one;
* a command that fails leaves the engine running, whatever failed.

A handler is a callable that takes the words after the command's name and returns the text of the answer; a text handler
takes the rest of the line as it stands (a path may hold blanks). It refuses by raising `GtpError` (or any other
`Move37Error`). Any other exception is a defect of the handler: the controller is told `internal error`, the traceback
goes to the log (stderr), and the session goes on.
"""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TextIO

from move37.errors import GtpError, Move37Error

Handler = Callable[[list[str]], str]
TextHandler = Callable[[str], str]

_LONGEST_DEFECT = 200
_CONTROL = re.compile("[\x00-\x08\x0a-\x1f\x7f]")


@dataclass(frozen=True)
class Command:
    """One command line taken apart.

    `number` is the identity number as it was written ("" where there was none): an answer repeats it letter by letter.
    `text` is what stands after the name.
    """

    number: str
    name: str
    text: str = ""

    @property
    def arguments(self) -> list[str]:
        """The words after the name."""
        return self.text.split()


def clean(line: str) -> str:
    """Return `line` without comment, control characters and outer blanks; tabs become blanks."""
    return _CONTROL.sub("", line.partition("#")[0].replace("\t", " ")).strip()


def parse_line(line: str) -> Command | None:
    """Take one line apart; None where nothing is left of it and so no answer is due."""
    rest = clean(line)
    if not rest:
        return None
    first, text = _split_word(rest)
    if not (first.isascii() and first.isdigit()):
        return Command("", first, text)
    return Command(first, *_split_word(text))


def _split_word(text: str) -> tuple[str, str]:
    """The first word and what stands after it."""
    first, *more = text.split(None, 1) or [""]
    return first, more[0] if more else ""


def format_response(number: str, text: str, success: bool = True) -> str:
    """Frame an answer. Empty lines inside `text` would end it too early: they become lines of one blank."""
    first, *more = [_CONTROL.sub("", line).rstrip() for line in text.rstrip().split("\n")]
    body = "\n".join([first, *(line or " " for line in more)])
    return f"{'=' if success else '?'}{number} {body}\n\n"


class Protocol:
    """Dispatches command lines to handlers and frames what they return.

    `handlers` maps a command's name to its handler, `text_handlers` to one that takes the whole line. The four commands
    that belong to the protocol itself (`protocol_version`, `known_command`, `list_commands`, `quit`) are added here.
    `log` receives tracebacks (default: stderr at the time of the failure).
    """

    def __init__(
        self,
        handlers: Mapping[str, Handler],
        log: TextIO | None = None,
        text_handlers: Mapping[str, TextHandler] | None = None,
    ) -> None:
        self._log = log
        self.finished = False
        self._text_handlers = dict(text_handlers or {})
        self._handlers: dict[str, Handler] = {
            "protocol_version": lambda words: "2",
            "known_command": self._known_command,
            "list_commands": lambda words: "\n".join(self.commands),
            "quit": self._quit,
            **handlers,
        }

    @property
    def commands(self) -> list[str]:
        """The names of all commands this session answers, sorted."""
        return sorted({*self._handlers, *self._text_handlers})

    def respond(self, line: str) -> str | None:
        """Answer one line: the framed answer, or None where the standard wants none. Never raises an `Exception`."""
        command = parse_line(line)
        if command is None:
            return None
        success, text = self._execute(command)
        return format_response(command.number, text, success)

    def run(self, lines: Iterable[str], output: TextIO) -> None:
        """Answer `lines` on `output`, each at once, until `quit` or the end of the input."""
        for line in lines:
            response = self.respond(line)
            if response is None:
                continue
            try:
                output.write(response)
                output.flush()
            except BrokenPipeError:  # the controller is gone: nobody is left to be told
                return
            if self.finished:
                return

    def _execute(self, command: Command) -> tuple[bool, str]:
        if command.name not in self.commands:
            return False, "unknown command"
        try:
            return True, self._answer(command)
        except GtpError as error:
            return False, str(error)
        except Move37Error as error:
            return False, " ".join(str(error).split())
        except Exception as error:
            traceback.print_exc(file=self._log or sys.stderr)
            what = " ".join(f"internal error: {type(error).__name__}: {error}".split())
            return False, what[:_LONGEST_DEFECT]

    def _answer(self, command: Command) -> str:
        text_handler = self._text_handlers.get(command.name)
        if text_handler is not None:
            return text_handler(command.text)
        return self._handlers[command.name](command.arguments)

    def _known_command(self, words: list[str]) -> str:
        return "true" if words and words[0] in self.commands else "false"

    def _quit(self, words: list[str]) -> str:
        self.finished = True
        return ""
