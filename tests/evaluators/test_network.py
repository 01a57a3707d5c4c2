"""Networks as evaluators: batches, sizes, komi, damaged outputs, threads, and the friendly object."""

from __future__ import annotations

import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.errors import ConfigError, NetworkFileError
from move37.evaluators.network import LoadedNetwork, NetworkEvaluator, load_network
from move37.features import encode, records
from move37.features.katago import KataGoEncoder
from move37.nets import weights
from move37.nets.graph import Network
from move37.nets.torch_runner import TorchRunner
from move37.players.network_source import NetworkSource
from move37.rules.position import Position
from move37.search.evaluator import Evaluations
from tests.support.networks import katago_network, small_network
from tests.support.positions import batch, random_position
from tests.support.slow_network import forward


def some_games(count: int = 6) -> list[Position]:
    rng = np.random.default_rng(4)
    return [random_position(rng, 5, 5, 3 * i) for i in range(count)]


def with_array(network: Network, name: str, value: float) -> Network:
    arrays = dict(network.arrays) | {name: np.full(network.arrays[name].shape, value, np.float32)}
    return Network(network.spec, network.graph, arrays)


@pytest.mark.parametrize("head", ["paper", "pooled"])
def test_logits_and_values_are_those_of_the_plain_twin(head: str) -> None:
    network = small_network(head=head)
    found = NetworkEvaluator(network).evaluate(batch(some_games()))
    expected = forward(network, encode("zero17", some_games()).spatial)
    assert found.policy.dtype == found.value.dtype == np.float32
    np.testing.assert_allclose(found.policy, expected["policy"], atol=1e-4)
    np.testing.assert_allclose(found.value, expected["value"][:, 0], atol=1e-5)


@pytest.mark.parametrize("max_batch", [1, 4, 6])
def test_long_batches_are_cut(max_batch: int) -> None:
    whole = NetworkEvaluator(small_network()).evaluate(batch(some_games()))
    cut = NetworkEvaluator(small_network(), max_batch=max_batch).evaluate(batch(some_games()))
    np.testing.assert_allclose(cut.policy, whole.policy, atol=1e-5)
    np.testing.assert_allclose(cut.value, whole.value, atol=1e-6)


def test_two_threads_get_the_right_answers() -> None:
    evaluator = NetworkEvaluator(small_network())
    boards = batch(some_games())
    expected = evaluator.evaluate(boards)

    def evaluate(i: int) -> Evaluations:
        return evaluator.evaluate(boards[i % 6 : i % 6 + 1])

    with ThreadPoolExecutor(2) as pool:
        for i, found in enumerate(pool.map(evaluate, range(60))):
            np.testing.assert_allclose(found.policy[0], expected.policy[i % 6], atol=1e-5)


