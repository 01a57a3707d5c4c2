"""The network that a training recipe asks for: its shape by name, and its first weights.

`kind` names the architecture: "zero" (two heads, `move37.nets.zero`), "policy" and "value" (AlphaGo 2016,
`move37.nets.alphago`), "policy-value" (both of them on one tower). Fields of another kind are ignored. Trains nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.features.encoder import get_encoder
from move37.nets import alphago, weights
from move37.nets.graph import Network
from move37.nets.zero import POOLED_FILTERS, zero_network

COUNTING_SCALE = 0.25
"""Of weights of one sign, whose sums are greater than those of both."""


@dataclass(frozen=True)
class NetworkRecipe:
    """The shape of a network, and optionally another one to start from."""

    filters: int
    kind: Literal["zero", "policy", "value", "policy-value"] = "zero"
    encoder: str = "zero17"
    name: str | None = None
    start: Path | None = None
    """A network whose weights are taken over wherever names and shapes agree; planes that it lacks start at zero."""

    blocks: int = 0
    """zero: residual blocks."""
    head: Literal["paper", "pooled"] = "pooled"
    policy_filters: int | None = None
    value_filters: int | None = None
    value_hidden: int = 256
    score: bool = False
    """zero, policy-value: a third output, the points by which the game will be won."""
    ownership: bool = False
    """zero, policy-value: who will own each point, to be learned from games whose store tells."""
    opponent: bool = False
    """zero: what the other side will answer; for self-play, see `nets.zero`."""

    convolutions: int = alphago.CONVOLUTIONS
    """All kinds but zero: hidden convolutions, the 5x5 one included."""
    point_bias: bool = False
    """policy: the paper's bias for each point."""
    learn_pass: bool = False
    norm: bool = False
    skip: bool = False


def new_network(
    recipe: NetworkRecipe, size: int, komi_band: tuple[float, float], rules: str, rng: np.random.Generator
) -> Network:
    """The network before training: He-normal weights from `rng`, or those of `recipe.start` where they fit.

    A value network begins with the value 0: sums over many layers would drive its tanh to where it learns no more.
    """
    network = _shaped(recipe, size, komi_band, rules, rng)
    if recipe.kind == "value":
        network = Network(network.spec, network.graph, {**network.arrays, **_value_start(network)})
    if recipe.start is None:
        return network
    return started_from(network, weights.load(weights.find(recipe.start)), recipe.start)


def beside(recipe: Path, network: Path) -> Path:
    """What a recipe calls a network: the file to which its path leads from the recipe's folder, else the name."""
    file = recipe.resolve().parent / network
    return file.resolve() if file.is_file() else network


def _shaped(
    recipe: NetworkRecipe, size: int, komi_band: tuple[float, float], rules: str, rng: np.random.Generator
) -> Network:
    shared: dict[str, Any] = {
        "rng": rng,
        "filters": recipe.filters,
        "encoder": recipe.encoder,
        "planes": get_encoder(recipe.encoder).planes,
        "komi_band": komi_band,
        "rules": rules,
        "name": recipe.name,
    }
    if recipe.kind == "zero":
        return zero_network(
            sizes=[size],
            blocks=recipe.blocks,
            head=recipe.head,
            policy_filters=recipe.policy_filters,
            value_filters=recipe.value_filters,
            value_hidden=recipe.value_hidden,
            score=recipe.score,
            ownership=recipe.ownership,
            opponent=recipe.opponent,
            globals_=get_encoder(recipe.encoder).globals,
            **shared,
        )
    shared |= {"convolutions": recipe.convolutions, "norm": recipe.norm, "skip": recipe.skip}
    if recipe.kind == "policy":
        return alphago.policy_network(
            sizes=[size], point_bias=recipe.point_bias, learn_pass=recipe.learn_pass, **shared
        )
    if recipe.kind == "value":
        return alphago.value_network(size=size, hidden=recipe.value_hidden, **shared)
    return alphago.two_headed_network(
        sizes=[size],
        value_filters=recipe.value_filters or POOLED_FILTERS,
        hidden=recipe.value_hidden,
        score=recipe.score,
        ownership=recipe.ownership,
        **shared,
    )


def _value_start(network: Network) -> dict[str, NDArray[np.float32]]:
    """How a value network begins, ours: it knows nothing (its last layer is 0), and each hidden unit counts the board.

    Who is ahead is a sum over the board, and in a unit with weights of both signs what all points say alike cancels
    out. The bundled networks began so; that it helps was not shown (`docs/value.md`).
    """
    hidden, last = "value_hidden.weight", "value_dense.weight"
    one_sign = np.abs(network.arrays[hidden]) * np.float32(COUNTING_SCALE)
    one_sign[1::2] *= -1
    return {hidden: one_sign, last: np.zeros_like(network.arrays[last])}


def started_from(network: Network, old: Network, where: Path | str) -> Network:
    """`network` with the arrays of `old` wherever they fit; `ConfigError` if none does.

    A first layer that reads more planes than the old one (the value network's 49 beside the policy's 48) takes the old
    planes and zeros for the others.
    """
    fitting = {name: _fitting(array, old.arrays.get(name)) for name, array in network.arrays.items()}
    taken = {name: array for name, array in fitting.items() if array is not None}
    if not taken:
        raise ConfigError(f"no weights of {where} fit the network of the recipe; start from a network of its shape")
    return Network(network.spec, network.graph, {**network.arrays, **taken})


def _fitting(array: NDArray[np.float32], found: NDArray[np.float32] | None) -> NDArray[np.float32] | None:
    if found is None or found.shape == array.shape:
        return found
    if array.ndim == found.ndim == 4 and found.shape[1] < array.shape[1] and found.shape[::2] == array.shape[::2]:
        wider = np.zeros_like(array)
        wider[:, : found.shape[1]] = found
        return wider
    return None
