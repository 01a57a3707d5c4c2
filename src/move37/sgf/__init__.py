"""Game records in SGF, in three layers: grammar, properties, the record of a game."""
