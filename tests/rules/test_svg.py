from __future__ import annotations

from xml.etree import ElementTree

import pytest

from move37.errors import VertexError
from move37.rules.position import Position

NAMESPACE = "{http://www.w3.org/2000/svg}"


def drawing(svg: str) -> ElementTree.Element:
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{NAMESPACE}svg"
    return root


def stones(root: ElementTree.Element) -> list[str]:
    fills = (circle.get("fill", "") for circle in root.iter(f"{NAMESPACE}circle"))
    return sorted(fill for fill in fills if fill.startswith("url"))


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (5, 9), (19, 19)])
def test_every_size_is_one_well_formed_drawing(rows: int, cols: int) -> None:
    root = drawing(Position(rows=rows, cols=cols).svg())
    path = root.find(f"{NAMESPACE}path")
    assert path is not None
    assert path.get("d", "").count("M") == rows + cols
    assert len(list(root.iter(f"{NAMESPACE}text"))) == 2 * (rows + cols)


def test_stones_and_last_move() -> None:
    position = Position(9)
    position.play_many(["E5", "F4", "C3"])
    root = drawing(position.svg())
    assert stones(root) == ["url(#m37b)", "url(#m37b)", "url(#m37w)"]
    rings = [circle for circle in root.iter(f"{NAMESPACE}circle") if circle.get("class") == "last"]
    newest = [circle for circle in root.iter(f"{NAMESPACE}circle") if circle.get("fill", "").startswith("url")]
    assert len(rings) == 1
    assert (rings[0].get("cx"), rings[0].get("cy")) in [(circle.get("cx"), circle.get("cy")) for circle in newest]
    assert getattr(position, "_repr_html_")() == position.svg()  # noqa: B009  # the name notebooks look for
    position.play("pass")
    assert 'class="last"' not in position.svg()


def test_labels_are_escaped_and_nothing_runs() -> None:
    svg = Position(5).svg(labels={12: "<script>"}, marks={3: '"red'}, coordinates=False)
    root = drawing(svg)
    assert "<script" not in svg
    assert [text.text for text in root.iter(f"{NAMESPACE}text")] == ["<script>"]
    assert any(rect.get("fill") == '"red' for rect in root.iter(f"{NAMESPACE}rect"))


def test_labels_and_marks_take_vertices() -> None:
    game = Position(5)
    assert game.svg(labels={"C3": "7"}, marks={"A1": "red"}) == game.svg(labels={12: "7"}, marks={20: "red"})
    with pytest.raises(VertexError):
        game.svg(labels={"F1": "x"})


def test_notebooks_find_the_drawing_under_both_names() -> None:
    position = Position.from_moves(["C3"], size=5)
    assert getattr(position, "_repr_svg_")() == position.svg()  # noqa: B009  # the name notebooks look for
