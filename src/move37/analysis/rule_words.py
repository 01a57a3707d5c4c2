"""The field `rules` of a query: a name or an object, with a komi where the object has one.

Facts: KataGo's cpp/game/rules.cpp. Only names and objects are read, no files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, cast

from move37.errors import RulesError
from move37.rules.ruleset import Ruleset, ruleset

__all__ = ["default_komi", "read_rules"]

_OTHER_KEYS: Final = {"score": "scoring", "koRule": "ko", "scoringRule": "scoring", "taxRule": "tax"}
AREA_KOMI, TERRITORY_KOMI, BUTTON_KOMI = 7.5, 6.5, 7.0


def read_rules(value: str | Mapping[str, Any]) -> tuple[Ruleset, object]:
    """The rules of a name, of an object, or of an object as text; and what stands there as komi, or None.

    `RulesError` for anything else.
    """
    if isinstance(value, str) and value.strip().startswith("{"):
        try:
            value = cast("Mapping[str, Any]", json.loads(value))
        except (ValueError, RecursionError) as error:
            raise RulesError(f"Rules are not JSON: {error}.") from error
    if isinstance(value, str):
        if "=" in value or value.strip().lower().endswith(".toml"):
            raise RulesError("Rules in a query are a name or an object.")
        return ruleset(value), None
    switches = {_OTHER_KEYS.get(key, key): found for key, found in value.items() if key != "komi"}
    if str(switches.get("scoring")).strip().lower() == "territory":
        switches.setdefault("tax", "seki")
    return ruleset(switches), value.get("komi")


def default_komi(rules: Ruleset) -> float:
    """The komi of a query that names none (KataGo's)."""
    if rules.scoring == "territory":
        return TERRITORY_KOMI
    return BUTTON_KOMI if rules.has_button else AREA_KOMI
