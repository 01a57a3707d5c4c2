"""The `katago` player: its search and its network, on every board and under every rules, and how it ends a game."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from move37.errors import ConfigError, NetworkFileError, PlayerError
from move37.players.player import judge_of
from move37.players.presets import katago
from move37.rules.position import Position
from move37.search.evaluator import Evaluations
from move37.search.result import SearchResult
from tests.support.katago_files import write
from tests.support.katago_random import random_katago_file
from tests.support.networks import katago_network, small_network
from tests.support.shared import SHARED

NET = SHARED / "katago" / "nets" / "g170-b6c96-s175395328-d26788732.bin.gz"
RULES = ("tromp-taylor", "chinese", "japanese", "japanese,encore=true", "aga", "aga-button", "stone-scoring")
SIZES = ((2, 2), (2, 7), (19, 19), (19, 2), (9, 13))


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_it_plays_on_every_board_under_every_rules(rows: int, cols: int, rules: str) -> None:
    player = katago(net=katago_network(), visits=8, seed=0)
    position = Position(rows=rows, cols=cols, rules=rules, komi=0.5)
    for _ in range(6):
        if position.is_over:
            break
        decision = player.choose(position)
        assert decision.move is not None
        position.play(decision.move)
    assert position.moves


@pytest.mark.parametrize("rules", RULES)
def test_a_game_against_itself_ends(rules: str) -> None:
    player = katago(net=katago_network(), visits=6, seed=0, resign=-1.0)
    position = Position(4, rules=rules, komi=0.5)
    while not position.is_over:
        assert position.move_number < 200
        decision = player.choose(position)
        assert decision.move is not None
        position.play(decision.move)


def test_its_seed_decides_what_noise_it_searches_with() -> None:
    def priors(seed: int) -> list[float]:
        search = katago(net=katago_network(), seed=seed, symmetry="none").new_search(5, 5, noise_fraction=0.25)
        return [float(share) for share in search.run(Position(5, komi=0.5), 8).priors]

    assert priors(1) == priors(1) != priors(2)


def test_its_decisions_carry_scores_and_its_network_judges_stones() -> None:
    player = katago(net=katago_network(), visits=20, seed=0)
    decision = player.choose(Position(5, komi=0.5))
    assert isinstance(decision.tree, SearchResult) and decision.tree.analysis is not None
    assert decision.win_rate == pytest.approx(decision.tree.analysis.winrate)
    assert judge_of(player, Position(5)) is not None
    assert (player.name, repr(player)) == ("katago", "<player katago: small-katago, 20 visits>")


def test_without_a_network_it_says_which_file_it_wants(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("MOVE37_NETS", str(tmp_path / "nets"))
    monkeypatch.setattr("move37.nets.finding._katrain_packages", list)
    with pytest.raises(
        NetworkFileError, match=r"^player 'katago' needs a network of KataGo's, a file such as NAME\.bin"
    ):
        katago()


@pytest.mark.skipif(not NET.is_file(), reason="needs the networks of the shared folder")
def test_without_a_network_it_takes_the_first_of_katago_s_that_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MOVE37_NETS", str(tmp_path))
    (tmp_path / "notes.bin.gz").write_bytes(b"none")
    (tmp_path / "one.bin.gz").symlink_to(NET)
    assert repr(katago(visits=3)) == "<player katago: one, 3 visits>"


@pytest.fixture
def found_transformer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The only network in the user's folder, which the fast path cannot run; torch is away."""
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("MOVE37_NETS", str(tmp_path))
    monkeypatch.setattr("move37.nets.finding._katrain_packages", list)
    return write(tmp_path / "a.bin.gz", random_katago_file(15, ("attention",), "SILU").parts())


def test_without_a_network_it_takes_the_first_that_can_be_run(found_transformer: Path) -> None:
    with pytest.raises(ConfigError, match="needs torch, which is not installed"):
        katago()
    write(found_transformer.with_name("b.bin.gz"), random_katago_file(14).parts())
    assert "katago: b," in repr(katago())
    with pytest.raises(ConfigError, match="needs torch, which is not installed"):
        katago(net=found_transformer)


def test_a_damaged_network_is_passed_over_too(found_transformer: Path) -> None:
    found_transformer.write_bytes(found_transformer.read_bytes()[:-99])
    with pytest.raises(NetworkFileError, match="cut short"):
        katago()
    write(found_transformer.with_name("b.bin.gz"), random_katago_file(14).parts())
    assert "katago: b," in repr(katago())


def test_a_network_of_another_format_is_refused() -> None:
    with pytest.raises(PlayerError, match=r"^player 'katago' needs a network of KataGo's, which zero-2x8 is not"):
        katago(net=small_network())


@pytest.mark.parametrize("options", [{"resign": 0.5}, {"batch": 0}, {"visits": 0}, {"backend": "abacus"}])
def test_options_out_of_range_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        katago(net=katago_network(), **options)


class Passing:
    """Likes to pass where dead stones need not be taken off, and else any move; `strict` counts the latter asked."""

    def __init__(self, value: float = 0.9) -> None:
        self.strict = 0
        self._value = value

    def evaluate(self, boards: NDArray[Any]) -> Evaluations:
        points = int(boards[0]["rows"]) * int(boards[0]["cols"])
        friendly = boards["friendly_pass"] == 1
        self.strict += int((~friendly).sum())
        policy = np.zeros((len(boards), points + 1), np.float32)
        policy[:, points] = np.where(friendly, 20, -20)
        return Evaluations(policy, np.full(len(boards), self._value, np.float32))


@pytest.mark.parametrize(
    ("rules", "komi", "passes"), [("chinese", -8, True), ("chinese", 0.5, False), ("tromp-taylor", 0.5, False)]
)
def test_dead_stones_are_taken_off_where_the_count_as_it_stands_would_lose(
    rules: str, komi: float, passes: bool
) -> None:
    """Black has 15 points to 10 without the two white stones on the left, and 5 to 12 as it stands."""
    text = ". . X O .\n. . X O .\nO . X O .\nO . X O .\n. . X O ."
    position = Position.from_diagram(text, rules=rules, komi=komi)
    evaluator = Passing()
    decision = katago(net=evaluator, visits=1, seed=0).choose(position)
    assert (decision.move == 25) == passes
    assert (evaluator.strict > 0) != passes


def test_it_resigns_after_three_lost_turns_of_a_game_long_enough() -> None:
    player = katago(net=Passing(value=-0.99), visits=1, seed=0)
    position = Position(9, rules="tromp-taylor", komi=0.5)
    found: list[bool] = []
    for turn in range(40):
        decision = player.choose(position)
        found.append(decision.resign)
        if decision.resign:
            break
        position.play(int(np.flatnonzero(position.legal_mask())[turn % 7]))
    assert found.count(True) == 1 and len(found) >= 21
