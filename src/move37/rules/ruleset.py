"""Rules as switches, and the rulesets people know by name.

The switches and the table are KataGo's (its JSON protocol and its rule presets); komi is not one of them. What a
switch does is up to those who read it: `Position` plays ko and suicide, `scoring` counts.

Which of the switches work so far: every ko rule, suicide, White's handicap bonus and the friendly pass with area
scoring; territory scoring, the group tax and the button can be named but not yet played.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Literal

from move37.errors import RulesError

Ko = Literal["simple", "positional", "situational"]
Scoring = Literal["area", "territory"]
Tax = Literal["none", "seki", "all"]
HandicapBonus = Literal["0", "N-1", "N"]

KO_CODES: Final[Mapping[str, int]] = {"simple": 0, "positional": 1, "situational": 2}
"""The numbers of the ko rules in a board record."""

_VALUES: Final[Mapping[str, tuple[str, ...]]] = {
    "ko": ("simple", "positional", "situational"),
    "scoring": ("area", "territory"),
    "tax": ("none", "seki", "all"),
    "white_handicap_bonus": ("0", "N-1", "N"),
}
_PROTOCOL_KEYS: Final[Mapping[str, str]] = {
    "ko": "ko",
    "scoring": "scoring",
    "tax": "tax",
    "suicide": "suicide",
    "hasButton": "has_button",
    "whiteHandicapBonus": "white_handicap_bonus",
    "friendlyPassOk": "friendly_pass_ok",
}


@dataclass(frozen=True)
class Ruleset:
    """One set of rules. The defaults are Tromp–Taylor's.

    ``ko``: *simple* forbids retaking one stone at once; *positional* any earlier arrangement of stones; *situational*
    any earlier arrangement with the same player to move. ``suicide`` allows it for two stones or more (one stone
    never). ``white_handicap_bonus`` gives White that many points for N handicap stones. ``friendly_pass_ok``: dead
    stones need not be captured before passing. Raises `RulesError` for a value that does not exist.
    """

    ko: Ko = "positional"
    scoring: Scoring = "area"
    tax: Tax = "none"
    suicide: bool = True
    has_button: bool = False
    white_handicap_bonus: HandicapBonus = "0"
    friendly_pass_ok: bool = False
    name: str = "custom"

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            allowed = _VALUES.get(field.name)
            if allowed is not None and value not in allowed:
                raise RulesError(f"Rule {field.name} cannot be {value!r}: use {_either(allowed)}.")
            if field.type == "bool" and not isinstance(value, bool):
                raise RulesError(f"Rule {field.name} cannot be {value!r}: use true or false.")

    @property
    def ko_code(self) -> int:
        """0 simple, 1 positional, 2 situational."""
        return KO_CODES[self.ko]

    def handicap_bonus(self, stones: int) -> int:
        """Points that White gets for so many handicap stones.

        >>> ruleset("chinese").handicap_bonus(4), ruleset("aga").handicap_bonus(4)
        (4, 3)
        """
        if self.white_handicap_bonus == "0" or stones <= 1:
            return 0
        return stones if self.white_handicap_bonus == "N" else stones - 1

    def to_dict(self) -> dict[str, str | bool]:
        """The switches under the keys of KataGo's protocol; `ruleset` reads them back."""
        return {key: getattr(self, attribute) for key, attribute in _PROTOCOL_KEYS.items()}


RULESETS: Final[Mapping[str, Ruleset]] = {
    entry.name: entry
    for entry in (
        Ruleset("positional", "area", "none", True, False, "0", False, "tromp-taylor"),
        Ruleset("simple", "area", "none", False, False, "N", True, "chinese"),
        Ruleset("positional", "area", "none", False, False, "N", True, "chinese-ogs"),
        Ruleset("positional", "area", "none", False, False, "N", True, "chinese-kgs"),
        Ruleset("simple", "territory", "seki", False, False, "0", False, "japanese"),
        Ruleset("simple", "territory", "seki", False, False, "0", False, "korean"),
        Ruleset("simple", "area", "all", False, False, "0", True, "stone-scoring"),
        Ruleset("situational", "area", "none", False, False, "N-1", True, "aga"),
        Ruleset("situational", "area", "none", False, False, "N-1", True, "bga"),
        Ruleset("situational", "area", "none", True, False, "0", True, "new-zealand"),
        Ruleset("situational", "area", "none", False, True, "N-1", True, "aga-button"),
    )
}
"""The rulesets that have names."""


def ruleset(rules: str | Ruleset | Mapping[str, Any]) -> Ruleset:
    """Rules from a name (any case), a `Ruleset`, or a dict with the keys of KataGo's protocol and values in any case.

    A missing key takes Tromp–Taylor's value. Raises `RulesError` for an unknown name, key or value.

    >>> ruleset("Chinese").ko, ruleset({"ko": "SIMPLE"}).suicide
    ('simple', True)
    """
    if isinstance(rules, Ruleset):
        return rules
    if isinstance(rules, str):
        return _named(rules)
    if not isinstance(rules, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]  # what callers without types give
        raise RulesError(f"Rules cannot be {rules!r}: use a name, a Ruleset or a dict.")
    return _from_mapping(rules)


def playable(rules: str | Ruleset | Mapping[str, Any]) -> Ruleset:
    """`ruleset`, but `RulesError` also for rules that can be named and not yet be played."""
    chosen = ruleset(rules)
    if chosen.scoring != "area" or chosen.tax != "none" or chosen.has_button:
        raise RulesError(
            f"Rules {chosen.name!r} need territory scoring, a group tax or a button, which cannot be played yet: "
            "use area scoring without them, such as 'chinese'."
        )
    return chosen


def _named(name: str) -> Ruleset:
    found = RULESETS.get(name.strip().lower().replace("_", "-").replace(" ", "-"))
    if found is None:
        raise RulesError(f"There are no rules named {name!r}: use one of {', '.join(RULESETS)}.")
    return found


def _from_mapping(rules: Mapping[str, Any]) -> Ruleset:
    switches: dict[str, Any] = {}
    for key, value in rules.items():
        attribute = _PROTOCOL_KEYS.get(key)
        if attribute is None:
            raise RulesError(f"Rules have no key {key!r}: use {', '.join(_PROTOCOL_KEYS)}.")
        switches[attribute] = _switch(key, attribute, value)
    made = Ruleset(**switches)
    same = [known for known in RULESETS.values() if known.to_dict() == made.to_dict()]
    return same[0] if same else made


def _switch(key: str, attribute: str, value: object) -> object:
    """One value of a dict in the spelling of `Ruleset`."""
    allowed = _VALUES.get(attribute)
    if allowed is None:
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.strip().lower() in ("true", "false"):
            return value.strip().lower() == "true"
        raise RulesError(f"Rule {key!r} cannot be {value!r}: use true or false.")
    wanted = str(value).strip().lower()
    for name in allowed:
        if name.lower() == wanted:
            return name
    raise RulesError(f"Rule {key!r} cannot be {value!r}: use {_either(allowed)}.")


def _either(names: tuple[str, ...]) -> str:
    return ", ".join(repr(name) for name in names[:-1]) + f" or {names[-1]!r}"
