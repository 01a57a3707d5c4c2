"""What can be set for a query or for the whole engine, under the names of KataGo's configuration.

A query's `overrideSettings`, a configuration file and `--override-config` all hold the same names. Those of the search
are handed to the player's search as far as it has such an option; whatever is left over is said, not obeyed.
Facts: KataGo's cpp/program/setup.cpp and cpp/configs/analysis_example.cfg.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

from move37.errors import ConfigError

__all__ = ["VIEWS", "Settings", "override"]

VIEWS: Final = ("BLACK", "WHITE", "SIDETOMOVE")
"""Whose the win rates, scores and ownership of an answer are."""

MOST_VISITS: Final = 2**50

SEARCH_OPTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "winLossUtilityFactor": "win_loss_factor",
        "staticScoreUtilityFactor": "static_score_factor",
        "dynamicScoreUtilityFactor": "dynamic_score_factor",
        "dynamicScoreCenterZeroWeight": "dynamic_center_zero_weight",
        "dynamicScoreCenterScale": "dynamic_scale",
        "cpuctExploration": "cpuct",
        "cpuctExplorationLog": "cpuct_log",
        "cpuctExplorationBase": "cpuct_base",
        "cpuctUtilityStdevPrior": "stdev_prior",
        "cpuctUtilityStdevPriorWeight": "stdev_prior_weight",
        "cpuctUtilityStdevScale": "stdev_scale",
        "fpuReductionMax": "fpu_reduction",
        "rootFpuReductionMax": "root_fpu_reduction",
        "fpuParentWeightByVisitedPolicyPow": "fpu_visited_power",
        "valueWeightExponent": "value_weight_exponent",
        "noisePruneUtilityScale": "noise_prune_scale",
        "subtreeValueBiasFactor": "bias_factor",
        "subtreeValueBiasWeightExponent": "bias_weight_exponent",
        "subtreeValueBiasFreeProp": "bias_free",
        "uncertaintyCoeff": "uncertainty_coeff",
        "uncertaintyMaxWeight": "uncertainty_max_weight",
        "lcbStdevs": "lcb_stdevs",
        "minVisitPropForLCB": "min_visit_share_for_lcb",
        "useLcbForSelection": "use_lcb",
        "rootPolicyOptimism": "root_policy_optimism",
        "policyOptimism": "policy_optimism",
        "rootPolicyTemperature": "root_policy_temperature",
        "wideRootNoise": "wide_root_noise",
        "rootEndingBonusPoints": "ending_bonus",
        "rootSymmetryPruning": "symmetry_pruning",
        "rootPruneUselessMoves": "prune_useless",
        "fillDameBeforePass": "fill_dame",
        "conservativePass": "conservative_pass",
        "enablePassingHacks": "passing_hacks",
        "enableMorePassingHacks": "more_passing_hacks",
        "useGraphSearch": "graph",
        "graphSearchRepBound": "repetition_bound",
        "numVirtualLossesPerThread": "virtual_loss",
    }
)
"""KataGo's name of each option of a search that we have, and ours."""


@dataclass(frozen=True)
class Settings:
    """How queries are answered that say nothing else.

    view: one of `VIEWS`. max_visits, max_time (seconds): what ends a search. pv_length: moves of a line after the
    first. ignore_history: the network is not shown the moves before the position asked about (KataGo's default in
    analysis, so that an evaluation does not depend on the order of moves). warn_unused: warn of fields with unknown
    names. options: of the search, by our names.
    """

    view: str = "BLACK"
    max_visits: int = 500
    max_time: float | None = None
    pv_length: int = 15
    ignore_history: bool = True
    warn_unused: bool = True
    options: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


