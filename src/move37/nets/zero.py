"""AlphaGo Zero's two-headed residual network, and a variant whose weights serve every board size.

Tower: a 3x3 convolution, then residual blocks of two 3x3 convolutions, batch norm after each, ReLU after each and after
the sum. Source: Silver et al., Nature 550 (2017), Methods, "Neural network architecture" (there 256 filters, 19 or
39 blocks, value layer 256).

Heads:
- `head="paper"`: policy from two 1x1 filters and a dense layer to all actions; value from one 1x1 filter, a hidden
  dense layer and tanh. Dense layers see every point, so the weights serve one board size only.
- `head="pooled"`: no weight depends on the board size. Policy: `policy_filters` 1x1 filters (batch norm, ReLU), then a
  1x1 convolution to one plane of point logits; the pass logit is a dense layer on the mean, size-scaled mean and
  maximum of those filters over the board. Value: `value_filters` 1x1 filters pooled the same way, a hidden dense layer,
  tanh. Pooling is KataGo's idea (Wu 2019).

With `score` a third output foretells the points by which the game will be won ("score" in `graph.Graph`): a dense layer
on the value's hidden layer, as in KataGo's networks. DeepMind's papers have none. Two more of KataGo's (Wu 2019, 3.4
and 4.1), for pooled heads: `ownership`, a 1x1 convolution of the value's filters, and `opponent`, a second policy that
foretells the other side's next move; it only helps the trunk to learn, and `without_helpers` takes it off again.

An encoder that gives numbers beside planes (komi, say) has them added to the first convolution's filters by a dense
layer, as KataGo does.

Builds descriptions only; training is elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.nets.graph import GLOBALS, SPATIAL, Graph, Network, NetworkSpec, Node
from move37.nets.ops import Add, BatchNorm, Concat, Conv2d, Dense, Flatten, GlobalPool, Op, Relu, RmsNorm, Tanh
from move37.nets.tap import only

HEADS = ("paper", "pooled")
PAPER_POLICY_FILTERS = 2  # Methods: "a convolution of 2 filters of kernel size 1 x 1"
PAPER_VALUE_FILTERS = 1  # Methods: "a convolution of 1 filter of kernel size 1 x 1"
PAPER_VALUE_HIDDEN = 256  # Methods: "a fully connected linear layer to a hidden layer of size 256"
POOLED_FILTERS = 32
MAX_BLOCKS, MAX_FILTERS = 1000, 100_000
"""Far beyond any network that was ever trained: a slip of the pen is told before memory is asked for."""
POOLINGS = ("mean", "mean_sized", "max")


class Builder:
    """Collects nodes in order; each method returns the name of the last node it added."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []

    def add(self, name: str, op: Op, *inputs: str) -> str:
        """Add one node."""
        self.nodes.append(Node(name, op, inputs))
        return name

    def conv_norm(self, name: str, source: str, channels: int, filters: int, kernel: int) -> str:
        """A convolution and its batch norm, `name_conv` and `name_norm`."""
        conv = self.add(f"{name}_conv", Conv2d(channels, filters, kernel), source)
        return self.add(f"{name}_norm", BatchNorm(filters), conv)

    def conv_norm_relu(self, name: str, source: str, channels: int, filters: int, kernel: int) -> str:
        """The same with a ReLU, `name_relu`."""
        return self.add(f"{name}_relu", Relu(), self.conv_norm(name, source, channels, filters, kernel))

    def residual(self, name: str, source: str, filters: int) -> str:
        """A residual block of two 3x3 convolutions."""
        inner = self.conv_norm_relu(f"{name}a", source, filters, filters, 3)
        outer = self.conv_norm(f"{name}b", inner, filters, filters, 3)
        return self.add(f"{name}_relu", Relu(), self.add(f"{name}_sum", Add(), outer, source))


