"""What a search answers: won and lost ends, superko, small boards solved, bad evaluators, noise, and the kept tree."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.rules.board_kernels import play
from move37.rules.color import Color
from move37.rules.position import Position
from move37.rules.records import stones_grid
from move37.search import ConstantEvaluator, EvaluationError, Evaluations, Search, SearchConfig, following, limit
from move37.search.root_priors import dirichlet_noise
from tests.support.slow_search import HashEvaluator


def one_pass_from_the_end(owner: str, komi: float) -> Position:
    """5x5, all points the owner's; the opponent has just passed."""
    points = [y * 5 + x for y in range(5) for x in range(5) if x % 2 == 1 or y % 2 == 1]
    position = Position(size=5, komi=komi)
    if owner == "B":
        position.setup(black=points, to_play="W")
    else:
        position.setup(white=points, to_play="B")
    position.play("pass")
    return position


@pytest.mark.parametrize("owner", ["B", "W"])
def test_a_won_end_is_taken_by_both_colours(owner: str) -> None:
    position = one_pass_from_the_end(owner, komi=0.5)
    result = Search(ConstantEvaluator(), SearchConfig(batch=1)).run(position, limit(200))
    assert result.move == 25
    assert result.q[25] == 1.0
    assert result.value > 0.5


@pytest.mark.parametrize("owner", ["B", "W"])
def test_a_lost_end_is_not_passed_by_either_colour(owner: str) -> None:
    position = one_pass_from_the_end(owner, komi=30.5 if owner == "B" else -30.5)
    result = Search(ConstantEvaluator(), SearchConfig(batch=1)).run(position, limit(200))
    assert result.q[25] == -1.0
    assert result.move != 25


def test_a_drawn_end_is_worth_nothing() -> None:
    position = one_pass_from_the_end("B", komi=25)
    result = Search(ConstantEvaluator(0.5), SearchConfig(batch=1)).run(position, limit(100))
    assert result.q[25] == 0.0


def test_white_gets_its_handicap_bonus_in_finished_games() -> None:
    position = Position(size=9, rules="chinese", komi=78)
    position.place_handicap(4)
    position.play("pass")
    result = Search(ConstantEvaluator(), SearchConfig(batch=1)).run(position, limit(400))
    assert position.white_bonus == 4
    assert result.q[81] == -1.0  # Black's 81 points beat 78, but not 82


@pytest.mark.parametrize(("limit_at", "value"), [(1, 1.0), (None, 0.0)])
def test_the_move_limit_ends_and_scores_games(limit_at: int | None, value: float) -> None:
    config = SearchConfig(batch=1, move_limit=limit_at)
    result = Search(ConstantEvaluator(), config).run(Position(size=3, komi=0.5), limit(11))
    assert result.q[0] == value


def test_the_centre_of_three_by_three_at_komi_eight_and_a_half() -> None:
    result = Search(ConstantEvaluator(), SearchConfig(batch=64)).run(Position(size=3, komi=8.5), limit(300_000))
    assert result.move == 4


def ko_fight(rules: str) -> tuple[Position, int]:
    """Black has just taken a ko; the point where White would retake it."""
    position = Position(size=5, rules=rules, komi=0.5)
    position.setup(black=["B3", "A2", "B1"], white=["C3", "D2", "C1", "B2"], to_play="B")
    position.play("C2")
    return position, position.point("B2")


def test_a_ko_is_not_retaken_at_once_nor_later_under_superko() -> None:
    for rules in ("chinese", "tromp-taylor"):
        position, retake = ko_fight(rules)
        result = Search(HashEvaluator(), SearchConfig()).run(position, limit(200))
        assert result.visits[retake] == 0
        assert result.priors[retake] == 0


class PointsFirst:
    """Sees the board; prefers the listed points in order, and likes whatever it sees."""

    def __init__(self, wanted: int) -> None:
        self.wanted = wanted
        self.bans: list[bool] = []

    def evaluate(self, boards: NDArray[np.void]) -> Evaluations:
        for board in boards:
            self.bans.append(bool(int(board["superko_banned"][0]) >> self.wanted & 1))
        answer = ConstantEvaluator().evaluate(boards)
        answer.policy[:, self.wanted] = 8.0
        answer.policy[:, -1] = 8.0
        return answer


