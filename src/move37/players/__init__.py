"""Whatever chooses a move: the `Player` interface, players that are one idea each, and the presets of the papers."""
