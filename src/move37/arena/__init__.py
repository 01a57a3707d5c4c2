"""Players against players: matches, with results that say how sure they are."""
