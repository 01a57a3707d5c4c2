"""The blocks of a KataGo trunk: residual ones (ordinary, global pooling, nested bottleneck) and a transformer's halves.

All are pre-activation: norm and activation come before each convolution, and the block's result is added to what came
in. Sources: Wu, Accelerating Self-Play Learning in Go, 2019 (global pooling); the nested bottlenecks and transformer
blocks are of the files' own description, as read in KataGo 1.17.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from move37.nets.katago_layers import MOST_CHANNELS, Array, LayerReader
from move37.nets.ops import Add, Attention, Conv2d, Dense, GlobalPool, Multiply, Silu

POOLINGS = ("mean", "mean_sized", "max")
MOST_BLOCKS = 2048
MOST_DEPTH = 4
"""Of blocks in blocks; published networks have two levels."""
MOST_HEADS = 1024


class BlockReader:
    """Reads blocks through `layers`; counts them, so that no file makes it read without end."""

    def __init__(self, layers: LayerReader) -> None:
        self._layers = layers
        self._left = MOST_BLOCKS
        self._kinds: dict[str, Callable[[str, str, int, int], str]] = {
            "ordinary_block": self._ordinary,
            "gpool_block": self._global_pooling,
            "nested_bottleneck_block": self._nested_bottleneck,
            "transformer_attention_block": self._attention,
            "transformer_ffn_block": self._feed_forward,
        }

    def blocks(self, prefix: str, count: int, source: str, channels: int, depth: int = 1) -> str:
        """`count` blocks named `prefix` and a number, each on the one before; returns the last node's name."""
        tokens = self._layers.tokens
        self._left -= count
        if self._left < 0:
            raise tokens.fail(f"a network should have at most {MOST_BLOCKS} blocks, but this one has more")
        for index in range(count):
            name = f"{prefix}{index}"
            kind = tokens.word(f"the kind of {name}")
            if kind not in self._kinds:
                known = ", ".join(self._kinds)
                raise tokens.fail(f"the kind of {name} should be one of {known}, but is {kind[:40]!r}")
            tokens.word(f"the name of {name}")
            source = self._kinds[kind](name, source, channels, depth)
        return source

    def _ordinary(self, name: str, source: str, channels: int, depth: int) -> str:
        layers = self._layers
        inner = layers.norm_activation(f"{name}_norm1", source, channels)
        inner, width = layers.conv(f"{name}_conv1", inner, channels)
        inner = layers.norm_activation(f"{name}_norm2", inner, width)
        return self._last_conv(name, inner, width, source, channels)

    def _global_pooling(self, name: str, source: str, channels: int, depth: int) -> str:
        layers = self._layers
        start = layers.norm_activation(f"{name}_norm1", source, channels)
        regular, width = layers.conv(f"{name}_conv1", start, channels)
        pooled, pooled_width = layers.conv(f"{name}_pool_conv", start, channels)
        pooled = layers.norm_activation(f"{name}_pool_norm", pooled, pooled_width)
        inner = pooled_bias(layers, name, pooled, pooled_width, regular, width)
        inner = layers.norm_activation(f"{name}_norm2", inner, width)
        return self._last_conv(name, inner, width, source, channels)

    def _nested_bottleneck(self, name: str, source: str, channels: int, depth: int) -> str:
        layers = self._layers
        if depth == MOST_DEPTH:
            raise layers.tokens.fail(f"{name} lies {depth} blocks deep; bottlenecks are nested less deeply than that")
        count = layers.tokens.whole(f"the number of blocks in {name}", 1, MOST_BLOCKS)
        inner = layers.norm_activation(f"{name}_norm1", source, channels)
        inner, width = layers.conv(f"{name}_conv1", inner, channels)
        inner = self.blocks(f"{name}_inner", count, inner, width, depth + 1)
        inner = layers.norm_activation(f"{name}_norm2", inner, width)
        return self._last_conv(name, inner, width, source, channels)

    def _last_conv(self, name: str, inner: str, width: int, source: str, channels: int) -> str:
        """The convolution back to the width of the trunk, added to it."""
        layers = self._layers
        conv, filters = layers.conv(f"{name}_conv2", inner, width)
        if filters != channels:
            raise layers.tokens.fail(f"{conv} should have {channels} filters as its trunk has, but has {filters}")
        return layers.add(f"{name}_sum", Add(), conv, source)

    def _attention(self, name: str, source: str, channels: int, depth: int) -> str:
        layers, tokens = self._layers, self._layers.tokens
        heads = tokens.whole(f"the number of heads of {name}", 1, MOST_HEADS)
        kv_heads = tokens.whole(f"the number of key and value heads of {name}", 1, heads)
        key_size = tokens.whole(f"the size of a key of {name}", 1, MOST_CHANNELS)
        value_size = tokens.whole(f"the size of a value of {name}", 1, MOST_CHANNELS)
        rotary = tokens.flag(f"whether {name} turns its keys")
        learned = tokens.flag(f"whether {name} has learned frequencies")
        if heads % kv_heads or (rotary and key_size % (2 if learned else 4)):
            raise tokens.fail(
                f"{name} should have heads that share keys evenly and keys of even size, "
                f"but has {heads} heads for {kv_heads} keys of size {key_size}"
            )
        normed = layers.rms_norm(f"{name}_norm", source, channels)
        arrays = {
            "query": layers.matrix(f"{name} queries", channels, heads * key_size),
            "key": layers.matrix(f"{name} keys", channels, kv_heads * key_size),
            "value": layers.matrix(f"{name} values", channels, kv_heads * value_size),
            "out": layers.matrix(f"{name} output", heads * value_size, channels),
        }
        if rotary:
            arrays["frequencies"] = self._frequencies(name, kv_heads, key_size // 2, learned)
        op = Attention(channels, heads, kv_heads, key_size, value_size, rotary)
        looked = layers.add(f"{name}_attention", op, normed, **arrays)
        return layers.add(f"{name}_sum", Add(), looked, source)

    def _frequencies(self, name: str, kv_heads: int, pairs: int, learned: bool) -> Array:
        """float32[kv_heads, pairs, 2]: by column and by row. Fixed ones turn half of the pairs by each."""
        layers, tokens = self._layers, self._layers.tokens
        tokens.word(f"the name of the frequencies of {name}")
        if learned:
            layers.size(f"the heads of the frequencies of {name}", kv_heads)
            layers.size(f"the pairs of the frequencies of {name}", pairs)
            layers.size(f"the axes of the frequencies of {name}", 2)
            block = tokens.numbers(f"the frequencies of {name}", kv_heads * pairs * 2)
            return block.reshape(kv_heads, pairs, 2)
        base = tokens.positive(f"the base of the frequencies of {name}")
        steps = base ** (-2.0 * np.arange(pairs // 2) / pairs)
        fixed = np.zeros((kv_heads, pairs, 2), np.float32)
        fixed[:, : pairs // 2, 1] = steps
        fixed[:, pairs // 2 :, 0] = steps
        return fixed

    def _feed_forward(self, name: str, source: str, channels: int, depth: int) -> str:
        layers, tokens = self._layers, self._layers.tokens
        layers.size(f"the channels of {name}", channels)
        width = layers.size(f"the inner width of {name}")
        if not tokens.flag(f"whether {name} is gated"):
            raise tokens.fail(f"{name} is a feed-forward block without a gate, a kind that is not known")
        normed = layers.rms_norm(f"{name}_norm", source, channels)
        first = self._by_point(f"{name}_linear1", normed, channels, width)
        gate = self._by_point(f"{name}_gate", normed, channels, width)
        first = layers.add(f"{name}_silu", Silu(), first)
        gated = layers.add(f"{name}_product", Multiply(), first, gate)
        second = self._by_point(f"{name}_linear2", gated, width, channels)
        return layers.add(f"{name}_sum", Add(), second, source)

    def _by_point(self, name: str, source: str, inputs: int, outputs: int) -> str:
        """A linear layer at each point, which is a 1x1 convolution."""
        weight = self._layers.matrix(name, inputs, outputs)[:, :, None, None]
        return self._layers.add(name, Conv2d(inputs, outputs, 1), source, weight=weight)


def pooled_bias(layers: LayerReader, name: str, pooled: str, pooled_width: int, source: str, channels: int) -> str:
    """`source` plus a linear function of what `pooled` holds over the whole board; nodes `name`_pool to _biased."""
    pool = layers.add(f"{name}_pool", GlobalPool(POOLINGS), pooled)
    weight = layers.matrix(f"{name}_pool_bias", len(POOLINGS) * pooled_width, channels)
    bias = layers.add(f"{name}_pool_bias", Dense(weight.shape[1], channels, bias=False), pool, weight=weight)
    return layers.add(f"{name}_biased", Add(), source, bias)
