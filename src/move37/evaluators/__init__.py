"""Evaluators: networks behind the search's interface, and wrappers that cache or turn what they evaluate.

Wrappers are composed instead of switched on: `CachedEvaluator(SymmetricEvaluator(NetworkEvaluator(network)))`. Import
each from its own file; `network` is the only one that needs torch.
"""

from __future__ import annotations
