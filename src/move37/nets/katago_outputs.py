"""What the raw outputs of a KataGo network mean: results, scores, and how sure the network is of them.

NumPy alone, for outputs of any runner. Everything stays the view of the player to move. The formulas are KataGo's
(`nneval.cpp` of version 1.17, in our words); which of them holds depends on the version of the file's format.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.nets.graph import KataGoSpec
from move37.rules.board_kernels import KO_SIMPLE, TERRITORY

__all__ = ["read_outputs"]

Array = NDArray[np.float32]
Doubles = NDArray[np.float64]

_SCORE_MEAN, _SCORE_STDEV, _LEAD, _VARIANCE_TIME, _WINLOSS_ERROR, _SCORE_ERROR = range(6)
_ERRORS = 9
_SCALED_ERRORS = 10
_SQUARED_ERRORS = 14
_FIRST_SCORE_ERROR = 10.0  # the factor of version 9, which has no multipliers


@np.errstate(all="ignore")  # damaged weights are told by what they answer, in one sentence
def read_outputs(spec: KataGoSpec, raw: Mapping[str, Array], boards: NDArray[Any]) -> dict[str, Array]:
    """The fields of `search.evaluator.Evaluations`, by name, of `raw` outputs for `boards` (BOARD[B], one size).

    raw: "policy" and (not in all networks) "optimistic" [B, A], "value_logits" [B, 3], "misc" [B, K], "ownership"
    [B, 1, H, W].
    Returned, float32: policy and optimistic as they are; value [B] = P(win) - P(loss) and no_result [B] (0 where the
    rules know none: area scoring without simple ko); score_mean, score_stdev, lead [B] in points, a game without result
    counting 0; ownership [B, H, W] in [-1, 1]; and from version 9 of the format on variance_time [B] (how
    many more moves the game stays open, roughly), winloss_error and score_error [B] (how far the values of a short
    search are expected to lie from these).
    """
    misc = raw["misc"].astype(np.float64)
    win, loss, no_result = _results(raw["value_logits"], boards)
    found = {"value": win - loss, "no_result": no_result} | _scores(spec, misc, no_result)
    if spec.version >= _ERRORS:
        found["variance_time"] = _softplus(misc[:, _VARIANCE_TIME]) * spec.variance_time
        found["winloss_error"], found["score_error"] = _errors(spec, misc[:, _WINLOSS_ERROR], misc[:, _SCORE_ERROR])
    found["ownership"] = np.tanh(raw["ownership"][:, 0])
    policies = {name: raw[name] for name in ("policy", "optimistic") if name in raw}
    return policies | {name: array.astype(np.float32) for name, array in found.items()}


def _results(logits: Array, boards: NDArray[Any]) -> tuple[Doubles, Doubles, Doubles]:
    """Probabilities of a win, a loss and no result, [B] each."""
    possible = (boards["ko_rule"] == KO_SIMPLE) | (boards["scoring"] == TERRITORY)
    masked = logits.astype(np.float64)
    masked[:, 2] = np.where(possible, masked[:, 2], -np.inf)
    weights = np.exp(masked - masked.max(axis=1, keepdims=True))
    shares: Doubles = weights / weights.sum(axis=1, keepdims=True)
    return shares[:, 0], shares[:, 1], shares[:, 2]


def _scores(spec: KataGoSpec, misc: Doubles, no_result: Doubles) -> dict[str, Doubles]:
    """Mean and deviation of the final score and the lead, [B] each; the score of no result is 0."""
    mean = misc[:, _SCORE_MEAN] * spec.score_mean
    stdev = _softplus(misc[:, _SCORE_STDEV]) * spec.score_stdev
    result = 1.0 - no_result
    mean_square = (mean * mean + stdev * stdev) * result
    mean = mean * result
    variance = np.maximum(mean_square - mean * mean, 0.0)
    return {
        "score_mean": mean,
        "score_stdev": np.sqrt(variance),
        "lead": misc[:, _LEAD] * spec.lead * result,
    }


def _errors(spec: KataGoSpec, winloss: Doubles, score: Doubles) -> tuple[Doubles, Doubles]:
    """Expected errors of value and score, [B] each."""
    if spec.version < _SCALED_ERRORS:
        return _softplus(winloss), _softplus(score) * _FIRST_SCORE_ERROR
    if spec.version < _SQUARED_ERRORS:
        return np.sqrt(_softplus(winloss) * spec.winloss_error), np.sqrt(_softplus(score) * spec.score_error)
    halves = _softplus(winloss / 2), _softplus(score / 2)
    return halves[0] * math.sqrt(spec.winloss_error), halves[1] * math.sqrt(spec.score_error)


def _softplus(x: Doubles) -> Doubles:
    """log(1 + exp(x))."""
    softened: Doubles = np.logaddexp(0.0, x)
    return softened
