"""Config dataclasses: every field type there and back, and one clear sentence for each mistake."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from move37.config import from_dict, load_toml, save_toml, to_toml
from move37.errors import ConfigError


@dataclass(frozen=True)
class Stage:
    name: str
    steps: int = 10


@dataclass(frozen=True)
class Search:
    visits: int = 400
    c_puct: float = 1.25
    selection: Literal["puct", "ucb1"] = "puct"

    def __post_init__(self) -> None:
        if self.visits < 1:
            raise ValueError(f"visits must be 1 or more, not {self.visits}.")


@dataclass(frozen=True)
class Recipe:
    name: str
    rate: float = 0.003
    shuffle: bool = True
    seed: int | None = None
    store: Path | None = None
    sizes: tuple[int, ...] = (9, 19)
    window: tuple[int, float] = (1, 0.5)
    limits: dict[str, int] = field(default_factory=dict[str, int])
    search: Search = Search()
    stages: tuple[Stage, ...] = ()
    weight: float | str = "auto"


TEXTS = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=12)
NUMBERS = st.floats(allow_nan=False)
RECIPES = st.builds(
    Recipe,
    name=TEXTS,
    rate=NUMBERS,
    shuffle=st.booleans(),
    seed=st.none() | st.integers(-(2**40), 2**40),
    store=st.none() | st.just(Path("päth with blanks/遊戯.parquet")),
    sizes=st.lists(st.integers(1, 19), max_size=3).map(tuple),
    window=st.tuples(st.integers(0, 9), NUMBERS),
    limits=st.dictionaries(TEXTS, st.integers(0, 9), max_size=3),
    search=st.builds(Search, visits=st.integers(1, 9), c_puct=NUMBERS, selection=st.sampled_from(["puct", "ucb1"])),
    stages=st.lists(st.builds(Stage, name=TEXTS, steps=st.integers(0, 9)), max_size=2).map(tuple),
    weight=NUMBERS | TEXTS,
)


@given(RECIPES)
def test_there_and_back(tmp_path_factory: pytest.TempPathFactory, recipe: Recipe) -> None:
    path = tmp_path_factory.mktemp("ünïcode folder") / "recipe.toml"
    save_toml(recipe, path)
    assert load_toml(Recipe, path) == recipe


def test_a_missing_key_takes_its_default() -> None:
    assert from_dict(Recipe, {"name": "tiny"}, "here") == Recipe("tiny")


def test_a_whole_number_is_a_float_where_a_float_is_asked() -> None:
    rate = from_dict(Recipe, {"name": "tiny", "rate": 1}, "here").rate
    assert rate == 1.0
    assert isinstance(rate, float)


def test_the_text_is_readable() -> None:
    assert to_toml(Recipe("tiny", stages=(Stage("a", 1),))) == (
        'name = "tiny"\nrate = 0.003\nshuffle = true\nsizes = [9, 19]\nwindow = [1, 0.5]\n'
        'stages = [{name = "a", steps = 1}]\nweight = "auto"\n\n[limits]\n\n[search]\n'
        'visits = 400\nc_puct = 1.25\nselection = "puct"\n'
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "{path}: the key 'name' is missing."),
        ("name = 'a'\nrates = 1", "{path}: unknown key 'rates'; did you mean 'rate'?"),
        ("name = 'a'\n[search]\nvisit = 1", "{path}: unknown key 'search.visit'; did you mean 'visits'?"),
        (
            "name = 'a'\nstages = [{name = 'b', zzz = 1}]",
            "{path}: unknown key 'stages[0].zzz'; known keys are name, steps.",
        ),
        ("name = 1", "{path}: 'name' must be a text, not 1."),
        ("name = 'a'\nseed = true", "{path}: 'seed' must be a whole number, not True."),
        ("name = 'a'\nseed = 1.5", "{path}: 'seed' must be a whole number, not 1.5."),
        ("name = 'a'\nshuffle = 1", "{path}: 'shuffle' must be true or false, not 1."),
        ("name = 'a'\nsizes = 9", "{path}: 'sizes' must be a list, not 9."),
        ("name = 'a'\nsizes = [9, 'x']", "{path}: 'sizes[1]' must be a whole number, not 'x'."),
        ("name = 'a'\nwindow = [1]", "{path}: 'window' must have 2 items, not 1."),
        ("name = 'a'\nsearch = 3", "{path}: 'search' must be a table, not 3."),
        ("name = 'a'\nlimits = {x = 'y'}", "{path}: 'limits.x' must be a whole number, not 'y'."),
        ("name = 'a'\n[search]\nselection = 'x'", "{path}: 'search.selection' must be one of 'puct', 'ucb1', not 'x'."),
        ("name = 'a'\n[search]\nvisits = 0", "{path}: [search] visits must be 1 or more, not 0."),
    ],
)
def test_a_mistake_is_named_in_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "recipe.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_toml(Recipe, path)
    assert str(caught.value) == sentence.format(path=path)


def test_files_that_are_no_toml(tmp_path: Path) -> None:
    path = tmp_path / "recipe.toml"
    with pytest.raises(ConfigError, match="cannot be read"):
        load_toml(Recipe, path)
    path.write_bytes(b"name = '\xff'")
    with pytest.raises(ConfigError, match="is not UTF-8 text"):
        load_toml(Recipe, path)
    path.write_text("name = ", encoding="utf-8")
    with pytest.raises(ConfigError, match="is not valid TOML"):
        load_toml(Recipe, path)


def test_a_field_type_that_toml_cannot_hold_is_the_programs_mistake() -> None:
    @dataclass(frozen=True)
    class Wrong:
        names: set[str]

    with pytest.raises(TypeError, match="cannot hold"):
        from_dict(Wrong, {"names": ["a"]}, "here")
