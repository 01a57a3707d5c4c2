"""A search's result as an answer of the analysis protocol.

Results are for the player to move; an answer is for Black, White or that player. `Side` is the one place where that
changes. Fields are KataGo's (docs/Analysis_Engine.md, Search::getAnalysisJson); what a network or search cannot know
(scores, for most) is left out.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.analysis.fields import BLACK
from move37.analysis.replay import Turn
from move37.analysis.schema import Wanted
from move37.rules import symmetry
from move37.rules.board_kernels import legal_mask
from move37.rules.coordinates import format_vertex
from move37.rules.records import stones_grid
from move37.search.evaluator import ROOT_OPTIMISM, masked_softmax, optimistic_policy
from move37.search.katago_root import symmetries_of
from move37.search.result import Analysis, SearchResult

__all__ = ["Form", "Side", "report", "side_of"]

DIGITS, OWNERSHIP_DECIMALS = 8, 6
UNKNOWN = -1.0
"""What KataGo answers where a network has no such output."""


@dataclass(frozen=True)
class Side:
    """Turns what is for the player to move into what is for whom the answer is; `same`: they are one."""

    same: bool

    def signed(self, value: float) -> float:
        """A score or utility."""
        return value if self.same else -value

    def rate(self, value: float) -> float:
        """A win rate."""
        return value if self.same else 1.0 - value


def side_of(view: str, color: int) -> Side:
    """For the view BLACK, WHITE or SIDETOMOVE of a position in which `color` is to move."""
    return Side(view == "SIDETOMOVE" or (view == "BLACK") == (color == BLACK))


@dataclass(frozen=True)
class Form:
    """How an answer is to look.

    mirrored: moves that only mirror others were not searched; they are told all the same.
    """

    view: str
    pv_length: int
    wanted: Wanted
    mirrored: bool


def report(result: SearchResult, turn: Turn, form: Form) -> dict[str, Any]:
    """The answer's fields `moveInfos`, `rootInfo` and those asked for."""
    analysis = result.analysis
    if analysis is None:
        raise TypeError("this search has no analysis to report")
    side, wanted = side_of(form.view, turn.color), form.wanted
    told: dict[str, Any] = {
        "moveInfos": _move_infos(result, analysis, turn, form),
        "rootInfo": _root_info(result, analysis, turn, side),
    }
    if wanted.policy:
        told["policy"] = _policy(result, turn)
    if wanted.ownership and analysis.ownership is not None:
        told["ownership"] = _map(analysis.ownership, side)
    if wanted.ownership_stdev and analysis.ownership_stdev is not None:
        told["ownershipStdev"] = _map(analysis.ownership_stdev, Side(same=True))
    return told


# ---------------------------------------------------------------------------------------------------------- moves


def _move_infos(result: SearchResult, analysis: Analysis, turn: Turn, form: Form) -> list[dict[str, Any]]:
    """The moves that were visited, best first, each followed by those that mirror it."""
    infos: list[dict[str, Any]] = []
    turns = symmetries_of(turn.board) if form.mirrored else []
    for move in _order(result, analysis):
        for turned in _images(move, turns, result, turn):
            info = _move_info(result, analysis, move, turn, form, turned)
            infos.append(info | {"order": len(infos)})
    return infos


def _order(result: SearchResult, analysis: Analysis) -> list[int]:
    """The visited moves from best to worst: the choice first, equal ones by prior (KataGo's order)."""
    moves = [int(move) for move in result.ranking if result.visits[move] > 0]
    rest = sorted(moves[1:], key=lambda m: (-analysis.choice_values[m], -result.visits[m], -result.priors[m]))
    return moves[:1] + rest


def _images(move: int, turns: list[int], result: SearchResult, turn: Turn) -> Iterator[int]:
    """The symmetries under which a move is to be told: none, and one for each unsearched move that it mirrors."""
    rows, cols = int(turn.board["rows"]), int(turn.board["cols"])
    told = {move}
    yield 0
    for turned in turns:
        image = symmetry.point(turned, move, rows, cols)
        if image not in told and result.visits[image] == 0:
            told.add(image)
            yield turned


def _move_info(
    result: SearchResult, analysis: Analysis, move: int, turn: Turn, form: Form, turned: int
) -> dict[str, Any]:
    """What is told of a move, as seen under a symmetry of the position."""
    rows, cols = int(turn.board["rows"]), int(turn.board["cols"])
    side, visits = side_of(form.view, turn.color), int(result.visits[move])

    def vertex(point: int) -> str:
        return format_vertex(symmetry.point(turned, point, rows, cols), rows, cols)

    lead = _if_known(analysis.leads, move, side)
    bound = _if_known(analysis.utility_lcbs, move, side)
    stdev = _if_known(analysis.score_stdevs, move, Side(same=True))
    line = analysis.variations[move][: _line_length(analysis.variations[move], turn, form)]
    shared = analysis.shared_visits, analysis.shared_weights
    told: dict[str, Any] = {
        "move": vertex(move),
        "visits": visits if shared[0] is None else int(shared[0][move]),
        "weight": _round(float((analysis.weights if shared[1] is None else shared[1])[move])),
        "edgeVisits": visits,
        "edgeWeight": _round(float(analysis.weights[move])),
        "winrate": _round(side.rate(float(analysis.winrates[move]))),
        "lcb": _round(side.rate(float(analysis.lcbs[move]))),
        "utility": _round(side.signed(float(analysis.utilities[move]))),
        "utilityLcb": bound,
        "scoreMean": lead,
        "scoreLead": lead,
        "scoreSelfplay": _if_known(analysis.scores, move, side),
        "scoreStdev": stdev,
        "prior": _round(float(result.priors[move])),
        "playSelectionValue": _round(float(analysis.choice_values[move])),
        "pv": [vertex(point) for point in line],
        "isSymmetryOf": format_vertex(move, rows, cols) if turned else None,
    }
    if form.wanted.pv_visits:
        told["pvVisits"] = told["pvEdgeVisits"] = list(analysis.pv_visits[move][: len(line)])
    if form.wanted.moves_ownership and move in analysis.move_ownership:
        told["ownership"] = _map(symmetry.apply(turned, analysis.move_ownership[move]), side)
    return {name: value for name, value in told.items() if value is not None}


