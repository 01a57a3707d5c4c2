"""What a search found, as lines of text: Leela Zero's dialect, KataGo's, and CGOS's JSON.

Inside this package every value is for the player to move; a controller may want them for one colour. `View` is the one
place where that changes. Facts: KataGo's GTP extensions, Leela Zero's `GTP.cpp`, the wiki of CGOS.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import isnan
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from move37.gtp.analyze_arguments import AnalyzeRequest
from move37.rules.color import Color
from move37.search.result import Analysis, SearchResult

_OWNER_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


@dataclass(frozen=True)
class View:
    """Turns values of the player to move into those that are shown: the same, or the other side's."""

    turned: bool = False

    @classmethod
    def of(cls, mover: Color, shown: Color | None) -> View:
        """The view of `shown` (None: of the mover) on values of `mover`."""
        return cls(shown is not None and shown != mover)

    def rate(self, rate: float) -> float:
        """A win rate or a bound of one, kept in [0, 1]."""
        return min(max(1.0 - rate if self.turned else rate, 0.0), 1.0)

    def points(self, points: float) -> float:
        """A score or a utility."""
        return -points if self.turned else points

    def board(self, owned: NDArray[np.float32]) -> NDArray[np.float32]:
        """Ownership."""
        return -owned if self.turned else owned


@dataclass(frozen=True)
class MoveInfo:
    """One move as it is told; values as shown, None where the search does not know. `line` begins with the move."""

    move: int
    order: int
    visits: int
    prior: float
    winrate: float
    lcb: float
    utility: float
    utility_lcb: float | None
    weight: float
    lead: float | None
    score: float | None
    score_stdev: float | None
    line: tuple[int, ...]
    line_visits: tuple[int, ...]


def move_infos(result: SearchResult, request: AnalyzeRequest, view: View, length: int | None = None) -> list[MoveInfo]:
    """The moves that a report tells of, best first: those searched, and as many more as were asked for.

    A move without visits has the root's values. `length`: most moves of a line.
    """
    analysis = analysis_of(result)
    ranking = [int(move) for move in result.ranking]
    wanted = [move for at, move in enumerate(ranking) if result.visits[move] > 0 or at < request.minmoves]
    return [_info(result, analysis, move, order, view, length) for order, move in enumerate(wanted[: request.maxmoves])]


def _info(result: SearchResult, analysis: Analysis, move: int, order: int, view: View, length: int | None) -> MoveInfo:
    visited = result.visits[move] > 0
    winrate = analysis.winrates[move] if visited else analysis.winrate
    utility = analysis.utilities[move] if visited else analysis.utility
    line = analysis.variations.get(move, (move,))
    return MoveInfo(
        move=move,
        order=order,
        visits=int(result.visits[move]),
        prior=float(result.priors[move]),
        winrate=view.rate(float(winrate)),
        lcb=view.rate(float(analysis.lcbs[move]) if visited else 0.0),
        utility=view.points(float(utility)),
        utility_lcb=_known(view.points, analysis.utility_lcbs, move),
        weight=float(analysis.weights[move]) if visited else 0.0,
        lead=_known(view.points, analysis.leads, move) if visited else _shown(view.points, analysis.lead),
        score=_known(view.points, analysis.scores, move) if visited else _shown(view.points, analysis.score),
        score_stdev=_known(abs, analysis.score_stdevs, move),
        line=line[:length],
        line_visits=analysis.pv_visits.get(move, ())[:length],
    )


def analysis_of(result: SearchResult) -> Analysis:
    """The result's analysis, which every search of this package gives."""
    if result.analysis is None:
        raise TypeError("this search gives no analysis")
    return result.analysis


def _known(show: Callable[[float], float], values: NDArray[np.float64] | None, move: int) -> float | None:
    return None if values is None else _shown(show, float(values[move]))


def _shown(show: Callable[[float], float], value: float) -> float | None:
    return None if isnan(value) else show(value)


# ---- Leela Zero


def leela_line(result: SearchResult, request: AnalyzeRequest, view: View, name: Namer, length: int | None) -> str:
    """A line of `lz-analyze`: rates and priors are whole numbers out of 10,000."""
    return " ".join(
        f"info move {name(info.move)} visits {info.visits} winrate {_ten_thousandths(info.winrate)} "
        f"prior {_ten_thousandths(info.prior)} lcb {_ten_thousandths(info.lcb)} order {info.order} "
        f"pv {' '.join(map(name, info.line))}"
        for info in move_infos(result, request, view, length)
    )


