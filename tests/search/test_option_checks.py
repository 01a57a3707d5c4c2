"""Options of each search: what is no value of an option's kind is refused by the option's name."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from move37.errors import ConfigError
from move37.search.gumbel import GumbelConfig
from move37.search.katago import KataGoConfig
from move37.search.minimax import MinimaxConfig
from move37.search.mixed import MixedConfig
from move37.search.puct import SearchConfig
from move37.search.ucb1 import UctConfig

SEARCHES: tuple[Any, ...] = (SearchConfig, KataGoConfig, GumbelConfig, MixedConfig, UctConfig, MinimaxConfig)
NEVER = {
    "bool": (1, "yes", float("nan"), None),
    "int": (2.5, True, "8", 2**63, float("inf"), None),
    "float": (float("inf"), float("nan"), True, "1", 1e300, 10**400, None),
}


@pytest.mark.parametrize("config", SEARCHES)
def test_a_value_of_another_kind_is_refused_by_the_options_name(config: Any) -> None:
    for field in fields(config):
        kind, _, optional = str(field.type).partition(" | ")
        for value in NEVER.get(kind, ()):
            if not (value is None and optional):
                with pytest.raises(ConfigError, match=rf"{field.name}\b"):
                    config(**{field.name: value})


@pytest.mark.parametrize("config", SEARCHES[:5])
def test_numbers_of_numpy_are_numbers(config: Any) -> None:
    assert config(batch=np.int32(4), memory_mb=np.float32(8)).batch == 4
