"""Helpers of the tests: the slow and obvious twins of what the package does fast, and the data they need."""
