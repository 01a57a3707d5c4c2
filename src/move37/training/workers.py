"""Gradients of one batch from several cores: each works on its own part with its own copy of the module.

The copies share the parameters' memory; only gradients and batch-norm statistics are apart. The gradients are added in
a fixed order, so the result does not depend on which part is ready first. One core runs one part without threads
inside: torch's own threads meet at a barrier in every layer, where they stall whenever another process takes a core
(seen: a tenth of the speed on a busy machine). A GPU works on whole batches: it has one worker.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import torch
from torch import Tensor, nn

from move37.training.devices import device_of

Batch = TypeVar("Batch")
Losses = dict[str, Tensor]


class Workers:
    """`count` workers for `module`; the module itself is the first one's and keeps the batch-norm statistics."""

    def __init__(self, module: nn.Module, make: Callable[[], nn.Module], count: int, precision: str) -> None:
        torch.set_num_threads(1)
        self.replicas = [module, *(_sharing(make(), module) for _ in range(count - 1))]
        self.device, self.bfloat16 = device_of(module), precision == "bfloat16"
        self.pool = (
            ThreadPoolExecutor(count - 1, initializer=torch.set_num_threads, initargs=(1,)) if count > 1 else None
        )

    def close(self) -> None:
        """End the threads."""
        if self.pool is not None:
            self.pool.shutdown()

    def gradients(self, loss: Callable[[nn.Module, Batch], Losses], parts: Sequence[Batch]) -> dict[str, float]:
        """Set the module's gradients to the mean over `parts` (one a worker); the mean of each named loss term."""
        if self.pool is None:
            return self._work(loss, self.replicas[0], parts[0])
        others = [
            self.pool.submit(self._work, loss, replica, part)
            for replica, part in zip(self.replicas[1:], parts[1:], strict=True)
        ]
        figures = [self._work(loss, self.replicas[0], parts[0]), *(other.result() for other in others)]
        self._mean_gradients()
        return {name: sum(each[name] for each in figures) / len(figures) for name in figures[0]}

    def _work(self, loss: Callable[[nn.Module, Batch], Losses], replica: nn.Module, part: Batch) -> dict[str, float]:
        replica.train()
        replica.zero_grad(set_to_none=True)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.bfloat16):
            losses = loss(replica, part)
        losses["loss"].backward()  # type: ignore[no-untyped-call]
        return {name: float(value.detach()) for name, value in losses.items()}

    @torch.no_grad()
    def _mean_gradients(self) -> None:
        for same in zip(*(replica.parameters() for replica in self.replicas), strict=True):
            gradients = [parameter.grad for parameter in same if parameter.grad is not None]
            if gradients:
                same[0].grad = torch.stack(gradients).mean(dim=0)


def _sharing(replica: nn.Module, module: nn.Module) -> nn.Module:
    for own, shared in zip(replica.parameters(), module.parameters(), strict=True):
        own.data = shared.data
    return replica