def _line_length(line: tuple[int, ...], turn: Turn, form: Form) -> int:
    """Moves of a line that are told: so many after the first, and under territory scoring none after two passes."""
    most = form.pv_length + 1
    passing, passes = int(turn.board["rows"]) * int(turn.board["cols"]), turn.passes
    for at, move in enumerate(line[:most]):
        passes = passes + 1 if move == passing else 0
        if passes >= 2 and turn.board["encore"]:
            return at + 1
    return min(most, len(line))


# ----------------------------------------------------------------------------------------------------------- root


def _root_info(result: SearchResult, analysis: Analysis, turn: Turn, side: Side) -> dict[str, Any]:
    same, mirrored = _hashes(turn.board)
    told = {
        "currentPlayer": "B" if turn.color == BLACK else "W",
        "visits": result.root_visits,
        "weight": _round(analysis.weight),
        "winrate": _round(side.rate(analysis.winrate)),
        "utility": _round(side.signed(analysis.utility)),
        "scoreLead": _known(side.signed(analysis.lead)),
        "scoreSelfplay": _known(side.signed(analysis.score)),
        "scoreStdev": _known(analysis.score_stdev),
        "thisHash": same,
        "symHash": mirrored,
        **_raw(result, side),
    }
    return {name: value for name, value in told.items() if value is not None}


def _raw(result: SearchResult, side: Side) -> dict[str, float | None]:
    """What the network alone says of the position."""
    found = result.root_evaluation
    if found is None:
        return {}

    def first(values: NDArray[np.float32] | None) -> float:
        return math.nan if values is None else float(values[0])

    error = UNKNOWN if found.winloss_error is None else first(found.winloss_error)
    return {
        "rawWinrate": _round(side.rate(0.5 + 0.5 * first(found.value))),
        "rawLead": _known(side.signed(first(found.lead))),
        "rawScoreSelfplay": _known(side.signed(first(found.score_mean))),
        "rawScoreSelfplayStdev": _known(first(found.score_stdev)),
        "rawNoResultProb": _known(first(found.no_result)) or 0.0,
        "rawStWrError": _round(0.5 * error),
        "rawStScoreError": _round(UNKNOWN if found.score_error is None else first(found.score_error)),
        "rawVarTimeLeft": _round(UNKNOWN if found.variance_time is None else first(found.variance_time)),
    }


def _policy(result: SearchResult, turn: Turn) -> list[float]:
    """The network's own policy, row-major from the top left, the pass last; -1 where a move is illegal."""
    legal = np.zeros(len(result.priors), np.bool_)
    legal_mask(turn.board, turn.color, legal)
    found = result.root_evaluation
    shares = result.priors
    if found is not None:
        shares = masked_softmax(optimistic_policy(found, ROOT_OPTIMISM), legal[None])[0]
    return [_round(float(share)) if allowed else UNKNOWN for share, allowed in zip(shares, legal, strict=True)]


def _hashes(board: Any) -> tuple[str, str]:
    """A name of the position (stones, player to move, ko point), and one that its mirror images share."""
    stones, ko = stones_grid(board), int(board["ko_point"])
    marked = np.zeros(stones.shape, np.int8)
    if ko >= 0:
        marked.ravel()[ko] = 1
    pair = np.stack([stones, marked])
    names: list[str] = []
    for turned in range(8):
        flipped = symmetry.apply(turned & 3, pair)
        image = flipped.swapaxes(1, 2) if turned & symmetry.TRANSPOSE else flipped
        state = f"{image.shape}{int(board['to_play'])}".encode() + np.ascontiguousarray(image).tobytes()
        names.append(hashlib.blake2b(state, digest_size=16).hexdigest().upper())
    return names[0], min(names)


# -------------------------------------------------------------------------------------------------------- numbers


def _if_known(values: NDArray[np.float64] | None, move: int, side: Side) -> float | None:
    return None if values is None else _known(side.signed(float(values[move])))


def _known(value: float) -> float | None:
    return None if math.isnan(value) else _round(value)


def _round(value: float) -> float:
    """To eight digits, as KataGo tells them."""
    return float(f"{value:.{DIGITS}g}")


def _map(ownership: NDArray[np.float32], side: Side) -> list[float]:
    """Row-major from the top left."""
    seen = ownership if side.same else -ownership
    rounded: list[float] = np.round(seen.astype(np.float64).ravel(), OWNERSHIP_DECIMALS).tolist()
    return rounded
