"""The mixed search as a whole: what is kept, what is promised of threads, what fails and how."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.rules.board_kernels import play
from move37.rules.position import Position
from move37.search.evaluator import Evaluations
from move37.search.limits import Progress, StopRequest, limit
from move37.search.mixed import MixedConfig
from move37.search.mixed_kernels import VALUES
from move37.search.mixed_search import MixedSearch
from move37.search.mixed_trees import MixedTrees
from move37.search.restriction import Restriction
from move37.search.result import SearchResult
from move37.search.rollouts import Rollouts
from move37.search.tree import NODES_SHARE
from move37.search.tree_kernels import EXPANDED, NONE, TERMINAL
from move37.search.tree_policy import PatternTreePolicy
from move37.search.two_networks import TwoNetworks
from tests.support.positions import random_position
from tests.support.rollout_policies import policy_of
from tests.support.slow_mixed import HashRollouts, HashWeights
from tests.support.slow_search import HashEvaluator

SMALL = MixedConfig(threshold=4, wave=8, batch=8, threads=1)
ABLATIONS = [replace(SMALL, mix=mix, policy=policy) for mix in (0.0, 0.5, 1.0) for policy in (True, False)]


def mixed_trees(search: MixedSearch) -> MixedTrees:
    assert isinstance(search.trees, MixedTrees)
    return search.trees


def check(search: MixedSearch) -> None:
    """What holds of a tree between two searches."""
    trees = mixed_trees(search)
    nodes, mixed = trees.nodes[: trees.count], trees.mixed[: trees.count]
    assert not nodes["pending"].any()
    assert (np.abs(nodes["value_sum"]) <= nodes["visits"] + 1e-6).all()
    assert (np.abs(mixed["value_sum"]) <= mixed["values"] + 1e-6).all()
    below, values_below = np.zeros(trees.count, np.int64), np.zeros(trees.count, np.int64)
    for i, node in enumerate(nodes):
        if node["parent"] != NONE:
            below[node["parent"]] += node["visits"]
            values_below[node["parent"]] += mixed[i]["values"]
    expanded = nodes["state"] == EXPANDED
    own = nodes["visits"] - below  # rollouts that began at the node itself
    assert (own[expanded] >= 1).all()
    unended = nodes["state"] != TERMINAL
    assert ((mixed["values"] - values_below)[unended] <= 1).all()  # each position is evaluated once
    for kind in (0, 1):
        assert len(trees.in_flight(kind)) == 0


@pytest.mark.parametrize("two", [False, True], ids=["one network", "two networks"])
@pytest.mark.parametrize("config", ABLATIONS, ids=lambda config: f"{config.mix} {config.policy}")
def test_every_ablation_keeps_the_invariants(config: MixedConfig, two: bool) -> None:
    evaluator = TwoNetworks(HashEvaluator(), HashEvaluator()) if two else HashEvaluator()
    search = MixedSearch(evaluator, config, np.random.default_rng(1))
    position = random_position(np.random.default_rng(5), 5, 6, 20)
    result = search.run(position, limit(700))
    check(search)
    assert result.root_visits == 700
    assert result.visits.sum() == 699
    assert np.nanmax(np.abs(result.q)) <= 1
    assert abs(result.value) <= 1
    np.testing.assert_array_equal(result.priors > 0, position.legal_mask())
    assert result.priors.sum() == pytest.approx(1, abs=1e-5)
    assert (result.evaluations == 0) == (config.mix == 1 and not config.policy)
    assert result.analysis is not None
    assert np.isfinite(result.analysis.lead) == config.rollouts


class Asked:
    """Counts the positions it is asked about, and refuses to be asked at all if `never`."""

    def __init__(self, never: bool = False) -> None:
        self.count = 0
        self._never = never

    def evaluate(self, boards: NDArray[Any]) -> Evaluations:
        assert not self._never
        self.count += len(boards)
        return HashEvaluator().evaluate(boards)


@pytest.mark.parametrize("config", ABLATIONS, ids=lambda config: f"{config.mix} {config.policy}")
def test_each_network_is_asked_only_for_what_counts(config: MixedConfig) -> None:
    policy, value = Asked(never=not config.policy), Asked(never=config.mix == 1)
    weights, rollouts = HashWeights(), HashRollouts()
    search = MixedSearch(TwoNetworks(policy, value), config, rollouts=rollouts, tree_policy=weights)
    search.run(Position(5), 400)
    assert (policy.count > 0) == config.policy
    assert (value.count > 0) == (config.mix < 1)
    assert (rollouts.played > 0) == (config.mix > 0)
    assert weights.asked > 0


@pytest.mark.parametrize("threads", [2, 5])
def test_the_number_of_threads_changes_nothing(threads: int) -> None:
    def found(threads: int) -> NDArray[np.int32]:
        config = replace(SMALL, threads=threads, wave=16)
        return MixedSearch(HashEvaluator(), config, np.random.default_rng(3)).run(Position(7), 600).visits

    np.testing.assert_array_equal(found(threads), found(1))


def test_trained_rollouts_and_the_tree_policy_play_together() -> None:
    position = random_position(np.random.default_rng(3), 5, 5, 8)
    policy = policy_of([position], np.random.default_rng(2), size=5)
    tree_policy = PatternTreePolicy(policy)
    found: list[SearchResult] = []
    for threads in (1, 2):
        search = MixedSearch(
            HashEvaluator(),
            replace(SMALL, threads=threads, policy=False),
            rollouts=Rollouts(threads, 7, policy=policy),
            tree_policy=tree_policy,
        )
        found.append(search.run(position, limit(400)))
        check(search)
    np.testing.assert_array_equal(found[0].visits, found[1].visits)
    # Without the network's policy, the placeholders stay: a code of 16 bits keeps them to a few thousandths of a part.
    np.testing.assert_allclose(found[0].priors, tree_policy.weights(position.board_array)[0], rtol=5e-3, atol=1e-6)


def test_the_seed_decides_what_the_rollouts_are() -> None:
    def found(seed: int) -> NDArray[np.int32]:
        return MixedSearch(HashEvaluator(), SMALL, np.random.default_rng(seed)).run(Position(5), 300).visits

    np.testing.assert_array_equal(found(1), found(1))
    assert not np.array_equal(found(1), found(2))


def test_rollouts_go_on_while_the_driver_has_no_answer() -> None:
    search = MixedSearch(HashEvaluator(), SMALL, rollouts=HashRollouts(), tree_policy=HashWeights())
    steps = search.steps(Position(5), 100)
    again = next(steps)
    before = again.copy()
    for _ in range(30):
        again = steps.send(None)
        assert (again == before).all()
        if search.snapshot().root_visits >= 100:
            break
    assert search.snapshot().root_visits == 100
    assert search.snapshot().evaluations == 0
    with pytest.raises(StopIteration) as end:  # the question under way is still answered
        steps.send(HashEvaluator().evaluate(again))
    assert end.value.value.evaluations == len(again)
    check(search)


@pytest.mark.parametrize("two", [False, True], ids=["one network", "two networks"])
@pytest.mark.parametrize("mix", [0.0, 0.5, 1.0])
def test_a_search_beside_its_network_ends_with_a_clean_tree(mix: float, two: bool) -> None:
    evaluator = TwoNetworks(HashEvaluator(), HashEvaluator()) if two else HashEvaluator()
    search = MixedSearch(evaluator, replace(SMALL, mix=mix, asynchronous=True, batch=3), np.random.default_rng(1))
    position = Position(5)
    for _ in range(3):
        result = search.run(position, 500)
        assert result.root_visits >= 500
        check(search)
        position.play(result.move)


def test_where_there_are_no_rollouts_asynchronous_makes_no_difference() -> None:
    def found(asynchronous: bool) -> NDArray[np.int32]:
        config = replace(SMALL, mix=0.0, asynchronous=asynchronous)
        return MixedSearch(HashEvaluator(), config, tree_policy=HashWeights()).run(Position(5), 300).visits

    np.testing.assert_array_equal(found(False), found(True))


def test_a_tree_is_kept_with_both_kinds_of_statistics_and_its_questions() -> None:
    config = replace(SMALL, batch=1, wave=8)  # more questions than answers: some wait from one search to the next
    search = MixedSearch(HashEvaluator(), config, rollouts=HashRollouts(), tree_policy=HashWeights())
    position = Position(5)
    waited = 0
    for _ in range(12):
        result = search.run(position, 400)
        check(search)
        trees = mixed_trees(search)
        move = int(np.argmax(result.visits[:-1]))
        child = next(i for i in range(trees.count) if is_child(trees, i, move))
        before = trees.nodes[child].copy(), trees.mixed[child].copy()
        position.play(move)
        assert search.advance(position)
        root = trees.roots[0]
        for name in ("visits", "value_sum"):
            assert trees.nodes[root][name] == before[0][name]
        assert trees.mixed[root] == before[1]
        kept = search.run(position, 1)
        assert kept.reused_visits == kept.root_visits == kept.visits.sum() + 1
        boards, nodes = trees.waiting(VALUES)
        waited += len(nodes)
        for board, node in zip(boards, nodes, strict=True):
            assert position_of(trees, int(node))["stones_hash"] == board["stones_hash"]
    assert waited > 5


def is_child(trees: MixedTrees, index: int, move: int) -> bool:
    node = trees.nodes[index]
    return bool(node["parent"] == trees.roots[0] and node["action"] == move)


def position_of(trees: MixedTrees, index: int) -> Any:
    """The board record of a node, played from the root's."""
    node = trees.nodes[index]
    if node["parent"] == NONE:
        return trees.boards[0].copy()
    board = position_of(trees, int(node["parent"]))
    play(board, int(node["action"]), int(board["to_play"]))
    return board


