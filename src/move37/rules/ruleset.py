"""Rules as switches, and the rulesets people know by name.

The switches and the table are KataGo's (its JSON protocol and its rule presets); komi is not one of them. What a
switch does is up to those who read it: `Position` plays ko and suicide, `scoring` counts. Two switches are not
KataGo's: ``encore`` (its engine plays the encore wherever territory counts) and ``moveLimit``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, Literal, TypeGuard

from move37.errors import RulesError
from move37.rules.ruleset_text import BASE, parse_rules_text, read_rules_file

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
    "encore": "encore",
    "moveLimit": "move_limit",
}
_OWN_KEYS: Final = ("encore", "moveLimit")
"""Keys that KataGo does not know: a dict names them only where they say something."""
_LONGEST_GAME: Final = 1_000_000
_LENGTH: Final = f"use a whole number from 1 to {_LONGEST_GAME}, or leave it out"


@dataclass(frozen=True)
class Ruleset:
    """One set of rules. The defaults are Tromp–Taylor's.

    ``ko``: *simple* forbids retaking one stone at once; *positional* any earlier arrangement of stones; *situational*
    any earlier arrangement with the same player to move. ``suicide`` allows it for two stones or more (one stone
    never). ``tax``: *seki* takes the eyes of groups in seki, *all* also two points for each living group.
    ``has_button``: the first pass takes the button, half a point (area scoring only). ``white_handicap_bonus`` gives
    White that many points for N handicap stones. ``friendly_pass_ok``: dead stones need not be captured before
    passing. ``encore``: two passes under territory scoring do not end the game but begin KataGo's two encores, in which
    what is dead is settled by play; without it they end the game, and the players agree on dead stones.
    ``move_limit``: the game ends after so many moves. Raises `RulesError` for a value that does not exist or does not
    fit the others.
    """

    ko: Ko = "positional"
    scoring: Scoring = "area"
    tax: Tax = "none"
    suicide: bool = True
    has_button: bool = False
    white_handicap_bonus: HandicapBonus = "0"
    friendly_pass_ok: bool = False
    name: str = "custom"
    encore: bool = False
    move_limit: int | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            allowed = _VALUES.get(field.name)
            if allowed is not None and value not in allowed:
                raise RulesError(f"Rule {field.name} cannot be {_shown(value)}: use {_either(allowed)}.")
            if field.type == "bool" and not isinstance(value, bool):
                raise RulesError(f"Rule {field.name} cannot be {_shown(value)}: use true or false.")
        if self.move_limit is not None and not _is_length(self.move_limit):
            raise RulesError(f"Rule move_limit cannot be {_shown(self.move_limit)}: {_LENGTH}.")
        if self.has_button and self.scoring != "area":
            raise RulesError("A button needs area scoring: set scoring to 'area' or hasButton to false.")
        if self.encore and self.scoring != "territory":
            raise RulesError("An encore needs territory scoring: set scoring to 'territory' or encore to false.")

    @classmethod
    def from_toml(cls, path: Path | str) -> Ruleset:
        """Rules from a TOML file with the keys of `ruleset`; `RulesError` in one sentence that names the file."""
        values = read_rules_file(path)
        try:
            return _from_mapping(values)
        except RulesError as error:
            raise RulesError(f"{path}: {error}") from error

    @property
    def ko_code(self) -> int:
        """0 simple, 1 positional, 2 situational."""
        return KO_CODES[self.ko]

    @property
    def agrees_on_dead(self) -> bool:
        """Whether players agree on dead stones at the end: under territory scoring, and with a friendly pass.

        Not under Tromp–Taylor's rules, for one, where whatever is left on the board lives.
        """
        return self.friendly_pass_ok or self.scoring == "territory"

    def handicap_bonus(self, stones: int) -> int:
        """Points that White gets for so many handicap stones.

        >>> ruleset("chinese").handicap_bonus(4), ruleset("aga").handicap_bonus(4)
        (4, 3)
        """
        if self.white_handicap_bonus == "0" or stones <= 1:
            return 0
        return stones if self.white_handicap_bonus == "N" else stones - 1

    def to_dict(self) -> dict[str, str | bool | int]:
        """The switches under the keys of KataGo's protocol; `ruleset` reads them back.

        ``encore`` and ``moveLimit``, which KataGo does not know, are there only where they are set.
        """
        switches = {key: getattr(self, attribute) for key, attribute in _PROTOCOL_KEYS.items()}
        return {key: value for key, value in switches.items() if value or key not in _OWN_KEYS}


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


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter not in "-_ ")


_BY_PLAIN_NAME: Final = {_plain(name): rules for name, rules in RULESETS.items()}


def ruleset(rules: str | Path | Ruleset | Mapping[str, Any]) -> Ruleset:
    """Rules from a name, a TOML file, a text, a dict or a `Ruleset`.

    A dict has the keys of KataGo's protocol, ``encore`` and ``moveLimit``, values in any case; a missing key takes the
    value of the rules that the key ``base`` names, else Tromp–Taylor's. A TOML file (a path that ends in ``.toml``) has
    the same keys. A text is a name in any case, a dict as JSON, or ``key=value`` pairs with commas, the name of the
    base before them if there is one. Raises `RulesError` for an unknown name, key or value and for a file that cannot
    be read.

    >>> ruleset("Chinese").ko, ruleset({"ko": "SIMPLE"}).suicide
    ('simple', True)
    >>> ruleset("japanese, encore=true").encore, ruleset('{"base": "chinese", "ko": "positional"}').name
    (True, 'chinese-ogs')
    """
    if isinstance(rules, Ruleset):
        return rules
    if isinstance(rules, Path):
        return Ruleset.from_toml(rules)
    if isinstance(rules, str):
        return _from_text(rules)
    if not isinstance(rules, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]  # what callers without types give
        raise RulesError(f"Rules cannot be {_shown(rules)}: use a name, a Ruleset or a dict.")
    return _from_mapping(rules)


def _from_text(text: str) -> Ruleset:
    if text.strip().lower().endswith(".toml"):
        return Ruleset.from_toml(text.strip())
    values = parse_rules_text(text)
    return _named(values) if isinstance(values, str) else _from_mapping(values)


def _named(name: str) -> Ruleset:
    found = _BY_PLAIN_NAME.get(_plain(name))
    if found is None:
        raise RulesError(f"There are no rules named {name!r:.80}: use one of {', '.join(RULESETS)}.")
    return found


def _from_mapping(rules: Mapping[str, Any]) -> Ruleset:
    base = rules.get(BASE, "tromp-taylor")
    if not isinstance(base, str):
        raise RulesError(f"Rule 'base' cannot be {_shown(base)}: use the name of rules, such as 'chinese'.")
    switches = {attribute: getattr(_named(base), attribute) for attribute in _PROTOCOL_KEYS.values()}
    for key, value in rules.items():
        attribute = _PROTOCOL_KEYS.get(key)
        if attribute is not None:
            switches[attribute] = _switch(key, attribute, value)
        elif key != BASE:
            raise RulesError(f"Rules have no key {_shown(key)}: {_instead_of(key)}.")
    made = Ruleset(**switches)
    same = [known for known in RULESETS.values() if known.to_dict() == made.to_dict()]
    return same[0] if same else made


def _instead_of(key: object) -> str:
    """What to do in place of a key that does not exist."""
    word = _plain(key) if isinstance(key, str) else ""
    if word == "komi":
        return "komi is no rule, give it beside them (komi=, --komi, or GTP's komi)"
    known = [BASE, *_PROTOCOL_KEYS]
    meant = [name for name in known if _plain(name) == word]
    return f"write {meant[0]!r}" if meant else f"use {', '.join(known)}"


def _switch(key: str, attribute: str, value: object) -> object:
    """One value of a dict in the spelling of `Ruleset`."""
    word = (value if isinstance(value, str) else _shown(value)).strip().lower()
    if attribute == "move_limit":
        return _move_limit(value, word)
    if attribute in _VALUES:
        for name in _VALUES[attribute]:
            if name.lower() == word:
                return name
        raise RulesError(f"Rule {_shown(key)} cannot be {_shown(value)}: use {_either(_VALUES[attribute])}.")
    if isinstance(value, bool | str) and word in ("true", "false"):
        return word == "true"
    raise RulesError(f"Rule {_shown(key)} cannot be {_shown(value)}: use true or false.")


def _move_limit(value: object, word: str) -> int | None:
    if value is None or word == "none":
        return None
    if isinstance(value, str) and word.isascii() and word.isdigit():
        value = int(word[:20])
    if not _is_length(value):
        raise RulesError(f"Rule 'moveLimit' cannot be {_shown(value)}: {_LENGTH}.")
    return value


def _is_length(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= _LONGEST_GAME


def _shown(value: object) -> str:
    """A wrong value in a sentence."""
    try:
        return f"{value!r:.80}"
    except ValueError:  # a whole number of so many digits that Python does not write it
        return "a number of thousands of digits"


def _either(names: tuple[str, ...]) -> str:
    return ", ".join(repr(name) for name in names[:-1]) + f" or {names[-1]!r}"
