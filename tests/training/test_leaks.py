"""What is asked in a test is never learned from: not from another source, turned, or with other passes at its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.features.encoder import Encoder
from move37.games.store import GameFilter, GameStore
from move37.rules import symmetry
from move37.training import examples, supervised
from move37.training.examples import Examples, Source
from move37.training.loop import LoopConfig
from move37.training.network_recipe import NetworkRecipe
from move37.training.supervised import SourceRecipe, SupervisedRecipe, load_sources
from tests.support.stored_games import random_rows, row, write_rows

PASS = 25
Row = dict[str, Any]


def canonical(moves: Sequence[int]) -> tuple[int, ...]:
    """The least of a 5x5 game's eight images, passes at its end left out."""
    played = list(moves)
    while played and played[-1] == PASS:
        played.pop()
    return min(tuple(symmetry.point(s, point, 5, 5) for point in played) for s in symmetry.SYMMETRIES)


def games_of(sources: Sequence[Source]) -> list[set[tuple[int, ...]]]:
    return [{canonical(source.games.moves[i].tolist()) for i in range(len(source.games))} for source in sources]


def turned(one: Row, s: int) -> Row:
    return one | {"moves": [symmetry.point(s, point, 5, 5) for point in one["moves"]]}


def without_passes(one: Row) -> Row:
    return one | {"moves": [move for move in one["moves"] if move != PASS]}


def recipe_of(folder: Path, sources: Sequence[Sequence[Row]], test: Sequence[Row] = ()) -> SupervisedRecipe:
    """A recipe with a store for each list of rows, a fifth of the games held out."""
    files = [write_rows(folder / f"{number}.parquet", rows) for number, rows in enumerate(sources)]
    tests = (supervised.TestRecipe("pro", (write_rows(folder / "test.parquet", test),)),) if test else ()
    return SupervisedRecipe(
        sources=tuple(SourceRecipe((file,), name=file.stem) for file in files),
        network=NetworkRecipe(4, blocks=1),
        loop=LoopConfig(10),
        batch=16,
        size=5,
        held_out=0.2,
        held_out_positions=8,
        tests=tests,
    )


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_game_in_two_sources_is_learned_in_both_or_in_none(tmp_path: Path, seed: int) -> None:
    rows = random_rows(seed=seed, count=60)
    other = [turned(one, number % 8) for number, one in enumerate(rows[:40])]
    other += [without_passes(one) for one in rows[40:]]
    recipe = replace(recipe_of(tmp_path, [rows, other]), seed=seed)
    learned, held = load_sources(recipe)
    assert all(games_of(held))
    assert not set().union(*games_of(learned)) & set().union(*games_of(held))


def test_a_game_of_a_test_is_learned_in_no_source(tmp_path: Path) -> None:
    rows = random_rows(seed=4, count=60)
    test = [turned(without_passes(one), 1 + number % 7) for number, one in enumerate(rows[10:20])]
    learned, _ = load_sources(recipe_of(tmp_path, [rows, rows[5:40]], test))
    assert all(games_of(learned))
    assert not set().union(*games_of(learned)) & {canonical(one["moves"]) for one in test}
    without_test, _ = load_sources(recipe_of(tmp_path, [rows, rows[5:40]]))
    assert set().union(*games_of(without_test)) & {canonical(one["moves"]) for one in test}


def test_games_that_only_begin_alike_are_all_learned(tmp_path: Path) -> None:
    rows = random_rows(seed=5, count=40)
    alike = [one | {"moves": [*one["moves"][:-3], PASS]} for one in rows]
    learned, _ = load_sources(recipe_of(tmp_path, [rows], alike))
    alone, _ = load_sources(recipe_of(tmp_path, [rows]))
    assert games_of(learned) == games_of(alone)


def test_years_part_a_test_from_its_source_and_a_game_told_twice_goes_to_the_test(tmp_path: Path) -> None:
    rows: list[Row] = [one | {"year": 2000 + number} for number, one in enumerate(random_rows(seed=6, count=40))]
    twice: list[Row] = [turned(rows[35], 3) | {"year": None}]
    recipe = recipe_of(tmp_path, [[*rows, *twice]])
    file = recipe.sources[0].files
    source = replace(recipe.sources[0], games=GameFilter(before_year=2030))
    recipe = replace(recipe, sources=(source,), tests=(supervised.TestRecipe("new", file, GameFilter(from_year=2030)),))
    learned, _ = load_sources(recipe)
    assert not games_of(learned)[0] & {canonical(one["moves"]) for one in rows[30:]}


def test_final_passes_are_learned_and_move_no_game_across(tmp_path: Path) -> None:
    rows = [without_passes(one) | {"result": "B+3", "winner": 1} for one in random_rows(seed=7, count=60)]
    plain = recipe_of(tmp_path, [rows])
    passing = replace(plain, sources=(replace(plain.sources[0], learn_pass=True),))
    (learned, held), (learned_pass, held_pass) = load_sources(plain), load_sources(passing)
    assert games_of(learned) == games_of(learned_pass) and games_of(held) == games_of(held_pass)
    assert learned_pass[0].games.ends_in_passes.all() and not held_pass[0].games.ends_in_passes.any()


def test_no_batch_holds_a_position_of_a_game_that_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = random_rows(seed=8, count=50)
    recipe = recipe_of(tmp_path, [rows, rows[20:]], [turned(one, 2) for one in rows[:8]])
    drawn: set[tuple[int, ...]] = set()
    usual = examples.make_examples

    def noting(source: Source, positions: NDArray[np.int64], encoder: Encoder, *more: Any) -> Examples:
        games, _ = source.locate(positions)
        drawn.update(canonical(source.games.moves[game].tolist()) for game in games.tolist())
        return usual(source, positions, encoder, *more)

    learned, held = load_sources(recipe)
    monkeypatch.setattr(examples, "make_examples", noting)
    sampler = supervised.sampler_of(recipe, learned)
    for number in range(60):
        sampler.draw(number)
    trained = set(drawn)
    drawn.clear()
    supervised.held_out_examples(recipe, held)
    assert len(trained) > 20 and drawn and not trained & drawn
    assert not trained & {canonical(one["moves"]) for one in rows[:8]}


def test_a_test_that_leaves_nothing_to_learn_is_one_sentence(tmp_path: Path) -> None:
    rows = random_rows(seed=9, count=30)
    with pytest.raises(ConfigError, match="source 1 has no games but those held out or in tests"):
        load_sources(recipe_of(tmp_path, [rows], rows))


def test_handicap_and_who_begins_tell_games_apart(tmp_path: Path) -> None:
    from move37.games.duplicates import unseen

    moves = [6, 8, 16]
    rows = [row(moves), row(moves, setup_black=[0]), row(moves, first_player=-1), row([*moves, PASS, PASS])]
    games = GameStore.open(write_rows(tmp_path / "g.parquet", rows))
    left = unseen(games, [games.select(np.array([0]))])
    assert len(left) == 2 and set(left.first_player.tolist()) == {1, -1}
    assert left.setup_black.lengths.tolist() == [1, 0]
