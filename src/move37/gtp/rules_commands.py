"""The commands about rules: KataGo's, which know every switch, and the one of the KGS server.

Sources: KataGo's GTP extensions (`kata-set-rules` and its kin); kgsGtp's documentation (`kgs-rules`).
"""

from __future__ import annotations

import json
from typing import Final

from move37.errors import GtpError
from move37.gtp.protocol import Handler, TextHandler
from move37.gtp.table import Table
from move37.rules.ruleset import ruleset
from move37.rules.ruleset_text import BASE

_KGS_NAMES: Final = {
    "japanese": "japanese", "chinese": "chinese-kgs", "aga": "aga", "new_zealand": "new-zealand",
}  # fmt: skip
"""The rules of KGS; its Chinese ones forbid every repetition."""
_WORDS: Final = ("ko", "scoring", "tax")
"""The keys whose values KataGo writes in capitals."""


class RulesCommands:
    """Rules may change in the middle of a game, whose moves and komi stay."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def handlers(self) -> dict[str, Handler]:
        """The commands by name."""
        return {"kata-get-rules": self._get_rules, "kata-set-rule": self._set_rule, "kgs-rules": self._kgs_rules}

    def text_handlers(self) -> dict[str, TextHandler]:
        """Those that take the whole line."""
        return {"kata-set-rules": self._set_rules}

    def _get_rules(self, words: list[str]) -> str:
        switches = self._table.position.rules.to_dict()
        shown = {key: str(value).upper() if key in _WORDS else value for key, value in switches.items()}
        return json.dumps(dict(sorted(shown.items())), separators=(",", ":"))

    def _set_rules(self, text: str) -> str:
        if not text:
            raise GtpError("missing rules")
        self._table.change_rules(ruleset(text))
        return ""

    def _set_rule(self, words: list[str]) -> str:
        if len(words) != 2:
            raise GtpError("need a rule and a value")
        if words[0] == BASE:  # which changes nothing where every switch has its value
            raise GtpError("a base is no switch: use kata-set-rules")
        self._table.change_rules(ruleset({**self._table.position.rules.to_dict(), words[0]: words[1]}))
        return ""

    def _kgs_rules(self, words: list[str]) -> str:
        name = _KGS_NAMES.get(words[0].lower().replace("-", "_")) if words else None
        if name is None:
            raise GtpError(f"unknown rules: use {', '.join(_KGS_NAMES)}")
        self._table.change_rules(ruleset(name))
        return ""
