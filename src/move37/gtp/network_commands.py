"""The commands that ask the network by itself, without search: KataGo's `kata-raw-nn`, Leela Zero's `heatmap`.

Symmetries have KataGo's numbers (`rules.symmetry`). Facts: KataGo's GTP extensions; Leela Zero's `GTP.cpp`, which
draws its heat map on stderr: here it is the answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from move37.errors import GtpError, RulesError
from move37.gtp.arguments import number_of
from move37.gtp.protocol import Handler
from move37.gtp.table import Table
from move37.players.player import Seer
from move37.rules import symmetry
from move37.rules.color import Color
from move37.rules.position import Position
from move37.search.evaluator import ROOT_OPTIMISM, Evaluations, masked_softmax, optimistic_policy

_RAW_USAGE: Final = "use kata-raw-nn [COLOR] SYMMETRY|all [OPTIMISM], with a symmetry of 0 to 7 and optimism of 0 to 1"
_HEAT_USAGE: Final = "use heatmap [SYMMETRY|average], with a symmetry of 0 to 7"


@dataclass(frozen=True)
class Sight:
    """What the network says of one position, for the player to move: probabilities policy: float32[A], 0 if illegal."""

    position: Position
    policy: NDArray[np.float32]
    legal: NDArray[np.bool_]
    raw: Evaluations

    @property
    def win(self) -> float:
        """The chance that the player to move wins."""
        return (1.0 - self.no_result + float(self.raw.value[0])) / 2.0

    @property
    def no_result(self) -> float:
        """The chance of a game without result."""
        return 0.0 if self.raw.no_result is None else float(self.raw.no_result[0])

    @property
    def ownership(self) -> NDArray[np.float32] | None:
        """float32[H, W], or None where the network does not foretell it."""
        return None if self.raw.ownership is None else self.raw.ownership[0]


def sight(player: Seer, position: Position, turned: int | None = 0, optimism: float = ROOT_OPTIMISM) -> Sight:
    """Ask the network about `position`, shown under one symmetry, or (None) under all, averaged."""
    from move37.evaluators.symmetric import SymmetricEvaluator

    around = SymmetricEvaluator(player.network(position.rows, position.cols), mode="mean")
    boards = position.board_array
    raw = around.evaluate(boards) if turned is None else around.turned(boards, np.array([turned], np.int8))
    legal = position.legal_mask()
    policy = masked_softmax(optimistic_policy(raw, optimism), legal[None])[0]
    return Sight(position, policy, legal, raw)


class NetworkCommands:
    """For a player whose network can be asked by itself."""

    def __init__(self, table: Table, player: Seer) -> None:
        self._table = table
        self._player = player

    def handlers(self) -> dict[str, Handler]:
        """The commands by name."""
        return {"kata-raw-nn": self._raw, "heatmap": self._heatmap}

    def _raw(self, words: list[str]) -> str:
        rest = list(words)
        position = self._table.position
        if rest and (color := _color(rest[0])) is not None:
            position = self._table.to_move(color)
            del rest[0]
        if not 1 <= len(rest) <= 2:
            raise GtpError(_RAW_USAGE)
        optimism = number_of(rest[1:], _RAW_USAGE) if len(rest) == 2 else ROOT_OPTIMISM
        if not 0 <= optimism <= 1:
            raise GtpError(_RAW_USAGE)
        turns = symmetry.allowed(position.rows, position.cols)
        chosen = turns if rest[0] == "all" else (_symmetry(rest[0], position, _RAW_USAGE),)
        return "\n \n".join(_raw_text(sight(self._player, position, turned, optimism), turned) for turned in chosen)

    def _heatmap(self, words: list[str]) -> str:
        position = self._table.position
        word = words[0] if words else "0"
        turned = None if word in ("average", "avg") else _symmetry(word, position, _HEAT_USAGE)
        seen = sight(self._player, position, turned)
        grid = _rows(seen, [f"{round(1000 * float(share)):4d}" for share in seen.policy[:-1]])
        return f"\n{grid}\npass: {round(1000 * float(seen.policy[-1]))}\nwinrate: {seen.win:.6f}"


def _color(word: str) -> Color | None:
    try:
        return Color.parse(word)
    except RulesError:
        return None


def _symmetry(word: str, position: Position, usage: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) == 1):
        raise GtpError(usage)
    if int(word) not in symmetry.allowed(position.rows, position.cols):
        raise GtpError(f"there is no such symmetry of this board: {usage}")
    return int(word)


def _raw_text(seen: Sight, turned: int) -> str:
    """KataGo's keys and values, for White; what the network does not tell is left out."""
    white = seen.position.to_play is Color.WHITE
    sign = 1.0 if white else -1.0
    loss = 1.0 - seen.no_result - seen.win
    win_loss = (seen.win, loss) if white else (loss, seen.win)
    lines = [f"symmetry {turned}", f"whiteWin {win_loss[0]:.6f}", f"whiteLoss {win_loss[1]:.6f}"]
    lines += [f"noResult {seen.no_result:.6f}", *_score_lines(seen.raw, sign), "policy"]
    shares = [f"{share:.6f}" if legal else "NAN" for share, legal in zip(seen.policy, seen.legal, strict=True)]
    lines += [_rows(seen, [f"{share:>8}" for share in shares[:-1]]), f"policyPass {shares[-1]}"]
    if seen.ownership is not None:
        owned = (sign * seen.ownership).ravel().tolist()
        lines += ["whiteOwnership", _rows(seen, [f"{value:.7f}" for value in owned])]
    return "\n".join(lines)


def _score_lines(raw: Evaluations, sign: float) -> list[str]:
    lines: list[str] = []
    if raw.lead is not None:
        lines.append(f"whiteLead {sign * float(raw.lead[0]):.3f}")
    if raw.score_mean is not None and raw.score_stdev is not None:
        mean, deviation = float(raw.score_mean[0]), float(raw.score_stdev[0])
        lines.append(f"whiteScoreSelfplay {sign * mean:.3f}")
        lines.append(f"whiteScoreSelfplaySq {mean * mean + deviation * deviation:.3f}")
    told = {
        "varTimeLeft": raw.variance_time,
        "shorttermWinlossError": raw.winloss_error,
        "shorttermScoreError": raw.score_error,
    }
    return lines + [f"{name} {float(values[0]):.3f}" for name, values in told.items() if values is not None]


def _rows(seen: Sight, cells: list[str]) -> str:
    """Cells of all points, one row of the board a line."""
    cols = seen.position.cols
    return "\n".join(" ".join(cells[at : at + cols]) for at in range(0, len(cells), cols))
