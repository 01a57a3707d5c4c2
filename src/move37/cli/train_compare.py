"""The command that lets two policy networks play each other without search, and how its score is told."""

from __future__ import annotations

from pathlib import Path


def command(
    net: str, net_b: str, games: int, size: int, komi: float, temperature: float, passes: str, seed: int, playing: str
) -> None:
    """Play a match of two policy networks, all games side by side, and print its score."""
    from typing import get_args

    from move37.errors import ConfigError
    from move37.training.policy_games import Passes
    from move37.training.policy_match import Playing, evaluator_of, policy_match
    from move37.training.reinforce import load_network

    for value, choices in ((passes, get_args(Passes)), (playing, get_args(Playing))):
        if value not in choices:
            raise ConfigError(f"choose one of {', '.join(choices)}, not {value!r}")
    networks = [load_network(Path(path), "policy", size) for path in (net, net_b)]
    pair = [evaluator_of(network, playing) for network in networks]  # type: ignore[arg-type]
    result = policy_match(
        *pair,
        games=games,
        size=size,
        komi=komi,
        temperature=temperature,
        passes=passes,  # type: ignore[arg-type]
        seed=seed,
        names=(networks[0].spec.name, networks[1].spec.name),
    )
    print(result)
