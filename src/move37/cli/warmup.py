"""Compile all kernels that games, encoders, searches, matches and GTP may need, so that no later start waits for it."""

from __future__ import annotations

import sys
import time

import numpy as np

from move37.arena.match import match
from move37.evaluators.cached import CachedEvaluator
from move37.evaluators.dead_stones import dead_stones
from move37.evaluators.symmetric import SymmetricEvaluator
from move37.features.encoder import encode, encoder_names
from move37.nets import weights
from move37.players.presets import preset, zero
from move37.rules.batch import batch
from move37.rules.position import Position
from move37.search.evaluator import ConstantEvaluator


def _use_the_rules() -> None:
    """Everything that GTP, the batch and a person at the terminal ask of a position."""
    position = Position(size=9, rules="new-zealand", komi=7)
    position.place_handicap(2)
    position.play("E5")
    position.is_self_atari("A1")
    position.captures("A1")
    position.score(dead_stones(position, playouts=1).dead)
    str(position)
    settled = Position(size=5, rules="japanese,encore=true")
    settled.play_many(["C3", *["pass"] * 6])
    settled.score()
    games = batch(2, size=9, rules="tromp-taylor")
    games.step(np.array([0, 81]))
    games.legal_mask()
    games.black_margin()


def warm_up() -> None:
    """Play a few moves with every preset, and say how long it took."""
    began = time.perf_counter()
    position = Position(size=9, rules="tromp-taylor", komi=7)
    for vertex in ("E5", "C3", "pass"):
        position.play(vertex)
    position.undo()
    for name in encoder_names():
        encode(name, position)
    _use_the_rules()
    mean = SymmetricEvaluator(ConstantEvaluator(), mode="mean")
    random = SymmetricEvaluator(mean, mode="random", rng=np.random.default_rng(0))
    searcher = zero(net=CachedEvaluator(random), visits=32, seed=0)
    for _ in range(2):
        position.play(searcher.choose(position).move or 0)
    names = ("random", "policy", "zero") if weights.bundled() else ("random",)
    for name in names:
        preset(name, seed=0).choose(position)
    match("random", "random", games=1, size=5, max_moves=60)
    print(f"move37: ready, {time.perf_counter() - began:.1f} s", file=sys.stderr)
