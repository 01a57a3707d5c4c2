"""How well a network foretells games that it never saw: accuracy, cross-entropy, error of the value; by move number.

Asks a module for batches of examples that are always the same. Knows neither recipes nor training.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from move37.training.examples import Examples

PLIES = 60
"""Moves are put together by so many for the figures by move number."""

Columns = dict[str, NDArray[np.float32]]


def measure(module: nn.Module, batches: Sequence[Examples]) -> dict[str, float]:
    """Held-out figures of the heads there are, each over the examples that count, each counted once.

    `top1`, `top5`, `policy`: how often the move played is the first or among the five first; cross-entropy in nats.
    `value_error`, `value_sign`: mean squared error; how often the sign is right where somebody won.
    """
    policy, value = answers(module, batches)
    figures = {name: float(policy[name].mean()) for name in ("top1", "top5", "policy") if len(policy["ply"])}
    if len(value["ply"]):
        decided = value["value"] != 0
        figures["value_error"] = float(value["value_error"].mean())
        figures["value_sign"] = float(value["value_sign"][decided].mean()) if decided.any() else float("nan")
    return figures


def by_move_number(columns: Columns, name: str) -> dict[str, float]:
    """The mean of column `name` over moves 1-60, 61-120, ...; keys like "61-120", without those of no example."""
    band = columns["ply"].astype(np.int64) // PLIES
    return {
        f"{PLIES * number + 1}-{PLIES * (number + 1)}": float(columns[name][band == number].mean())
        for number in np.unique(band).tolist()
    }


def answers(module: nn.Module, batches: Sequence[Examples]) -> tuple[Columns, Columns]:
    """(policy columns, value columns) float32[N] over the examples with that weight; `ply` in both."""
    module.eval()
    policy: dict[str, list[NDArray[np.float32]]] = {name: [] for name in ("ply", "top1", "top5", "policy")}
    value: dict[str, list[NDArray[np.float32]]] = {name: [] for name in ("ply", "value", "value_error", "value_sign")}
    with torch.inference_mode():
        for batch in batches:
            planes = torch.from_numpy(batch.spatial).contiguous(memory_format=torch.channels_last)
            outputs: dict[str, Tensor] = module(planes, torch.from_numpy(batch.globals))
            if "policy" in outputs:
                _append(policy, _policy_columns(outputs["policy"].float(), batch), batch.policy_weight > 0)
            if "value" in outputs:
                _append(value, _value_columns(outputs["value"].float(), batch), batch.value_weight > 0)
    return _joined(policy), _joined(value)


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


def _append(columns: dict[str, list[NDArray[np.float32]]], found: Columns, chosen: NDArray[np.bool_]) -> None:
    for name, parts in columns.items():
        parts.append(found[name][chosen])


def _joined(columns: dict[str, list[NDArray[np.float32]]]) -> Columns:
    return {name: np.concatenate(parts) if parts else np.empty(0, np.float32) for name, parts in columns.items()}
