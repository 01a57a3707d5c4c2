"""The commands that read and write game records: `loadsgf`, `printsgf`.

The rest of the line is the path, blanks and all. What a record does not say (komi, rules) stays as it was, and the
answer tells what the game now has.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from move37.errors import GtpError, Move37Error, SgfError
from move37.files import read_bytes
from move37.games.input_files import LARGEST_RECORD
from move37.gtp.protocol import TextHandler
from move37.gtp.table import Table
from move37.rules.position import Position
from move37.sgf.files import read_sgf, write_sgf
from move37.sgf.game_info import INFO_NAMES
from move37.sgf.game_record import GameRecord
from move37.sgf.lines import counted

_MOST_WARNINGS: Final = 5


class RecordCommands:
    """A record that cannot be loaded leaves the game as it was."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def text_handlers(self) -> dict[str, TextHandler]:
        """The commands by name."""
        return {"loadsgf": self._load, "printsgf": self._print}

    def _load(self, text: str) -> str:
        """`loadsgf FILE [N]`: go to the end of the main line, or before move N; answers as GNU Go who is to move."""
        path, before = _path_and_move(text)
        record, position = self._read(path, before)
        self._table.require_size(position.rows, position.cols)
        self._table.begin(position, _info(record))
        return "\n".join([position.to_play.word, _summary(record, position), *_warnings(record)])

    def _read(self, path: str, before: int | None) -> tuple[GameRecord, Position]:
        now, data = self._table.position, _bytes(path)
        try:
            record = read_sgf(data)
            rules = now.rules if record.rules is None else record.rules
            komi = now.komi if record.komi is None else record.komi
            position = record.position(rules=rules, komi=komi)
            if before is not None and before - 1 < position.move_number:
                position = record.position(before - 1, rules=rules, komi=komi)
        except Move37Error as error:
            raise GtpError(f"cannot open or parse {path!r}: {_reason(error, path)}") from error
        return record, position

    def _print(self, text: str) -> str:
        """`printsgf [FILE]`: the game so far as SGF, answered or written, with the names of a record loaded before."""
        record = _recorded(self._table)
        if not text:
            return record.to_sgf()
        if _is_there(text) and Path(text).is_fifo():
            raise GtpError(f"cannot write {text!r}: it is a pipe, which may never be read")
        try:
            write_sgf(record, text)
        except SgfError as error:
            raise GtpError(f"cannot write {text!r}: {_reason(error, text).removesuffix('.')}") from error
        return ""


def _info(record: GameRecord) -> dict[str, str]:
    """What a record says of its game besides the moves; not its result, since play may go on."""
    told = {name: getattr(record, name) for name in INFO_NAMES if name != "comment"}
    return {name: text for name, text in told.items() if text}


def _recorded(table: Table) -> GameRecord:
    """The record of the game, if it is over with the result that `final_score` tells."""
    position = table.position
    if not position.is_over:
        return GameRecord.from_position(position, **table.info)
    dead = () if position.is_no_result else table.dead()
    return GameRecord.from_position(position, **table.info, result=position.result(dead).text)


def _bytes(path: str) -> bytes:
    """The bytes of a file; a pipe, which may never answer, and what is too large for a record are refused."""
    try:
        return read_bytes(path, LARGEST_RECORD)
    except OSError as error:
        raise GtpError(f"cannot open or parse {path!r}: {error.strerror or error}.") from error


def _is_there(path: str) -> bool:
    try:
        return Path(path).exists()
    except OSError:  # a name too long for the system, say
        return False


def _path_and_move(text: str) -> tuple[str, int | None]:
    """The path, and the number after it if the whole is no file."""
    if not text:
        raise GtpError("missing filename")
    path, _, number = text.rpartition(" ")
    if not path or not (number.isascii() and number.isdigit()) or _is_there(text):
        return text, None
    if not 1 <= len(number) <= 9 or int(number) < 1:
        raise GtpError("move number not a positive integer")
    return path.strip(), int(number)


def _reason(error: Move37Error, path: str) -> str:
    """What is wrong, without what the answer says already."""
    said = str(error).removeprefix(f"{path}: ").removeprefix(f"{path} ")
    return said.removeprefix("cannot be opened: ").removeprefix("cannot be written: ")


def _summary(record: GameRecord, position: Position) -> str:
    """What was adopted from the record, and what it does not say."""
    komi = f"komi {position.komi:g}{'' if record.komi is not None else ' (not in the file)'}"
    rules = f"{position.rules.name} rules{'' if record.rules is not None else ' (not in the file)'}"
    size = f"{position.cols}x{position.rows}" if position.rows == position.cols else _columns_and_rows(position)
    return f"{size}, {komi}, {rules}, {counted(position.move_number, 'move')}"


def _columns_and_rows(position: Position) -> str:
    """The sides in the order in which `rectangular_boardsize` takes them."""
    return f"{counted(position.cols, 'column')} x {counted(position.rows, 'row')}"


def _warnings(record: GameRecord) -> list[str]:
    told = [str(warning) for warning in record.warnings]
    more = len(told) - _MOST_WARNINGS
    return told[:_MOST_WARNINGS] + ([f"and {more} more warnings"] if more > 0 else [])
