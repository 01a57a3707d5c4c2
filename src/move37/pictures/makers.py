"""How each picture of the catalogue is made from a request: find the position, the network or the search, and draw.

Nothing is drawn or computed here.
"""

from __future__ import annotations

from typing import Any

from move37.analysis.review import ReviewSettings, review
from move37.errors import ConfigError, NetworkFileError, PlayerError
from move37.gtp.any_player import player as make_player
from move37.nets import finding, linear
from move37.pictures import boards, learning, searches
from move37.pictures.curves import curves_picture
from move37.pictures.drawing import Picture
from move37.pictures.filters import activations_picture, convolution_picture, filters_picture, plane_layers
from move37.pictures.forest import strings_picture
from move37.pictures.game import game_picture
from move37.pictures.heatmap import legal_policy, stages_picture, symmetries_picture
from move37.pictures.patterns import patterns_picture
from move37.pictures.phases import phases_picture
from move37.pictures.planes import planes_picture, zero_beside_alphago
from move37.pictures.request import Request, after
from move37.pictures.scaling import scaling_picture
from move37.pictures.scores import scores_picture
from move37.pictures.tree import tree_picture, virtual_loss_picture
from move37.pictures.zobrist import zobrist_picture


def board(request: Request) -> Picture:
    """A position, with numbers, labels and marks."""
    return boards.board_picture(
        request.position(), numbers=request.numbers, labels=dict(request.labels), marks=dict(request.marks)
    )


def planes(request: Request) -> Picture:
    """The planes of an encoder."""
    name = request.encoder or "alphago48"
    return planes_picture(request.position(), name, request.indices())


def heatmap(request: Request) -> Picture:
    """The policy of one position or of several, a row a temperature."""
    positions = request.positions()
    evaluator = request.policy(positions[0])
    return stages_picture(evaluator, positions, request.temperature or (1.0,))


def stages(request: Request) -> Picture:
    """The policy in the opening, in a fight and in the endgame."""
    positions = request.positions((0.12, 0.45, 0.9))
    evaluator = request.policy(positions[0])
    return stages_picture(evaluator, positions, request.temperature or (1.0,))


def symmetries(request: Request) -> Picture:
    """The policy through all symmetries, and the mean."""
    position = request.position()
    return symmetries_picture(request.policy(position), position)


def filters(request: Request) -> Picture:
    """The weights of a convolution; --size chooses the bundled network."""
    network = request.network(request.size or 9, request.size or 9)
    return filters_picture(network, request.layer or "", request.indices())


def activations(request: Request) -> Picture:
    """What a layer answers; by default the first after its activation function."""
    position = request.position()
    network = request.network(position.rows, position.cols)
    layers = plane_layers(network, position.rows, position.cols)
    layer = request.layer or next((one for one in layers if one.endswith("relu")), layers[0])
    return activations_picture(network, position, layer, request.indices(), most=request.most or 32)


def convolution(request: Request) -> Picture:
    """The first convolution at a point, by default the middle."""
    position = request.position()
    network = request.network(position.rows, position.cols)
    point = (
        (position.rows // 2) * position.cols + position.cols // 2 if request.at is None else position.point(request.at)
    )
    if point == position.rows * position.cols:
        raise ConfigError("a pass is no point of the board: give --at a vertex such as E5")
    chosen = request.indices()
    return convolution_picture(network, position, point, chosen[0] if chosen else 0)


def batch(request: Request) -> Picture:
    """A training batch from the positions of a game."""
    end = request.game()
    start, count = end.move_number - len(end.moves), len(end.moves)
    if not count:
        raise ConfigError("a batch needs a game with moves: name a record or give --play")
    many = min(request.most or 8, count)
    wanted = request.moves or tuple(start + i * count // many for i in range(many))
    for number in wanted:
        if number >= end.move_number:
            raise ConfigError(f"an example needs a move that was played after move {number}: the game ends there")
    examples = [learning.Example(after(end, number), end.moves[number - start][1]) for number in wanted]
    return learning.batch_picture(request.policy(end), examples)


def phases(request: Request) -> Picture:
    """One simulation of a classic search."""
    position, number = request.position(), 400 if request.simulation is None else request.simulation
    found = searches.simulation(position, number, seed=request.seed or 0)
    return phases_picture(found, position, number)


def scores(request: Request) -> Picture:
    """What each rule of selection sees, or one of them."""
    position = request.position()
    network = request.network(position.rows, position.cols)
    rules = (request.rule,) if request.rule else searches.RULES
    visits, seed = request.visits or 200, request.seed or 0
    seen = [(rule, searches.scores_by(rule, network, position, visits, seed=seed)) for rule in rules]
    return scores_picture(seen, position)


def tree(request: Request) -> Picture:
    """The tree of a search."""
    position = request.position()
    network = request.network(position.rows, position.cols)
    found = searches.tree_by(
        request.rule, network, position, request.visits or 200, seed=request.seed or 0, most=request.most or 40
    )
    return tree_picture(found, position)


def virtual_loss(request: Request) -> Picture:
    """A batch of leaves under way."""
    position = request.position()
    network = request.network(position.rows, position.cols)
    visits, most = request.visits or 200, request.most or 40
    root, before, now = searches.batch_under_way(network, position, visits, seed=request.seed or 0, most=most)
    return virtual_loss_picture(root, before, now, position)


def gradient(request: Request) -> Picture:
    """The policy gradient at a move."""
    position = request.position()
    policy = legal_policy(request.policy(position), position)
    move = None if request.at is None else position.point(request.at)
    return learning.gradient_picture(policy, position, move)


def matrix(request: Request) -> Picture:
    """The board as a matrix."""
    return boards.matrix_picture(request.position())


def zobrist(request: Request) -> Picture:
    """The hash and the bits that moves flip."""
    return zobrist_picture(request.position(), request.most or 10)


def strings(request: Request) -> Picture:
    """The disjoint-set forest of the strings."""
    return strings_picture(request.position())


def scaling(request: Request) -> Picture:
    """Inputs raw and scaled."""
    return scaling_picture(request.position())


def zero_planes(request: Request) -> Picture:
    """17 planes beside 48."""
    return zero_beside_alphago(request.position())


def game(request: Request) -> Picture:
    """The graph of a reviewed game."""
    record = request.record()
    player: Any = make_player(request.player or "zero", net=request.net)
    try:
        if not hasattr(player, "new_search"):
            raise PlayerError(f"player {request.player!r} does not search, so it cannot review: use katago or zero")
        settings = ReviewSettings(visits=request.visits, rules=request.rules, komi=request.komi)
        return game_picture(review(record, player, settings))
    finally:
        player.close()


def curves(request: Request) -> Picture:
    """The curves of a training run."""
    if request.source is None:
        raise ConfigError("curves are of a training run: name its folder")
    return curves_picture(request.source, request.only)


def patterns(request: Request) -> Picture:
    """The patterns of a rollout policy, and what it would play."""
    position = request.position()
    path = request.net or finding.rollout_policy(position.rows, position.cols)
    if path is None:
        size = f"{position.rows}x{position.cols}"
        raise NetworkFileError(f"there is no trained rollout policy for {size}: name one with --net, or another --size")
    bundled = finding.bundled_rollouts()
    policy = linear.load(bundled.get(str(path), path))
    return patterns_picture(policy, position, most=request.most or 16)