@pytest.mark.parametrize(("ko", "expected"), [("simple", False), ("positional", True)])
def test_the_search_writes_superko_bans_of_its_own_path_into_the_leaves(ko: str, expected: bool) -> None:
    position, retake = ko_fight("tromp-taylor")
    twin = Position(size=5, rules={"ko": ko, "suicide": True}, komi=0.5)
    twin.setup(black=["B3", "A2", "B1"], white=["C3", "D2", "C1", "B2"], to_play="B")
    evaluator = PointsFirst(retake)
    Search(evaluator, SearchConfig(batch=1)).run(twin, limit(1))
    assert evaluator.bans == [False]
    twin.play("C2")
    evaluator = PointsFirst(retake)
    Search(evaluator, SearchConfig(batch=1)).run(twin, limit(200))
    assert any(evaluator.bans) is expected
    assert position.hash == twin.hash


class LikesWhiteAt:
    """A judge for whom White wins exactly if it has a stone on one point of a 4x4 board; no wish for any move."""

    def __init__(self, point: int) -> None:
        self.point = point

    def evaluate(self, boards: NDArray[np.void]) -> Evaluations:
        answer = ConstantEvaluator().evaluate(boards)
        for i, board in enumerate(boards):
            stones_say = 0.9 if stones_grid(board).ravel()[self.point] == Color.WHITE else -0.9
            answer.value[i] = stones_say if board["to_play"] == Color.WHITE else -stones_say
        return answer


def sending_two(ko: str, *moves: str) -> Position:
    """White sends two stones (D2), Black takes them (D4), White's retake (D3) brings the first position back."""
    position = Position(4, rules={"ko": ko}, komi=0)
    position.setup(["A4", "C3", "B2", "C2", "C1", "D1"], ["B4", "C4", "B3", "D3", "A1"], "W")
    position.play_many(moves)
    return position


@pytest.mark.parametrize(("ko", "chosen"), [("simple", True), ("situational", True), ("positional", False)])
def test_the_only_good_move_is_not_chosen_where_it_repeats(ko: str, chosen: bool) -> None:
    position = sending_two(ko, "D2", "D4")
    retake = position.point("D3")
    result = Search(LikesWhiteAt(retake), SearchConfig(batch=4)).run(position, limit(200))
    assert (result.move == retake) == chosen
    assert (result.visits[retake] > 100) if chosen else (result.visits[retake] == 0)


@pytest.mark.parametrize(("ko", "refuted"), [("simple", True), ("situational", True), ("positional", False)])
def test_a_refutation_inside_the_tree_does_not_count_where_it_repeats(ko: str, refuted: bool) -> None:
    """Black takes two stones: good only if White's retake repeats the position of two moves ago."""
    position = sending_two(ko, "D2")
    take, retake = position.point("D4"), position.point("D3")
    search = Search(LikesWhiteAt(retake), SearchConfig(batch=1))
    search.run(position, limit(400))
    position.play(take)
    reply = search.run(position, limit(1))
    assert reply.reused_visits > 10
    assert (reply.move == retake) == refuted
    assert (reply.visits[retake] > 0) == refuted


class Spoilt:
    """Answers with one value in every logit, and one value."""

    def __init__(self, logit: float, value: float = 0.0) -> None:
        self.logit, self.value = logit, value

    def evaluate(self, boards: NDArray[np.void]) -> Evaluations:
        answer = ConstantEvaluator(self.value).evaluate(boards)
        answer.policy[:] = self.logit
        return answer


def test_minus_infinity_everywhere_is_uniform_with_one_warning() -> None:
    search = Search(Spoilt(-np.inf), SearchConfig())
    with pytest.warns(UserWarning, match="uniform priors"):
        result = search.run(Position(size=3), limit(30))
    assert result.uniform_fallbacks > 0
    np.testing.assert_allclose(result.priors, 0.1, atol=1e-4)
    search.run(Position(size=3), limit(40))


@pytest.mark.parametrize(("logit", "value"), [(np.nan, 0.0), (np.inf, 0.0), (0.0, np.nan), (0.0, np.inf)])
def test_what_is_not_a_number_stops_the_search_and_names_the_evaluator(logit: float, value: float) -> None:
    search = Search(Spoilt(logit, value), SearchConfig())
    with pytest.raises(EvaluationError, match="Spoilt"):
        search.run(Position(size=3), limit(30))
    assert search.trees is None
    search.evaluator = ConstantEvaluator()
    assert search.run(Position(size=3), limit(30)).root_visits == 30


