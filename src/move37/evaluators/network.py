"""A network as an evaluator of batches, and as a friendly object that answers about positions.

Encoding is the spec's encoder, computing is a runner's (`backends`), the meaning of KataGo's outputs is in
`nets.katago_outputs`; legality, caching and symmetries are others' work. Nothing here imports torch.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields, replace
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.errors import ConfigError, NetworkFileError
from move37.evaluators.backends import Backend, make_runner
from move37.features.encoder import Encoder, Positions, get_encoder, records
from move37.features.katago import KataGoEncoder
from move37.nets import weights
from move37.nets.graph import SCORE_UNIT, Network, NetworkSpec
from move37.nets.katago_outputs import read_outputs
from move37.nets.runner import Runner
from move37.rules.board_kernels import legal_mask_batch
from move37.search.evaluator import ROOT_OPTIMISM, Evaluations, masked_softmax, optimistic_policy
from move37.search.rollouts import scores

__all__ = ["Answer", "LoadedNetwork", "NetworkEvaluator", "load_network"]

IN_FLIGHT = 2
"""Parts of a long batch that a device beside the CPU is given at a time, so that one is encoded while one computes."""

HEADS = ("policy", "value")
"""Outputs that a search needs of a network."""

_KATAGO_HEADS = ("policy", "value_logits", "misc", "ownership")


class NetworkEvaluator:
    """Evaluates BOARD[B] with a network; may be called from several threads at once.

    `device`, `threads`, `backend`: what computes it, see `backends.make_runner`; by default the CPU, by the fast path
    where it can. Batches longer than `max_batch` are cut. `heads`: outputs that there must be; without the other of
    `HEADS`, as AlphaGo's networks of 2016 are, it answers zeros for it. `runner`: what computes it instead. ConfigError
    for a missing head, an unknown encoder, backend or device.
    """

    def __init__(
        self,
        network: Network,
        device: str | None = None,
        threads: int | None = None,
        max_batch: int = 1024,
        backend: Backend = "auto",
        heads: Sequence[str] = HEADS,
        runner: Runner | None = None,
    ) -> None:
        self.spec = network.spec
        self._encoder = _encoder_of(network.spec)
        if (self._encoder.planes, self._encoder.globals) != (self.spec.planes, self.spec.globals):
            raise ConfigError(
                f"The network {self.spec.name} expects {self.spec.planes} planes and {self.spec.globals} globals, but "
                f"its encoder {self._encoder.name} writes {self._encoder.planes} and {self._encoder.globals}."
            )
        needed = heads if self.spec.katago is None else _KATAGO_HEADS
        missing = [name for name in needed if name not in network.graph.outputs]
        if missing:
            raise ConfigError(
                f"The network {self.spec.name} has no {missing[0]} output; a search needs {' and '.join(needed)}."
            )
        self.runner = runner or make_runner(network, backend, device, threads)
        self._pool = None if device is None else ThreadPoolExecutor(IN_FLIGHT, "evaluate")
        self._max_batch = max_batch
        self._komi_lock = Lock()
        self._komi_warned = False

    def evaluate(self, boards: NDArray[Any]) -> Evaluations:
        """What the network says of `boards` (BOARD[B], one board size, B >= 1), for the player to move.

        ConfigError if the network is not made for the board size, NetworkFileError if it gives NaN or +infinity. Warns
        once if a komi lies outside the network's band. ValueError for an empty or mixed batch.
        """
        self._check_size(boards)
        self._check_komi(boards)
        cut = [boards[i : i + self._max_batch] for i in range(0, max(len(boards), 1), self._max_batch)]
        parts = list(self._pool.map(self._run, cut)) if self._pool and len(cut) > 1 else list(map(self._run, cut))
        found = parts[0] if len(parts) == 1 else _joined(parts)
        if not all(_is_finite(field.name, getattr(found, field.name)) for field in fields(found)):
            raise NetworkFileError(
                f"The network {self.spec.name} gave outputs that are not finite; its weights are damaged or diverged, "
                "use another network."
            )
        return found

    def _run(self, boards: NDArray[Any]) -> Evaluations:
        encoded = self._encoder.encode(boards)
        raw = self.runner.run(encoded.spatial, encoded.globals)
        if self.spec.katago is not None:
            return Evaluations(**read_outputs(self.spec.katago, raw, boards))
        points = int(boards[0]["rows"]) * int(boards[0]["cols"])
        policy = raw["policy"] if "policy" in raw else np.zeros((len(boards), points + 1), np.float32)
        value = raw["value"].reshape(len(boards)) if "value" in raw else np.zeros(len(boards), np.float32)
        lead = _lead(raw["score"], boards) if "score" in raw else None
        ownership = np.tanh(raw["ownership"][:, 0]) if "ownership" in raw else None
        return Evaluations(policy, value, lead=lead, ownership=ownership)

    def _check_size(self, boards: NDArray[Any]) -> None:
        for i in range(min(len(boards), 1)):  # the encoder sees to it that all are of one size
            rows, cols = int(boards[i]["rows"]), int(boards[i]["cols"])
            if not self.spec.supports(rows, cols):
                raise ConfigError(
                    f"The network {self.spec.name} is made for {self.spec.sizes_text()}, not for {rows}x{cols}; "
                    "choose another network or board size."
                )

    def _check_komi(self, boards: NDArray[Any]) -> None:
        if self.spec.komi_band is None or self._komi_warned:
            return
        low, high = self.spec.komi_band
        komi = boards["komi"] + boards["white_bonus"]
        outside = komi[(komi < low) | (komi > high)]
        if len(outside) == 0:
            return
        with self._komi_lock:
            warned, self._komi_warned = self._komi_warned, True
        if not warned:
            warnings.warn(
                f"The network {self.spec.name} was trained for komi {low:g} to {high:g}, but this game has "
                f"{outside[0]:g}; its values will be off.",
                stacklevel=3,
            )


def _lead(score: NDArray[np.float32], boards: NDArray[Any]) -> NDArray[np.float32]:
    """Points ahead, float32[B], for the players to move on `boards`: what the board will give, and komi.

    `score` float32[B, 1] is the network's, in units of SCORE_UNIT and without komi: so the lead holds for every komi.
    """
    komi = scores(boards, np.zeros((len(boards), 1), np.int16))[:, 0]
    lead: NDArray[np.float32] = np.float32(SCORE_UNIT) * score.reshape(len(boards)) + komi
    return lead


def _encoder_of(spec: NetworkSpec) -> Encoder:
    """The encoder that `spec` names, with the option that a KataGo file may ask for."""
    encoder = get_encoder(spec.encoder)
    if isinstance(encoder, KataGoEncoder) and spec.katago is not None and spec.katago.suicide_area:
        return replace(encoder, suicide_for_life=True)
    return encoder


def _joined(parts: list[Evaluations]) -> Evaluations:
    """One `Evaluations` of those of the parts of a batch."""
    joined: dict[str, Any] = {}
    for field in fields(Evaluations):
        values = [getattr(part, field.name) for part in parts]
        joined[field.name] = None if values[0] is None else np.concatenate(values)
    return Evaluations(**joined)


def _is_finite(name: str, values: NDArray[np.float32] | None) -> bool:
    """Whether a field holds numbers; a logit may be -infinity."""
    if values is None:
        return True
    if name in ("policy", "optimistic"):
        return not (np.isnan(values).any() or np.isposinf(values).any())
    return bool(np.isfinite(values).all())


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What a network says of B positions, for the player to move in each; None where it has no such output.

    `policy`: float32[B, A] probabilities over legal moves, pass last, 0 where illegal, rows sum to 1.
    `value`: float32[B] in [-1, 1], win less loss. `win`, `loss`, `no_result`: float32[B], probabilities that sum to 1.
    `lead`: float32[B], points ahead. `score_mean`, `score_stdev`: float32[B], points, of the final score.
    `ownership`: float32[B, H, W] in [-1, 1], 1 where the player to move owns the point.
    """

    policy: NDArray[np.float32]
    value: NDArray[np.float32]
    win: NDArray[np.float32]
    loss: NDArray[np.float32]
    no_result: NDArray[np.float32]
    lead: NDArray[np.float32] | None = None
    score_mean: NDArray[np.float32] | None = None
    score_stdev: NDArray[np.float32] | None = None
    ownership: NDArray[np.float32] | None = None

    @property
    def score(self) -> NDArray[np.float32] | None:
        """float32[B], the points by which the player to move is ahead: the lead, else the mean of the final score."""
        return self.score_mean if self.lead is None else self.lead


