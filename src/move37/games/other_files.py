"""What a file seems to be that was given as a store of games and is none, to say so instead of what Parquet misses.

A guess from the first bytes, for a sentence. Nothing is read to the end, and what may be a damaged store has no name
here.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

_HEAD: Final = 4096
_REPORT: Final = "(it seems to be the report of an import); give the store that the import wrote"
_RECORD: Final = "(it seems to be a game record); make a store with move37 games import"
_ARCHIVE: Final = "(it seems to be an archive); make a store of its game records with move37 games import"
_TEXT: Final = "(it seems to be a text file); give a Parquet file of games"
_ARCHIVES: Final = (b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ")


def what_it_seems(path: Path) -> str:
    """What the file seems to be and what to do, in words; nothing where it is not plain."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return ""
    if not head:
        return "(it is empty); give a file of games"
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith((b'{"file":', b"file,game,status,")):
        return _REPORT
    if head.startswith(_ARCHIVES):
        return _ARCHIVE
    if _is_record(text):
        return _RECORD
    return _TEXT if _is_text(text) else ""


def _is_record(head: bytes) -> bool:
    from move37.sgf import gib, ngf

    return head.startswith((b"(;", b"( ;")) or gib.recognizes(head) or ngf.recognizes(head)


def _is_text(head: bytes) -> bool:
    """Printable text, which no damaged store is."""
    try:
        text = head.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return not text.startswith("PAR1") and all(sign.isprintable() or sign in "\t\r\n" for sign in text)
