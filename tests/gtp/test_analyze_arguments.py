"""What controllers ask of an analysis, word by word."""

from __future__ import annotations

import pytest

from move37.errors import GtpError
from move37.gtp.analyze_arguments import AnalyzeRequest, analyze_request
from move37.rules.color import Color
from move37.rules.position import Position
from move37.search.restriction import Restriction

B, W = Color.BLACK, Color.WHITE


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", AnalyzeRequest(B)),
        ("20", AnalyzeRequest(B, seconds=0.2)),
        ("w", AnalyzeRequest(W)),
        ("White 0", AnalyzeRequest(W, seconds=0.0)),
        ("B interval 250", AnalyzeRequest(B, seconds=2.5)),
        ("20 minmoves 3 maxmoves 0", AnalyzeRequest(B, seconds=0.2, minmoves=3, maxmoves=0)),
        ("ownership true ownership false pvVisits true", AnalyzeRequest(B, pv_visits=True)),
        ("rootInfo true noResultValue true", AnalyzeRequest(B, root_info=True, no_result=True)),
        ("movesOwnership true", AnalyzeRequest(B, moves_ownership=True)),
        ("ownershipStdev true", AnalyzeRequest(B, ownership_stdev=True)),
        ("avoid w A1,pass 3", AnalyzeRequest(B, restrictions=(Restriction(2, (20, 25), 3),))),
        ("w 20 allow w c3 1", AnalyzeRequest(W, 0.2, restrictions=(Restriction(2, (12,), 1, only=True),))),
        (
            "allow b a5 1 avoid w b5 2 allow b b5 1 allow w c5 1",
            AnalyzeRequest(
                B,
                restrictions=(
                    Restriction(1, (0, 1), 1, only=True),
                    Restriction(2, (1,), 2),
                    Restriction(2, (2,), 1, only=True),
                ),
            ),
        ),
    ],
)
def test_arguments_are_understood(words: str, expected: AnalyzeRequest) -> None:
    assert analyze_request(words.split(), Position(5)) == expected


def test_without_a_colour_it_is_the_side_to_move() -> None:
    position = Position(5)
    position.play("C3")
    assert analyze_request(["10"], position).color is W


@pytest.mark.parametrize(("words", "named"), [
    ("x", "x"), ("20 b", "b"), ("b 20 30", "30"), ("interval -1", "interval -1"), ("minmoves", "minmoves"),
    ("ownership yes", "ownership yes"), ("avoid", "avoid"), ("avoid b", "avoid b"), ("allow b t19 1", "allow b t19 1"),
    ("allow b a1 0", "allow b a1 0"), ("allow q a1 1", "allow q a1 1"), ("maxmoves 99999999999", "maxmoves 9"),
    ("²", "²"), ("movesOwnershipStdev true", "movesOwnershipStdev"),
])  # fmt: skip
def test_what_is_not_understood_is_named(words: str, named: str) -> None:
    with pytest.raises(GtpError, match="cannot parse analyze arguments at ") as caught:
        analyze_request(words.split(), Position(5))
    assert f"at '{named}" in str(caught.value)


def test_leela_zeros_lines_have_no_place_for_katagos_fields() -> None:
    words = ["b", "20", "minmoves", "2", "avoid", "b", "c3", "1"]
    assert analyze_request(words, Position(5), switches=False) == analyze_request(words, Position(5))
    with pytest.raises(GtpError, match=r"ownership true.*use .* allow$"):
        analyze_request([*words, "ownership", "true"], Position(5), switches=False)
