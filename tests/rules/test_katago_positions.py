"""Positions of KataGo replayed under their own rules: phase, bans, legal moves and points agree with the engine's.

One of the encore is also inside the repository; all sixty are in the shared folder.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from move37.rules import board_kernels as kernels
from move37.rules.color import Color
from move37.rules.position import Position
from tests.support.kernel_game import bit_board, contents
from tests.support.shared import SHARED

KATAGO = SHARED / "katago"
SMALL_COPY = Path(__file__).parents[1] / "data" / "katago_encore.json"
COLORS = {"B": Color.BLACK, "W": Color.WHITE}


def load(path: Path) -> list[dict[str, Any]]:
    positions: list[dict[str, Any]] = json.loads(path.read_text())["positions"] if path.exists() else []
    return positions


ENCORE_POSITIONS = load(SMALL_COPY)
POSITIONS = load(KATAGO / "positions.json") or ENCORE_POSITIONS
NETS = [path.name for path in sorted(KATAGO.glob("raw_nn_*.json"))]
needs_all = pytest.mark.skipif(not NETS, reason="the shared folder is absent")


def name_of(entry: dict[str, Any]) -> str:
    return f"{entry['id']}-{entry['category']}"


def start(entry: dict[str, Any]) -> Position:
    """The position before its moves; the engine plays the encore wherever territory counts."""
    rules = {**entry["rules"], "encore": entry["rules"]["scoring"] == "TERRITORY"}
    position = Position(rows=entry["ysize"], cols=entry["xsize"], rules=rules, komi=entry["komi"])
    black, white = ([at for named, at in entry["initial_stones"] if named == color] for color in "BW")
    first = COLORS[(entry["moves"] or [(entry["to_play"], "")])[0][0]]
    if len(black) >= 2 and not white:
        position.place_free_handicap(black)
        assert position.to_play is first
    elif black or white:
        position.setup(black, white, first)
    return position


def replay(entry: dict[str, Any], plies: int | None = None) -> Position:
    position = start(entry)
    for color, vertex in entry["moves"][:plies]:
        assert position.to_play is COLORS[color]
        position.play(vertex)
    return position


@pytest.mark.parametrize("entry", POSITIONS, ids=name_of)
def test_phase_and_bans(entry: dict[str, Any]) -> None:
    position = replay(entry)
    assert position.to_play is COLORS[entry["to_play"]]
    assert position.phase == entry["encore_phase"]
    ko = None if position.ko_point is None else position.vertex(position.ko_point)
    assert ko == entry["simple_ko_ban"]
    words = position.board["superko_banned"]
    points = [point for point in range(position.rows * position.cols) if kernels.has_bit(words, point)]
    assert sorted(position.vertex(point) for point in points if point != position.ko_point) == entry["other_ko_bans"]
    assert not position.is_over


@pytest.mark.parametrize("entry", ENCORE_POSITIONS, ids=name_of)
def test_undo_equals_a_fresh_replay(entry: dict[str, Any]) -> None:
    position = replay(entry)
    while position.moves:
        position.undo()
        fresh = replay(entry, len(position.moves))
        assert contents(position.board) == contents(fresh.board)
        assert position.superko_keys.tolist() == fresh.superko_keys.tolist()


def test_the_small_copy_is_the_engines() -> None:
    everything = {entry["id"]: entry for entry in POSITIONS}
    assert [entry["category"] for entry in ENCORE_POSITIONS] == ["encore_ko"]
    assert all(everything[entry["id"]] == entry for entry in ENCORE_POSITIONS)


@needs_all
@pytest.mark.parametrize("net", NETS)
def test_the_networks_may_play_the_legal_moves(net: str) -> None:
    """The engine gives no probability to moves that are illegal for the player to move."""
    answers = json.loads((KATAGO / net).read_text())["results"]
    assert len(answers) >= 20
    for entry in POSITIONS:
        if entry["id"] in answers:
            legal = [probability is not None for probability in answers[entry["id"]]["policy"]]
            assert replay(entry).legal_mask().tolist() == legal, name_of(entry)


@needs_all
@pytest.mark.parametrize("entry", POSITIONS, ids=name_of)
def test_what_the_engine_shows_its_networks(entry: dict[str, Any]) -> None:
    """Its inputs of version 7 tell stones, bans, blocks, first stones of the second phase, recent plies and points."""
    with np.load(KATAGO / "v7_inputs.npz") as inputs:
        planes, numbers = inputs[f"{entry['id']}_planes"], inputs[f"{entry['id']}_globals"]
    position = replay(entry)
    board, points, color = position.board, position.rows * position.cols, int(position.to_play)
    for plane, wanted in ((1, color), (2, 3 - color)):
        assert (planes[plane] == (position.stones == wanted)).all()
    bans = {int(point) for point in np.flatnonzero(planes[6])} - {position.ko_point}
    assert {point for point in range(points) if kernels.has_bit(board["superko_banned"], point)} - {
        position.ko_point
    } == bans
    assert board["ko_recapture_blocked"].tolist() == bit_board(np.flatnonzero(planes[7]).tolist())
    for plane, wanted in ((20, color), (21, 3 - color)):
        assert board["encore_stones"][wanted - 1].tolist() == bit_board(np.flatnonzero(planes[plane]).tolist())
    assert [numbers[12], numbers[13], numbers[17]] == [
        board["phase"] >= 1,
        board["phase"] == 2,
        board["button"] == kernels.BUTTON_FREE,
    ]
    white = position.komi + position.white_bonus + float(board["play_bonus"])
    limit = points + 20
    assert numbers[5] * 20 == pytest.approx(np.clip(white if color == Color.WHITE else -white, -limit, limit), abs=1e-4)
    seen = sum(bool(planes[9 + ply].any()) or numbers[ply] == 1 for ply in range(5))
    hidden = entry["rules"]["friendlyPassOk"] and position.passes == 1
    assert seen == (0 if hidden else min(5, int(board["phase_moves"])))
