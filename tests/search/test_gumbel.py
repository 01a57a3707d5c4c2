"""Gumbel AlphaZero: its plan, its rules against the slow twin and mctx, what its policy improves, and what it keeps."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.rules.position import Position
from move37.search import ConstantEvaluator, Evaluations, limit
from move37.search.gumbel import GumbelConfig, considered_visits
from move37.search.gumbel_search import GumbelResult, GumbelSearch
from move37.search.gumbel_trees import GumbelTrees
from move37.search.limits import Progress
from move37.search.restriction import Restriction
from tests.search.test_puct import check_tree
from tests.support.positions import random_position
from tests.support.slow_gumbel import GoModel, HashModel, SlowGumbel, plan
from tests.support.slow_search import HashEvaluator, all_nodes

DATA = Path(__file__).parents[1] / "data"
GOLDEN = Path(__file__).parents[1] / "golden" / "search" / "gumbel.json"
BOARDS = [(1, 4), (2, 2), (2, 3), (3, 3), (4, 3), (5, 5)]
CONFIGS = [
    GumbelConfig(batch=1),
    GumbelConfig(batch=1, considered=4, c_scale=0.1, noise=1.0),
    GumbelConfig(batch=1, considered=1),
    GumbelConfig(batch=1, considered=3, c_visit=5.0, noise=0.5),
]


def result_of(
    position: Position, visits: int, config: GumbelConfig | None = None, seed: int = 3
) -> tuple[GumbelResult, GumbelTrees]:
    """A search by `HashEvaluator`."""
    search = GumbelSearch(HashEvaluator(), config, np.random.default_rng(seed))
    result = search.run(position, limit(visits))
    assert isinstance(result, GumbelResult)
    assert isinstance(search.trees, GumbelTrees)
    return result, search.trees


# ---------------------------------------------------------------------------------------------------- the plan


@pytest.mark.parametrize("considered", range(1, 20))
@pytest.mark.parametrize("simulations", [1, 2, 5, 16, 50, 333])
def test_the_plan_is_that_of_sequential_halving(considered: int, simulations: int) -> None:
    visits, starts = considered_visits(considered, simulations)
    assert visits.tolist() == plan(considered, simulations)
    assert starts[0]


def test_sixteen_moves_are_halved_to_two_with_equal_shares() -> None:
    visits, starts = considered_visits(16, 64)
    assert np.flatnonzero(starts).tolist() == [0, 16, 32, 48]
    assert [int((visits[a:b] == visits[a]).sum()) for a, b in ((0, 16), (16, 32), (32, 48), (48, 64))] == [16, 8, 4, 2]


# --------------------------------------------------------------------------------------------------- the twins


@pytest.mark.parametrize("case", json.loads((DATA / "mctx_gumbel.json").read_text("utf-8")), ids=lambda c: c["state"])
def test_the_slow_search_is_that_of_the_authors_library(case: dict[str, object]) -> None:
    """mctx 0.0.71, gumbel_muzero_policy without rescaling of values, over the same made-up game in float32."""
    actions, config = (
        int(str(case["actions"])),
        GumbelConfig(considered=int(str(case["considered"])), c_scale=float(str(case["c_scale"]))),
    )
    drawn: list[float] = np.array(case["noise"], np.float64).tolist()
    noise = dict(enumerate(drawn))
    root, action = SlowGumbel(HashModel(actions), config).run(
        int(str(case["state"])), int(str(case["simulations"])), noise
    )
    assert [root.count(move) for move in range(actions)] == case["visits"]
    assert action == case["action"]
    improved = root.improved(config)
    np.testing.assert_allclose([improved[move] for move in range(actions)], np.array(case["improved"]), atol=2e-3)


@pytest.mark.parametrize(("rows", "cols"), BOARDS)
@pytest.mark.parametrize("config", CONFIGS)
def test_the_compiled_search_does_what_the_slow_one_does(rows: int, cols: int, config: GumbelConfig) -> None:
    position = random_position(np.random.default_rng(rows * 10 + cols), rows, cols, 3)
    result, trees = result_of(position, 121, config)
    noise = {move: float(number) for move, number in enumerate(trees.noise[0])}
    root, action = SlowGumbel(GoModel(HashEvaluator()), config).run(position, 120, noise)
    assert result.visits.tolist() == [root.count(move) for move in range(rows * cols + 1)]
    assert result.move == action
    improved = root.improved(config)
    target = result.policy_target()
    np.testing.assert_allclose([target[move] for move in improved], list(improved.values()), atol=1e-5)
    assert result.value == pytest.approx(sum(improved[move] * root.completed(move) for move in improved), abs=1e-5)
    assert result.nodes == len(all_nodes(root))  # type: ignore[arg-type]


def test_golden_trees(update_golden: bool) -> None:
    found: list[dict[str, Any]] = []
    for config in (GumbelConfig(), GumbelConfig(batch=4, noise=1.0), GumbelConfig(considered=4, c_scale=0.1)):
        for moves in (0, 14):
            result, _ = result_of(random_position(np.random.default_rng(3), 5, 4, moves), 150, config)
            found.append(
                {
                    "visits": {str(move): int(result.visits[move]) for move in np.flatnonzero(result.visits)},
                    "move": result.move,
                    "value": round(result.value, 4),
                    "variation": list(result.variation),
                    "nodes": result.nodes,
                }
            )
    if update_golden:
        GOLDEN.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    assert found == json.loads(GOLDEN.read_text(encoding="utf-8"))


# ------------------------------------------------------------------------------------------------- improvement


class TableEvaluator:
    """Values of the root's moves from a table: of a position, by its last move; below, nobody is ahead."""

    def __init__(self, logits: NDArray[np.float32], values: NDArray[np.float32]) -> None:
        self.logits = logits
        self.values = values

    def evaluate(self, boards: NDArray[np.void]) -> Evaluations:
        """The table's logits at the root, equal ones below."""
        value = np.zeros(len(boards), np.float32)
        policy = np.zeros((len(boards), len(self.logits)), np.float32)
        for i, board in enumerate(boards):
            if board["move_number"] == 0:
                policy[i] = self.logits
                value[i] = self.values @ np.exp(self.logits) / np.exp(self.logits).sum()
            elif board["move_number"] == 1:
                value[i] = -self.values[board["last_moves"][0]]
        return Evaluations(policy, value)


