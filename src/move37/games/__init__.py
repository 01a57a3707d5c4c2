"""Stores of games: Parquet files read into flat arrays, their replay into board records, the import of records.

Makes no planes: encoders do that while training, so any encoder trains from any store.
"""
