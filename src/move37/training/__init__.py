"""Training: examples from stored games, one loop for every trainer, and the recipes of each kind of training.

Needs torch; imported by the command line only when a training command runs.
"""
