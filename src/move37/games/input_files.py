"""The game records to read: single files, folders with all below them, and archives (zip, tar), one after another.

Bytes of plain files are left to the reader; members of archives are read here, within limits that a damaged or
malicious archive cannot pass. An archive inside an archive is named and not opened. Whether the bytes are a game record
is not looked at.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, cast

from move37.errors import GamesFileError
from move37.files import read_bytes

LARGEST_RECORD = 16 * 2**20
"""Bytes of the largest file that is still read; the longest known records have a few hundred thousand."""
_MOST_EXPANSION = 100
_ALWAYS_ALLOWED = 64 * 2**20
"""An archive may hold this many bytes, and beyond them 100 times its own size: records shrink 3 to 20 times."""

_BOMB = (
    f"the archive unpacks to more than {_MOST_EXPANSION} times its size; unpack it yourself if it is what it should be"
)

_NOTHING_INSIDE = "the archive holds no .sgf, .gib or .ngf files"
_ONLY_IF_ASKED = " (files with other endings are taken from folders and archives only with --every-file)"

_ZIP_FAULTS = (zipfile.BadZipFile, OSError, NotImplementedError, ValueError, EOFError, zlib.error)
_TAR_FAULTS = (tarfile.TarError, OSError, ValueError, EOFError, zlib.error, lzma.LZMAError)

RECORD_SUFFIXES = frozenset({".sgf", ".gib", ".ngf"})
ARCHIVE_SUFFIXES = frozenset({".zip", ".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz"})


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file to read: its name for people and the label of its source; its bytes if it lay in an archive.

    `refusal` says why it cannot be read, if that is already known, and `kind` in a few words what it is then.
    """

    name: str
    source: str
    data: bytes | None = None
    refusal: str = ""
    kind: str = "unreadable file"

    def read(self) -> bytes:
        """The bytes; OSError as of `files.read_bytes`: for a file too large for a record too, and for pipes."""
        if self.data is not None:
            return self.data
        return read_bytes(self.name, LARGEST_RECORD)


class InputFiles:
    """All files that some paths stand for, in a fixed order (that of the paths, by name inside folders).

    Folders give the files with a suffix of game records or archives, or `every_file`; a path that is named itself is
    taken whatever its suffix. None: as False, for a caller that cannot be told otherwise. `GamesFileError` if a path
    does not exist or no file is found at all.
    """

    def __init__(self, paths: Iterable[str | Path], every_file: bool | None = None) -> None:
        self._every_file = bool(every_file)
        self._advice = "" if every_file is None else _ONLY_IF_ASKED
        self._found = [entry for path in paths for entry in self._look(Path(path))]
        if not self._found:
            raise GamesFileError(
                "no game records were found: name files, folders or archives with .sgf, .gib or .ngf files"
                + self._advice
            )
        self.count = sum(self._members(path) if kind == "zip" else 1 for path, kind, _ in self._found)
        """How many files there are; the members of tar archives are not counted beforehand, each archive is one."""

    def __iter__(self) -> Iterator[InputFile]:
        for path, kind, source in self._found:
            if kind == "record":
                yield InputFile(str(path), source)
            elif kind == "folder":
                yield InputFile(str(path), source, refusal="the folder cannot be read", kind="unreadable folder")
            else:
                members = self._zip_members if kind == "zip" else self._tar_members
                yield from _or_else(
                    members(path, source), InputFile(str(path), source, refusal=_NOTHING_INSIDE + self._advice)
                )

    def hold(self, path: Path) -> bool:
        """Whether a file is one of those that are read."""
        return path.exists() and any(file.exists() and file.samefile(path) for file, _, _ in self._found)

    def _look(self, path: Path) -> Iterator[tuple[Path, str, str]]:
        """(file, what it is, label of its source) for each file that `path` stands for."""
        if path.is_dir():
            label = path.resolve().name
            unreadable: list[OSError] = []
            for file in _files_below(path, unreadable):
                suffix = _suffix(file.name)
                if suffix in RECORD_SUFFIXES:  # tens of thousands of these are not opened twice
                    yield file, "record", label
                elif self._every_file or suffix in ARCHIVE_SUFFIXES:
                    yield file, _kind(file), label
            yield from ((Path(error.filename), "folder", label) for error in unreadable)
        elif path.exists():
            kind = _kind(path)
            yield path, kind, path.resolve().parent.name if kind == "record" else path.name.partition(".")[0]
        else:
            raise GamesFileError(f"{path}: there is no such file or folder")

    def _wanted(self, name: str) -> bool:
        return self._every_file or _suffix(name) in RECORD_SUFFIXES

    def _takes(self, name: str) -> bool:
        """Whether a member of an archive is read or, being an archive itself, told."""
        return self._wanted(name) or _is_archive(name)

    def _members(self, path: Path) -> int:
        try:
            with zipfile.ZipFile(path) as archive:
                return max(1, sum(self._takes(one.filename) for one in archive.infolist() if not one.is_dir()))
        except _ZIP_FAULTS:
            return 1

    def _zip_members(self, path: Path, source: str) -> Iterator[InputFile]:
        try:
            with zipfile.ZipFile(path) as archive:
                left = _budget(path)
                for member in archive.infolist():
                    name = f"{path}/{member.filename}"
                    if member.is_dir() or not self._takes(member.filename):
                        continue
                    if _is_archive(member.filename):
                        yield _inner_archive(name, source)
                        continue
                    left -= member.file_size if member.file_size <= LARGEST_RECORD else 0  # those are not unpacked
                    if left < 0:
                        yield InputFile(str(path), source, refusal=_BOMB)
                        return
                    yield _zip_member(archive, member, name, source)
        except _ZIP_FAULTS as error:
            yield InputFile(str(path), source, refusal=f"the zip archive is damaged ({_words(error)})")

    def _tar_members(self, path: Path, source: str) -> Iterator[InputFile]:
        try:
            # Streamed, so that nothing a header says (a name of 10 GB, say) is believed beyond the budget.
            limit = _budget(path)
            with _unpacked(path) as stream, tarfile.open(fileobj=_limited(stream, limit), mode="r|") as archive:
                for member in archive:
                    if member.isfile() and _is_archive(member.name):
                        yield _inner_archive(f"{path}/{member.name}", source)
                    elif (member.isfile() or member.islnk()) and self._wanted(member.name):
                        yield _tar_member(archive, member, f"{path}/{member.name}", source)
        except _TooMuchError:
            yield InputFile(str(path), source, refusal=_BOMB)
        except _TAR_FAULTS as error:
            yield InputFile(str(path), source, refusal=f"the tar archive is damaged ({_words(error)})")


