"""The picture itself: sizes, themes, escaping, scripts that run from the right, files."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from move37.errors import ConfigError
from move37.pictures import theme
from move37.pictures.drawing import GAP, Picture, box, circle, grid, lines_of, number, signed, text
from tests.support.drawings import SVG, hovers, parsed, words

SQUARE = Picture("a square", 100, 50, box(0, 0, 100, 50, "blue", hover="all of it"))


def test_a_picture_has_size_title_and_paper() -> None:
    root = parsed(SQUARE)
    assert root.get("viewBox") == f"0 0 {100 + 2 * GAP:g} {50 + 2 * GAP:g}"
    assert (root.get("width"), root.get("height"), root.get("role")) == ("128", "78", "img")
    assert root.get("aria-label") == "a square"
    assert hovers(SQUARE) == ["all of it"]
    assert ElementTree.fromstring(SQUARE.svg(width=256)).get("height") == "156"
    assert getattr(SQUARE, "_repr_svg_")() == SQUARE.svg()  # noqa: B009  # the name notebooks look for


def test_words_are_escaped_and_forbidden_signs_left_out() -> None:
    evil = '<script>alert("1")</script>&\x00\x0b\ud800'
    picture = Picture(evil, 400, 20, text(0, 10, evil) + circle(5, 5, 2, "ink", hover=evil), evil, evil)
    assert "<script" not in picture.svg()
    shown = '<script>alert("1")</script>&'
    assert words(picture) == [shown] * 3
    assert hovers(picture) == [shown]
    assert parsed(picture).get("aria-label") == shown


def test_themes_have_their_colours_and_auto_has_both() -> None:
    light, dark, auto = (SQUARE.svg(theme=name) for name in theme.THEMES[1:] + theme.THEMES[:1])
    assert f".m37-light .blue{{fill:{theme.LIGHT['blue']}}}" in light and "@media" not in light
    assert f".m37-dark .blue{{fill:{theme.DARK['blue']}}}" in dark and theme.LIGHT["blue"] not in dark
    assert "@media (prefers-color-scheme: dark)" in auto and theme.LIGHT["blue"] in auto and theme.DARK["blue"] in auto
    with pytest.raises(ConfigError, match="there is no theme 'pink'; there are auto, light, dark"):
        SQUARE.svg(theme="pink")


def luminance(color: str) -> float:
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colors", [theme.LIGHT, theme.DARK], ids=["light", "dark"])
def test_words_can_be_read_on_their_ground(colors: dict[str, str]) -> None:
    for name in ("ink", "faint", "blue", "orange", "green", "violet"):
        assert contrast(colors[name], colors["paper"]) >= 4.5, name
    for name in ("blue", "orange"):
        assert contrast(colors["on-color"], colors[name]) >= 4.5, name


def test_captions_run_from_the_right_in_scripts_that_do() -> None:
    arabic = Picture("x", 400, 10, "", caption="الشبكة تختار!")
    [line] = parsed(arabic).iter(f"{SVG}text")
    assert (line.get("text-anchor"), line.get("x"), line.text) == ("end", "400", "\u2067الشبكة تختار!\u2069")
    [line] = parsed(Picture("x", 400, 10, "", caption="12 moves")).iter(f"{SVG}text")
    assert (line.get("text-anchor"), line.get("x"), line.text) == ("start", "0", "12 moves")


def test_long_captions_are_broken_and_make_room() -> None:
    long = "one two three four five six seven eight nine ten"
    picture = Picture("x", 120, 10, "", caption=long)
    lines = words(picture)
    assert len(lines) > 1 and " ".join(lines) == long
    assert picture.framed().height == 10 + 16 * len(lines)
    assert lines_of("", 100, 12) == []
    assert lines_of("a\nb", 100, 12) == ["a", "b"]


def test_a_grid_places_panels_in_columns_and_rows() -> None:
    panels = [Picture(str(i), 10 + i, 20, box(0, 0, 1, 1, f"p{i}")) for i in range(3)]
    both = grid("many", panels, 2, gap=5)
    assert (both.width, both.height) == (12 + 5 + 11, 45)
    moved = [group.get("transform") for group in parsed(both).iter(f"{SVG}g")]
    assert moved[1:] == ["translate(0 0)", "translate(17 0)", "translate(0 25)"]
    assert (grid("none", [], 3).width, grid("none", [], 3).height) == (0, 0)


def test_numbers_as_people_write_them() -> None:
    assert [number(value) for value in (1.0, 2.25, -0.04, 123456.7)] == ["1", "2.2", "-0", "123457"]
    assert [signed(1.234), signed(-0.5, ".1f")] == ["+1.23", "−0.5"]


def test_files_are_told_by_their_names(tmp_path: Path) -> None:
    SQUARE.save(tmp_path / "new" / "a.svg", theme="dark")
    assert (tmp_path / "new" / "a.svg").read_text(encoding="utf-8") == SQUARE.svg(theme="dark") + "\n"
    with pytest.raises(ConfigError, match=r"a\.gif: a picture is written as \.svg or \.png; end its name so"):
        SQUARE.save("a.gif")


def size_of(png: bytes) -> tuple[int, int]:
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    return int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")


def test_png_has_the_size_and_another_theme_other_pixels(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    from move37.pictures.png import png_bytes

    SQUARE.save(tmp_path / "a.png", width=320)
    assert size_of((tmp_path / "a.png").read_bytes()) == (320, 195)
    assert size_of(png_bytes(SQUARE.svg(theme="light"))) == (256, 156)
    for name in theme.THEMES:
        SQUARE.save(tmp_path / f"{name}.png", theme=name)
    auto, light, dark = ((tmp_path / f"{name}.png").read_bytes() for name in theme.THEMES)
    assert auto == light != dark


def test_without_resvg_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    import sys

    from move37.cli.run import run

    monkeypatch.setitem(sys.modules, "resvg_py", None)
    assert run(["show", "board", "--out", "x.png"]) == 2
    assert capsys.readouterr().err == (
        "move37: this needs resvg_py, which is not installed; install it with: pip install 'move37[pictures]'\n"
    )
