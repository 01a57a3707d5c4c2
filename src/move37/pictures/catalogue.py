"""Every picture by name: what it shows, where the course has it, which file does the idea, and how it is made.

`move37 show`, the docs and their tests read this table; a new picture is a new line here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from move37.errors import ConfigError
from move37.pictures import makers
from move37.pictures.drawing import Picture
from move37.pictures.request import Request

__all__ = ["CATALOGUE", "Entry", "draw", "option"]


@dataclass(frozen=True)
class Entry:
    """A picture.

    name: as on the command line. shows: in a few words. course: the article and the concept picture's letter and
    number. idea: the file that does it, below the package. uses: the parts of a `Request` that it looks at.
    """

    name: str
    shows: str
    course: str
    idea: str
    make: Callable[[Request], Picture]
    uses: tuple[str, ...]


_POSITION: Final = ("source", "moves", "play", "size", "komi", "rules")
_NETWORK: Final = (*_POSITION, "net")

_ENTRIES: Final = (
    Entry(
        "board", "a position with coordinates, move numbers, labels and marks", "000",
        "rules/position.py", makers.board, (*_POSITION, "numbers", "labels", "marks"),
    ),
    Entry(
        "matrix", "the board beside the matrix that stands for it", "000, A1",
        "rules/records.py", makers.matrix, _POSITION,
    ),
    Entry(
        "zobrist", "the 64 bits of the hash, and which of them each move flips", "000, A2",
        "rules/board_kernels.py", makers.zobrist, (*_POSITION, "most"),
    ),
    Entry(
        "strings", "strings as a disjoint-set forest: find, union, capture", "000",
        "pictures/forest.py", makers.strings, _POSITION,
    ),
    Entry(
        "symmetries", "the policy in all eight symmetries, turned back, and their mean", "000, A5",
        "rules/symmetry.py", makers.symmetries, _NETWORK,
    ),
    Entry(
        "planes", "the planes of any encoder, each with its meaning", "000, 001, A8",
        "features/meanings.py", makers.planes, (*_POSITION, "encoder", "only"),
    ),
    Entry(
        "scaling", "a count raw, divided, standardised and one-hot", "001, A10",
        "features/alphago.py", makers.scaling, _POSITION,
    ),
    Entry(
        "zero-planes", "the 17 planes of Zero beside AlphaGo’s 48", "001, E3",
        "features/zero.py", makers.zero_planes, _POSITION,
    ),
    Entry(
        "heatmap", "where the policy would play, with temperature", "002, E1",
        "search/evaluator.py", makers.heatmap, (*_NETWORK, "temperature"),
    ),
    Entry(
        "stages", "the policy in the opening, a fight and the endgame of a game", "002, E1",
        "search/evaluator.py", makers.stages, (*_NETWORK, "temperature"),
    ),
    Entry(
        "convolution", "one convolution step by step: patch, weights, sum", "002, D1",
        "nets/ops.py", makers.convolution, (*_NETWORK, "at", "only"),
    ),
    Entry(
        "filters", "the weights of any convolution", "002, D9",
        "nets/graph.py", makers.filters, ("net", "size", "layer", "only"),
    ),
    Entry(
        "activations", "what the channels of any layer answer to a position", "002, D9",
        "nets/tap.py", makers.activations, (*_NETWORK, "layer", "only", "most"),
    ),
    Entry(
        "batch", "a training batch: targets, probabilities, loss", "002, D3",
        "training/examples.py", makers.batch, (*_NETWORK, "most"),
    ),
    Entry(
        "gradient", "the policy gradient of a won and of a lost game", "002, H4",
        "training/reinforce.py", makers.gradient, (*_NETWORK, "at"),
    ),
    Entry(
        "patterns", "the patterns of a rollout policy, and what it would play", "002",
        "features/rollout_policy.py", makers.patterns, (*_NETWORK, "most"),
    ),
    Entry(
        "curves", "the training curves of a run", "002",
        "training/run_log.py", makers.curves, ("source", "only"),
    ),
    Entry(
        "phases", "the four phases of one simulation", "004, C5",
        "search/ucb1_phases.py", makers.phases, (*_POSITION, "simulation", "seed"),
    ),
    Entry(
        "scores", "a node’s moves by UCB1, PUCT and AlphaGo’s mix", "004",
        "search/tree_view.py", makers.scores, (*_NETWORK, "rule", "visits", "seed"),
    ),
    Entry(
        "tree", "the search tree: size by visits, the best path, N and Q", "004",
        "search/tree.py", makers.tree, (*_NETWORK, "rule", "visits", "seed", "most"),
    ),
    Entry(
        "virtual-loss", "a batch of simulations under way", "004",
        "search/puct_kernels.py", makers.virtual_loss, (*_NETWORK, "visits", "seed", "most"),
    ),
    Entry(
        "game", "win rate, lead and mistakes of a whole game", "–",
        "analysis/review_graph.py", makers.game, ("source", "net", "player", "visits", "rules", "komi"),
    ),
)  # fmt: skip

CATALOGUE: Final[dict[str, Entry]] = {entry.name: entry for entry in _ENTRIES}
"""All pictures in the order of the course."""


def draw(name: str, request: Request) -> Picture:
    """The picture called `name`; ConfigError for an unknown name and for parts that the picture does not use."""
    entry = CATALOGUE.get(name)
    if entry is None:
        raise ConfigError(f"there is no picture {name!r:.40}; there are {', '.join(CATALOGUE)}")
    unused = sorted(request.given() - set(entry.uses))
    if unused:
        used = ", ".join(option(one) for one in entry.uses)
        raise ConfigError(f"the picture {name} has no use for {option(unused[0])}; it uses {used}")
    picture = entry.make(request)
    return replace(picture, heading=request.heading or picture.heading, caption=request.caption or picture.caption)


def option(part: str) -> str:
    """How a part of a `Request` is called on the command line."""
    return {"source": "a file", "labels": "--label", "marks": "--mark"}.get(part, f"--{part}")
