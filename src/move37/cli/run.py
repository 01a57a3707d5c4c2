"""The entry point: runs a command and turns every way to fail into one sentence and an exit code.

0 done, 1 the result is not what was asked for, 2 a person's mistake (options, files, rules), 130 interrupted.
"""

from __future__ import annotations

import io
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

from move37.cli.plain_text import one_line
from move37.errors import Move37Error

USAGE_ERROR = 2
INTERRUPTED = 130
_EXTRAS = {"torch": "gpu", "pyarrow": "games", "tensorboard": "train", "onnx": "onnx", "resvg_py": "pictures"}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line `arguments` (default: the process's) and exit."""
    try:
        code = run(arguments)
    except KeyboardInterrupt:  # while the commands themselves are being loaded
        code = INTERRUPTED
    sys.exit(code)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line `arguments` (default: the process's) and return the exit code."""
    import typer

    from move37.cli.app import app

    _mend_streams()
    with warnings.catch_warnings():
        warnings.showwarning = _show_warning
        try:
            command: Any = typer.main.get_command(app)
            words = None if arguments is None else list(arguments)
            result = command.main(args=words, prog_name="move37", standalone_mode=False)
        except (KeyboardInterrupt, typer.Abort):
            return INTERRUPTED
        except BrokenPipeError:
            # The reader of stdout is gone; Python's own flush at exit would complain about it once more.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 1
        except Exception as error:
            sentence = _sentence(error)
            if sentence is None:
                raise
            print(f"move37: {sentence}", file=sys.stderr)
            return USAGE_ERROR
    return result if isinstance(result, int) else 0


def _mend_streams() -> None:
    """Put the null device where a standard stream is closed, and let stdout escape what it cannot encode."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  # for good
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")


def _sentence(error: Exception) -> str | None:
    """What to tell a person about `error`; None for a defect of this package."""
    # typer carries its own click now and used the real one before: their usage errors share a method, not a class.
    word = getattr(error, "format_message", None)
    if callable(word):
        said = cast(Callable[[], str], word)().replace("Value error, ", "")  # so pydantic begins, which typer may use
        where = getattr(getattr(error, "ctx", None), "command_path", "move37")
        return f"{one_line(said)} (see {where} --help)"
    if isinstance(error, Move37Error):
        return one_line(str(error))
    if isinstance(error, ModuleNotFoundError) and error.name in _EXTRAS:
        extra = f"move37[{_EXTRAS[error.name]}]"
        return f"this needs {error.name}, which is not installed; install it with: pip install '{extra}'"
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return one_line(f"{where}{error.strerror or error}")
    if isinstance(error, MemoryError):
        return "there is not enough memory for this: use a smaller network, batch or board"
    return None


def _show_warning(message: Warning | str, *details: object, **more: object) -> None:
    print(f"move37: {one_line(str(message))}", file=sys.stderr)
