"""Tree search over an evaluator: PUCT, one tree or many at once.

Where to start reading: `evaluator` (the seam), `tree_kernels` (the tree), `puct_kernels` (the rule), `collect_kernels`
(one simulation), `root` (the loop).
"""

from __future__ import annotations

from move37.search.evaluator import ConstantEvaluator, EvaluationError, Evaluations, Evaluator
from move37.search.limits import Stopper, StopRequest, limit
from move37.search.puct import SearchConfig
from move37.search.result import SearchResult, visit_distribution
from move37.search.root import Search
from move37.search.tree import Trees

__all__ = [
    "ConstantEvaluator",
    "EvaluationError",
    "Evaluations",
    "Evaluator",
    "Search",
    "SearchConfig",
    "SearchResult",
    "StopRequest",
    "Stopper",
    "Trees",
    "limit",
    "visit_distribution",
]
