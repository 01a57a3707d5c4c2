"""Compile all kernels that a game, an encoder or a search may need, so that no later start waits for it."""

from __future__ import annotations

import sys
import time

import numpy as np

from move37.evaluators.cached import CachedEvaluator
from move37.evaluators.symmetric import SymmetricEvaluator
from move37.features.encoder import encode, encoder_names
from move37.nets import weights
from move37.players.presets import preset, zero
from move37.rules.position import Position
from move37.search.evaluator import ConstantEvaluator


def warm_up() -> None:
    """Play a few moves with every preset, and say how long it took."""
    began = time.perf_counter()
    position = Position(size=9, rules="tromp-taylor", komi=7)
    for vertex in ("E5", "C3", "pass"):
        position.play(vertex)
    position.undo()
    for name in encoder_names():
        encode(name, [position])
    mean = SymmetricEvaluator(ConstantEvaluator(), mode="mean")
    random = SymmetricEvaluator(mean, mode="random", rng=np.random.default_rng(0))
    zero(net=CachedEvaluator(random), visits=32, seed=0).choose(position)
    names = ("random", "policy", "zero") if weights.bundled() else ("random",)
    for name in names:
        preset(name, seed=0).choose(position)
    print(f"move37: ready, {time.perf_counter() - began:.1f} s", file=sys.stderr)
