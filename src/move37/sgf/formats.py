"""Which format a game record is in, told by its content; file names are not looked at.

SGF is the format of this package; GIB and NGF come from Korean and Chinese servers and give the same trees.
"""

from __future__ import annotations

from move37.sgf import gib, grammar, ngf
from move37.sgf.grammar import Collection

__all__ = ["parse_record"]


def parse_record(data: bytes, encoding: str | None = None) -> Collection:
    """Read the games of a file of any known format; `SgfError` if there are none."""
    if not data[:64].lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"("):
        if gib.recognizes(data):
            return gib.parse(data, encoding)
        if ngf.recognizes(data):
            return ngf.parse(data, encoding)
    return grammar.parse(data, encoding)
