"""Files that are there whole or not at all.

`replacing` writes to a temporary name beside the target and renames; it does not lock, and knows no format.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["replacing", "write_text"]


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
    target = target.resolve()
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
