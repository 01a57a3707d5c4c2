"""What is done to the priors of a root: noise, so that self-play tries other moves, and temperature.

AlphaGo Zero mixes in noise of one Dirichlet parameter (Silver et al. 2017, Methods). KataGo's is scaled by the number
of legal moves (Wu 2019) and, since 2020, shaped: moves that the policy likes a little get more of it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["dirichlet_noise", "shaped_alphas", "tempered"]

CONCENTRATION = 0.03 * 361
"""Sum of the parameters over all moves: AlphaGo Zero's 0.03 a move on 19×19, kept for all boards by KataGo (10.83)."""
LIKED_AT_MOST, LEAST = 0.01, 1e-20
"""Priors beyond the first shape noise no more (KataGo's searchhelpers.cpp)."""


def dirichlet_noise(
    priors: NDArray[np.float32],
    alpha: float | NDArray[np.float64] | None,
    fraction: float,
    rng: np.random.Generator,
) -> NDArray[np.float32]:
    """Mix Dirichlet noise into priors (float32[A]; legal moves are above 0).

    alpha: of each move, or float64[A], or None: 0.03 · 361 / legal moves.
    """
    legal = np.flatnonzero(priors > 0)
    if alpha is None:
        alpha = CONCENTRATION / len(legal)
    noise = rng.dirichlet(np.broadcast_to(alpha, priors.shape)[legal])
    mixed = priors.copy()
    mixed[legal] = (1 - fraction) * priors[legal] + fraction * noise
    return mixed


def shaped_alphas(priors: NDArray[np.float32]) -> NDArray[np.float64]:
    """KataGo's parameters float64[A], 0 where illegal: half even, half for the moves beyond the mean log prior."""
    legal = priors > 0
    logs = np.log(np.minimum(LIKED_AT_MOST, priors[legal].astype(np.float64)) + LEAST)
    beyond = np.maximum(0.0, logs - logs.mean())
    even = np.full(len(logs), 1.0 / len(logs))
    shares = even if beyond.sum() <= 0.0 else 0.5 * even + 0.5 * beyond / beyond.sum()
    alphas = np.zeros(len(priors))
    alphas[legal] = CONCENTRATION * shares
    return alphas


def tempered(priors: NDArray[np.float32], temperature: float) -> NDArray[np.float32]:
    """Priors ** (1 / temperature), summing to 1."""
    weights = (priors / priors.max()).astype(np.float64) ** (1.0 / temperature)
    shares: NDArray[np.float32] = (weights / weights.sum()).astype(np.float32)
    return shares
