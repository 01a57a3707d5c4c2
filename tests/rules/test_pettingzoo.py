from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test  # pyright: ignore[reportUnknownVariableType]  # it has no type information

from move37.errors import IllegalMoveError
from move37.rules.pettingzoo_env import GoEnv
from move37.rules.position import Position


@pytest.mark.filterwarnings("ignore:Observation:UserWarning")  # it warns about every dict, though its own Go uses one
@pytest.mark.parametrize(("size", "move_limit"), [(3, None), (9, 40)])
def test_conforms(size: int, move_limit: int | None) -> None:
    api_test(GoEnv(size, move_limit=move_limit), num_cycles=200, verbose_progress=False)


def test_each_agent_sees_its_own_side() -> None:
    env = GoEnv(5, komi=0.5)
    position = Position(5, komi=0.5)
    for move in ["C3", "B2", "C4", "pass"]:
        env.step(position.point(move))
        position.play(move)
        for agent, color in (("black_0", 1), ("white_0", 2)):
            seen = env.observe(agent)
            planes = seen["observation"]
            assert np.array_equal(planes[..., 0], position.stones == color)
            assert np.array_equal(planes[..., 1], position.stones == 3 - color)
            assert (planes[..., 3] == (color == 1)).all()
            legal = position.legal_mask() if position.to_play == color else np.zeros(26)
            assert np.array_equal(seen["action_mask"], legal)
            assert env.observation_space(agent).contains(seen)


def test_ko_plane() -> None:
    env = GoEnv(4, rules="chinese")
    for action in [1, 2, 4, 7, 9, 10, 16, 5, 6]:
        env.step(action)
    assert np.argwhere(env.observe("white_0")["observation"][..., 2]).tolist() == [[1, 1]]
    assert env.observe("white_0")["action_mask"][5] == 0


@pytest.mark.parametrize(("komi", "black"), [(0.5, 1.0), (9.5, -1.0), (9, 0.0)])
def test_rewards_come_once_and_honour_komi(komi: float, black: float) -> None:
    env = GoEnv(3, komi=komi)
    for action in (4, 9):
        env.step(action)
        assert set(env.rewards.values()) == {0.0}
    env.step(9)
    assert env.rewards == {"black_0": black, "white_0": -black}
    assert env.terminations == {"black_0": True, "white_0": True}
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        totals[agent] += env.last()[1]
        env.step(None)
    assert totals == {"black_0": black, "white_0": -black}
    assert env.agents == []


def test_move_limit_truncates() -> None:
    env = GoEnv(3, komi=0.5, move_limit=1)
    env.step(4)
    assert env.truncations == {"black_0": True, "white_0": True}
    assert env.terminations == {"black_0": False, "white_0": False}
    assert env.rewards == {"black_0": 1.0, "white_0": -1.0}


def test_wrong_steps_change_nothing() -> None:
    env = GoEnv(3)
    env.step(4)
    before = env.games.boards.tobytes()
    for action in (4, 10, -1, None):
        with pytest.raises(IllegalMoveError):
            env.step(action)
    assert env.games.boards.tobytes() == before
    assert env.agent_selection == "white_0"
    env.step(9)
    env.step(9)
    with pytest.raises(IllegalMoveError, match="The game is over"):
        env.step(0)
    env.step(None)
    env.step(None)
    with pytest.raises(IllegalMoveError, match=r"reset\(\)"):
        env.step(None)
    env.reset()
    assert env.observe("black_0")["action_mask"].sum() == 10


def test_render() -> None:
    env = GoEnv(5, render_mode="ansi")
    env.step(12)
    assert env.render() == "\n".join(
        [
            "   A B C D E",
            " 5 . . . . . 5",
            " 4 . . . . . 4",
            " 3 . . X . . 3",
            " 2 . . . . . 2",
            " 1 . . . . . 1",
            "   A B C D E",
        ]
    )
    assert GoEnv(5).render() is None
