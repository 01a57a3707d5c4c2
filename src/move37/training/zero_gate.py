"""Two matches of a Zero run's networks: the gate against the best one so far, the yardstick against no network at all.

A match is played in chunks that are kept as they end, so one that was killed goes on. The gate's rules are at
`zero_recipe.Gate`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from move37.arena.game import GameResult
from move37.arena.match import MatchResult
from move37.arena.sprt import Verdict
from move37.games.ranks import counted_margin
from move37.nets import weights
from move37.nets.zero import without_helpers
from move37.rules.coordinates import format_vertex
from move37.search.evaluator import ConstantEvaluator, Evaluations, Evaluator
from move37.training.policy_match import Playing
from move37.training.search_match import MatchPlan, search_match
from move37.training.zero_chunks import EvaluatorPerThread, in_threads
from move37.training.zero_files import chunk, drop_chunks, read_json, write_json
from move37.training.zero_recipe import Gate, ZeroRecipe

__all__ = ["Arena", "PlayedMatch", "accepted", "figures_of_gate", "yardstick_figures"]

CHUNK_GAMES = 20
"""Games of a match that are played side by side, and kept together."""


@dataclass(frozen=True)
class Arena:
    """Where a run's matches are played: what they share, on how many threads."""

    recipe: ZeroRecipe
    stopped: Callable[[], bool]

    def gate(self, candidate: Path, best: Path, file: Path) -> PlayedMatch | None:
        """The candidate (A) against the best network so far (B), as far as the gate asks; None if stopped before."""
        gate = self.recipe.gate
        plan = self._plan(gate.visits, gate.opening_moves)
        sides = {"A": self._networks(candidate), "B": self._networks(best)}
        return self._match(sides, plan, gate.games, file, lambda result: _is_decided(gate, result))

    def yardstick(self, network: Path, file: Path) -> PlayedMatch | None:
        """The network (A) against a search with uniform priors (B); None if stopped before."""
        games = self.recipe.yardstick
        plan = self._plan(games.visits, games.opening_moves, plain_start=True)
        nothing = ConstantEvaluator()
        sides = {"A": self._networks(network), "B": lambda: nothing}
        return self._match(sides, plan, games.games, file, lambda result: False)

    def _plan(self, visits: int, opening_moves: int, plain_start: bool = False) -> MatchPlan:
        games = self.recipe.self_play
        return MatchPlan(
            self.recipe.size,
            games.komi,
            games.rules,
            visits,
            opening_moves,
            plain_start,
            self.recipe.seed,
        )

    def _networks(self, path: Path) -> Callable[[], Evaluator]:
        playing: Playing = self.recipe.playing
        return EvaluatorPerThread(without_helpers(weights.load(path)), playing).get

    def _match(
        self,
        sides: dict[str, Callable[[], Evaluator]],
        plan: MatchPlan,
        games: int,
        file: Path,
        decided: Callable[[MatchResult], bool],
    ) -> PlayedMatch | None:
        """All games, or the chunks of them until `decided`, which looks at whole chunks in their order."""
        whole = PlayedMatch(MatchResult("A", "B"))

        def play(number: int) -> dict[str, Any]:
            kept = chunk(file, number)
            if not kept.is_file():
                numbers = range(number * CHUNK_GAMES, min(games, (number + 1) * CHUNK_GAMES))
                counted = {side: _Counting(get()) for side, get in sides.items()}
                found = [asdict(game) for game in search_match(counted, plan, numbers)]
                rows = sum(one.rows for one in counted.values())
                write_json(kept, {"evaluations": rows, "games": found})
            return read_json(kept)

        wanted: Iterable[int] = range(-(-games // CHUNK_GAMES))
        for found in in_threads(play, wanted, self.recipe.threads, self.stopped):
            whole.result.games.extend(GameResult(**game) for game in found["games"])
            whole.evaluations += found["evaluations"]
            if decided(whole.result):
                return whole
        return whole if len(whole.result.games) == games else None


@dataclass
class PlayedMatch:
    """A match, and how many positions were evaluated in it, by both sides."""

    result: MatchResult
    evaluations: int = 0

    def kept(self) -> dict[str, Any]:
        """What of it goes into its file."""
        return {"evaluations": self.evaluations, "match": [asdict(game) for game in self.result.games]}


class _Counting:
    """An evaluator, and how many positions it was asked about."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator, self.rows = evaluator, 0

    def evaluate(self, boards: NDArray[Any]) -> Evaluations:
        """See `search.evaluator.Evaluator`."""
        self.rows += len(boards)
        return self.evaluator.evaluate(boards)


def _is_decided(gate: Gate, result: MatchResult) -> bool:
    return gate.kind == "sprt" and _verdict(gate, result) is not None


def accepted(gate: Gate, result: MatchResult) -> bool:
    """Whether the candidate (A) plays from now on."""
    if gate.kind == "sprt":
        return _verdict(gate, result) == "stronger"
    return result.score > gate.score


def _verdict(gate: Gate, result: MatchResult) -> Verdict | None:
    return replace(result, sprt=gate.test()).verdict


def figures_of_gate(result: MatchResult) -> dict[str, float]:
    """Score of the candidate with its 95 % interval."""
    low, high = result.interval
    return {"score": result.score, "low": low, "high": high, "games": float(result.counted)}


def yardstick_figures(recipe: ZeroRecipe, result: MatchResult) -> dict[str, Any]:
    """How often the network won, and its game as Black from the empty board: the points it made, its first move.

    `black_points` is the area lead on the board, komi aside; `centre` 1 where Black began in the middle.
    """
    first = next(game for game in result.games if game.number == 0)
    middle = format_vertex((recipe.size * recipe.size - 1) // 2, recipe.size, recipe.size)
    margin = counted_margin(first.result)
    return {
        "score": result.score,
        "black_points": margin + recipe.self_play.komi,
        "centre": float(bool(first.moves) and first.moves[0] == middle),
        "games": float(result.counted),
    }


def finish(file: Path, values: dict[str, Any]) -> None:
    """Write what a match led to; its chunks are no longer needed."""
    write_json(file, values)
    drop_chunks(file)
