"""The columns of a Parquet store of games and their checked conversion to NumPy.

Knows names, Arrow types and the sentence to say when a file does not fit. Does not interpret the games.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from move37.errors import GamesFileError
from move37.files import replacing
from move37.games.other_files import what_it_seems
from move37.games.ranks import UNKNOWN_RANK, rank_number, rank_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

Table = Any
"""A `pyarrow.Table`; pyarrow ships no type information."""

KINDS = {
    "size": "integer",
    "komi": "number",
    "handicap": "integer",
    "setup_black": "list of integers",
    "setup_white": "list of integers",
    "result": "text",
    "winner": "integer",
    "black_rank": "text",
    "white_rank": "text",
    "year": "integer",
    "first_player": "integer",
    "moves": "list of integers",
}
"""Every column a store must have and its kind; further columns are allowed and ignored."""

OPTIONAL = {"marked_ply": "integer", "black_area": "list of integers", "white_area": "list of integers"}
"""Columns that a store may have."""

TEXTS = frozenset({"result", "rules", "source", "black_name", "white_name"})
"""The columns of texts that are written as they are, None as null; only the first must be there."""


@dataclass(frozen=True)
class Lists:
    """Lists of points, flat: list `i` is `values[offsets[i]:offsets[i + 1]]` (uint16[M], int64[G + 1])."""

    values: NDArray[np.uint16]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> NDArray[np.uint16]:
        return self.values[self.offsets[index] : self.offsets[index + 1]]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """int64[G]: how many points each list has."""
        return np.diff(self.offsets)

    def take(self, indices: NDArray[np.int64]) -> Lists:
        """The lists at `indices` (int64[K]), in that order."""
        lengths = self.lengths[indices]
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        shift = np.repeat(self.offsets[:-1][indices] - offsets[:-1], lengths)
        return Lists(self.values[np.arange(offsets[-1]) + shift], offsets)

    def appended(self, values: NDArray[np.uint16], counts: NDArray[np.int64]) -> Lists:
        """Each list `i` with the next `counts[i]` (int64[G]) of `values` at its end."""
        ends = np.repeat(self.offsets[1:], counts)
        offsets = self.offsets + np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return Lists(np.insert(self.values, ends, values), offsets)

    @staticmethod
    def nothing(count: int) -> Lists:
        """So many empty lists."""
        return Lists(np.empty(0, np.uint16), np.zeros(count + 1, np.int64))

    @staticmethod
    def join(parts: list[Lists]) -> Lists:
        """The lists of all parts, one after the other."""
        lengths = np.concatenate([part.lengths for part in parts])
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        return Lists(np.concatenate([part.values for part in parts]), offsets)


def arrow() -> Any:
    """The pyarrow package with its Parquet and compute parts, imported when a store is first opened."""
    import pyarrow

    for part in ("compute", "parquet"):
        importlib.import_module(f"pyarrow.{part}")
    return pyarrow


def read_table(path: Path, further: Mapping[str, str] | None = None) -> Table:
    """The needed columns of one Parquet file; `GamesFileError` if it is missing, broken or of another shape.

    `further`: columns and their kinds that must be there beside those of every store.
    """
    needed = KINDS | dict(further or {})
    pa = arrow()
    if not path.is_file():
        raise GamesFileError(f"there is no games file {path}; give the path of a Parquet file of games")
    try:
        with pa.parquet.ParquetFile(path) as file:
            names = list(file.schema_arrow.names)
            missing = [name for name in needed if name not in names]
            wanted = needed | {name: kind for name, kind in OPTIONAL.items() if name in names}
            repeated = [name for name in wanted if names.count(name) > 1]
            if missing:
                raise GamesFileError(
                    f"games file {path} lacks the column(s) {', '.join(missing)}; it is no store of games"
                    + (" of self-play" if further else "")
                )
            if repeated:
                raise GamesFileError(f"games file {path} has two columns {repeated[0]}; leave one out")
            table = file.read(columns=list(wanted))
            table.validate(full=True)
    except (pa.ArrowException, OSError, ValueError) as error:
        advice = what_it_seems(path) or f"({' '.join(str(error).split())[:200]}); fetch it again"
        raise GamesFileError(f"games file {path} cannot be read as Parquet {advice}") from error
    for name, kind in wanted.items():
        _check_kind(path, name, kind, table.schema.field(name).type)
    return table


def _check_kind(path: Path, name: str, kind: str, found: Any) -> None:
    types = arrow().types
    inner = found.value_type if types.is_list(found) or types.is_large_list(found) else None
    fits = {
        "integer": types.is_integer(found),
        "number": types.is_floating(found) or types.is_integer(found),
        "text": types.is_string(found) or types.is_large_string(found) or types.is_null(found),
        "list of integers": inner is not None and types.is_integer(inner),
    }[kind]
    if not fits:
        raise GamesFileError(f"games file {path}: column {name} should hold {kind} but holds {found}")


def numbers(table: Table, name: str, dtype: Any, missing: float) -> NDArray[Any]:
    """One numeric column as `dtype`[G], nulls replaced by `missing`, a column that is not there by nothing else.

    `GamesFileError` for a number too large for `dtype`.
    """
    if name not in table.column_names:
        return cast("NDArray[Any]", np.full(table.num_rows, missing, dtype=dtype))
    column = table.column(name)
    filled = arrow().compute.fill_null(column.cast("float64", safe=False), missing).to_numpy()
    limits = np.iinfo(dtype) if np.issubdtype(dtype, np.integer) else np.finfo(dtype)
    outside = np.flatnonzero((filled < limits.min) | (filled > limits.max))
    if len(outside):
        raise GamesFileError(f"game {outside[0]} has {name} {filled[outside[0]]:g}, which no game has")
    return np.asarray(filled, dtype=dtype)


def ranks(table: Table, name: str) -> NDArray[np.int16]:
    """One rank column on the scale of `move37.games.ranks` (int16[G])."""
    encoded = table.column(name).cast("string").combine_chunks().dictionary_encode()
    codes = np.array([rank_number(text) for text in encoded.dictionary.to_pylist()] + [UNKNOWN_RANK], dtype=np.int16)
    indices = encoded.indices.fill_null(len(codes) - 1)
    return codes[np.asarray(indices.to_numpy(zero_copy_only=False), dtype=np.intp)]


def texts(table: Table, name: str) -> NDArray[np.str_]:
    """One text column as fixed-width strings [G]; null is `?`."""
    return np.array([text if text is not None else "?" for text in table.column(name).to_pylist()], dtype=np.str_)


def lists(table: Table, name: str) -> Lists:
    """One column of lists of points; a null list is empty, and so are those of a column that is not there."""
    if name not in table.column_names:
        return Lists.nothing(table.num_rows)
    pa = arrow()
    column = table.column(name).combine_chunks()
    array = column if isinstance(column, pa.Array) else pa.concat_arrays(column.chunks)
    lengths = np.asarray(
        pa.compute.fill_null(pa.compute.list_value_length(array), 0).to_numpy(zero_copy_only=False), dtype=np.int64
    )
    nowhere = np.iinfo(np.uint16).max
    values = array.flatten().cast("int64", safe=False).fill_null(-1).to_numpy(zero_copy_only=False)
    values = np.where((values < 0) | (values > nowhere), nowhere, values).astype(np.uint16)
    return Lists(values, np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64))


def write_table(path: str | Path, values: Mapping[str, NDArray[Any] | Lists]) -> None:
    """Write columns by name as one Parquet file, whole or not at all; `GamesFileError` if it cannot be written.

    NaN komi, unknown ranks, year 0 and marks below 0 are written as nulls.
    """
    pa = arrow()
    try:
        table = pa.table({name: _to_arrow(name, column) for name, column in values.items()})
        with replacing(path) as temporary:
            pa.parquet.write_table(table, temporary, compression="zstd")
    except (OSError, pa.ArrowException) as error:
        raise GamesFileError(f"cannot write the games file {path} ({error}); nothing was changed") from error


def _to_arrow(name: str, column: NDArray[Any] | Lists) -> Any:
    pa = arrow()
    if isinstance(column, Lists):
        return pa.ListArray.from_arrays(pa.array(column.offsets, pa.int32()), pa.array(column.values, pa.uint16()))
    if name in ("black_rank", "white_rank"):
        texts = [None if rank == UNKNOWN_RANK else rank_text(rank) for rank in column.tolist()]
        return pa.array(texts, pa.string())
    if name in ("size", "handicap"):
        return pa.array(column, pa.int8())
    missing = {"komi": np.isnan, "year": np.logical_not, "marked_ply": np.signbit}.get(name)
    if missing is not None:
        return pa.array(column, mask=missing(column))
    return pa.array(column.tolist(), pa.string()) if name in TEXTS else pa.array(column)
