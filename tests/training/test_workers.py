from __future__ import annotations

import copy
from contextlib import closing

import pytest
import torch
from torch import Tensor, nn

from move37.training.workers import Losses, Workers

Part = tuple[Tensor, Tensor]


def make() -> nn.Module:
    torch.manual_seed(3)
    return nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))


def loss(module: nn.Module, part: Part) -> Losses:
    error = ((module(part[0]) - part[1]) ** 2).mean()
    return {"loss": error, "twice": 2 * error}


def test_parts_give_the_gradient_of_the_whole() -> None:
    x, y = torch.randn(12, 4), torch.randn(12, 1)
    alone = make()
    whole_loss = loss(alone, (x, y))["loss"]
    whole_loss.backward()  # type: ignore[no-untyped-call]  # untyped in torch
    module = make()
    with closing(Workers(module, make, 3, "float32")) as workers:
        figures = workers.gradients(loss, [(x[i::3], y[i::3]) for i in range(3)])
    for own, whole in zip(module.parameters(), alone.parameters(), strict=True):
        assert own.grad is not None and whole.grad is not None
        torch.testing.assert_close(own.grad, whole.grad)
    assert figures["loss"] == pytest.approx(float(whole_loss.detach()), rel=1e-5)
    assert figures["twice"] == pytest.approx(2 * figures["loss"])


def test_copies_follow_the_modules_parameters() -> None:
    module = make()
    with closing(Workers(module, make, 2, "float32")) as workers:
        before = copy.deepcopy(module.state_dict())
        with torch.no_grad():
            for parameter in module.parameters():
                parameter.add_(1.0)
        for name, tensor in workers.replicas[1].state_dict().items():
            torch.testing.assert_close(tensor, before[name] + 1.0)


def test_bfloat16_reaches_the_loss() -> None:
    seen: list[torch.dtype] = []

    def look(module: nn.Module, part: Part) -> Losses:
        output = module(part[0])
        seen.append(output.dtype)
        return {"loss": output.float().square().mean()}

    with closing(Workers(make(), make, 1, "bfloat16")) as workers:
        workers.gradients(look, [(torch.randn(2, 4), torch.randn(2, 1))])
    assert seen == [torch.bfloat16]
