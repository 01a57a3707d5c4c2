"""The room See: every picture of `move37 show` for the position, its options, and the search tree that grows."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from move37.pictures.catalogue import CATALOGUE

NOT_OF_A_GAME = {"curves"}
"""Pictures of a training run, which a game does not have."""


def idea(page: Page, name: str) -> Locator:
    """Open a picture by its name on the command line; its panel."""
    page.get_by_role("navigation", name="Ideas").locator(f'[data-idea="{name}"]').click()
    return page.locator(".idea")


@pytest.fixture
def see(page: Page) -> Page:
    """The room See with its example."""
    page.get_by_role("link", name="See", exact=True).click()
    page.wait_for_selector(".see-main .idea")
    return page


def test_every_picture_is_shown_with_its_file(see: Page) -> None:
    shown = {button.get_attribute("data-idea") for button in see.locator("[data-idea]").all()}
    assert shown == {"search", *CATALOGUE} - NOT_OF_A_GAME
    for name in sorted(shown - {"search", None}, key=str):
        panel = idea(see, str(name))
        expect(panel.locator("code").first).to_have_text(f"src/move37/{CATALOGUE[str(name)].idea}")
        expect(panel.locator(".picture svg.m37"), str(name)).to_be_visible()
        assert panel.locator(".picture svg.m37 *").count() > 20, name
        assert panel.locator(".problem").count() == 0, name


def test_options_change_the_picture_and_wrong_ones_are_answered(see: Page) -> None:
    panel = idea(see, "planes")
    panel.get_by_label("Encoder").select_option("zero17")
    panel.get_by_label("Only these").fill("0, 16")
    panel.get_by_label("Only these").press("Enter")
    expect(panel.locator(".picture svg.m37")).to_have_attribute("aria-label", "The planes of zero17")
    panel.get_by_label("Only these").fill("99")
    panel.get_by_label("Only these").press("Enter")
    expect(panel.locator(".problem")).to_contain_text("99")


def test_the_picture_follows_the_position(see: Page) -> None:
    panel = idea(see, "board")
    picture = panel.locator(".picture svg.m37")
    expect(picture).to_have_attribute("aria-label", "Go board, 9 by 9, after 13 moves")
    see.keyboard.press(",")
    expect(picture).to_have_attribute("aria-label", "Go board, 9 by 9, after 12 moves")


def test_the_search_goes_on_simulation_by_simulation(see: Page) -> None:
    done = see.locator(".idea [role=status]")
    expect(done).to_have_text("simulations: 50")
    expect(see.locator(".best-line")).to_contain_text("N")
    see.get_by_role("button", name="A simulation on").click()
    expect(done).to_have_text("simulations: 51")
    see.get_by_role("button", name="A simulation back").click()
    expect(done).to_have_text("simulations: 50")
    see.get_by_label("Visits").fill("300")
    see.get_by_label("Visits").press("Enter")
    see.get_by_role("button", name="Search 300").click()
    expect(done).to_have_text("simulations: 300")
    tree = see.locator(".canvas-room")
    tree.focus()
    for key in ("+", "ArrowLeft", "ArrowDown", "-", "0"):
        see.keyboard.press(key)
    assert see.locator("canvas").evaluate(INKED) > 500


INKED = """(canvas) => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let inked = 0;
  for (let i = 3; i < data.length; i += 4) inked += data[i] > 0;
  return inked;
}"""
"""How many dots of a canvas are drawn on."""
