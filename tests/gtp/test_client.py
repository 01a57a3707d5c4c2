"""Another program as a player: kept on our position, and every way it can fail is one sentence that names it."""

from __future__ import annotations

import contextlib
from collections.abc import Generator

import pytest

from move37.errors import GtpError, PlayerError
from move37.gtp.any_player import player, usable_options
from move37.gtp.client import GtpPlayer, GtpProgram
from move37.gtp.client_clock import ClockTeller
from move37.players.player import Clock, TimeSystem
from move37.rules.position import Position
from tests.support.players import fake_program


@contextlib.contextmanager
def fake(*arguments: str, timeout: float = 60.0) -> Generator[GtpPlayer]:
    with GtpPlayer(fake_program(*arguments), timeout) as made:
        yield made


def test_the_program_follows_the_game() -> None:
    with fake("E5", "G7", "name=x", "final_score=", "showboard=list", "list=showboard") as program:
        position = Position(9, komi=6.5)
        position.play("C3")
        assert program.choose(position).move == position.point("E5")
        position.play("E5")
        position.play("pass")
        decision = program.choose(position)
        assert position.vertex(decision.move or 0) == "G7"
        commands = program.program.ask("showboard").split("; ")
    assert commands == [
        "name", "boardsize 9", "clear_board", "komi 6.5", "play B C3", "genmove W", "play B pass", "genmove W",
        "showboard",
    ]  # fmt: skip


def test_another_game_starts_the_program_anew_with_its_setup() -> None:
    with fake("E5", "E5", "list=showboard") as program:
        position = Position(9, komi=6.5)
        program.choose(position)
        other = Position(9, komi=0.5)
        other.place_free_handicap(["C3", "G7"])
        other.play("A1")
        program.choose(other)
        commands = program.program.ask("showboard").split("; ")
    assert commands[5:] == [
        "boardsize 9", "clear_board", "komi 0.5", "play B G7", "play B C3", "play W A1", "genmove B", "showboard",
    ]  # fmt: skip


def test_a_move_taken_back_starts_the_program_anew() -> None:
    with fake("E5", "E5", "list=showboard") as program:
        position = Position(9)
        position.play("E5", color=program_color(program, position))
        position.undo()
        position.play("C3", color="B")
        program.choose(position)
        commands = program.program.ask("showboard").split("; ")
    assert commands.count("clear_board") == 2


def program_color(program: GtpPlayer, position: Position) -> str:
    color = position.to_play.letter
    program.choose(position)
    return color


def test_resignation_and_clocks() -> None:
    with fake("resign", "E5", "list=showboard") as program:
        decision = program.choose(Position(9))
        assert decision.resign and decision.move is None
        commands = program.program.ask("showboard").split("; ")
    assert not [command for command in commands if command.startswith("time")]


CANADIAN = TimeSystem("canadian", main=60.0, period=20.0, stones=5)
BYO_YOMI = TimeSystem("byo-yomi", main=60.9, period=0.5, periods=3)
FISCHER = TimeSystem("fischer", main=60.0, increment=2.5)


@pytest.mark.parametrize(
    ("known", "clock", "told"),
    [
        ("", Clock(CANADIAN, 12.7, 3), ["time_settings 60 20 5", "time_left B 12 3"]),
        ("", Clock(TimeSystem("absolute", main=60.0), 60.0), ["time_settings 60 0 0", "time_left B 60 0"]),
        ("", Clock(BYO_YOMI, 0.5, 3), ["time_settings 60 1 1", "time_left B 0 1"]),
        ("", Clock(FISCHER, 33.0), ["time_settings 60 0 0", "time_left B 33 0"]),
        ("kgs-time_settings", Clock(BYO_YOMI, 0.5, 3), ["kgs-time_settings byoyomi 60 1 3", "time_left B 0 3"]),
        ("kata-time_settings", Clock(BYO_YOMI, 0.5, 3), ["kata-time_settings byoyomi 60.9 0.5 3", "time_left B 0 3"]),
        ("kata-time_settings", Clock(FISCHER, 33.0), ["kata-time_settings fischer 60 2.5", "time_left B 33 0"]),
    ],
)
def test_a_program_is_told_its_time_as_well_as_it_understands_it(known: str, clock: Clock, told: list[str]) -> None:
    said: list[str] = []

    def exchange(*words: str) -> tuple[bool, str]:
        if words[0] == "known_command":
            return True, "true" if words[1] == known else "false"
        said.append(" ".join(words))
        return True, ""

    teller = ClockTeller(exchange)
    teller.tell("B", clock)
    assert said == told
    teller.tell("W", clock)
    assert said[2:] == [told[1].replace(" B ", " W ")]
    teller.new_game()
    teller.tell("B", clock)
    assert said[3:] == told
    teller.tell("B", Clock())
    assert said[5:] == ["time_settings 0 1 0"]
    teller.tell("B", Clock())
    assert len(said) == 6


