"""What all tests share: Hypothesis's profile, rewriting of golden files, and GNU Go where it is installed."""

from __future__ import annotations

import os
import shutil

import pytest
from hypothesis import HealthCheck, settings

# The first example of a kernel test may compile for a minute, so no deadline and no complaint about slow data.
settings.register_profile("dev", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("dev"), derandomize=True, database=None)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "dev")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite golden files from what the code gives now")


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether this run rewrites golden files instead of comparing with them."""
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture(scope="session")
def gnugo() -> str:
    """The path of GNU Go; without it the test skips, but fails in CI, where `make test` should have installed it."""
    path = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")
    if path is None:
        complain = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        complain("GNU Go is not installed (Debian: apt-get install gnugo)")
    return path
