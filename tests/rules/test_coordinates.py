from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from move37.errors import RulesError, VertexError
from move37.rules import coordinates
from tests.support.diagrams import point_to_vertex

SIDES = st.integers(1, 19)

SPELLINGS = [
    # rows, cols, vertex, SGF, row, col
    (19, 19, "Q16", "pd", 3, 15),
    (19, 19, "D4", "dp", 15, 3),
    (19, 19, "A1", "as", 18, 0),
    (19, 19, "T19", "sa", 0, 18),
    (9, 9, "J1", "ii", 8, 8),
    (9, 9, "H9", "ha", 0, 7),
    (13, 9, "A13", "aa", 0, 0),
    (9, 13, "N1", "mi", 8, 12),
    (1, 1, "A1", "aa", 0, 0),
]


@pytest.mark.parametrize(("rows", "cols", "vertex", "sgf", "row", "col"), SPELLINGS)
def test_table_both_ways(rows: int, cols: int, vertex: str, sgf: str, row: int, col: int) -> None:
    point = row * cols + col
    assert coordinates.parse_vertex(vertex, rows, cols) == point
    assert coordinates.parse_vertex(f" {vertex.lower()} ", rows, cols) == point
    assert coordinates.parse_sgf(sgf, rows, cols) == point
    assert coordinates.point_at(row, col, rows, cols) == point
    assert coordinates.format_vertex(point, rows, cols) == vertex
    assert coordinates.format_sgf(point, rows, cols) == sgf
    assert coordinates.row_col(point, rows, cols) == (row, col)


@given(SIDES, SIDES)
def test_all_points_come_back(rows: int, cols: int) -> None:
    for point in range(rows * cols + 1):
        vertex = coordinates.format_vertex(point, rows, cols)
        assert vertex == point_to_vertex(point, rows, cols)
        assert coordinates.parse_vertex(vertex, rows, cols) == point
        assert coordinates.parse_sgf(coordinates.format_sgf(point, rows, cols), rows, cols) == point


@pytest.mark.parametrize("spelling", ["pass", "PASS", "Pass", " pass "])
def test_pass(spelling: str) -> None:
    assert coordinates.parse_vertex(spelling, 9, 9) == coordinates.pass_point(9, 9) == 81


@pytest.mark.parametrize(("cols", "rows"), [(1, 1), (9, 9), (13, 9), (19, 19), (26, 3), (52, 52)])
def test_every_sgf_point_is_written_and_read(cols: int, rows: int) -> None:
    spelled = [coordinates.format_sgf(point, rows, cols) for point in range(rows * cols + 1)]
    assert [coordinates.parse_sgf(text, rows, cols) for text in spelled] == list(range(rows * cols + 1))
    assert [coordinates.sgf_points(rows, cols)[text] for text in spelled] == list(range(rows * cols + 1))


@pytest.mark.parametrize(
    ("raw", "cols", "rows", "point"),
    [
        *(("", 9, 9, 81), (" \n", 9, 9, 81), ("tt", 19, 19, 361), ("TT", 9, 9, 81), ("tt", 20, 20, 399)),
        *(("ba", 9, 9, 1), ("ab", 9, 9, 9), ("ab", 13, 9, 13), (" B\ta", 9, 9, 1), ("BA", 19, 19, 1)),
        *(("zA", 52, 52, 26 * 52 + 25), ("Za", 52, 52, 51), ("", 52, 52, 2704)),
    ],
)
def test_sgf_points_and_passes(raw: str, cols: int, rows: int, point: int) -> None:
    assert coordinates.parse_sgf(raw, rows, cols) == point


@pytest.mark.parametrize(
    "wrong", ["I5", "i5", "K1", "A0", "A10", "A01x", "5E", "E", "", "E5 E6", "E-1", "E+1", "É5", "E٣"]
)
def test_wrong_vertex_names_board_and_range(wrong: str) -> None:
    with pytest.raises(VertexError) as caught:
        coordinates.parse_vertex(wrong, 9, 9)
    message = str(caught.value)
    assert repr(wrong) in message
    assert "9x9" in message
    assert "A1 to J9" in message


@pytest.mark.parametrize("wrong", ["a", "aj", "ja", "Aj", "aaa", "a1", "zz", "1a", "B]", "\u3042\u3042", "pass"])
def test_wrong_sgf_point(wrong: str) -> None:
    with pytest.raises(VertexError, match="'aa' to 'ii'"):
        coordinates.parse_sgf(wrong, 9, 9)


@pytest.mark.parametrize("wrong", [-1, 82])
def test_wrong_point(wrong: int) -> None:
    with pytest.raises(VertexError, match="0 to 80, pass is 81"):
        coordinates.format_vertex(wrong, 9, 9)
    with pytest.raises(VertexError):
        coordinates.format_sgf(wrong, 9, 9)


def test_pass_is_no_row_and_column() -> None:
    with pytest.raises(VertexError, match="0 to 80"):
        coordinates.row_col(81, 9, 9)
    with pytest.raises(VertexError, match=r"\(9, 0\)"):
        coordinates.point_at(9, 0, 9, 9)


@pytest.mark.parametrize(("rows", "cols"), [(0, 9), (9, 0), (20, 9), (9, 20), (-1, 5)])
def test_sizes_out_of_range(rows: int, cols: int) -> None:
    with pytest.raises(RulesError, match="1 to 19"):
        coordinates.check_size(rows, cols)
