"""Records from files and to files.

Which format a file has is told by its content (`formats`); what is written is always SGF, whole or not at all.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from move37 import files
from move37.errors import SgfError
from move37.sgf.formats import parse_record
from move37.sgf.game_record import GameRecord
from move37.sgf.write import to_sgf

if TYPE_CHECKING:
    from move37.rules.position import Position

Source = str | Path | bytes | IO[bytes]
"""A path, the bytes of a file, or a file open for reading bytes."""

LARGEST_FILE: Final = 64 * 2**20
"""Bytes of the largest file that is read; reading takes up to 100 times their memory, 0.6 kB a node."""
_LONGEST_PATH: Final = 4096
_SHOWN: Final = 40


def read_sgf(source: Source, *, game: int = 0, encoding: str | None = None) -> GameRecord:
    """Read a game of a file: a path, bytes, or an open binary file; SGF, GIB or NGF, told by content.

    ``game`` counts from 0; ``encoding`` overrules what the file says. Raises `SgfError` in one sentence that names the
    file; faults that can be mended are in ``warnings``. A file has at most 64 MiB, and is no pipe or device.
    """
    records = read_collection(source, encoding=encoding)
    if not 0 <= game < len(records):
        raise SgfError(f"{_name(source)}there is no game {game}: the games are 0 to {len(records) - 1}.")
    return records[game]


def read_collection(source: Source, *, encoding: str | None = None) -> list[GameRecord]:
    """Read all games of a file; as `read_sgf`."""
    data = _bytes(source)
    try:
        return GameRecord.from_collection(parse_record(data, encoding))
    except SgfError as error:
        raise SgfError(f"{_name(source)}{error}") from error


def _bytes(source: Source) -> bytes:
    try:
        if isinstance(source, (str, Path)):
            return files.read_bytes(source, LARGEST_FILE)
        return _checked(source if isinstance(source, bytes) else source.read(LARGEST_FILE + 1))
    except (OSError, ValueError) as error:  # ValueError: a path that no file can have
        if isinstance(source, str) and _is_text(source):
            text = source[:_SHOWN]
            raise SgfError(f"There is no file {text!r}: a text in SGF is read by GameRecord.from_text.") from error
        what = _shown(source) if isinstance(source, (str, Path)) else "The file"
        raise SgfError(f"{what} cannot be opened: {_reason(error)}.") from error


def _checked(data: object) -> bytes:
    """What is no bytes or too many of them is refused."""
    if not isinstance(data, bytes):
        raise SgfError("The file cannot be read: it gives no bytes; open it with mode 'rb'.")
    if len(data) > LARGEST_FILE:
        raise SgfError(f"The file cannot be read: it has more than {LARGEST_FILE:,} bytes, and no record is so long.")
    return data


def _is_text(source: str) -> bool:
    """Whether what should be a path looks like SGF itself."""
    return source.lstrip().startswith("(") or "\n;" in source


def _name(source: Source) -> str:
    return f"{_shown(source)}: " if isinstance(source, (str, Path)) else ""


def _shown(path: Path | str) -> str:
    """A path for a message: quoted if it has signs that no message should have, and cut if it is no path at all."""
    text = str(path)
    return text if text.isprintable() and len(text) <= _LONGEST_PATH else f"{text[:_SHOWN]!r}"


def _reason(error: OSError | ValueError) -> str:
    """Why the system refused, without the path."""
    if isinstance(error, UnicodeEncodeError):
        return "it has characters that UTF-8 cannot hold"
    return (isinstance(error, OSError) and error.strerror) or str(error)


def _record(what: object) -> GameRecord:
    from move37.rules.position import Position

    if isinstance(what, GameRecord):
        return what
    if isinstance(what, Position):
        return GameRecord.from_position(what)
    raise TypeError(f"a GameRecord or a Position can be written, not {what!r:.60}")


def write_sgf(what: GameRecord | Position | Iterable[GameRecord | Position], path: Path | str) -> None:
    """Write a record, a position with its game, or several of them, to a file; it is whole or untouched.

    Raises `SgfError` in one sentence that names the file where the system refuses it.
    """
    records = [_record(one) for one in (what if isinstance(what, Iterable) else [what])]
    text = to_sgf(record.root.tree for record in records)
    try:
        files.write_text(path, text)
    except (OSError, ValueError) as error:
        raise SgfError(f"{_shown(path)} cannot be written: {_reason(error)}.") from error
