"""A network as an evaluator of batches, and as a friendly object that answers about positions.

Runs the torch form of a description. Encoding is the spec's encoder; legality, caching and symmetries are others' work.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from move37.errors import ConfigError, NetworkFileError
from move37.features.encoder import Positions, get_encoder, records
from move37.nets import weights
from move37.nets.graph import Network, NetworkSpec
from move37.nets.torch_net import inference_module
from move37.rules.board_kernels import legal_mask_batch
from move37.search.evaluator import Evaluations, masked_softmax

__all__ = ["Answer", "LoadedNetwork", "NetworkEvaluator", "load_network"]


MAX_THREADS = 1024
"""More than any machine has; torch does not survive a million."""


class NetworkEvaluator:
    """Evaluates BOARD[B] with a network; may be called from several threads at once.

    `device`: a torch device, default the CPU. `threads`: torch's threads on the CPU for the whole process (torch has
    one such setting), as they are if None. Batches longer than `max_batch` are cut. ConfigError for an unknown encoder
    or device.
    """

    def __init__(
        self, network: Network, device: str | None = None, threads: int | None = None, max_batch: int = 1024
    ) -> None:
        self.spec = network.spec
        self._encoder = get_encoder(network.spec.encoder)
        if (self._encoder.planes, self._encoder.globals) != (self.spec.planes, self.spec.globals):
            raise ConfigError(
                f"The network {self.spec.name} expects {self.spec.planes} planes and {self.spec.globals} globals, but "
                f"its encoder {self._encoder.name} writes {self._encoder.planes} and {self._encoder.globals}."
            )
        missing = {"policy", "value"} - network.graph.outputs.keys()
        if missing:
            raise ConfigError(f"The network {self.spec.name} has no {min(missing)} output; a search needs both.")
        if threads is not None and not 1 <= threads <= MAX_THREADS:
            raise ConfigError(f"The network can run on 1 to {MAX_THREADS} threads, not {threads}.")
        if threads is not None:
            torch.set_num_threads(threads)
        try:
            self._device = torch.device(device or "cpu")
            self._module = inference_module(network, self._device)
        except (RuntimeError, AssertionError) as error:
            raise ConfigError(f"The device {device!r} cannot be used ({str(error).splitlines()[0]}).") from error
        self._max_batch = max_batch
        self._komi_lock = Lock()
        self._komi_warned = False

    def evaluate(self, boards: NDArray[Any]) -> Evaluations:
        """Policy logits and values of `boards` (BOARD[B], one board size, B >= 1), for the player to move.

        ConfigError if the network is not made for the board size, NetworkFileError if it gives NaN or +infinity. Warns
        once if a komi lies outside the network's band. ValueError for an empty or mixed batch.
        """
        self._check_size(boards)
        self._check_komi(boards)
        parts = [self._run(boards[i : i + self._max_batch]) for i in range(0, max(len(boards), 1), self._max_batch)]
        policy = np.concatenate([part[0] for part in parts])
        value = np.concatenate([part[1] for part in parts])
        if np.isnan(policy).any() or np.isposinf(policy).any() or not np.isfinite(value).all():
            raise NetworkFileError(
                f"The network {self.spec.name} gave outputs that are not finite; its weights are damaged or diverged, "
                "use another network."
            )
        return Evaluations(policy, value)

    def _run(self, boards: NDArray[Any]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        encoded = self._encoder.encode(boards)
        with torch.inference_mode():
            spatial = torch.from_numpy(encoded.spatial).to(self._device)
            globals_ = torch.from_numpy(encoded.globals).to(self._device)
            outputs = self._module(spatial.contiguous(memory_format=torch.channels_last), globals_)
            return outputs["policy"].float().cpu().numpy(), outputs["value"].float().cpu().numpy()

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


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What a network says of B positions, for the player to move in each.

    `policy`: float32[B, A] probabilities over legal moves, pass last, 0 where illegal, rows sum to 1.
    `value`: float32[B] in [-1, 1]. `ownership`: float32[B, H, W] or None. `score`: float32[B], points, or None.
    """

    policy: NDArray[np.float32]
    value: NDArray[np.float32]
    ownership: NDArray[np.float32] | None = None
    score: NDArray[np.float32] | None = None


class LoadedNetwork:
    """A network ready to answer: `spec`, its description `network`, and `evaluator` for a search."""

    def __init__(self, network: Network, evaluator: NetworkEvaluator) -> None:
        self.network = network
        self.spec: NetworkSpec = network.spec
        self.evaluator = evaluator

    def evaluate(self, positions: Positions) -> Answer:
        """Probabilities and values of `positions` (Position objects or BOARD[B], one board size).

        Errors and warnings are those of `NetworkEvaluator.evaluate`.
        """
        boards = records(positions)
        found = self.evaluator.evaluate(boards)
        legal = np.zeros(found.policy.shape, dtype=np.bool_)
        legal_mask_batch(boards, legal)
        policy = masked_softmax(found.policy, legal)
        return Answer(policy, found.value, found.ownership, found.score_mean)

    def __repr__(self) -> str:
        return f"<network {self.spec.name}: {self.spec.encoder}, {self.spec.sizes_text()}>"


def load_network(
    path: Path | str | None = None, device: str | None = None, threads: int | None = None
) -> LoadedNetwork:
    """The network in the file `path`, or the bundled one of that name; the first bundled one if None.

    NetworkFileError or ConfigError in one sentence.
    """
    network = weights.load(weights.find(next(iter(weights.bundled()), "") if path is None else path))
    return LoadedNetwork(network, NetworkEvaluator(network, device, threads))
