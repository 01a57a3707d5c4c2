"""AlphaGo before Zero as players: which networks they take, what they say without, and the article's simple mixture."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.errors import ConfigError, NetworkFileError, PlayerError
from move37.nets import finding, weights
from move37.nets.graph import Network
from move37.players.alphago_presets import article, fan, lee, master
from move37.players.presets import preset
from move37.players.search_player import SearchPlayer
from move37.rules.position import Position
from move37.search.evaluator import ConstantEvaluator, Evaluations
from move37.search.mixed_search import MixedSearch
from move37.search.puct import SearchConfig
from move37.search.rollouts import Rollouts
from move37.search.root import Search
from move37.search.two_networks import TwoNetworks
from tests.support.networks import small_network, small_policy, small_value
from tests.support.positions import random_position

pytestmark = pytest.mark.filterwarnings("ignore:.*its rollouts are light ones")


def put(folder: Path, name: str, network: Network) -> Path:
    path = folder / f"{name}.safetensors"
    weights.save(network, path)
    return path


def search_of(player: SearchPlayer) -> MixedSearch:
    search = player.new_search(5, 5)
    assert isinstance(search, MixedSearch)
    return search


@pytest.mark.parametrize("name", ["fan", "lee"])
def test_fan_and_lee_find_their_two_networks_by_the_board(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOVE37_NETS", str(tmp_path))
    for size in (5, 6):
        put(tmp_path, f"policy-{size}x{size}-2x4", small_policy(size))
        put(tmp_path, f"value-{size}x{size}-2x4", small_value(size))
    put(tmp_path, "policy-7x7-2x4", small_policy(7))  # a policy without its value
    player = preset(name, visits=60, threads=1, seed=1, rollout_policy="light")
    assert isinstance(player, SearchPlayer)
    assert player.supports(5, 5) and player.supports(6, 6) and not player.supports(7, 7)
    assert isinstance(search_of(player).evaluator, TwoNetworks)
    decision = player.choose(Position(5))
    assert decision.move is not None
    assert decision.tree.root_visits >= 60


def test_a_players_own_networks_come_before_those_of_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOVE37_NETS", str(tmp_path))
    for name, make in (("policy-5x5", small_policy), ("value-5x5", small_value), ("lee-value-5x5", small_value)):
        network = make()
        put(tmp_path, name, Network(replace(network.spec, name=name), network.graph, network.arrays))
    for player, value in ((fan(rollout_policy="light"), "value-5x5"), (lee(rollout_policy="light"), "lee-value-5x5")):
        fitting = [spec.name for spec in player.specs if spec.supports(5, 5)]
        assert fitting[:2] == ["policy-5x5", value]


def test_masters_network_does_for_both_of_lees_and_for_fans_value(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOVE37_NETS", str(tmp_path))
    put(tmp_path, "policy-5x5-2x4", small_policy())
    put(tmp_path, "master-5x5-2x8", small_network())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        players = [preset(name, visits=20, threads=1, seed=1, rollout_policy="light") for name in ("lee", "fan")]
        for player in players:
            assert player.choose(Position(5)).move is not None
    one, two = (search_of(player).evaluator for player in players if isinstance(player, SearchPlayer))
    assert not isinstance(one, TwoNetworks) and isinstance(two, TwoNetworks)
    put(tmp_path, "lee-policy-5x5-2x4", small_policy())
    assert isinstance(search_of(lee(visits=20, rollout_policy="light")).evaluator, TwoNetworks)


def test_where_theirs_are_missing_the_bundled_network_with_both_heads_plays_and_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOVE37_NETS", str(tmp_path / "none"))
    bundled = put(tmp_path, "both", small_network())
    monkeypatch.setattr(finding, "bundled", lambda: {"both": bundled})
    monkeypatch.setattr(weights, "bundled", lambda: {"both": bundled})
    for name, wanted in (("fan", r"fan-policy-SIZE and fan-value-SIZE"), ("master", "master-SIZE")):
        player = preset(name, visits=20, threads=1, seed=1, rollout_policy="light")
        assert isinstance(player, SearchPlayer)
        with pytest.warns(UserWarning, match=rf"player '{name}' has no trained networks \({wanted}.*for 5x5; zero-2x8"):
            assert player.choose(Position(5)).move is not None
        assert not player.supports(6, 6)
        with pytest.raises(NetworkFileError, match=rf"{wanted}.*for 6x6: .*--net") as error:
            player.choose(Position(6))
        assert "\n" not in str(error.value)


def test_master_wants_one_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOVE37_NETS", str(tmp_path))
    put(tmp_path, "master-5x5-2x8", small_network(score=True))
    player = master(visits=30, threads=1, seed=1, rollout_policy="light")
    assert player.choose(Position(5)).tree.root_visits >= 30


# ---- rollouts and lambda


class Counts:
    """An evaluator that counts what it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def evaluate(self, boards: NDArray[Any]) -> Evaluations:
        self.asked += len(boards)
        return ConstantEvaluator(0.1).evaluate(boards)


