"""A GTP session: command lines in, framed answers out; it knows handlers, no game and no board.

Every line that is not empty gets exactly one answer, and a command that fails leaves the engine running, whatever
failed. There are three kinds of handlers. A plain one takes the words after the command's name and returns the text of
the answer; a text handler takes the rest of the line as it stands (a path may hold blanks); a stream handler may write
its answer line by line on a `Stream` while it works, and can see whether more input waits. A handler refuses by raising
`GtpError` (or any other `Move37Error`), a stream handler before its first line. Any other exception is a defect of the
handler: the controller is told `internal error`, the traceback goes to the log (stderr), and the session goes on.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TextIO

from move37.errors import GtpError, Move37Error
from move37.gtp.input import GivenLines, Input
from move37.gtp.wire import Command, format_response, format_stream_head, one_line, parse_line

Handler = Callable[[list[str]], str]
TextHandler = Callable[[str], str]
Write = Callable[[str], None]

_LONGEST_DEFECT = 200


class Stream:
    """The answer of one command while it is written; `input` tells when the next command waits."""

    def __init__(self, number: str, write: Write, source: Input) -> None:
        self.input = source
        self.begun = False
        self._number = number
        self._write = write

    def begin(self) -> None:
        """Tell the controller that the command was understood; from now on it cannot be refused."""
        if not self.begun:
            self.begun = True
            self._write(format_stream_head(self._number))

    def line(self, text: str) -> None:
        """Write one line of the answer."""
        self.begin()
        self._write(f"{one_line(text)}\n")

    def end(self) -> None:
        """Write the empty line that ends the answer."""
        self.begin()
        self._write("\n")


StreamHandler = Callable[[list[str], Stream], str | None]
"""Writes its answer on the stream, or returns it where it has begun none."""


@dataclass(frozen=True)
class Commands:
    """Handlers by the name of their command; `idle` is called when no input waits, and returns when some does."""

    plain: Mapping[str, Handler] = field(default_factory=dict[str, Handler])
    text: Mapping[str, TextHandler] = field(default_factory=dict[str, TextHandler])
    stream: Mapping[str, StreamHandler] = field(default_factory=dict[str, StreamHandler])
    idle: Callable[[Input], None] | None = None


class Protocol:
    """Dispatches command lines to handlers and frames what they answer.

    The four commands that belong to the protocol itself (`protocol_version`, `known_command`, `list_commands`, `quit`)
    are added here. `log` receives tracebacks (default: stderr at the time of the failure).
    """

    def __init__(self, commands: Commands, log: TextIO | None = None) -> None:
        self._log = log
        self.finished = False
        self._text = commands.text
        self._streams = commands.stream
        self._idle = commands.idle
        self._plain: dict[str, Handler] = {
            "protocol_version": lambda words: "2",
            "known_command": self._known_command,
            "list_commands": lambda words: "\n".join(self.commands),
            "quit": self._quit,
            **commands.plain,
        }

    @property
    def commands(self) -> list[str]:
        """The names of all commands this session answers, sorted."""
        return sorted({*self._plain, *self._text, *self._streams})

    def respond(self, line: str) -> str | None:
        """Answer one line with no input behind it: the framed answer, or None where the standard wants none."""
        parts: list[str] = []
        self._answer(line, parts.append, GivenLines())
        return "".join(parts) or None

    def run(self, lines: Iterable[str] | Input, output: TextIO) -> None:
        """Answer `lines` on `output`, each at once, until `quit` or the end of the input.

        Lines that are no `Input` count as all there from the start, so that a streamed answer ends at once.
        """
        source = GivenLines(lines) if isinstance(lines, Iterable) else lines

        def write(text: str) -> None:
            output.write(text)
            output.flush()

        try:
            while not self.finished and (line := self._next(source)) is not None:
                self._answer(line, write, source)
        except BrokenPipeError:  # the controller is gone: nobody is left to be told
            return

    def _next(self, source: Input) -> str | None:
        if self._idle is not None and not source.waiting():
            try:
                self._idle(source)
            except Exception:
                self._idle = None
                traceback.print_exc(file=self._log or sys.stderr)
        return source.next()

    def _answer(self, line: str, write: Write, source: Input) -> None:
        command = parse_line(line)
        if command is None:
            return
        handler = self._streams.get(command.name)
        if handler is None:
            success, text = self._guarded(lambda: self._reply(command))
            write(format_response(command.number, text, success))
            return
        stream = Stream(command.number, write, source)
        success, text = self._guarded(lambda: handler(command.arguments, stream))
        if stream.begun:
            stream.end()
            if not success:
                print(f"move37: {command.name}: {text}", file=self._log or sys.stderr)
        else:
            write(format_response(command.number, text, success))

    def _guarded(self, work: Callable[[], str | None]) -> tuple[bool, str]:
        """Do the work of a command: whether it succeeded, and the text of its answer."""
        try:
            return True, work() or ""
        except GtpError as error:
            return False, str(error)
        except Move37Error as error:
            return False, " ".join(str(error).split())
        except BrokenPipeError:
            raise
        except Exception as error:
            traceback.print_exc(file=self._log or sys.stderr)
            what = " ".join(f"internal error: {type(error).__name__}: {error}".split())
            return False, what[:_LONGEST_DEFECT]

    def _reply(self, command: Command) -> str:
        text_handler = self._text.get(command.name)
        if text_handler is not None:
            return text_handler(command.text)
        handler = self._plain.get(command.name)
        if handler is None:
            raise GtpError("unknown command")
        return handler(command.arguments)

    def _known_command(self, words: list[str]) -> str:
        return "true" if words and words[0] in self.commands else "false"

    def _quit(self, words: list[str]) -> str:
        self.finished = True
        return ""
