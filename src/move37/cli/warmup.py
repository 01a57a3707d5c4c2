"""Compile all kernels that games, encoders, searches, matches and GTP may need, so that no later start waits for it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from move37.arena.match import match
from move37.evaluators.cached import CachedEvaluator
from move37.evaluators.dead_stones import dead_stones
from move37.evaluators.symmetric import SymmetricEvaluator
from move37.features.encoder import encode, encoder_names
from move37.nets import weights
from move37.players.alphago_presets import fan
from move37.players.presets import katago, preset, uct, zero
from move37.rules.batch import batch
from move37.rules.ladders import ladders
from move37.rules.position import Position
from move37.search.evaluator import ConstantEvaluator, Evaluations


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
    ladders(Position.from_diagram("O . .\nX X .\n. . ."))
    games = batch(2, size=9, rules="tromp-taylor")
    games.step(np.array([0, 81]))
    games.legal_mask()
    games.black_margin()


def _encode() -> None:
    position = _opening()
    for name in encoder_names():
        encode(name, position)


class _AnswersAll:
    """Knows nothing, and says it in every field that a network of KataGo's has."""

    def evaluate(self, boards: NDArray[Any]) -> Evaluations:
        """See `Evaluator`."""
        plain = ConstantEvaluator().evaluate(boards)
        rows, cols = int(boards[0]["rows"]), int(boards[0]["cols"])
        names = ("lead", "score_mean", "score_stdev", "no_result", "variance_time", "winloss_error", "score_error")
        told = {name: np.full(len(boards), 0.1, np.float32) for name in names}
        owners = np.zeros((len(boards), rows, cols), np.float32)
        return replace(plain, optimistic=plain.policy, ownership=owners, **told)


def _search() -> None:
    """Both searches on made-up evaluators, so that no network of the user's is needed."""
    position = _opening()
    for make, inner in ((zero, ConstantEvaluator()), (katago, _AnswersAll())):
        mean = SymmetricEvaluator(inner, mode="mean")
        random = SymmetricEvaluator(mean, mode="random", rng=np.random.default_rng(0))
        searcher = make(net=CachedEvaluator(random), visits=32, seed=0)
        for _ in range(2):
            position.play(searcher.choose(position).move or 0)


def _search_by_rollouts() -> None:
    for rave in (False, True):
        for light in (False, True):
            uct(visits=40, light=light, rave=rave, seed=0).choose(_opening())
    position = _opening()
    mixed = fan(net=ConstantEvaluator(), visits=100, seed=0)
    for _ in range(2):
        position.play(mixed.choose(position).move or 0)


def _play() -> None:
    for name in ("random", "policy", "zero") if weights.bundled() else ("random",):
        preset(name, seed=0).choose(_opening())
    match("random", "random", games=1, size=5, max_moves=60)


def _opening() -> Position:
    position = Position(size=9, rules="tromp-taylor", komi=7)
    for vertex in ("E5", "C3", "pass"):
        position.play(vertex)
    position.undo()
    return position


STAGES: Final[dict[str, Callable[[], None]]] = {
    "the rules": _use_the_rules,
    "the encoders": _encode,
    "the searches": _search,
    "rollouts": _search_by_rollouts,
    "networks and players": _play,
}


def warm_up() -> None:
    """Use everything once, and say on stderr what is under way and how long all of it took."""
    began = time.perf_counter()
    for number, (name, use) in enumerate(STAGES.items(), 1):
        print(f"move37: {name} ({number} of {len(STAGES)})", file=sys.stderr, flush=True)
        use()
    print(f"move37: ready, {time.perf_counter() - began:.1f} s", file=sys.stderr)
