"""What a searching player puts around a network: symmetries, and a cache of evaluations."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from move37.errors import PlayerError
from move37.search.evaluator import Evaluator

__all__ = ["SYMMETRIES", "wrapper"]

SYMMETRIES = ("random", "mean", "none")
"""How a search shows positions to its network: each turned at random, all ways at once, or as they are."""


def wrapper(symmetry: str, rng: np.random.Generator, cache: int) -> Callable[[Evaluator], Evaluator]:
    """What wraps a network so that it sees each position once, turned as `symmetry` says; PlayerError for others."""
    if symmetry not in SYMMETRIES:
        raise PlayerError(f"there is no symmetry {symmetry!r}: use {', '.join(SYMMETRIES)}")

    def wrap(network: Evaluator) -> Evaluator:
        from move37.evaluators.cached import CachedEvaluator
        from move37.evaluators.symmetric import SymmetricEvaluator

        if symmetry == "random":
            network = SymmetricEvaluator(network, mode="random", rng=rng)
        elif symmetry == "mean":
            network = SymmetricEvaluator(network, mode="mean")
        return CachedEvaluator(network, capacity=cache)

    return wrap
