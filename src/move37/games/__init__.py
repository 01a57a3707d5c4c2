"""Stores of games: Parquet files read into flat arrays, and their replay into board records.

Does not parse SGF and makes no planes: encoders do that while training, so any encoder trains from any store.
"""
