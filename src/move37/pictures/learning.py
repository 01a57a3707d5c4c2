"""What learning sees: a batch of examples with its loss (concept picture D3), and the policy gradient (H4).

Nothing is trained here: losses and gradients are those of the softmax, computed from the policy's own probabilities.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.pictures.boards import board_panel, percent, values_overlay
from move37.pictures.drawing import GAP, Picture, box, grid, signed
from move37.pictures.heatmap import heatmap_picture, legal_policy
from move37.rules.board_svg import CELL, Frame
from move37.rules.position import Position
from move37.search.evaluator import Evaluator

__all__ = ["Example", "batch_picture", "cross_entropy", "gradient_picture", "logit_gradient", "stepped"]


@dataclass(frozen=True)
class Example:
    """A position and the move that was played there, a point or rows * cols for a pass."""

    position: Position
    move: int


def cross_entropy(policy: NDArray[np.float64], move: int) -> float:
    """−ln of the probability float64[A] gives to the move: the loss of one example."""
    return -float(np.log(max(float(policy[move]), 1e-12)))


def batch_picture(
    evaluator: Evaluator, examples: Sequence[Example], *, columns: int = 4, heading: str = "", caption: str = ""
) -> Picture:
    """A training batch: each position with the move of the record, its probability and its loss; and the mean loss."""
    panels: list[Picture] = []
    losses: list[float] = []
    right = 0
    for example in examples:
        policy = legal_policy(evaluator, example.position)
        losses.append(cross_entropy(policy, example.move))
        right += int(policy.argmax()) == example.move
        panels.append(_example(example, policy, losses[-1]))
    told = caption or (
        f"loss of the batch: {np.mean(losses):.3f} = mean of −ln p(target); {right} of {len(examples)} targets are the "
        "policy’s first choice"
        if losses
        else "there are no examples"
    )
    title = heading or "Supervised learning: a batch and its loss (targets are framed)"
    return grid("A training batch", panels, columns, heading=title, caption=told)


def _example(example: Example, policy: NDArray[np.float64], loss: float) -> Picture:
    position = example.position
    told = f"{position.vertex(example.move)}: p = {percent(float(policy[example.move]))} %, loss {loss:.2f}"
    points = policy[:-1].reshape(position.rows, position.cols)
    heat = values_overlay(points, position.stones, words=percent, least=0.2)

    def drawn(frame: Frame) -> Iterable[str]:
        yield from heat(frame)
        if example.move < position.rows * position.cols:
            x, y = frame.xy(example.move)
            side = CELL * 1.06
            look = ' fill="none" stroke="#1f4fb0" stroke-width="4"'
            yield box(x - side / 2, y - side / 2, side, side, "target", more=look, hover=told)

    return board_panel(
        position.stones, told, last=position.last_move, overlay=drawn, coordinates=False, width=210, caption=told
    )


def logit_gradient(policy: NDArray[np.float64], move: int, outcome: float) -> NDArray[np.float64]:
    """float64[A]: outcome · ∇ log π(move) by the logits, which is outcome · (onehot(move) − π) for a softmax."""
    gradient = -outcome * policy
    gradient[move] += outcome
    return gradient


def stepped(policy: NDArray[np.float64], gradient: NDArray[np.float64], rate: float) -> NDArray[np.float64]:
    """The policy float64[A] after its logits went `rate` along the gradient; what was 0 stays 0."""
    weight = policy * np.exp(rate * gradient)
    return weight / float(weight.sum())


def gradient_picture(
    policy: NDArray[np.float64],
    position: Position,
    move: int | None = None,
    *,
    rate: float = 2.0,
    heading: str = "",
    caption: str = "",
) -> Picture:
    """REINFORCE at one move (default: the likeliest): the policy, its gradient, and the policy after a step.

    One row if the game was won, one if it was lost. ConfigError for a move of probability 0.
    """
    chosen = int(policy.argmax()) if move is None else move
    if policy[chosen] <= 0:
        raise ConfigError(f"the policy never plays {position.vertex(chosen)} here, so it has no gradient")
    rows: list[Picture] = []
    for outcome, word in ((1.0, "won: z = +1"), (-1.0, "lost: z = −1")):
        gradient = logit_gradient(policy, chosen, outcome)
        after = stepped(policy, gradient, rate)
        rows += [
            heatmap_picture(policy, position, width=300, heading=f"π, then {position.vertex(chosen)} is played"),
            _gradient(gradient, position, chosen, word),
            heatmap_picture(after, position, width=300, heading=f"π after a step of {rate:g}"),
        ]
    title = heading or "Policy gradient: what was played in won games becomes likelier"
    told = caption or "∇J = E[ Σ ∇ log π(a|s) · z ]; for a softmax the gradient by the logits is z · (onehot(a) − π)."
    return grid("Policy gradient", rows, 3, heading=title, caption=told, gap=1.5 * GAP)


def _gradient(gradient: NDArray[np.float64], position: Position, move: int, word: str) -> Picture:
    points = gradient[:-1].reshape(position.rows, position.cols)
    overlay = values_overlay(points, position.stones, words=signed, least=0.05)
    here, passing = signed(float(gradient[move])), signed(float(gradient[-1]), ".3f")
    told = f"{position.vertex(move)} {here}, pass {passing}; red up, blue down"
    return board_panel(
        position.stones, "gradient", overlay=overlay, width=300, heading=f"the game was {word}", caption=told
    )
