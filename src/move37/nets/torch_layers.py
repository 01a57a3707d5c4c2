"""The operations with parameters for which torch has no layer of our form, as modules; `torch_net` puts them to use.

Their parameters have the names and shapes of the operations in `ops`.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from move37.nets import ops


class RmsNormLayer(nn.Module):
    """`ops.RmsNorm`: float[B, C, H, W] stays. The mean of the squares is taken in float32 at least."""

    def __init__(self, op: ops.RmsNorm) -> None:
        super().__init__()
        self._axes = (1, 2, 3) if op.spatial else (1,)
        self._epsilon = op.epsilon
        self.weight = nn.Parameter(torch.ones(op.channels))
        self.bias = nn.Parameter(torch.zeros(op.channels)) if op.bias else None

    def forward(self, x: Tensor) -> Tensor:
        """Normalised `x`."""
        scale = torch.rsqrt(x.float().square().mean(dim=self._axes, keepdim=True) + self._epsilon)
        normed = x * scale.to(x.dtype) * self.weight[:, None, None]
        return normed if self.bias is None else normed + self.bias[:, None, None]


class PointBiasLayer(nn.Module):
    """`ops.PointBias`: float[B, C, H, W] stays."""

    def __init__(self, op: ops.PointBias) -> None:
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(op.rows, op.cols))

    def forward(self, x: Tensor) -> Tensor:
        """`x` with each point's number added."""
        return x + self.bias


class AttentionLayer(nn.Module):
    """`ops.Attention`: float[B, C, H, W] stays; the tokens are the points, row by row."""

    def __init__(self, op: ops.Attention) -> None:
        super().__init__()
        self._op = op
        for name, shape in op.parameter_shapes().items():
            self.register_parameter(name, nn.Parameter(torch.zeros(shape)))

    def forward(self, x: Tensor) -> Tensor:
        """What each point gathered from all."""
        op, parameters = self._op, self._parameters
        batch, channels, rows, cols = x.shape
        tokens = x.flatten(2).transpose(1, 2)

        def heads(name: str, count: int, size: int) -> Tensor:
            projected = functional.linear(tokens, _given(parameters[name]))
            return projected.view(batch, rows * cols, count, size).transpose(1, 2)

        query = heads("query", op.heads, op.key_size)
        key = heads("key", op.kv_heads, op.key_size)
        value = heads("value", op.kv_heads, op.value_size)
        share = op.heads // op.kv_heads
        if op.rotary:
            angles = _angles(_given(parameters["frequencies"]), rows, cols)
            key = _rotate(key, angles)
            query = _rotate(query, angles.repeat_interleave(share, dim=0))
        if share > 1:
            key, value = key.repeat_interleave(share, dim=1), value.repeat_interleave(share, dim=1)
        gathered = functional.scaled_dot_product_attention(query, key, value)
        joined = gathered.transpose(1, 2).reshape(batch, rows * cols, op.heads * op.value_size)
        out = functional.linear(joined, _given(parameters["out"]))
        return out.transpose(1, 2).reshape(batch, channels, rows, cols)


def _given(parameter: nn.Parameter | None) -> nn.Parameter:
    assert parameter is not None
    return parameter


def _angles(frequencies: Tensor, rows: int, cols: int) -> Tensor:
    """float32[kv_heads, points, pairs]: how far each pair of channels is turned at each point."""
    row = torch.arange(rows, device=frequencies.device, dtype=torch.float32).repeat_interleave(cols)
    col = torch.arange(cols, device=frequencies.device, dtype=torch.float32).repeat(rows)
    by_col, by_row = frequencies.float()[:, None].unbind(dim=3)
    return col[:, None] * by_col + row[:, None] * by_row


def _rotate(x: Tensor, angles: Tensor) -> Tensor:
    """`x` [B, heads, points, size] with its pairs of neighbouring channels turned."""
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    first, second = x[..., 0::2], x[..., 1::2]
    return torch.stack((first * cos - second * sin, first * sin + second * cos), dim=4).flatten(3)
