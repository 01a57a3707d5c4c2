"""Our scores of finished games beside GNU Go's, with GNU Go's own dead stones: 200 of OGS on 9x9, 20 of professionals.

GNU Go does not count the board as it lies. It first plays on until nothing is left to play, with passes for whoever has
nothing to do, and counts then. So it may differ where the players left something to play, and every difference is
accounted for here:

* *dame*: a point that nobody owns, or one of territory that must be filled because its wall runs out of liberties
  (`teire`), is filled. Under area scoring whoever fills it has a point more; under territory scoring the filled point
  is lost to its owner. Our count takes the board as it lies: the players fill such points before they pass.
* *played out*: the play itself gave a point that no status tells of (territory scoring).
* *open*: a border was never closed. Ours gives the region to nobody, as rules that stop play at two passes do; GNU Go
  closes it first.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Final

import numpy as np
import pytest

from move37.gtp.client import GtpProgram
from move37.gtp.engine import Engine
from move37.players.random_player import RandomPlayer
from move37.rules.color import EMPTY, Color
from move37.rules.position import Position
from move37.rules.result import Result
from move37.rules.territory import Count
from tests.support.gnugo_answers import (
    LETTERS,
    OPTIONS,
    OUR_RULES,
    Answer,
    FinishedGame,
    ask,
    stored_answers,
)
from tests.support.shared import SHARED

needs_games = pytest.mark.skipif(not (SHARED / "games").is_dir(), reason="needs the games of the shared folder")

OPEN: Final = {
    ("ogs9.parquet", 66091): "the lower right corner is open between F1 and G2",
    ("ogs9.parquet", 120740): "with D4 taken off, the points around it touch both sides",
    ("ogs9.parquet", 123269): "the right side is open on H9",
    ("ogs9.parquet", 147464): "the upper right is open: the dead white stones have no wall around them",
    ("ogs9.parquet", 147511): "with B2 taken off, the lower left is open",
    ("pro19.parquet", 49930): "a game given up in the middle; the right side is open",
}
"""Games with an open region, and where."""
PLAYED_OUT: Final = {
    ("ogs9.parquet", 116470): "it plays the ko beside the seki",
    ("ogs9.parquet", 143900): "it takes A2 by play",
}
"""Games in which GNU Go's territory score is not the sum of its own statuses."""
NO_SEKI: Final = {("ogs9.parquet", 46222): "the black group has an eye on H4 and another of six points"}
"""Games in which GNU Go sees a seki where there is none, and so gives its seven points to nobody."""
MOST_BY_DAME: Final = 3
"""More points than that nobody gains by filling what is left."""


def margin(text: str) -> float:
    """Black's lead in a result as GNU Go words it."""
    result = Result.parse(text)
    assert result.reason in ("points", "draw"), text
    return (result.margin or 0.0) * (-1 if result.winner is Color.WHITE else 1)


def owned_by(answer: Answer, point: int) -> int:
    """For whom an empty point counts in GNU Go's statuses."""
    return {"b": int(Color.BLACK), "w": int(Color.WHITE)}.get(answer.status[point], EMPTY)


def worth(owner: int) -> int:
    """A point of this owner from Black's view."""
    return {Color.BLACK: 1, Color.WHITE: -1}.get(Color(owner), 0) if owner else 0


def explain(way: str, game: FinishedGame, position: Position, count: Count, answer: Answer) -> str:
    """In one word why GNU Go's score is what it is, seen from ours; fails where nothing explains it."""
    theirs = margin(answer.score)
    if count.score.black_margin == theirs:
        return "same"
    if (game.file, game.row) in OPEN:
        return "open"
    empty = np.flatnonzero(position.stones.ravel() == EMPTY).tolist()
    owner = count.owner.ravel().tolist()
    differ = [point for point in empty if owner[point] != owned_by(answer, point)]
    assert all(answer.status[point] == "." for point in differ), (way, game.row)
    by_status = count.score.black_margin - sum(worth(owner[point]) for point in differ)
    if way == "area":  # who fills a dame has it as a point, and they take turns
        nobodys = {point for point, at in enumerate(answer.status) if at == "."} | set(count.dame)
        most = len(nobodys) if (game.file, game.row) in NO_SEKI else min(len(nobodys), MOST_BY_DAME)
        assert abs(theirs - count.score.black_margin) <= most, game.row
        return "no seki" if (game.file, game.row) in NO_SEKI else "dame"
    if (game.file, game.row) in PLAYED_OUT:
        assert abs(theirs - by_status) == 1
        return "played out"
    assert theirs == by_status, game.row
    return "dame"


