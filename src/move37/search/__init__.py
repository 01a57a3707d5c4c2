"""Tree search over an evaluator: PUCT, one tree or many at once, and KataGo's search over a graph.

Where to start reading: `evaluator` (the seam), `tree_kernels` (the tree), `puct_kernels` (the rule), `collect_kernels`
(one simulation), `root` (the loop). KataGo's files have the same parts: `graph_kernels`, `katago_kernels`,
`katago_collect_kernels`, `katago_search`.
"""

from __future__ import annotations

from move37.search.evaluator import ConstantEvaluator, EvaluationError, Evaluations, Evaluator
from move37.search.katago import KataGoConfig
from move37.search.katago_search import KataGoSearch
from move37.search.limits import Stopper, StopRequest, limit
from move37.search.puct import SearchConfig
from move37.search.restriction import Restriction
from move37.search.result import Analysis, SearchResult, visit_distribution
from move37.search.root import AnySearch, Search
from move37.search.tree import Trees

__all__ = [
    "Analysis",
    "AnySearch",
    "ConstantEvaluator",
    "EvaluationError",
    "Evaluations",
    "Evaluator",
    "KataGoConfig",
    "KataGoSearch",
    "Restriction",
    "Search",
    "SearchConfig",
    "SearchResult",
    "StopRequest",
    "Stopper",
    "Trees",
    "limit",
    "visit_distribution",
]