def override(
    settings: Settings, values: Mapping[str, Any], known: Mapping[str, Any], whole: bool = False
) -> tuple[Settings, list[str]]:
    """`settings` changed by `values` under KataGo's names, and the names left over, sorted.

    known: the options that the search has, by our names, and their defaults. whole: also those that only the whole
    engine has. ConfigError for a value that cannot be.
    """
    changed, left = settings, list[str]()
    for name, value in sorted(values.items()):
        ours = SEARCH_OPTIONS.get(name, "")
        if ours in known:
            changed = replace(changed, options={**changed.options, ours: _as_default(name, value, known[ours])})
        elif name in _OWN or (whole and name in _WHOLE):
            changed = (_OWN | _WHOLE)[name](changed, name, value)
        else:
            left.append(name)
    return changed, left


def _plain(value: Any) -> Any:
    """A value as JSON or a configuration line has it: a text that is a number or a truth value becomes one."""
    if not isinstance(value, str):
        return value
    word = value.strip()
    if word.lower() in ("true", "false"):
        return word.lower() == "true"
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    return word


def _as_default(name: str, value: Any, default: Any) -> Any:
    """The value of a search's option, of its default's type; the search itself knows its range."""
    if isinstance(default, bool):
        return truth(name, value)
    if isinstance(default, int):
        return whole_number(name, value, -MOST_VISITS, MOST_VISITS)
    return number(name, value, -1e20, 1e20)


def number(name: str, value: Any, low: float, high: float) -> float:
    """A setting that is a number from low to high; ConfigError for anything else."""
    plain = _plain(value)
    if isinstance(plain, bool) or not isinstance(plain, int | float):
        raise ConfigError(f"Could not parse {_shown(value)} as a number for key '{name}'")
    if not low <= plain <= high:
        raise ConfigError(f"Key '{name}' must be in the range {low:g} to {high:g}")
    return plain


def whole_number(name: str, value: Any, low: int, high: int) -> int:
    """A setting that is a whole number from low to high; ConfigError for anything else."""
    found = number(name, value, low, high)
    if found != int(found):
        raise ConfigError(f"Could not parse {_shown(value)} as a whole number for key '{name}'")
    return int(found)


def truth(name: str, value: Any) -> bool:
    """A setting that is true or false; ConfigError for anything else."""
    plain = _plain(value)
    if not isinstance(plain, bool):
        raise ConfigError(f"Could not parse {_shown(value)} as bool for key '{name}'")
    return plain


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else repr(value)
    return f"'{text:.80}'"


def _set_view(settings: Settings, name: str, value: Any) -> Settings:
    view = str(value).strip().upper()
    if view not in VIEWS:
        raise ConfigError(f"Could not parse config value for {name}: {_shown(value)}; use {', '.join(VIEWS)}")
    return replace(settings, view=view)


def _set_visits(settings: Settings, name: str, value: Any) -> Settings:
    return replace(settings, max_visits=whole_number(name, value, 1, MOST_VISITS))


def _set_playouts(settings: Settings, name: str, value: Any) -> Settings:
    """A fresh search has as many visits as playouts."""
    return replace(settings, max_visits=min(settings.max_visits, whole_number(name, value, 1, MOST_VISITS)))


def _set_time(settings: Settings, name: str, value: Any) -> Settings:
    return replace(settings, max_time=number(name, value, 0, 1e20))


def _set_history(settings: Settings, name: str, value: Any) -> Settings:
    return replace(settings, ignore_history=truth(name, value))


def _set_pv_length(settings: Settings, name: str, value: Any) -> Settings:
    return replace(settings, pv_length=whole_number(name, value, 1, 1000))


def _set_warnings(settings: Settings, name: str, value: Any) -> Settings:
    return replace(settings, warn_unused=truth(name, value))


_OWN: Final = {
    "ignorePreRootHistory": _set_history,
    "maxPlayouts": _set_playouts,
    "maxTime": _set_time,
    "maxVisits": _set_visits,
    "reportAnalysisWinratesAs": _set_view,
}
_WHOLE: Final = {"analysisPVLen": _set_pv_length, "warnUnusedFields": _set_warnings}
