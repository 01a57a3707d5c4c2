"""Raw outputs of KataGo networks become values by hand-computed formulas, one for each version of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.features.encoder import records
from move37.nets.graph import KataGoSpec
from move37.nets.katago_outputs import read_outputs
from move37.rules.position import Position

RULES = ("japanese", "chinese", "tromp-taylor")
"""Territory with simple ko, area with simple ko, area with superko: only the last knows no game without result."""

MISC = [0.5, -1.0, 0.25, 2.0, 1.0, -3.0]


def raw(misc: list[float], ownership: float = 0.5) -> dict[str, NDArray[np.float32]]:
    """The same outputs for three positions of 2x3."""
    return {
        "policy": np.arange(21, dtype=np.float32).reshape(3, 7),
        "value_logits": np.log(np.array([[6.0, 3.0, 1.0]] * 3, np.float32)) + np.float32(4),
        "misc": np.array([misc] * 3, np.float32),
        "ownership": np.full((3, 1, 2, 3), ownership, np.float32),
    }


def boards() -> NDArray[Any]:
    return records([Position(rows=2, cols=3, rules=rules) for rules in RULES])


def softplus(x: float) -> float:
    return math.log(1 + math.exp(x))


def test_results_and_scores() -> None:
    found = read_outputs(KataGoSpec(8), raw(MISC[:4]), boards())
    assert {array.dtype for array in found.values()} == {np.dtype(np.float32)}
    assert found.keys() == {"policy", "value", "no_result", "score_mean", "score_stdev", "lead", "ownership"}
    np.testing.assert_allclose(found["no_result"], [0.1, 0.1, 0.0], atol=1e-6)
    np.testing.assert_allclose(found["value"], [0.3, 0.3, 1 / 3], atol=1e-6)
    np.testing.assert_allclose(found["lead"], [4.5, 4.5, 5.0], rtol=1e-6)
    np.testing.assert_allclose(found["score_mean"], [9.0, 9.0, 10.0], rtol=1e-6)
    square = 100 + (20 * softplus(-1)) ** 2
    np.testing.assert_allclose(found["score_stdev"] ** 2, [0.9 * square - 81] * 2 + [square - 100], rtol=1e-5)
    np.testing.assert_allclose(found["ownership"], np.full((3, 2, 3), math.tanh(0.5)), rtol=1e-6)
    np.testing.assert_array_equal(found["policy"], raw(MISC)["policy"])


@pytest.mark.parametrize(
    ("version", "winloss", "score"),
    [
        (9, softplus(1), softplus(-3) * 10),
        (10, math.sqrt(softplus(1) * 0.25), math.sqrt(softplus(-3) * 30)),
        (13, math.sqrt(softplus(1) * 0.25), math.sqrt(softplus(-3) * 30)),
        (14, math.sqrt(softplus(0.5) ** 2 * 0.25), math.sqrt(softplus(-1.5) ** 2 * 30)),
        (17, math.sqrt(softplus(0.5) ** 2 * 0.25), math.sqrt(softplus(-1.5) ** 2 * 30)),
    ],
)
def test_errors_are_meant_as_their_version_does(version: int, winloss: float, score: float) -> None:
    found = read_outputs(KataGoSpec(version), raw(MISC) | {"optimistic": raw(MISC)["policy"] * 2}, boards())
    np.testing.assert_allclose(found["winloss_error"], [winloss] * 3, rtol=1e-6)
    np.testing.assert_allclose(found["score_error"], [score] * 3, rtol=1e-6)
    np.testing.assert_allclose(found["variance_time"], [softplus(2) * 40] * 3, rtol=1e-6)
    np.testing.assert_array_equal(found["optimistic"], raw(MISC)["policy"] * 2)


def test_multipliers_are_the_networks_own() -> None:
    spec = KataGoSpec(14, 1.0, 2.0, 3.0, 4.0, 9.0, 16.0)
    found = read_outputs(spec, raw(MISC), boards()[2:].repeat(3))
    expected = {"score_mean": 0.5, "score_stdev": 2 * softplus(-1), "lead": 0.75, "variance_time": 4 * softplus(2)}
    for name, value in (expected | {"winloss_error": 3 * softplus(0.5), "score_error": 4 * softplus(-1.5)}).items():
        np.testing.assert_allclose(found[name], [value] * 3, rtol=1e-6)


def test_large_numbers_stay_finite() -> None:
    found = read_outputs(KataGoSpec(14), raw([500.0, 5000.0, -500.0, -5000.0, 5000.0, -5000.0], 1000.0), boards())
    assert all(np.isfinite(array).all() for array in found.values())
    assert found["score_stdev"][2] == pytest.approx(100_000)
    assert found["variance_time"][0] == 0
    assert found["ownership"].max() == 1


def test_what_is_not_a_number_stays_so_without_a_warning() -> None:
    for wrong in (np.nan, np.inf):
        outputs = raw(MISC)
        outputs["value_logits"][:, 0] = wrong
        outputs["misc"][:, 0] = wrong
        found = read_outputs(KataGoSpec(14), outputs, boards())
        assert not np.isfinite(found["value"]).any()
        assert not np.isfinite(found["score_mean"]).any()
