"""Which way a network is computed: the fast path for CPUs where it can, torch elsewhere, and what to do without torch.

torch is imported only where it is used, so everything else works without it.
"""

from __future__ import annotations

import warnings
from importlib.util import find_spec
from typing import Any, Final, Literal

from move37.errors import ConfigError
from move37.nets.graph import Network
from move37.nets.runner import Runner

__all__ = ["BACKENDS", "MAX_THREADS", "Backend", "make_runner", "require_backend", "require_runnable"]

Backend = Literal["auto", "fast", "torch"]
BACKENDS: Final = ("auto", "fast", "torch")

MAX_THREADS = 1024
"""More than any machine has; torch does not survive a million."""

_INSTALL: Final = "install it with: pip install 'move37[gpu]'"


def make_runner(
    network: Network, backend: Backend = "auto", device: str | None = None, threads: int | None = None
) -> Runner:
    """What computes `network`.

    "auto": torch if a `device` is given, else the fast path if it knows all of the network's operations, else torch.
    "fast" and "torch" insist. A GPU that is not there is replaced by the CPU, with a warning. `threads`: of the CPU;
    torch has one setting for the whole process. ConfigError in one sentence for what cannot be.
    """
    require_backend(backend, threads)
    if _is_cuda(device) and not _gpu_is_there():
        device = None
    if device is not None and backend == "fast":
        raise _no_device(device)
    if device is None and backend != "torch":
        runner = _fast_runner(network, threads, insist=backend == "fast")
        if runner is not None:
            return runner
    return _torch_runner(network, device, threads)


def require_runnable(network: Network, backend: Backend = "auto", device: str | None = None) -> None:
    """Refuse, with the ConfigError of `make_runner`, what cannot run here; does not import torch."""
    has_torch = find_spec("torch") is not None
    if _is_cuda(device) and (backend == "fast" or not has_torch):
        device = None  # where there is no GPU the CPU computes
    if device is not None and backend == "fast":
        raise _no_device(device)
    if device is None and backend != "torch" and (backend == "fast" or not has_torch):
        reason = _fast_reason(network)
        if reason is None:
            return
        if backend == "fast":
            raise _not_fast(network, reason)
    if not has_torch:
        raise _no_torch(network)


def require_backend(name: str, threads: int | None = None) -> None:
    """Refuse, with a ConfigError, a name that no backend has, and numbers of threads that no machine has."""
    if name not in BACKENDS:
        raise ConfigError(f"There is no backend {name!r}; choose one of {', '.join(BACKENDS)}.")
    if threads is not None and not 1 <= threads <= MAX_THREADS:
        raise ConfigError(f"The network can run on 1 to {MAX_THREADS} threads, not {threads}.")


def _fast_runner(network: Network, threads: int | None, insist: bool) -> Runner | None:
    reason = _fast_reason(network)
    if reason is None:
        from move37.nets.fast_cpu import FastRunner

        return FastRunner(network, threads)
    if insist:
        raise _not_fast(network, reason)
    return None


def _fast_reason(network: Network) -> str | None:
    """What in `network` the fast path does not know, None if it knows all."""
    from move37.nets.fast_cpu import why_not

    return why_not(network)


def _torch_runner(network: Network, device: str | None, threads: int | None) -> Runner:
    torch = _torch()
    if torch is None:
        raise _no_torch(network)
    from move37.nets.torch_runner import TorchRunner

    if threads is not None:
        torch.set_num_threads(threads)
    return TorchRunner(network, device or "cpu")


def _no_torch(network: Network) -> ConfigError:
    return ConfigError(f"The network {network.spec.name} needs torch, which is not installed; {_INSTALL}.")


def _not_fast(network: Network, reason: str) -> ConfigError:
    return ConfigError(f"The network {network.spec.name} is not for the fast backend ({reason}); use torch.")


def _no_device(device: str) -> ConfigError:
    return ConfigError(f"The fast backend runs on the CPU alone, not on {device!r}; leave out the device or use torch.")


def _is_cuda(device: str | None) -> bool:
    return device is not None and device.partition(":")[0] == "cuda"


def _gpu_is_there() -> bool:
    """Whether torch can use a GPU of NVIDIA's; if not, a warning says why the CPU is used."""
    torch = _torch()
    if torch is not None and torch.cuda.is_available():
        return True
    why = f"torch is not installed; {_INSTALL}" if torch is None else "torch finds none"
    warnings.warn(f"No GPU can be used ({why}); the network runs on the CPU.", stacklevel=2)
    return False


def _torch() -> Any:
    """The module torch, or None where it is not installed."""
    try:
        import torch
    except ModuleNotFoundError:
        return None
    return torch
