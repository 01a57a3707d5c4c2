"""What a made-up KataGo file answers, in plain float64 and in the file's own order of axes: an oracle for the loader.

Arrays of points are [y, x, channel], of one position.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tests.support import katago_files as kf

Array = NDArray[np.float64]


def outputs(file: kf.KataGoFile, planes: NDArray[np.float32], globals_: NDArray[np.float32]) -> dict[str, Array]:
    """Raw outputs for planes [C, H, W] and globals [G] of one position, by our names."""
    x = _conv(file.conv, planes.transpose(1, 2, 0).astype(np.float64)) + globals_ @ file.matrix.weight
    for block in file.blocks:
        x = x + _block(block, x)
    tip = file.tip
    x = _norm(tip, x) if isinstance(tip, kf.Norm) else _tip(tip, x)
    x = _act(file.tip_act, x)
    return _policy(file.policy, x) | _value(file.value, x)


def _conv(conv: kf.Conv, x: Array) -> Array:
    rows, cols, _ = x.shape
    kernel, _, _, filters = conv.weight.shape
    out = np.zeros((rows, cols, filters))
    for row in range(rows):
        for col in range(cols):
            for i in range(kernel):
                for j in range(kernel):
                    y, z = row + (i - kernel // 2) * conv.dilation, col + (j - kernel // 2) * conv.dilation
                    if 0 <= y < rows and 0 <= z < cols:
                        out[row, col] += x[y, z] @ conv.weight[i, j]
    return out


def _norm(norm: kf.Norm, x: Array) -> Array:
    scaled = (x - norm.mean) / np.sqrt(norm.variance.astype(np.float64) + norm.epsilon)
    scaled = scaled if norm.scale is None else scaled * norm.scale
    return scaled if norm.bias is None else scaled + norm.bias


def _act(act: kf.Activation, x: Array) -> Array:
    match act.kind:
        case "RELU":
            return np.maximum(x, 0.0)
        case "MISH":
            return np.asarray(x * np.tanh(np.log1p(np.exp(x))))
        case "SILU":
            return np.asarray(x / (1.0 + np.exp(-x)))
        case _:
            return x


def _tip(tip: kf.TipRmsNorm, x: Array) -> Array:
    square = np.mean(x**2) if tip.spatial else np.mean(x**2, axis=2, keepdims=True)
    return np.asarray(x / np.sqrt(square + tip.epsilon) * tip.gamma + tip.beta)


def _pool(x: Array) -> Array:
    mean = x.mean(axis=(0, 1))
    size = np.sqrt(x.shape[0] * x.shape[1])
    return np.concatenate([mean, mean * (size - 14) * 0.1, x.max(axis=(0, 1))])


def _block(block: kf.Block, x: Array) -> Array:
    """What the block adds to `x`."""
    match block:
        case kf.Ordinary():
            y = _conv(block.conv1, _act(block.act1, _norm(block.norm1, x)))
            return _conv(block.conv2, _act(block.act2, _norm(block.norm2, y)))
        case kf.GlobalPooling():
            z = _act(block.act1, _norm(block.norm1, x))
            g = _act(block.pool_act, _norm(block.pool_norm, _conv(block.pool_conv, z)))
            y = _conv(block.regular, z) + _pool(g) @ block.pool_matrix.weight
            return _conv(block.conv2, _act(block.act2, _norm(block.norm2, y)))
        case kf.Nested():
            y = _conv(block.conv1, _act(block.act1, _norm(block.norm1, x)))
            for inner in block.inner:
                y = y + _block(inner, y)
            return _conv(block.conv2, _act(block.act2, _norm(block.norm2, y)))
        case kf.FeedForward():
            z = _rms(block.norm, x)
            first = z @ block.linear1.weight
            return np.asarray((first / (1 + np.exp(-first)) * (z @ block.gate.weight)) @ block.linear2.weight)
        case kf.Attention():
            return _attention(block, x)


def _rms(norm: kf.PointRmsNorm, x: Array) -> Array:
    return np.asarray(x / np.sqrt(np.mean(x**2, axis=2, keepdims=True) + norm.epsilon) * norm.weight)


def _attention(block: kf.Attention, x: Array) -> Array:
    rows, cols, _ = x.shape
    z = _rms(block.norm, x)
    query = (z @ block.query.weight).reshape(rows, cols, block.heads, block.key_size)
    key = (z @ block.key.weight).reshape(rows, cols, block.kv_heads, block.key_size)
    value = (z @ block.value.weight).reshape(rows, cols, block.kv_heads, block.value_size)
    found = np.zeros((rows, cols, block.heads, block.value_size))
    for head in range(block.heads):
        shared = head // (block.heads // block.kv_heads)
        for y, x_ in np.ndindex(rows, cols):
            asked = _turned(block, query[y, x_, head], shared, y, x_)
            scores = np.array(
                [[asked @ _turned(block, key[i, j, shared], shared, i, j) for j in range(cols)] for i in range(rows)]
            )
            weights = np.exp(scores / np.sqrt(block.key_size))
            found[y, x_, head] = np.einsum("ij,ijv->v", weights / weights.sum(), value[:, :, shared])
    return np.asarray(found.reshape(rows, cols, -1) @ block.out.weight)


def _turned(block: kf.Attention, vector: Array, head: int, y: int, x: int) -> Array:
    if block.rope is None:
        return vector
    turned = vector.copy()
    pairs = block.key_size // 2
    for pair in range(pairs):
        if isinstance(block.rope, np.ndarray):
            angle = x * float(block.rope[head, pair, 0]) + y * float(block.rope[head, pair, 1])
        else:
            step = pair if pair < pairs // 2 else pair - pairs // 2
            angle = (y if pair < pairs // 2 else x) * block.rope ** (-2 * step / pairs)
        a, b = vector[2 * pair], vector[2 * pair + 1]
        turned[2 * pair] = a * np.cos(angle) - b * np.sin(angle)
        turned[2 * pair + 1] = a * np.sin(angle) + b * np.cos(angle)
    return turned


def _policy(head: kf.PolicyHead, x: Array) -> dict[str, Array]:
    g = _pool(_act(head.pool_act, _norm(head.pool_norm, _conv(head.pool_conv, x))))
    p = _conv(head.conv1, x) + g @ head.pool_matrix.weight
    points = _conv(head.conv2, _act(head.act1, _norm(head.norm1, p)))
    passing = g @ head.pass1.weight
    if head.pass_bias and head.pass_act and head.pass2:
        passing = _act(head.pass_act, passing + head.pass_bias.values) @ head.pass2.weight
    logits = np.concatenate([points.reshape(-1, points.shape[2]), passing[None]])
    return {name: logits[:, i] for i, name in enumerate(("policy", "optimistic")[: logits.shape[1]])}


def _value(head: kf.ValueHead, x: Array) -> dict[str, Array]:
    v = _act(head.act1, _norm(head.norm1, _conv(head.conv1, x)))
    mean = v.mean(axis=(0, 1))
    away = np.sqrt(v.shape[0] * v.shape[1]) - 14
    pooled = np.concatenate([mean, mean * away * 0.1, mean * (away**2 * 0.01 - 0.1)])
    hidden = _act(head.act2, np.asarray(pooled @ head.hidden.weight + head.hidden_bias.values, np.float64))
    return {
        "value_logits": hidden @ head.value.weight + head.value_bias.values,
        "misc": hidden @ head.misc.weight + head.misc_bias.values,
        "ownership": _conv(head.ownership, v).transpose(2, 0, 1),
    }
