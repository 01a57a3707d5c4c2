from __future__ import annotations

import multiprocessing
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.errors import Move37Error
from move37.games.self_play import FULL, OPENING, SelfPlayGames
from move37.rules.area_kernels import area_owner
from move37.rules.position import Position
from move37.search import ConstantEvaluator, EvaluationError, Evaluations, SearchConfig
from move37.search.gumbel import GumbelConfig
from move37.training import selfplay
from move37.training.selfplay import Played, SelfPlayConfig, play_chunk
from move37.training.selfplay_game import Game, Plan
from move37.training.selfplay_search import Found, divergence
from tests.support.self_play import STILL, Leaning, searched_game
from tests.support.slow_search import HashEvaluator

LIVELY = replace(
    selfplay.modern(4, visits=16, fast_visits=6, komi=0.5, opening_moves=0.1),
    resign_below=-0.8,
    symmetries=True,
    together=8,
)
"""All that chance may do."""


def same(one: SelfPlayGames, other: SelfPlayGames) -> bool:
    """Whether two chunks are equal in all they hold."""
    mine, theirs = vars(one) | vars(one.games), vars(other) | vars(other.games)
    return all(_equal(value, theirs[name]) for name, value in mine.items() if name != "games")


def _equal(one: Any, other: Any) -> bool:
    if hasattr(one, "offsets"):
        return np.array_equal(one.values, other.values) and np.array_equal(one.offsets, other.offsets)
    return np.array_equal(one, other)


def position_of(games: SelfPlayGames, game: int, plies: int | None = None) -> Position:
    """A game replayed by `Position`, which raises at an illegal move."""
    store = games.games
    position = Position(size=int(store.size[game]), rules=str(games.rules[game]), komi=float(store.komi[game]))
    for move in store.moves[game].tolist()[:plies]:
        assert not position.is_over
        position.play(move)
    return position


# ------------------------------------------------------------------------------------- a game against an oracle


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"reuse": False},
        {"puct": SearchConfig(c_puct=1.4, forced_playouts=2.0)},
        {"gumbel": GumbelConfig(considered=6), "reuse": False},
        {"gumbel": GumbelConfig(considered=6)},
    ],
)
def test_games_are_those_of_one_search_a_move(changes: dict[str, Any]) -> None:
    config = replace(STILL, komi_stdev=3.0, **changes)
    found = play_chunk(HashEvaluator(), config, 0, 3)
    assert len(set(found.games.komi.tolist())) > 1
    offsets = found.games.moves.offsets
    for game, komi in enumerate(found.games.komi.tolist()):
        expected = searched_game(HashEvaluator(), config, komi)
        assert found.games.moves[game].tolist() == [move for move, _, _ in expected]
        numbers = np.arange(int(offsets[game]), int(offsets[game + 1]))
        np.testing.assert_allclose(found.root_value[numbers], [value for _, value, _ in expected], atol=1e-4)
        np.testing.assert_allclose(
            found.targets(numbers, 17), [target for _, _, target in expected], atol=1e-6 if not config.gumbel else 3e-3
        )


def test_a_game_does_not_depend_on_what_is_beside_it() -> None:
    whole = play_chunk(HashEvaluator(), LIVELY, 0, 8)
    assert same(whole, play_chunk(HashEvaluator(), LIVELY, 0, 8))
    assert same(whole, play_chunk(HashEvaluator(), replace(LIVELY, together=3), 0, 8))
    assert same(whole.select(np.array([5])), play_chunk(HashEvaluator(), LIVELY, 5, 1))
    assert not same(whole, play_chunk(HashEvaluator(), replace(LIVELY, seed=2), 0, 8))


def test_several_leaves_a_game_are_as_many_simulations() -> None:
    config = replace(STILL, leaves=4, reuse=False)
    found = play_chunk(HashEvaluator(), config, 0, 2)
    totals = np.add.reduceat(found.target_weights.values.astype(int), found.target_offsets[:-1])
    assert set(totals.tolist()) == {20}


def test_many_compactions_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = play_chunk(HashEvaluator(), LIVELY, 0, 4)
    monkeypatch.setattr("move37.training.selfplay_search.KEPT_NODES", 1)
    assert same(expected, play_chunk(HashEvaluator(), LIVELY, 0, 4))


# -------------------------------------------------------------------------------------------- how games end