@pytest.mark.parametrize("simulations", [2, 4, 8])
def test_the_improved_policy_is_worth_more_than_the_prior(simulations: int) -> None:
    """The paper's theorem, for exact values of the moves (each visited once): Σ π' q >= Σ π q."""
    rng = np.random.default_rng(simulations)
    gains: list[float] = []
    for _ in range(40):
        logits, values = rng.normal(size=10).astype(np.float32), rng.uniform(-0.9, 0.9, 10).astype(np.float32)
        config = GumbelConfig(considered=simulations, noise=1.0)
        search = GumbelSearch(TableEvaluator(logits, values), config, rng)
        result = search.run(Position(size=3, komi=0.5), limit(simulations + 1))
        assert result.visits.max() == 1
        gains.append(float((result.policy_target() - result.priors) @ values))
    # Unvisited moves share one estimate, so that a single draw may lose; all together they gain much.
    assert float(np.mean(gains)) > 0.05
    assert float(np.mean(np.array(gains) > 0)) > 0.8


def test_the_chosen_move_is_worth_more_than_a_move_of_the_policy() -> None:
    """E q(chosen) >= E q(π) also with two simulations, where a search by visits follows the prior alone."""
    rng = np.random.default_rng(5)
    chosen: list[float] = []
    drawn: list[float] = []
    for _ in range(150):
        logits, values = rng.normal(size=10).astype(np.float32), rng.uniform(-0.9, 0.9, 10).astype(np.float32)
        search = GumbelSearch(TableEvaluator(logits, values), GumbelConfig(considered=2, noise=1.0), rng)
        result = search.run(Position(size=3, komi=0.5), limit(3))
        chosen.append(float(values[result.move]))
        drawn.append(float(result.priors @ values))
    assert np.mean(chosen) > np.mean(drawn) + 0.1


def test_with_every_move_visited_the_improved_policy_is_exact() -> None:
    logits, values = np.zeros(10, np.float32), np.linspace(-0.9, 0.9, 10).astype(np.float32)
    search = GumbelSearch(TableEvaluator(logits, values), GumbelConfig(c_scale=0.05))
    result = search.run(Position(size=3, komi=0.5), limit(11))
    expected = np.exp(51 * 0.05 * values)
    np.testing.assert_allclose(result.policy_target(), expected / expected.sum(), rtol=1e-4)
    assert result.move == 9


# ------------------------------------------------------------------------------------------------- the search


@pytest.mark.parametrize("batch", [1, 8, 64])
def test_invariants_after_a_search(batch: int) -> None:
    position = random_position(np.random.default_rng(5), 5, 6, 20)
    result, trees = result_of(position, 700, GumbelConfig(batch=batch))
    check_tree(trees)
    assert result.root_visits == 700
    assert result.visits.sum() == 699
    assert result.policy_target().sum() == pytest.approx(1)
    np.testing.assert_array_equal(result.policy_target() > 0, result.priors > 0)
    assert result.analysis is not None
    assert result.analysis.choice_values.argmax() == result.move


def test_a_pass_over_the_considered_moves_is_one_batch() -> None:
    evaluator = HashEvaluator()
    GumbelSearch(evaluator, GumbelConfig(batch=16)).run(Position(size=5), limit(65))
    assert evaluator.batches[:5] == [1, 16, 8, 8, 4]


