"""A GTP session as a controller has it: lines are sent one by one, answers are read as they come, nothing sleeps.

`plain_evaluator` makes players whose every number is the same on every machine.
"""

from __future__ import annotations

import io
import queue
import threading
from collections.abc import Generator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.gtp.engine import Engine
from move37.gtp.input import LineReader
from move37.players.presets import katago, zero
from move37.players.search_player import SearchPlayer
from move37.rules.board_kernels import cell_of
from move37.search.evaluator import Evaluations

HARD_LIMIT = 60.0
"""Seconds after which a session counts as hanging; the first search may compile."""


class PlainEvaluator:
    """Likes low points, and whoever has more stones; small fractions of two, which floats hold exactly."""

    def __init__(self, scores: bool = True) -> None:
        self._scores = scores
        self.error: Exception | None = None

    def evaluate(self, boards: NDArray[Any]) -> Evaluations:
        """Evaluate as every evaluator does; raises `error` if one is set."""
        if self.error is not None:
            raise self.error
        rows, cols = int(boards[0]["rows"]), int(boards[0]["cols"])
        cells = [cell_of(point, cols) for point in range(rows * cols)]
        stones = boards["stones"][:, cells]
        mine = stones == boards["to_play"][:, None]
        balance = mine.sum(1).astype(np.float32) - ((stones > 0) & ~mine).sum(1)
        logits = np.tile(np.arange(rows * cols + 1, dtype=np.float32) * np.float32(-0.25), (len(boards), 1))
        owned = np.where(mine, 0.75, np.where(stones > 0, -0.75, 0.0)).astype(np.float32)
        value = (balance / 16).clip(-0.75, 0.75).astype(np.float32)
        if not self._scores:
            return Evaluations(logits, value)
        deviation = np.full(len(boards), 4.0, np.float32)
        none = np.zeros(len(boards), np.float32)
        return Evaluations(
            logits,
            value,
            lead=balance,
            score_mean=balance / 2,
            score_stdev=deviation,
            no_result=none,
            ownership=owned.reshape(-1, rows, cols),
        )


def plain_player(visits: int = 16, scores: bool = True, evaluator: PlainEvaluator | None = None) -> SearchPlayer:
    """KataGo's search (with `scores`) or AlphaGo Zero's over a plain evaluator, the same in every run."""
    made = evaluator or PlainEvaluator(scores)
    maker = katago if scores else zero
    return maker(net=made, visits=visits, batch=1, symmetry="none", seed=1)


class Typist:
    """A session in a thread of its own, and both ends of its pipes.

    `send` sends lines that arrive together; `line` and `answer` read. Leaving the context ends the input and the
    session.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.log = io.StringIO()
        self.gone = False
        self._chunks: queue.Queue[Sequence[str] | None] = queue.Queue()
        self._lines: queue.Queue[str] = queue.Queue()
        self._rest = ""
        protocol, source = engine.protocol(self.log), LineReader(self._arriving())
        self._thread = threading.Thread(target=protocol.run, args=(source, self), daemon=True)

    def __enter__(self) -> Typist:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.end()
        self.join()

    def send(self, *lines: str) -> None:
        """Send lines at once."""
        self._chunks.put([f"{line}\n" for line in lines])

    def end(self) -> None:
        """End the input."""
        self._chunks.put(None)

    def join(self) -> None:
        """Wait for the end of the session."""
        self._thread.join(HARD_LIMIT)
        assert not self._thread.is_alive(), "the session hangs"

    def line(self) -> str:
        """The next line that the session wrote, without blanks at its end."""
        return self._lines.get(timeout=HARD_LIMIT).rstrip()

    def answer(self) -> list[str]:
        """Lines up to the empty one that ends an answer."""
        lines: list[str] = []
        while line := self.line():
            lines.append(line)
        return lines

    def ask(self, line: str) -> list[str]:
        """Send one line and read its answer."""
        self.send(line)
        return self.answer()

    def nothing_more(self) -> bool:
        """After the end: whether everything written was read."""
        return self._lines.empty() and not self._rest

    # ---- what the session sees as its output

    def write(self, text: str) -> int:
        """Take what the session writes."""
        if self.gone:
            raise BrokenPipeError
        *lines, self._rest = (self._rest + text).split("\n")
        for line in lines:
            self._lines.put(line)
        return len(text)

    def flush(self) -> None:
        """Nothing is held back."""

    def _arriving(self) -> Generator[Sequence[str]]:
        while (lines := self._chunks.get()) is not None:
            yield lines