@pytest.mark.parametrize("rules", ["tromp-taylor", "chinese-kgs"])
def test_games_follow_superko_and_end_by_area(rules: str) -> None:
    config = replace(LIVELY, sizes=(3, 2), rules=rules, resign_below=None, moves_a_point=6.0)
    found = play_chunk(HashEvaluator(), config, 0, 24)
    limited = 0
    for game in range(len(found)):
        position = position_of(found, game)
        size = int(found.games.size[game])
        if not position.is_over:
            assert len(found.games.moves[game]) == 6 * size * size
            limited += 1
        assert found.games.result[game] == position.score().text
        owner = np.empty(size * size, np.int8)
        area_owner(position.board, owner)
        np.testing.assert_array_equal(found.games.black_area[game], np.flatnonzero(owner == 1))
        np.testing.assert_array_equal(found.games.white_area[game], np.flatnonzero(owner == 2))
    assert limited < len(found)


def test_two_passes_end_a_game() -> None:
    found = play_chunk(Leaning(passing=30.0), STILL, 0, 1)
    assert found.games.moves[0].tolist() == [16, 16]
    assert found.games.result.tolist() == ["W+0.5"]
    assert found.games.winner.tolist() == [-1]


def test_a_whole_komi_may_be_a_draw() -> None:
    found = play_chunk(Leaning(passing=30.0), replace(STILL, komi=0.0), 0, 1)
    assert found.games.result.tolist() == ["0"]
    assert found.games.winner.tolist() == [0]


def test_a_player_resigns_below_the_threshold_except_in_games_that_check_it() -> None:
    config = replace(STILL, resign_below=-0.9, resign_check=0.4, visits=6)
    found = play_chunk(Leaning(0.95), config, 0, 30)
    resigned = np.char.endswith(found.games.result, "+R")
    np.testing.assert_array_equal(resigned, found.played_out == 0)
    assert 5 <= found.played_out.sum() <= 20
    assert set(found.games.result[resigned].tolist()) == {"W+R"}
    assert set(found.games.black_area.lengths[resigned].tolist()) == {0}
    assert not np.char.endswith(play_chunk(Leaning(0.85), config, 0, 9).games.result, "+R").any()


def test_both_values_must_be_below_the_threshold() -> None:
    game = Game.of(replace(STILL, resign_below=-0.5), 0)
    none = np.empty(0, np.uint16)
    for value, best, expected in ((-0.6, -0.6, True), (-0.6, -0.4, False), (-0.4, -0.6, False)):
        assert game.resigns(Found(0, none, none, value, best)) is expected


# ------------------------------------------------------------------------------------------- the options


def test_only_full_searches_are_learnt_from() -> None:
    config = replace(STILL, visits=12, fast_visits=5, full_share=0.3, reuse=False, temperature=1.0)
    found = play_chunk(HashEvaluator(), config, 0, 12)
    full = (found.flags.values & FULL) > 0
    totals = np.add.reduceat(found.target_weights.values.astype(int), found.target_offsets[:-1])
    np.testing.assert_array_equal(totals, np.where(full, 12, 5))
    np.testing.assert_array_equal(found.weight, np.where(full, 1.0, 0.0))
    assert 0.2 < full.mean() < 0.4


def test_noise_is_for_full_searches_alone() -> None:
    calm = replace(STILL, visits=8, fast_visits=8, full_share=1e-9, puct=SearchConfig(noise_fraction=0.9))
    assert same(
        play_chunk(HashEvaluator(), calm, 0, 2), play_chunk(HashEvaluator(), replace(calm, puct=SearchConfig()), 0, 2)
    )
    loud = replace(calm, full_share=1.0, temperature=0.0)
    games = play_chunk(HashEvaluator(), loud, 0, 6).games
    assert len({tuple(games.moves[game].tolist()) for game in range(6)}) > 1


@pytest.mark.parametrize("make", [selfplay.strict, selfplay.modern, selfplay.gumbel])
def test_the_named_sets_play(make: Any) -> None:
    config = make(3, visits=8, together=4)
    found = play_chunk(ConstantEvaluator(), config, 0, 4)
    assert len(found) == 4
    assert found.weight.sum() > 0
    for game in range(4):
        position_of(found, game)


