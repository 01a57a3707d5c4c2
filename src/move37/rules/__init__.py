"""Rules of Go: the board record, moves, ko, scoring, symmetries. Needs NumPy, and Numba through `move37._jit`.

Start with `position` (what a person uses), then `board_kernels` (how it works).
"""
