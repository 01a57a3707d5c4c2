"""One line of KataGo's analysis protocol, read and checked: a query for analysis, or an action.

Nothing is played or searched here, and no board, kernel or network is imported: that a move is illegal shows when the
game is replayed (`replay`). Fields, limits and wording are KataGo's (docs/Analysis_Engine.md, cpp/command/analysis.cpp,
and what its version 1.18.1 answers).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import isfinite
from types import MappingProxyType
from typing import Any, Final, NamedTuple, cast

from move37.analysis.fields import Fields, Play
from move37.analysis.problems import Notice, QueryError
from move37.analysis.rule_words import default_komi, read_rules
from move37.errors import RulesError
from move37.rules.ruleset import HandicapBonus, Ruleset

__all__ = ["Action", "Limited", "Query", "Wanted", "parse_line"]

MAX_SIDE: Final = 19
KOMI_LIMIT: Final = 400.0
MOST_VISITS: Final = 2**50
MOST_PRIORITY: Final = 2**62 - 1
LONGEST_REPORT_TIME: Final = 1_000_000.0

_SIZE: Final = f"Must provide an integer from 2 to {MAX_SIDE}"
_RULES: Final = (
    'Must specify rules string, such as "chinese" or "tromp-taylor", or a JSON object with detailed rules parameters.'
)
_KOMI: Final = "Must be a integer or half-integer from -400.0 to 400.0"
_TURNS: Final = "Must specify an array of integers indicating turns to analyze"
_SECONDS: Final = "Must be number of seconds from 0.001 to 1000000.0"
_LIMITED: Final = "Must be a list of dicts with subfields 'player', 'moves', 'untilDepth'"
_UNUSED: Final = (
    "Unexpected or unused field, do you have a typo? (set warnUnusedFields=false in the config to disable this warning)"
)
ACTIONS: Final = ("query_version", "query_models", "clear_cache", "terminate", "terminate_all")

FLAGS: Final = (
    "includeMovesOwnership",
    "includeMovesOwnershipStdev",
    "includeOwnership",
    "includeOwnershipStdev",
    "includePolicy",
    "includePVVisits",
    "includeNoResultValue",
)
_FIELDS: Final = frozenset(
    {
        *FLAGS,
        *("id", "action", "boardXSize", "boardYSize", "initialStones", "moves", "initialPlayer", "analyzeTurns"),
        *("priority", "priorities", "rules", "komi", "whiteHandicapBonus", "overrideSettings", "maxVisits"),
        *("analysisPVLen", "rootFpuReductionMax", "rootPolicyTemperature", "reportDuringSearchEvery"),
        *("firstReportDuringSearchAfter", "allowMoves", "avoidMoves"),
    }
)


class Limited(NamedTuple):
    """`color` may not play `moves` (`only`: nothing else) before ply `until_depth`; as `search.Restriction`."""

    color: int
    moves: tuple[int, ...]
    until_depth: int
    only: bool


@dataclass(frozen=True)
class Wanted:
    """Which parts of an answer are wanted beyond those that always come."""

    ownership: bool = False
    ownership_stdev: bool = False
    moves_ownership: bool = False
    moves_ownership_stdev: bool = False
    policy: bool = False
    pv_visits: bool = False
    no_result: bool = False

    @property
    def any_ownership(self) -> bool:
        """Whether the search has to average ownership."""
        return self.ownership or self.ownership_stdev or self.moves_ownership or self.moves_ownership_stdev


@dataclass(frozen=True)
class Query:
    """Positions of one game to be analysed. Points are ints, row-major from the top left; rows * cols is a pass.

    initial_player: None where the game tells (see `replay`). turns: numbers of moves played before each position asked
    about, ascending, and their priorities. settings: under KataGo's names, single fields of the query among them.
    report_every, first_report: seconds between partial reports, and until the first; None: no such report.
    """

    id: str
    rows: int
    cols: int
    rules: Ruleset
    komi: float
    moves: tuple[Play, ...]
    stones: tuple[Play, ...] = ()
    initial_player: int | None = None
    turns: tuple[int, ...] = ()
    priorities: tuple[int, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    max_visits: int | None = None
    pv_length: int | None = None
    wanted: Wanted = Wanted()
    report_every: float | None = None
    first_report: float | None = None
    limited: tuple[Limited, ...] = ()
    unused: tuple[Notice, ...] = ()


@dataclass(frozen=True)
class Action:
    """Something other than analysis. `request`: the object as it came, which is answered back.

    target: the id of the queries to end; None: all. turns: only these; None: every one.
    """

    name: str
    request: Mapping[str, Any]
    target: str | None = None
    turns: frozenset[int] | None = None


def parse_line(line: str) -> Query | Action:
    """Read one line that is not blank; `QueryError` in KataGo's words for what it cannot be."""
    request = _object(line)
    name = request.get("id")
    if not isinstance(name, str):
        raise QueryError('Request must have a string "id" field')
    fields = Fields(request, name)
    return _action(fields) if isinstance(request.get("action"), str) else _query(fields)


