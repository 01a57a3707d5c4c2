"""Small random KataGo networks of every kind of block, for `katago_files` to spell and `slow_katago` to run."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tests.support import katago_files as kf


class _Dice:
    """Random records; scales are chosen so that signals neither vanish nor explode."""

    def __init__(self, seed: int, version: int, activation: str) -> None:
        self.rng = np.random.default_rng(seed)
        self.version = version
        self.activation = activation

    def array(self, *shape: int, fan_in: int = 1) -> kf.Array:
        return np.asarray(self.rng.standard_normal(shape) / np.sqrt(fan_in), np.float32)

    def conv(self, kernel: int, channels: int, filters: int, dilation: int = 1) -> kf.Conv:
        return kf.Conv(self.array(kernel, kernel, channels, filters, fan_in=kernel**2 * channels), dilation)

    def matrix(self, inputs: int, outputs: int) -> kf.Matrix:
        return kf.Matrix(self.array(inputs, outputs, fan_in=inputs))

    def bias(self, outputs: int) -> kf.Bias:
        return kf.Bias(self.array(outputs))

    def norm(self, channels: int, scale: bool = True, bias: bool = True) -> kf.Norm:
        variance = self.rng.uniform(0.5, 1.5, channels).astype(np.float32)
        scales = self.rng.uniform(0.5, 1.5, channels).astype(np.float32) if scale else None
        biases = self.array(channels) if bias else None
        return kf.Norm(0.01, 0.3 * self.array(channels), variance, scales, biases)

    def rms(self, channels: int) -> kf.PointRmsNorm:
        return kf.PointRmsNorm(0.001, self.rng.uniform(0.5, 1.5, channels).astype(np.float32))

    def act(self) -> kf.Activation:
        return kf.Activation(self.activation)

    def block(self, kind: str, channels: int) -> kf.Block:
        """Kinds: ordinary, dilated, gpool, nested, attention, attention-fixed, attention-plain, ffn."""
        width = channels + 1
        match kind:
            case "ordinary" | "dilated":
                first = self.conv(3, channels, width, 2 if kind == "dilated" else 1)
                norms = self.norm(channels, scale=False), self.norm(width)
                return kf.Ordinary(norms[0], self.act(), first, norms[1], self.act(), self.conv(3, width, channels))
            case "gpool":
                return kf.GlobalPooling(
                    *(self.norm(channels), self.act(), self.conv(3, channels, width), self.conv(3, channels, 3)),
                    *(self.norm(3), self.act(), self.matrix(9, width)),
                    *(self.norm(width, bias=False), self.act(), self.conv(3, width, channels)),
                )
            case "nested":
                inner = [self.block(inner, 4) for inner in ("ordinary", "gpool")]
                convs = self.conv(1, channels, 4), self.conv(1, 4, channels)
                return kf.Nested(self.norm(channels), self.act(), convs[0], inner, self.norm(4), self.act(), convs[1])
            case "nested-attention":
                parts = [self.block(inner, 4) for inner in ("attention", "ffn")]
                convs = self.conv(1, channels, 4), self.conv(1, 4, channels)
                return kf.Nested(self.norm(channels), self.act(), convs[0], parts, self.norm(4), self.act(), convs[1])
            case "ffn":
                matrices = self.matrix(channels, 5), self.matrix(channels, 5), self.matrix(5, channels)
                return kf.FeedForward(self.rms(channels), *matrices)
            case "attention" | "attention-fixed" | "attention-plain":
                return self._attention(kind, channels)

            case _:
                raise ValueError(kind)

    def _attention(self, kind: str, channels: int) -> kf.Attention:
        heads, kv_heads, key, value = {"attention": (4, 2, 6, 3), "attention-fixed": (3, 3, 8, 5)}.get(
            kind, (2, 1, 3, 2)
        )
        rope: kf.Array | float | None = None
        if kind != "attention-plain":
            rope = 100.0 if kind == "attention-fixed" else self.array(kv_heads, key // 2, 2)
        query, keys, values = (self.matrix(channels, size) for size in (heads * key, kv_heads * key, kv_heads * value))
        out = self.matrix(heads * value, channels)
        return kf.Attention(heads, kv_heads, key, value, rope, self.rms(channels), query, keys, values, out)

    def policy(self, channels: int) -> kf.PolicyHead:
        outputs = {8: 1, 9: 1, 10: 1, 11: 1, 16: 4}.get(self.version, 2)
        hidden = self.version >= 15
        return kf.PolicyHead(
            *(self.conv(1, channels, 5), self.conv(1, channels, 4), self.norm(4), self.act(), self.matrix(12, 5)),
            *(self.norm(5), self.act(), self.conv(1, 5, outputs), self.matrix(12, 5 if hidden else outputs)),
            *((self.bias(5), self.act(), self.matrix(5, outputs)) if hidden else (None, None, None)),
        )

    def value(self, channels: int) -> kf.ValueHead:
        misc = 4 if self.version == 8 else 6
        return kf.ValueHead(
            *(self.conv(1, channels, 4), self.norm(4), self.act(), self.matrix(12, 7), self.bias(7), self.act()),
            *(self.matrix(7, 3), self.bias(3), self.matrix(7, misc), self.bias(misc), self.conv(1, 4, 1)),
        )


def random_katago_file(
    version: int,
    blocks: Sequence[str] = ("ordinary", "gpool"),
    activation: str = "RELU",
    tip: str = "batch",
    channels: int = 6,
    seed: int = 0,
) -> kf.KataGoFile:
    """A network of a format version. `tip`: "batch", "point" or "board", the norm at the trunk's end."""
    dice = _Dice(seed, version, activation)
    norm: kf.Norm | kf.TipRmsNorm = dice.norm(channels)
    if tip != "batch":
        norm = kf.TipRmsNorm(0.001, tip == "board", dice.array(channels), dice.array(channels))
    trunk = dice.conv(5 if version < 11 else 3, kf.PLANES, channels), dice.matrix(kf.GLOBALS, channels)
    inner = [dice.block(kind, channels) for kind in blocks]
    return kf.KataGoFile(version, *trunk, inner, norm, dice.act(), dice.policy(channels), dice.value(channels))