@cache
def compared() -> dict[str, Counter[str]]:
    """How often each explanation holds, by way of counting; and whether the sekis are the same."""
    found = {way: Counter[str]() for way in OPTIONS}
    for game, answers in stored_answers():
        for way, answer in answers.items():
            position = game.position(OUR_RULES[way])
            count = position.count(answer.vertices("dead", game.size))
            why = explain(way, game, position, count, answer)
            found[way][why] += 1
            doubtful = why == "open" or (game.file, game.row) in NO_SEKI
            assert doubtful or set(count.score.seki) == set(answer.vertices("seki", game.size)), game.row
    return found


@needs_games
def test_every_score_is_gnu_go_s_or_explained() -> None:
    assert compared()["area"] == {"same": 180, "dame": 34, "open": 5, "no seki": 1}
    assert compared()["territory"] == {"same": 197, "dame": 16, "open": 5, "played out": 2}


@needs_games
def test_a_game_that_is_called_open_has_a_region_of_both_sides() -> None:
    left = set(OPEN)
    for game, answers in stored_answers():
        if (game.file, game.row) in OPEN:
            answer = answers["area"]
            owner = game.position("chinese").count(answer.vertices("dead", game.size)).owner.ravel()
            assert any(owned_by(answer, point) != EMPTY for point in np.flatnonzero(owner == EMPTY).tolist()), game.row
            left.remove((game.file, game.row))
    assert not left


@needs_games
@pytest.mark.parametrize("way", OPTIONS)
def test_gnu_go_still_says_what_is_stored(gnugo: str, way: str) -> None:
    stored = [(game, answers[way]) for game, answers in stored_answers() if game.size == 9][::20]
    program = GtpProgram(f"{gnugo} --mode gtp --seed 1 {OPTIONS[way]}")
    assert [ask(program, game) for game, _ in stored] == [answer for _, answer in stored]
    program.close()


@pytest.mark.parametrize("way", OPTIONS)
def test_scores_of_games_played_to_the_end_at_random(gnugo: str, way: str) -> None:
    """Nothing dead is left and hardly a dame, so both must say the same."""
    program = GtpProgram(f"{gnugo} --mode gtp --seed 1 {OPTIONS[way]}")
    for seed in range(5):
        position = Position(7, rules=OUR_RULES[way], komi=0.5)
        player = RandomPlayer(np.random.default_rng(seed))
        while not position.is_over:
            position.play(player.choose(position).move or 0)
        moves = [(color.letter, point) for color, point in position.moves]
        answer = ask(program, FinishedGame("", 0, 7, 0.5, 0, [], moves))
        count = position.count(answer.vertices("dead", 7))
        assert abs(count.score.black_margin - margin(answer.score)) <= len(count.dame), seed
    program.close()


WALLS: Final = "b C1 b C2 b C3 b C4 b C5 w D1 w D2 w D3 w D4 w D5 w A3"
SEKI: Final = (
    "b B1 b B2 b B3 b B4 b C4 b C5 b C6 b C7 b D3 b E1 b E2 b E3 "
    "w D4 w D5 w D6 w D7 w E4 w F4 w F1 w F2 w F3 w C1 w C2 w C3"
)


@pytest.mark.parametrize("way", OPTIONS)
@pytest.mark.parametrize(
    ("size", "stones", "same"),
    [(5, WALLS, ("alive", "dead", "seki", "white_territory")), (7, SEKI, tuple(LETTERS))],
    ids=["a lone stone", "seki"],
)
def test_our_engine_and_gnu_go_answer_alike(
    gnugo: str, way: str, size: int, stones: str, same: tuple[str, ...]
) -> None:
    """The shape too: one chain a line, territory in one line; only the order of lines is free.

    GNU Go takes the lone stone off by play, which fills A2 and costs a point of territory; agreement does not.
    """
    ours = Engine(RandomPlayer(), size=size, rules=OUR_RULES[way], komi=0).protocol()
    theirs = GtpProgram(f"{gnugo} --mode gtp --seed 1 {OPTIONS[way]}")
    theirs.ask("boardsize", str(size))
    theirs.ask("komi", "0")
    words = stones.split()
    for color, vertex in zip(words[::2], words[1::2], strict=True):
        ours.respond(f"play {color} {vertex}")
        theirs.ask("play", color, vertex)
    for status in same:
        lines = (ours.respond(f"final_status_list {status}") or "").removeprefix("= ").rstrip().split("\n")
        expected = theirs.ask("final_status_list", status).split("\n")
        assert {frozenset(line.split()) for line in lines} == {frozenset(line.split()) for line in expected}, status
    score = (ours.respond("final_score") or "").removeprefix("= ").strip()
    filled = 1 if stones == WALLS and way == "territory" else 0
    assert margin(score) == margin(theirs.ask("final_score")) + filled
    theirs.close()