class MeetingRunner:
    """Answers only when two batches are in flight."""

    name = "meeting"

    def __init__(self) -> None:
        self.meeting = Barrier(2, timeout=20)
        self.inner = TorchRunner(small_network())

    def run(self, spatial: NDArray[np.float32], globals_: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
        self.meeting.wait()
        return self.inner.run(spatial, globals_)


def test_a_device_beside_the_cpu_has_two_parts_of_a_long_batch_in_flight() -> None:
    evaluator = NetworkEvaluator(small_network(), device="cpu", max_batch=1)
    evaluator.runner = MeetingRunner()
    found = evaluator.evaluate(batch(some_games()))
    expected = NetworkEvaluator(small_network()).evaluate(batch(some_games()))
    np.testing.assert_allclose(found.policy, expected.policy, atol=1e-5)
    np.testing.assert_allclose(found.value, expected.value, atol=1e-6)


def test_another_board_size_is_refused_in_one_sentence() -> None:
    network = LoadedNetwork(small_network(), NetworkEvaluator(small_network()))
    with pytest.raises(ConfigError) as caught:
        network.evaluate([Position(size=19)])
    assert str(caught.value) == (
        "The network zero-2x8 is made for 5x5, not for 19x19; choose another network or board size."
    )


def test_another_komi_warns_once() -> None:
    evaluator = NetworkEvaluator(small_network(komi_band=(5.5, 7.5)))
    evaluator.evaluate(batch([Position(size=5, komi=komi) for komi in (5.5, 7, 7.5)]))
    with pytest.warns(UserWarning, match="zero-2x8 was trained for komi 5.5 to 7.5, but this game has 0.5"):
        evaluator.evaluate(batch([Position(size=5, komi=7.5), Position(size=5, komi=0.5)]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evaluator.evaluate(batch([Position(size=5, komi=9.5)]))


@pytest.mark.parametrize(
    ("name", "wrong"), [("policy_dense.bias", np.nan), ("policy_dense.bias", np.inf), ("value_dense.bias", np.nan)]
)
def test_outputs_that_are_not_numbers_stop_loudly(name: str, wrong: float) -> None:
    evaluator = NetworkEvaluator(with_array(small_network(), name, wrong))
    with pytest.raises(NetworkFileError, match=r"^The network zero-2x8 gave outputs that are not finite"):
        evaluator.evaluate(batch(some_games()))


def test_an_encoder_that_does_not_fit_or_exist_is_named() -> None:
    with pytest.raises(ConfigError, match="expects 16 planes and 0 globals, but its encoder zero17 writes 17 and 0"):
        NetworkEvaluator(small_network(planes=16))
    with pytest.raises(ConfigError, match="no encoder 'zero99'"):
        NetworkEvaluator(small_network(encoder="zero99"))


def test_a_device_that_does_not_exist_is_named() -> None:
    with pytest.raises(ConfigError, match="device 'abacus' cannot be used"):
        NetworkEvaluator(small_network(), device="abacus")


def test_a_loaded_network_answers_with_probabilities_over_legal_moves(tmp_path: Path) -> None:
    path = tmp_path / "réseau 9.safetensors"
    weights.save(small_network(), path)
    network = load_network(path)
    games = some_games()
    answer = network.evaluate(games)
    raw = NetworkEvaluator(small_network()).evaluate(batch(games))
    np.testing.assert_allclose(answer.policy.sum(axis=1), 1.0, atol=1e-6)
    for i, game in enumerate(games):
        legal = game.legal_mask()
        assert (answer.policy[i][~legal] == 0.0).all()
        assert (answer.policy[i][legal] > 0.0).all()
        odds = np.log(answer.policy[i][legal])
        np.testing.assert_allclose(odds - odds[0], raw.policy[i][legal] - raw.policy[i][legal][0], atol=1e-3)
    np.testing.assert_array_equal(answer.value, raw.value)
    np.testing.assert_allclose(answer.win + answer.loss, 1.0, atol=1e-6)
    np.testing.assert_allclose(answer.win - answer.loss, answer.value, atol=1e-6)
    assert (answer.no_result == 0).all()
    unsaid = (answer.ownership, answer.score, answer.lead, answer.score_mean, answer.score_stdev)
    assert unsaid == (None,) * 5
    assert network.spec == small_network().spec
    assert repr(network) == "<network zero-2x8: zero17, 5x5>"


@pytest.mark.parametrize("optimism", [-0.1, 7, float("nan")])
def test_an_optimism_out_of_range_is_refused(optimism: float) -> None:
    net = LoadedNetwork(small_network(), NetworkEvaluator(small_network()))
    with pytest.raises(ConfigError, match="The optimism is a number from 0 to 1, not"):
        net.evaluate(Position(5), optimism=optimism)


def test_what_names_no_network_is_told() -> None:
    wrong: Any = 123
    with pytest.raises(NetworkFileError, match=r"^A network is a file or a name that .* shows, not 123\.$"):
        load_network(wrong)
    with pytest.raises(ConfigError, match="A player's net is a file, a name, a network or an evaluator, not 123"):
        NetworkSource(wrong)


def test_a_wrong_path_is_named() -> None:
    with pytest.raises(NetworkFileError, match=r"no such net\.safetensors: expected a network file or a name that"):
        load_network("no such net.safetensors")


@pytest.mark.parametrize("threads", [0, -1, 1_000_000])
def test_a_number_of_threads_that_torch_would_not_survive_is_refused(threads: int) -> None:
    with pytest.raises(ConfigError, match="can run on 1 to 1024 threads"):
        NetworkEvaluator(small_network(), threads=threads)


def test_a_network_without_a_value_is_named() -> None:
    network = small_network()
    graph = replace(network.graph, outputs={"policy": network.graph.outputs["policy"]})
    with pytest.raises(ConfigError, match="has no value output"):
        NetworkEvaluator(Network(network.spec, graph, network.arrays))


def test_a_katago_network_that_wants_suicide_in_its_areas_gets_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The file's own flag decides planes 18 and 19 (KataGo's preferPassAliveUnderSuicideRules)."""
    position = Position.from_diagram("O . X X\nX X O X\nO X . X\n. O X .", rules="chinese", to_play="W")
    plain = katago_network()
    assert plain.spec.katago is not None
    spec = replace(plain.spec, katago=replace(plain.spec.katago, suicide_area=True))
    shown: list[NDArray[np.float32]] = []
    for network in (plain, Network(spec, plain.graph, plain.arrays)):
        evaluator = NetworkEvaluator(network)
        run = evaluator.runner.run

        def watched(
            spatial: NDArray[np.float32], globals_: NDArray[np.float32], run: Any = run
        ) -> dict[str, NDArray[np.float32]]:
            shown.append(spatial[0, 18:20])
            answer: dict[str, NDArray[np.float32]] = run(spatial, globals_)
            return answer

        monkeypatch.setattr(evaluator.runner, "run", watched)
        evaluator.evaluate(records(position))
    assert not np.array_equal(shown[0], shown[1])
    for planes, option in zip(shown, (None, True), strict=True):
        encoded = KataGoEncoder(suicide_for_life=option).encode(records(position))
        np.testing.assert_array_equal(planes, encoded.spatial[0, 18:20])
