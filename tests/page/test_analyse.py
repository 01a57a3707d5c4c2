"""A dropped record on the page: its variations, live analysis, the review, and comments that are text alone."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

import move37 as go
from tests.page.steps import drop, moves, point

CURVE_OF_SEVEN = re.compile(r"^M[^ML]+(L[^ML]+){6}$")


def test_a_dropped_record_is_analysed(page: Page) -> None:
    drop(page)
    moves(page, 13)
    expect(page.locator(".candidate.best")).to_be_visible()
    expect(page.locator(".opinion tbody tr").first).to_contain_text("%")
    page.locator(".opinion tbody tr").first.hover()
    expect(page.locator(".variation text").first).to_have_text("1")
    page.locator(".switch", has_text="Policy").click()
    page.mouse.move(5, 5)
    expect(page.locator(".heat rect").first).to_be_visible()


def test_variations_are_kept_walked_and_added_to(page: Page, tmp_path: Path) -> None:
    drop(page)
    page.locator(".switch", has_text="Analysis").click()
    page.keyboard.press("Home")
    moves(page, 0)
    for number in (1, 2, 3, 4):
        page.keyboard.press(".")
        moves(page, number)
    assert page.locator(".tree-node").count() == 16
    expect(page.locator(".controls")).to_contain_text("C5")
    page.keyboard.press("]")
    expect(page.locator(".controls")).to_contain_text("C6")
    point(page, "J1")
    expect(page.locator(".tree-node")).to_have_count(17)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save SGF").click()
    download.value.save_as(tmp_path / "study.sgf")
    line = list(go.read_sgf(tmp_path / "study.sgf").main_line())
    assert [len(node.variations) for node in line[:5]] == [1, 1, 1, 2, 1]


def test_a_comment_is_text_whatever_it_looks_like(page: Page) -> None:
    drop(page)
    page.locator(".switch", has_text="Analysis").click()
    page.keyboard.press("Home")
    moves(page, 0)
    page.keyboard.press(".")
    moves(page, 1)
    page.keyboard.press(".")
    expect(page.get_by_label("Comment")).to_have_value('<b id="evil">bold</b>')
    assert page.locator("#evil").count() == 0


def test_a_whole_game_is_reviewed(page: Page) -> None:
    drop(page, "(;GM[1]SZ[9]KM[7]PB[Anna]PW[Ben];B[ee];W[de];B[aa];W[ed];B[dd];W[cd])")
    page.get_by_label("Visits a move").select_option("50")
    page.get_by_role("button", name="Review the whole game").click()
    expect(page.locator(".review thead")).to_contain_text("Anna")
    expect(page.locator(".review")).to_contain_text("3. Black A9")
    expect(page.locator(".graph .rate")).to_have_attribute("d", CURVE_OF_SEVEN)
    page.get_by_role("button", name="3. Black A9").click()
    moves(page, 3)


def test_two_opinions_stand_side_by_side(page: Page) -> None:
    drop(page)
    page.locator(".switch", has_text="Second opinion").click()
    expect(page.locator(".study-boards .board")).to_have_count(2)
    expect(page.locator(".opinion")).to_have_count(2)
    first, second = (page.locator(".opinion h2").nth(index).inner_text() for index in (0, 1))
    assert first.split()[:2] != second.split()[:2]