def test_openings_come_from_the_policy_and_teach_nothing() -> None:
    config = replace(STILL, opening_moves=0.3, moves_a_point=4.0)
    found = play_chunk(HashEvaluator(), config, 0, 20)
    lengths: list[int] = []
    for game in range(20):
        flags = found.flags[game]
        opening = int((flags == OPENING).sum())
        assert (flags[:opening] == OPENING).all()
        assert (found.weights[game][:opening] == 0).all()
        assert (found.target_counts[game][:opening] == 0).all()
        assert (found.target_counts[game][opening:] > 0).all()
        lengths.append(opening)
    assert 2.0 < np.mean(lengths) < 8.0  # of 0.3 * 16, cut off by the end of the game
    assert len({tuple(found.games.moves[game][:2].tolist()) for game in range(20)}) > 5


def test_sizes_and_komi_are_drawn() -> None:
    config = replace(STILL, sizes=(2, 3), size_shares=(1.0, 3.0), komi=4.0, komi_stdev=1.0, wide_komi_share=0.2)
    games = [Game.of(config, number) for number in range(400)]
    komi = np.array([game.komi for game in games])
    assert 0.68 < np.mean([game.size == 3 for game in games]) < 0.82
    np.testing.assert_array_equal(komi * 2, np.round(komi * 2))
    assert 0.05 < (np.abs(komi - 4.0) > 3.0).mean() < 0.25
    assert np.abs(komi - 4.0).max() <= 30.0
    assert abs(np.median(komi) - 4.0) < 0.6


def test_games_of_several_sizes_stay_in_order() -> None:
    config = replace(LIVELY, sizes=(2, 3), visits=6, fast_visits=3)
    told: list[Played] = []
    found = play_chunk(HashEvaluator(), config, 10, 8, watch=told.append)
    assert found.number.tolist() == list(range(10, 18))
    assert len(set(found.games.size.tolist())) == 2
    assert [one.games for one in told] == list(range(1, 9))
    assert told[-1].moves == found.moves


def test_rows_are_counted_to_the_last() -> None:
    evaluator, told = HashEvaluator(), list[Played]()
    play_chunk(evaluator, LIVELY, 0, 5, watch=told.append)
    assert told[-1].rows == sum(evaluator.batches)


def test_temperature_falls_at_once_or_by_halves() -> None:
    game = Game.of(replace(STILL, sizes=(19,), temperature=0.8, late_temperature=0.2), 0)
    small = Game.of(replace(STILL, sizes=(9,), temperature=0.8, late_temperature=0.2), 0)
    halves = Game.of(replace(STILL, sizes=(9,), temperature=0.8, late_temperature=0.2, halflife=1.0), 0)
    none = np.empty(0, np.uint16)
    found = Found(0, none, none, 0.0, 0.0)
    at: dict[str, list[float]] = {"19": [], "9": [], "halves": []}
    for _ in range(31):
        for name, one in (("19", game), ("9", small), ("halves", halves)):
            at[name].append(one.temperature)
            one.play(found, Plan(1, True, 1.0))
    assert at["19"] == [0.8] * 30 + [0.2]
    assert at["9"] == [0.8] * 7 + [0.2] * 24  # 30 * 81 / 361 is 6.7
    assert at["halves"][0] == pytest.approx(0.8)
    assert at["halves"][9] == pytest.approx(0.5)
    assert at["halves"][18] == pytest.approx(0.35)


def test_soft_resignation_shrinks_searches_and_weights() -> None:
    config = replace(STILL, visits=100, soft_resign_above=0.9, soft_resign_turns=3)
    game = Game.of(config, 0)
    none = np.empty(0, np.uint16)
    assert game.plan() == Plan(100, True, 1.0)
    for value in (0.95, -0.95, 0.96):  # for the player to move: always Black is ahead
        game.play(Found(0, none, none, value, 0.0), game.plan())
    assert game.plan().simulations == 60  # half the way from 100 to a fifth
    assert game.plan().weight == pytest.approx(0.55)
    game.play(Found(0, none, none, -0.5, 0.0), game.plan())
    assert game.plan() == Plan(100, True, 1.0)
    assert replace(config, fast_visits=30, full_share=1.0).fast_visits == 30


