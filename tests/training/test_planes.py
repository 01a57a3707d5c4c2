"""The planes a network learns from are those it plays with: own and opponent, history, whatever the position came from.

The position of these tests is that after Black D4, White Q16, Black Q4, White to move.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.features import encode, get_encoder
from move37.features.alphago_kernels import LIBERTIES, TURNS_SINCE
from move37.gtp.engine import Engine
from move37.players.random_player import RandomPlayer
from move37.rules import symmetry
from move37.rules.color import Color
from move37.rules.position import Position
from move37.training.examples import Source, make_examples
from tests.support.stored_games import random_rows, row, store_of

LEARNED = ("zero17", "alphago48", "alphago49")
MOVES = ["D4", "Q16", "Q4"]
COLOR_PLANE = {"zero17": [16], "alphago48": [], "alphago49": [48]}

Planes = NDArray[np.float32]


def played() -> Position:
    return Position.from_moves(MOVES, size=19)


def point(vertex: str) -> int:
    return played().point(vertex)


def drawn(*vertices: str) -> Planes:
    """A plane with ones at these vertices."""
    plane = np.zeros(361, np.float32)
    plane[[point(vertex) for vertex in vertices]] = 1.0
    return plane.reshape(19, 19)


def planes(name: str, position: Position) -> Planes:
    found: Planes = encode(name, [position]).spatial[0]
    return found


def from_gtp(_: Path) -> Position:
    return told(f"play b {MOVES[0]}", f"play w {MOVES[1]}", f"play b {MOVES[2]}")


def from_undo(_: Path) -> Position:
    return told("play b d4", "play w q16", "play b k10", "undo", "play b q4", "play w c3", "play b r16", "undo", "undo")


def from_record(folder: Path) -> Position:
    path = folder / "game.sgf"
    path.write_text("(;SZ[19];B[dp];W[pd];B[pp];W[cq])", encoding="utf-8")
    return told(f"loadsgf {path} 4")


def told(*lines: str) -> Position:
    """The position of the engine after these GTP commands."""
    engine = Engine(RandomPlayer(), size=19)
    protocol = engine.protocol()
    for line in lines:
        assert (protocol.respond(line) or "").startswith("="), line
    return engine.position


def from_store(folder: Path, name: str) -> Planes:
    games = store_of(folder / "g.parquet", [row([point(move) for move in [*MOVES, "C3"]], size=19)])
    weight = np.ones((1, 2), np.float32)
    source = Source(games, weight[:, 0], weight[:, 0], weight)
    found: Planes = make_examples(source, np.array([3]), get_encoder(name)).spatial[0]
    return found


# ---- where the position comes from


@pytest.mark.parametrize("name", LEARNED)
@pytest.mark.parametrize("source", [from_gtp, from_undo, from_record])
def test_equal_history_gives_equal_planes(name: str, source: Callable[[Path], Position], tmp_path: Path) -> None:
    np.testing.assert_array_equal(planes(name, source(tmp_path)), planes(name, played()))


@pytest.mark.parametrize("name", LEARNED)
def test_a_stored_game_gives_the_planes_of_the_played_one(name: str, tmp_path: Path) -> None:
    np.testing.assert_array_equal(from_store(tmp_path, name), planes(name, played()))


def test_own_stones_come_first_and_each_pair_is_one_move_earlier(tmp_path: Path) -> None:
    found = from_store(tmp_path, "zero17")
    expected = [drawn("Q16"), drawn("D4", "Q4"), drawn("Q16"), drawn("D4"), drawn(), drawn("D4")]
    for number, plane in enumerate(expected):
        np.testing.assert_array_equal(found[number], plane, err_msg=f"plane {number}")
    assert not found[6:].any()  # nothing before the first move; White is to move


def test_turns_since_are_counted_from_the_last_move(tmp_path: Path) -> None:
    found = from_store(tmp_path, "alphago48")
    for number, plane in enumerate([drawn("Q16"), drawn("D4", "Q4"), 1 - drawn("Q16", "D4", "Q4")]):
        np.testing.assert_array_equal(found[number], plane)
    turns = found[TURNS_SINCE:LIBERTIES]
    for number, vertices in enumerate([("Q4",), ("Q16",), ("D4",), (), (), (), (), ()]):
        np.testing.assert_array_equal(turns[number], drawn(*vertices))


@pytest.mark.parametrize("name", LEARNED)
def test_stones_set_up_differ_in_their_history_alone(name: str, tmp_path: Path) -> None:
    path = tmp_path / "setup.sgf"
    path.write_text("(;SZ[19]AB[dp][pp]AW[pd]PL[W])", encoding="utf-8")
    found, usual = planes(name, told(f"loadsgf {path}")), planes(name, played())
    if name == "zero17":
        np.testing.assert_array_equal(found[:2], usual[:2])
        assert not found[2:16].any() and usual[2:16].any()
        np.testing.assert_array_equal(found[16], usual[16])
        return
    others = [number for number in range(len(usual)) if not TURNS_SINCE <= number < LIBERTIES]
    np.testing.assert_array_equal(found[others], usual[others])
    np.testing.assert_array_equal(found[LIBERTIES - 1], drawn("D4", "Q16", "Q4"))  # eight turns ago or longer
    assert not found[TURNS_SINCE : LIBERTIES - 1].any()


# ---- colours


@pytest.mark.parametrize("name", LEARNED)
def test_swapped_colours_change_the_colour_plane_alone(name: str) -> None:
    swapped = Position(size=19)
    for move, color in zip(MOVES, (Color.WHITE, Color.BLACK, Color.WHITE), strict=True):
        swapped.play(move, color)
    found, usual = planes(name, swapped), planes(name, played())
    others = [number for number in range(len(usual)) if number not in COLOR_PLANE[name]]
    np.testing.assert_array_equal(found[others], usual[others])
    for number in COLOR_PLANE[name]:
        assert found[number].all() and not usual[number].any()


@pytest.mark.parametrize("name", LEARNED)
def test_the_other_player_sees_own_and_opponent_swapped(name: str) -> None:
    white, black = played(), played()
    white.play("pass")
    black.play("pass")
    black.play("pass", Color.WHITE)
    white.play("pass", Color.BLACK)  # equal history but for who passed last, so who is to move
    assert (white.to_play, black.to_play) == (Color.WHITE, Color.BLACK)
    mine, theirs = planes(name, white), planes(name, black)
    pairs = 8 if name == "zero17" else 1
    for number in range(0, 2 * pairs, 2):
        np.testing.assert_array_equal(mine[number], theirs[number + 1])
        np.testing.assert_array_equal(mine[number + 1], theirs[number])


# ---- every position of a game, on the way that training takes


@pytest.mark.parametrize("name", LEARNED)
@pytest.mark.parametrize("turned", [None, 0, 3, 6])
def test_every_stored_position_has_the_planes_of_the_game_played_out(
    name: str, turned: int | None, tmp_path: Path
) -> None:
    rows = random_rows(seed=6, count=3)
    rows.append(row([0, 6, 24, 25, 12], setup_black=[7, 17], first_player=-1))
    games = store_of(tmp_path / "g.parquet", rows)
    weight = np.ones((len(games), 2), np.float32)
    source = Source(games, weight[:, 0], weight[:, 0], weight)
    symmetries = None if turned is None else np.full(source.positions, turned)
    found = make_examples(source, np.arange(source.positions), get_encoder(name), symmetries)
    number = 0
    for one in rows:
        game = Position(size=5, rules="chinese")
        game.setup(black=one["setup_black"], to_play=Color(1 if one["first_player"] == 1 else 2))
        for move in one["moves"]:
            expected = planes(name, game)
            played_move = move
            if turned is not None:
                expected = symmetry.apply(turned, expected)
                played_move = symmetry.point(turned, move, 5, 5)
            np.testing.assert_array_equal(found.spatial[number], expected, err_msg=f"position {number}")
            assert found.move[number] == played_move
            game.play(move)
            number += 1
    assert number == source.positions
