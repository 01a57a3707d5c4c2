"""Which rollouts a mixed search plays: AlphaGo's trained ones where there are any for the board, or light ones.

The trained rollout policy also gives the placeholder priors, as AlphaGo's tree policy did (`search.tree_policy`). Files
are read when a search is first made, which one without rollouts never asks for.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from move37.errors import NetworkFileError
from move37.nets import finding
from move37.search.evaluator import Evaluator
from move37.search.root import AnySearch

if TYPE_CHECKING:
    from move37.features.rollout_policy import RolloutPolicy

__all__ = ["LIGHT", "PATTERN", "RolloutChoice"]

LIGHT, PATTERN = "light", "pattern"


class RolloutChoice:
    """Makes mixed searches with the rollouts `wanted`; `make` is a `search_player.SearchMaker`.

    "light": the weights of `search.light_rollout_kernels`. "pattern": the trained policy for the board size, which must
    be there. A file of one: on every board. None: the trained one where it is there, else light ones, with a warning.
    `player`: whose, for messages.
    """

    def __init__(self, player: str, wanted: str | Path | None) -> None:
        self._player = player
        self._wanted = wanted
        self._policies: dict[Path, RolloutPolicy] = {}
        self._warned: set[tuple[int, int]] = set()
        if wanted not in (None, LIGHT, PATTERN):
            self._load(Path(str(wanted)))  # what is wrong with it is told at once

    def make(self, evaluator: Evaluator, config: Any, rng: np.random.Generator, size: tuple[int, int]) -> AnySearch:
        """A search with the options `config` (`MixedConfig`) on boards of `size`; NetworkFileError in one sentence."""
        from move37.search.mixed_search import MixedSearch
        from move37.search.rollouts import Rollouts

        policy = self.policy(*size) if config.rollouts else None
        if policy is None:
            return MixedSearch(evaluator, config, rng)
        from move37.search.tree_policy import PatternTreePolicy

        rollouts = Rollouts(config.threads, int(rng.integers(2**63)), policy=policy)
        return MixedSearch(evaluator, config, rng, rollouts=rollouts, tree_policy=PatternTreePolicy(policy))

    def policy(self, rows: int, cols: int) -> RolloutPolicy | None:
        """The trained policy for a board size, None for light rollouts."""
        if self._wanted == LIGHT:
            return None
        if self._wanted not in (None, PATTERN):
            return self._load(Path(str(self._wanted)))
        path = finding.rollout_policy(rows, cols)
        if path is not None:
            return self._load(path)
        missing = f"there is no trained rollout policy for {rows}x{cols} ({finding.ROLLOUTS}{rows}x{cols})"
        if self._wanted == PATTERN:
            raise NetworkFileError(
                f"player {self._player!r}: {missing}: train one with 'move37 train rollout', name a file with "
                f"--rollouts, or ask for --rollouts {LIGHT}"
            )
        if (rows, cols) not in self._warned:
            self._warned.add((rows, cols))
            warnings.warn(f"player {self._player!r}: {missing}; its rollouts are light ones", stacklevel=2)
        return None

    def _load(self, path: Path) -> RolloutPolicy:
        from move37.nets import linear

        if path not in self._policies:
            self._policies[path] = linear.load(path)
        return self._policies[path]