def test_a_leaf_that_is_played_starts_a_new_tree() -> None:
    search = MixedSearch(HashEvaluator(), MixedConfig(threads=1), np.random.default_rng(1))
    position = Position(5)
    result = search.run(position, 60)
    few = int(np.flatnonzero((result.visits > 0) & (result.visits < 5))[0])
    position.play(few)
    assert search.run(position, 30).reused_visits == 0


def sending_two(ko: str, *moves: str) -> Position:
    """White sends two stones (D2), Black takes them (D4), White's retake (D3) brings the first position back."""
    position = Position(4, rules={"ko": ko}, komi=0)
    position.setup(["A4", "C3", "B2", "C2", "C1", "D1"], ["B4", "C4", "B3", "D3", "A1"], "W")
    position.play_many(moves)
    return position


@pytest.mark.parametrize(("ko", "allowed"), [("simple", True), ("situational", True), ("positional", False)])
def test_superko_binds_inside_the_tree(ko: str, allowed: bool) -> None:
    position = sending_two(ko, "D2")
    take, retake = position.point("D4"), position.point("D3")
    search = MixedSearch(HashEvaluator(), replace(SMALL, policy=False), rollouts=HashRollouts())
    search.run(position, 600)
    position.play(take)
    reply = search.run(position, 1)
    assert reply.reused_visits > 10
    assert (reply.priors[retake] > 0) == allowed


