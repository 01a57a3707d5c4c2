"""How the networks of recipes begin."""

from __future__ import annotations

import numpy as np
import torch

from move37.nets.torch_net import to_torch
from move37.training.network_recipe import NetworkRecipe, new_network


def test_a_value_network_begins_without_an_opinion_and_with_units_that_count() -> None:
    recipe = NetworkRecipe(kind="value", convolutions=2, filters=8, value_hidden=6, encoder="alphago49", norm=True)
    network = new_network(recipe, 5, (6.5, 7.5), "chinese", np.random.default_rng(1))
    weights = network.arrays["value_hidden.weight"]
    assert weights.shape == (6, 25)
    assert [set(np.sign(unit)) for unit in weights] == [{1.0}, {-1.0}] * 3
    planes = torch.from_numpy(np.random.default_rng(2).random((3, 49, 5, 5), np.float32))
    module = to_torch(network)
    assert module(planes)["value"].flatten().tolist() == [0.0] * 3
    # A plane that says the same everywhere moves the units: with weights of both signs it would all but cancel out.
    sums = weights.sum(axis=1)
    assert (np.abs(sums) > 2.0 * np.linalg.norm(weights, axis=1)).all()
