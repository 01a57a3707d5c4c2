"""AlphaGo before Zero as players: which networks they take, what they say without, and the article's simple mixture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.errors import ConfigError, NetworkFileError, PlayerError
from move37.nets import weights
from move37.nets.graph import Network
from move37.players.alphago_presets import article, fan, lee, master
from move37.players.presets import preset
from move37.players.search_player import SearchPlayer
from move37.rules.position import Position
from move37.search.evaluator import ConstantEvaluator, Evaluations
from move37.search.mixed import MixedConfig
from move37.search.mixed_search import MixedSearch
from move37.search.puct import SearchConfig
from move37.search.root import Search
from move37.search.two_networks import TwoNetworks
from tests.support.networks import small_network, small_policy, small_value
from tests.support.positions import random_position


def put(folder: Path, name: str, network: Network) -> Path:
    path = folder / f"{name}.safetensors"
    weights.save(network, path)
    return path


def search_of(player: SearchPlayer) -> MixedSearch:
    search = player.new_search(5, 5)
    assert isinstance(search, MixedSearch)
    return search


@pytest.mark.parametrize("name", ["fan", "lee"])
def test_fan_and_lee_find_their_two_networks(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOVE37_NETS", str(tmp_path))
    put(tmp_path, f"{name}-policy", small_policy(5, 6))
    put(tmp_path, f"{name}-value", small_value())
    player = preset(name, visits=60, threads=1, seed=1)
    assert isinstance(player, SearchPlayer)
    assert player.supports(5, 5)
    assert not player.supports(6, 6)  # the value network knows one size
    assert isinstance(search_of(player).evaluator, TwoNetworks)
    decision = player.choose(Position(5))
    assert decision.move is not None
    assert decision.tree.root_visits >= 60


@pytest.mark.parametrize("name", ["fan", "lee"])
def test_without_their_networks_they_say_which_files_they_want_and_where(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOVE37_NETS", str(tmp_path))
    put(tmp_path, f"{name}-policy", small_policy())
    with pytest.raises(NetworkFileError) as error:
        preset(name)
    said = str(error.value)
    for part in (f"{name}-policy.safetensors", f"{name}-value.safetensors", str(tmp_path), "--net", "--value-net"):
        assert part in said
    assert "\n" not in said


def test_master_wants_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOVE37_NETS", str(tmp_path))
    with pytest.raises(NetworkFileError, match=r"wants its trained networks, master\.safetensors, in .*--net \("):
        master()
    put(tmp_path, "master", small_network())
    assert master(visits=30, threads=1, seed=1).choose(Position(5)).tree.root_visits >= 30


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


def test_the_constants_are_the_papers() -> None:
    config = search_of(fan(net=small_network())).config
    assert (config.mix, config.c_puct, config.virtual_loss, config.beta, config.threshold) == (0.5, 5.0, 3.0, 0.67, 40)
    assert config.wave == 40
    assert search_of(lee(net=small_network())).config == config
    assert search_of(master(net=small_network())).config == MixedConfig(threshold=0, wave=8, batch=8)
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