@pytest.mark.parametrize("name", ["lead", "score_mean", "ownership", "optimistic"])
def test_a_further_output_of_another_shape_is_refused_by_its_name(name: str) -> None:
    class Short(ConstantEvaluator):
        def evaluate(self, boards: NDArray[Any]) -> Evaluations:
            return replace(super().evaluate(boards), **{name: np.zeros((7, 2), np.float32)})

    with pytest.raises(ValueError, match=rf"{name} .*\(7, 2\), expected \(1"):
        Search(Short(), SearchConfig()).run(Position(size=3), limit(30), ownership=True)


@pytest.mark.parametrize("visits", [2.5, float("nan"), float("inf"), -1.0])
def test_visits_that_are_no_number_of_visits_are_refused(visits: float) -> None:
    with pytest.raises(ConfigError, match="visits"):
        Search(ConstantEvaluator()).run(Position(size=3), cast(Any, visits))


def test_a_search_under_way_is_not_begun_again() -> None:
    search = Search(ConstantEvaluator(), SearchConfig())
    steps = search.steps(Position(size=3), 40)
    boards = next(steps)
    with pytest.raises(RuntimeError, match="under way"):
        search.run(Position(size=3), 30)
    steps.send(search.evaluator.evaluate(boards))
    assert search.snapshot().root_visits == 1
    steps.close()
    assert search.run(Position(size=3), 30).root_visits == 30


def test_values_out_of_range_are_cut() -> None:
    result = Search(Spoilt(0.0, 7.0), SearchConfig()).run(Position(size=3), limit(30))
    assert result.network_value == 1.0
    assert np.nanmax(np.abs(result.q)) <= 1.0


def test_wrong_shapes_are_refused() -> None:
    class Narrow:
        def evaluate(self, boards: NDArray[np.void]) -> Evaluations:
            return Evaluations(np.zeros((len(boards), 9), np.float32), np.zeros(len(boards), np.float32))

    with pytest.raises(ValueError, match="shapes"):
        Search(Narrow(), SearchConfig()).run(Position(size=3), limit(5))


def test_noise_keeps_the_sum_and_the_illegal_moves() -> None:
    priors = np.array([0.5, 0.0, 0.3, 0.2], np.float32)
    mixed = dirichlet_noise(priors, 0.5, 0.25, np.random.default_rng(1))
    assert mixed.sum() == pytest.approx(1)
    assert mixed[1] == 0
    assert (mixed >= 0.75 * priors - 1e-6).all()
    assert not np.allclose(mixed, priors)


def test_noise_is_drawn_anew_for_a_kept_root_from_its_own_priors() -> None:
    position = Position(size=5)
    clean = Search(HashEvaluator(), SearchConfig()).run(position, limit(1)).priors
    search = Search(HashEvaluator(), SearchConfig(noise_fraction=0.25, batch=1), np.random.default_rng(4))
    first = search.run(position, limit(100)).priors
    second = search.run(position, limit(200)).priors
    assert not np.allclose(first, second)
    for noised in (first, second):
        assert (noised >= 0.75 * clean - 1e-3).all()
    position.play(12)
    clean = Search(HashEvaluator(), SearchConfig()).run(position, limit(1)).priors
    third = search.run(position, limit(300)).priors
    assert (third >= 0.75 * clean - 1e-3).all()


def test_a_kept_tree_is_what_a_new_search_of_that_position_would_be() -> None:
    config = SearchConfig(batch=1)
    search = Search(HashEvaluator(), config)
    position = Position(size=4, komi=0.5)
    move = search.run(position, limit(900)).move
    position.play(move)
    kept = search.run(position, limit(1))
    new = Search(HashEvaluator(), config).run(position, limit(kept.root_visits))
    assert kept.reused_visits == kept.root_visits > 100
    assert kept.evaluations == 0
    np.testing.assert_array_equal(kept.visits, new.visits)
    np.testing.assert_allclose(kept.q, new.q, atol=1e-6)
    assert kept.nodes == new.nodes
    for moves in (1, 2):
        for _ in range(moves):
            position.play(search.run(position, limit(kept.root_visits + 300)).move)
        kept = search.run(position, limit(500))
        new = Search(HashEvaluator(), config).run(position, limit(kept.root_visits))
        np.testing.assert_array_equal(kept.visits, new.visits)


def test_two_moves_at_once_are_followed() -> None:
    search = Search(HashEvaluator(), SearchConfig(batch=1))
    position = Position(size=4)
    line = search.run(position, limit(900)).variation
    position.play(line[0])
    position.play(line[1])
    assert search.run(position, limit(1)).reused_visits > 0


