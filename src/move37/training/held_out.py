"""How well a network foretells games that it never saw: accuracy, cross-entropy, errors of value and score, by move.

Asks a module for batches of examples that are always the same, as they are or turned in all eight ways (AlphaGo's
57.0 % is of the mean over eight: Nature 529, Extended Data Table 3). Knows neither recipes nor training.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from move37.nets.graph import SCORE_UNIT
from move37.rules import symmetry
from move37.training.devices import device_of, planes_tensor, tensor
from move37.training.examples import Examples

PLIES = 60
"""Moves are put together by so many for the figures by move number."""

Columns = dict[str, NDArray[np.float32]]

_VALUE_COLUMNS = ("ply", "value", "value_error", "value_sign", "score_error", "owners")


@dataclass(frozen=True)
class Accuracy:
    """What `accuracy` found: the figures of `measure`, the same by move number, and how many positions were asked."""

    figures: dict[str, float]
    by_move: dict[str, dict[str, float]]
    """For each figure and "positions": values by keys like "61-120"."""
    positions: int


def measure(module: nn.Module, batches: Iterable[Examples], symmetries: int = 1) -> dict[str, float]:
    """Held-out figures of the heads there are, each over the examples that count, each counted once.

    `top1`, `top5`, `policy`: how often the move played is the first or among the five first; cross-entropy in nats.
    `value_error`, `value_sign`: mean squared error; how often the sign is right where somebody won. `score_error`: mean
    distance, in points, between the score foretold and that of the games that were counted. `owners`: the share of all
    points of which it is rightly foretold who will own them, where the games tell.
    """
    return _figures(*answers(module, batches, symmetries))


def accuracy(module: nn.Module, batches: Iterable[Examples], symmetries: int = 1, plies: int = PLIES) -> Accuracy:
    """The figures of `measure`, also by move number, `plies` moves together."""
    policy, value = answers(module, batches, symmetries)
    by_move: dict[str, dict[str, float]] = {}
    for columns, names in ((policy, ("top1", "top5", "policy")), (value, ("value_error",))):
        if len(columns["ply"]):
            by_move |= {name: by_move_number(columns, name, plies) for name in names}
            by_move["positions"] = _counts(columns, plies)
    return Accuracy(_figures(policy, value), by_move, max(len(policy["ply"]), len(value["ply"])))


def _figures(policy: Columns, value: Columns) -> dict[str, float]:
    figures = {name: float(policy[name].mean()) for name in ("top1", "top5", "policy") if len(policy["ply"])}
    if len(value["ply"]):
        decided = value["value"] != 0
        figures["value_error"] = float(value["value_error"].mean())
        figures["value_sign"] = float(value["value_sign"][decided].mean()) if decided.any() else float("nan")
        for name in ("score_error", "owners"):
            known = ~np.isnan(value[name])
            if known.any():
                figures[name] = float(value[name][known].mean())
    return figures


def by_move_number(columns: Columns, name: str, plies: int = PLIES) -> dict[str, float]:
    """The mean of column `name` over moves 1-60, 61-120, ...; keys like "61-120", without those of no example.

    `plies`: how many moves are put together. Unknown values (NaN) do not count.
    """
    known = ~np.isnan(columns[name])
    found = {key: columns[name][chosen & known] for key, chosen in _bands(columns, plies)}
    return {key: float(values.mean()) for key, values in found.items() if len(values)}


def _counts(columns: Columns, plies: int) -> dict[str, float]:
    return {key: float(chosen.sum()) for key, chosen in _bands(columns, plies)}


def _bands(columns: Columns, plies: int) -> list[tuple[str, NDArray[np.bool_]]]:
    band = columns["ply"].astype(np.int64) // plies
    return [(f"{plies * one + 1}-{plies * (one + 1)}", band == one) for one in np.unique(band).tolist()]


def answers(module: nn.Module, batches: Iterable[Examples], symmetries: int = 1) -> tuple[Columns, Columns]:
    """(policy columns, value columns) float32[N] over the examples with that weight; `ply` in both.

    `score_error` and `owners` are NaN where these are not foretold or not known.
    """
    module.eval()
    policy: dict[str, list[NDArray[np.float32]]] = {name: [] for name in ("ply", "top1", "top5", "policy")}
    value: dict[str, list[NDArray[np.float32]]] = {name: [] for name in _VALUE_COLUMNS}
    with torch.inference_mode():
        for batch in batches:
            outputs = ask(module, batch, symmetries)
            if "policy" in outputs:
                _append(policy, _policy_columns(outputs["policy"], batch), batch.policy_weight > 0)
            if "value" in outputs:
                columns = _value_columns(outputs["value"], batch) | _score_column(outputs.get("score"), batch)
                columns |= _owners_column(outputs.get("ownership"), batch)
                _append(value, columns, batch.value_weight > 0)
    return _joined(policy), _joined(value)


def ask(module: nn.Module, batch: Examples, symmetries: int = 1) -> dict[str, Tensor]:
    """The module's outputs for a batch, on the processor.

    "policy" float32[B, A] (logits), "value" float32[B], "score" float32[B, 1], "ownership" float32[B, 1, H, W]. With
    more than one of the `symmetries` they are the mean over as many turned boards, of probabilities for a policy.
    """
    device = device_of(module)
    globals_ = tensor(batch.globals, device)
    asked: list[dict[str, Tensor]] = []
    for one in range(symmetries):
        spatial = batch.spatial if one == 0 else np.ascontiguousarray(symmetry.apply(one, batch.spatial))
        outputs: dict[str, Tensor] = module(planes_tensor(spatial, device), globals_)
        asked.append({name: output.float().cpu() for name, output in outputs.items()})
    return asked[0] if symmetries == 1 else _mean(asked, *batch.spatial.shape[2:])


def _mean(asked: Sequence[dict[str, Tensor]], rows: int, cols: int) -> dict[str, Tensor]:
    """The mean over answers to boards turned by symmetry 0, 1, ..."""
    means: dict[str, Tensor] = {}
    if "policy" in asked[0]:
        turned = (each["policy"].softmax(dim=1).numpy() for each in asked)
        back = [symmetry.apply_policy(symmetry.inverse(one), each, rows, cols) for one, each in enumerate(turned)]
        means["policy"] = torch.from_numpy(np.mean(back, axis=0)).log()
    for name in ("value", "score"):
        if name in asked[0]:
            means[name] = torch.stack([each[name] for each in asked]).mean(dim=0)
    if "ownership" in asked[0]:
        each_back = (symmetry.apply(symmetry.inverse(one), each["ownership"].numpy()) for one, each in enumerate(asked))
        means["ownership"] = torch.from_numpy(np.mean(list(each_back), axis=0))
    return means


def _policy_columns(logits: Tensor, batch: Examples) -> Columns:
    move = torch.from_numpy(batch.move)
    best = logits.topk(min(5, logits.shape[1]), dim=1).indices == move[:, None]
    return {
        "ply": batch.ply.astype(np.float32),
        "top1": best[:, 0].float().numpy(),
        "top5": best.any(dim=1).float().numpy(),
        "policy": functional.cross_entropy(logits, move, reduction="none").numpy(),
    }


def _value_columns(value: Tensor, batch: Examples) -> Columns:
    found = value.numpy()
    return {
        "ply": batch.ply.astype(np.float32),
        "value": batch.value,
        "value_error": (found - batch.value) ** 2,
        "value_sign": ((found > 0) == (batch.value > 0)).astype(np.float32),
    }


def _score_column(score: Tensor | None, batch: Examples) -> Columns:
    """Distances in points; `score` is the network's, in units of SCORE_UNIT."""
    if score is None or len(batch.score) == 0:
        return {"score_error": np.full(len(batch), np.nan, np.float32)}
    return {"score_error": np.abs(SCORE_UNIT * score.reshape(-1).numpy() - batch.score).astype(np.float32)}


def _owners_column(ownership: Tensor | None, batch: Examples) -> Columns:
    """Shares of points whose owner is foretold rightly; points that are nobody's do not count."""
    if ownership is None or len(batch.ownership) == 0:
        return {"owners": np.full(len(batch), np.nan, np.float32)}
    owned = batch.ownership != 0
    right = (np.sign(ownership.squeeze(1).numpy()) == batch.ownership) & owned
    share = right.sum(axis=(1, 2)) / np.maximum(owned.sum(axis=(1, 2)), 1)
    return {"owners": np.where(batch.ownership_weight > 0, share, np.nan).astype(np.float32)}


def _append(columns: dict[str, list[NDArray[np.float32]]], found: Columns, chosen: NDArray[np.bool_]) -> None:
    for name, parts in columns.items():
        parts.append(found[name][chosen])


def _joined(columns: dict[str, list[NDArray[np.float32]]]) -> Columns:
    return {name: np.concatenate(parts) if parts else np.empty(0, np.float32) for name, parts in columns.items()}