def test_batches_change_no_visit_at_the_root_before_the_first_half() -> None:
    position = Position(size=5)
    counts = [result_of(position, 17, GumbelConfig(batch=batch))[0].visits for batch in (1, 4, 16)]
    np.testing.assert_array_equal(counts[0], counts[1])
    np.testing.assert_array_equal(counts[0], counts[2])


class Seconds:
    """A stopper that knows no visits: it stops after so many looks."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    def visits_left(self, progress: Progress) -> int:
        """See `Stopper`."""
        self.looks -= 1
        return 2**40 if self.looks > 0 else 0


def test_without_a_number_of_visits_plans_follow_each_other_twice_as_long() -> None:
    search = GumbelSearch(HashEvaluator(), GumbelConfig(batch=1))
    result = search.run(Position(size=5), Seconds(64 + 128 + 3))
    assert isinstance(search.trees, GumbelTrees)
    assert len(search.trees.plan()) == 256
    assert search.trees.new_visits().sum() == 2
    assert result.visits.sum() == 64 + 128 + 2


def test_a_kept_tree_is_knowledge_and_the_plan_is_for_new_visits() -> None:
    search = GumbelSearch(HashEvaluator(), GumbelConfig(), np.random.default_rng(1))
    position = Position(size=5, komi=0.5)
    position.play(search.run(position, limit(200)).move)
    result = search.run(position, limit(200))
    assert isinstance(search.trees, GumbelTrees)
    assert result.reused_visits > 1
    assert search.trees.new_visits().sum() == 200 - result.reused_visits
    assert result.visits.sum() == 199


def test_a_search_goes_on_where_memory_is_full() -> None:
    search = GumbelSearch(HashEvaluator(), GumbelConfig(memory_mb=0.3))
    result = search.run(Position(size=5), limit(6000))
    assert isinstance(search.trees, GumbelTrees)
    assert result.pruned > 0
    assert result.root_visits == 6000
    assert search.trees.new_visits().sum() == 5999


def test_restricted_moves_are_not_considered() -> None:
    everywhere = tuple(range(25))
    search = GumbelSearch(HashEvaluator(), GumbelConfig())
    result = search.run(Position(size=5), limit(60), [Restriction(1, everywhere[:5], only=True)])
    assert set(np.flatnonzero(result.visits)) <= set(everywhere[:5])
    assert result.move < 5
    assert result.policy_target()[5:].sum() == 0


def test_the_same_seed_gives_the_same_search_and_noise_another() -> None:
    position = Position(size=7)
    config = GumbelConfig(noise=1.0)
    runs = [result_of(position, 100, config, seed)[0].visits for seed in (1, 1, 2)]
    np.testing.assert_array_equal(runs[0], runs[1])
    assert not np.array_equal(runs[0], runs[2])
    quiet = [result_of(position, 100, GumbelConfig(), seed)[0].visits for seed in (1, 2)]
    np.testing.assert_array_equal(quiet[0], quiet[1])


def test_temperature_sharpens_the_improved_policy() -> None:
    result, _ = result_of(Position(size=3, komi=0.5), 20, GumbelConfig(c_scale=0.05))
    assert result.policy_target(0.5).max() > result.policy_target(1.0).max() > result.policy_target(2.0).max()
    assert result.policy_target(0).max() == 1


def test_a_won_end_is_taken() -> None:
    position = Position(size=5, komi=0.5)
    position.setup(black=[y * 5 + x for y in range(5) for x in range(5) if x % 2 == 1 or y % 2 == 1], to_play="W")
    position.play("pass")
    assert GumbelSearch(ConstantEvaluator()).run(position, limit(100)).move == 25


@pytest.mark.parametrize(
    "wrong", [{"considered": 0}, {"c_visit": -1.0}, {"c_scale": 0.0}, {"noise": -1.0}, {"batch": 0}, {"max_nodes": 1}]
)
def test_options_out_of_range_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match=next(iter(wrong))):
        GumbelConfig(**wrong)  # type: ignore[arg-type]


class DecidedEvaluator(HashEvaluator):
    """Hashed logits in a game that Black has won already."""

    def evaluate(self, boards: NDArray[np.void]) -> Evaluations:
        """The value is exactly 1 for Black, -1 for White."""
        found = super().evaluate(boards)
        return replace(found, value=np.where(boards["to_play"] == 1, 1.0, -1.0).astype(np.float32))


def test_rounding_does_not_lead_a_value_out_of_its_range() -> None:
    values: list[float] = []
    for seed in range(20):
        position = random_position(np.random.default_rng(seed), 4, 4, 1)
        values.append(GumbelSearch(DecidedEvaluator(), GumbelConfig(batch=1)).run(position, limit(6)).value)
    assert all(-1.0 <= value <= 1.0 for value in values) and {round(value, 6) for value in values} <= {-1.0, 1.0}
