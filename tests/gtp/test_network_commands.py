"""The network by itself: KataGo's own numbers where its network is at hand, a plain evaluator's always."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.gtp.engine import Engine
from move37.gtp.network_commands import sight
from move37.gtp.protocol import Protocol
from move37.players.player import Player
from move37.players.presets import policy
from move37.rules import symmetry
from move37.rules.position import Position
from move37.search.evaluator import Evaluations
from tests.support.gtp_session import PlainEvaluator, Typist, plain_player
from tests.support.networks import katago_network
from tests.support.shared import SHARED

KATAGO = SHARED / "katago"
NET = KATAGO / "nets" / "g170-b6c96-s175395328-d26788732.bin.gz"
RAW = "raw_nn_g170-b6c96-s175395328-d26788732.json"


def read_raw(text: str) -> dict[str, Any]:
    """The keys and values of one symmetry, read by words as KataGo's documentation asks."""
    found: dict[str, Any] = {}
    key = ""
    for word in text.split():
        if re.fullmatch(r"[a-zA-Z]+", word) and word != "NAN":
            key = word
            found[key] = []
        else:
            found[key].append(float(word))
    return found


def ask(protocol: Protocol, line: str) -> str:
    answer = protocol.respond(line)
    assert answer is not None and answer.startswith("= "), answer
    return answer[2:]


def test_the_numbers_of_a_plain_evaluator_are_whites() -> None:
    protocol = Engine(plain_player(), size=5).protocol()
    ask(protocol, "play b c3")
    for color in ("", "w ", "b "):
        raw = read_raw(ask(protocol, f"kata-raw-nn {color}0"))
        assert raw["whiteWin"][0] - raw["whiteLoss"][0] == pytest.approx(-1 / 16)
        assert raw["whiteLead"] == [-1.0] and raw["whiteScoreSelfplay"] == [-0.5]
        assert raw["whiteScoreSelfplaySq"] == [16.25]
        assert raw["whiteOwnership"][12] == -0.75 and sum(map(abs, raw["whiteOwnership"])) == 0.75
        assert np.isnan(raw["policy"][12]) and len(raw["policy"]) == 25
        assert np.nansum([*raw["policy"], *raw["policyPass"]]) == pytest.approx(1, abs=1e-4)


def test_all_symmetries_are_answered_one_after_the_other_and_turned_back() -> None:
    player = policy(net=katago_network())
    protocol = Engine(player, size=5).protocol()
    ask(protocol, "play b b4")
    parts = [read_raw(part) for part in re.split(r"(?=symmetry)", ask(protocol, "kata-raw-nn all")) if part.strip()]
    assert [part["symmetry"] for part in parts] == [[float(turned)] for turned in range(8)]
    position = Position(5)
    position.play("B4")
    for turned, part in enumerate(parts):
        moved = Position(5)
        moved.play(symmetry.point(turned, position.point("B4"), 5, 5))
        direct = sight(player, moved).ownership
        assert direct is not None
        back = symmetry.permutation(symmetry.inverse(turned), 5, 5)[:-1]
        assert part["whiteOwnership"] == pytest.approx(direct.ravel()[back].tolist(), abs=1e-5)


@pytest.mark.parametrize("line", [
    "kata-raw-nn", "kata-raw-nn 8", "kata-raw-nn b", "kata-raw-nn 0 2", "kata-raw-nn 0 x", "kata-raw-nn 0 0 0",
    "kata-raw-nn some", "heatmap 8", "heatmap x", "kata-raw-nn ²",
])  # fmt: skip
def test_other_arguments_are_refused_with_the_usage(line: str) -> None:
    answer = Engine(plain_player(), size=5).protocol().respond(line)
    assert answer is not None and re.match(r"\? .*use (kata-raw-nn|heatmap) ", answer)


def test_boards_that_are_not_square_have_four_symmetries() -> None:
    protocol = Engine(plain_player(), size=5).protocol()
    ask(protocol, "boardsize 5 4")
    assert ask(protocol, "kata-raw-nn all").count("symmetry") == 4
    answer = protocol.respond("kata-raw-nn 4")
    assert answer is not None and answer.startswith("? there is no such symmetry")


def test_a_heat_map_has_the_policy_in_thousandths() -> None:
    protocol = Engine(plain_player(), size=5).protocol()
    plain = ask(protocol, "heatmap").split()
    assert [int(word) for word in plain[:25]] == sorted((int(word) for word in plain[:25]), reverse=True)
    mean = np.array(ask(protocol, "heatmap average").split()[:25], int).reshape(5, 5)
    assert (mean == mean.T).all() and (mean == mean[::-1]).all()


@pytest.mark.skipif(not NET.is_file(), reason="needs KataGo's network and numbers")
@pytest.mark.parametrize("identity", ["kg001", "kg034", "kg042"])
def test_the_numbers_are_katagos(identity: str, katago: Player) -> None:
    (entry,) = [one for one in _data("positions.json")["positions"] if one["id"] == identity]
    expected: dict[str, Any] = _data(RAW)["results"][identity]
    protocol = Engine(katago, size=entry["xsize"], komi=entry["komi"]).protocol()
    ask(protocol, f"kata-set-rules {json.dumps(entry['rules'])}")
    for color, vertex in entry["moves"]:
        ask(protocol, f"play {color} {vertex}")
    raw = read_raw(ask(protocol, "kata-raw-nn 0"))
    for key, tolerance in (("whiteWin", 1e-4), ("whiteLead", 3e-3), ("whiteScoreSelfplay", 3e-3)):
        assert raw[key][0] == pytest.approx(expected[key], abs=tolerance), key
    shares: list[float] = [np.nan if share is None else share for share in expected["policy"]]
    assert [*raw["policy"], *raw["policyPass"]] == pytest.approx(shares, abs=1e-4, nan_ok=True)
    assert raw["whiteOwnership"] == pytest.approx(expected["whiteOwnership"], abs=1e-4)


@pytest.fixture(scope="module")
def katago() -> Player:
    return policy(net=NET)


def _data(name: str) -> dict[str, Any]:
    return dict(json.loads((KATAGO / name).read_text(encoding="utf-8")))


class Counting(PlainEvaluator):
    """Counts the positions that it is asked for."""

    asked = 0

    def evaluate(self, boards: NDArray[Any]) -> Evaluations:
        self.asked += len(boards)
        return super().evaluate(boards)


def test_a_benchmark_evaluates_anew_what_is_known() -> None:
    evaluator = Counting()
    player = plain_player(evaluator=evaluator)
    with Typist(Engine(player, size=5)) as typist:
        asked: list[int] = []
        for _ in range(2):
            before = evaluator.asked
            assert "40 visits in" in typist.ask("kata-benchmark 40")[0]
            asked.append(evaluator.asked - before)
    assert asked[0] == asked[1] > 10