class LoadedNetwork:
    """A network ready to answer: `spec`, its description `network`, and `evaluator` for a search."""

    def __init__(self, network: Network, evaluator: NetworkEvaluator) -> None:
        self.network = network
        self.spec: NetworkSpec = network.spec
        self.evaluator = evaluator

    def evaluate(self, positions: Positions, optimism: float = ROOT_OPTIMISM) -> Answer:
        """What the network says of `positions` (Position objects or BOARD[B], one board size).

        `optimism` in [0, 1]: how much of the second policy that newer KataGo networks have is mixed into the first.
        Errors and warnings are those of `NetworkEvaluator.evaluate`; ConfigError for another optimism.
        """
        if not 0 <= optimism <= 1:
            raise ConfigError(f"The optimism is a number from 0 to 1, not {optimism}.")
        boards = records(positions)
        found = self.evaluator.evaluate(boards)
        legal = np.zeros(found.policy.shape, dtype=np.bool_)
        legal_mask_batch(boards, legal)
        policy = masked_softmax(optimistic_policy(found, optimism), legal)
        nothing = np.zeros_like(found.value) if found.no_result is None else found.no_result
        win = (np.float32(1) - nothing + found.value) / np.float32(2)
        scores = (found.lead, found.score_mean, found.score_stdev)
        return Answer(policy, found.value, win, win - found.value, nothing, *scores, found.ownership)

    def __repr__(self) -> str:
        return f"<network {self.spec.name}: {self.spec.encoder}, {self.spec.sizes_text()}>"


def load_network(
    path: Path | str | None = None, device: str | None = None, threads: int | None = None, backend: Backend = "auto"
) -> LoadedNetwork:
    """The network in the file `path`, or the bundled one of that name; if None, the bundled one of the player `zero`.

    `device`, `threads`, `backend`: what computes it, see `backends.make_runner`. NetworkFileError or ConfigError in one
    sentence.
    """
    usual = next(iter(sorted(weights.bundled(), key=lambda name: not name.startswith("zero-"))), "")
    network = weights.load(weights.find(usual if path is None else path))
    return LoadedNetwork(network, NetworkEvaluator(network, device, threads, backend=backend))
