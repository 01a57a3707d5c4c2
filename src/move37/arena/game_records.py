"""The games of a tournament as SGF files, one a game: made from the log's lines, so those of an earlier run too."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from move37.arena.game import GameResult
from move37.arena.tournament_plan import Pairing, Tournament
from move37.errors import ConfigError, IllegalMoveError, VertexError
from move37.rules.position import Position
from move37.sgf.files import write_sgf
from move37.sgf.game_record import GameRecord

__all__ = ["record_of", "record_path", "write_missing_records", "write_record"]


def record_of(tournament: Tournament, pairing: Pairing, game: GameResult) -> GameRecord:
    """The record of a game; `ConfigError` for moves that cannot be replayed, which no game has that was played here."""
    position = Position(tournament.size, rules=tournament.rules, komi=tournament.komi)
    title = f"{pairing.title}, game {game.number + 1}"
    try:
        position.play_many(game.moves)
    except (IllegalMoveError, VertexError) as error:
        raise ConfigError(f"the log's {title} cannot be replayed: {error}") from error
    remarks = [f"{game.opening_moves} random moves to begin with"] if game.opening_moves else []
    remarks += [f"ended by {game.reason}"] + ([game.error] if game.error else [])
    return GameRecord.from_position(
        position,
        black_name=pairing.name(game.black),
        white_name=pairing.name("B" if game.black == "A" else "A"),
        event=tournament.name,
        round=title,
        game_comment="; ".join(remarks),
        result=game.result,
    )


def record_path(folder: Path, pairing: Pairing, game: GameResult) -> Path:
    """Where the record of a game is written."""
    return folder / f"{pairing.stem}, game {game.number + 1:04d}.sgf"


def write_record(folder: Path, tournament: Tournament, pairing: Pairing, game: GameResult) -> None:
    """Write a game's record into `folder`, which is made; `SgfError` where that cannot be."""
    write_sgf(record_of(tournament, pairing, game), record_path(folder, pairing, game))


def write_missing_records(
    folder: Path, tournament: Tournament, games: Mapping[Pairing, Mapping[int, GameResult]]
) -> None:
    """Write the records of those games that have none in `folder`."""
    for pairing, played in games.items():
        for game in played.values():
            if not record_path(folder, pairing, game).exists():
                write_record(folder, tournament, pairing, game)
