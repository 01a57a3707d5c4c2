"""What the page is told of a board, as objects for JSON: `web/src/protocol.ts` has their types.

Names that begin with `black_` are Black's view, whoever is to move.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from move37.analysis.review_model import Assessment, Candidate
from move37.analysis.review_search import assessment
from move37.errors import SgfError
from move37.players.game_clocks import GameClocks
from move37.rules.color import Color
from move37.rules.position import Position
from move37.rules.territory import Count
from move37.search.result import SearchResult
from move37.search.time_words import time_words
from move37.sgf import lines
from move37.web.board import Board
from move37.web.nodes import Judged, Known, Seen

__all__ = ["analysis_told", "candidate_told", "clocks_told", "count_told", "judged_told", "position_told", "tree_told"]

_WARNINGS: Final = 10
_MARKS: Final = {"TR": "triangle", "SQ": "square", "CR": "circle", "MA": "cross"}
_LABEL: Final = 12
_NAME: Final = 80


# ------------------------------------------------------------------------------------------------ the position


def position_told(board: Board) -> dict[str, Any]:
    """The message `position`, without board and id."""
    position, prisoners = board.position, board.position.prisoners
    empty = position.stones.ravel() == 0
    last = position.last_move
    return {
        "type": "position",
        "node": board.id,
        "rows": position.rows,
        "cols": position.cols,
        "stones": position.stones.ravel().tolist(),
        "to_play": position.to_play.letter,
        "move_number": position.move_number,
        "last_move": last,
        "illegal": np.flatnonzero(empty & ~position.legal_mask()[:-1]).tolist(),
        "ko": position.ko_point,
        "prisoners": {color.word: prisoners[color] for color in Color},
        "passes": position.passes,
        "phase": position.phase,
        "over": board.is_over,
        "result": _result(board),
        "agrees_on_dead": board.may_change_dead,
        "rules": position.rules.name or "own",
        "komi": position.komi,
        "handicap": position.handicap,
        **{color.word: _seat(board, color) for color in Color},
        "thinking": None if board.thinking is None else board.thinking.letter,
        "clocks": None if board.clocks is None else clocks_told(board, board.clocks),
        "comment": board.view.comment,
        "marks": list(_marks(board)),
        "warnings": [str(warning) for warning in board.record.warnings[:_WARNINGS]],
    }


def _result(board: Board) -> str:
    """How the game ended here: by what happened on this board, or at the end of a record by what it says."""
    if board.ended is not None:
        return board.ended.text
    at_end = board.node is board.record.end.tree and not board.is_game
    return (board.record.get("RE") or "")[:_NAME] if at_end else ""


def _seat(board: Board, color: Color) -> dict[str, Any]:
    record, engine = board.record, board.seats[color]
    name, rank = (
        (record.black_name, record.black_rank) if color is Color.BLACK else (record.white_name, record.white_rank)
    )
    return {"name": name[:_NAME], "rank": rank[:_NAME], "engine": None if engine is None else engine.told()}


def clocks_told(board: Board, clocks: GameClocks) -> dict[str, Any]:
    """Both clocks as the turn began."""
    told = {color: clocks.clock(color) for color in Color}
    running = not board.is_over
    return {
        "system": time_words(board.system),
        "kind": board.system.kind,
        "period": board.system.period,
        **{color.word: {"seconds": told[color].time_left, "count": told[color].stones_left} for color in Color},
        "running": board.position.to_play.letter if running else None,
        "elapsed": round(clocks.elapsed, 3) if running else 0.0,
    }


def _marks(board: Board) -> Iterator[dict[str, Any]]:
    """Labels and marks of a record's node; what names no point is left out."""
    view, points = board.view, board.record.rows * board.record.cols
    for value in view.values("LB")[:points]:
        place, _, text = value.partition(":")
        at = lines.move_point(place, board.record.rows, board.record.cols) if place else points
        if 0 <= at < points:
            yield {"point": at, "kind": "label", "text": text[:_LABEL]}
    for name, kind in _MARKS.items():
        with suppress(SgfError):
            yield from ({"point": at, "kind": kind, "text": ""} for at in view.points(name))


