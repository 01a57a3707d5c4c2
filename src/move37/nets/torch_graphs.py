"""CUDA graphs: a network's kernels recorded once for each batch shape and replayed as one launch.

A small network at a small batch spends most of its time in launching kernels; a replay launches them all at once. A
recording reads and writes fixed memory, so each keeps its own page-locked buffers, between which and the GPU copies run
beside other work. Two slots, each with a stream, let one batch be copied and encoded while another is computed. This
file is the only one that needs a GPU; which batches it is given is decided in `torch_runner`.
"""

from __future__ import annotations

from queue import LifoQueue
from threading import Lock

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from move37.nets.torch_net import GraphModule

SLOTS = 2
"""Batches in flight."""

MOST_GRAPHS = 64
"""Recordings that one slot keeps; each holds its buffers, and all of one slot share the memory between layers."""

_WARM_UPS = 3
"""Runs before a recording, in which libraries choose their kernels and reserve memory (torch's own examples do 3)."""

_Shape = tuple[int, int, int]
"""Batch, rows, columns."""

_recording_lock = Lock()
"""A recording starts by waiting for the whole GPU, which is forbidden while another is under way."""


class Slots:
    """Computes batches with `module` on a GPU, `SLOTS` at a time; more callers wait."""

    def __init__(self, module: GraphModule, device: torch.device, dtype: torch.dtype) -> None:
        self._free: LifoQueue[_Slot] = LifoQueue()  # the last one used has the recordings
        for _ in range(SLOTS):
            self._free.put(_Slot(module, device, dtype))

    def run(
        self, spatial: NDArray[np.float32], globals_: NDArray[np.float32], padded: int
    ) -> dict[str, NDArray[np.float32]]:
        """Outputs of float32[B, C, H, W] and float32[B, G], computed as a batch of `padded` >= B positions."""
        slot = self._free.get()
        try:
            return slot.run(spatial, globals_, padded)
        finally:
            self._free.put(slot)


class _Slot:
    """One batch in flight: a stream and its recordings by shape."""

    def __init__(self, module: GraphModule, device: torch.device, dtype: torch.dtype) -> None:
        self._module = module
        self._device = device
        self._dtype = dtype
        self._stream = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]  # torch's own is untyped
        self._pool = torch.cuda.graph_pool_handle()
        self._recordings: dict[_Shape, _Recording] = {}

    def run(
        self, spatial: NDArray[np.float32], globals_: NDArray[np.float32], padded: int
    ) -> dict[str, NDArray[np.float32]]:
        shape = (padded, int(spatial.shape[2]), int(spatial.shape[3]))
        if shape not in self._recordings:
            if len(self._recordings) >= MOST_GRAPHS:
                self._recordings.clear()
                self._pool = torch.cuda.graph_pool_handle()
            with _recording_lock:
                self._recordings[shape] = self._record(shape)
        return self._recordings[shape].replay(spatial, globals_, self._stream)

    def _record(self, shape: _Shape) -> _Recording:
        recording = _Recording(self._module, self._device, self._dtype, shape)
        with torch.inference_mode(), torch.cuda.device(self._device):
            self._stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(self._stream):
                for _ in range(_WARM_UPS):
                    recording.compute()
            self._stream.synchronize()
            # Another thread may be replaying in the other slot meanwhile: only this thread is held to the rules.
            with torch.cuda.graph(recording.graph, self._pool, self._stream, capture_error_mode="thread_local"):
                recording.compute()
        recording.make_answers()
        return recording


class _Recording:
    """A graph of one shape, with the buffers it reads and writes."""

    def __init__(self, module: GraphModule, device: torch.device, dtype: torch.dtype, shape: _Shape) -> None:
        batch, rows, cols = shape
        spec = module.spec
        self._module = module
        self._dtype = dtype
        self.graph = torch.cuda.CUDAGraph()
        self._given = [
            torch.zeros((batch, spec.planes, rows, cols), pin_memory=True),
            torch.zeros((batch, spec.globals), pin_memory=True),
        ]
        self._inputs = [given.to(device) for given in self._given]
        self._outputs: dict[str, Tensor] = {}
        self._answers: dict[str, Tensor] = {}

    def compute(self) -> None:
        """Compute the outputs from the inputs, both on the GPU."""
        planes = self._inputs[0].to(self._dtype, memory_format=torch.channels_last)
        outputs: dict[str, Tensor] = self._module(planes, self._inputs[1].to(self._dtype))
        self._outputs = {name: output.float() for name, output in outputs.items()}

    def make_answers(self) -> None:
        """Make page-locked room for the outputs on the CPU's side."""
        self._answers = {name: torch.zeros(output.shape, pin_memory=True) for name, output in self._outputs.items()}

    def replay(
        self, spatial: NDArray[np.float32], globals_: NDArray[np.float32], stream: torch.cuda.Stream
    ) -> dict[str, NDArray[np.float32]]:
        """Outputs for B <= batch positions; what lies in the buffers behind them is computed in vain."""
        count = len(spatial)
        self._given[0].numpy()[:count] = spatial
        self._given[1].numpy()[:count] = globals_
        with torch.inference_mode(), torch.cuda.stream(stream):
            for given, held in zip(self._given, self._inputs, strict=True):
                held.copy_(given, non_blocking=True)
            self.graph.replay()
            for name, output in self._outputs.items():
                self._answers[name].copy_(output, non_blocking=True)
        stream.synchronize()
        return {name: answer[:count].numpy().copy() for name, answer in self._answers.items()}
