"""Files that are written whole or not at all, and read only where they have an end.

`replacing` writes to a temporary name beside the target and renames; it does not lock. `read_bytes` is for files that a
person names, which may be pipes and devices. Neither knows a format.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["read_bytes", "replacing", "write_text"]


@contextmanager
def replacing(path: Path | str) -> Generator[Path]:
    """Yield a temporary path in the folder of `path`; rename it to `path` when the block ends without an error.

    The block must create the file. The folder is made if it is missing. When the block fails (a full disk, say) the
    temporary file is removed and what stood at `path` stays as it was. A link is followed; a device or pipe, which
    cannot be replaced, is yielded itself. Raises OSError as the system does.
    """
    target = Path(path)
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if target.exists() and not target.is_file():
        yield target
        return
    target = _resolved(target)
    if target.parent.exists() and not target.parent.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(target.parent))
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        with temporary.open("rb") as written:
            os.fsync(written.fileno())
        temporary.replace(target)
    except OSError as error:
        error.filename = str(path) if error.filename == str(temporary) else error.filename
        raise
    finally:
        temporary.unlink(missing_ok=True)


def write_text(path: Path | str, text: str) -> None:
    """Write `text` to `path` as UTF-8, whole or not at all; raises OSError."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def read_bytes(path: Path | str, most: int) -> bytes:
    """The bytes of a file that has at most `most` of them.

    Raises OSError as the system does, and also for a larger file and for what may have no end or never answer: a pipe,
    a device.
    """
    mode = _mode(path)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "It is a pipe or a device, not a file", str(path))
    with Path(path).open("rb") as file:
        data = file.read(most + 1)
        if len(data) > most:
            size = max(len(data), os.fstat(file.fileno()).st_size)
            raise OSError(errno.EFBIG, f"It has {size:,} bytes, and no more than {most:,} are read", str(path))
    return data


def _mode(path: Path | str) -> int:
    try:
        return Path(path).stat().st_mode
    except ValueError as error:  # a NUL in the name
        raise OSError(errno.EINVAL, "Its name holds a NUL", str(path)) from error


def _resolved(path: Path) -> Path:
    """The path without links; OSError where they lead in a circle."""
    try:
        return path.resolve()
    except RuntimeError as error:  # Python's word for it before 3.13
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from error
