"""The folder of a training run and the recipe it belongs to; `checkpoint` and `run_log` say what else lies there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from move37 import config as toml
from move37.errors import CheckpointError, ConfigError
from move37.training import checkpoint

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

__all__ = ["keep_recipe"]


def keep_recipe(recipe: DataclassInstance, run: Path) -> None:
    """Save the recipe with the run; a run that is gone on with must have the same one."""
    kept = run / "config.toml"
    if checkpoint.exists(run) or kept.is_file():
        if not kept.is_file():
            raise CheckpointError(f"{run} holds a training run without its config.toml; give another folder")
        if not _is_kept(recipe, kept):
            raise ConfigError(
                f"{run} holds a run of another recipe, see its config.toml; give another folder, or the same recipe to "
                "go on with it"
            )
        return
    try:
        toml.save_toml(recipe, kept)
    except OSError as error:
        raise CheckpointError(f"cannot keep a run in {run} ({error.strerror}); give another folder") from error


def _is_kept(recipe: DataclassInstance, kept: Path) -> bool:
    try:
        return toml.load_toml(type(recipe), kept) == recipe
    except ConfigError:  # a recipe of another kind
        return False
