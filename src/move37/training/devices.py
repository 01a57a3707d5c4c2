"""Where a network trains: on the processor, or on an NVIDIA GPU if there is one.

Batches are NumPy arrays until a loss asks for them on the device of its module. Nothing else in training names one.
"""

from __future__ import annotations

from typing import Any, Literal, TypeVar, get_args

import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from move37.errors import ConfigError

M = TypeVar("M", bound=nn.Module)
DeviceName = Literal["cpu", "cuda", "auto"]


def chosen(name: str) -> torch.device:
    """The device of that name; "auto" is a GPU where there is one.

    `ConfigError` for another name than those of `DeviceName`, or if torch can use no GPU and "cuda" is asked for.
    """
    gpu = torch.cuda.is_available()
    if name not in get_args(DeviceName):
        raise ConfigError(f"there is no device {name!r} to train on; choose from {', '.join(get_args(DeviceName))}")
    if name == "cuda" and not gpu:
        raise ConfigError("there is no GPU here that torch can use; choose the device auto or cpu")
    if name == "cpu" or not gpu:
        return torch.device("cpu")
    torch.backends.cudnn.benchmark = True  # the boards of a run all have one size
    return torch.device("cuda")


def device_of(module: nn.Module) -> torch.device:
    """Where the module's parameters lie; the processor if it has none."""
    parameter = next(module.parameters(), None)
    return torch.device("cpu") if parameter is None else parameter.device


def placed(module: M, device: torch.device) -> M:
    """The module on a device, its kernels with channels last in memory."""
    to: Any = module.to  # torch's types do not know a format for memory
    found: M = to(device, memory_format=torch.channels_last)
    return found


def tensor(array: NDArray[Any], device: torch.device) -> Tensor:
    """The array on a device; on the processor it shares the array's memory."""
    found = torch.from_numpy(array)
    if device.type == "cpu":
        return found
    return found.pin_memory().to(device, non_blocking=True)


def planes_tensor(spatial: NDArray[Any], device: torch.device) -> Tensor:
    """Planes float32[B, C, H, W] on a device, channels last in memory."""
    return tensor(spatial, device).contiguous(memory_format=torch.channels_last)