def test_restrictions_bind_as_deep_as_they_say() -> None:
    position = Position(5)
    only = Restriction(1, (3, 7), 2, only=True)
    avoided = Restriction(2, (0, 1, 2), 2)
    search = MixedSearch(HashEvaluator(), SMALL, np.random.default_rng(1))
    result = search.run(position, 500, [only, avoided])
    assert set(np.flatnonzero(result.priors)) == {3, 7}
    trees = mixed_trees(search)
    for index in range(1, trees.count):
        node = trees.nodes[index]
        depth, up = 1, int(node["parent"])
        while trees.nodes[up]["parent"] != NONE:
            depth, up = depth + 1, int(trees.nodes[up]["parent"])
        assert depth != 1 or node["action"] in (3, 7)
        assert depth != 2 or node["action"] not in (0, 1, 2)
    free = search.run(position, 500)
    assert free.reused_visits == 0
    assert (free.priors > 0).all()


def test_a_finished_end_is_taken_or_avoided() -> None:
    """Black has everything; a pass ends the game."""
    position = Position(size=5, komi=0.5)
    position.setup(black=[position.vertex(i) for i in range(25) if i not in (6, 18)], to_play="W")
    position.play("pass")
    result = MixedSearch(HashEvaluator(), replace(SMALL, mix=0.0)).run(position, 300)
    assert result.move == 25
    assert result.q[25] == 1.0


def test_reports_are_told_of_a_search_that_asks_nobody() -> None:
    now = [0.0]

    def clock() -> float:
        now[0] += 0.01
        return now[0]

    seen: list[int] = []
    config = replace(SMALL, mix=1.0, policy=False)
    search = MixedSearch(Asked(never=True), config, rollouts=HashRollouts(), clock=clock)
    search.run(Position(5), 400, report=lambda result: seen.append(result.root_visits), every=0.1)
    assert len(seen) > 3
    assert seen == sorted(set(seen))


def test_a_request_stops_a_search_that_asks_nobody() -> None:
    stop = StopRequest()
    search = MixedSearch(Asked(never=True), replace(SMALL, mix=1.0, policy=False), rollouts=HashRollouts())

    def look(result: Any) -> None:
        if result.root_visits >= 100:
            stop.stop()

    assert 100 <= search.run(Position(5), stop, report=look, every=0.0).root_visits < 130


