"""The compiled mixed search against its slow twin, and the invariants of a tree."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from move37.rules.position import Position
from move37.search.mixed import MixedConfig
from move37.search.mixed_search import MixedSearch
from move37.search.mixed_trees import MixedTrees
from move37.search.two_networks import TwoNetworks
from tests.support.positions import random_position
from tests.support.slow_mixed import HashRollouts, HashWeights, SlowMixed, SlowMixedNode, all_mixed_nodes
from tests.support.slow_search import HashEvaluator

GOLDEN = Path(__file__).parents[1] / "golden" / "search" / "mixed.json"
BASE = MixedConfig(threshold=3, wave=4, batch=4)
CONFIGS = {
    "one at a time": replace(BASE, wave=1, batch=1, dynamic=False),
    "waves": BASE,
    "a slow network": replace(BASE, wave=8, batch=1),
    "a fast network": replace(BASE, wave=4, batch=16, threshold=6),
    "values alone": replace(BASE, mix=0.0),
    "rollouts alone": replace(BASE, mix=1.0),
    "no policy": replace(BASE, policy=False),
    "values, no policy": replace(BASE, mix=0.0, policy=False),
    "rollouts, no policy": replace(BASE, mix=1.0, policy=False),
    "at once": replace(BASE, threshold=0, mix=0.3, c_puct=1.0, virtual_loss=1.0, beta=1.5),
    "short games": replace(BASE, move_limit=6, wave=3),
}
RULES: list[Any] = [
    "tromp-taylor",
    "chinese",
    {"ko": "simple", "suicide": True},
    {"ko": "situational", "suicide": True},
]


def searched(
    position: Position, config: MixedConfig, visits: int, two: bool
) -> tuple[MixedSearch, MixedTrees, SlowMixedNode, SlowMixed]:
    """The same search, compiled and slow."""
    policy, value = HashEvaluator(), HashEvaluator(0.5) if two else None
    evaluator = policy if value is None else TwoNetworks(policy, value)
    search = MixedSearch(evaluator, config, rollouts=HashRollouts(), tree_policy=HashWeights())
    search.run(position, visits)
    slow = SlowMixed(policy, value, config, HashRollouts(), HashWeights())
    root = slow.run(position, visits)
    trees = search.trees
    assert isinstance(trees, MixedTrees)
    return search, trees, root, slow


def compare(trees: MixedTrees, root: SlowMixedNode) -> None:
    """Every node of both trees, with all its statistics."""
    nodes = all_mixed_nodes(root)
    assert trees.count == len(nodes)
    waiting = [(int(trees.roots[0]), root)]
    while waiting:
        index, slow = waiting.pop()
        node, extra = trees.nodes[index], trees.mixed[index]
        assert (node["visits"], extra["values"], node["pending"]) == (slow.rollouts, slow.values, slow.under_way)
        assert node["value_sum"] == pytest.approx(slow.rollout_sum)
        assert extra["value_sum"] == pytest.approx(slow.value_sum)
        children: dict[int, int] = {}
        child = int(node["first_child"])
        while child >= 0:
            children[int(trees.nodes[child]["action"])] = child
            child = int(trees.nodes[child]["next_sibling"])
        assert list(children) == list(slow.children)
        waiting += [(children[action], below) for action, below in slow.children.items()]


def kept(search: MixedSearch) -> dict[str, Any]:
    """What the golden file keeps of a search."""
    result = search.snapshot()
    trees = search.trees
    assert isinstance(trees, MixedTrees) and result.analysis is not None
    moves = [int(move) for move in np.flatnonzero(result.visits)]
    return {
        "visits": {str(move): int(result.visits[move]) for move in moves},
        "q": {str(move): round(float(result.q[move]), 4) for move in moves},
        "root": [int(trees.nodes[0]["visits"]), int(trees.mixed[0]["values"])],
        "value": round(result.value, 4),
        "lead": round(result.analysis.lead, 3) if np.isfinite(result.analysis.lead) else None,
        "variation": list(result.variation),
        "nodes": result.nodes,
        "evaluations": result.evaluations,
        "threshold": int(trees.params["threshold"]),
    }


def golden_searches() -> dict[str, Any]:
    """Searches with the light rollouts and the light tree policy, which the slow twin does not have."""
    found: dict[str, Any] = {}
    for name, config in CONFIGS.items():
        position = random_position(np.random.default_rng(len(name)), 6, 5, 9, RULES[len(name) % len(RULES)])
        search = MixedSearch(HashEvaluator(), replace(config, threads=1), np.random.default_rng(7))
        search.run(position, 300)
        found[name] = kept(search)
    return found


def test_golden_trees(update_golden: bool) -> None:
    found = golden_searches()
    if update_golden:
        GOLDEN.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    assert found == json.loads(GOLDEN.read_text(encoding="utf-8"))


@pytest.mark.parametrize("two", [False, True], ids=["one network", "two networks"])
@pytest.mark.parametrize("name", CONFIGS)
def test_the_compiled_search_does_what_the_slow_one_does(name: str, two: bool) -> None:
    position = random_position(np.random.default_rng(len(name)), 3, 4, 3, RULES[len(name) % len(RULES)])
    _, trees, root, slow = searched(position, CONFIGS[name], 150, two)
    compare(trees, root)
    assert trees.params["threshold"] == slow.threshold
