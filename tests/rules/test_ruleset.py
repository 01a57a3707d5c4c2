from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from move37.errors import RulesError
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
    assert (rules.encore, rules.move_limit) == (False, None)


def test_table_is_complete() -> None:
    assert list(RULESETS) == [row[0] for row in TABLE]


def test_where_players_agree_on_dead_stones() -> None:
    assert [name for name, rules in RULESETS.items() if not rules.agrees_on_dead] == ["tromp-taylor"]


@pytest.mark.parametrize("name", ["New Zealand", " new_zealand ", "NewZealand", "new-zealand"])
def test_names_in_every_spelling(name: str) -> None:
    assert ruleset(name) is RULESETS["new-zealand"]


def test_the_default_is_tromp_taylor() -> None:
    assert ruleset({}) == RULESETS["tromp-taylor"]
    assert ruleset({}).to_dict() == Ruleset().to_dict()


@pytest.mark.parametrize("rules", RULESETS.values(), ids=lambda rules: rules.name)
def test_dict_comes_back(rules: Ruleset) -> None:
    again = ruleset(rules.to_dict())
    assert again.to_dict() == rules.to_dict()
    assert list(rules.to_dict()) == [
        "ko", "scoring", "tax", "suicide", "hasButton", "whiteHandicapBonus", "friendlyPassOk",
    ]  # fmt: skip
    assert ruleset(again) is again
    assert ruleset(json.dumps(rules.to_dict())) == again


def test_the_keys_of_our_own_are_there_where_they_are_set() -> None:
    rules = Ruleset(scoring="territory", encore=True, move_limit=722)
    assert rules.to_dict()["encore"] is True and rules.to_dict()["moveLimit"] == 722
    assert ruleset(rules.to_dict()) == rules
    assert ruleset({"moveLimit": None, "encore": "False"}) == RULESETS["tromp-taylor"]


def test_values_in_any_case() -> None:
    rules = ruleset({"ko": "SITUATIONAL", "whiteHandicapBonus": "n-1", "suicide": False, "friendlyPassOk": True})
    assert (rules.ko, rules.white_handicap_bonus, rules.name) == ("situational", "N-1", "aga")


@pytest.mark.parametrize(
    ("rules", "stones", "bonus"),
    [("chinese", 0, 0), ("chinese", 1, 0), ("chinese", 2, 2), ("aga", 0, 0), ("aga", 1, 0), ("aga", 9, 8)],
)
def test_bonus_for_handicap_stones(rules: str, stones: int, bonus: int) -> None:
    assert ruleset(rules).handicap_bonus(stones) == bonus


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('{"base": "japanese", "encore": true}', {"base": "japanese", "encore": True}),
        ("japanese, encore=true", {"base": "japanese", "encore": True}),
        ("ko=Situational,suicide=FALSE", {"ko": "situational", "suicide": False}),
        ("chinese , moveLimit = 722", {"base": "chinese", "moveLimit": 722}),
        ("base=aga,hasButton=true,moveLimit=none", RULESETS["aga-button"].to_dict()),
        ("{}", {}),
    ],
)
def test_texts(text: str, wanted: dict[str, Any]) -> None:
    assert ruleset(text) == ruleset(wanted)


def test_a_file_of_rules(tmp_path: Path) -> None:
    path = tmp_path / "围棋 rules.toml"
    path.write_text('base = "japanese"\nencore = true  # settled by play\nmoveLimit = 722\n', encoding="utf-8")
    rules = ruleset(str(path))
    assert rules == ruleset(path) == Ruleset.from_toml(path)
    assert (rules.scoring, rules.tax, rules.encore, rules.move_limit) == ("territory", "seki", True, 722)