@pytest.mark.parametrize("mix", [0.0, 0.5, 1.0])
def test_ownership_is_averaged_for_the_player_to_move(mix: float) -> None:
    """Both sides have two eyes: White in the corner of A1, Black above."""
    position = Position(size=5, komi=0.5)
    black = ["A3", "B3", "C3", "D3", "E3", "A4", "C4", "E4", "A5", "B5", "C5", "D5", "E5"]
    position.setup(black=black, white=["A2", "B2", "C2", "D2", "D1", "B1"])

    class Knows:
        def evaluate(self, boards: NDArray[Any]) -> Evaluations:
            answer = HashEvaluator().evaluate(boards)
            black = np.where(boards["to_play"] == 1, np.float32(1), np.float32(-1))
            return replace(answer, ownership=np.broadcast_to(black[:, None, None], (len(boards), 5, 5)).copy())

    search = MixedSearch(Knows(), replace(SMALL, mix=mix), np.random.default_rng(2))
    analysis = search.run(position, 300, ownership=True).analysis
    assert analysis is not None and analysis.ownership is not None
    assert analysis.ownership[0, 4] > 0.2  # E5; some moves fill own eyes
    assert (analysis.ownership[4, 0] < 0) == (mix > 0)  # A1; the network gives it to Black
    again = search.run(position, 400, ownership=True).analysis
    assert again is not None and again.ownership is not None


@pytest.mark.parametrize("asynchronous", [False, True])
def test_a_memory_limit_is_kept_and_the_search_goes_on(asynchronous: bool) -> None:
    nodes = 150
    memory = (nodes + 0.5) * MixedTrees.node_bytes(26) / (NODES_SHARE * 1e6)
    config = replace(SMALL, memory_mb=memory, asynchronous=asynchronous, batch=4, threshold=3, dynamic=False)
    search = MixedSearch(HashEvaluator(), config, rollouts=HashRollouts(), tree_policy=HashWeights())
    position = Position(5)
    pruned = 0
    for _ in range(4):
        result = search.run(position, 1200)
        trees = mixed_trees(search)
        assert trees.count <= len(trees.nodes) <= nodes
        assert not result.full
        assert result.root_visits >= 1200
        assert not trees.nodes[: trees.count]["pending"].any()
        for kind in (0, 1):
            for board, node in zip(*trees.waiting(kind), strict=True):
                assert position_of(trees, int(node))["stones_hash"] == board["stones_hash"]
        pruned += result.pruned
        position.play(int(np.argmax(result.visits[:-1])))
    assert pruned > 100


def test_a_full_pool_ends_the_search_and_says_so() -> None:
    result = MixedSearch(HashEvaluator(), replace(SMALL, max_nodes=40)).run(Position(5), 2000)
    assert result.full
    assert result.nodes == 40


def test_a_search_says_whether_it_is_undecided() -> None:
    seen: list[tuple[bool, bool]] = []

    class Watching:
        def visits_left(self, progress: Progress) -> int:
            if progress.visits > 1:
                result = search.snapshot()
                most = result.visits.max()
                serious = result.visits >= 0.1 * most
                best = np.nanmax(np.where(serious, result.q, np.nan))
                seen.append((progress.undecided, bool(result.q[result.visits == most].max() < best)))
            return 400 - progress.visits

    search = MixedSearch(HashEvaluator(), SMALL, np.random.default_rng(1))
    search.run(Position(4), Watching())
    assert all(said == found for said, found in seen)
    assert {said for said, _ in seen} == {True, False}


@pytest.mark.parametrize(
    ("batch", "moves"), [(1, {0, 1}), (64, {0, -1})], ids=["a network that is behind", "a network with room"]
)
def test_the_threshold_follows_the_queue(batch: int, moves: set[int]) -> None:
    config = replace(SMALL, threshold=5, batch=batch)
    search = MixedSearch(TwoNetworks(HashEvaluator(), HashEvaluator()), config, rollouts=HashRollouts())
    seen: list[int] = []

    class Watching:
        def visits_left(self, progress: Progress) -> int:
            seen.append(int(mixed_trees(search).params["threshold"]))
            return 1500 - progress.visits

    search.run(Position(5), Watching())
    if batch == 1:
        assert max(seen) > 5
    else:
        assert seen[-1] == 1
        assert set(np.diff(seen)) == moves
    assert all(1 <= threshold <= 50 for threshold in seen)
    fixed = MixedSearch(HashEvaluator(), replace(config, dynamic=False), rollouts=HashRollouts())
    fixed.run(Position(5), 400)
    assert mixed_trees(fixed).params["threshold"] == 5


@pytest.mark.parametrize(
    "options",
    [
        {"mix": 1.1},
        {"c_puct": 0.0},
        {"virtual_loss": 0.0},
        {"beta": 0.0},
        {"threshold": -1},
        {"wave": 0},
        {"batch": 0},
        {"threads": 0},
        {"choice": "luck"},
        {"move_limit": 0},
        {"max_nodes": 1},
        {"memory_mb": 0.0},
    ],
)
def test_options_out_of_range_are_refused_by_name(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=next(iter(options))):
        MixedConfig(**options)
