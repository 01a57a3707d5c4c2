"""Targets of self-play, value by value on games made by hand."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from move37.errors import ConfigError, GamesFileError
from move37.features.encoder import get_encoder
from move37.games.self_play import FULL, SelfPlayGames
from move37.rules import symmetry
from move37.rules.result import Result
from move37.training.examples import Examples, Sampler, prefetch
from move37.training.selfplay import SelfPlayConfig, play_chunk
from move37.training.selfplay_examples import SelfPlaySource, SizedSampler
from move37.training.selfplay_game import Game, Plan, rows_of
from move37.training.selfplay_search import Found
from tests.support.self_play import STILL
from tests.support.slow_search import HashEvaluator

ZERO17 = get_encoder("zero17")
NOTHING: dict[int, int] = {}
UNTURNED = np.zeros(20, np.int64)


def game_of(
    moves: list[tuple[int, dict[int, int], float]], result: str, owner: str = "", *, komi: float = 6.5, size: int = 3
) -> Game:
    """A game: of each move its point, the target's weights, and what it counts. owner: XO. for each point."""
    game = Game.of(SelfPlayConfig(sizes=(size,), komi=komi), 0)
    for move, target, weight in moves:
        points = np.array(sorted(target), np.uint16)
        weights = np.array([target[point] for point in sorted(target)], np.uint16)
        game.play(Found(move, points, weights, 0.25, -0.5), Plan(10, weight > 0, weight))
    game.result = Result.parse(result)
    game.owner = np.array([".XO".index(one) for one in owner], np.int8)
    return game


def two_games() -> SelfPlayGames:
    """On 3x3, pass 9: one counted, which White won by 2.5 (Black 4 ahead on the board), one resigned by White."""
    counted = game_of(
        [(4, {4: 3, 5: 1}, 1.0), (0, {0: 1, 9: 1}, 0.5), (9, NOTHING, 0.0), (9, {9: 7}, 1.0)],
        "W+2.5",
        "OX.XXXXX.",
    )
    resigned = game_of([(4, {4: 9}, 1.0), (1, {1: 2, 3: 2}, 2.0)], "B+R", komi=0.5)
    return rows_of([counted, resigned])


def examples_of(positions: list[int], symmetries: list[int] | None = None) -> Examples:
    source = SelfPlaySource(two_games(), ownership=True, opponent=True)
    turns = np.zeros(len(positions), np.int64) if symmetries is None else np.array(symmetries)
    return source.examples(np.array(positions), ZERO17, turns)


def row(**shares: float) -> list[float]:
    """A target: p4=0.5 is half for point 4."""
    found = [0.0] * 10
    for name, share in shares.items():
        found[int(name[1:])] = share
    return found


def test_policies_are_distributions() -> None:
    found = examples_of([0, 1, 2, 3, 4, 5])
    assert found.policy.tolist() == [
        row(p4=0.75, p5=0.25),
        row(p0=0.5, p9=0.5),
        row(),
        row(p9=1.0),
        row(p4=1.0),
        row(p1=0.5, p3=0.5),
    ]
    assert found.policy_weight.tolist() == [1.0, 1.0, 0.0, 1.0, 1.0, 1.0]
    assert found.move.tolist() == [4, 0, 9, 9, 4, 1]
    assert found.ply.tolist() == [0, 1, 2, 3, 0, 1]


def test_results_are_for_the_player_to_move() -> None:
    found = examples_of([0, 1, 2, 3, 4, 5])
    assert found.spatial[:, 16, 0, 0].tolist() == [1.0, 0.0, 1.0, 0.0, 1.0, 0.0]  # Black to move
    assert found.value.tolist() == [-1.0, 1.0, -1.0, 1.0, 1.0, -1.0]
    assert found.value_weight.tolist() == [1.0] * 6


def test_scores_are_for_the_player_to_move_and_without_komi() -> None:
    found = examples_of([0, 1, 4])
    assert found.score[:2].tolist() == [4.0, -4.0]
    assert np.isnan(found.score[2])


