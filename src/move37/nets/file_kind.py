"""Which program's network a file holds, told from its first bytes; and opening of files that may be gzipped.

Looks at a few kilobytes, whatever the file's size, and trusts the name only where the content says nothing. Reading a
network is the business of each format's own module.
"""

from __future__ import annotations

import errno
import gzip
import stat
import zlib
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO, cast

from move37.errors import NetworkFileError
from move37.nets import katago

EXPECTED = "a network of move37 (.safetensors), KataGo (.bin.gz, .txt.gz) or Leela Zero (.txt, .gz)"
OWN_SUFFIX = ".safetensors"
SUFFIXES = (OWN_SUFFIX, ".bin.gz", ".txt.gz", ".bin", ".txt", ".gz")
"""Endings of files of networks; a name is a file's name without them."""

_GZIP = b"\x1f\x8b"
_LOOK = 4096
_FOREIGN = (
    (b"PK\x03\x04", "a zip archive, such as PyTorch writes"),
    (b"\x80\x02", "a Python pickle, which is never opened"),
    (b"\x80\x03", "a Python pickle, which is never opened"),
    (b"\x80\x04", "a Python pickle, which is never opened"),
    (b"\x08", "a binary file, perhaps ONNX"),
    (b"(;", "a game record"),
    (b"<", "a page of HTML or XML"),
)


class FileKind(StrEnum):
    """Formats of networks that can be read."""

    MOVE37 = "move37"
    KATAGO = "KataGo"
    LEELA = "Leela Zero"


def kind_of(path: Path | str) -> FileKind:
    """The format of the file `path`; NetworkFileError in one sentence if it is none or cannot be read."""
    source = Path(path)
    head, is_gzip = _head(source)
    kind = _text_kind(head)
    if kind is None and not is_gzip and (source.suffix == OWN_SUFFIX or _starts_as_own(head)):
        kind = FileKind.MOVE37
    if kind is None:
        raise NetworkFileError(f"{source}: expected {EXPECTED}, found {_found(head)}.")
    return kind


def open_network(path: Path) -> BinaryIO:
    """The file `path` for reading, gunzipped where it is gzip; OSError as the system raises it.

    Reading damaged gzip raises OSError, EOFError or zlib.error: `damage` turns them into a sentence.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, "It is a pipe or a device, not a file", str(path))
    with path.open("rb") as file:
        is_gzip = file.read(len(_GZIP)) == _GZIP
    return cast(BinaryIO, gzip.open(path)) if is_gzip else path.open("rb")


def plain_name(path: Path) -> str:
    """The name of a file of a network, without its ending."""
    suffix = next((suffix for suffix in SUFFIXES if path.name.endswith(suffix) and path.name != suffix), "")
    return path.name.removesuffix(suffix)


DAMAGE = (OSError, EOFError, zlib.error)
"""What reading a file that may be gzip raises."""


def damage(path: Path, error: Exception) -> NetworkFileError:
    """What went wrong in the system or in gzip, as a sentence."""
    if isinstance(error, OSError) and error.strerror:
        return NetworkFileError(f"{path}: expected a network file, but it cannot be read ({error.strerror}).")
    return NetworkFileError(f"{path}: the gzip data is cut short or damaged ({error}); fetch the file again.")


def _head(path: Path) -> tuple[bytes, bool]:
    """The first bytes of the content, and whether it is gzipped."""
    try:
        if path.is_dir():
            raise NetworkFileError(f"{path}: expected a network file, but it cannot be read (Is a directory).")
        if path.exists() and not path.is_file():
            raise NetworkFileError(f"{path}: expected a network file, but it is a pipe or a device.")
        with path.open("rb") as file:
            raw = file.read(_LOOK)
        if not raw.startswith(_GZIP):
            return raw, False
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(raw, _LOOK), True
    except (OSError, ValueError, zlib.error) as error:
        raise damage(path, error) from error


def _text_kind(head: bytes) -> FileKind | None:
    """Leela Zero begins with a version and a line of many numbers, KataGo with a name and single numbers."""
    first, _, rest = head.partition(b"\n")
    if first.strip().isdigit() and len(rest.partition(b"\n")[0].split()) > 1:
        return FileKind.LEELA
    return FileKind.KATAGO if katago.looks_like(head) else None


def _starts_as_own(head: bytes) -> bool:
    """Whether the first eight bytes can be the length of a safetensors header."""
    return head[4:8] == bytes(4) and head[8:9] in (b"{", b"[")


def _found(head: bytes) -> str:
    if not head:
        return "an empty file"
    return next((words for magic, words in _FOREIGN if head.startswith(magic)), "something else")
