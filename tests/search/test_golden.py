"""Golden trees of the PUCT search and of KataGo's, one for each of their variants."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from move37.rules.position import Position
from move37.search import AnySearch, KataGoConfig, KataGoSearch, Search, SearchConfig, SearchResult
from move37.search.restriction import Restriction
from tests.support.positions import random_position
from tests.support.slow_katago_values import ScoredHashEvaluator

FOLDER = Path(__file__).parents[1] / "golden" / "search"
ALPHAZERO: dict[str, Any] = {"c_puct": 1.25, "c_base": 19652.0}
PUCT: dict[str, dict[str, Any]] = {
    "default": {},
    "alphazero": ALPHAZERO,
    "growing": {"c_puct": 1.25, "c_base": 50.0},
    "parent": {"fpu_reduction": 0.0},
    "loss": {"fpu_value": -1.0},
    "draw": {"fpu_value": 0.0},
    "batch": {"batch": 16},
    "three losses": {"batch": 16, "virtual_loss_kind": "loss", "virtual_loss": 3.0},
    "lost": {"batch": 16, "virtual_loss_kind": "loss"},
    "forced": {"forced_playouts": 2.0, "noise_fraction": 0.25},
    "value": {"choice": "value"},
    "article": {"choice": "article"},
    "lcb": {"choice": "lcb"},
    "pruned": {"memory_mb": 0.0303},
}
KATAGO: dict[str, dict[str, Any]] = {
    "default": {},
    "tree": {"graph": False},
    "graph": {"repetition_bound": 0},
    "batch": {"batch": 16},
    "self-play": {"noise_fraction": 0.25, "root_policy_temperature": 1.25, "root_fpu_reduction": 0.0},
    "wide": {"wide_root_noise": 0.04},
    "pruned": {"memory_mb": 0.0764},
}


def positions() -> list[Position]:
    rng = np.random.default_rng(7)
    return [Position(rows=5, cols=4, komi=0.5), *(random_position(rng, 5, 4, moves) for moves in (9, 24))]


def numbers(values: Any) -> dict[str, float]:
    return {str(move): round(float(values[move]), 4) for move in np.flatnonzero(np.isfinite(values))}


def summary(result: SearchResult) -> dict[str, Any]:
    """What a golden file keeps of a search."""
    analysis: Any = result.analysis
    return {
        "move": result.move,
        "visits": {str(move): int(result.visits[move]) for move in np.flatnonzero(result.visits)},
        "q": numbers(result.q),
        "lcbs": numbers(analysis.lcbs),
        "leads": numbers(analysis.leads),
        "value": round(result.value, 4),
        "lead": round(analysis.lead, 3),
        "variation": list(result.variation),
        "nodes": result.nodes,
        "pruned": result.pruned,
    } | ({} if result.target_visits is None else {"target": result.target_visits.tolist()})


def compare(path: Path, name: str, search: Callable[[], AnySearch], update: bool) -> None:
    searches = [search() for _ in range(4)]
    results = [one.run(position, 300) for one, position in zip(searches, positions(), strict=False)]
    only = [Restriction(int(positions()[0].board["to_play"]), (5, 6, 7, 8), until_depth=3, only=True)]
    results.append(searches[-1].run(positions()[0], 100, only))
    found = [summary(result) for result in results]
    golden: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    if update:
        golden[name] = found
        path.write_text(json.dumps(golden, indent=1) + "\n", encoding="utf-8")
    assert found == golden[name]


@pytest.mark.parametrize("name", PUCT)
def test_golden_trees_of_puct(name: str, update_golden: bool) -> None:
    options: dict[str, Any] = {"batch": 1} | PUCT[name]
    config = SearchConfig(**options)
    rng = np.random.default_rng
    compare(FOLDER / "puct.json", name, lambda: Search(ScoredHashEvaluator(), config, rng(3)), update_golden)


@pytest.mark.parametrize("name", KATAGO)
def test_golden_trees_of_katagos_search(name: str, update_golden: bool) -> None:
    options: dict[str, Any] = {"batch": 1} | KATAGO[name]
    config = KataGoConfig(**options)
    rng = np.random.default_rng
    compare(FOLDER / "katago.json", name, lambda: KataGoSearch(ScoredHashEvaluator(), config, rng(3)), update_golden)


def test_the_variants_differ() -> None:
    """Rules of choice leave the tree as it is; and on so small a board no position is safe from repetition."""
    for name, same in (("puct.json", {"value", "article", "lcb"}), ("katago.json", {"tree"})):
        golden = json.loads((FOLDER / name).read_text(encoding="utf-8"))
        found = [[(tree["visits"], tree["nodes"]) for tree in golden[variant]] for variant in golden]
        distinct = {json.dumps(trees) for trees in found}
        assert len(distinct) == len(golden) - len(same)
        assert all(golden[variant][0]["visits"] == golden["default"][0]["visits"] for variant in same)
        assert sum(tree["pruned"] for tree in golden["pruned"]) > 0
