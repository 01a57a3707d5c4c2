"""Files of rollout policies: what is saved is loaded, and what is none is refused in a sentence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load, save

from move37.errors import ConfigError, NetworkFileError
from move37.features.rollout_policy import Patterns, RolloutPolicy, RolloutSpec
from move37.nets import finding, linear
from tests.support.positions import random_position
from tests.support.rollout_policies import NONE, empty_policy, policy_of


def some_policy() -> RolloutPolicy:
    rng = np.random.default_rng(1)
    return policy_of([random_position(rng, 4, 5, 12, "chinese") for _ in range(3)], rng)


def test_a_saved_policy_is_loaded(tmp_path: Path) -> None:
    policy = some_policy()
    linear.save(policy, tmp_path / "策.safetensors")
    loaded = linear.load(tmp_path / "策.safetensors")
    assert loaded.spec == policy.spec
    for name in ("nakade", "answers", "shapes", "diamonds"):
        np.testing.assert_array_equal(getattr(loaded.patterns, name), getattr(policy.patterns, name))
    np.testing.assert_allclose(loaded.rollout, policy.rollout, atol=2e-3)
    np.testing.assert_allclose(loaded.tree, policy.tree, atol=2e-3)
    assert loaded.patterns.counts() == policy.patterns.counts()


def test_damaged_and_foreign_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "p.safetensors"
    linear.save(some_policy(), path)
    whole = path.read_bytes()
    for length in (0, 5, 100, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(NetworkFileError):
            linear.load(path)
    path.write_bytes(whole)
    path.write_bytes(save(load(whole)))
    with pytest.raises(NetworkFileError, match="expected a rollout policy"):
        linear.load(path)
    for name, network in finding.bundled().items():
        with pytest.raises(NetworkFileError, match="expected a rollout policy"):
            linear.load(network)
        assert not name.startswith("rollout-")


def test_bundled_policies_fit_their_names() -> None:
    for name, path in finding.bundled_rollouts().items():
        policy = linear.load(path)
        assert name == f"rollout-{policy.spec.size}x{policy.spec.size}" and policy.has_tree
        assert path.stat().st_size < 1_500_000


@pytest.mark.parametrize("keys", [[3, 2], [-1], [2**50]])
def test_patterns_are_ascending_codes(keys: list[int]) -> None:
    with pytest.raises(ConfigError, match="nakade"):
        Patterns(np.array(keys, np.int64), NONE, NONE, NONE)


def test_weights_and_specs_are_checked() -> None:
    policy = empty_policy()
    with pytest.raises(ConfigError, match="weights belong"):
        RolloutPolicy(policy.spec, policy.patterns, policy.rollout[1:], policy.tree)
    with pytest.raises(ConfigError, match="NaN"):
        RolloutPolicy(policy.spec, policy.patterns, policy.rollout * np.nan, policy.tree)
    with pytest.raises(ConfigError, match="set of features"):
        RolloutSpec("x", "other")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="size"):
        RolloutSpec("x", "paper", 25)
