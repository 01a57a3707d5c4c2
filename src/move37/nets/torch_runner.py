"""A network computed by torch: on the CPU as it is, on an NVIDIA GPU in half precision, replayed from CUDA graphs.

Batches for a GPU are padded to one of few sizes, because each size (and each board) needs a graph of its own; two
batches may be in flight at a time, each in a slot with its own stream and page-locked buffers (`torch_graphs`). Devices
of other kinds run as the CPU does. Half precision is float16, which is more exact, unless the network's numbers
overflow it, then bfloat16.
"""

from __future__ import annotations

from typing import Final, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from move37.errors import ConfigError
from move37.nets.graph import Network, NetworkSpec
from move37.nets.runner import require_inputs
from move37.nets.torch_graphs import Slots
from move37.nets.torch_net import GraphModule, inference_module

__all__ = ["DTYPES", "Dtype", "TorchRunner", "batch_bucket", "first_finite"]

Dtype = Literal["auto", "float32", "float16", "bfloat16"]

Layout = Literal["nhwc", "nchw"]

_FORMATS: Final[dict[str, torch.memory_format]] = {"nhwc": torch.channels_last, "nchw": torch.contiguous_format}
DTYPES: Final[dict[str, torch.dtype]] = {
    "float32": torch.float32,
    "float16": torch.float16,
    "bfloat16": torch.bfloat16,
}
_PROBES, _PROBE_SHARE = 8, 0.3
"""Half precision is tried on so many random inputs, of whose points so many are set."""


def batch_bucket(count: int) -> int:
    """The batch size that `count` (1 or more) positions are padded to: the next power of two, or 1.5 times one.

    >>> [batch_bucket(count) for count in (1, 2, 3, 4, 5, 7, 9, 13, 17, 33)]
    [1, 2, 3, 4, 6, 8, 12, 16, 24, 48]
    """
    power = 1 << (count - 1).bit_length()
    return power * 3 // 4 if count <= power * 3 // 4 and power >= 4 else power


class TorchRunner:
    """Computes `network` on `device` ("cpu", "cuda", "cuda:1", "mps", ...); see `runner.Runner`.

    `layout`: the order of planes in memory on the CPU, "nhwc" (channels last, the faster) or "nchw", to compare.
    `dtype`: the precision inside; inputs and outputs are float32. "auto" is float32, but half precision on a GPU of
    NVIDIA's, where even float32 has its products rounded as torch does by default (TF32). ConfigError for a device that
    torch does not have.
    """

    def __init__(self, network: Network, device: str = "cpu", dtype: Dtype = "auto", layout: Layout = "nhwc") -> None:
        self._spec = network.spec
        self._format = _FORMATS[layout]
        on_gpu = device.partition(":")[0] == "cuda"
        wanted = ("float16", "bfloat16") if on_gpu and dtype == "auto" else () if dtype == "auto" else (dtype,)
        try:
            self._device = torch.device(device)
            self._module, self.dtype = first_finite(network, self._device, wanted, self._format)
            if self._device.type not in ("cpu", "cuda"):  # torch knows names of devices that compute nothing
                _run_directly(self._module, *_nothing(network.spec), self._format)
        except (RuntimeError, AssertionError, ImportError) as error:
            raise ConfigError(f"The device {device!r} cannot be used ({str(error).splitlines()[0]}).") from error
        self._slots = Slots(self._module, self._device, self.dtype) if on_gpu else None
        self.name = f"torch {self._device}" + ("" if self.dtype is torch.float32 else f" {str(self.dtype)[6:]}")

    def run(self, spatial: NDArray[np.float32], globals_: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
        """See `runner.Runner`."""
        require_inputs(self._spec, spatial, globals_)
        if self._slots is None:
            return _run_directly(self._module, spatial, globals_, self._format)
        return self._slots.run(spatial, globals_, batch_bucket(len(spatial)))


def first_finite(
    network: Network,
    device: torch.device,
    wanted: tuple[str, ...],
    layout: torch.memory_format = torch.channels_last,
) -> tuple[GraphModule, torch.dtype]:
    """`network` on `device` in the first precision of `wanted` (keys of `DTYPES`) that gives finite numbers.

    float32 if there is none.
    """
    rng = np.random.default_rng(0)
    spec = network.spec
    rows, cols = spec.board_sizes[0] if spec.board_sizes else (19, 19)
    spatial = (rng.random((_PROBES, spec.planes, rows, cols)) < _PROBE_SHARE).astype(np.float32)
    spatial[:, 0] = 1.0  # in KataGo's inputs: on the board
    globals_ = rng.random((_PROBES, spec.globals), np.float32)
    for name in wanted:
        module = _rounded(inference_module(network, device), DTYPES[name])
        found = _run_directly(module, spatial, globals_)
        if all(np.isfinite(output).all() for output in found.values()):
            return module, DTYPES[name]
    return inference_module(network, device, layout), torch.float32


def _nothing(spec: NetworkSpec) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Inputs of one position, all zeros."""
    rows, cols = spec.board_sizes[0] if spec.board_sizes else (9, 9)
    return np.zeros((1, spec.planes, rows, cols), np.float32), np.zeros((1, spec.globals), np.float32)


def _rounded(module: GraphModule, dtype: torch.dtype) -> GraphModule:
    """`module` with its parameters in `dtype`, but for rotary frequencies, which are multiplied by coordinates."""
    for name, parameter in module.named_parameters():
        if not name.endswith(".frequencies"):
            parameter.data = parameter.data.to(dtype)
    return module


def _run_directly(
    module: GraphModule,
    spatial: NDArray[np.float32],
    globals_: NDArray[np.float32],
    layout: torch.memory_format = torch.channels_last,
) -> dict[str, NDArray[np.float32]]:
    parameter = next(module.parameters())
    with torch.inference_mode():
        planes = torch.from_numpy(spatial).to(parameter, memory_format=layout)
        outputs: dict[str, Tensor] = module(planes, torch.from_numpy(globals_).to(parameter))
        return {name: output.float().cpu().numpy() for name, output in outputs.items()}
