"""Train AlphaGo's policy network on one GPU that is lent for some minutes: one command, games in one folder.

    python examples/train_on_gpu.py --games ../shared/games --run runs/policy-gpu

The recipe is `recipes/policy-19x19-gpu.toml`; its games are looked for in the folder `--games`, together at most 64 MiB
so that they are carried there quickly. The run ends after `--minutes` of training with `network.safetensors` and a
checkpoint in the folder `--run`. The same command goes on with a run that was cut off. `--steps 3` tries it anywhere.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from move37 import config
from move37.errors import ConfigError, Move37Error
from move37.training import supervised
from move37.training.supervised import SupervisedRecipe

RECIPE = Path(__file__).parents[1] / "recipes" / "policy-19x19-gpu.toml"
LARGEST = 64 * 2**20


def here(recipe: SupervisedRecipe, games: Path, minutes: float | None, steps: int | None) -> SupervisedRecipe:
    """The recipe with its files in the folder `games`, and another length if one is given."""

    def found(files: tuple[Path, ...]) -> tuple[Path, ...]:
        return tuple((games / file.name).resolve() for file in files)

    loop = recipe.loop
    if minutes is not None:
        loop = replace(loop, max_minutes=minutes)
    if steps is not None:
        loop = replace(loop, steps=steps)
    sources = tuple(replace(source, files=found(source.files)) for source in recipe.sources)
    tests = tuple(replace(test, files=found(test.files)) for test in recipe.tests)
    return replace(recipe, loop=loop, sources=sources, tests=tests)


def carried(recipe: SupervisedRecipe) -> int:
    """How many bytes the games have together. `ConfigError` if they are not there, or too many to carry."""
    files = {file for source in recipe.sources for file in source.files}
    files |= {file for test in recipe.tests for file in test.files}
    missing = sorted(str(file) for file in files if not file.is_file())
    if missing:
        raise ConfigError(f"there is no games file {missing[0]}; name the folder of games with --games")
    total = sum(file.stat().st_size for file in files)
    if total > LARGEST:
        raise ConfigError(f"the games have {total / 2**20:.0f} MiB, and at most {LARGEST // 2**20} are to be carried")
    return total


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, and say what came out; 2 for a mistake."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=Path, default=Path("../shared/games"), help="the folder of the Parquet stores")
    parser.add_argument("--run", type=Path, default=Path("runs/policy-gpu"), help="the folder of the run")
    parser.add_argument("--recipe", type=Path, default=RECIPE, help="another recipe")
    parser.add_argument("--minutes", type=float, help="minutes of training (default: the recipe's)")
    parser.add_argument("--steps", type=int, help="at most so many steps (default: the recipe's)")
    given = parser.parse_args(arguments)
    try:
        recipe = here(supervised.load_recipe(given.recipe), given.games, given.minutes, given.steps)
        print(f"{carried(recipe) / 2**20:.1f} MiB of games", file=sys.stderr)
        path = given.run / "recipe.toml"
        config.save_toml(recipe, path)
        figures = supervised.main(path, given.run)
    except Move37Error as error:
        print(error, file=sys.stderr)
        return 2
    for name, value in figures.items():
        print(f"{name}: {value:.4f}")
    print(given.run / "network.safetensors")
    return 0


if __name__ == "__main__":
    sys.exit(main())
