"""Policies, symmetries, losses, gradients, filters and activations, against plain arithmetic and the slow network."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.errors import ConfigError
from move37.evaluators.network import NetworkEvaluator
from move37.features.encoder import encode
from move37.features.rollout_policy import RolloutPolicy
from move37.nets.graph import Graph, Network
from move37.nets.tap import TAPPED, tap
from move37.pictures.filters import (
    activations,
    activations_picture,
    convolution_picture,
    filters_picture,
    patches_at,
    plane_layers,
)
from move37.pictures.heatmap import heatmap_picture, legal_policy, stages_picture, symmetries_picture, turned_policies
from move37.pictures.learning import (
    Example,
    batch_picture,
    cross_entropy,
    gradient_picture,
    logit_gradient,
    stepped,
)
from move37.pictures.patterns import patterns_picture, shape_cells
from move37.rules import symmetry
from move37.rules.board_kernels import WALL
from move37.rules.position import Position
from move37.search.evaluator import ConstantEvaluator
from tests.support import slow_network
from tests.support.drawings import classes, hovers, parsed, stones, words
from tests.support.networks import StonesEvaluator, small_network
from tests.support.positions import turned
from tests.support.rollout_policies import empty_policy, policy_of

POSITION = Position.from_moves(["C3", "D3", "C4", "B2"], size=5, komi=7)


def test_the_policy_is_a_softmax_over_legal_moves_at_a_temperature() -> None:
    logits = StonesEvaluator().evaluate(POSITION.board_array).policy[0].astype(np.float64)
    weight = np.where(POSITION.legal_mask(), np.exp(logits / 2), 0.0)
    assert legal_policy(StonesEvaluator(), POSITION, 2.0) == pytest.approx(weight / weight.sum(), abs=1e-6)
    for wrong in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(ConfigError, match="a temperature is a number above 0"):
            legal_policy(StonesEvaluator(), POSITION, wrong)


def test_a_heat_map_tells_every_probability() -> None:
    policy = np.zeros(26)
    policy[0], policy[24], policy[25] = 0.5, 0.25, 0.25
    picture = heatmap_picture(policy, POSITION)
    assert hovers(picture) == ["A5 50", "E1 25"]
    assert words(picture)[-1] == "A5 50 %, pass 25 %, entropy 1.5 bits"
    assert stones(picture) == {"black": 2, "white": 2}


def test_stages_have_a_column_a_position_and_a_row_a_temperature() -> None:
    picture = stages_picture(ConstantEvaluator(), [POSITION, Position(5)], [0.5, 2.0])
    headings = [one for one in words(picture) if one.startswith("after")]
    assert headings == [f"after {n} moves, temperature {t}" for t in ("0.5", "2") for n in (4, 0)]


def test_turned_policies_are_those_of_the_turned_games() -> None:
    evaluator = StonesEvaluator()
    raw, back = turned_policies(evaluator, POSITION)
    for s in symmetry.SYMMETRIES:
        assert raw[s] == pytest.approx(legal_policy(evaluator, turned(POSITION, s)), abs=1e-6)
        assert back[s] == pytest.approx(symmetry.apply_policy(symmetry.inverse(s), raw[s], 5, 5))
    oblong = turned_policies(evaluator, Position(rows=3, cols=5))
    assert oblong[0].shape == (4, 16)


def test_the_mean_of_the_symmetries_is_drawn() -> None:
    _, back = turned_policies(StonesEvaluator(), POSITION)
    picture = symmetries_picture(StonesEvaluator(), POSITION)
    assert stones(picture) == {"black": 17 * 2, "white": 17 * 2}
    best = int(back.mean(axis=0).argmax())
    assert any(one.startswith(f"{POSITION.vertex(best)} ") for one in words(picture))


# --------------------------------------------------------------------------------------------------- learning


def test_the_loss_of_a_batch_is_the_mean_of_its_examples() -> None:
    examples = [Example(Position(5), 12), Example(POSITION, 25)]
    losses = [cross_entropy(legal_policy(StonesEvaluator(), one.position), one.move) for one in examples]
    by_hand = -np.log(legal_policy(StonesEvaluator(), Position(5))[12])
    assert losses[0] == pytest.approx(by_hand)
    picture = batch_picture(StonesEvaluator(), examples)
    told = " ".join(words(picture))
    assert f"loss of the batch: {np.mean(losses):.3f}" in told
    assert f"loss {losses[0]:.2f}" in told and f"loss {losses[1]:.2f}" in told
    assert classes(picture)["target"] == 1  # the other target is a pass


def test_the_gradient_is_that_of_the_logarithm_of_the_softmax() -> None:
    rng = np.random.default_rng(0)
    logits, move, step = rng.normal(size=6), 2, 1e-6

    def log_share(values: NDArray[np.float64]) -> float:
        return float(values[move] - np.log(np.exp(values).sum()))

    policy = np.exp(logits) / np.exp(logits).sum()
    slopes = [(log_share(logits + step * row) - log_share(logits - step * row)) / (2 * step) for row in np.eye(6)]
    assert logit_gradient(policy, move, -1.0) == pytest.approx(-np.array(slopes), abs=1e-6)
    after = np.exp(logits + 0.5 * np.array(slopes))
    assert stepped(policy, logit_gradient(policy, move, 1.0), 0.5) == pytest.approx(after / after.sum(), abs=1e-6)


def test_won_moves_become_likelier_in_the_picture() -> None:
    policy = legal_policy(StonesEvaluator(), POSITION)
    told = words(gradient_picture(policy, POSITION, 0))
    assert f"A5 {1 - policy[0]:+.2f}, pass −{policy[25]:.3f}; red up, blue down" in told
    assert any(one.startswith("the game was lost") for one in told)
    with pytest.raises(ConfigError, match="the policy never plays C3 here, so it has no gradient"):
        gradient_picture(policy, POSITION, POSITION.point("C3"))


# ---------------------------------------------------------------------------------------- filters, activations


def slow(network: Network, position: Position, layer: str) -> NDArray[np.float64]:
    graph = Graph(network.graph.nodes, {TAPPED: layer})
    encoded = encode(network.spec.encoder, position)
    whole = Network(network.spec, graph, network.arrays)
    found: NDArray[np.float64] = slow_network.forward(whole, encoded.spatial, encoded.globals)[TAPPED][0]
    return found


def test_activations_are_those_of_the_network() -> None:
    network = small_network()
    layers = plane_layers(network, 5, 5)
    assert layers[0] == "input_conv" and "value_dense" not in layers
    for layer in (layers[0], layers[1], layers[2], layers[-1], "block1_sum"):
        assert activations(network, POSITION, layer) == pytest.approx(slow(network, POSITION, layer), abs=1e-4)


def test_a_tapped_network_ends_at_its_node() -> None:
    network = small_network()
    tapped = tap(network, "input_relu")
    assert [node.name for node in tapped.graph.nodes] == ["input_conv", "input_norm", "input_relu"]
    assert set(tapped.arrays) < set(network.arrays)
    with pytest.raises(ConfigError, match="has no layer 'x'; there are input_conv"):
        tap(network, "x")


def test_a_picture_of_activations_has_each_channel() -> None:
    network = small_network()
    values = activations(network, POSITION, "input_relu")
    picture = activations_picture(network, POSITION, "input_relu", [3, 1])
    told = " ".join(words(picture))
    assert f"3: {values[3].min():.2g} to {values[3].max():.2g}" in told
    assert len(hovers(picture)) == np.count_nonzero(values[[3, 1]])
    assert len([one for one in classes(picture).elements() if one == "card"]) == 2
    lively = activations_picture(network, POSITION, "input_relu", most=1)
    assert f" {int(values.std(axis=(1, 2)).argmax())}: " in " ".join(words(lively))
    for layer, match in (("x", "has no layer 'x' of planes; there are input_conv"), ("value_dense", "has no layer")):
        with pytest.raises(ConfigError, match=match):
            activations(network, POSITION, layer)
    with pytest.raises(ConfigError, match="layer input_relu has no channel 8: they are numbered 0 to 7"):
        activations_picture(network, POSITION, "input_relu", [8])
    with pytest.raises(ConfigError, match="is for 5x5, not for 9x9"):
        activations(network, Position(9), "input_relu")


def test_filters_show_their_weights() -> None:
    network = small_network()
    weight = network.arrays["input_conv.weight"]
    picture = filters_picture(network, "", [2], columns=17)
    shown = [hover.split()[-1] for hover in hovers(picture)]
    assert shown == [f"{value:.4g}" for value in weight[2].ravel() if value != 0]
    assert "16 Black is to move" in " ".join(words(picture))
    assert "2 on 7" in words(filters_picture(network, "block0a_conv", [2]))
    with pytest.raises(ConfigError, match="layer input_conv has no filter 8"):
        filters_picture(network, "", [8])
    with pytest.raises(ConfigError, match="has no convolution 'x'; there are input_conv"):
        filters_picture(network, "x")


def test_a_convolution_adds_up_to_the_layers_answer() -> None:
    network = small_network()
    for vertex in ("C3", "A5", "E1"):
        point = POSITION.point(vertex)
        answer = slow(network, POSITION, "input_conv")[4].flat[point]
        told = " ".join(words(convolution_picture(network, POSITION, point, 4)))
        assert f"{answer:+.3f}".replace("-", "−") in told
    planes = encode("zero17", POSITION).spatial[0]
    assert np.array_equal(patches_at(planes, 12, 3), planes[:, 1:4, 1:4])
    assert not patches_at(planes, 0, 3)[:, 0].any()
    with pytest.raises(ConfigError, match="layer input_conv has no filter 9"):
        convolution_picture(network, POSITION, 12, 9)


# --------------------------------------------------------------------------------------------------- patterns


def test_a_shapes_code_is_read_place_by_place() -> None:
    code = 1 | 2 << 2 | 2 << 8 | 3 << 28  # Black with two liberties north, White south, the edge at the north-west
    cells = shape_cells(code)
    assert cells[0, 1] == (1, 2) and cells[2, 1] == (2, 0) and cells[0, 0] == (WALL, 0) and cells[1, 2] == (0, 0)
    assert (1, 1) not in cells and len(cells) == 8


def heaviest(policy: RolloutPolicy) -> float:
    first = policy.patterns.first_shape
    return float(policy.rollout[first : first + len(policy.patterns.shapes)].max())


def test_the_heaviest_shapes_come_first() -> None:
    policy = policy_of([Position.from_moves(["E5", "D5", "D6", "C5"], size=9)], np.random.default_rng(0))
    picture = patterns_picture(policy, None, most=2)
    told = [one for one in words(picture) if "×" in one or one[0] in "+−"]
    weight = heaviest(policy)
    assert " ".join(told).startswith(f"{weight:+.2f}".replace("-", "−"))
    assert parsed(picture) is not None
    with pytest.raises(ConfigError, match="the rollout policy empty has no 3x3 shapes"):
        patterns_picture(empty_policy())


def test_evaluators_of_networks_serve_too() -> None:
    evaluator = NetworkEvaluator(small_network(), threads=1)
    policy = legal_policy(evaluator, POSITION)
    assert policy.sum() == pytest.approx(1, abs=1e-6) and not policy[POSITION.stones.ravel().nonzero()].any()