def test_surprise_shares_out_part_of_the_weight() -> None:
    game = Game.of(replace(STILL, surprise=0.5), 0)
    none = np.empty(0, np.uint16)
    for surprise, weight in ((0.1, 1.0), (5.0, 0.0), (0.3, 1.0), (0.0, 1.0)):
        found = Found(0, none, none, 0.0, 0.0, surprise)
        game.play(found, Plan(1, weight > 0, weight))
    np.testing.assert_allclose(game.final_weights(), [0.5 + 1.5 * 0.25, 0.0, 0.5 + 1.5 * 0.75, 0.5])
    assert game.final_weights().sum() == pytest.approx(3.0)


def test_surprise_is_the_divergence_of_the_target_from_the_policy() -> None:
    policy = np.array([0.25, 0.625], np.float32)
    assert divergence(np.array([10, 30]), policy) == pytest.approx(0.75 * np.log(0.75 / 0.625))
    config = replace(STILL, surprise=1.0, temperature=1.0, reuse=False, fast_visits=4, full_share=0.5)
    found = play_chunk(HashEvaluator(), config, 0, 1)
    full = np.flatnonzero(found.flags.values & FULL)
    expected = np.zeros(found.moves)
    for number in full.tolist():
        board = position_of(found, 0, number).board
        logits = HashEvaluator().evaluate(np.array([board])).policy[0].astype(np.float64)
        legal = position_of(found, 0, number).legal_mask()
        policy = np.where(legal, np.exp(logits), 0.0) / np.exp(logits)[legal].sum()
        target = found.targets(np.array([number]), 17)[0]
        likely = np.flatnonzero(target)
        expected[number] = target[likely] @ np.log(target[likely] / policy[likely])
    np.testing.assert_allclose(found.weight, expected * len(full) / expected.sum(), atol=2e-3)


def test_reused_visits_count_if_asked() -> None:
    config = replace(STILL, visits=30, count_reused=True)
    found = play_chunk(HashEvaluator(), config, 0, 1)
    totals = np.add.reduceat(found.target_weights.values.astype(int), found.target_offsets[:-1])
    assert totals.min() >= 30
    more = play_chunk(HashEvaluator(), replace(config, count_reused=False), 0, 1)
    assert more.target_weights.values.sum() / more.moves > totals.mean() + 3


# ------------------------------------------------------------------------------------------------ faults


class _Broken:
    """NaN in one answer, in the tenth batch."""

    def __init__(self, where: str) -> None:
        self.where, self.batches = where, 0

    def evaluate(self, boards: NDArray[Any]) -> Evaluations:
        self.batches += 1
        found = HashEvaluator().evaluate(boards)
        if self.batches == 10:
            array = getattr(found, self.where)
            array[-1] = np.nan
        return found


@pytest.mark.parametrize("where", ["policy", "value"])
def test_an_answer_that_is_no_number_is_one_clear_error(where: str) -> None:
    with pytest.raises(EvaluationError, match="evaluator _Broken answered a policy or value that is not a finite num"):
        play_chunk(_Broken(where), LIVELY, 0, 4)


def _chunk(config: SelfPlayConfig) -> SelfPlayGames:
    return play_chunk(Leaning(0.3), config, 3, 2)


def test_chunks_may_be_played_in_several_threads() -> None:
    def three(first: int) -> SelfPlayGames:
        return play_chunk(Leaning(0.3), LIVELY, first, 3)

    expected = [three(first) for first in (0, 3, 6)]
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(three, (0, 3, 6)))
    assert all(same(one, other) for one, other in zip(found, expected, strict=True))


def test_a_chunk_is_the_same_in_a_process_that_was_spawned() -> None:
    config = replace(LIVELY, sizes=(3,))
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        found = pool.apply(_chunk, (config,))
    assert same(found, _chunk(config))


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"visits": 1}, "self-play option visits"),
        ({"fast_visits": 101}, "self-play option fast_visits"),
        ({"full_share": 0.0}, "self-play option full_share"),
        ({"sizes": ()}, "self-play option sizes"),
        ({"sizes": (5, 7), "size_shares": (1.0,)}, "size_shares are as many as sizes"),
        ({"resign_below": 0.5}, "self-play option resign_below"),
        ({"rules": "ing"}, "no rules named 'ing'"),
        ({"rules": "japanese"}, "counts area alone"),
    ],
)
def test_values_out_of_range_are_refused(changes: dict[str, Any], named: str) -> None:
    with pytest.raises(Move37Error, match=named):
        SelfPlayConfig(**changes)


def test_a_chunk_may_be_empty() -> None:
    assert len(play_chunk(HashEvaluator(), STILL, 4, 0)) == 0