# ------------------------------------------------------------------------------------------------ the tree


def tree_told(board: Board, nodes: Iterable[Known], whole: bool) -> dict[str, Any]:
    """The message `tree`, without board and id."""
    return {"type": "tree", "whole": whole, "nodes": [_node_told(board, known) for known in nodes]}


def _node_told(board: Board, known: Known) -> dict[str, Any]:
    node, rows, cols = known.node, board.record.rows, board.record.cols
    moves = [move for move in lines.moves_of(node, rows, cols) if move[1] != lines.UNREADABLE]
    color, point = moves[0] if moves else (None, None)
    return {
        "id": known.id,
        "parent": None if node.parent is None else board.nodes[node.parent].id,
        "children": [board.nodes[child].id for child in node.children],
        "color": None if color is None else color.letter,
        "point": point,
        "number": known.move_number,
        "setup": any(name in node.properties for name in lines.SETUP_CONTENTS),
        "comment": "C" in node.properties,
        "seen": None if known.seen is None else _seen_told(known.seen),
        "judged": judged_told(known.judged),
    }


def _seen_told(seen: Seen) -> dict[str, Any]:
    return {
        "black_winrate": _rate(seen.black_winrate),
        "black_lead": _points_told(seen.black_lead),
        "visits": seen.visits,
    }


def judged_told(judged: Judged | None) -> dict[str, Any] | None:
    """What a move lost."""
    if judged is None:
        return None
    return {
        "winrate_lost": _rate(judged.winrate_lost),
        "points_lost": _points_told(judged.points_lost),
        "grade": judged.grade.value,
    }


# ------------------------------------------------------------------------------------------------ what engines say


def analysis_told(result: SearchResult, position: Position, most: int, policy: bool) -> tuple[dict[str, Any], Seen]:
    """What a search found, as the part of the message `analysis` that needs no board, and the same to keep.

    most: moves told. Call it only between the steps of the search.
    """
    found = assessment(position.move_number, position, result, most)
    ownership = None if result.analysis is None else result.analysis.ownership
    moves = [candidate_told(one, found) for one in found.candidates]
    black = found.winrate_for(Color.BLACK), found.lead_for(Color.BLACK)
    told = {
        "type": "analysis",
        "to_play": found.to_play.letter,
        "visits": found.visits,
        "black_winrate": _rate(black[0]),
        "black_lead": _points_told(black[1]),
        "moves": moves,
        "black_ownership": None if ownership is None else _ownership(ownership, found.to_play),
        "policy": _policy(result, position) if policy else None,
    }
    return told, Seen(*black, found.visits, found.candidates[0].move if found.candidates else None)


def candidate_told(one: Candidate, seen: Assessment) -> dict[str, Any]:
    """A move that a search thought of."""
    same = seen.to_play is Color.BLACK
    winrate = seen.winrate if one.winrate is None else one.winrate
    return {
        "point": one.move,
        "visits": one.visits,
        "prior": _rate(one.prior),
        "black_winrate": _rate(winrate if same else 1 - winrate),
        "black_lead": None if one.lead is None else _points_told(one.lead if same else -one.lead),
        "line": list(one.line),
    }


def _ownership(ownership: NDArray[np.float32], to_play: Color) -> list[float]:
    black = ownership if to_play is Color.BLACK else -ownership
    found: list[float] = np.round(black.astype(np.float64).ravel(), 2).tolist()
    return found


def _policy(result: SearchResult, position: Position) -> list[float]:
    legal = position.legal_mask()
    found: list[float] = np.where(legal, np.round(result.priors.astype(np.float64), 4), -1.0).tolist()
    return found


def count_told(count: Count, changeable: bool) -> dict[str, Any]:
    """The message `score`, without board, id and node."""
    return {
        "type": "score",
        "dead": list(count.dead),
        "owner": count.owner.ravel().tolist(),
        "black": count.score.black,
        "white": count.score.white,
        "result": count.score.text,
        "sums": count.score.sums,
        "changeable": changeable,
    }


def _rate(number: float) -> float:
    return round(number, 4) + 0.0


def _points_told(number: float | None) -> float | None:
    return None if number is None else round(number, 2) + 0.0
