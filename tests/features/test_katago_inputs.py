"""KataGo's inputs of version 7 against the engine's own, value by value, and against the slow twin on random games.

Seven of the engine's positions are inside the repository; all sixty are in the shared folder.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.features import encode
from move37.features.katago import KATAGO22, KataGoEncoder
from tests.rules.test_katago_positions import POSITIONS, load, name_of, replay
from tests.support.kernel_game import KernelGame
from tests.support.random_games import Setting, next_turn, random_kos, random_stones
from tests.support.shared import SHARED
from tests.support.slow_katago_inputs import SlowInputs, Terms

INPUTS = SHARED / "katago" / "v7_inputs.npz"
SMALL_COPY = load(Path(__file__).parents[1] / "data" / "katago_inputs.json")
SIZES = ((1, 1), (1, 5), (2, 2), (3, 3), (3, 4), (4, 4), (5, 5), (6, 4), (7, 7))
Array = NDArray[np.float32]


def assert_equal(planes: Array, numbers: Array, expected: Array, wanted: Array) -> None:
    """Names the planes and numbers that differ."""
    assert [plane for plane in range(22) if (planes[plane] != expected[plane]).any()] == []
    different = [number for number in range(19) if numbers[number] != wanted[number]]
    assert [(number, numbers[number], wanted[number]) for number in different] == []


def test_the_small_copy_has_every_kind() -> None:
    seen = {entry["category"] for entry in SMALL_COPY}
    assert seen >= {"ladder", "pass_alive", "after_pass", "encore2", "encore_ko", "superko", "opening"}


@pytest.mark.parametrize("entry", SMALL_COPY, ids=name_of)
def test_the_small_copy_is_equal(entry: dict[str, Any]) -> None:
    encoded = encode("katago22", [replay(entry)])
    expected = np.zeros((22, entry["ysize"] * entry["xsize"]), np.float32)
    for plane, points in zip(expected, entry["marked"], strict=True):
        plane[points] = 1.0
    wanted = np.array(entry["globals"], np.float32)
    assert_equal(encoded.spatial[0].reshape(22, -1), encoded.globals[0], expected, wanted)


@pytest.mark.skipif(not INPUTS.exists(), reason="the shared folder is absent")
@pytest.mark.parametrize("entry", POSITIONS, ids=name_of)
def test_every_position_of_the_engine_is_equal(entry: dict[str, Any]) -> None:
    encoded = encode("katago22", [replay(entry)])
    with np.load(INPUTS) as inputs:
        expected, wanted = inputs[f"{entry['id']}_planes"], inputs[f"{entry['id']}_globals"]
    assert_equal(encoded.spatial[0], encoded.globals[0], expected.astype(np.float32), wanted)


# ------------------------------------------------------------------------------------------- random games


def random_setting(rng: random.Random, rows: int, cols: int) -> Setting:
    """Any rules; under territory scoring mostly with the encore."""
    stones = rng.choice((random_stones, random_kos))(rng, rows, cols, rng.choice((0.0, 0.2, 0.6, 0.8)))
    territory = rng.random() < 0.5
    encore, button = territory and rng.random() < 0.8, not territory and rng.random() < 0.3
    ko, suicide = rng.choice((0, 1, 2)), rng.random() < 0.4
    return Setting(rows, cols, ko, suicide, stones, rng.choice((1, 2)), territory, encore, button)


def random_terms(rng: random.Random) -> Terms:
    """The rest of the rules, and every second time other options than KataGo's defaults."""
    tax, friendly = rng.choice(("none", "seki", "all")), rng.random() < 0.4
    komi, bonus = rng.choice((7.5, 0.0, -3.0, 60.5, -61.0)), rng.choice((0.0, 3.0))
    if rng.random() < 0.5:
        return Terms(tax, friendly, komi, bonus)
    return Terms(
        tax,
        friendly,
        komi,
        bonus,
        draw_value=rng.choice((0.0, 0.25, 0.5, 0.75, 1.0)),
        doubling=rng.choice((0.0, 0.5, -1.0)),
        history=rng.randint(0, 5),
        conservative=rng.random() < 0.4,
        hacks=rng.random() < 0.5,
        suicide_for_life=rng.choice((None, True, False)),
    )


def encoder_of(terms: Terms) -> KataGoEncoder:
    return KataGoEncoder(
        draw_value=terms.draw_value,
        doubling_advantage=terms.doubling,
        history=terms.history,
        conservative_pass=terms.conservative,
        passing_hacks=terms.hacks,
        suicide_for_life=terms.suicide_for_life,
    )


def compare_game(rows: int, cols: int, seed: int) -> Array:
    """Compare now and then in one random game; which planes and numbers (41 in all) were ever not zero."""
    rng = random.Random(seed)
    setting, terms, passing = random_setting(rng, rows, cols), random_terms(rng), rng.choice((0.05, 0.15, 0.4))
    oracle, game, encoder = setting.oracle(), KernelGame(setting), encoder_of(terms)
    game.board["tax"], game.board["friendly_pass"] = ("none", "seki", "all").index(terms.tax), terms.friendly
    game.board["komi"], game.board["white_bonus"] = terms.komi, terms.white_bonus
    seen = np.zeros(41, np.float32)
    for _ in range(rng.randint(3, 40)):
        if oracle.is_over and rng.random() < 0.3:
            break
        color, move = next_turn(rng, oracle, passing)
        oracle.play(move, color)
        game.play(move, color)
        if rng.random() < 0.4:
            game.write_bans(oracle.to_play)
            encoded, slow = encoder.encode(game.boards), SlowInputs(oracle, terms)
            assert_equal(encoded.spatial[0].reshape(22, -1), encoded.globals[0], slow.planes, slow.numbers)
            seen[:22] += slow.planes.any(axis=1)
            seen[22:] += slow.numbers != 0
    return seen


@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_the_slow_twin_agrees(rows: int, cols: int) -> None:
    for seed in range(8):
        compare_game(rows, cols, 1000 * rows + 100 * cols + seed)


def test_random_games_show_every_plane_and_number() -> None:
    seen = np.sum([compare_game(3, 3, seed) for seed in range(100)], axis=0)
    assert np.flatnonzero(seen == 0).tolist() == [8]  # the plane that KataGo does not use


def test_the_default_is_what_the_name_gives() -> None:
    assert KataGoEncoder() == KATAGO22
