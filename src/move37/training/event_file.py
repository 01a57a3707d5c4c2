"""Scalars for TensorBoard, each written at once.

TensorBoard's own writer hands events to a thread, where a full disk surfaces as a traceback of that thread; here it is
the caller's OSError. Framing and messages are TensorBoard's own. Nothing but scalars is written.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any


class EventFile:
    """One file of events in `folder`; `step`: events of an earlier file after this step are void (a resumed run)."""

    def __init__(self, folder: Path, step: int) -> None:
        # TensorBoard carries no types, so its modules are plain values here.
        self._messages: Any = import_module("tensorboard.compat.proto.event_pb2")
        self._summary: Any = import_module("tensorboard.compat.proto.summary_pb2")
        self._frame: Any = import_module("tensorboard.summary.writer.record_writer").RecordWriter
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"events.out.tfevents.{time.time_ns()}.{socket.gethostname()}.{os.getpid()}"
        start = self._messages.SessionLog(status=self._messages.SessionLog.START)
        self._add(file_version="brain.Event:2")
        self._add(step=step, session_log=start)

    def write(self, step: int, figures: Mapping[str, float]) -> None:
        """Add one value a tag at a step; OSError as the system says."""
        values = [self._summary.Summary.Value(tag=tag, simple_value=value) for tag, value in figures.items()]
        self._add(step=step, summary=self._summary.Summary(value=values))

    def _add(self, **content: Any) -> None:
        event = self._messages.Event(wall_time=time.time(), **content)
        with self.path.open("ab", buffering=0) as file:
            self._frame(file).write(event.SerializeToString())