def zero_network(
    *,
    blocks: int,
    filters: int,
    sizes: Sequence[int | tuple[int, int]],
    rng: np.random.Generator,
    encoder: str = "zero17",
    planes: int = 17,
    globals_: int = 0,
    head: str = "paper",
    policy_filters: int | None = None,
    value_filters: int | None = None,
    value_hidden: int = PAPER_VALUE_HIDDEN,
    score: bool = False,
    ownership: bool = False,
    opponent: bool = False,
    komi_band: tuple[float, float] | None = None,
    rules: str = "tromp-taylor",
    name: str | None = None,
) -> Network:
    """A freshly initialised two-headed residual network.

    `sizes`: board sizes it is for, 9 meaning (9, 9); exactly one for `head="paper"`. `encoder` and its numbers of
    `planes` and `globals_` go into the spec, as do `komi_band`, `rules` and `name` (default like "zero-6x64").
    `policy_filters` and `value_filters` default to the paper's 2 and 1, or to 32 and 32 with pooled heads; `score`,
    `ownership` and `opponent` add those outputs. Weights are He-normal from `rng`, biases and the score's layer 0.
    ConfigError for contradicting options.
    """
    board_sizes = tuple((size, size) if isinstance(size, int) else size for size in sizes)
    _check(blocks, filters, (policy_filters, value_filters, value_hidden), board_sizes, head)
    if head == "paper" and (ownership or opponent):
        raise ConfigError('Ownership and the opponent\'s policy need head="pooled".')
    shape = (blocks, filters, planes, policy_filters, value_filters, value_hidden)
    numbers = {"globals_": globals_}
    graph = paper_graph(*shape, size=board_sizes[0], **numbers) if head == "paper" else pooled_graph(*shape, **numbers)
    graph = with_score(graph, value_hidden) if score else graph
    graph = with_ownership(graph, value_filters or POOLED_FILTERS) if ownership else graph
    graph = with_opponent(graph, policy_filters or POOLED_FILTERS) if opponent else graph
    spec = NetworkSpec(
        name=name or f"zero-{blocks}x{filters}",
        encoder=encoder,
        planes=planes,
        globals=globals_,
        board_sizes=board_sizes,
        komi_band=komi_band,
        rules=rules,
    )
    arrays = initial_arrays(graph, rng)
    if score:
        arrays["score_dense.weight"][:] = 0.0  # an even game to begin with: its first errors are points, not units
    return Network(spec, graph, arrays)


def paper_graph(
    blocks: int,
    filters: int,
    planes: int,
    policy_filters: int | None = None,
    value_filters: int | None = None,
    value_hidden: int = PAPER_VALUE_HIDDEN,
    *,
    size: tuple[int, int],
    globals_: int = 0,
) -> Graph:
    """The paper's network for one board size; widths that are None are the paper's. Checks nothing."""
    builder = Builder()
    trunk = _tower(builder, blocks, filters, planes, globals_)
    widths = (policy_filters or PAPER_POLICY_FILTERS, value_filters or PAPER_VALUE_FILTERS)
    outputs = _paper_heads(builder, trunk, filters, size, widths, value_hidden)
    return Graph(tuple(builder.nodes), outputs)


def pooled_graph(
    blocks: int,
    filters: int,
    planes: int,
    policy_filters: int | None,
    value_filters: int | None,
    value_hidden: int,
    globals_: int = 0,
) -> Graph:
    """The network with pooled heads, for every board size; widths that are None are 32. Checks nothing."""
    builder = Builder()
    trunk = _tower(builder, blocks, filters, planes, globals_)
    widths = (policy_filters or POOLED_FILTERS, value_filters or POOLED_FILTERS)
    outputs = _pooled_heads(builder, trunk, filters, widths, value_hidden)
    return Graph(tuple(builder.nodes), outputs)


def with_score(graph: Graph, value_hidden: int) -> Graph:
    """`graph` with the output "score", read off its value's hidden layer of `value_hidden` units."""
    dense = Node("score_dense", Dense(value_hidden, 1), ("value_hidden_relu",))
    return Graph((*graph.nodes, dense), {**graph.outputs, "score": dense.name})


def with_ownership(graph: Graph, filters: int) -> Graph:
    """`graph`, whose pooled value has so many filters, with the output "ownership", read off them point by point."""
    conv = Node("ownership_conv", Conv2d(filters, 1, 1, bias=True), ("value_relu",))
    return Graph((*graph.nodes, conv), {**graph.outputs, "ownership": conv.name})


def with_opponent(graph: Graph, filters: int) -> Graph:
    """`graph`, whose pooled policy has so many filters, with the output "opponent", read off them as the policy is."""
    builder = Builder()
    logits = _pooled_policy(builder, "opponent", "policy_relu", filters)
    return Graph((*graph.nodes, *builder.nodes), {**graph.outputs, "opponent": logits})


def without_helpers(network: Network) -> Network:
    """`network` without the output "opponent", which nobody asks a network that plays."""
    return only(network, [name for name in network.graph.outputs if name != "opponent"])


