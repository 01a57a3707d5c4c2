"""A Zero run in one small file: what it takes to go on elsewhere, and nothing else.

That is the recipe, the log, the last checkpoint, the network that plays, the games that the window still needs, the
figures of all others, and the chunks of a phase that is not over. A run that was unpacked goes on as the packed one
would have. The file is a tar archive, compressed by xz. Runs nothing.
"""

from __future__ import annotations

import lzma
import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from move37 import config as toml
from move37.errors import CheckpointError, ConfigError
from move37.files import replacing
from move37.training import checkpoint
from move37.training.zero_files import RunFiles, read_json
from move37.training.zero_recipe import ZeroRecipe

__all__ = ["pack", "unpack"]

_PHASES = ("games", "gates", "yardsticks")


def pack(run: Path, archive: Path) -> int:
    """Write the run in `run` to the file `archive`; its size in bytes. `CheckpointError` if that cannot be."""
    if not checkpoint.exists(run):
        raise CheckpointError(f"{run} holds no Zero run that has saved a checkpoint; name the folder of one")
    recipe = toml.load_toml(ZeroRecipe, run / "config.toml")
    try:
        with replacing(archive) as temporary, tarfile.open(temporary, "w:xz", preset=9) as file:
            for path in sorted(_needed(run, recipe)):
                file.add(path, path.relative_to(run).as_posix(), recursive=False, filter=_plain)
        return archive.stat().st_size
    except OSError as error:
        raise CheckpointError(f"cannot pack {run} into {archive} ({error.strerror or error})") from error


def unpack(archive: Path, run: Path) -> None:
    """Make the folder `run`, which must not be there or be empty, of what `pack` wrote."""
    if run.exists() and (not run.is_dir() or any(run.iterdir())):
        raise ConfigError(f"{run} is not empty; unpack a run into a new folder")
    made = run.with_name(f".{run.name}.unpacked")
    shutil.rmtree(made, ignore_errors=True)
    try:
        with tarfile.open(archive, "r:xz") as file:
            for member in file:
                _extract(file, member, made)
        if not checkpoint.exists(made):
            raise ValueError("it holds no run")
        made.replace(run)
    except (OSError, EOFError, ValueError, tarfile.TarError, lzma.LZMAError) as error:
        raise CheckpointError(f"{archive} cannot be unpacked into {run} ({error}); pack the run again") from error
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _needed(run: Path, recipe: ZeroRecipe) -> Iterator[Path]:
    """The files that a run needs to go on."""
    files, state = RunFiles(run), read_json(run / "state.json")
    step, generation = int(state["step"]), int(state["step"]) // recipe.steps
    yield from (run / "config.toml", run / "state.json", run / "checkpoints" / str(state["checkpoint"]))
    yield from [path for path in (run / "log.jsonl",) if path.is_file()]
    for phase in _PHASES:
        yield from (run / phase).glob("*.json")
        yield from (path for path in (run / phase).glob("generation-*/chunk-*") if path.is_file())
    played = [read_json(files.figures(one)) for one in range(generation + 1) if files.figures(one).is_file()]
    first = recipe.window.first([one["games"] for one in played], [one["samples"] for one in played])
    yield from (files.games(one) for one in range(first, len(played)))
    gated = recipe.gate.kind != "none"
    if gated or step > generation * recipe.steps:  # else it is the checkpoint's
        yield from (run / "networks" / path.name for path in _networks(files, generation, gated))


def _networks(files: RunFiles, generation: int, gated: bool) -> set[Path]:
    """The files of the networks that are still asked for: the newest, and the best before it."""
    gates = [files.gate(one) for one in (generation - 1, generation) if gated and files.gate(one).is_file()]
    asked = {generation, *(int(read_json(gate)["best"]) for gate in gates)}
    if gated and not gates:
        asked.add(0)
    return {files.network(one) for one in asked if files.network(one).is_file()}


def _plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """The same without who packed it and when, so that equal runs give equal archives."""
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    member.mtime = 0
    return member


def _extract(file: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> None:
    """Write one file of the archive below `folder`; ValueError for what `pack` does not write."""
    name = PurePosixPath(member.name)
    if not member.isfile() or name.is_absolute() or ".." in name.parts:
        raise ValueError(f"it holds {member.name}, which is no part of a run")
    source = file.extractfile(member)
    assert source is not None
    target = folder.joinpath(*name.parts)
    target.parent.mkdir(parents=True, exist_ok=True)
    with source, target.open("wb") as written:
        shutil.copyfileobj(source, written)
