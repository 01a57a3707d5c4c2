"""Which search belongs to which options: the one table from a configuration to a search over an evaluator.

It knows no players. A search's own code is imported when the first of its kind is made, so that a session which never
uses it never waits for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from move37.errors import PlayerError
from move37.search.evaluator import Evaluator
from move37.search.root import AnySearch

__all__ = ["new_search"]


def _puct(evaluator: Evaluator, config: Any, rng: np.random.Generator) -> AnySearch:
    from move37.search.root import Search

    return Search(evaluator, config, rng)


def _katago(evaluator: Evaluator, config: Any, rng: np.random.Generator) -> AnySearch:
    from move37.search.katago_search import KataGoSearch

    return KataGoSearch(evaluator, config, rng)


def _mixed(evaluator: Evaluator, config: Any, rng: np.random.Generator) -> AnySearch:
    from move37.search.mixed_search import MixedSearch

    return MixedSearch(evaluator, config, rng)


def _uct(evaluator: Evaluator, config: Any, rng: np.random.Generator) -> AnySearch:
    from move37.search.ucb1_search import UctSearch

    return UctSearch(evaluator, config, rng)


def _gumbel(evaluator: Evaluator, config: Any, rng: np.random.Generator) -> AnySearch:
    from move37.search.gumbel_search import GumbelSearch

    return GumbelSearch(evaluator, config, rng)


_MAKERS: Mapping[str, Callable[[Evaluator, Any, np.random.Generator], AnySearch]] = MappingProxyType(
    {
        "SearchConfig": _puct,
        "KataGoConfig": _katago,
        "MixedConfig": _mixed,
        "UctConfig": _uct,
        "GumbelConfig": _gumbel,
    }
)
"""Searches by the name of their options' class, which need not be imported to be found here."""


def new_search(evaluator: Evaluator, config: object, rng: np.random.Generator) -> AnySearch:
    """A fresh search with the options `config` (`SearchConfig`, `KataGoConfig`, ...) over `evaluator`.

    `PlayerError` for options that no search here has.
    """
    kind = type(config).__name__
    if kind not in _MAKERS:
        raise PlayerError(f"there is no search with options of {kind}: use {', '.join(_MAKERS)}")
    return _MAKERS[kind](evaluator, config, rng)
