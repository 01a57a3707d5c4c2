"""What a network is trained to lessen: its errors on one batch of positions from games, for the heads that it has.

Policy and value are AlphaGo Zero's (Silver et al., Nature 550, 2017, Methods), where a search is the teacher its
policy; the value's cross-entropy, ownership and the opponent's policy are KataGo's (Wu 2019, Appendix B); the score is
ours. Knows no optimiser.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from move37.nets.graph import SCORE_UNIT
from move37.training.devices import device_of, planes_tensor, tensor
from move37.training.examples import Examples
from move37.training.workers import Losses

SURE = 1.0 - 1e-6
"""A value is taken to be no surer than this, or one wrong game would count without limit."""


def loss(
    module: nn.Module,
    batch: Examples,
    value_weight: float,
    score_weight: float = 0.0,
    ownership_weight: float = 0.0,
    opponent_weight: float = 0.0,
    value_loss: Literal["squared", "entropy"] = "squared",
) -> Losses:
    """Terms of the loss of one batch for the heads there are, each a mean over the examples that count."""
    device = device_of(module)
    outputs = module(planes_tensor(batch.spatial, device), tensor(batch.globals, device))
    terms: Losses = {}
    for name, errors in _errors(outputs, batch, value_loss).items():
        weight = tensor(_weight(name, batch), device)
        counted = torch.where(weight > 0, errors, 0.0)  # what does not count may be infinite
        terms[name] = (counted * weight).sum() / weight.sum().clamp(min=1.0)
    weights_of = {
        "policy": 1.0,
        "value": value_weight,
        "score": score_weight,
        "ownership": ownership_weight,
        "opponent": opponent_weight,
    }
    total = torch.stack([weights_of[name] * term for name, term in terms.items()]).sum()
    return {"loss": total, **terms}


def _weight(name: str, batch: Examples) -> NDArray[np.float32]:
    """How much each example counts for a head, float32[B]."""
    match name:
        case "policy":
            return batch.policy_weight
        case "opponent":
            return batch.opponent_weight
        case "ownership":
            return batch.ownership_weight
        case "score":
            return np.where(np.isnan(batch.score), np.float32(0), batch.value_weight)
        case _:
            return batch.value_weight


def _errors(
    outputs: dict[str, Tensor], batch: Examples, value_loss: Literal["squared", "entropy"]
) -> dict[str, Tensor]:
    """The errors of each example, float32[B], of the heads there are and the examples tell of.

    "policy", "opponent": cross-entropy. "value": squared, or the cross-entropy of the winner, a draw being half of
    each. "score": Huber's in units of the board's side, squared up to a side's length of points and linear beyond.
    "ownership": the cross-entropy of each point's owner, the mean over the points.
    """
    errors: dict[str, Tensor] = {}
    if "policy" in outputs:
        logits = outputs["policy"].float()
        wanted = batch.policy if len(batch.policy) else batch.move
        errors["policy"] = functional.cross_entropy(logits, tensor(wanted, logits.device), reduction="none")
    if "value" in outputs:
        value = outputs["value"].float()
        errors["value"] = _value_errors(value, tensor(batch.value, value.device), value_loss)
    if "score" in outputs and len(batch.score):
        side = float(np.sqrt(batch.spatial.shape[-2] * batch.spatial.shape[-1]))
        found = outputs["score"].float().reshape(-1) * (SCORE_UNIT / side)
        wanted_score = tensor(np.nan_to_num(batch.score) / np.float32(side), found.device)
        errors["score"] = 2.0 * functional.huber_loss(found, wanted_score, reduction="none")  # 2: squared, not half
    if "opponent" in outputs and len(batch.opponent):
        logits = outputs["opponent"].float()
        errors["opponent"] = functional.cross_entropy(logits, tensor(batch.opponent, logits.device), reduction="none")
    if "ownership" in outputs and len(batch.ownership):
        # tanh of the output is the owner in [-1, 1], so twice the output is the logit of the player to move
        logits = 2.0 * outputs["ownership"].float().squeeze(1)
        owners = (tensor(batch.ownership, logits.device) + 1.0) / 2.0
        points = functional.binary_cross_entropy_with_logits(logits, owners, reduction="none")
        errors["ownership"] = points.mean(dim=(1, 2))
    return errors


def _value_errors(found: Tensor, wanted: Tensor, kind: Literal["squared", "entropy"]) -> Tensor:
    if kind == "squared":
        return (found - wanted) ** 2
    win = (1.0 + SURE * found) / 2.0
    return -((1.0 + wanted) / 2.0 * win.log() + (1.0 - wanted) / 2.0 * (1.0 - win).log())
