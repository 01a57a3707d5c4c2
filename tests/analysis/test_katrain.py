"""KaTrain's own engine class analyses a game through `move37 analyze`, started as KaTrain starts KataGo."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.shared import SHARED

PYTHON = os.environ.get("MOVE37_KATRAIN_PYTHON", "")
"""The Python of an installation with KaTrain, which has too many dependencies to be one of ours."""

CLIENT = Path(__file__).parents[1] / "support" / "katrain_client.py"
NETWORK = SHARED / "katago" / "nets" / "g170-b6c96-s175395328-d26788732.bin.gz"
GAMES = sorted((SHARED / "games" / "sgf-sample" / "pro").glob("*.sgf"))


@pytest.mark.skipif(not PYTHON, reason="set MOVE37_KATRAIN_PYTHON to a Python that has KaTrain")
@pytest.mark.skipif(not (NETWORK.exists() and GAMES), reason="needs the shared networks and games")
def test_katrain_analyses_a_professional_game() -> None:
    program, display = shutil.which("move37"), shutil.which("xvfb-run")
    assert program, "install move37 first"
    command = [PYTHON, str(CLIENT), str(GAMES[0]), str(NETWORK), program, "4"]
    done = subprocess.run(
        command if display is None else [display, "-a", *command], capture_output=True, timeout=600, check=True
    )
    seen = json.loads(done.stdout.splitlines()[-1])
    assert seen["finished"] and seen["analysed"] == seen["positions"] > 200
    assert seen["ownership"] and seen["policy"]
    assert seen["points_lost_known"] == seen["positions"] - 1
    assert seen["pondered"] and seen["ponder_ended"] and seen["queries_done"] and seen["alive"]
    assert seen["errors"] == [] and seen["popups"] == []