def _object(line: str) -> dict[str, Any]:
    try:
        request: object = json.loads(line, parse_constant=_no_number, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise QueryError(f"{error} - could not parse input line as json request: {line}") from None
    if not isinstance(request, dict):
        raise QueryError(f"Request line was valid json but was not an object, ignoring: {line}")
    return cast("dict[str, Any]", request)


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no number of JSON")


def _finite(word: str) -> float:
    """A number with a point or an exponent; an infinite one could not be answered back."""
    number = float(word)
    if not isfinite(number):
        raise ValueError(f"{word:.40} is too great a number")
    return number


def _action(fields: Fields) -> Action:
    name = cast(str, fields.get("action"))
    if name not in ACTIONS:
        raise fields.fail("action", "'action' field must be " + " or ".join(f"'{action}'" for action in ACTIONS))
    action = Action(name, fields.values)
    if name == "terminate":
        if not isinstance(fields.get("terminateId"), str):
            text = 'Requests for a terminate action must have a string "terminateId" field'
            raise fields.fail("terminateId", text)
        action = replace(action, target=fields.get("terminateId"))
    if name.startswith("terminate") and "turnNumbers" in fields:
        text = "If provided, must be an array of integers indicating turns to terminate"
        action = replace(action, turns=frozenset(fields.integers("turnNumbers", text)))
    return action


def _query(fields: Fields) -> Query:
    """Check field by field, in KataGo's order: the first that is wrong is told."""
    for name in ("boardXSize", "boardYSize"):
        fields.integer(name, 2, MAX_SIDE, _SIZE)
    rows, cols = int(fields.get("boardYSize")), int(fields.get("boardXSize"))
    stones = fields.plays("initialStones", rows, cols, passes=False) if "initialStones" in fields else ()
    if "moves" not in fields:
        raise fields.fail("moves", "Must specify an array of [player,location] pairs")
    moves = fields.plays("moves", rows, cols, passes=True)
    player = fields.color("initialPlayer") if "initialPlayer" in fields else None
    turns = _turns(fields, len(moves))
    priorities = _priorities(fields, turns)
    rules, komi = _rules(fields)
    query = Query(fields.id, rows, cols, rules, komi, moves, stones, player, settings=_settings(fields))
    query = _limits(fields, query)
    ordered = sorted(set(turns))
    return replace(
        query,
        turns=tuple(ordered),
        priorities=tuple(priorities.get(turn, _priority(fields)) for turn in ordered),
        limited=_limited(fields, rows, cols),
        unused=tuple(Notice(_UNUSED, fields.id, name) for name in sorted(fields.values) if name not in _FIELDS),
    )


def _turns(fields: Fields, last: int) -> list[int]:
    if "analyzeTurns" not in fields:
        return [last]
    turns = fields.integers("analyzeTurns", _TURNS)
    for turn in turns:
        if not 0 <= turn <= last:
            raise fields.fail("analyzeTurns", f"Invalid turn number: {turn}")
    return turns


def _priorities(fields: Fields, turns: list[int]) -> dict[int, int]:
    """The priority of each turn that has its own."""
    if "priorities" not in fields:
        return {}
    values = fields.integers("priorities", "Must specify an array of integers indicating priorities")
    if "analyzeTurns" not in fields:
        raise fields.fail("priorities", "Can only specify when also specifying analyzeTurns")
    if len(values) != len(turns):
        raise fields.fail("priorities", "Must be of matching length to analyzeTurns")
    for value in values:
        if abs(value) > MOST_PRIORITY:
            raise fields.fail("priorities", f"Invalid priority: {value}")
    if "priority" in fields:
        raise fields.fail("priority", "Cannot specify both priority and priorities")
    return dict(zip(turns, values, strict=True))


def _priority(fields: Fields) -> int:
    if "priority" not in fields:
        return 0
    return fields.integer("priority", -MOST_PRIORITY, MOST_PRIORITY, "Must be a number between -2^62 and 2^62")


def _rules(fields: Fields) -> tuple[Ruleset, float]:
    value = fields.get("rules")
    if not isinstance(value, str | dict):
        raise fields.fail("rules", _RULES)
    try:
        rules, komi = read_rules(cast("str | dict[str, Any]", value))
    except (RulesError, TypeError):
        shown = value if isinstance(value, str) else json.dumps(value, sort_keys=True, separators=(",", ":"))
        raise fields.fail("rules", f"Could not parse rules: {shown}") from None
    if "komi" in fields or komi is not None:
        told = fields if "komi" in fields else Fields({"komi": komi}, fields.id)
        found = told.number("komi", -KOMI_LIMIT, KOMI_LIMIT, _KOMI)
        if (2 * found) % 1 != 0:
            raise fields.fail("komi", _KOMI)
    else:
        found = default_komi(rules)
    return _with_bonus(fields, rules), found


def _with_bonus(fields: Fields, rules: Ruleset) -> Ruleset:
    """The rules with the query's own bonus for handicap stones."""
    if "whiteHandicapBonus" not in fields:
        return rules
    value = fields.get("whiteHandicapBonus")
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(text, str):
        raise fields.fail("whiteHandicapBonus", "Must be a string")
    if text.upper() not in ("0", "N", "N-1"):
        raise fields.fail("whiteHandicapBonus", f"Invalid whiteHandicapBonus rule: {text}")
    return replace(rules, white_handicap_bonus=cast(HandicapBonus, text.upper()))


def _settings(fields: Fields) -> dict[str, Any]:
    """What is set for this query, `overrideSettings` and two fields of its own."""
    settings: dict[str, Any] = {}
    if "overrideSettings" in fields:
        value = fields.get("overrideSettings")
        if not isinstance(value, dict):
            raise fields.fail("overrideSettings", "Must be an object")
        settings.update(cast("dict[str, Any]", value))
    return settings


def _limits(fields: Fields, query: Query) -> Query:
    """The query with its numbers and flags."""
    settings, visits, length = dict(query.settings), None, None
    if "maxVisits" in fields:
        visits = fields.integer("maxVisits", 1, MOST_VISITS, "Must be an integer from 1 to 2^50")
    if "analysisPVLen" in fields:
        length = fields.integer("analysisPVLen", 1, 1000, "Must be an integer from 1 to 1000")
    for name, low, high in (("rootFpuReductionMax", 0.0, 2.0), ("rootPolicyTemperature", 0.01, 100.0)):
        if name in fields:
            settings[name] = fields.number(name, low, high, f"Must be a number from {low} to {high}")
    flags = {name: fields.flag(name) for name in FLAGS}
    every, first = _report_times(fields)
    return replace(
        query,
        settings=settings,
        max_visits=visits,
        pv_length=length,
        wanted=_wanted(flags),
        report_every=every,
        first_report=first,
    )


def _wanted(flags: Mapping[str, bool]) -> Wanted:
    return Wanted(
        ownership=flags["includeOwnership"],
        ownership_stdev=flags["includeOwnershipStdev"],
        moves_ownership=flags["includeMovesOwnership"],
        moves_ownership_stdev=flags["includeMovesOwnershipStdev"],
        policy=flags["includePolicy"],
        pv_visits=flags["includePVVisits"],
        no_result=flags["includeNoResultValue"],
    )


def _report_times(fields: Fields) -> tuple[float | None, float | None]:
    """Seconds between reports, and until the first one."""
    every: float | None = None
    if "reportDuringSearchEvery" in fields:
        every = fields.number("reportDuringSearchEvery", 0.001, LONGEST_REPORT_TIME, _SECONDS)
    if "firstReportDuringSearchAfter" not in fields:
        return every, every
    first = fields.number("firstReportDuringSearchAfter", 0.001, LONGEST_REPORT_TIME, _SECONDS)
    return every, first


def _limited(fields: Fields, rows: int, cols: int) -> tuple[Limited, ...]:
    only, avoided = "allowMoves" in fields, "avoidMoves" in fields
    if not (only or avoided):
        return ()
    if only and avoided:
        raise fields.fail("allowMoves", "Cannot specify both allowMoves and avoidMoves")
    name = "allowMoves" if only else "avoidMoves"
    entries = fields.get(name)
    if not isinstance(entries, list):
        raise fields.fail(name, _LIMITED)
    found = tuple(_one_limited(fields, name, entry, rows, cols) for entry in cast("list[object]", entries))
    if only and len(found) > 1 and len({entry.color for entry in found}) < len(found):
        raise fields.fail(name, "allowMoves only allows one entry for each player")
    return found


def _one_limited(fields: Fields, name: str, entry: object, rows: int, cols: int) -> Limited:
    inner = Fields(cast("dict[str, Any]", entry) if isinstance(entry, dict) else {}, fields.id)
    if not all(key in inner for key in ("player", "moves", "untilDepth")):
        raise fields.fail(name, _LIMITED)
    color = inner.color("player")
    moves = inner.points("moves", rows, cols)
    depth = inner.integer("untilDepth", 1, 1_000_000_000, "Must be a positive integer")
    return Limited(color, moves, depth, name == "allowMoves")