class _TooMuchError(Exception):
    """An archive holds more than its budget."""


class _Limited:
    """A stream that raises `_TooMuchError` once more than a budget of bytes was read."""

    def __init__(self, stream: IO[bytes], budget: int) -> None:
        self._stream = stream
        self._left = budget

    def read(self, size: int) -> bytes:
        """The next bytes, at most `size`."""
        data = self._stream.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise _TooMuchError
        return data


def _limited(stream: IO[bytes], budget: int) -> IO[bytes]:
    # A tar archive that is streamed is only read; typeshed asks for a whole file.
    return cast(IO[bytes], _Limited(stream, budget))


def _unpacked(path: Path) -> IO[bytes]:
    """A tar archive without its compression, which its first bytes tell."""
    with path.open("rb") as file:
        head = file.read(6)
    if head.startswith(b"\x1f\x8b"):
        return cast(IO[bytes], gzip.open(path))
    if head.startswith(b"BZh"):
        return bz2.open(path)
    return lzma.open(path) if head == b"\xfd7zXZ\0" else path.open("rb")


def _budget(path: Path) -> int:
    return _ALWAYS_ALLOWED + _MOST_EXPANSION * path.stat().st_size


def _zip_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str, source: str) -> InputFile:
    """Read one member; zipfile gives no more bytes than its header tells, so that size may be relied on."""
    if member.file_size > LARGEST_RECORD:
        return InputFile(name, source, refusal=_too_large(member.file_size))
    try:
        return InputFile(name, source, archive.read(member))
    except (*_ZIP_FAULTS, RuntimeError) as error:  # RuntimeError: a password is asked
        return InputFile(name, source, refusal=f"it cannot be unpacked ({_words(error)})")


def _tar_member(archive: tarfile.TarFile, member: tarfile.TarInfo, name: str, source: str) -> InputFile:
    if member.size > LARGEST_RECORD:
        return InputFile(name, source, refusal=_too_large(member.size))
    if member.islnk():  # what it is a link to went by already: a streamed archive is read once
        return InputFile(name, source, refusal=f"it is a link to {member.linkname[:80]} in the same archive")
    content = archive.extractfile(member)
    return InputFile(name, source, content.read() if content else b"")


def _inner_archive(name: str, source: str) -> InputFile:
    refusal = "it is an archive inside an archive; unpack the outer one and import what is in it"
    return InputFile(name, source, refusal=refusal, kind="archive inside an archive")


def _is_archive(name: str) -> bool:
    return _suffix(name) in ARCHIVE_SUFFIXES


def _or_else(files: Iterator[InputFile], other: InputFile) -> Iterator[InputFile]:
    """The files, or the other one if there are none."""
    first = next(files, other)
    yield first
    yield from files


def _files_below(folder: Path, unreadable: list[OSError]) -> Iterator[Path]:
    """The files of a folder and of those below it, by name; links to folders are not followed.

    Folders that cannot be read are added to `unreadable`.
    """
    for where, folders, files in os.walk(folder, onerror=unreadable.append):
        folders.sort()
        yield from (Path(where) / name for name in sorted(files))


def _kind(path: Path) -> str:
    """Whether a file is a zip, a tar or (until it is read) a record, by its ending and its first bytes."""
    suffix = _suffix(path.name)
    try:
        if not path.is_file():  # a pipe would be waited for
            return "record"
        with path.open("rb") as file:
            head = file.read(264)
    except OSError:
        head = b""
    if suffix == ".zip" or head.startswith(b"PK\x03\x04"):
        return "zip"
    return "tar" if suffix in ARCHIVE_SUFFIXES or head[257:262] == b"ustar" else "record"


def _suffix(name: str) -> str:
    suffixes = PurePosixPath(name.lower()).suffixes
    return "".join(suffixes[-2:]) if suffixes[-2:-1] == [".tar"] else "".join(suffixes[-1:])


def _too_large(size: int) -> str:
    return f"it has {size:,} bytes, more than any game record ({LARGEST_RECORD // 2**20} MiB)"


def _words(error: Exception) -> str:
    return " ".join(str(error).split())[:120] or type(error).__name__
