"""The files of a review run: which records are read, how the reports are named, and writing them.

A report is written whole or not at all, and one that is there is left unless it may be overwritten: so a run that was
interrupted goes on where it stopped. Searching is `review`'s matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Final

from move37.analysis.review_html import review_html
from move37.analysis.review_json import review_json
from move37.analysis.review_model import Review
from move37.analysis.review_sgf import annotate
from move37.errors import GamesFileError, SgfError
from move37.files import write_text
from move37.games.input_files import InputFile, InputFiles
from move37.sgf.files import read_collection
from move37.sgf.game_record import GameRecord

__all__ = ["FORMATS", "Inputs", "Outputs", "Source", "formats_of"]

FORMATS: Final = ("html", "json", "sgf")
"""What can be written, in the order in which it is: the record itself is changed for the last."""

_ENDING: Final = ".review"


def formats_of(**chosen: bool) -> tuple[str, ...]:
    """The formats that are chosen by name; all if none is."""
    return tuple(one for one in FORMATS if chosen.get(one)) or FORMATS


@dataclass(frozen=True)
class Source:
    """A file to review: its name for people, the name of its reports (a relative path without ending), its content."""

    name: str
    stem: str
    file: InputFile

    def records(self) -> list[GameRecord]:
        """Its games; `SgfError` or OSError if it cannot be read."""
        if self.file.refusal:
            raise SgfError(f"{self.name}: {self.file.refusal}")
        try:
            return read_collection(self.file.read())
        except SgfError as error:
            raise SgfError(f"{self.name}: {error}") from error

    def stems(self, games: int) -> list[str]:
        """The names of the reports of its games: numbered if there are several."""
        return [self.stem] if games == 1 else [f"{self.stem}-{number + 1}" for number in range(games)]


class Inputs:
    """The files that some paths stand for: records, folders with all records below them, archives.

    Reports of reviews are left out of folders. `missing`: what is wrong with paths that stand for nothing.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        self.missing: list[str] = []
        self._found: list[tuple[Path, InputFiles]] = []
        for path in paths:
            try:
                self._found.append((path, InputFiles([path])))
            except GamesFileError as error:
                self.missing.append(f"{path}: {str(error).removeprefix(f'{path}: ')}")
        self.count = sum(found.count for _, found in self._found)
        """How many files there are; reports in folders and members of tar archives are not known beforehand."""

    def __iter__(self) -> Iterator[Source]:
        for path, found in self._found:
            for file in found:
                if not (path.is_dir() and PurePosixPath(file.name).name.endswith(f"{_ENDING}.sgf")):
                    yield Source(file.name, _stem(path, file), file)


def _stem(path: Path, file: InputFile) -> str:
    """The relative path of a file's reports: its place below a folder or archive, or its name alone.

    Nothing that a member of an archive is called leads out of the reports' folder.
    """
    inside = file.name != str(path)
    below = PurePosixPath(file.name.removeprefix(str(path)) if inside else path.name)
    parts = [part for part in below.parts if part not in ("/", "..", ".")]
    name = PurePosixPath(*parts) if parts else PurePosixPath("game")
    return str(name.with_suffix("")) if name.suffix.lower() == ".sgf" else str(name)


@dataclass
class Outputs:
    """Where reports go: into `folder`, in some of `FORMATS`; `force` overwrites what is there."""

    folder: Path
    formats: tuple[str, ...] = FORMATS
    force: bool = False
    _taken: dict[str, str] = field(default_factory=dict[str, str])

    def path(self, stem: str, ending: str) -> Path:
        """The report of a game in a format."""
        return self.folder / f"{stem}{_ENDING}.{ending}"

    def claim(self, stem: str, name: str) -> None:
        """Keep a name for the reports of the file `name`; GamesFileError if another file of this run has it."""
        other = self._taken.setdefault(stem, name)
        if other != name:
            raise GamesFileError(f"{name}: its reports would have the names of those of {other}: give it another --out")

    def wanted(self, stem: str) -> list[str]:
        """The formats that are still to be written."""
        return [one for one in self.formats if self.force or not self.path(stem, one).exists()]

    def write(self, stem: str, record: GameRecord, review: Review, formats: Iterable[str]) -> None:
        """Write reports; the record is annotated if it is one of them. OSError as the system does."""
        chosen = set(formats)
        if "html" in chosen:
            write_text(self.path(stem, "html"), review_html(record, review))
        if "json" in chosen:
            write_text(self.path(stem, "json"), review_json(record, review))
        if "sgf" in chosen:
            annotate(record, review)
            write_text(self.path(stem, "sgf"), record.to_sgf())
