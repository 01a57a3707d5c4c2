"""The two heads of a KataGo network: where to play, and how the game stands.

Of the policy's channels only those that a search uses become nodes (the policy and the optimistic policy), each its own
small layer; those for Q values are read and dropped. Outputs are raw: `katago_outputs` gives them their meaning.
"""

from __future__ import annotations

from move37.nets.katago_blocks import POOLINGS, pooled_bias
from move37.nets.katago_layers import Array, LayerReader
from move37.nets.ops import Concat, Conv2d, Dense, Flatten, GlobalPool

VALUE_POOLINGS = ("mean", "mean_sized", "mean_sized_squared")
SHORTTERM_ERRORS = 9
"""The first format version whose networks foresee the errors of their own values."""
OPTIMISM = 12
HIDDEN_PASS = 15
Q_VALUES = 16
TOLD_CHANNELS = 17


def read_policy_head(layers: LayerReader, trunk: str, channels: int) -> dict[str, str]:
    """The policy head's nodes; returns {"policy": …} and, from format version 12 on, "optimistic"."""
    tokens = layers.tokens
    tokens.word("the name of the policy head")
    outputs = _policy_channels(layers)
    points, width = layers.conv("policy_conv1", trunk, channels)
    pooled, pooled_width = layers.conv("policy_pool_conv", trunk, channels)
    pooled = layers.norm_activation("policy_pool_norm", pooled, pooled_width)
    points = pooled_bias(layers, "policy", pooled, pooled_width, points, width)
    points = layers.norm_activation("policy_norm1", points, width)
    point_weight, _ = layers.kernel("policy_conv2", width)
    if point_weight.shape != (outputs, width, 1, 1):
        raise tokens.fail(f"policy_conv2 should have {outputs} filters of size 1x1, but has {point_weight.shape[0]}")
    source, pass_weight = _pass_weights(layers, len(POOLINGS) * pooled_width, width, outputs)
    names = ("policy", "optimistic")[:outputs]
    return {
        name: _logits(layers, name, (points, source), point_weight[i : i + 1], pass_weight[i : i + 1])
        for i, name in enumerate(names)
    }


def _policy_channels(layers: LayerReader) -> int:
    if layers.version < TOLD_CHANNELS:
        return 1 if layers.version < OPTIMISM else 2 if layers.version < Q_VALUES else 4
    outputs = layers.tokens.whole("the number of policy channels", 2, 4)
    if outputs == 3:
        raise layers.tokens.fail("the number of policy channels should be 2 or 4, but is 3")
    layers.tokens.zeros("the policy head", 3)
    return outputs


def _pass_weights(layers: LayerReader, inputs: int, width: int, outputs: int) -> tuple[str, Array]:
    """The node that the logits of pass are linear in, and their weights float32[outputs, its width]."""
    if layers.version < HIDDEN_PASS:
        return "policy_pool", layers.matrix("policy_pass", inputs, outputs)
    weight = layers.matrix("policy_pass_hidden", inputs, width)
    bias = layers.bias("policy_pass_hidden", width)
    hidden = layers.add("policy_pass_hidden", Dense(inputs, width), "policy_pool", weight=weight, bias=bias)
    hidden = layers.activation("policy_pass", hidden)
    return hidden, layers.matrix("policy_pass", width, outputs)


def _logits(layers: LayerReader, name: str, sources: tuple[str, str], points: Array, passing: Array) -> str:
    """The logits of one policy: of the points by a convolution, of pass by a dense layer."""
    plane = layers.add(f"{name}_points_conv", Conv2d(points.shape[1], 1, 1), sources[0], weight=points)
    flat = layers.add(f"{name}_points", Flatten(), plane)
    dense = Dense(passing.shape[1], 1, bias=False)
    last = layers.add(f"{name}_pass", dense, sources[1], weight=passing)
    return layers.add(f"{name}_logits", Concat(), flat, last)


def read_value_head(layers: LayerReader, trunk: str, channels: int) -> dict[str, str]:
    """The value head's nodes; returns "value_logits", "misc" and "ownership"."""
    layers.tokens.word("the name of the value head")
    if layers.version >= TOLD_CHANNELS:
        layers.tokens.zeros("the value head", 3)
    points, width = layers.conv("value_conv1", trunk, channels)
    points = layers.norm_activation("value_norm1", points, width)
    pooled = layers.add("value_pool", GlobalPool(VALUE_POOLINGS), points)
    hidden = _dense(layers, "value_hidden", pooled, len(VALUE_POOLINGS) * width)
    hidden_width = len(layers.arrays[f"{hidden}.bias"])
    hidden = layers.activation("value_hidden", hidden)
    misc = 4 if layers.version < SHORTTERM_ERRORS else 6
    outputs = {
        "value_logits": _dense(layers, "value_logits", hidden, hidden_width, 3),
        "misc": _dense(layers, "misc", hidden, hidden_width, misc),
    }
    ownership, filters = layers.conv("ownership", points, width)
    if filters != 1:
        raise layers.tokens.fail(f"ownership should be one plane, but is {filters}")
    return outputs | {"ownership": ownership}


def _dense(layers: LayerReader, name: str, source: str, inputs: int, outputs: int | None = None) -> str:
    weight = layers.matrix(name, inputs, outputs)
    bias = layers.bias(name, len(weight))
    return layers.add(name, Dense(inputs, len(weight)), source, weight=weight, bias=bias)