def _ten_thousandths(rate: float) -> int:
    return round(10_000 * rate)


# ---- KataGo


def katago_line(result: SearchResult, request: AnalyzeRequest, view: View, name: Namer, length: int | None) -> str:
    """A line of `kata-analyze`, and of Sabaki's `analyze`: every number but counts has a decimal point.

    What the search does not know, such as scores of a network without, is left out. Empty, as in KataGo, where there is
    no move to tell of: readers look for `info` at the beginning.
    """
    analysis = analysis_of(result)
    parts = [_katago_move(info, analysis, request, view, name) for info in move_infos(result, request, view, length)]
    if not parts:
        return ""
    if request.root_info:
        parts.append(_root_info(result, analysis, view, request.no_result))
    if request.ownership and analysis.ownership is not None:
        parts.append(f"ownership {_numbers(view.board(analysis.ownership))}")
    if request.ownership_stdev and analysis.ownership_stdev is not None:
        parts.append(f"ownershipStdev {_numbers(analysis.ownership_stdev)}")
    return " ".join(parts)


def _katago_move(info: MoveInfo, analysis: Analysis, request: AnalyzeRequest, view: View, name: Namer) -> str:
    values = {"utility": info.utility, "winrate": info.winrate, **_scores(info.lead, info.score, info.score_stdev)}
    values |= {"prior": info.prior, "lcb": info.lcb, "utilityLcb": info.utility_lcb, "weight": info.weight}
    parts = [
        f"info move {name(info.move)} visits {info.visits} edgeVisits {info.visits}",
        _pairs(values),
        f"order {info.order} pv {' '.join(map(name, info.line))}",
    ]
    if request.pv_visits:
        parts.append(f"pvVisits {' '.join(map(str, info.line_visits))}")
    if request.moves_ownership and info.move in analysis.move_ownership:
        parts.append(f"movesOwnership {_numbers(view.board(analysis.move_ownership[info.move]))}")
    return " ".join(parts)


def _root_info(result: SearchResult, analysis: Analysis, view: View, no_result: bool) -> str:
    points = view.points
    deviation = _shown(abs, analysis.score_stdev)
    values = {"utility": points(analysis.utility), "winrate": view.rate(analysis.winrate)}
    values |= _scores(_shown(points, analysis.lead), _shown(points, analysis.score), deviation)
    values["weight"] = analysis.weight
    raw = result.root_evaluation
    if no_result and raw is not None and raw.no_result is not None:
        values["rawNoResultProb"] = float(raw.no_result[0])
    return f"rootInfo visits {result.root_visits} {_pairs(values)}"


def _scores(lead: float | None, score: float | None, deviation: float | None) -> dict[str, Any]:
    """KataGo's four names: its `scoreMean` is the lead, the mean score is `scoreSelfplay`."""
    return {"scoreMean": lead, "scoreStdev": deviation, "scoreLead": lead, "scoreSelfplay": score}


def _pairs(values: dict[str, Any]) -> str:
    return " ".join(f"{name} {value:.6f}" for name, value in values.items() if value is not None)


def _numbers(values: NDArray[np.float32]) -> str:
    return " ".join(f"{value:.4f}" for value in values.ravel().tolist())


# ---- CGOS


def cgos_json(result: SearchResult, request: AnalyzeRequest, name: Namer) -> str:
    """The line that CGOS keeps as a comment; values are of the player to move, whatever else is set."""
    view, analysis = View(), analysis_of(result)
    moves = [
        {
            "move": name(info.move),
            "winrate": round(info.winrate, 4),
            **({} if info.lead is None else {"score": round(info.lead, 2)}),
            "prior": round(info.prior, 4),
            "visits": info.visits,
            "pv": " ".join(map(name, info.line[1:])),
        }
        for info in move_infos(result, request, view)
    ]
    told: dict[str, Any] = {"winrate": round(analysis.winrate, 4), "visits": result.root_visits, "moves": moves}
    if not isnan(analysis.lead):
        told["score"] = round(analysis.lead, 2)
    if analysis.ownership is not None:
        told["ownership"] = _owner_letters(analysis.ownership.ravel().tolist())
    return json.dumps(told, separators=(",", ":"))


def _owner_letters(owned: Iterable[float]) -> str:
    """One of 63 letters a point, from the other side's (A) to the player's own."""
    return "".join(_OWNER_LETTERS[round(62 * min(max((value + 1) / 2, 0), 1))] for value in owned)


Namer = Callable[[int], str]
"""The vertex of a point."""
