"""A training run's state on disk, whole or not at all.

Tensors (weights, their average, the optimiser's) lie in one safetensors file a checkpoint; `state.json` names the
checkpoint that counts. Both are written to a temporary name and renamed, the state last, so that a kill at any moment
leaves a run that resumes. Never pickle.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from move37.errors import CheckpointError
from move37.files import replacing, write_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from torch import Tensor, nn
    from torch.optim import Optimizer

KEPT = 2
"""How many checkpoints stay in the folder: the last one and the one before."""


@dataclass(frozen=True)
class Progress:
    """How far a run is: optimiser steps done and seconds spent, over all its starts."""

    step: int = 0
    seconds: float = 0.0


def exists(run: Path) -> bool:
    """Whether the folder holds a run that has saved a checkpoint."""
    return (run / "state.json").is_file()


def save(run: Path, progress: Progress, module: nn.Module, average: nn.Module, optimizer: Optimizer) -> Path:
    """Write a checkpoint and make it the one that counts. `CheckpointError` if it cannot be; the old one then stays.

    It names no device: what was trained on a GPU is gone on with on a processor, and the other way round.
    """
    from safetensors.torch import save as to_bytes

    tensors = _module_tensors("model", module) | _module_tensors("average", average) | _optimizer_tensors(optimizer)
    whole = {name: tensor.cpu().contiguous().clone() for name, tensor in tensors.items()}
    return _write(run, progress, lambda: to_bytes(whole))


def save_arrays(run: Path, progress: Progress, arrays: Mapping[str, NDArray[np.float32]]) -> Path:
    """`save` of named arrays, where there is no network."""
    from safetensors.numpy import save as to_bytes

    return _write(run, progress, lambda: to_bytes(dict(arrays)))


def _write(run: Path, progress: Progress, to_bytes: Callable[[], bytes]) -> Path:
    path = run / "checkpoints" / f"step-{progress.step:08d}.safetensors"
    try:
        with replacing(path) as temporary:
            temporary.write_bytes(to_bytes())
        write_text(run / "state.json", json.dumps({"checkpoint": path.name, **asdict(progress)}, indent=2) + "\n")
    except OSError as error:
        raise CheckpointError(
            f"cannot write the checkpoint {path} ({error.strerror or error}); make room and resume from the last one"
        ) from error
    _remove_old(path)
    return path


def load(run: Path, module: nn.Module, average: nn.Module, optimizer: Optimizer) -> Progress:
    """Fill the module, its average and the optimiser from the checkpoint that counts; how far it was."""
    from safetensors.torch import load as from_bytes

    def fill(data: bytes) -> None:
        tensors = from_bytes(data)
        _fill_module("model", module, tensors)
        _fill_module("average", average, tensors)
        _fill_optimizer(optimizer, tensors)

    return _read(run, fill)


def load_arrays(run: Path, arrays: Mapping[str, NDArray[np.float32]]) -> Progress:
    """Fill named arrays from the checkpoint that counts, as `load`."""
    from safetensors.numpy import load as from_bytes

    def fill(data: bytes) -> None:
        saved = from_bytes(data)
        for name, array in arrays.items():
            if saved[name].shape != array.shape:
                raise ValueError(f"{name} has the shape {saved[name].shape}")
            array[...] = saved[name]

    return _read(run, fill)


def _read(run: Path, fill: Callable[[bytes], None]) -> Progress:
    from safetensors import SafetensorError

    path = run / "state.json"
    try:
        state = json.loads(path.read_text(encoding="utf-8"))
        progress = _progress(state)
        path = run / "checkpoints" / str(state["checkpoint"])
        fill(path.read_bytes())
    except (OSError, ArithmeticError, ValueError, LookupError, TypeError, RuntimeError, SafetensorError) as error:
        reason = " ".join(str(error).split())[:200]
        raise CheckpointError(f"cannot resume from {path} ({reason}); start the run anew in another folder") from error
    return progress


def lost_state(run: Path) -> bool:
    """Whether the folder holds checkpoints, and the file that says which one counts is gone."""
    return not exists(run) and any((run / "checkpoints").glob("step-*.safetensors"))


def _progress(state: Mapping[str, Any]) -> Progress:
    progress = Progress(int(state["step"]), float(state["seconds"]))
    if progress.step < 0 or not 0.0 <= progress.seconds < math.inf:
        raise ValueError(f"step {progress.step} and {progress.seconds} seconds cannot be")
    return progress


def _module_tensors(prefix: str, module: nn.Module) -> dict[str, Tensor]:
    return {f"{prefix}.{name}": tensor.detach() for name, tensor in module.state_dict().items()}


def _optimizer_tensors(optimizer: Optimizer) -> dict[str, Tensor]:
    states: Mapping[int, Mapping[str, Any]] = optimizer.state_dict()["state"]
    return {
        f"optimizer.{index}.{key}": value
        for index, state in states.items()
        for key, value in state.items()
        if value is not None
    }


def _fill_module(prefix: str, module: nn.Module, tensors: Mapping[str, Tensor]) -> None:
    module.load_state_dict({name: tensors[f"{prefix}.{name}"] for name in module.state_dict()})


def _fill_optimizer(optimizer: Optimizer, tensors: Mapping[str, Tensor]) -> None:
    states: dict[int, dict[str, Tensor]] = {}
    for name, tensor in tensors.items():
        kind, _, rest = name.partition(".")
        if kind == "optimizer":
            index, _, key = rest.partition(".")
            states.setdefault(int(index), {})[key] = tensor
    parameters = [parameter for group in optimizer.param_groups for parameter in group["params"]]
    for number, state in states.items():
        for key, tensor in state.items():
            if tensor.ndim and tensor.shape != parameters[number].shape:
                raise ValueError(f"the optimiser's {key} of parameter {number} has the shape {tuple(tensor.shape)}")
    optimizer.load_state_dict({"state": states, "param_groups": optimizer.state_dict()["param_groups"]})


def _remove_old(newest: Path) -> None:
    older = sorted(path for path in newest.parent.glob("step-*.safetensors") if path.name <= newest.name)
    for path in older[:-KEPT]:
        path.unlink(missing_ok=True)
