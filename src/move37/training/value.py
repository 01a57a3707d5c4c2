"""AlphaGo's value network: squared error of the result, from one position of each game.

Positions of one game are nearly alike and share one result, so a network that sees all of them learns games by heart:
trained on all positions of games of people, AlphaGo's had an error of 0.19 on those games and 0.37 on others; on one
position each of 30 million games of its own, 0.226 and 0.234 (Silver et al., Nature 529 (2016), "Reinforcement learning
of value networks"). The games are those of `value_positions`, or games of people.

Data, loss and loop are those of `supervised`: a recipe with a network of the kind "value", whose sources say
`positions = "one"`. What is added here are the figures that show overfitting: the error on positions learned from, and
all errors by move number.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from torch import nn

from move37.errors import ConfigError
from move37.training import supervised
from move37.training.examples import Examples
from move37.training.held_out import PLIES, accuracy
from move37.training.run_folder import keep_recipe
from move37.training.supervised import SupervisedRecipe, held_out_examples, load_recipe, load_sources

LARGE_BOARD = 13
"""Beyond this size the errors are put together by `PLIES` moves, up to it by a third of them."""


def main(recipe_path: Path | str, run: Path | str, *, quiet: bool = False) -> dict[str, float]:
    """Train the value network of a recipe in the folder `run`, write `network.safetensors` there; its figures.

    Called again it goes on from the last checkpoint. ConfigError for a recipe of another kind of network.
    """
    recipe, folder = load_value_recipe(Path(recipe_path)), Path(run)
    keep_recipe(recipe, folder)
    sources, held = load_sources(recipe)
    tests = held_out_examples(recipe, held)
    learned = supervised.same_examples(recipe, sources, recipe.held_out_positions)
    figures = partial(value_figures, tests=tests | {"train": learned}, plies=plies_together(recipe.size))
    return supervised.train_network(recipe, (sources, held), figures, folder, quiet=quiet)


def load_value_recipe(path: Path) -> SupervisedRecipe:
    """The recipe at `path`; ConfigError if its network is no value network."""
    recipe = load_recipe(path)
    if recipe.network.kind != "value":
        raise ConfigError(
            f'{path}: its network is of the kind "{recipe.network.kind}"; a value network is one of kind = "value"'
        )
    return recipe


def plies_together(size: int) -> int:
    """How many moves the figures by move number put together on a board of this size."""
    return PLIES if size > LARGE_BOARD else PLIES // 3


def value_figures(module: nn.Module, tests: dict[str, list[Examples]], plies: int) -> dict[str, float]:
    """`value_error` and `value_sign` of each test, and the error by move number; a named one's name comes first.

    Keys are like "value_error", "value_error_61-120", "train_value_error".
    """
    figures: dict[str, float] = {}
    for test, batches in tests.items():
        prefix = f"{test}_" if test else ""
        found = accuracy(module, batches, plies=plies)
        bands = {f"value_error_{band}": error for band, error in found.by_move.get("value_error", {}).items()}
        figures |= {prefix + name: figure for name, figure in (found.figures | bands).items()}
    return figures