def test_a_byte_order_mark_before_a_file_of_rules_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_bytes(b'\xef\xbb\xbfbase = "chinese"\r\nko = "positional"\r\n')
    assert ruleset(path).name == "chinese-ogs"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, r"rules\.toml: the rules cannot be read \(No such file or directory\)"),
        (
            b"ko = simple",
            r"rules\.toml: the rules cannot be read \(it is not TOML: .*\): write texts in quotes, such as",
        ),
        (b'ko = "\xff"', r"rules\.toml: the rules cannot be read \(it is not UTF-8 text at byte 6\): give a TOML"),
        (b'ko = "spight"', r"rules\.toml: Rule 'ko' cannot be 'spight'"),
        (b'[rules]\nko = "simple"', r"rules\.toml: Rules have no key 'rules'"),
    ],
)
def test_a_wrong_file_is_named(tmp_path: Path, content: bytes | None, words: str) -> None:
    path = tmp_path / "rules.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(RulesError, match=words) as caught:
        ruleset(str(path))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ("checkers", "named 'checkers'"),
        ("", "named ''"),
        ({"Ko": "simple"}, "no key 'Ko': write 'ko'"),
        ({"Suicide": True}, "no key 'Suicide': write 'suicide'"),
        ({"Base": "chinese"}, "no key 'Base': write 'base'"),
        ({"komi": 6.5}, "no key 'komi': komi is no rule, give it beside them .komi=, --komi, or GTP"),
        ({"dame": 1}, "no key 'dame': use base, ko, scoring, "),
        ({7: 1}, "no key 7: use base, ko"),
        ({"ko": "spight"}, "'spight': use 'simple', 'positional' or 'situational'"),
        ({"suicide": "maybe"}, "'maybe': use true or false"),
        ({"suicide": 1}, "'suicide' cannot be 1"),
        ({"whiteHandicapBonus": 1}, "'whiteHandicapBonus'"),
        ({"has_button": True}, "'has_button': write 'hasButton'"),
        ({"moveLimit": 0}, "'moveLimit' cannot be 0: use a whole number from 1"),
        ({"moveLimit": True}, "'moveLimit' cannot be True"),
        ({"moveLimit": "9" * 30}, "'moveLimit' cannot be"),
        ({"moveLimit": 7.5}, r"'moveLimit' cannot be 7\.5"),
        ({"base": "go"}, "named 'go'"),
        ({"base": 3}, "'base' cannot be 3"),
        ({"scoring": "territory", "hasButton": True}, "button needs area scoring"),
        ({"encore": True}, "encore needs territory scoring"),
        ("aga-button,scoring=territory", "button needs area scoring"),
        ("japanese,encore", "named 'japanese,encore'"),
        ("japanese,encore,suicide=true", "'encore' is no rule"),
        ("ko=simple,ko=simple", "'ko' is given twice"),
        ("ko=", "'ko=' is no rule"),
        ("ko=simple,", "'' is no rule"),
        ("{ko: 1}", "not JSON"),
        ('{"ko": "simple", "ko": "simple"}', "'ko' is given twice"),
        ("[" * 100_000 + "=", "is no rule"),
        ('{"a": ' * 100_000, "not JSON"),
        (7, "Rules cannot be 7"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_unknown_names_keys_and_values(rules: Any, words: str) -> None:
    with pytest.raises(RulesError, match=words) as caught:
        ruleset(rules)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("switches", "words"),
    [
        ({"ko": "eternal"}, "'eternal'"),
        ({"suicide": "yes"}, "'yes'"),
        ({"encore": 1, "scoring": "territory"}, "encore cannot be 1"),
        ({"move_limit": -3}, "move_limit cannot be -3"),
        ({"move_limit": "722"}, "move_limit cannot be '722'"),
    ],
)
def test_wrong_switches_of_a_ruleset(switches: dict[str, Any], words: str) -> None:
    with pytest.raises(RulesError, match=words):
        Ruleset(**switches)


def test_numbers_too_long_to_be_written_and_files_without_end(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text("moveLimit = 0x" + "f" * 5000, encoding="utf-8")
    os.mkfifo(tmp_path / "pipe.toml")
    for rules in (path, {"moveLimit": 10**5000}, {"ko": 10**5000}, {"suicide": 10**5000}):
        with pytest.raises(RulesError, match="cannot be a number of thousands of digits"):
            ruleset(rules)
    with pytest.raises(RulesError, match="It is a pipe or a device"):
        ruleset(tmp_path / "pipe.toml")
    path.write_bytes(b"#" * (2**20 + 1))
    with pytest.raises(RulesError, match="no more than 1,048,576 are read"):
        ruleset(path)
