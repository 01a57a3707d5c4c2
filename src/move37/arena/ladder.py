"""A ladder: matches that are measured one after the other, each step against the one below it.

Its file (TOML) names the pairings and what they share. Every finished game is a line of the log, with the pairing that
it belongs to, so a ladder that was killed goes on where it was: the games of the log count and are not played again.
Games of other pairings, rules or openings in the same log are left alone. How strong a player is beyond its pairings
(Elo of many players at once) is not worked out here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import log10
from pathlib import Path
from typing import Any

from move37.arena.conditions import Conditions
from move37.arena.game_log import add_game, games_of, read_lines
from move37.arena.match import MatchResult, match
from move37.arena.sprt import Sprt
from move37.config import load_toml
from move37.errors import ConfigError
from move37.gtp.player_words import player_words

__all__ = ["Ladder", "Pairing", "climb", "load_ladder", "standing", "table"]


@dataclass(frozen=True)
class Pairing:
    """Two players (`go.player` texts) and how many games they play at most."""

    a: str
    b: str
    games: int = 100
    sprt: float | None = None
    """The score of A that a sequential test tells from one half; the match ends when it is decided."""
    name: str = ""
    """What the table calls it; empty: "A against B"."""

    def __post_init__(self) -> None:
        if self.games < 1:
            raise ConfigError(f"a pairing has 1 game or more, not {self.games}")
        self.test()

    @property
    def title(self) -> str:
        """For tables."""
        return self.name or f"{self.a} against {self.b}"

    def test(self) -> Sprt | None:
        """The sequential test, if there is one."""
        return None if self.sprt is None else Sprt(self.sprt)


@dataclass(frozen=True)
class Ladder(Conditions):
    """Pairings, and what all their games share."""

    pairings: tuple[Pairing, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.pairings:
            raise ConfigError("a ladder needs pairings")

    def key(self, pairing: Pairing) -> dict[str, Any]:
        """What a game must have been played with to belong to `pairing`."""
        return {"a": pairing.a, "b": pairing.b} | self.shared


def load_ladder(path: Path | str) -> Ladder:
    """The ladder of a TOML file; `ConfigError` or `PlayerError` in one sentence for what cannot be played."""
    ladder = load_toml(Ladder, path)
    for pairing in ladder.pairings:
        for text in (pairing.a, pairing.b):
            player_words(text)
    return ladder


def climb(ladder: Ladder, log: Path, on_game: Callable[[Pairing, MatchResult], None] | None = None) -> None:
    """Play what is not in `log` yet; `on_game` hears after each game. Errors are those of `match`."""
    kept = read_lines(log, "ladder", mend=True)
    for pairing in ladder.pairings:
        before = _result(ladder, pairing, kept)
        if len(before.games) >= pairing.games or before.verdict is not None:
            continue

        def finish(result: MatchResult, pairing: Pairing = pairing) -> None:
            add_game(log, (result.name_a, result.name_b), result.games[-1], {"ladder": ladder.key(pairing)})
            if on_game is not None:
                on_game(pairing, result)

        match(
            pairing.a,
            pairing.b,
            pairing.games,
            size=ladder.size,
            rules=ladder.rules,
            komi=ladder.komi,
            seed=ladder.seed,
            opening_moves=ladder.opening_moves,
            max_moves=ladder.max_moves,
            parallel=ladder.parallel,
            on_game=finish,
            sprt=pairing.test(),
            played=before.games,
        )


def standing(ladder: Ladder, log: Path) -> list[tuple[Pairing, MatchResult]]:
    """Every pairing with its games in `log`; none of them is played. `ConfigError` for a log that cannot be read."""
    kept = read_lines(log, "ladder")
    return [(pairing, _result(ladder, pairing, kept)) for pairing in ladder.pairings]


def table(results: list[tuple[Pairing, MatchResult]]) -> str:
    """Markdown: each pairing's score, its 95 % interval, the same in Elo, games, and what its test says."""
    lines = ["| pairing | score | 95 % interval | Elo | games | test |", "|---|---|---|---|---|---|"]
    for pairing, result in results:
        if result.counted == 0:
            lines.append(f"| {pairing.title} | | | | 0 | |")
            continue
        low, high = result.interval
        elo = f"{_elo(result.score)} ({_elo(low)} to {_elo(high)})"
        share = f"{result.score:.1%} | {low:.1%} to {high:.1%}".replace("%", " %")
        lines.append(f"| {pairing.title} | {share} | {elo} | {result.counted} | {result.verdict or '–'} |")
    return "\n".join(lines)


def _elo(score: float) -> str:
    """The difference in Elo that a score stands for."""
    if not 0 < score < 1:
        return "∞" if score >= 1 else "−∞"
    return f"{400 * log10(score / (1 - score)):+.0f}".replace("-", "−")


def _result(ladder: Ladder, pairing: Pairing, lines: list[dict[str, Any]]) -> MatchResult:
    """The games of a pairing among the log's lines, each number once."""
    key = ladder.key(pairing)
    names = ((line["player_a"], line["player_b"]) for line in lines if line.get("ladder") == key)
    name_a, name_b = next(names, (pairing.a, pairing.b))
    return MatchResult(name_a, name_b, games_of(lines, "ladder", key, pairing.games), pairing.test())
