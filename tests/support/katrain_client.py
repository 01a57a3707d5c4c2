"""KaTrain's own engine and game classes as a client of `move37 analyze`: a whole game, then some of what its keys do.

Run it by the Python that has KaTrain (pip install katrain; under a display, such as `xvfb-run -a`):

    python katrain_client.py GAME.sgf NETWORK [PATH_OF_MOVE37] [VISITS]

KaTrain starts the engine itself, with the command line that it uses for KataGo. Prints one JSON line of what it saw.
It is a program of its own, so it imports nothing of ours.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from importlib import import_module
from typing import Any

os.environ["KIVY_NO_ARGS"] = "1"
os.environ.setdefault("KIVY_NO_CONSOLELOG", "1")


class Katrain:
    """What KaTrain's engine and game need of its window: settings and a log."""

    def __init__(self, engine_settings: dict[str, Any], error_level: int) -> None:
        self.error_level = error_level
        self.settings = {"engine": engine_settings, "game/rules": "chinese", "game/size": 19, "game/komi": 7.5}
        self.errors: list[str] = []
        self.popups: list[str] = []
        self.updates = 0

    def config(self, name: str, default: Any = None) -> Any:
        return self.settings.get(name, default)

    def log(self, message: Any, level: int = 0) -> None:
        if level == self.error_level:
            self.errors.append(str(message))

    def update_state(self, **more: Any) -> None:
        self.updates += 1

    def __call__(self, name: str, *details: Any) -> None:
        self.popups.append(f"{name} {details}")


def until(done: Any, seconds: float) -> bool:
    """Wait for a condition, at most so long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if done():
            return True
        time.sleep(0.1)
    return False


def main(path: str, network: str, program: str, visits: int) -> dict[str, Any]:
    constants: Any = import_module("katrain.core.constants")
    engines: Any = import_module("katrain.core.engine")
    games: Any = import_module("katrain.core.game")
    settings = {
        "backend": "local",
        "katago": program,
        "model": network,
        "config": "katrain/KataGo/analysis_config.cfg",
        "max_visits": visits,
        "fast_visits": visits,
        "max_time": 60.0,
        "wide_root_noise": 0.04,
        "_enable_ownership": True,
        "allow_recovery": False,
    }
    katrain = Katrain(settings, constants.OUTPUT_ERROR)
    engine = engines.KataGoEngine(katrain, settings)
    began = time.monotonic()
    game = games.Game(katrain, engine, move_tree=games.KaTrainSGF.parse_file(path), analyze_fast=True)
    nodes = game.root.nodes_in_tree
    finished = until(lambda: all(node.analysis_complete for node in nodes), 550)
    whole_game = time.monotonic() - began

    last = nodes[-1]
    lost = [node.points_lost for node in nodes if node.parent]
    seen: dict[str, Any] = {
        "finished": finished,
        "positions": len(nodes),
        "analysed": sum(node.analysis_complete for node in nodes),
        "seconds": round(whole_game, 1),
        "visits": [min(node.root_visits for node in nodes), max(node.root_visits for node in nodes)],
        "ownership": all(len(node.ownership or []) == 361 for node in nodes),
        "policy": all(len(node.policy or []) == 362 for node in nodes),
        "points_lost_known": sum(value is not None for value in lost),
        "win_rates": [round(node.winrate, 3) for node in nodes[:: max(1, len(nodes) // 8)]],
        "scores": [node.format_score() for node in nodes[:: max(1, len(nodes) // 8)]],
        "candidates": [move["move"] for move in last.candidate_moves[:3]],
    }
    # deeper, alternatives, a region, one move refined, pondering that is stopped
    middle = nodes[len(nodes) // 2]
    middle.analyze(engine, visits=2 * visits)
    middle.analyze(engine, visits=visits, find_alternatives=True)
    middle.analyze(engine, visits=visits, region_of_interest=[0, 8, 0, 8])
    middle.analyze(engine, visits=visits, refine_move=middle.children[0].move if middle.children else None)
    seen["queries_done"] = until(engine.is_idle, 120)
    seen["deeper"] = middle.root_visits
    middle.analyze(engine, ponder=True)
    seen["pondered"] = until(lambda: middle.root_visits > 3 * visits, 120)
    engine.stop_pondering()
    seen["ponder_ended"] = until(engine.is_idle, 30)
    engine.on_new_game()
    seen["alive"] = engine.check_alive()
    began = time.monotonic()
    engine.shutdown(finish=False)
    seen |= {"shutdown_seconds": round(time.monotonic() - began, 2), "errors": katrain.errors, "popups": katrain.popups}
    return seen


if __name__ == "__main__":
    words = sys.argv[1:]
    command = words[2] if len(words) > 2 else str(shutil.which("move37"))
    print(json.dumps(main(words[0], words[1], command, int(words[3]) if len(words) > 3 else 20)))
