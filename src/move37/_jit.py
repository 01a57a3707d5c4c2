"""The one door to Numba: how every kernel of this package is compiled and cached.

A *kernel* is a function on plain arrays and records in a file named ``*_kernels.py``. This module contains no kernel;
beside it only `_vector_kernels`, which gives kernels a vector type, imports numba. Numba's disk cache does not notice
that a callee in another file has changed, so the cache folder is named by a digest of all kernel files together: any
edit starts a fresh folder. Kernels run without the interpreter's lock and without Numba's own threads; who wants both
cores calls them from two threads.

Numba frees an array after its last use, and the use of a record of it (``work[0]``), or of what lies in that record, is
none: a kernel that makes room for a record gives the whole array to another, which takes the record (`life_kernels`).

``NUMBA_DISABLE_JIT=1`` runs every kernel as ordinary (slow) Python, for coverage and for debuggers.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import numba
from numba.core import event

P = ParamSpec("P")
R = TypeVar("R")

# Numba types only a part of itself; the rest is used through these two.
_numba: Any = numba
_events: Any = event

CACHE_VARIABLE = "MOVE37_CACHE_DIR"


def kernel_digest(package: Path) -> str:
    """Hex digest (16 characters) of every ``*_kernels.py`` below ``package`` and of the Numba version."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted(package.rglob("*_kernels.py")):
        digest.update(path.relative_to(package).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Where compiled kernels of this version lie: ``MOVE37_CACHE_DIR``, else the user's cache folder."""
    chosen = os.environ.get(CACHE_VARIABLE) or os.environ.get("XDG_CACHE_HOME")
    base = Path(chosen) if chosen else Path.home() / ".cache"
    return base / "move37" / f"kernels-{kernel_digest(Path(__file__).parent)}"


def _use_cache_folder() -> None:
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        folder = Path(tempfile.gettempdir()) / f"move37-{folder.name}"
    _numba.config.CACHE_DIR = str(folder)


class _FirstCompilation(event.Listener):
    """Says once, on stderr, why the first start of a version takes longer."""

    told = False

    def on_start(self, event: Any) -> None:
        if not self.told:
            self.told = True
            what = "compiling what this needs, once per version (move37 warmup compiles all, in two or three minutes)"
            print(f"move37: {what}…", file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:
        """Nothing to say: the next kernels follow at once."""


_use_cache_folder()
_events.register("numba:compile", _FirstCompilation())


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile ``function`` on first use (``nogil``, disk-cached), keeping its Python signature for type checkers."""
    compiled: Callable[P, R] = _numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    return compiled


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """A `kernel` that is written into each of its callers: for the few lines of an inner loop, where a call costs."""
    compiled: Callable[P, R] = _numba.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)(function)
    return compiled
