"""Players with their options in one line."""

from __future__ import annotations

import pytest

from move37.errors import PlayerError
from move37.gtp.any_player import player, usable_options
from move37.gtp.player_words import player_words


def test_options_have_the_kinds_of_the_presets_function() -> None:
    words = player_words("lee, mix=0, visits=400, c-puct=1.5, asynchronous=true, time=500ms, net=7.safetensors")
    assert (words.name, words.is_program) == ("lee", False)
    assert words.options == {
        "mix": 0.0,
        "visits": 400,
        "c_puct": 1.5,
        "asynchronous": True,
        "time": 0.5,
        "net": "7.safetensors",
    }


def test_a_programs_commas_are_its_own() -> None:
    words = player_words("gtp:engine --set a=1,b=2")
    assert (words.name, words.options, words.is_program) == ("engine --set a=1,b=2", {}, True)


def test_the_line_comes_before_options_from_outside() -> None:
    made = player("uct,visits=12", visits=99)
    assert "12 visits" in repr(made)
    assert usable_options("uct,visits=12", visits=99, seed=1) == {"seed": 1}
    assert usable_options("zero,rank=5k", visits=99, seed=1) == {"seed": 1}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("lea,mix=0", "there is no player 'lea'.*did you mean 'lee'"),
        ("lee,mixture=0", "has no option 'mixture=0': it takes net, value_net"),
        ("lee,mix", "has no option 'mix'.*NAME=VALUE"),
        ("lee,visits=many", "'visits', but 'many' is no value"),
        ("lee,asynchronous=maybe", "'asynchronous', but 'maybe'"),
        ("lee,time=-1", "'time', but '-1'"),
        ("lee,net=", "'net', but ''"),
    ],
)
def test_what_is_wrong_is_said(text: str, reason: str) -> None:
    with pytest.raises(PlayerError, match=reason):
        player_words(text)
