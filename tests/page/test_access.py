"""Everybody can use the page: axe-core finds no serious fault, in light and dark, on a phone, in Arabic."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.page.conftest import PATIENCE, ROOT, listen, missing
from tests.page.steps import begin, drop, moves, point

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
PHONE = {"width": 360, "height": 740}


def faults(page: Page) -> list[tuple[str, str]]:
    """What axe-core calls serious or critical: the rule, and the first element that breaks it."""
    if not AXE.is_file():
        missing("axe-core is not installed (make page-tests)")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = page.evaluate("async () => (await axe.run(document)).violations")
    grave = [one for one in found if one["impact"] in ("serious", "critical")]
    return [(one["id"], one["nodes"][0]["html"][:200]) for one in grave]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_room_has_a_serious_fault(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # one of two words
    page.get_by_text("Board, opponent, handicap, clock").click()
    page.get_by_label("Settings").click()
    assert faults(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector(".game")
    assert faults(page) == []
    drop(page)
    expect(page.locator(".candidate.best")).to_be_visible()
    assert faults(page) == []
    page.get_by_role("link", name="See", exact=True).click()
    page.locator('[data-idea="heatmap"]').click()
    page.wait_for_selector(".picture svg.m37")
    assert faults(page) == []


def test_a_phone_in_arabic_shows_all_from_the_right_and_scrolls_only_downwards(browser: Browser, address: str) -> None:
    context = browser.new_context(locale="ar", viewport=PHONE, has_touch=True, is_mobile=True)  # type: ignore[arg-type]
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    complaints = listen(page)
    page.goto(address)
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    page.locator(".start .button.primary").tap()
    page.wait_for_selector(".game")
    page.locator('.shudan-vertex[data-x="4"][data-y="4"]').tap()
    moves(page, 2)
    for room in ("play", "analyse", "see"):
        page.locator(f'a[href="#{room}"]').last.tap()
        page.wait_for_selector("main")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], room
        assert faults(page) == []
    assert complaints == []
    context.close()


def test_the_small_board_of_a_phone_asks_for_a_second_tap(browser: Browser, address: str) -> None:
    context = browser.new_context(locale="en", viewport=PHONE, has_touch=True, is_mobile=True)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{address}#analyse")
    page.get_by_role("button", name="19×19").tap()
    vertex = page.locator('.shudan-vertex[data-x="3"][data-y="3"]')
    vertex.tap()
    expect(page.locator(".tap-again")).to_be_visible()
    moves(page, 0)
    vertex.tap()
    moves(page, 1)
    context.close()


def test_what_is_chosen_is_remembered(page: Page) -> None:
    page.get_by_label("Settings").click()
    page.get_by_label("Colours").select_option("dark")
    page.get_by_label("Language").select_option("ar")
    expect(page.locator("html")).to_have_attribute("lang", "ar")
    page.reload()
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_two_people_on_one_board_are_told_whose_turn_it_is(page: Page) -> None:
    begin(page)
    expect(page.locator(".headline")).to_have_text("Black to play")
    point(page, "E5")
    expect(page.locator(".headline")).to_have_text("White to play")