def test_ownership_is_for_the_player_to_move() -> None:
    found = examples_of([0, 1, 4])
    black = [[-1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [1.0, 1.0, 0.0]]
    assert found.ownership[0].tolist() == black
    np.testing.assert_array_equal(found.ownership[1], -np.array(black))
    assert found.ownership_weight.tolist() == [1.0, 1.0, 0.0]


def test_the_opponents_policy_is_that_of_the_next_move() -> None:
    found = examples_of([0, 1, 2, 3, 4, 5])
    assert found.opponent.tolist() == [row(p0=0.5, p9=0.5), row(), row(p9=1.0), row(), row(p1=0.5, p3=0.5), row()]
    assert found.opponent_weight.tolist() == [1.0, 0.0, 1.0, 0.0, 1.0, 0.0]


@pytest.mark.parametrize("one", symmetry.SYMMETRIES)
def test_all_targets_turn_with_the_planes(one: int) -> None:
    plain, turned = examples_of([0, 1, 5]), examples_of([0, 1, 5], [one] * 3)
    np.testing.assert_array_equal(turned.spatial, symmetry.apply(one, plain.spatial))
    np.testing.assert_array_equal(turned.ownership, symmetry.apply(one, plain.ownership))
    for name in ("policy", "opponent"):
        for before, after in zip(getattr(plain, name), getattr(turned, name), strict=True):
            assert [after[symmetry.point(one, point, 3, 3)] for point in range(10)] == before.tolist()
    assert turned.move.tolist() == [symmetry.point(one, point, 3, 3) for point in plain.move.tolist()]
    np.testing.assert_array_equal(turned.value, plain.value)


def test_void_games_and_draws() -> None:
    moves = [(4, {4: 1}, 1.0)]
    source = SelfPlaySource(rows_of([game_of(moves, "0", "XXXXXXXXX", komi=9.0), game_of(moves, "Void", "X" * 9)]))
    found = source.examples(np.array([0, 1]), ZERO17, UNTURNED[:2])
    assert found.value.tolist() == [0.0, 0.0]
    assert found.value_weight.tolist() == [1.0, 0.0]
    assert found.score[0] == 9.0
    assert np.isnan(found.score[1])
    assert len(found.ownership) == len(found.opponent) == 0


def test_positions_are_drawn_by_weight() -> None:
    source = SelfPlaySource(two_games())
    assert source.positions == 5
    drawn = source.draw(np.random.default_rng(1), 11_000)
    shares = np.bincount(drawn, minlength=6) / len(drawn)
    np.testing.assert_allclose(shares, np.array([1.0, 0.5, 0.0, 1.0, 1.0, 2.0]) / 5.5, atol=0.015)
    assert shares[2] == 0.0


def test_positions_are_those_that_were_searched() -> None:
    """Planes under the game's own komi, ko and superko: each encoder's planes equal those that the search was shown."""
    config = replace(STILL, sizes=(3,), temperature=1.0, komi_stdev=2.0, visits=4)
    games = play_chunk(HashEvaluator(), config, 0, 6)
    source = SelfPlaySource(games)
    from move37.rules.position import Position

    for game in range(6):
        start = int(games.games.moves.offsets[game])
        position = Position(size=3, rules="tromp-taylor", komi=float(games.games.komi[game]))
        for ply, move in enumerate(games.games.moves[game].tolist()):
            for name in ("katago22", "zero17"):
                found = source.examples(np.array([start + ply]), get_encoder(name), UNTURNED[:1])
                wanted = get_encoder(name).encode(np.array([position.board]))
                np.testing.assert_array_equal(found.spatial, wanted.spatial)
                np.testing.assert_array_equal(found.globals, wanted.globals)
            position.play(move)


def test_batches_depend_on_seed_and_number_alone() -> None:
    source = SelfPlaySource(two_games(), ownership=True, opponent=True)
    sampler = Sampler((source, source), (0.5, 0.5), ZERO17, 8, seed=3)
    with closing(prefetch(sampler, 4, threads=3)) as batches:
        for number, batch in enumerate(islice(batches, 3), 4):
            again = Sampler((source, source), (0.5, 0.5), ZERO17, 8, seed=3).draw(number)
            for name, column in vars(batch).items():
                np.testing.assert_array_equal(column, getattr(again, name))
    assert not np.array_equal(sampler.draw(1).policy, sampler.draw(2).policy)


def test_batches_of_several_sizes_have_one_each() -> None:
    small = rows_of([game_of([(1, {1: 1}, 1.0)], "B+R", size=2)])
    sources = [SelfPlaySource(games) for games in (two_games(), small)]
    samplers = [Sampler((source,), (1.0,), ZERO17, 2, seed=1) for source in sources]
    sized = SizedSampler(samplers, (3.0, 1.0), seed=5)
    sides = [sized.draw(number).spatial.shape[-1] for number in range(80)]
    assert sides == [sized.draw(number).spatial.shape[-1] for number in range(80)]
    assert 8 < sides.count(2) < 34


def test_a_source_needs_one_size_and_something_to_learn() -> None:
    small = rows_of([game_of([(1, {1: 1}, 1.0)], "B+R", size=2)])
    with pytest.raises(ConfigError, match="one board size"):
        SelfPlaySource(SelfPlayGames.join([two_games(), small]))
    with pytest.raises(ConfigError, match="no position to learn from"):
        SelfPlaySource(rows_of([game_of([(1, NOTHING, 0.0)], "B+R")]))


def test_an_illegal_game_is_named() -> None:
    games = rows_of([game_of([(4, {4: 1}, 1.0), (4, {4: 1}, 1.0), (9, {9: 1}, 1.0)], "B+R")])
    with pytest.raises(GamesFileError, match="self-play game 0 cannot be replayed: illegal after 1 moves"):
        SelfPlaySource(games).examples(np.array([2]), ZERO17, UNTURNED[:1])


def test_flags_and_values_of_hand_made_games() -> None:
    games = two_games()
    assert games.flags.values.tolist() == [FULL, FULL, 0, FULL, FULL, FULL]
    assert games.root_value.tolist() == [0.25] * 6
    assert games.best_value.tolist() == [-0.5] * 6
