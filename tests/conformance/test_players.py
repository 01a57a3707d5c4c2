"""What every player promises: legal moves, an untouched position, choices that follow the seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from move37.gtp.any_player import player
from move37.players.alphago_presets import article, fan, lee, master
from move37.players.minimax_player import minimax
from move37.players.player import Player, with_to_play
from move37.players.presets import PRESETS, alphazero, gumbel, katago, policy, random, uct, zero
from move37.rules.color import Color
from move37.rules.position import Position
from move37.search.evaluator import ConstantEvaluator
from tests.support.networks import katago_network, small_network, small_policy, small_value
from tests.support.players import fake_program
from tests.support.positions import random_position

SIZE = 5
MAKERS: dict[str, Callable[[], Player]] = {
    "random": lambda: random(seed=1),
    "policy": lambda: policy(net=small_network(), temperature=1.0, seed=1),
    "fan": lambda: fan(
        net=small_policy(), value_net=small_value(), visits=24, resign=-1, threads=1, seed=1, rollout_policy="light"
    ),
    "lee": lambda: lee(net=small_network(), visits=24, resign=-1, threads=2, seed=1, rollout_policy="light"),
    "master": lambda: master(net=small_network(), visits=24, resign=-1, seed=1, rollout_policy="light"),
    "article": lambda: article(net=small_network(), visits=24, seed=1),
    "zero": lambda: zero(net=small_network(), visits=24, seed=1),
    "zero constant": lambda: zero(net=ConstantEvaluator(), visits=24, temperature=1.0, temperature_moves=9, seed=1),
    "alphazero": lambda: alphazero(net=small_network(), visits=24, seed=1),
    "zero of a rank": lambda: zero(net=small_network(), rank="5k", seed=1),
    "gumbel": lambda: gumbel(net=small_network(), visits=24, seed=1),
    "katago": lambda: katago(net=katago_network(), visits=24, seed=1),
    "katago constant": lambda: katago(net=ConstantEvaluator(), visits=24, temperature=1.0, temperature_moves=9, seed=1),
    "policy of katago": lambda: policy(net=katago_network(), seed=1),
    "zero with katago's network": lambda: zero(net=katago_network(), visits=24, seed=1),
    "uct": lambda: uct(visits=60, threads=1, seed=1),
    "uct with all options": lambda: uct(visits=60, rollouts=2, light=False, rave=False, c=0.3, threads=2, seed=1),
    "minimax": lambda: minimax(net=small_network(), depth=2, width=4),
    "gtp": lambda: player(f"gtp:{fake_program()}"),
}
OURS = [name for name in MAKERS if name != "gtp"]


@pytest.fixture(params=MAKERS)
def subject(request: pytest.FixtureRequest) -> Iterator[Player]:
    made = MAKERS[request.param]()
    yield made
    made.close()


def positions() -> list[Position]:
    rng = np.random.default_rng(37)
    return [random_position(rng, SIZE, SIZE, moves) for moves in (0, 1, 8, 20, 40)]


def test_every_preset_is_here() -> None:
    assert set(PRESETS) <= set(MAKERS)


def test_choices_are_legal_and_positions_stay_untouched(subject: Player) -> None:
    assert subject.name
    assert subject.supports(SIZE, SIZE)
    for position in positions():
        before, moves = position.copy(), position.moves
        record = position.board_array.copy()
        decision = subject.choose(position)
        assert position == before and position.moves == moves
        assert (position.board_array == record).all()
        assert decision.resign == (decision.move is None)
        assert decision.move is not None and position.is_legal(decision.move)
        assert decision.value is None or -1 <= decision.value <= 1
        if decision.visits is not None:
            assert decision.visits.shape == (SIZE * SIZE + 1,)
            assert (decision.visits[~position.legal_mask()] == 0).all()


def test_out_of_turn_choices_are_legal_for_the_colour_asked(subject: Player) -> None:
    for position in positions():
        color = position.to_play.opponent
        decision = subject.choose(with_to_play(position, color))
        assert decision.move is not None and position.is_legal(decision.move, color)


@pytest.mark.parametrize("name", OURS)
def test_the_same_seed_makes_the_same_choices(name: str) -> None:
    chosen = [[MAKERS[name]().choose(position).move for position in positions()] for _ in range(2)]
    assert chosen[0] == chosen[1]


@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("komi", [60.0, -60.0])
def test_no_player_passes_while_losing_with_a_safe_move_left_and_each_takes_a_won_pass(name: str, komi: float) -> None:
    position = Position(SIZE, komi=komi)
    position.play("C3")
    position.play("pass")
    decision = MAKERS[name]().choose(position)
    assert (decision.move == position.point("pass")) == (komi < 0)
    assert position.to_play is Color.BLACK
