"""The players themselves: random, policy, search, the presets, and where networks come from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from move37.errors import ConfigError, NetworkFileError, PlayerError
from move37.evaluators.network import LoadedNetwork, NetworkEvaluator
from move37.nets import weights
from move37.players.network_source import NetworkSource
from move37.players.player import Decision, judge_of, require_size, with_to_play
from move37.players.policy_player import PolicyPlayer, pick
from move37.players.presets import options_of, policy, preset, random, zero
from move37.players.search_player import SearchPlayer, SearchPlayerConfig
from move37.rules.color import Color
from move37.rules.position import Position
from move37.search.evaluator import ConstantEvaluator
from move37.search.result import SearchResult
from tests.support.networks import OwnershipEvaluator, StonesEvaluator, katago_network, small_network


def test_win_rate_is_the_value_as_a_chance() -> None:
    assert Decision(0, value=-1.0).win_rate == 0.0
    assert Decision(0, value=0.5).win_rate == 0.75
    assert Decision(0).win_rate is None


def test_turning_a_position_leaves_the_game_alone() -> None:
    position = Position(5)
    position.play("C3")
    assert with_to_play(position, Color.WHITE) is position
    turned = with_to_play(position, Color.BLACK)
    assert turned.to_play is Color.BLACK and turned.moves == position.moves
    assert position.to_play is Color.WHITE


def test_random_games_end_and_fill_no_eyes() -> None:
    player = random(seed=3)
    position = Position(7, komi=0.5)
    while not position.is_over:
        assert position.move_number < 400
        decision = player.choose(position)
        assert decision.move is not None
        position.play(decision.move)
    assert (position.area() != 0).all()


def test_random_is_uniform_over_its_candidates_and_follows_its_seed() -> None:
    position = Position(3)
    moves = [random(seed=seed).choose(position).move for seed in range(200)]
    assert set(moves) == set(range(9))
    assert moves == [random(seed=seed).choose(position).move for seed in range(200)]


def test_pick_follows_the_temperature() -> None:
    rng = np.random.default_rng(0)
    odds = np.array([1.0, 3.0, 0.0])
    assert pick(odds, 0.0, rng) == 1
    drawn = np.bincount([pick(odds, 1.0, rng) for _ in range(4000)], minlength=3) / 4000
    np.testing.assert_allclose(drawn, [0.25, 0.75, 0], atol=0.04)
    cold = np.bincount([pick(odds, 0.5, rng) for _ in range(4000)], minlength=3) / 4000
    np.testing.assert_allclose(cold, [0.1, 0.9, 0], atol=0.04)


def test_policy_player_takes_the_best_legal_move() -> None:
    evaluator = StonesEvaluator()
    position = Position(5, komi=30)
    position.play("E1")
    decision = PolicyPlayer(NetworkSource(evaluator)).choose(position)
    found = evaluator.evaluate(position.board_array)
    best = int(np.argmax(np.where(position.legal_mask(), found.policy[0], -np.inf)))
    assert decision.move == best
    assert decision.value == pytest.approx(float(found.value[0]))
    assert decision.visits is not None and decision.visits.sum() == pytest.approx(1)


def test_search_player_reports_its_search_and_reuses_the_tree() -> None:
    player = zero(net=ConstantEvaluator(), visits=64, seed=0)
    position = Position(3, komi=0.5)
    first = player.choose(position)
    assert isinstance(first.tree, SearchResult) and first.visits is not None and first.value is not None
    assert first.visits.sum() == first.tree.root_visits - 1 == 63
    assert first.move is not None and first.move == first.tree.move
    position.play(first.move)
    reply = int(np.argmax(first.visits * 0 + position.legal_mask()))
    position.play(reply)
    second = player.choose(position)
    assert isinstance(second.tree, SearchResult)
    assert second.tree.root_visits == 64
    other = Position(3, komi=4.5)
    third = player.choose(other)
    assert isinstance(third.tree, SearchResult) and third.tree.reused_visits == 0


def test_search_player_is_deterministic_by_seed() -> None:
    network = small_network()
    found = [zero(net=network, visits=40, seed=5).choose(Position(5)) for _ in range(2)]
    assert found[0].visits is not None and found[1].visits is not None
    np.testing.assert_array_equal(found[0].visits, found[1].visits)


@pytest.mark.parametrize("name", ["zero", "katago"])
def test_without_symmetries_no_seed_matters(name: str) -> None:
    network = katago_network() if name == "katago" else small_network()
    position = Position(size=5)

    def visits(symmetry: str, seed: int) -> list[float]:
        options: dict[str, Any] = {"net": network, "visits": 24, "batch": 1, "symmetry": symmetry, "seed": seed}
        found = preset(name, **options).choose(position).visits
        assert found is not None
        return [float(count) for count in found]

    for symmetry in ("none", "mean"):
        assert visits(symmetry, 1) == visits(symmetry, 2)
    assert len({tuple(visits("random", seed)) for seed in range(6)}) > 1


def test_an_unknown_symmetry_is_named() -> None:
    with pytest.raises(PlayerError, match="there is no symmetry 'left': use random, mean, none"):
        preset("zero", symmetry="left")


@pytest.mark.parametrize("to_play", ["B", "W"])
def test_resignation_is_off_by_default_and_never_early(to_play: str) -> None:
    position = Position(3, komi=7)
    position.setup(to_play=to_play)
    losing = NetworkSource(ConstantEvaluator(-0.95))
    assert not SearchPlayer(losing, SearchPlayerConfig(visits=1)).choose(position).resign
    early = SearchPlayerConfig(visits=1, resign_below=-0.9)
    assert not SearchPlayer(losing, early).choose(position).resign
    late = SearchPlayerConfig(visits=1, resign_below=-0.9, resign_after=0)
    decision = SearchPlayer(losing, late).choose(position)
    assert decision.resign and decision.move is None
    winning = NetworkSource(ConstantEvaluator(0.95))
    assert not SearchPlayer(winning, late).choose(position).resign


def test_temperature_draws_only_in_the_opening() -> None:
    config = SearchPlayerConfig(visits=60, temperature=1.0, temperature_moves=1)
    position = Position(3, komi=0.5)
    drawn = {
        SearchPlayer(NetworkSource(ConstantEvaluator()), config, rng=np.random.default_rng(seed)).choose(position).move
        for seed in range(12)
    }
    assert len(drawn) > 1
    position.play("B2")
    later = {
        SearchPlayer(NetworkSource(ConstantEvaluator()), config, rng=np.random.default_rng(seed)).choose(position).move
        for seed in range(12)
    }
    assert len(later) == 1


@pytest.mark.parametrize(
    "options", [{"visits": 0}, {"seconds": -1.0}, {"temperature": -1.0}, {"resign_below": 0.5}, {"lag": -1.0}]
)
def test_options_out_of_range_are_refused(options: dict[str, float | None]) -> None:
    with pytest.raises(ConfigError):
        SearchPlayerConfig(**options)  # type: ignore[arg-type]  # wrong values are the point
    with pytest.raises(ConfigError):
        PolicyPlayer(NetworkSource(ConstantEvaluator()), temperature=float("nan"))


def test_presets_say_what_they_take() -> None:
    assert options_of("random") == ["seed"]
    assert preset("zero", net=small_network(), visits=3, time=None).name == "zero"
    with pytest.raises(PlayerError, match="player 'policy' has no option 'visits'"):
        preset("policy", visits=3)
    with pytest.raises(PlayerError, match=r"there is no player 'Zero': use random, policy, uct, .*gtp:COMMAND"):
        preset("Zero")


def test_a_network_file_with_blanks_and_foreign_letters_in_its_path_plays(tmp_path: Path) -> None:
    path = tmp_path / "围棋 dir" / "net é.safetensors"
    weights.save(small_network(), path)
    player = zero(net=path, visits=4, seed=0)
    assert player.choose(Position(5)).move is not None
    assert player.supports(5, 5) and not player.supports(9, 9)
    with pytest.raises(PlayerError, match="player 'zero' cannot play on 9x9"):
        require_size(player, 9, 9)
    with pytest.raises(NetworkFileError, match="no network for a 9x9 board, found networks for 5x5"):
        player.choose(Position(9))


def test_a_wrong_network_file_is_named_at_once(tmp_path: Path) -> None:
    path = tmp_path / "text.safetensors"
    path.write_text("no network at all", encoding="utf-8")
    with pytest.raises(NetworkFileError, match=r"text\.safetensors: expected"):
        zero(net=path)
    with pytest.raises(NetworkFileError, match="found nothing of that name"):
        policy(net="nonesuch")


def test_a_network_in_memory_checks_the_size() -> None:
    source = NetworkSource(small_network())
    assert source.evaluator(5, 5) is source.evaluator(5, 5)
    with pytest.raises(NetworkFileError, match="no network for a 9x9 board"):
        NetworkSource(small_network()).evaluator(9, 9)


def test_players_judge_by_a_network_that_foretells_ownership() -> None:
    evaluator = OwnershipEvaluator(-0.9)
    for player in (zero(net=evaluator, visits=1), policy(net=evaluator)):
        assert judge_of(player, Position(5)) is evaluator
    for other in (zero(net=small_network(), visits=1), random(), zero(net=small_network(), visits=1)):
        assert judge_of(other, Position(5)) is None
    assert judge_of(zero(net=small_network(), visits=1), Position(9)) is None


def test_a_source_serves_a_network_in_memory_by_its_holder_or_itself() -> None:
    network = small_network()
    for net in (network, LoadedNetwork(network, NetworkEvaluator(network))):
        source = NetworkSource(net)
        assert source.name == "zero-2x8" and source.supports(5, 5) and not source.supports(9, 9)
        with pytest.raises(NetworkFileError, match=r"^zero-2x8: no network for a 9x9 board"):
            source.evaluator(9, 9)


@pytest.mark.parametrize("options", [{"backend": "slow"}, {"device": "abacus"}, {"threads": 0}])
def test_how_a_network_is_computed_is_passed_on(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        NetworkSource(small_network(), **options).evaluator(5, 5)
