"""Counting as people do, on random boards: against the oracles, and what must hold on every board."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache

import pytest

from move37.rules.position import Position
from move37.rules.ruleset import ruleset
from move37.rules.scoring import Score
from tests.support import slow_life
from tests.support.diagrams import draw
from tests.support.oracle_board import BLACK, EMPTY, WHITE, OracleBoard
from tests.support.random_games import random_stones


def parts_of(score: Score) -> dict[str, tuple[float, float]]:
    return {part.name: (part.black, part.white) for part in score.parts}


@dataclass(frozen=True)
class Board:
    rows: int
    cols: int
    stones: tuple[int, ...]

    def position(self, **settings: object) -> Position:
        position = Position(rows=self.rows, cols=self.cols, **settings)  # type: ignore[arg-type]
        named = {color: [at for at, stone in enumerate(self.stones) if stone == color] for color in (BLACK, WHITE)}
        position.setup(black=named[BLACK], white=named[WHITE])
        return position


def random_board(seed: int) -> Board:
    rng = random.Random(seed)
    rows, cols = rng.randint(1, 9), rng.randint(1, 9)
    return Board(rows, cols, random_stones(rng, rows, cols, rng.choice((0.2, 0.5, 0.8, 0.95))))


@pytest.mark.parametrize("seed", range(40))
def test_untaxed_owners_are_those_of_the_oracle(seed: int) -> None:
    board = random_board(seed)
    oracle = OracleBoard(board.rows, board.cols, stones=board.stones)
    count = board.position(rules={"scoring": "area", "tax": "none"}, komi=0).count()
    assert count.owner.ravel().tolist() == oracle.owners()
    assert count.score.black_margin == oracle.area_score()
    untaxed = {"scoring": "territory", "tax": "none"}
    assert board.position(rules=untaxed, komi=0).count().owner.ravel().tolist() == oracle.owners()


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("scoring", ["area", "territory"])
@pytest.mark.parametrize("tax", ["none", "seki", "all"])
def test_swapped_colours_swap_the_score(seed: int, scoring: str, tax: str) -> None:
    board = random_board(seed)
    swapped = Board(board.rows, board.cols, tuple(stone and 3 - stone for stone in board.stones))
    rules = {"scoring": scoring, "tax": tax}
    mine, other = board.position(rules=rules, komi=0).count(), swapped.position(rules=rules, komi=0).count()
    assert (mine.score.black, mine.score.white) == (other.score.white, other.score.black), draw(
        board.stones, board.cols
    )
    assert (mine.seki, mine.dame) == (other.seki, other.dame)


@pytest.mark.parametrize("seed", range(40))
def test_everything_adds_up(seed: int) -> None:
    """Parts are the sum, taken chains are whole, every point is owned, dame or an eye of nobody's."""
    rng, board = random.Random(seed), random_board(seed)
    rules = ruleset({"scoring": rng.choice(("area", "territory")), "tax": rng.choice(("none", "seki", "all"))})
    position = board.position(rules=rules, komi=rng.choice((0, 6.5)))
    dead = [point for point, stone in enumerate(board.stones) if stone and rng.random() < 0.2]
    count = position.count(dead)
    score = count.score
    assert score.black == sum(part.black for part in score.parts)
    assert score.white == sum(part.white for part in score.parts)
    assert set(dead) <= set(count.dead)
    assert all(set(position.chain(point).points) <= set(count.dead) for point in count.dead)
    assert set(count.dame) == {int(p) for p in range(board.rows * board.cols) if count.owner.ravel()[p] == EMPTY}
    assert not set(count.seki) & set(count.dead)
    assert all(board.stones[point] == count.owner.ravel()[point] for point in count.seki)
    taxed = parts_of(score).get("group tax", (0, 0))
    assert rules.tax == "all" or taxed == (0, 0)


@cache
def settled_boards() -> list[Board]:
    """Random games played out, nobody filling what looks like an own eye, that left no dame and no chain in atari."""
    found: list[Board] = []
    rng = random.Random(11)
    while len(found) < 20:
        board = OracleBoard(rng.randint(4, 7), rng.randint(4, 7))
        while board.passes < 2 and len(board.moves) < 300:
            board.play(_random_move(rng, board), board.to_play)
        dame = slow_life.katago_area(board.stones, board.rows, board.cols).count(EMPTY)
        if board.passes == 2 and not dame and all(len(board.liberties(min(chain))) > 1 for chain in board.chains()):
            found.append(Board(board.rows, board.cols, board.stones))
    return found


def _random_move(rng: random.Random, board: OracleBoard) -> int:
    color = board.to_play
    moves = [at for at in board.legal_points(color) if any(board.stones[n] != color for n in board.neighbours(at))]
    return rng.choice(moves) if moves else board.pass_move


@pytest.mark.parametrize("tax", ["none", "seki", "all"])
def test_settled_boards_count_as_the_engine_counts_them(tax: str) -> None:
    """Where no dame and no atari is left, people and KataGo agree on owners and on the groups that pay."""
    for board in settled_boards():
        area, groups = slow_life.score_area(
            board.stones, board.rows, board.cols, scoring="area", tax=tax, suicide=False
        )
        count = board.position(rules={"scoring": "area", "tax": tax}, komi=0).count()
        assert count.owner.ravel().tolist() == area, draw(board.stones, board.cols)
        assert parts_of(count.score).get("group tax", (0, 0)) == (-2 * groups[BLACK], -2 * groups[WHITE])


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 2), (1, 19), (19, 1), (2, 2), (19, 19)])
@pytest.mark.parametrize("tax", ["none", "seki", "all"])
def test_empty_boards_of_all_sizes(rows: int, cols: int, tax: str) -> None:
    for scoring in ("area", "territory"):
        score = Position(rows=rows, cols=cols, rules={"scoring": scoring, "tax": tax}, komi=0).score()
        assert (score.text, score.parts, score.seki) == ("0", (), ())
