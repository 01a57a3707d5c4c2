"""Trees, scores, phases, batches under way, curves and the game's graph."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from move37.analysis.review_graph import graph_svg
from move37.errors import CheckpointError, ConfigError
from move37.pictures.curves import curves_of, curves_picture, ticks
from move37.pictures.game import game_picture
from move37.pictures.phases import phases_picture
from move37.pictures.scores import score_bars, scores_picture
from move37.pictures.searches import batch_under_way, scores_by, simulation, tree_by
from move37.pictures.theme import DARK
from move37.pictures.tree import laid_out, tree_picture, virtual_loss_picture
from move37.rules.position import Position
from move37.search.tree_view import MoveScore, ViewedNode
from tests.support.drawings import SVG, classes, hovers, parsed, words
from tests.support.networks import small_network, small_policy
from tests.support.review_script import scripted_review

POSITION = Position.from_moves(["C3", "D3"], size=5, komi=7)


def node(index: int, move: int, visits: int, *children: ViewedNode, pending: int = 0) -> ViewedNode:
    return ViewedNode(index, move, visits, pending, 0.25 if index % 2 else -0.5, 0.1, children)


TREE = node(0, -1, 10, node(1, 0, 6, node(3, 6, 4), node(4, 7, 1)), node(2, 24, 3, pending=2))


def test_the_tree_has_every_node_with_n_and_q() -> None:
    picture = tree_picture(TREE, POSITION)
    told = words(picture)
    assert [one for one in told if one.startswith("N ")] == ["N 10", "N 6", "N 4", "N 1", "N 3"]
    assert [one for one in told if one.startswith("Q ")] == ["Q −0.50", "Q +0.25", "Q +0.25", "Q −0.50", "Q −0.50"]
    assert "E1 +2" in told and "root" in told and "best: A5 B4" in " ".join(told)
    assert "A5: N 6, Q +0.25, P 0.100" in hovers(picture)


def test_size_follows_visits_and_the_best_path_is_blue() -> None:
    circles = [one for one in parsed(tree_picture(TREE, POSITION)).iter(f"{SVG}circle") if len(one)]
    radii = [float(one.get("r", "0")) for one in circles]
    assert radii == sorted(radii[:2], reverse=True) + radii[2:] and max(radii) == 22 and radii[3] < radii[4] < radii[2]
    assert [one.get("class") for one in circles] == ["blue", "blue", "blue", "faint", "faint"]
    lines = [one.get("class") for one in parsed(tree_picture(TREE, POSITION)).iter(f"{SVG}line")]
    assert lines.count("line-blue") == 2 and lines.count("line-faint") == 2


def test_no_two_nodes_lie_on_one_another() -> None:
    root = tree_by("puct", small_network(), POSITION, 60, most=30)
    for tree in (TREE, root):
        places = laid_out(tree)
        assert len(set(places.values())) == len(places)
    assert laid_out(TREE) == {3: (0, 2), 4: (1, 2), 1: (0.5, 1), 2: (2, 1), 0: (1.25, 0)}


def test_scores_are_bars_of_value_and_bonus() -> None:
    scores = [
        MoveScore(0, 4, 1, 0.5, 0.2, 0.1),
        MoveScore(1, 2, 0, 0.25, -0.1, 0.6),
        MoveScore(2, 0, 0, 0.1, 0, np.inf),
    ]
    picture = score_bars(scores, POSITION)
    assert words(picture)[3:] == [
        *("C5", "0", "0.100", "∞", "B5", "2", "0.250", "0.500", "A5", "4+1", "0.500", "0.300"),
    ]
    assert hovers(picture)[1:3] == ["B5: Q -0.100", "B5: bonus 0.600"]
    boxes = {one[0].text: one for one in parsed(picture).iter(f"{SVG}rect") if len(one)}
    q, bonus = (float(boxes[f"A5: {name}"].get("width", "0")) for name in ("Q +0.200", "bonus 0.100"))
    assert q == pytest.approx(2 * bonus, abs=0.2)


def test_each_rule_has_its_panel() -> None:
    seen = [(rule, scores_by(rule, small_network(), POSITION, 40)) for rule in ("ucb1", "puct", "mixed")]
    told = " ".join(words(scores_picture(seen, POSITION)))
    assert "UCB1: mean" in told and "PUCT: Q" in told and "AlphaGo 2016" in told
    for _, scores in seen:
        assert sum(one.visits for one in scores) >= 39
    with pytest.raises(ConfigError, match="there is no rule 'x'; there are ucb1, puct, mixed"):
        scores_by("x", small_network(), POSITION, 10)


def test_a_network_without_values_searches_by_rollouts() -> None:
    root = tree_by(None, small_policy(), POSITION, 40)
    assert len({one.q for one in root.children}) > 1
    assert tree_by(None, small_policy(), POSITION, 40) == root


def test_a_batch_under_way_is_seen() -> None:
    root, before, now = batch_under_way(small_network(), POSITION, 170)
    assert 2 <= root.pending == sum(one.pending for one in now)
    picture = virtual_loss_picture(root, before, now, POSITION)
    shown = [one for one in hovers(picture) if "under way" in one]
    assert shown[0].startswith("root: ") and f"{root.pending} under way" in shown[0]
    assert classes(picture)["line-orange"] == len(shown)
    lower = {one.move: one.score for one in now if one.pending}
    assert all(lower[one.move] < one.score for one in before if one.move in lower)
    with pytest.raises(ConfigError, match="a batch of 8 leaves needs a search of at least 160 visits, not 20"):
        batch_under_way(small_network(), POSITION, 20)


def test_the_phases_are_those_of_the_simulation() -> None:
    found = simulation(POSITION, 60)
    assert len(found.line) >= 2
    picture = phases_picture(found, POSITION, 60)
    told = words(picture)
    names = [POSITION.vertex(move) for move in found.line]
    assert f"the way: {' → '.join(names)}; the rollout’s result for the player to move there: {found.result:+g}" in told
    assert [one for one in told if ": N " in one] == [
        f"{name}: N {visits}, win rate {rate:.3f}"
        for name, (visits, rate) in zip(["root", *names], reversed(found.backup), strict=True)
    ]
    chosen = found.selection[0]
    assert told.count(f"{names[0]} {chosen.bounds[chosen.move]:.2f}") == 2  # in the selection and in the expansion
    assert classes(picture)["green"] == 2  # the new node and its name
    assert any(one.startswith(f"{len(found.rollout)} moves") for one in told)
    for number in (0, -3):
        with pytest.raises(ConfigError, match="simulations are numbered from 1"):
            simulation(POSITION, number)


def test_the_first_simulation_evaluates_the_root() -> None:
    told = words(phases_picture(simulation(POSITION, 1), POSITION, 1))
    assert any("the way: the root itself" in one for one in told)


# ------------------------------------------------------------------------------------------------------ curves


def log(run: Path, *lines: object) -> None:
    (run / "log.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")


def test_curves_are_the_figures_of_the_log(tmp_path: Path) -> None:
    log(
        tmp_path,
        {"kind": "train", "step": 10, "loss": 2.0, "note": "text", "odd": True},
        {"kind": "held_out", "step": 10, "loss": 2.5, "accuracy": 0.25},
        {"kind": "train", "step": 20, "loss": 1.0, "rate": float("nan")},
        "no line",
    )
    picture = curves_picture(tmp_path)
    assert hovers(picture) == [
        *("train step 10: 2", "train step 20: 1", "held_out step 10: 2.5", "held_out step 10: 0.25"),
    ]
    told = words(picture)
    assert {"loss", "accuracy", "train: 1", "held_out: 2.5"} <= set(told) and "rate" not in told
    assert "loss" not in words(curves_picture(tmp_path / "log.jsonl", ["accuracy"]))
    with pytest.raises(ConfigError, match="has no figure 'x'; there are loss, accuracy"):
        curves_picture(tmp_path, ["x"])
    with pytest.raises(CheckpointError, match=r"has no log\.jsonl with figures"):
        curves_picture(tmp_path / "nothing")


def test_curves_lie_where_their_values_are(tmp_path: Path) -> None:
    log(tmp_path, *({"kind": "train", "step": step, "loss": value} for step, value in ((0, 4), (50, 3), (100, 2))))
    dots = list(parsed(curves_picture(tmp_path)).iter(f"{SVG}circle"))
    xs, ys = ([float(one.get(name, "")) for one in dots] for name in ("cx", "cy"))
    assert xs[1] - xs[0] == pytest.approx(xs[2] - xs[1], abs=0.2) and xs[0] < xs[1]
    assert ys[1] - ys[0] == pytest.approx(ys[2] - ys[1], abs=0.2) and ys[0] < ys[1]  # downwards on the page
    assert curves_of([{"step": 2, "a": 1}, {"step": 1, "a": 0}]) == {"a": {"": [(1.0, 0.0), (2.0, 1.0)]}}


def test_ticks_are_round() -> None:
    assert ticks(0, 10) == [0, 2, 4, 6, 8, 10]
    assert ticks(0.13, 0.27) == [0.15, 0.2, 0.25]
    assert ticks(-1, 1, 4) == [-1, -0.5, 0, 0.5, 1]
    assert ticks(3, 3) == [3]


# ---------------------------------------------------------------------------------------------------- the game


def test_the_games_graph_is_the_reviews_with_its_colours() -> None:
    _, found = scripted_review()
    picture = game_picture(found)
    for name in ("auto", "light", "dark"):
        parsed(picture, name)
        assert "var(" not in picture.svg(theme=name)
    drawing = picture.svg(theme="dark")
    assert f".m37-dark .graph .curve {{ fill: none; stroke: {DARK['curve']}" in drawing
    drawn = [one.get("d", "-") for one in parsed(picture).iter(f"{SVG}path") if one.get("class") == "curve"]
    assert len(drawn) == 2 and all(curve in graph_svg(found) for curve in drawn)
    _, empty = scripted_review("(;SZ[5]KM[0])")
    with pytest.raises(ConfigError, match="a game's graph needs at least two positions"):
        game_picture(empty)
