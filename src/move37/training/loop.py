"""The one training loop: optimiser, learning rate, weight average, log, checkpoints, exact resume.

It knows neither games nor losses: a trainer gives it a module, an iterator of batches from any step on, a loss, and an
evaluation of held-out data. Batches must depend on their number alone; then a killed and resumed run gives the weights
of an uninterrupted one (same machine and number of threads, no time limit that the learning rate follows).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Generic, Literal, TypeVar

import torch
from torch import nn

from move37.errors import CheckpointError, ConfigError
from move37.training import checkpoint
from move37.training.checkpoint import Progress
from move37.training.devices import DeviceName, chosen
from move37.training.run_log import RunLog
from move37.training.schedule import Schedule
from move37.training.workers import Losses, Workers

Batch = TypeVar("Batch")


@dataclass(frozen=True)
class LoopConfig:
    """How to train. `max_minutes` ends the run early; with `follow_clock` the learning rate falls with the clock."""

    steps: int
    schedule: Schedule = field(default_factory=Schedule)
    optimizer: Literal["sgd", "adamw"] = "sgd"
    momentum: float = 0.9
    """AlphaGo Zero's 0.9 (Nature 550, Methods); for adamw its first beta."""
    l2: float = 1e-4
    """Decay of weight matrices and kernels, not of biases and norms; AlphaGo Zero's constant c."""
    clip_norm: float = 0.0
    """Gradients longer than this are shortened to it; 0 never."""
    average: float = 0.0
    """Decay of the exponential average of the weights that is evaluated and saved as the network; 0 for none."""
    precision: Literal["float32", "bfloat16"] = "float32"
    device: DeviceName = "cpu"
    """"auto" is a GPU where there is one. A run may go on on another device, though not bit for bit."""
    threads: int = 1
    """Each batch is cut into parts, one a core (see `move37.training.workers`); batch norm sees its part only. A GPU
    takes the batch whole."""
    log_every: int = 100
    evaluate_every: int = 1000
    checkpoint_every: int = 1000
    checkpoint_minutes: float = 0.0
    """Also write a checkpoint whenever so many minutes have passed; 0 never."""
    max_minutes: float | None = None
    follow_clock: bool = False

    def __post_init__(self) -> None:
        if self.steps < 1 or min(self.log_every, self.evaluate_every, self.checkpoint_every, self.threads) < 1:
            raise ConfigError("steps, threads and the intervals of log, evaluation and checkpoints are 1 or more")
        if self.follow_clock and self.max_minutes is None:
            raise ConfigError("follow_clock needs max_minutes, the time over which the learning rate falls")
        if not (0.0 <= self.momentum < 1.0 and min(self.l2, self.clip_norm, self.checkpoint_minutes) >= 0.0):
            raise ConfigError("momentum is 0 to below 1; l2, clip_norm and checkpoint_minutes are 0 or more")
        if self.max_minutes is not None and not self.max_minutes > 0.0:
            raise ConfigError(f"max_minutes is above 0, not {self.max_minutes}")
        if not 0.0 <= self.average < 1.0:
            raise ConfigError(f"average is the decay of the weight average, 0 to below 1, not {self.average}")

    def done(self, progress: Progress) -> float:
        """The fraction of the run that is over, 0 to 1."""
        by_steps = progress.step / self.steps
        if not self.follow_clock or self.max_minutes is None:
            return min(1.0, by_steps)
        return min(1.0, max(by_steps, progress.seconds / (60.0 * self.max_minutes)))

    def is_over(self, progress: Progress) -> bool:
        """Whether the steps or the minutes are used up."""
        late = self.max_minutes is not None and progress.seconds >= 60.0 * self.max_minutes
        return progress.step >= self.steps or late


