"""What game records call the rules (``RU``), and the `Ruleset` it means.

SGF fixes four names (AGA, GOE, Japanese, NZ); servers and programs write many more, in several languages, and KataGo
writes its switches out. Rules without a name are written as a name and what differs from it, as `ruleset` reads them.
A name that is not known here is not guessed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from move37.rules.ruleset import Ruleset

_NAMES: Final[Mapping[str, str]] = {
    "japanese": "Japanese japan jp jpn nihon-kiin 日本 日本ルール 日本規則 日本规则 日本囲碁規約",
    "chinese": "Chinese china cn chn 中国 中国规则 中国ルール 中國 中國規則",
    "korean": "Korean korea kr kor 한국 한국룰 韩国 韩国规则 韓国 韓国ルール",
    "chinese-ogs": "Chinese-OGS",
    "chinese-kgs": "Chinese-KGS",
    "aga": "AGA american usa",
    "bga": "BGA british",
    "new-zealand": "NZ new-zealand",
    "tromp-taylor": "Tromp-Taylor tt tromptaylor logical",
    "stone-scoring": "Stone-Scoring stone ancient",
    "aga-button": "AGA-Button button",
    "goe": "GOE ing ing-goe ings sst 应氏 应氏规则 應氏 應氏規則",
}
"""Each of our rulesets (and Ing's) by what records call it; the first name is the one written."""

_RULESETS: Final = {name.lower(): ours for ours, names in _NAMES.items() for name in names.split()}
_WRITTEN: Final = {ours: names.split()[0] for ours, names in _NAMES.items()}

_LONGEST: Final = 1000
"""Longer texts are looked at only so far."""

_SWITCHES: Final = re.compile(
    r"ko(?P<ko>simple|positional|situational)score(?P<scoring>area|territory)tax(?P<tax>none|seki|all)"
    r"sui(?P<suicide>[01])(?:button(?P<hasButton>[01]))?(?:whb(?P<whiteHandicapBonus>0|n-1|n))?"
    r"(?:fpok(?P<friendlyPassOk>[01]))?",
    re.IGNORECASE,
)


def rules_named(text: str) -> Ruleset | None:
    """The rules of an ``RU`` value, or None where the name is not known.

    Ing's rules (GOE) are taken as area scoring with suicide, situational superko and a bonus of N; their own ko rule
    with its kinds of ko is not played here.

    >>> [rules_named(text).name for text in ("NZ", "Chinese Rules", "JPN")]
    ['new-zealand', 'chinese', 'japanese']
    """
    from move37.rules.ruleset import ruleset

    spelled = _SWITCHES.fullmatch(text.strip())
    if spelled is not None:
        return ruleset({key: _switch(key, value) for key, value in spelled.groupdict().items() if value is not None})
    ours = _RULESETS.get(_plain(text))
    return _from_pairs(text) if ours is None else _known()[ours]


def rules_text(rules: Ruleset) -> str:
    """The ``RU`` value of rules: a name, or for rules without one the nearest name and what differs from it.

    `rules_named` reads both, and `ruleset` the second.

    >>> from move37.rules.ruleset import ruleset
    >>> rules_text(ruleset("new-zealand")), rules_text(ruleset("japanese, encore=true, moveLimit=722"))
    ('NZ', 'japanese,encore=true,moveLimit=722')
    """
    from move37.rules.ruleset import RULESETS

    if rules == _known().get(rules.name):
        return _WRITTEN[rules.name]
    differences = {name: _difference(rules, known) for name, known in RULESETS.items()}
    name = min(differences, key=lambda name: len(differences[name]))
    return ",".join([name, *differences[name]])


def _known() -> Mapping[str, Ruleset]:
    from move37.rules.ruleset import RULESETS, Ruleset

    return {**RULESETS, "goe": Ruleset("situational", "area", "none", True, False, "N", True, "goe")}


def _difference(rules: Ruleset, known: Ruleset) -> list[str]:
    """The switches of rules that known ones set otherwise, as ``key=value``."""
    other = known.to_dict()
    changed = [(key, value) for key, value in rules.to_dict().items() if value != other.get(key)]
    return [f"{key}={str(value).lower() if isinstance(value, bool) else value}" for key, value in changed]


def _from_pairs(text: str) -> Ruleset | None:
    """The rules of a name with ``key=value`` pairs, or None; unlike `ruleset` this opens no file that is named."""
    from move37.errors import RulesError
    from move37.rules.ruleset import ruleset
    from move37.rules.ruleset_text import parse_rules_text

    try:
        pairs = parse_rules_text(text[:_LONGEST])
        return None if isinstance(pairs, str) else ruleset(pairs)
    except RulesError:
        return None


def _plain(text: str) -> str:
    """A name without case, "rules", and differences in blanks, hyphens and underscores."""
    words = re.sub(r"[\s_./-]+", "-", text.strip().lower()).removesuffix("-rules").removesuffix("-rule")
    return words.removeprefix("the-").strip("-")


def _switch(key: str, value: str) -> str | bool:
    return value == "1" if key in ("suicide", "hasButton", "friendlyPassOk") else value