def test_a_clock_reaches_the_program() -> None:
    with fake("E5", "C3", "list=showboard") as program:
        program.choose(Position(9), Clock(CANADIAN, 20.7, 3))
        commands = program.program.ask("showboard").split("; ")
    assert commands.index("time_settings 60 20 5") < commands.index("time_left B 20 3") < commands.index("genmove B")


def test_noise_before_an_answer_is_skipped() -> None:
    with fake("E5", "noise=genmove", "noise=play", "noise=name") as program:
        position = Position(9)
        position.play("C3")
        assert program.choose(position).move == position.point("E5")
        assert program.name == "fake"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("die=genmove",), r"ended before it answered 'genmove B' \(exit code 3\) \(its last words: out of luck\)"),
        (("refuse=genmove",), "refused 'genmove B': I would rather not"),
        (("refuse=komi",), "refused 'komi 7.5': I would rather not"),
        (("garbage=genmove",), "answered genmove with 'somewhere', which is no vertex of this board"),
        (("J10",), "answered genmove with 'J10', which is no vertex of this board"),
        (("C3",), "answered genmove with 'C3', which is illegal here"),
    ],
)
def test_a_failing_program_is_named_in_one_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    with fake(*arguments) as program:
        position = Position(9)
        position.setup(white=["C3"])
        with pytest.raises(GtpError, match=sentence) as caught:
            program.choose(position)
        assert "fake_gtp_program.py" in str(caught.value)
        assert "\n" not in str(caught.value)


def test_a_program_that_died_stays_dead_and_says_so() -> None:
    with fake("die=genmove") as program:
        for _ in range(2):
            with pytest.raises(GtpError, match="ended before it answered"):
                program.choose(Position(9))


def test_a_program_that_hangs_is_given_up_and_ended() -> None:
    with GtpPlayer(fake_program("hang=genmove"), timeout=5.0) as program:
        program.program.timeout = 0.2
        with pytest.raises(GtpError, match=r"gave no answer to 'genmove B' within 0\.2 seconds"):
            program.choose(Position(9))
        assert program.program.process.wait(10) != 0


def test_close_ends_the_program_even_one_that_does_not_listen() -> None:
    program = GtpProgram(fake_program("hang=quit"))
    program.ask("name")
    process = program.process
    program.close()
    assert process.poll() is not None
    polite = GtpProgram(fake_program())
    polite.close()
    assert polite.process.returncode == 0


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("gtp:", "a GTP program needs a command"),
        ("gtp:no-such-program-here --x", "'no-such-program-here --x' cannot be started: No such file"),
        ("gtp:'unbalanced", "cannot be split into words"),
        ("gtp:false", "ended before it answered 'name'"),
    ],
)
def test_a_program_that_cannot_start_is_named(spec: str, sentence: str) -> None:
    with pytest.raises(GtpError, match=sentence):
        player(spec)


def test_boards_that_gtp_cannot_name_are_refused() -> None:
    with fake() as program, pytest.raises(GtpError, match="square boards only"):
        assert not program.supports(9, 13)
        program.choose(Position(rows=9, cols=13))


def test_player_specs() -> None:
    assert player("random", seed=1, net=None).name == "random"
    made = player(f"gtp: {fake_program()}", name="me")
    assert made.name == "me"
    made.close()
    with pytest.raises(
        PlayerError, match=r"there is no player 'zeero': use random, policy, .*, zero, .* or gtp:COMMAND; .*zero"
    ):
        player("zeero")
    with pytest.raises(PlayerError, match="player 'random' has no option 'visits': it takes seed"):
        player("random", visits=3)
    with pytest.raises(PlayerError, match="has no option 'visits'"):
        player("gtp:true", visits=3)
    assert usable_options("random", seed=1, visits=4) == {"seed": 1}
    assert usable_options("gtp:x", seed=1, timeout=4) == {"timeout": 4}


def test_gnu_go_plays(gnugo: str) -> None:
    with GtpPlayer(f"{gnugo} --mode gtp --level 1 --chinese-rules") as program:
        assert program.name == "GNU Go"
        assert program.supports(9, 9) and program.supports(19, 19) and not program.supports(9, 13)
        position = Position(9, rules="chinese", komi=7)
        for _ in range(6):
            decision = program.choose(position)
            assert decision.move is not None
            position.play(decision.move)
        position.undo()
        position.undo()
        assert program.choose(position).move is not None
        handicapped = Position(9, rules="chinese", komi=0.5)
        handicapped.place_handicap(4)
        assert program.choose(handicapped).move is not None