@dataclass(frozen=True)
class Task(Generic[Batch]):
    """What to train on.

    `batches(n)` yields batch n, n + 1, ...; `loss` returns named terms, "loss" being the sum to minimise.
    `split(batch, n)` cuts a batch into n parts of equal size (it is not called for one thread).
    """

    batches: Callable[[int], Generator[Batch]]
    loss: Callable[[nn.Module, Batch], Losses]
    split: Callable[[Batch, int], list[Batch]]
    evaluate: Callable[[nn.Module], dict[str, float]] | None = None


@dataclass(frozen=True)
class Outcome:
    """The trained module (the weight average if there is one), on the processor; how far it went; held-out figures."""

    module: nn.Module
    progress: Progress
    figures: dict[str, float]


def train(
    make_module: Callable[[], nn.Module],
    task: Task[Batch],
    config: LoopConfig,
    run: Path,
    *,
    quiet: bool = False,
) -> Outcome:
    """Train the module that `make_module` makes until the steps or minutes are over, keeping everything in `run`.

    A folder that holds a run is gone on with from its last checkpoint. `make_module` is called again for the weight
    average and for each further thread. `CheckpointError` if the loss is no longer finite (the last good checkpoint
    stays), or if a checkpoint cannot be read or written.
    """
    with Trainer(make_module, task, config, run, quiet=quiet) as trainer:
        trainer.advance()
        return trainer.finish()


