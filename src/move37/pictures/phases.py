"""One simulation of the classic Monte-Carlo search in its four phases. Concept picture C5 of the course.

Selection by UCB1, expansion by one node, a rollout to the end of the game, and the backup of its result. The simulation
comes from `search.ucb1_phases`, which steps through a real search.
"""

from __future__ import annotations

from collections.abc import Iterable

from move37.pictures.boards import board_panel
from move37.pictures.drawing import GAP, Picture, arrow, circle, grid, line, text
from move37.rules.coordinates import format_vertex
from move37.rules.position import Position
from move37.search.ucb1_phases import Selection, Simulation

__all__ = ["phases_picture"]

_WIDTH, _LEVEL, _SIBLINGS = 300.0, 62.0, 5


def phases_picture(
    simulation: Simulation, position: Position, number: int, *, heading: str = "", caption: str = ""
) -> Picture:
    """Simulation `number` of a search at `position`, which was not changed since."""
    panels = [
        _selection(simulation, position),
        _expansion(simulation, position),
        _rollout(simulation, position),
        _backup(simulation, position),
    ]
    way = " → ".join(_name(position, move) for move in simulation.line) or "the root itself"
    told = caption or f"the way: {way}; the rollout’s result for the player to move there: {simulation.result:+g}"
    title = heading or f"Simulation {number}: selection, expansion, rollout, backup"
    return grid("The four phases of a simulation", panels, 4, heading=title, caption=told, gap=1.5 * GAP)


def _name(position: Position, move: int) -> str:
    return format_vertex(move, position.rows, position.cols)


def _levels(simulation: Simulation, position: Position, *, with_new: bool) -> Iterable[str]:
    """The way down: at each node the moves that UCB1 compared, the chosen one blue, a new node green."""
    x, y = _WIDTH / 2, 18.0
    nodes = [circle(x, y, 9, "blue", hover="the root")]
    for choice in simulation.selection:
        is_new = choice.move not in choice.visits
        if is_new and not with_new:
            break
        shown = _compared(choice)
        spots = {move: _WIDTH * (i + 0.5) / len(shown) for i, move in enumerate(shown)}
        for move in shown:
            chosen = move == choice.move
            color = ("green" if is_new else "blue") if chosen else "rule"
            yield line(x, y + 9, spots[move], y + _LEVEL - 9, color, 2.5 if chosen else 1)
            nodes += _compared_node(choice, move, _name(position, move), spots[move], y + _LEVEL)
        x, y = spots[choice.move], y + _LEVEL
    yield from nodes


def _compared(choice: Selection) -> list[int]:
    """The moves of the highest bounds, the chosen one among them."""
    order = sorted(choice.bounds, key=lambda move: -choice.bounds[move])[:_SIBLINGS]
    return order if choice.move in order else [*order[: _SIBLINGS - 1], choice.move]


def _compared_node(choice: Selection, move: int, name: str, x: float, y: float) -> Iterable[str]:
    chosen, is_new = move == choice.move, move not in choice.visits
    kind = ("green" if is_new else "blue") if chosen else "faint"
    if is_new:
        yield circle(x, y, 9, "green", hover=f"{name}: new")
        yield text(x, y + 22, name, 10, kind, bold=True)
        return
    told = (
        f"{name}: {choice.visits[move]} visits, win rate {choice.win_rates[move]:.3f}, UCB1 {choice.bounds[move]:.3f}"
    )
    yield circle(x, y, 7, kind, hover=told)
    yield text(x, y + 20, f"{name} {choice.bounds[move]:.2f}", 10, "blue halo" if chosen else "ink halo", bold=chosen)


def _height(simulation: Simulation) -> float:
    return 60 + _LEVEL * max(1, len(simulation.selection))


def _selection(simulation: Simulation, position: Position) -> Picture:
    body = "".join(_levels(simulation, position, with_new=False))
    told = "at each node the greatest upper bound (beside the move) is followed"
    return Picture("selection", _WIDTH, _height(simulation), body, "1 selection", told)


def _expansion(simulation: Simulation, position: Position) -> Picture:
    body = "".join(_levels(simulation, position, with_new=True))
    told = "a move not visited before becomes a node (green)"
    return Picture("expansion", _WIDTH, _height(simulation), body, "2 expansion", told)


def _rollout(simulation: Simulation, position: Position) -> Picture:
    """The board at the end of the rollout, its first moves numbered."""
    game = position.copy()
    for move in simulation.line:
        game.play(move, force=True)
    labels: dict[int, str] = {}
    for number, move in enumerate(simulation.rollout, 1):
        game.play(move, force=True)
        if move < game.rows * game.cols:
            labels[move] = str(number)
    shown = {point: words for point, words in labels.items() if game.stone_at(point) is not None and int(words) < 100}
    told = f"{len(simulation.rollout)} moves to the end: {game.count().score.text}"
    if not simulation.rollout:
        told = "the rollout’s moves were not kept"
    return board_panel(
        game.stones, "rollout", labels=shown, coordinates=False, width=int(_WIDTH), heading="3 rollout", caption=told
    )


def _backup(simulation: Simulation, position: Position) -> Picture:
    """The nodes of the way with their new visits and win rates, the result going up."""
    names = ["root", *(_name(position, move) for move in simulation.line)]
    levels = list(zip(names, reversed(simulation.backup), strict=True))
    body: list[str] = []
    for depth, (name, (visits, rate)) in enumerate(levels):
        y = 18 + _LEVEL * depth
        body.append(circle(60, y, 9, "violet", hover=f"{name}: {visits} visits, win rate {rate:.3f}"))
        body.append(text(80, y + 4, f"{name}: N {visits}, win rate {rate:.3f}", 11, "ink", "start"))
        if depth:
            body.append(arrow(60, y - 11, 60, y - _LEVEL + 12, "violet", 2))
    told = "every node of the way counts one visit more, and the result for its own player"
    return Picture("backup", _WIDTH, _height(simulation), "".join(body), "4 backup", told)
