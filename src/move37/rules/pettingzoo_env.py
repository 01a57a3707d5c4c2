"""Go as a PettingZoo environment (agents ``black_0`` and ``white_0`` in turns), for reinforcement learning libraries.

Needs the extra ``move37[pettingzoo]``; nothing else of the package imports this module. The game is a `Batch` of one.

What an agent observes is always from **its own** view, whoever is to move: ``observation`` is ``int8[H, W, 4]`` with
the planes own stones, opponent's stones, the simple-ko point, and ones if the agent is Black; ``action_mask`` is
``int8[A]``, the legal moves (superko included), pass last, all 0 when it is not the agent's turn or the game is over.
Rewards are given once, at the end: +1 and -1, or 0 for a draw and after a long cycle, by the count of `Batch`. At the
move limit the game is truncated and counted as it stands. An illegal action raises `IllegalMoveError` and changes
nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from move37.errors import IllegalMoveError
from move37.rules import records
from move37.rules.batch import Batch, batch
from move37.rules.color import Color
from move37.rules.diagram import format_diagram
from move37.rules.ruleset import Ruleset

Observation = dict[str, NDArray[np.int8]]

_AGENTS = {"black_0": Color.BLACK, "white_0": Color.WHITE}


class GoEnv(AECEnv[str, Observation, int | None]):  # type: ignore[misc]  # pettingzoo ships no type information
    """One game of Go. The arguments are those of `batch`."""

    metadata = {"name": "move37_go_v0", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012  # as the base class has it

    def __init__(
        self,
        size: int = 19,
        *,
        rules: str | Ruleset | Mapping[str, Any] = "tromp-taylor",
        komi: float = 7.5,
        move_limit: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.games: Batch = batch(1, size, rules=rules, komi=komi, move_limit=move_limit)
        self.render_mode = render_mode
        self.possible_agents = list(_AGENTS)
        rows, cols, actions = self.games.rows, self.games.cols, self.games.actions
        seen = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, (rows, cols, 4), np.int8),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, cast("spaces.Space[Observation]", seen))
        self.action_spaces = dict.fromkeys(
            self.possible_agents, cast("spaces.Space[int | None]", spaces.Discrete(actions))
        )
        self.reset()

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start again from the empty board. Nothing is random, so ``seed`` and ``options`` do nothing."""
        self.games.reset()
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> Observation:
        """What this agent sees now, as the module says."""
        color = _AGENTS[agent]
        board = self.games.boards[0]
        stones = records.stones_grid(board)
        planes = np.zeros((*stones.shape, 4), dtype=np.int8)
        planes[..., 0] = stones == color
        planes[..., 1] = stones == color.opponent
        if board["ko_point"] >= 0:
            planes[divmod(int(board["ko_point"]), self.games.cols)][2] = 1
        planes[..., 3] = color is Color.BLACK
        mask = self.games.legal_mask()[0].astype(np.int8)
        if board["to_play"] != color:
            mask[:] = 0
        return {"observation": planes, "action_mask": mask}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same for both agents: see the module."""
        space: spaces.Space[Any] = self.observation_spaces[agent]
        return space

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """``Discrete(A)``: points row-major from the top left, pass last."""
        space: spaces.Space[Any] = self.action_spaces[agent]
        return space

    def step(self, action: int | None) -> None:
        """Play the selected agent's action; None from an agent whose game is over.

        Raises `IllegalMoveError` for an illegal action and after the end; nothing is changed then.
        """
        if not self.agents:
            raise IllegalMoveError("The game is over and both agents are done: call reset() to play again.")
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            if action is not None:
                raise IllegalMoveError(f"The game is over: {self.agent_selection} can only step None, not {action}.")
            self._was_dead_step(action)
            return
        if action is None:
            raise IllegalMoveError(f"The game is not over: {self.agent_selection} must give an action, not None.")
        self.games.step([int(action)])
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        if self.games.done[0]:
            self._finish()
        self.agent_selection = self.agents[1 - self.agents.index(self.agent_selection)]
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The board as text, in render mode ``ansi``."""
        return format_diagram(self.games.stones[0]) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to close."""

    def _finish(self) -> None:
        """Give the rewards and end both agents' games."""
        winner = int(self.games.winner()[0])
        ended = bool(self.games.boards["passes"][0] >= 2 or self.games.boards["no_result"][0])
        for agent, color in _AGENTS.items():
            self.rewards[agent] = 0.0 if winner == 0 else 1.0 if winner == color else -1.0
            self.terminations[agent] = ended
            self.truncations[agent] = not ended
