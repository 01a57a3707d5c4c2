"""What a run writes down while it trains: `log.jsonl`, TensorBoard events, and lines with a progress bar on stderr."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from move37.errors import CheckpointError
from move37.files import write_text
from move37.training.event_file import EventFile


class RunLog:
    """A context manager over the log of the run in `run`; lines of steps after `step` are dropped first (resume)."""

    def __init__(self, run: Path, step: int, steps: int, *, quiet: bool = False) -> None:
        self.path = run / "log.jsonl"
        _drop_after(self.path, step)
        self._events = EventFile(run / "tensorboard", step)
        self._console = Console(stderr=True, quiet=quiet)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._bar = Progress(*columns, TimeRemainingColumn(), console=self._console)
        self._task = self._bar.add_task("training", total=steps, completed=step)

    def __enter__(self) -> RunLog:
        if self._console.is_terminal:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def advance(self, done: float, steps: int) -> None:
        """Move the bar to the fraction `done`; with a time limit the bar follows the clock, not the steps."""
        self._bar.update(self._task, completed=done * steps)

    def write(self, kind: str, step: int, figures: Mapping[str, float]) -> None:
        """One line of figures of a kind (`train`, `held_out`) at a step."""
        line: dict[str, Any] = {"kind": kind, "step": step, **figures}
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
            self._events.write(step, {f"{kind}/{name}": value for name, value in figures.items()})
        except OSError as error:
            reason = error.strerror or error
            raise CheckpointError(f"cannot write the log {self.path} ({reason}); make room and resume") from error
        self._console.print(
            f"{kind} step {step}  " + "  ".join(f"{k} {v:.4g}" for k, v in figures.items()), soft_wrap=True
        )


def read(run: Path) -> list[dict[str, Any]]:
    """All lines of the run's log, oldest first; a damaged line (one cut short by a kill, say) is left out."""
    path = run / "log.jsonl"
    if not path.is_file():
        return []
    lines = (_parse(line) for line in path.read_text(encoding="utf-8", errors="replace").splitlines())
    return [line for line in lines if line is not None]


def _parse(line: str) -> dict[str, Any] | None:
    try:
        parsed: dict[str, Any] = json.loads(line)
        return parsed if isinstance(parsed["step"], int) else None
    except (ValueError, LookupError, TypeError):
        return None


def _drop_after(path: Path, step: int) -> None:
    kept = [line for line in read(path.parent) if line["step"] <= step]
    write_text(path, "".join(json.dumps(line) + "\n" for line in kept))