class Trainer(Generic[Batch]):
    """One training run between its start (or resume) and its end, for those who do other things between its steps.

    Arguments and errors are those of `train`. A context manager: it holds the log and the threads.
    """

    def __init__(
        self,
        make_module: Callable[[], nn.Module],
        task: Task[Batch],
        config: LoopConfig,
        run: Path,
        *,
        quiet: bool = False,
    ) -> None:
        if checkpoint.lost_state(run):
            raise CheckpointError(f"{run} holds checkpoints but no state.json that names one; give another folder")
        run.mkdir(parents=True, exist_ok=True)
        self.task, self.config, self.run = task, config, run
        device = chosen(config.device)
        self.threads = config.threads if device.type == "cpu" else 1
        self.module = make_module().to(device)
        self.workers = Workers(self.module, make_module, self.threads, config.precision)
        self.average = self.module
        if config.average:
            self.average = make_module().to(device)
            self.average.load_state_dict(self.module.state_dict())
        self.optimizer = _optimizer(self.module, config)
        self.progress = Progress()
        if checkpoint.exists(run):
            self.progress = checkpoint.load(run, self.module, self.average, self.optimizer)
        self.figures: dict[str, float] = {}
        self.saved = self.progress
        self.log = RunLog(run, self.progress.step, config.steps, quiet=quiet)

    def __enter__(self) -> Trainer[Batch]:
        self.log.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.workers.close()
        self.log.__exit__(kind, error, trace)

    def advance(self, until: int | None = None, stopped: Callable[[], bool] = lambda: False) -> None:
        """Train up to step number `until` (None: all steps), until the minutes are over, or until `stopped` says so."""
        last = self.config.steps if until is None else min(until, self.config.steps)
        with closing(self.task.batches(self.progress.step)) as data:
            while not (self._is_over(last) or stopped()):
                self._interval(data, last, stopped)

    def finish(self) -> Outcome:
        """Evaluate and save what there is, and give it away; the trainer is not used afterwards."""
        self.evaluate()
        self.save()
        return Outcome(self.average.cpu(), self.progress, self.figures)

    def spend(self, seconds: float) -> None:
        """Count time that something else than training took."""
        self.progress = Progress(self.progress.step, self.progress.seconds + seconds)

    def _is_over(self, last: int) -> bool:
        return self.progress.step >= last or self.config.is_over(self.progress)

    def _interval(self, data: Iterator[Batch], last: int, stopped: Callable[[], bool]) -> None:
        """The steps up to the next multiple of `log_every` or to `last`, then what is due there."""
        started, first = time.monotonic(), self.progress
        sums: dict[str, float] = {}
        while True:
            for name, value in self._step(next(data)).items():
                sums[name] = sums.get(name, 0.0) + value
            self.progress = Progress(self.progress.step + 1, first.seconds + time.monotonic() - started)
            self.log.advance(self.config.done(self.progress), self.config.steps)
            if self._due(self.config.log_every) or self._is_over(last) or stopped():
                break
            if self._due(self.config.evaluate_every) or self._save_due():
                break
        steps = self.progress.step - first.step
        figures = {name: total / steps for name, total in sums.items()}
        pace = steps / max(self.progress.seconds - first.seconds, 1e-9)
        self.log.write(
            "train", self.progress.step, {**figures, "steps_per_second": pace, "minutes": self.progress.seconds / 60}
        )
        self._housekeeping()

    def _housekeeping(self) -> None:
        started = time.monotonic()
        if self._due(self.config.evaluate_every) and not self.config.is_over(self.progress):
            self.evaluate()
        if self._save_due():
            self.save()
        self.progress = Progress(self.progress.step, self.progress.seconds + time.monotonic() - started)

    def _due(self, every: int) -> bool:
        return self.progress.step % every == 0

    def _save_due(self) -> bool:
        minutes = self.config.checkpoint_minutes
        late = bool(minutes) and self.progress.seconds - self.saved.seconds >= 60.0 * minutes
        return late or self._due(self.config.checkpoint_every)

    def _step(self, batch: Batch) -> dict[str, float]:
        rate = self.config.schedule.rate(self.progress.step, self.config.done(self.progress))
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        parts = self.task.split(batch, self.threads) if self.threads > 1 else [batch]
        figures = self.workers.gradients(self.task.loss, parts)
        self._must_be_finite("loss", figures["loss"])
        clip = self.config.clip_norm or math.inf
        norm = float(nn.utils.clip_grad_norm_(self.module.parameters(), clip))
        self._must_be_finite("gradient", norm)
        self.optimizer.step()
        if self.config.average:
            _update_average(self.average, self.module, self.config.average, self.progress.step)
        return {**figures, "gradient_norm": norm, "learning_rate": rate}

    def _must_be_finite(self, what: str, value: float) -> None:
        if math.isfinite(value):
            return
        last = self.saved.step
        kept = f"its last good checkpoint is of step {last}" if last else "no checkpoint was written yet"
        raise CheckpointError(
            f"the {what} became {value} at step {self.progress.step + 1} of the run {self.run}; "
            f"training stopped and {kept}; lower the learning rate"
        )

    def evaluate(self) -> None:
        """The held-out figures of the average, if the task has any, kept and logged."""
        if self.task.evaluate is None:
            return
        self.average.eval()
        with torch.inference_mode():
            self.figures = self.task.evaluate(self.average)
        self.log.write("held_out", self.progress.step, self.figures)

    def save(self) -> None:
        """Write a checkpoint."""
        checkpoint.save(self.run, self.progress, self.module, self.average, self.optimizer)
        self.saved = self.progress


def _optimizer(module: nn.Module, config: LoopConfig) -> torch.optim.Optimizer:
    decayed = [parameter for parameter in module.parameters() if parameter.ndim > 1]
    others = [parameter for parameter in module.parameters() if parameter.ndim <= 1]
    groups = [{"params": decayed, "weight_decay": config.l2}, {"params": others, "weight_decay": 0.0}]
    rate = config.schedule.peak
    if config.optimizer == "adamw":
        return torch.optim.AdamW(groups, lr=rate, betas=(config.momentum, 0.999))
    return torch.optim.SGD(groups, lr=rate, momentum=config.momentum, nesterov=config.momentum > 0)


@torch.no_grad()
def _update_average(average: nn.Module, module: nn.Module, decay: float, step: int) -> None:
    """Move the average towards the module; young runs forget their start faster."""
    weight = 1.0 - min(decay, (1.0 + step) / (10.0 + step))
    for old, new in zip(average.state_dict().values(), module.state_dict().values(), strict=True):
        if old.is_floating_point():
            old.lerp_(new, weight)
        else:
            old.copy_(new)
