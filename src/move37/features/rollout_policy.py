"""A linear softmax over moves by patterns: AlphaGo's rollout policy of 2016, and its tree policy beside it.

Weights belong to features, a move's logit is the sum of its features' weights. Features are numbered: first those with
names (`rollout_feature_kernels`), then the patterns in the order of this file: nakade, answers to the last move, 3x3
shapes, and diamonds, which the tree policy alone has. One shape and one diamond stand for all that are not listed.

Patterns are codes of `neighbourhood_kernels`, the player to move being Black, the least of their eight forms; places of
an answer that a symmetry of its diamond exchanges are one feature. Files are read by `nets.linear`; mining and training
are in `training.rollout`.

Two sets of features. "paper": Silver et al. 2016, Extended Data Table 4. "article": the course's light policy: 3x3
shapes of colours alone, corner and edge, big points, atari, ladder, response.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.features.neighbourhood_kernels import (
    NO_KEY,
    PLACES,
    SMALL,
    STONES_ONLY,
    SYMMETRIES,
    TURNED_PLACES,
    fill_slots,
    forms,
    least,
    other_side,
)
from move37.features.rollout_around_kernels import NO_FEATURE, PatternTables
from move37.features.rollout_feature_kernels import NAMED

__all__ = ["FEATURE_SETS", "FeatureSet", "Patterns", "RolloutPolicy", "RolloutSpec", "pattern_tables"]

FeatureSet = Literal["paper", "article"]
FEATURE_SETS: Final[tuple[str, ...]] = get_args(FeatureSet)
MOST_PATTERNS: Final = 1_000_000
"""Of a kind: what no game needs, and no memory fears."""


@dataclass(frozen=True)
class Patterns:
    """The mined patterns, each kind in ascending order, int64: `nakade[N]`, `answers[D]`, `shapes[S]`, `diamonds[T]`.

    `ConfigError` if they are no such lists.
    """

    nakade: NDArray[np.int64]
    answers: NDArray[np.int64]
    shapes: NDArray[np.int64]
    diamonds: NDArray[np.int64]

    def __post_init__(self) -> None:
        for name, limit in (("nakade", 2**49), ("answers", 2**52), ("shapes", 2**32), ("diamonds", 2**48)):
            keys = getattr(self, name)
            ordered = keys.ndim == 1 and bool((np.diff(keys) > 0).all())
            if not ordered or len(keys) > MOST_PATTERNS or (len(keys) and not 0 <= keys[0] <= keys[-1] < limit):
                raise ConfigError(f"the patterns {name!r} are no ascending codes below {limit}")

    @cached_property
    def answer_ids(self) -> NDArray[np.int32]:
        """int32[D, 12]: the feature of an answer at each place, NO_FEATURE where there is a stone or an edge."""
        turned = np.array([_forms(code) for code in self.answers.tolist()], np.int64).reshape(-1, SYMMETRIES)
        same = turned == self.answers[:, None]
        first = np.tile(np.arange(PLACES), (len(self.answers), 1))  # the least place that a symmetry makes it
        for symmetry in range(SYMMETRIES):
            # A place goes where the symmetry takes it; where the diamond stays the same, the two are one feature.
            first = np.where(same[:, symmetry, None], np.minimum(first, TURNED_PLACES[symmetry]), first)
        empty = (self.answers[:, None] >> 4 * np.arange(PLACES) & 15) == 0
        own = empty & (first == np.arange(PLACES))
        ids = np.cumsum(own.ravel()).reshape(own.shape) - 1 + self.first_answer
        shared = np.take_along_axis(ids, first, axis=1)
        return np.where(empty, shared, NO_FEATURE).astype(np.int32)

    @property
    def first_nakade(self) -> int:
        """The first feature that is a nakade."""
        return NAMED

    @property
    def first_answer(self) -> int:
        """The first feature that is an answer."""
        return self.first_nakade + len(self.nakade)

    @cached_property
    def first_shape(self) -> int:
        """The first feature that is a 3x3 shape; the last of them stands for all others."""
        return int(self.answer_ids.max(initial=self.first_answer - 1)) + 1

    @property
    def first_diamond(self) -> int:
        """The first feature that is a diamond, and the number of features of a rollout policy."""
        return self.first_shape + len(self.shapes) + 1

    @property
    def features(self) -> int:
        """The number of features of a tree policy."""
        return self.first_diamond + len(self.diamonds) + 1

    def counts(self) -> dict[str, int]:
        """How many patterns there are of each kind; an answer is a diamond with a place."""
        return {
            "nakade": len(self.nakade),
            "responses": self.first_shape - self.first_answer,
            "response diamonds": len(self.answers),
            "shapes": len(self.shapes),
            "diamonds": len(self.diamonds),
        }


@dataclass(frozen=True)
class RolloutSpec:
    """What a policy is: its name, its set of features, the board size of its games, how it was trained (plain JSON)."""

    name: str
    features: FeatureSet = "paper"
    size: int = 19
    training: dict[str, Any] = field(default_factory=dict[str, Any], compare=False)

    def __post_init__(self) -> None:
        if self.features not in FEATURE_SETS:
            raise ConfigError(f"there is no set of features {self.features!r:.40}; there are {', '.join(FEATURE_SETS)}")
        if not 1 <= self.size <= 19:
            raise ConfigError(f"a board has a size of 1 to 19, not {self.size}")


@dataclass(frozen=True)
class RolloutPolicy:
    """A trained policy: `rollout` float32[first_diamond] and `tree` float32[features] (or empty: no tree policy)."""

    spec: RolloutSpec
    patterns: Patterns
    rollout: NDArray[np.float32]
    tree: NDArray[np.float32]

    def __post_init__(self) -> None:
        if self.rollout.shape != (self.patterns.first_diamond,):
            raise ConfigError(
                f"{self.patterns.first_diamond} weights belong to these patterns, not {self.rollout.size}"
            )
        if self.tree.size and self.tree.shape != (self.patterns.features,):
            raise ConfigError(f"{self.patterns.features} weights belong to a tree policy, not {self.tree.size}")
        if not (np.isfinite(self.rollout).all() and np.isfinite(self.tree).all()):
            raise ConfigError("a weight is NaN or infinite")

    @property
    def has_tree(self) -> bool:
        """Whether there are weights of a tree policy."""
        return self.tree.size > 0

    @cached_property
    def tables(self) -> PatternTables:
        """What kernels look patterns up in."""
        return pattern_tables(self.patterns, self.spec.features)


def pattern_tables(patterns: Patterns, features: FeatureSet) -> PatternTables:
    """The tables of some patterns as kernels read them."""
    mask = STONES_ONLY & SMALL if features == "article" else SMALL
    other_shape = patterns.first_diamond - 1
    shape_keys, shape_ids = _shape_table(patterns, other_shape)
    answer_keys, answer_rows = _table(patterns.answers, 0)
    nakade_keys, nakade_ids = _table(patterns.nakade, patterns.first_nakade)
    diamond_keys, diamond_ids = _table(patterns.diamonds, patterns.first_diamond)
    return PatternTables(
        mask=mask,
        article=features == "article",
        other_shape=other_shape,
        other_diamond=patterns.features - 1,
        shape_keys=shape_keys,
        shape_ids=shape_ids,
        answer_keys=answer_keys,
        answer_rows=answer_rows,
        answer_ids=patterns.answer_ids,
        nakade_keys=nakade_keys,
        nakade_ids=nakade_ids,
        diamond_keys=diamond_keys,
        diamond_ids=diamond_ids,
    )


def _shape_table(patterns: Patterns, other: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Hashed keys int64[2^n] of the shapes as Black and as White sees them, and their features int32[2^n, 2]."""
    whites = np.array([least(other_side(code)) for code in patterns.shapes.tolist()], np.int64)
    both = np.unique(np.concatenate([patterns.shapes, whites]))
    keys, slots = _hashed(both)
    ids = np.full((len(keys), 2), other, np.int32)
    order = np.argsort(whites)
    for side, own, features in ((0, patterns.shapes, np.arange(len(whites))), (1, whites[order], order)):
        ids[slots[np.searchsorted(both, own)], side] = features + patterns.first_shape
    return keys, ids


def _table(entries: NDArray[np.int64], first: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Hashed keys int64[2^n] of some entries, and their numbers int32[2^n] from `first` on."""
    keys, slots = _hashed(entries)
    ids = np.full(len(keys), NO_FEATURE, np.int32)
    ids[slots] = np.arange(first, first + len(entries))
    return keys, ids


def _hashed(entries: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """A hash table of int64[2^n] keys, at most half full, and the slot of each entry."""
    keys = np.full(1 << max(1, (2 * len(entries)).bit_length()), NO_KEY, np.int64)
    slots = np.empty(len(entries), np.int64)
    fill_slots(keys, entries, slots)
    return keys, slots


def _forms(code: int) -> NDArray[np.int64]:
    out = np.empty(SYMMETRIES, np.int64)
    forms(code, out)
    return out