def test_a_tree_is_dropped_when_komi_rules_or_position_change() -> None:
    position = Position(size=4, komi=0.5)
    search = Search(HashEvaluator(), SearchConfig(batch=1))

    def reused(searched: Position) -> int:
        return search.run(searched, limit(200)).reused_visits

    assert reused(position) == 0
    assert reused(position) == 200
    position.komi = 1.5
    assert reused(position) == 0
    assert reused(Position(size=4, komi=1.5, rules="chinese")) == 0
    assert reused(position) == 0
    position.play(5)
    assert reused(position) > 0
    position.undo()
    assert reused(position) == 0
    position.play(5)
    position.play(6)
    position.play(9)
    reused(position)
    other = Position(size=4, komi=1.5)
    for move in (9, 6, 5, 10):  # reaches what looks like the next position, by another way
        other.play(move)
    assert reused(other) == 0
    assert reused(Position(size=5, komi=1.5)) == 0


def test_a_tree_is_dropped_by_an_edit_even_to_the_stones_it_began_with(monkeypatch: pytest.MonkeyPatch) -> None:
    followed: list[int] = []

    def watched(board: Any, move: int, color: int) -> int:
        followed.append(move)
        return play(board, move, color)

    monkeypatch.setattr(following, "play", watched)
    position = Position(size=4, komi=0.5, rules="chinese")
    position.play("B2")
    search = Search(HashEvaluator(), SearchConfig(batch=1))
    for moves in ([], ["C3"], ["C3", "B3", "C2"]):
        position.play_many(moves)
        position.edit(empty=["C3", "B3", "C2"], to_play="W")
        assert search.run(position, limit(60)).reused_visits == 0
    assert followed == []  # what an edit left of the last moves is no move


def test_a_finished_game_can_still_be_searched() -> None:
    position = Position(size=3)
    search = Search(HashEvaluator(), SearchConfig(batch=1))
    search.run(position, limit(400))
    position.play("pass")
    search.run(position, limit(400))
    position.play("pass")
    assert position.is_over
    assert search.run(position, limit(50)).root_visits == 50


def test_memory_stays_flat_over_many_moves() -> None:
    search = Search(HashEvaluator(), SearchConfig())
    capacities: list[int] = []
    for _ in range(3):
        position = Position(size=5)
        for _ in range(25):
            result = search.run(position, limit(80))
            position.play(result.move)
            assert search.trees is not None
            assert result.nodes <= 81 + result.reused_visits
            capacities.append(len(search.trees.nodes))
    assert capacities[-1] == capacities[0]


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 2), (2, 7), (19, 3)])
def test_any_board_can_be_searched(rows: int, cols: int) -> None:
    result = Search(ConstantEvaluator(), SearchConfig()).run(Position(rows=rows, cols=cols), limit(200))
    assert result.visits.shape == (rows * cols + 1,)
    assert result.visits.sum() == 199


def test_an_int_is_a_number_of_visits() -> None:
    assert Search(ConstantEvaluator()).run(Position(3), 20).root_visits == 20


def test_what_is_no_evaluation_is_refused() -> None:
    class Friendly:
        def evaluate(self, boards: object) -> object:
            return "E5 looks good"

    with pytest.raises(TypeError, match=r"answers with Evaluations, not str: give a search network\.evaluator"):
        Search(cast(Any, Friendly())).run(Position(3), 20)


def test_a_result_says_in_short_what_it_is() -> None:
    result = Search(ConstantEvaluator(), rng=np.random.default_rng(1)).run(Position(1), 5)
    assert repr(result) == "<search result: move 1, value -0.600, 5 visits>"


@pytest.mark.parametrize(
    "rules",
    [
        *({"ko": ko, "suicide": False} for ko in ("simple", "positional", "situational")),
        {"base": "japanese", "encore": True},
        {"base": "aga-button"},
    ],
    ids=str,
)
def test_a_tree_kept_move_after_move_has_exactly_the_keys_of_the_game(rules: dict[str, Any]) -> None:
    position = Position(4, rules=rules, komi=0.5)
    search = Search(HashEvaluator(), SearchConfig(batch=4), np.random.default_rng(3))
    for _ in range(20):
        result = search.run(position, 60)
        position.play(result.move)
        if position.is_over:
            break
        kept = int(result.visits[result.move])
        assert search.run(position, 61).reused_visits == min(kept, 61)
        assert search.trees is not None
        keys = search.trees.keys[0, : search.trees.key_counts[0]]
        assert keys.dtype == np.uint64
        assert keys.tolist() == position.superko_keys.tolist()
