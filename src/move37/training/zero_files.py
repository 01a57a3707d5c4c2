"""The folder of a Zero run: which file holds what. A phase of a generation is over when its file is there.

    config.toml  log.jsonl  state.json  checkpoints/         as of every run
    networks/generation-00007.safetensors                    the network after seven generations
    gates/generation-00007.json                              whether it plays, and the match that said so
    yardsticks/generation-00007.json                         its games against a search that knows the rules alone
    games/generation-00007.parquet, .json                    the games of generation 7, and figures about them
    */generation-00007/chunk-00003.*                         parts of a phase that is not over yet

Every file is written whole or not at all, so whatever is killed goes on where it was.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from move37.errors import CheckpointError
from move37.files import write_text

__all__ = ["RunFiles", "read_json", "write_json"]


@dataclass(frozen=True)
class RunFiles:
    """The paths of a run; generations count from 0."""

    run: Path

    def network(self, generation: int) -> Path:
        """The network that has learned for so many generations."""
        return self.run / "networks" / f"{_name(generation)}.safetensors"

    def gate(self, generation: int) -> Path:
        """What the gate said of that network."""
        return self.run / "gates" / f"{_name(generation)}.json"

    def yardstick(self, generation: int) -> Path:
        """How that network did against a search without one."""
        return self.run / "yardsticks" / f"{_name(generation)}.json"

    def games(self, generation: int) -> Path:
        """The games of a generation."""
        return self.run / "games" / f"{_name(generation)}.parquet"

    def figures(self, generation: int) -> Path:
        """What is to be known of those games when they are gone."""
        return self.run / "games" / f"{_name(generation)}.json"

    @property
    def final(self) -> Path:
        """The network that the run ends with."""
        return self.run / "network.safetensors"


def chunk(whole: Path, number: int) -> Path:
    """Part `number` of what will be the file `whole`."""
    return whole.with_suffix("") / f"chunk-{number:05d}{whole.suffix}"


def drop_chunks(whole: Path) -> None:
    """Remove the parts of a file that is there."""
    shutil.rmtree(whole.with_suffix(""), ignore_errors=True)


def read_json(path: Path) -> dict[str, Any]:
    """What `write_json` wrote; `CheckpointError` in one sentence for a damaged file."""
    try:
        found: object = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(found, dict):
            raise ValueError("it holds no object")
    except (OSError, ValueError) as error:
        raise CheckpointError(f"{path} cannot be read ({error}); remove it, and it is made again") from error
    return cast("dict[str, Any]", found)


def write_json(path: Path, values: dict[str, Any]) -> None:
    """Write plain values, whole or not at all; `CheckpointError` if that fails."""
    try:
        write_text(path, json.dumps(values, indent=1) + "\n")
    except OSError as error:
        raise CheckpointError(f"cannot write {path} ({error.strerror or error}); make room and resume") from error


def _name(generation: int) -> str:
    return f"generation-{generation:05d}"
