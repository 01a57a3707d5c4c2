"""Rollout policies for tests: the patterns of some positions, some left out, with random weights."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from move37.features.rollout_policy import FeatureSet, Patterns, RolloutPolicy, RolloutSpec
from move37.rules.position import Position
from tests.support.slow_rollout_features import PLACES, SlowFeatures, least

NONE = np.empty(0, np.int64)


def empty_policy(features: FeatureSet = "paper") -> RolloutPolicy:
    """A policy without patterns, all of its weights 0."""
    patterns = Patterns(NONE, NONE, NONE, NONE)
    return RolloutPolicy(
        RolloutSpec("empty", features),
        patterns,
        np.zeros(patterns.first_diamond, np.float32),
        np.zeros(patterns.features, np.float32),
    )


def policy_of(
    positions: Iterable[Position], rng: np.random.Generator, features: FeatureSet = "paper", size: int = 9
) -> RolloutPolicy:
    """A policy that knows two patterns of three of what is seen in the positions."""
    seen: tuple[set[int], ...] = (set(), set(), set(), set())
    for position in positions:
        slow = SlowFeatures(empty_policy(features), position)
        for point in slow.view.points:
            seen[2].add(slow.shape_code(point))
            seen[3].add(least(slow.codes(point, PLACES)))
        if slow.last is not None:
            seen[1].add(slow.answer_code(slow.last))
        seen[0].update(slow.nakade_key(point) for point in slow.taken)
    known = [np.array(sorted(code for code in one if rng.random() < 2 / 3), np.int64) for one in seen]
    if features == "article":
        known[0] = known[1] = NONE
    patterns = Patterns(*known)
    weights = rng.normal(size=(2, patterns.features)).astype(np.float32)
    return RolloutPolicy(
        RolloutSpec("random", features, size), patterns, weights[0, : patterns.first_diamond], weights[1]
    )
