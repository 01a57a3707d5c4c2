from __future__ import annotations

from typing import Any

import pytest

from move37.errors import RulesError
from move37.rules.position import Position
from move37.rules.ruleset import RULESETS, Ruleset, ruleset

TABLE = [
    # name, ko, scoring, tax, suicide, friendly pass, bonus of 4 stones
    ("tromp-taylor", "positional", "area", "none", True, False, 0),
    ("chinese", "simple", "area", "none", False, True, 4),
    ("chinese-ogs", "positional", "area", "none", False, True, 4),
    ("chinese-kgs", "positional", "area", "none", False, True, 4),
    ("japanese", "simple", "territory", "seki", False, False, 0),
    ("korean", "simple", "territory", "seki", False, False, 0),
    ("stone-scoring", "simple", "area", "all", False, True, 0),
    ("aga", "situational", "area", "none", False, True, 3),
    ("bga", "situational", "area", "none", False, True, 3),
    ("new-zealand", "situational", "area", "none", True, True, 0),
    ("aga-button", "situational", "area", "none", False, True, 3),
]


@pytest.mark.parametrize(("name", "ko", "scoring", "tax", "suicide", "friendly", "bonus"), TABLE)
def test_named(name: str, ko: str, scoring: str, tax: str, suicide: bool, friendly: bool, bonus: int) -> None:
    rules = ruleset(name.upper().replace("-", "_"))
    assert (rules.name, rules.ko, rules.scoring, rules.tax) == (name, ko, scoring, tax)
    assert (rules.suicide, rules.friendly_pass_ok) == (suicide, friendly)
    assert rules.handicap_bonus(4) == bonus
    assert rules.has_button == (name == "aga-button")


def test_table_is_complete() -> None:
    assert list(RULESETS) == [row[0] for row in TABLE]


def test_the_default_is_tromp_taylor() -> None:
    assert ruleset({}) == RULESETS["tromp-taylor"]
    assert ruleset({}).to_dict() == Ruleset().to_dict()


@pytest.mark.parametrize("rules", RULESETS.values(), ids=lambda rules: rules.name)
def test_dict_comes_back(rules: Ruleset) -> None:
    again = ruleset(rules.to_dict())
    assert again.to_dict() == rules.to_dict()
    assert ruleset(again) is again


def test_values_in_any_case() -> None:
    rules = ruleset({"ko": "SITUATIONAL", "whiteHandicapBonus": "n-1", "suicide": False, "friendlyPassOk": True})
    assert (rules.ko, rules.white_handicap_bonus, rules.name) == ("situational", "N-1", "aga")


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ("checkers", "checkers"),
        ({"Ko": "simple"}, "'Ko'"),
        ({"ko": "spight"}, "'spight'"),
        ({"suicide": "maybe"}, "'maybe'"),
        ({"whiteHandicapBonus": 1}, "'whiteHandicapBonus'"),
        ({"has_button": True}, "'has_button'"),
    ],
)
def test_unknown_names_keys_and_values(rules: Any, words: str) -> None:
    with pytest.raises(RulesError, match=words):
        ruleset(rules)


def test_wrong_switch_of_a_ruleset() -> None:
    wrong: Any = "eternal"
    with pytest.raises(RulesError, match="'eternal'"):
        Ruleset(ko=wrong)


@pytest.mark.parametrize("name", ["japanese", "korean", "stone-scoring", "aga-button"])
def test_what_cannot_be_played_yet_says_so(name: str) -> None:
    with pytest.raises(RulesError, match=f"{name}.*cannot be played yet"):
        Position(9, rules=name)