@pytest.mark.parametrize("make", [fan, lee])
@pytest.mark.parametrize("mix", [0.0, 0.5, 1.0])
def test_lambda_0_plays_no_rollouts_and_lambda_1_asks_for_no_values(
    make: Any, mix: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    rollouts = 0
    usual = Rollouts.submit

    def counted(self: Rollouts, boards: Any, *args: Any, **named: Any) -> Any:
        nonlocal rollouts
        rollouts += len(boards)
        return usual(self, boards, *args, **named)

    monkeypatch.setattr(Rollouts, "submit", counted)
    policy, value = Counts(), Counts()
    player = make(net=small_policy(), value_net=value, mix=mix, visits=100, threads=1, seed=1, rollout_policy="light")
    search = search_of(player)
    pair = TwoNetworks(policy, value) if mix < 1 else policy
    search.evaluator = pair
    for position in (Position(5), Position(5)):  # the second time from a kept tree
        result = search.run(position, 200, ownership=True)
    assert result.root_visits >= 200 and policy.asked > 0
    assert (rollouts > 0) == (mix > 0)
    assert (value.asked > 0) == (mix < 1)


def test_lambda_1_needs_no_value_network() -> None:
    assert lee(net=small_policy(), mix=1.0, visits=30, threads=1, rollout_policy="light").choose(Position(5)).move


def test_lambda_and_the_constants_are_options() -> None:
    config = search_of(lee(net=small_network(), mix=0.25, c_puct=1.5, beta=1.0)).config
    assert (config.mix, config.c_puct, config.beta) == (0.25, 1.5, 1.0)
    config = search_of(master(net=small_network(), mix=0.0, c_puct=1.5)).config
    assert (config.mix, config.c_puct, config.threshold) == (0.0, 1.5, 0)


def test_without_a_trained_rollout_policy_they_say_so_and_play_light_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOVE37_NETS", str(tmp_path))
    player = fan(net=small_network(), visits=20, threads=1)
    with pytest.warns(UserWarning, match=r"no trained rollout policy for 5x5 \(rollout-5x5\); its rollouts are light"):
        player.choose(Position(5))
    fan(net=small_network(), visits=20, threads=1, mix=0.0).choose(Position(5))  # which needs none
    with pytest.raises(NetworkFileError, match=r"rollout-5x5\): .*'move37 train rollout'.*--rollouts"):
        fan(net=small_network(), rollout_policy="pattern").choose(Position(5))
    with pytest.raises(NetworkFileError, match=r"none\.safetensors"):
        fan(net=small_network(), rollout_policy=str(tmp_path / "none.safetensors"))


def test_a_network_with_both_heads_does_alone() -> None:
    for make in (fan, lee, master):
        assert not isinstance(search_of(make(net=small_network())).evaluator, TwoNetworks)


def test_half_a_pair_is_refused_with_what_is_missing() -> None:
    with pytest.raises(PlayerError, match=r"needs a policy and a value.*--value-net"):
        fan(net=small_policy())
    with pytest.raises(PlayerError, match=r"needs a policy and a value.*--net"):
        lee(net=small_value())
    with pytest.raises(PlayerError, match=r"value network alone.*--net"):
        fan(value_net=small_value())
    with pytest.raises(PlayerError, match="has no policy output"):
        fan(net=small_value(), value_net=small_value())
    with pytest.raises(PlayerError, match="has no value output"):
        fan(net=small_policy(), value_net=small_policy())


def test_the_constants_are_the_papers_or_said_to_be_ours() -> None:
    config = search_of(fan(net=small_network())).config
    assert (config.mix, config.c_puct, config.virtual_loss, config.beta, config.threshold) == (0.5, 5.0, 3.0, 0.67, 40)
    assert config.wave == 40
    ours = replace(config, c_puct=1.5, beta=1.0, wave=8)
    assert search_of(lee(net=small_network())).config == ours
    assert search_of(master(net=small_network())).config == replace(ours, threshold=0)
    for make in (fan, lee, master):
        player = make(net=small_network())
        assert (player.config.resign_below, player.config.resign_by) == (-0.8, "best")
        assert player.config.extension == 2.0


class ForWhite:
    """A judge who gives the game to White."""

    def evaluate(self, boards: NDArray[Any]) -> Evaluations:
        answer = ConstantEvaluator().evaluate(boards)
        answer.value[:] = np.where(boards["to_play"] == 1, -0.95, 0.95)
        return answer


def test_it_gives_up_where_the_best_move_is_worth_less_than_a_tenth() -> None:
    position = random_position(np.random.default_rng(3), 5, 5, 22)
    assert position.move_number == 22 and not position.is_over
    for komi, resigns in ((60.0, True), (-60.0, False)):  # Black to move
        position.komi = komi
        assert fan(net=ForWhite(), visits=100, threads=1, seed=1).choose(position).resign == resigns
    position.komi = 60.0
    assert not fan(net=ForWhite(), visits=100, threads=1, seed=1, resign=-1).choose(position).resign


def test_the_article_chooses_by_visits_and_value_of_a_mixture() -> None:
    player = article(net=ConstantEvaluator(0.8), visits=64, seed=1, threads=1)
    search = player.new_search(5, 5)
    assert isinstance(search, Search)
    assert search.config == SearchConfig(batch=32, choice="article", virtual_loss_kind="loss")
    position = Position(5, komi=50)  # every rollout is lost by Black
    result = search.run(position, 64)
    assert result.network_value == pytest.approx(0.5 * 0.8 - 0.5)
    assert result.analysis is not None
    best = np.nanargmax(result.visits * (1 + result.q))
    assert result.move == best
    with pytest.raises(ConfigError, match="share of rollouts"):
        article(net=ConstantEvaluator(), mix=1.5).choose(position)


def test_the_article_plays_with_a_pair_as_well() -> None:
    player = article(net=small_policy(), value_net=small_value(), visits=20, threads=1, seed=1)
    assert player.choose(Position(5)).move is not None
