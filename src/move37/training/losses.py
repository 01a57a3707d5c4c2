"""What a network is trained to lessen: its errors on one batch of positions from games, for the heads that it has.

Policy and value are AlphaGo Zero's (Silver et al., Nature 550, 2017, Methods); the score is ours. Knows no optimiser.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from move37.nets.graph import SCORE_UNIT
from move37.training.devices import device_of, planes_tensor, tensor
from move37.training.examples import Examples
from move37.training.workers import Losses


def loss(module: nn.Module, batch: Examples, value_weight: float, score_weight: float = 0.0) -> Losses:
    """Terms of the loss of one batch for the heads there are, each a mean over the examples that count."""
    device = device_of(module)
    outputs = module(planes_tensor(batch.spatial, device), tensor(batch.globals, device))
    terms: Losses = {}
    for name, errors in _errors(outputs, batch).items():
        weight = tensor(_weight(name, batch), device)
        counted = torch.where(weight > 0, errors, 0.0)  # what does not count may be infinite
        terms[name] = (counted * weight).sum() / weight.sum().clamp(min=1.0)
    weights_of = {"policy": 1.0, "value": value_weight, "score": score_weight}
    total = torch.stack([weights_of[name] * term for name, term in terms.items()]).sum()
    return {"loss": total, **terms}


def _weight(name: str, batch: Examples) -> NDArray[np.float32]:
    """How much each example counts for a head, float32[B]."""
    if name == "policy":
        return batch.policy_weight
    return np.where(np.isnan(batch.score), np.float32(0), batch.value_weight) if name == "score" else batch.value_weight


def _errors(outputs: dict[str, Tensor], batch: Examples) -> dict[str, Tensor]:
    """The errors of each example, float32[B], of the heads there are: cross-entropy ("policy"), squared ("value").

    "score": Huber's in units of the board's side, squared up to a side's length of points and linear beyond.
    """
    errors: dict[str, Tensor] = {}
    if "policy" in outputs:
        logits = outputs["policy"].float()
        errors["policy"] = functional.cross_entropy(logits, tensor(batch.move, logits.device), reduction="none")
    if "value" in outputs:
        value = outputs["value"].float()
        errors["value"] = (value - tensor(batch.value, value.device)) ** 2
    if "score" in outputs and len(batch.score):
        side = float(np.sqrt(batch.spatial.shape[-2] * batch.spatial.shape[-1]))
        found = outputs["score"].float().reshape(-1) * (SCORE_UNIT / side)
        wanted = tensor(np.nan_to_num(batch.score) / np.float32(side), found.device)
        errors["score"] = 2.0 * functional.huber_loss(found, wanted, reduction="none")  # 2: squared, not half of it
    return errors