def _tower(builder: Builder, blocks: int, filters: int, planes: int, globals_: int = 0) -> str:
    if globals_:
        planes_sum = builder.add("input_conv", Conv2d(planes, filters, 3), SPATIAL)
        numbers = builder.add("input_globals", Dense(globals_, filters, bias=False), GLOBALS)
        both = builder.add("input_sum", Add(), planes_sum, numbers)
        trunk = builder.add("input_relu", Relu(), builder.add("input_norm", BatchNorm(filters), both))
    else:
        trunk = builder.conv_norm_relu("input", SPATIAL, planes, filters, 3)
    for block in range(blocks):
        trunk = builder.residual(f"block{block}", trunk, filters)
    return trunk


def initial_arrays(graph: Graph, rng: np.random.Generator) -> dict[str, NDArray[np.float32]]:
    """Starting arrays by name: weights He-normal (He et al. 2015, deviation sqrt(2 / fan-in)), norms neutral."""
    arrays: dict[str, NDArray[np.float32]] = {}
    for node in graph.nodes:
        for name, shape in node.parameter_shapes().items():
            if isinstance(node.op, BatchNorm | RmsNorm):
                arrays[name] = np.full(shape, 1.0 if name.endswith((".weight", ".variance")) else 0.0, np.float32)
            elif len(shape) > 1:
                deviation = np.sqrt(2.0 / np.prod(shape[1:]))
                arrays[name] = (rng.standard_normal(shape) * deviation).astype(np.float32)
            else:
                arrays[name] = np.zeros(shape, np.float32)
    return arrays


def _check(
    blocks: int, filters: int, widths: tuple[int | None, ...], sizes: tuple[tuple[int, int], ...], head: str
) -> None:
    if head not in HEADS:
        raise ConfigError(f"There is no head {head!r}; choose one of {', '.join(HEADS)}.")
    if not (0 <= blocks <= MAX_BLOCKS and 1 <= filters <= MAX_FILTERS):
        raise ConfigError(
            f"A network has 0 to {MAX_BLOCKS} blocks and 1 to {MAX_FILTERS} filters, not {blocks} and {filters}."
        )
    if not all(width is None or 1 <= width <= MAX_FILTERS for width in widths):
        raise ConfigError(f"The heads of a network have 1 to {MAX_FILTERS} filters and hidden units, not {widths}.")
    if not sizes or any(not (1 <= side <= 19) for size in sizes for side in size):
        raise ConfigError(f"Board sizes are 1 to 19 and at least one is needed, not {list(sizes)}.")
    if head == "paper" and len(sizes) != 1:
        raise ConfigError('The paper\'s heads serve one board size; use head="pooled" for several.')


def _paper_heads(
    builder: Builder, trunk: str, filters: int, size: tuple[int, int], widths: tuple[int, int], hidden: int
) -> dict[str, str]:
    points = size[0] * size[1]
    policy = builder.conv_norm_relu("policy", trunk, filters, widths[0], 1)
    policy = builder.add("policy_flat", Flatten(), policy)
    policy = builder.add("policy_dense", Dense(widths[0] * points, points + 1), policy)
    value = builder.conv_norm_relu("value", trunk, filters, widths[1], 1)
    value = builder.add("value_flat", Flatten(), value)
    return {"policy": policy, "value": value_layers(builder, value, widths[1] * points, hidden)}


def _pooled_heads(builder: Builder, trunk: str, filters: int, widths: tuple[int, int], hidden: int) -> dict[str, str]:
    policy = builder.conv_norm_relu("policy", trunk, filters, widths[0], 1)
    logits = _pooled_policy(builder, "policy", policy, widths[0])
    value = builder.conv_norm_relu("value", trunk, filters, widths[1], 1)
    value = builder.add("value_pool", GlobalPool(POOLINGS), value)
    return {"policy": logits, "value": value_layers(builder, value, widths[1] * len(POOLINGS), hidden)}


def _pooled_policy(builder: Builder, name: str, source: str, filters: int) -> str:
    """Logits of the points and the pass, from so many filters."""
    points = builder.add(f"{name}_points_conv", Conv2d(filters, 1, 1, bias=True), source)
    points = builder.add(f"{name}_points", Flatten(), points)
    pooled = builder.add(f"{name}_pool", GlobalPool(POOLINGS), source)
    passing = builder.add(f"{name}_pass", Dense(filters * len(POOLINGS), 1), pooled)
    return builder.add(f"{name}_logits", Concat(), points, passing)


def value_layers(builder: Builder, source: str, inputs: int, hidden: int) -> str:
    """A hidden dense layer, `value_hidden_relu`, and the value read off it."""
    value = builder.add("value_hidden", Dense(inputs, hidden), source)
    value = builder.add("value_hidden_relu", Relu(), value)
    value = builder.add("value_dense", Dense(hidden, 1), value)
    return builder.add("value_tanh", Tanh(), value)
