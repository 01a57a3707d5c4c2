"""AlphaGo's two networks of 2016, the policy network of 13 layers and the value network of 15, and both in one.

Both begin alike: a 5x5 convolution, then 3x3 convolutions, each with a bias and ReLU, twelve in all; zero padding keeps
the board's size. No batch norm and no residual sums: the paper is older than their use in Go.

- *Policy*: a 1x1 convolution to one plane of logits. By default it has one bias for all points, so that no weight
  depends on the board size; with 192 filters and 48 planes that are 230,592 + 11 * 331,968 + 193 = 3,882,433
  parameters. (The course's article gives 3,633,792 for the middle layers, which should be 3,651,648.) The paper has
  "a different bias for each location": `point_bias=True`, for one board size.
- *Value*: a 1x1 convolution to one plane, a dense layer of 256 with ReLU, a dense layer to one number, tanh. The
  twelfth convolution is the paper's "additional convolution layer"; the thirteenth has no ReLU, as none is named.

Pass: the paper's policy has no output for it, as its training games had no passes. By default the logit of pass follows
the rule named in the spec, `pass_rule="mean"`: it is the mean of the points' logits. So pass is about as likely as a
point about which the network has no opinion, a search finds it when the better points are gone, and nothing is learned
for it. With `learn_pass` the logit of pass is a dense layer on the mean and maximum of the last hidden layer's filters.

*Both in one*, as AlphaGo Master had them, on the tower of 2016: the policy as above, so that it may start from a policy
network, and Zero's pooled value head with score and ownership (`move37.nets.zero`), which teach the tower more than the
result alone does. With ownership the value reads the mean of the foretold owners as well. The tower and that are ours;
Master's tower was Zero's.

Two options only help training, and `move37.nets.folding` undoes them without changing the function, so that the trained
network runs in the paper's shape: `norm` puts a batch norm after each convolution, `skip` adds each 3x3 layer's input
to its output before the ReLU (a filter with a one in its middle does the same; the idea is RepVGG's, arXiv:2101.03697).

Source: Silver et al., Nature 529 (2016), Methods, "Neural network architecture", and Extended Data Table 5 (192 filters
in matches; 128, 256 and 384 were tried). Builds descriptions only; training is elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.nets.graph import SPATIAL, Graph, Network, NetworkSpec
from move37.nets.ops import Add, BatchNorm, Concat, Conv2d, Dense, Flatten, GlobalPool, PointBias, Relu, Tanh
from move37.nets.zero import (
    MAX_FILTERS,
    POOLED_FILTERS,
    POOLINGS,
    Builder,
    initial_arrays,
    value_layers,
    with_score,
)

FILTERS = 192  # Methods: "the match version of AlphaGo used k = 192 filters"
CONVOLUTIONS = 12  # hidden layers 1 to 12
VALUE_HIDDEN = 256  # "hidden layer 14 is a fully connected linear layer with 256 rectifier units"
PASS_RULE = "mean"
TRAINED_PASS = "trained"
MAX_CONVOLUTIONS = 1000

Sizes = Sequence[int | tuple[int, int]]


def policy_network(
    *,
    sizes: Sizes,
    rng: np.random.Generator,
    filters: int = FILTERS,
    convolutions: int = CONVOLUTIONS,
    point_bias: bool = False,
    learn_pass: bool = False,
    norm: bool = False,
    skip: bool = False,
    encoder: str = "alphago48",
    planes: int = 48,
    komi_band: tuple[float, float] | None = None,
    rules: str = "chinese",
    name: str | None = None,
) -> Network:
    """A freshly initialised policy network, without a value.

    `sizes`: board sizes it is for, 9 meaning (9, 9); exactly one with `point_bias`. `convolutions`: before the last,
    which is 1x1. `learn_pass`, `norm` and `skip` as told above.
    `encoder` and its number of `planes` go into the spec, as do `komi_band`, `rules` and `name` (default
    like "alphago-policy-12x192"). Weights are He-normal from `rng`, biases 0. ConfigError for contradicting options.
    """
    board_sizes = _checked_sizes(sizes, one=point_bias, why="A bias for each point")
    _check_widths(convolutions, filters, 1)
    builder = Builder()
    trunk = _trunk(builder, planes, filters, convolutions, norm, skip)
    policy = _policy_head(builder, trunk, filters, board_sizes[0] if point_bias else None, learn_pass)
    spec = NetworkSpec(
        name=name or f"alphago-policy-{convolutions}x{filters}",
        encoder=encoder,
        planes=planes,
        board_sizes=board_sizes,
        komi_band=komi_band,
        rules=rules,
        pass_rule=TRAINED_PASS if learn_pass else PASS_RULE,
    )
    return _network(spec, builder, {"policy": policy}, rng)


def two_headed_network(
    *,
    sizes: Sizes,
    rng: np.random.Generator,
    filters: int = FILTERS,
    convolutions: int = CONVOLUTIONS,
    value_filters: int = POOLED_FILTERS,
    hidden: int = VALUE_HIDDEN,
    score: bool = False,
    ownership: bool = False,
    norm: bool = False,
    skip: bool = False,
    encoder: str = "alphago49",
    planes: int = 49,
    komi_band: tuple[float, float] | None = None,
    rules: str = "chinese",
    name: str | None = None,
) -> Network:
    """A freshly initialised network with both heads, no weight of which depends on the board size; its pass is learned.

    `value_filters`, `hidden`: of the value head. `score`, `ownership`: outputs besides, for the player to move as the
    value is. Otherwise as `policy_network`.
    """
    board_sizes = _checked_sizes(sizes, one=False, why="")
    _check_widths(convolutions, filters, hidden)
    _check_widths(convolutions, value_filters, hidden)
    builder = Builder()
    trunk = _trunk(builder, planes, filters, convolutions, norm, skip)
    policy = _policy_head(builder, trunk, filters, None, learn_pass=True)
    value = builder.conv_norm_relu("value", trunk, filters, value_filters, 1)
    inputs = builder.add("value_pool", GlobalPool(POOLINGS), value)
    numbers = value_filters * len(POOLINGS)
    outputs = {"policy": policy}
    if ownership:
        outputs["ownership"] = builder.add("ownership_conv", Conv2d(value_filters, 1, 1, bias=True), value)
        inputs = builder.add("value_inputs", Concat(), inputs, _owned(builder, outputs["ownership"]))
        numbers += 1
    outputs["value"] = value_layers(builder, inputs, numbers, hidden)
    graph = Graph(tuple(builder.nodes), outputs)
    graph = with_score(graph, hidden) if score else graph
    spec = NetworkSpec(
        name=name or f"alphago-{convolutions}x{filters}",
        encoder=encoder,
        planes=planes,
        board_sizes=board_sizes,
        komi_band=komi_band,
        rules=rules,
        pass_rule=TRAINED_PASS,
    )
    arrays = initial_arrays(graph, rng)
    for last in ("value_dense.weight", "score_dense.weight", "ownership_conv.weight"):
        if last in arrays:
            arrays[last][:] = 0.0  # it begins by knowing nothing, and sends no chance down a tower that knows something
    if ownership:
        _count_owned(arrays, board_sizes[0], rng)
    return Network(spec, graph, arrays)


def value_network(
    *,
    size: int | tuple[int, int],
    rng: np.random.Generator,
    filters: int = FILTERS,
    convolutions: int = CONVOLUTIONS,
    hidden: int = VALUE_HIDDEN,
    norm: bool = False,
    skip: bool = False,
    encoder: str = "alphago49",
    planes: int = 49,
    komi_band: tuple[float, float] | None = None,
    rules: str = "chinese",
    name: str | None = None,
) -> Network:
    """A freshly initialised value network, without a policy, for one board `size`; otherwise as `policy_network`."""
    board_sizes = _checked_sizes([size], one=True, why="The value network")
    _check_widths(convolutions, filters, hidden)
    rows, cols = board_sizes[0]
    builder = Builder()
    trunk = _trunk(builder, planes, filters, convolutions, norm, skip)
    value = builder.add("value_conv", Conv2d(filters, 1, 1, bias=not norm), trunk)
    if norm:
        value = builder.add("value_norm", BatchNorm(1), value)
    value = builder.add("value_points", Flatten(), value)
    value = builder.add("value_hidden", Dense(rows * cols, hidden), value)
    value = builder.add("value_relu", Relu(), value)
    value = builder.add("value_dense", Dense(hidden, 1), value)
    value = builder.add("value_tanh", Tanh(), value)
    spec = NetworkSpec(
        name=name or f"alphago-value-{convolutions}x{filters}",
        encoder=encoder,
        planes=planes,
        board_sizes=board_sizes,
        komi_band=komi_band,
        rules=rules,
    )
    return _network(spec, builder, {"value": value}, rng)


def _owned(builder: Builder, ownership: str) -> str:
    """The mean over the points of who will own them, in [-1, 1] for the player to move: the score by ownership."""
    return builder.add("value_owned_pool", GlobalPool(("mean",)), builder.add("value_owned", Tanh(), ownership))


def _count_owned(arrays: dict[str, NDArray[np.float32]], size: tuple[int, int], rng: np.random.Generator) -> None:
    """Let the hidden units begin by counting points owned, a side's length of the board being about 1.

    A mean over the board varies little, and weights great enough for it are learned late.
    """
    hidden = arrays["value_hidden.weight"]
    hidden[:, -1] = np.sqrt(size[0] * size[1]) * rng.standard_normal(len(hidden))


def _policy_head(builder: Builder, trunk: str, filters: int, biased: tuple[int, int] | None, learn_pass: bool) -> str:
    """Logits of the points, with a bias for each on a board of the size `biased`, and of the pass."""
    logits = builder.add("policy_conv", Conv2d(filters, 1, 1, bias=biased is None), trunk)
    if biased is not None:
        logits = builder.add("policy_bias", PointBias(*biased), logits)
    points = builder.add("policy_points", Flatten(), logits)
    if learn_pass:
        pooled = builder.add("policy_pooled", GlobalPool(("mean", "max")), trunk)
        passing = builder.add("policy_pass", Dense(2 * filters, 1), pooled)
    else:
        passing = builder.add("policy_pass", GlobalPool(("mean",)), logits)
    return builder.add("policy_logits", Concat(), points, passing)


def _trunk(builder: Builder, planes: int, filters: int, convolutions: int, norm: bool, skip: bool) -> str:
    trunk = SPATIAL
    for layer in range(1, convolutions + 1):
        first, name = layer == 1, f"layer{layer}"
        conv = Conv2d(planes if first else filters, filters, 5 if first else 3, bias=not norm)
        out = builder.add(f"{name}_conv", conv, trunk)
        if norm:
            out = builder.add(f"{name}_norm", BatchNorm(filters), out)
        if skip and not first:
            out = builder.add(f"{name}_sum", Add(), out, trunk)
        trunk = builder.add(f"{name}_relu", Relu(), out)
    return trunk


def _network(spec: NetworkSpec, builder: Builder, outputs: dict[str, str], rng: np.random.Generator) -> Network:
    graph = Graph(tuple(builder.nodes), outputs)
    return Network(spec, graph, initial_arrays(graph, rng))


def _checked_sizes(sizes: Sizes, *, one: bool, why: str) -> tuple[tuple[int, int], ...]:
    found = tuple((size, size) if isinstance(size, int) else size for size in sizes)
    if not found or any(not 1 <= side <= 19 for size in found for side in size):
        raise ConfigError(f"Board sizes are 1 to 19 and at least one is needed, not {list(found)}.")
    if one and len(found) != 1:
        raise ConfigError(f"{why} serves one board size; name one, not {len(found)}.")
    return found


def _check_widths(convolutions: int, filters: int, hidden: int) -> None:
    if not 1 <= convolutions <= MAX_CONVOLUTIONS:
        raise ConfigError(f"AlphaGo's networks have 1 to {MAX_CONVOLUTIONS} convolutions, not {convolutions}.")
    if not (1 <= filters <= MAX_FILTERS and 1 <= hidden <= MAX_FILTERS):
        raise ConfigError(f"A network has 1 to {MAX_FILTERS} filters and hidden units, not {filters} and {hidden}.")
