"""The wire format of GTP version 2: a line taken apart, an answer framed; no game, no board, no session.

What the standard asks (specification: Gunnar Farnebäck, "GTP Version 2, draft 2", sections 2.1-2.9):

* horizontal tabs count as blanks, every other control character is dropped, `#` starts a comment;
* a line that is then empty gets no answer;
* an answer is `=ID TEXT` or `?ID TEXT` and ends with one empty line, so TEXT may have many lines but no empty one.

A streamed answer (`lz-analyze` and its kin, as Leela Zero and KataGo write it) begins with `=ID` alone on a line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

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


def format_stream_head(number: str) -> str:
    """The first line of a streamed answer."""
    return f"={number}\n"


def one_line(text: str) -> str:
    """A line of a streamed answer, without what would end or break it."""
    return _CONTROL.sub("", text).rstrip() or " "
