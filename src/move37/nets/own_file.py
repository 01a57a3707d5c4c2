"""Our own files of networks: one safetensors file holds the arrays, and its metadata everything else.

Metadata (all values are text): `format` "move37", `format_version`, `spec` and `graph` as JSON. A file is checked from
its header alone (spec, graph, names, dtypes, shapes, length) before its arrays are read, so a damaged or foreign file
costs no memory; then it is read once, whole, and checked again, since it may have changed. Nothing is ever unpickled.
Other programs' formats have their own readers; `weights` chooses among them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load as from_bytes
from safetensors.numpy import save as to_bytes

from move37.errors import NetworkFileError
from move37.files import read_bytes, replacing
from move37.nets.graph import Graph, GraphError, Network, NetworkSpec, check_sizes
from move37.nets.graph_json import graph_from_json, graph_to_json, spec_from_json, spec_to_json
from move37.nets.ops import Shape

FORMAT = "move37"
FORMAT_VERSION = 1

_LENGTH_BYTES = 8  # a safetensors file starts with the length of its JSON header
_MAX_HEADER = 16 * 2**20
_SHOWN = 200  # characters of what a file says, in a message


def save(network: Network, path: Path | str) -> None:
    """Write `network` to `path`, whole or not at all; NetworkFileError in one sentence if the system refuses."""
    target = Path(path)
    metadata = {
        "format": FORMAT,
        "format_version": str(FORMAT_VERSION),
        "spec": json.dumps(spec_to_json(network.spec), ensure_ascii=False),
        "graph": json.dumps(graph_to_json(network.graph)),
    }
    write_arrays(target, network.arrays, metadata, "network")


def write_arrays(target: Path, arrays: Mapping[str, NDArray[Any]], metadata: dict[str, str], what: str) -> None:
    """Write a safetensors file, whole or not at all; NetworkFileError says that `what` could not be saved."""
    whole = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    try:
        with replacing(target) as temporary:
            temporary.write_bytes(to_bytes(whole, metadata))  # save_file would make it readable by its owner alone
    except (OSError, SafetensorError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise NetworkFileError(
            f"{target}: the {what} could not be saved ({reason}); free space or choose another path."
        ) from error


def load(path: Path | str) -> Network:
    """The network in the file `path`; NetworkFileError in one sentence: path, what was expected, what was found."""
    source = Path(path)
    spec, graph = load_description(source)
    try:
        arrays: dict[str, NDArray[np.float32]] = from_bytes(read_bytes(source, source.stat().st_size))
        network = Network(spec, graph, arrays)
    except (OSError, SafetensorError, GraphError) as error:
        raise NetworkFileError(f"{source}: the arrays could not be read ({cut(error)}).") from error
    except MemoryError as error:
        raise NetworkFileError(f"{source}: the network needs more memory than there is.") from error
    for name, array in arrays.items():
        if not np.isfinite(array).all():
            raise NetworkFileError(f"{source}: array {name!r} should hold finite numbers, but holds NaN or infinity.")
    return network


def load_description(path: Path | str) -> tuple[NetworkSpec, Graph]:
    """Spec and graph of the file `path`, all of its header checked, no arrays read; NetworkFileError as `load`."""
    source = Path(path)
    header, available = read_header(source)
    metadata = json_object(header.pop("__metadata__", None))
    if metadata.get("format") != FORMAT:
        raise NetworkFileError(
            f'{source}: expected a move37 network, found safetensors metadata without format "{FORMAT}".'
        )
    version = metadata.get("format_version")
    if version != str(FORMAT_VERSION):
        raise NetworkFileError(f"{source}: expected format version {FORMAT_VERSION}, found {cut(version)}.")
    try:
        spec = spec_from_json(json.loads(metadata["spec"]))
        graph = graph_from_json(json.loads(metadata["graph"]))
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        raise NetworkFileError(f"{source}: the spec or graph in its metadata is not valid ({cut(error)}).") from error
    _check_arrays(source, header, graph.parameter_shapes(), available)
    try:
        check_sizes(spec, graph)
    except GraphError as error:
        raise NetworkFileError(f"{source}: the graph does not fit its spec ({cut(error)}).") from error
    return spec, graph


def read_header(path: Path) -> tuple[dict[str, Any], int]:
    """The JSON header of a safetensors file, and how many bytes of arrays follow it."""
    try:
        with path.open("rb") as file:
            total = path.stat().st_size
            length = int.from_bytes(file.read(_LENGTH_BYTES), "little")
            available = total - _LENGTH_BYTES - length
            if length > _MAX_HEADER or available < 0 or total < _LENGTH_BYTES:
                raise NetworkFileError(
                    f"{path}: expected a safetensors file, found {total} bytes that are cut short or of another format."
                )
            raw = file.read(length)
    except OSError as error:
        raise NetworkFileError(f"{path}: expected a network file, but it cannot be read ({error.strerror}).") from error
    try:
        header = json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise NetworkFileError(
            f"{path}: expected a safetensors header, found something else ({cut(error)})."
        ) from error
    if not isinstance(header, dict):
        raise NetworkFileError(f"{path}: expected a safetensors header, found a JSON {type(header).__name__}.")
    return cast(dict[str, Any], header), available


def json_object(value: Any) -> dict[str, Any]:
    """`value` if it is a JSON object, else an empty one."""
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}


def cut(what: object) -> str:
    """`what` as a text for a message, without its end if it is long: a file may say anything."""
    text = str(what)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _check_arrays(path: Path, header: dict[str, Any], wanted: dict[str, Shape], available: int) -> None:
    missing = [name for name in wanted if name not in header] or [name for name in header if name not in wanted]
    if missing:
        state = "is missing" if missing[0] in wanted else "is not in the graph"
        raise NetworkFileError(f"{path}: expected {len(wanted)} arrays, but array {cut(repr(missing[0]))} {state}.")
    for name, shape in wanted.items():
        entry = json_object(header[name])
        found = (entry.get("dtype"), entry.get("shape"))
        if found != ("F32", list(shape)):
            raise NetworkFileError(f"{path}: array {name!r} should be F32 {list(shape)}, but is {cut(found)}.")
    size = 4 * sum(math.prod(shape) for shape in wanted.values())
    if size != available:
        raise NetworkFileError(
            f"{path}: expected {size} bytes of arrays, found {available}; the file is cut short or damaged."
        )
