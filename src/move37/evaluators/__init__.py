"""Evaluators: networks behind the search's interface, and wrappers that cache or turn what they evaluate.

Wrappers are composed instead of switched on: `CachedEvaluator(SymmetricEvaluator(NetworkEvaluator(network)))`. Import
each from its own file; torch is imported only where a network needs it (`backends`).
"""

from __future__ import annotations
