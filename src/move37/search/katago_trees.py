"""The arrays of KataGo's search, and what is done to them as a whole: room, planting, evaluation, keeping.

A `Trees` for one game whose nodes have `graph_kernels.STATS` beside them. When to stop, what to prune at the root and
which move to play are not its business.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from move37.rules.board_kernels import WHITE, BoardArray
from move37.search.bias_kernels import ENTRY, rebuild_index
from move37.search.evaluator import Evaluations, optimistic_policy
from move37.search.graph_kernels import (
    STATS,
    Graph,
    cut_edges,
    keep_below,
    leads_back,
    order_below,
    rebuild_sources,
    state_key,
)
from move37.search.graph_prune_kernels import cut_rare_edges
from move37.search.katago import KataGoConfig
from move37.search.katago_collect_kernels import PATH_ROOM, collect_graph
from move37.search.katago_expand_kernels import (
    COLUMNS,
    SCORE,
    cap_pass,
    expand_graph,
    reset_stats,
    write_evaluation,
)
from move37.search.katago_kernels import refresh
from move37.search.katago_pass_kernels import hide_end
from move37.search.katago_utility_kernels import KATAGO
from move37.search.prune_kernels import least_kept
from move37.search.rows import Rows
from move37.search.score_value import score_value_table
from move37.search.tree import LINE, NotANumberError, Trees
from move37.search.tree_kernels import EXPANDED, NONE, TERMINAL, find_child

__all__ = ["KataGoTrees", "answers_of"]

PRUNING = 44
"""Bytes a node needed for a while when nodes are given back: their order, where they go, whose bias is whose."""
NOISE = 4096
"""Numbers by chance that are made ready at once."""

_COLUMN_NAMES = ("value", "no_result", "score_mean", "score_stdev", "lead", "winloss_error", "score_error")


def answers_of(evaluations: Evaluations) -> NDArray[np.float32]:
    """What the search reads of evaluations, float32[B, COLUMNS] for the player to move, in the kernels' order.

    Missing are: no result 0, the score the lead and the lead the score (0 if both), its deviation 0, errors NaN.
    """
    answers = np.zeros((len(evaluations.value), COLUMNS), np.float32)
    for column, name in enumerate(_COLUMN_NAMES):
        values = getattr(evaluations, name)
        if values is None and name in ("lead", "score_mean"):
            values = evaluations.score_mean if name == "lead" else evaluations.lead
        if values is None:
            values = np.float32(np.nan if name.endswith("_error") else 0.0)
        answers[:, column] = values
    return answers


class KataGoTrees(Trees):
    """One graph over boards of rows × cols, limited as `config` says.

    graph: its arrays (replaced as room is made). params: the kernels' options with this search's centre.
    ownership: float32[rows, cols] at the root for its player, or None. root_changed: whether the root was planted or
    became the root by `compact` since `renew_root`.
    """

    def __init__(self, rows: int, cols: int, config: KataGoConfig) -> None:
        self.config = config
        self.params_array = np.zeros(1, KATAGO)
        self.params_array[0] = config.record()
        self.params["sqrt_area"] = np.sqrt(rows * cols)
        self.ownership: NDArray[np.float32] | None = None
        self.root_changed = True
        self._stat_rows, self._entry_rows = Rows(STATS), Rows(ENTRY)
        self.graph = self._empty_graph(rows * cols + 1)
        self._paths = np.zeros((config.batch, PATH_ROOM), np.int32)
        self._spans = np.zeros((config.batch, 2), np.int32)
        memory = config.memory_mb
        super().__init__(rows, cols, batch=config.batch, max_nodes=config.max_nodes, memory_mb=memory)

    @staticmethod
    def _empty_graph(actions: int) -> Graph:
        nothing = np.empty(0, np.int32)
        return Graph(
            nodes=None,
            stats=np.empty(0, STATS),
            edges=np.empty((0, actions), np.uint16),
            counters=np.zeros(3, np.int64),
            sources=nothing,
            states=nothing,
            entries=np.empty(0, ENTRY),
            entry_index=nothing,
            bonus=np.zeros(actions),
            noise=np.zeros(NOISE),
            table=score_value_table(),
            picked=np.zeros(actions, np.int32),
            weight=np.zeros(actions),
            worth=np.zeros(actions),
        )

    @property
    def params(self) -> Any:
        """The kernels' options, one record of dtype KATAGO."""
        return self.params_array[0]

    @property
    def root(self) -> int:
        """The root's place, -1 if there is no tree."""
        return int(self.roots[0])

    def reserve(self, nodes: int) -> None:
        """Make room for `nodes` nodes (at most max_nodes)."""
        before = len(self.nodes) if self.graph.nodes is not None else -1
        super().reserve(nodes)
        if len(self.nodes) == before:
            return
        room = len(self.nodes)
        self._stat_rows.grow(room, self.count)
        self._entry_rows.grow(room, int(self.graph.counters[1]))
        self.counters = self.graph.counters
        self.graph = self.graph._replace(
            nodes=self.nodes,
            edges=self.edges,
            stats=self._stat_rows.array,
            entries=self._entry_rows.array,
            sources=np.full(2 * room, NONE, np.int32),
            states=np.full(2 * room, NONE, np.int32),
            entry_index=np.full(2 * room, NONE, np.int32),
        )
        self._rebuild()

    def _rebuild(self) -> None:
        rebuild_sources(self.graph, self.count, self.root)
        rebuild_index(self.graph.entry_index, self.graph.entries, int(self.graph.counters[1]))

    def plant(self, game: int, board: Any, keys: NDArray[np.uint64]) -> None:
        """Start a tree at `board`, forgetting what was; `keys: uint64[n]` are those of its game so far."""
        self.drop(0)
        super().plant(game, board, keys)
        reset_stats(self.graph, self.root, bool(board["to_play"] == WHITE))
        self.graph.stats[self.root]["state"] = self.graph.stats[self.root]["key"] = state_key(self.boards[0])
        self.root_changed = True

    def drop(self, game: int) -> None:
        """Forget the tree."""
        super().drop(game)
        self.graph.counters[:] = 0
        self.graph.sources[:] = NONE
        self.graph.states[:] = NONE
        self.graph.entry_index[:] = NONE
        self.ownership = None

    def advance(self, game: int, move: int, board: Any, keys: NDArray[np.uint64]) -> bool:
        """Make the position after `move` the root; False: it was not searched, tree dropped."""
        edge = NONE if self.root == NONE else find_child(self.nodes, self.root, move)
        source = NONE if edge == NONE else int(self.graph.stats[edge]["source"])
        if source == NONE or self.nodes[source]["state"] != EXPANDED or self._ends_at_once(source):
            self.drop(0)
            return False
        self.roots[0] = source
        self.boards[0] = board
        self._write_keys(0, keys)
        return True

    def _ends_at_once(self, node: int) -> bool:
        """Whether a game that ends at a child would go on there, were this the root: KataGo searches anew then."""
        child = self.nodes[node]["first_child"]
        while child != NONE:
            if self.nodes[self.graph.stats[child]["source"]]["state"] == TERMINAL:
                return True
            child = self.nodes[child]["next_sibling"]
        return False

    @classmethod
    def node_bytes(cls, actions: int) -> int:
        """As `Trees.node_bytes`."""
        return super().node_bytes(actions) + STATS.itemsize + ENTRY.itemsize + 6 * 4 + PRUNING

    def prune(self) -> int:
        """As `Trees.prune`; what is cut lives on in the own evaluation of the position above it."""
        before = self.count
        order, ordered = self._order()
        least = least_kept(self.nodes, before, self.max_nodes // 2)
        cut_rare_edges(self.graph, self.root, order, ordered, least, self.params)
        del order
        self._keep_reached(*self._order())
        return before - self.count

    def compact(self) -> NDArray[np.int32]:
        """As `Trees.compact`; a root that its own graph leads back to is dropped."""
        gone = np.full(self.count, NONE, np.int32)
        if self.root == NONE:
            return gone
        order, ordered = self._order()
        if leads_back(self.graph, self.root, order, ordered):
            self.drop(0)
            return gone
        moved = self._keep_reached(order, ordered)
        root = self.nodes[self.root]
        root["visits"] = self.graph.stats[self.root]["visits"]
        self.root_changed = True
        return moved

    def _keep_reached(self, order: NDArray[np.int32], ordered: int) -> NDArray[np.int32]:
        """Drop what the ordered sources do not reach; as `Trees.compact`."""
        self._forget_biases(order[:ordered])
        moved = np.empty(self.count, np.int32)
        self.roots[0] = keep_below(self.graph, self.root, order, ordered, moved)
        self._rebuild()
        return moved

    def _order(self) -> tuple[NDArray[np.int32], int]:
        order, seen = np.empty(3 * self.count, np.int32), np.empty(self.count, np.bool_)
        return order, order_below(self.graph, self.root, order, seen)

    def _forget_biases(self, kept: NDArray[np.int32]) -> None:
        """Take back a share of what dropped nodes and the root taught their entries; drop the entries nobody has."""
        stats, entries = self.graph.stats, self.graph.entries
        gone = np.ones(self.count, np.bool_)
        gone[kept] = False
        gone[self.root] = True
        gone &= stats["bias"][: self.count] != NONE
        dropped = np.flatnonzero(gone)
        share = self.config.bias_free
        np.subtract.at(entries["delta"], stats["bias"][dropped], share * stats["bias_delta"][dropped])
        np.subtract.at(entries["weight"], stats["bias"][dropped], share * stats["bias_weight"][dropped])
        stats["bias"][dropped] = NONE
        used, places = np.unique(stats["bias"][: self.count], return_inverse=True)
        first = int(used[0] == NONE) if len(used) else 0
        entries[: len(used) - first] = entries[used[first:]]
        stats["bias"][: self.count] = places - first
        self.graph.counters[1] = len(used) - first

    def collect(self, quota: NDArray[np.int64], params: Any, move_limit: int = 2**31 - 1) -> int:
        """Start at most `quota: int64[1]` simulations (reduced by those started); return how many leaves wait."""
        # Positions that lie in several depths are open to different moves: they cannot be shared
        self.params["graph"] = self.config.graph and self.closed.max() <= 1
        self._make_room(int(quota.sum()))
        return collect_graph(
            self.graph,
            self.root,
            self.boards,
            self.keys[0],
            int(self.key_counts[0]),
            quota,
            self.params,
            move_limit,
            self.closed,
            self._legal,
            self.leaf_boards,
            self.leaf_nodes,
            self._paths,
            self._spans,
        )

    def root_moves(self, count: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """As `Trees.root_moves`."""
        depths = self._spans[:count, 0] - 1
        moves = np.where(depths > 0, self.nodes["action"][self._paths[:count, 1]], NONE).astype(np.int32)
        return moves, depths

    def expand(self, count: int, evaluations: Any) -> int:
        """Expand `count` collected leaves by their `Evaluations`, back up, return how many had no finite logit.

        The first evaluation of a root sets the centre of the dynamic score. Errors as `Trees.expand`.
        """
        is_root = self.is_fresh()
        optimism = self.config.root_policy_optimism if is_root else self.config.policy_optimism
        policy, answers = self._checked(count, evaluations, optimism)
        if is_root:
            self._take_root(evaluations, answers[0])
            self._center_on(float(answers[0, SCORE]))
        status = expand_graph(
            self.graph, self.leaf_nodes, self._paths, self._spans, count, policy, answers, self.params
        )
        if status < 0:
            raise NotANumberError(-1 - status)
        return status

    def _checked(
        self, count: int, evaluations: Any, optimism: float
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        self.check(count, evaluations)
        policy = np.array(optimistic_policy(evaluations, optimism), np.float32)
        return policy, answers_of(evaluations)

    def _take_root(self, evaluations: Evaluations, answers: NDArray[np.float32]) -> None:
        """Keep what the search needs of its root's evaluation."""
        self.ownership = None if evaluations.ownership is None else evaluations.ownership[0]
        known = not np.isnan(answers[-1])
        self.params["terminal_weight"] = self.config.uncertainty_max_weight if known else 1.0

    def _center_on(self, score: float) -> None:
        """Set the centre of the dynamic score worth from an expected score for the player to move at the root."""
        white = score if self.graph.stats[self.root]["white"] else -score
        reach = self.config.dynamic_scale * float(self.params["sqrt_area"])
        drawn = white * (1.0 - self.config.dynamic_center_zero_weight)
        self.params["center"] = min(max(drawn, white - reach), white + reach)

    def root_board(self) -> BoardArray:
        """The root's BOARD[1] as its evaluator is to see it."""
        boards: BoardArray = self.boards.copy()
        hide_end(boards[0], True, self.params)
        return boards

    def renew_root(self, evaluations: Evaluations) -> None:
        """Evaluate a kept root as a root: other optimism, ownership, the end of the game hidden. NotANumberError."""
        policy, answers = self._checked(1, evaluations, self.config.root_policy_optimism)
        if not np.isfinite(answers[:, :-2]).all():
            raise NotANumberError(0)
        legal = self.priors() > 0
        if self.config.passing_hacks:
            cap_pass(legal.astype(np.uint16), policy[0])
        logits = np.where(legal, policy[0], -np.inf)
        if not logits.max() < np.inf:
            raise NotANumberError(0)
        if logits.max() > -np.inf:
            shares = np.exp(logits - logits.max())
            self.set_priors((shares / shares.sum()).astype(np.float32))
        self._take_root(evaluations, answers[0])
        self.graph.stats[self.root]["rest_weight"] = 0.0
        write_evaluation(self.graph, self.root, answers[0], self.params)

    def forbid(self, forbidden: NDArray[np.bool_]) -> None:
        """Never visit these moves (bool[A]) from the root; what was searched of them is given up."""
        cut_edges(self.graph, self.root, forbidden)

    def recenter(self) -> None:
        """Begin a further search of a kept tree: the centre is its mean score, and all utilities are made anew."""
        stats = self.graph.stats[self.root]
        self._center_on(float(stats["score"]) if stats["white"] else -float(stats["score"]))
        order, ordered = self._order()
        refresh(self.graph, order, ordered, self.params)

    def children(self, game: int = 0) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Visits int32[A] and mean results float32[A] of the root's moves, for its player; NaN if unvisited."""
        visits, q = np.zeros(self.actions, np.int32), np.full(self.actions, np.nan, np.float32)
        edges, sources = self.root_edges()
        actions = self.nodes["action"][edges]
        visits[actions] = self.nodes["visits"][edges]
        sign = 1.0 if self.graph.stats[self.root]["white"] else -1.0
        values = sign * self.graph.stats["win_loss"][sources]
        q[actions] = np.where(self.nodes["visits"][edges] > 0, values, np.nan)
        return visits, q

    def own_value(self) -> float:
        """The root's own evaluation for its player, in [-1, 1]."""
        stats = self.graph.stats[self.root]
        return float(stats["own_win_loss"]) if stats["white"] else -float(stats["own_win_loss"])

    def root_edges(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The root's edges in the order in which they were made, and their sources."""
        return self.edges_of(self.root)

    def edges_of(self, node: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The edges of a source in the order in which they were made, and their sources."""
        edges: list[int] = []
        edge = int(self.nodes[node]["first_child"])
        while edge != NONE:
            edges.append(edge)
            edge = int(self.nodes[edge]["next_sibling"])
        found = np.array(edges, np.int32)
        return found, self.graph.stats["source"][found]

    def variation(self, game: int = 0, length: int = LINE, first: int | None = None) -> tuple[int, ...]:
        """The most visited line from the root, or of the move `first`, at most `length` moves."""
        return self.line(first, length)[0]

    def line(self, first: int | None = None, length: int = LINE) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """`variation` and the visits along it."""
        node, line, counts, met = self.root, list[int](), list[int](), set[int]()
        while len(line) < length and node not in met:
            met.add(node)
            edges, sources = self.edges_of(node)
            if first is not None and not line:
                mask = self.nodes["action"][edges] == first
                edges, sources = edges[mask], sources[mask]
            visits = self.nodes["visits"][edges]
            if len(edges) == 0 or visits.max() == 0:
                break
            best = int(np.argmax(visits))
            line.append(int(self.nodes["action"][edges[best]]))
            counts.append(int(visits[best]))
            node = int(sources[best])
        return tuple(line), tuple(counts)
