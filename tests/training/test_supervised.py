from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from move37 import config as toml
from move37.errors import CheckpointError, ConfigError, RulesError
from move37.games.store import GameFilter
from move37.nets import weights
from move37.nets.alphago import policy_network
from move37.training import supervised
from move37.training.examples import Examples
from move37.training.loop import LoopConfig
from move37.training.losses import loss
from move37.training.network_recipe import NetworkRecipe
from move37.training.results import black_results
from move37.training.supervised import SupervisedRecipe, load_recipe
from tests.support.shared import ROOT, SHARED
from tests.support.stored_games import random_rows, row, store_of, write_rows


def write_recipe(folder: Path, **changes: object) -> Path:
    """The tiny recipe on random 5x5 games, in a folder of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    write_rows(folder / "games.parquet", random_rows(seed=1, count=60))
    tiny = toml.load_toml(SupervisedRecipe, ROOT / "recipes" / "supervised-tiny.toml")
    source = replace(tiny.sources[0], files=(Path("games.parquet"),), games=GameFilter())
    recipe = replace(tiny, size=5, sources=(source,), **changes)  # type: ignore[arg-type]  # any field
    toml.save_toml(recipe, folder / "recipe.toml")
    return folder / "recipe.toml"


@pytest.mark.parametrize(
    "path",
    sorted(path for kind in ("policy", "supervised") for path in (ROOT / "recipes").glob(f"{kind}-*.toml")),
    ids=lambda path: path.name,
)
def test_the_recipes_of_the_repository_are_valid(path: Path) -> None:
    recipe = load_recipe(path)
    assert recipe.komi_band[0] <= recipe.komi <= recipe.komi_band[1]
    assert all(file.is_absolute() for source in recipe.sources for file in source.files)


def test_a_run_ends_with_a_network_that_tells_where_it_comes_from(tmp_path: Path) -> None:
    recipe = write_recipe(tmp_path / "围棋 recipes")
    figures = supervised.main(recipe, tmp_path / "my run", quiet=True)
    network = weights.load(tmp_path / "my run" / "network.safetensors")
    assert network.spec.komi_band == (6.5, 7.5) and network.spec.board_sizes == ((5, 5),)
    assert network.spec.encoder == "zero17" and network.spec.training["steps"] == 40
    assert network.spec.training["files"] == ["games.parquet"]
    assert network.spec.training["held_out"]["top1"] == round(figures["top1"], 4)
    assert {"top1", "top5", "policy", "value_error", "value_sign"} == figures.keys()
    again = supervised.evaluate_network(tmp_path / "my run" / "network.safetensors", recipe)
    assert again[""].figures == pytest.approx(figures, abs=1e-6)


def test_a_killed_run_resumes_to_the_same_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = write_recipe(tmp_path)
    supervised.main(recipe, tmp_path / "whole", quiet=True)
    usual, calls = loss, iter(range(10**6))

    def deadly(*args: object, **named: object) -> object:
        if next(calls) == 25:
            raise KeyboardInterrupt
        return usual(*args, **named)  # type: ignore[arg-type]  # passed on as they came

    with monkeypatch.context() as patch:
        patch.setattr(supervised, "loss", deadly)
        with pytest.raises(KeyboardInterrupt):
            supervised.main(recipe, tmp_path / "run", quiet=True)
    supervised.main(recipe, tmp_path / "run", quiet=True)
    whole, resumed = (weights.load(tmp_path / name / "network.safetensors") for name in ("whole", "run"))
    for name, array in whole.arrays.items():
        np.testing.assert_array_equal(array, resumed.arrays[name])


def test_it_learns_a_game_by_heart(tmp_path: Path) -> None:
    rows = [row([0, 24, 4, 20, 12, 13, 25, 25], result="B+R", winner=1), row([5, 9, 25, 25]), row([7, 8, 9])]
    rows += random_rows(seed=3, count=20)
    store = store_of(tmp_path / "games.parquet", rows)
    source = supervised.make_source(supervised.SourceRecipe(files=()), store, 7.0)
    recipe = load_recipe(write_recipe(tmp_path / "r"))
    sampler = supervised.sampler_of(replace(recipe, batch=64, augment=False), (source,))
    module = supervised.new_module(replace(recipe, network=replace(recipe.network, filters=16)))
    optimizer = torch.optim.Adam(module.parameters(), 0.01)
    seen = []
    for number in range(150):
        terms = loss(module, sampler.draw(number), 1.0)
        optimizer.zero_grad()
        terms["loss"].backward()  # type: ignore[no-untyped-call]  # untyped in torch
        optimizer.step()
        seen.append({name: float(value.detach()) for name, value in terms.items()})
    assert seen[-1]["policy"] < 0.7 * seen[0]["policy"] and seen[-1]["value"] < 0.5 * seen[0]["value"]


# ---- targets


@pytest.mark.parametrize(
    ("result", "winner", "komi", "for_black", "weight"),
    [
        ("B+1.5", 1, 5.5, 0.0, 1.0),  # leads by 7 on the board: a draw at komi 7
        ("B+0.5", 1, 5.5, 0.0, 1.0),  # an even territory lead of 6 is an area lead of 7
        ("W+0.5", -1, 5.5, -1.0, 1.0),  # 5
        ("B+3.5", 1, 5.5, 1.0, 1.0),  # 9
        ("W+0.5", -1, 7.5, 0.0, 1.0),  # 7
        ("B+2", 1, 7.0, 1.0, 1.0),  # 9
        ("B+0.5", 1, 6.5, 0.0, 1.0),  # 7
        ("0", 0, 7.0, 0.0, 1.0),  # 7
        ("B+R", 1, 0.5, 1.0, 1.0),
        ("W+R", -1, 5.5, -1.0, 1.0),
        ("W+T", -1, 5.5, -1.0, 0.0),
        ("B+F", 1, 5.5, 1.0, 0.0),
        ("?", 0, 5.5, 0.0, 0.0),
        ("Void", 0, 5.5, 0.0, 0.0),
    ],
)
def test_results_are_counted_again_at_the_recipes_komi(
    tmp_path: Path, result: str, winner: int, komi: float, for_black: float, weight: float
) -> None:
    store = store_of(tmp_path / "g.parquet", [row([0, 1], result=result, winner=winner, komi=komi)])
    found, trusted = black_results(store, 7.0)
    assert (found[0], trusted[0]) == (for_black, weight)


def test_a_counted_game_without_komi_keeps_its_winner_but_is_not_trusted(tmp_path: Path) -> None:
    store = store_of(tmp_path / "g.parquet", [row([0, 1], result="B+2.5", winner=1, komi=None)])
    assert [array.tolist() for array in black_results(store, 7.0)] == [[1.0], [0.0]]


def test_weak_and_unknown_movers_are_no_policy_targets(tmp_path: Path) -> None:
    store = store_of(tmp_path / "g.parquet", [row([0, 1]), row([2, 3], black_rank=None, white_rank="1d")])
    recipe = supervised.SourceRecipe(files=(), policy_min_rank="5k", policy_weight=0.5, value_weight=0.25)
    source = supervised.make_source(recipe, store, 7.0)
    assert source.policy_weight.tolist() == [[0.5, 0.0], [0.0, 0.5]]
    assert source.value_weight.tolist() == [0.25, 0.25]


def test_a_wrong_rank_in_a_recipe_is_named(tmp_path: Path) -> None:
    store = store_of(tmp_path / "g.parquet", [row([0, 1])])
    with pytest.raises(ConfigError, match="'dan' is no rank"):
        supervised.make_source(supervised.SourceRecipe(files=(), policy_min_rank="dan"), store, 7.0)


# ---- loss and figures


class Fixed(torch.nn.Module):
    """Answers with given logits and values."""

    def __init__(self, policy: list[list[float]], value: list[float]) -> None:
        super().__init__()
        self.answer = {"policy": torch.tensor(policy), "value": torch.tensor(value)}

    def forward(self, *_: object) -> dict[str, torch.Tensor]:
        return self.answer


def batch_of(move: list[int], value: list[float], policy_weight: list[float], value_weight: list[float]) -> Examples:
    count = len(move)
    value_, policy_, result_ = (np.array(column, dtype=np.float32) for column in (value, policy_weight, value_weight))
    planes = np.zeros((count, 1, 2, 3), dtype=np.float32), np.zeros((count, 0), dtype=np.float32)
    return Examples(*planes, np.array(move), value_, policy_, result_, np.zeros(count, dtype=np.int64))


def test_the_loss_is_cross_entropy_plus_weighted_squared_error() -> None:
    logits = [[0.0, math.log(3.0), 0.0, 0.0, 0.0, 0.0, 0.0], [0.0] * 7, [9.0] + [0.0] * 6]
    batch = batch_of([1, 2, 5], [1.0, -1.0, 1.0], [1.0, 1.0, 0.0], [1.0, 0.0, 1.0])
    terms = loss(Fixed(logits, [0.5, 0.3, -1.0]), batch, 0.5)
    policy, value = (math.log(9 / 3) + math.log(7)) / 2, (0.25 + 4.0) / 2
    assert float(terms["policy"]) == pytest.approx(policy)
    assert float(terms["value"]) == pytest.approx(value)
    assert float(terms["loss"]) == pytest.approx(policy + 0.5 * value)


def test_logits_are_normalised_once() -> None:
    target = np.array([0.7, 0.1, 0.05, 0.05, 0.04, 0.03, 0.03])
    batch = batch_of([0], [0.0], [1.0], [0.0])
    terms = loss(Fixed([np.log(target).tolist()], [0.0]), batch, 1.0)
    assert float(terms["policy"]) == pytest.approx(-math.log(0.7), rel=1e-5)


def test_log_target_logits_cost_the_targets_entropy_and_masked_points_nothing() -> None:
    """The target as a batch: each move once, weighted by its probability; masked points have the logit -inf."""
    target = np.array([0.4, 0.0, 0.3, 0.2, 0.0, 0.1, 0.0])
    with np.errstate(divide="ignore"):
        logits = np.log(target)
    wanted = np.flatnonzero(target).tolist()
    batch = batch_of(wanted, [0.0] * 4, target[wanted].tolist(), [0.0] * 4)
    entropy = -sum(target[wanted] * np.log(target[wanted]))
    network = Fixed([logits.tolist()] * 4, [0.0] * 4)
    leaf = network.answer["policy"].requires_grad_()
    terms = loss(network, batch, 0.0)
    assert float(terms["loss"].detach()) == pytest.approx(entropy, rel=1e-5)
    terms["loss"].backward()  # type: ignore[no-untyped-call]  # untyped in torch
    gradient = leaf.grad
    assert gradient is not None and bool(torch.isfinite(gradient).all())
    assert gradient.sum(dim=0).abs().max() < 1e-6  # the logits are right, so there is nothing to learn
    assert not gradient[:, [1, 4, 6]].any()
    figures = supervised.evaluate(Fixed([logits.tolist()] * 4, [0.0] * 4), {"": [batch]})
    assert figures["policy"] == pytest.approx(float(-np.log(target[wanted]).mean()), rel=1e-5)


def test_a_masked_point_that_is_no_target_does_not_spoil_the_mean() -> None:
    """An example that does not count may have a move of logit -inf: infinity times weight 0 is not a number."""
    logits = [[0.0, -math.inf, 0.0, 0.0, 0.0, 0.0, 0.0]] * 2
    terms = loss(Fixed(logits, [0.0, 0.0]), batch_of([0, 1], [0.0, 0.0], [1.0, 0.0], [0.0, 0.0]), 1.0)
    assert float(terms["policy"]) == pytest.approx(math.log(6))


def test_figures_count_the_weighted_examples_only() -> None:
    ladder = [6.0, 5.0, 4.0, 3.0, 2.0, 1.0, 0.0]
    batch = batch_of([0, 4, 6, 0], [1.0, -1.0, 0.0, 1.0], [1.0, 0.5, 1.0, 0.0], [1.0, 1.0, 1.0, 0.0])
    figures = supervised.evaluate(Fixed([ladder] * 4, [0.5, 0.5, 0.5, -1.0]), {"": [batch]})
    assert figures["top1"] == pytest.approx(1 / 3) and figures["top5"] == pytest.approx(2 / 3)
    assert figures["value_error"] == pytest.approx((0.25 + 2.25 + 0.25) / 3)
    assert figures["value_sign"] == pytest.approx(0.5)


# ---- bad input


def test_a_filter_that_leaves_no_games_is_named(tmp_path: Path) -> None:
    path = write_recipe(tmp_path)
    recipe = load_recipe(path)
    source = replace(recipe.sources[0], games=GameFilter(min_rank="9p"))
    with pytest.raises(ConfigError, match=r"source 1 \(games.parquet\) has no games on 5x5"):
        supervised.load_sources(replace(recipe, sources=(source,)))


def test_unknown_keys_are_errors(tmp_path: Path) -> None:
    path = write_recipe(tmp_path)
    path.write_text("learning_rat = 1\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(ConfigError, match="learning_rat"):
        supervised.main(path, tmp_path / "run")


def test_a_folder_goes_on_with_its_own_recipe_only(tmp_path: Path) -> None:
    recipe = write_recipe(tmp_path)
    first = supervised.main(recipe, tmp_path / "run", quiet=True)
    assert supervised.main(recipe, tmp_path / "run", quiet=True) == first
    with pytest.raises(ConfigError, match="holds a run of another recipe"):
        supervised.main(write_recipe(tmp_path, batch=16), tmp_path / "run")
    (tmp_path / "run" / "config.toml").unlink()
    with pytest.raises(CheckpointError, match="without its config"):
        supervised.main(recipe, tmp_path / "run")


def test_a_run_in_the_place_of_a_file_is_one_sentence(tmp_path: Path) -> None:
    recipe = write_recipe(tmp_path)
    with pytest.raises(CheckpointError, match=r"cannot keep a run in .*games\.parquet"):
        supervised.main(recipe, tmp_path / "games.parquet")


def test_a_network_is_evaluated_on_its_own_board_only(tmp_path: Path) -> None:
    recipe = write_recipe(tmp_path)
    supervised.main(recipe, tmp_path / "run", quiet=True)
    with pytest.raises(ConfigError, match=r"reads zero17 on 5x5, but the recipe .* needs zero17 on 9x9"):
        supervised.evaluate_network(tmp_path / "run" / "network.safetensors", ROOT / "recipes" / "supervised-tiny.toml")


@pytest.mark.skipif(not SHARED.is_dir(), reason="the large test data is not beside the repository")
def test_the_tiny_recipe_runs_as_it_stands(tmp_path: Path) -> None:
    figures = supervised.main(ROOT / "recipes" / "supervised-tiny.toml", tmp_path / "run", quiet=True)
    assert 0.0 <= figures["top1"] <= figures["top5"] <= 1.0


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("seed", -1),
        ("held_out_positions", 0),
        ("komi", math.nan),
        ("komi_band", (8.0, 7.0)),
        ("rules", "klingon"),
    ],
)
def test_a_recipe_with_a_value_out_of_range_is_refused(name: str, value: object) -> None:
    recipe = supervised.SupervisedRecipe(
        sources=(supervised.SourceRecipe(files=()),),
        network=NetworkRecipe(blocks=1, filters=4),
        loop=LoopConfig(steps=1),
    )
    with pytest.raises((ConfigError, RulesError)):
        replace(recipe, **{name: value})  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("wrong", [{"share": 0.0}, {"share": math.nan}, {"policy_weight": math.nan}])
def test_a_source_with_a_value_out_of_range_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ConfigError):
        supervised.SourceRecipe(files=(), **wrong)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def test_a_policy_network_alone_learns_and_has_figures_for_every_name(tmp_path: Path) -> None:
    path = write_recipe(tmp_path)
    recipe = load_recipe(path)
    network = NetworkRecipe(filters=8, kind="policy", encoder="alphago48", convolutions=2, norm=True)
    others = write_rows(tmp_path / "others.parquet", random_rows(seed=2, count=20))
    test = supervised.TestRecipe("all", (others,), positions=64)
    source = replace(recipe.sources[0], name="own", learn_pass=True)
    toml.save_toml(replace(recipe, network=network, tests=(test,), sources=(source,)), path)
    figures = supervised.main(path, tmp_path / "run", quiet=True)
    heads = ("top1", "top5", "policy")
    assert figures.keys() == {prefix + name for prefix in ("", "own_", "all_") for name in heads}
    assert weights.load(tmp_path / "run" / "network.safetensors").graph.outputs.keys() == {"policy"}


def test_a_network_starts_from_another_and_its_new_planes_from_zero(tmp_path: Path) -> None:
    path = write_recipe(tmp_path)
    old = policy_network(sizes=[5], rng=np.random.default_rng(9), filters=8, convolutions=2)
    weights.save(old, tmp_path / "old.safetensors")
    start = NetworkRecipe(
        filters=8, kind="value", encoder="alphago49", convolutions=2, value_hidden=4, start=Path("old.safetensors")
    )
    toml.save_toml(replace(toml.load_toml(SupervisedRecipe, path), network=start), path)
    module = supervised.new_module(load_recipe(path))
    first = module.state_dict()["layer1_conv.weight"].numpy()
    np.testing.assert_array_equal(first[:, :48], old.arrays["layer1_conv.weight"])
    assert not first[:, 48:].any()
    np.testing.assert_array_equal(module.state_dict()["layer2_conv.weight"].numpy(), old.arrays["layer2_conv.weight"])
    other = replace(load_recipe(path), network=replace(start, filters=4, start=tmp_path / "old.safetensors"))
    with pytest.raises(ConfigError, match=r"no weights of .*old\.safetensors fit"):
        supervised.new_module(other)
