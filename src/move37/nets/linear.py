"""Files of rollout policies: patterns and weights in safetensors, the spec in its metadata.

Metadata (all values are text): `format` "move37-rollout", `format_version`, `spec` as JSON. The header is checked
(names, dtypes, shapes, length) before any array is read. Weights are kept as float16. Never pickle.

The policies themselves are in `features.rollout_policy`; networks have `own_file`.
"""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load as from_bytes

from move37.config import from_dict
from move37.errors import ConfigError, NetworkFileError
from move37.features.rollout_policy import MOST_PATTERNS, Patterns, RolloutPolicy, RolloutSpec
from move37.files import read_bytes
from move37.nets.own_file import cut, json_object, read_header, write_arrays

__all__ = ["FORMAT", "load", "load_spec", "save"]

FORMAT: Final = "move37-rollout"
FORMAT_VERSION: Final = 1

_ARRAYS: Final = {
    "nakade": "I64",
    "answers": "I64",
    "shapes": "I64",
    "diamonds": "I64",
    "rollout": "F16",
    "tree": "F16",
}
_BYTES: Final = {"I64": 8, "F16": 2}
_LARGEST: Final = 60_000.0  # a weight that float16 holds


def save(policy: RolloutPolicy, path: Path | str) -> None:
    """Write `policy` to `path`, whole or not at all; NetworkFileError in one sentence if the system refuses."""
    metadata = {
        "format": FORMAT,
        "format_version": str(FORMAT_VERSION),
        "spec": json.dumps(asdict(policy.spec), ensure_ascii=False),
    }
    arrays: dict[str, NDArray[Any]] = {name: getattr(policy.patterns, name) for name in list(_ARRAYS)[:4]}
    for name in ("rollout", "tree"):
        arrays[name] = np.clip(getattr(policy, name), -_LARGEST, _LARGEST).astype(np.float16)
    write_arrays(Path(path), arrays, metadata, "rollout policy")


def load(path: Path | str) -> RolloutPolicy:
    """The policy in the file `path`; NetworkFileError in one sentence: path, what was expected, what was found."""
    source = Path(path)
    spec = load_spec(source)
    try:
        arrays = from_bytes(read_bytes(source, source.stat().st_size))
        patterns = Patterns(**{name: arrays[name].astype(np.int64) for name in list(_ARRAYS)[:4]})
        return RolloutPolicy(spec, patterns, arrays["rollout"].astype(np.float32), arrays["tree"].astype(np.float32))
    except ConfigError as error:
        raise NetworkFileError(f"{source}: does not hold a rollout policy: {error}.") from error
    except (OSError, SafetensorError, LookupError, MemoryError) as error:
        raise NetworkFileError(f"{source}: the arrays could not be read ({cut(error)}).") from error


def load_spec(path: Path | str) -> RolloutSpec:
    """The spec of the file `path`, all of its header checked, no arrays read; NetworkFileError as `load`."""
    source = Path(path)
    header, available = read_header(source)
    metadata = json_object(header.pop("__metadata__", None))
    if metadata.get("format") != FORMAT:
        raise NetworkFileError(
            f'{source}: expected a rollout policy, found safetensors metadata without format "{FORMAT}".'
        )
    version = metadata.get("format_version")
    if version != str(FORMAT_VERSION):
        raise NetworkFileError(f"{source}: expected format version {FORMAT_VERSION}, found {cut(version)}.")
    _check_arrays(source, header, available)
    try:
        fields = json_object(json.loads(metadata["spec"]))
        training = json_object(fields.pop("training", None))
        return replace(from_dict(RolloutSpec, fields, str(source)), training=training)
    except (LookupError, TypeError, ValueError, RecursionError, ConfigError) as error:
        raise NetworkFileError(f"{source}: the spec in its metadata is not valid ({cut(error)}).") from error


def _check_arrays(path: Path, header: dict[str, Any], available: int) -> None:
    """Every array is there with its dtype and one dimension of a sensible length, and they fill the file."""
    if set(header) != set(_ARRAYS):
        raise NetworkFileError(f"{path}: expected the arrays {', '.join(_ARRAYS)}, found {cut(', '.join(header))}.")
    size = 0
    for name, dtype in _ARRAYS.items():
        entry = json_object(header[name])
        length = _length(entry.get("shape"))
        if entry.get("dtype") != dtype or not 0 <= length <= 20 * MOST_PATTERNS:
            found = (entry.get("dtype"), entry.get("shape"))
            raise NetworkFileError(f"{path}: array {name!r} should be {dtype} of one dimension, but is {cut(found)}.")
        size += length * _BYTES[dtype]
    if size != available:
        raise NetworkFileError(
            f"{path}: expected {size} bytes of arrays, found {available}; the file is cut short or damaged."
        )


def _length(shape: Any) -> int:
    """The length of a shape of one dimension; -1 if it is none."""
    sides = cast("list[object]", shape) if isinstance(shape, list) else []
    length = sides[0] if len(sides) == 1 else None
    return length if type(length) is int else -1
