"""What a visitor does on the page, in a line each."""

from __future__ import annotations

from playwright.sync_api import Page, expect

RECORD = """(;GM[1]FF[4]SZ[9]KM[7]RU[chinese]PB[Anna]PW[Ben];B[ee]C[first];W[de]C[<b id="evil">bold</b>]
;B[dd](;W[ce];B[df];W[ec];B[ed];W[gg];B[cd];W[cg];B[be];W[gc];B[cf])(;W[cd];B[df]))"""
"""A short game on 9x9 with a variation and comments; one looks like HTML."""

_DROP = """(text) => {
  const data = new DataTransfer();
  data.items.add(new File([text], "game.sgf"));
  const room = document.querySelector("main");
  for (const name of ["dragover", "drop"]) {
    room.dispatchEvent(new DragEvent(name, { dataTransfer: data, bubbles: true, cancelable: true }));
  }
}"""


def begin(page: Page, seat: str = "Two people", opponent: str | None = None) -> None:
    """Begin a game with this seat, by the form of the first screen."""
    page.get_by_text("Board, opponent, handicap, clock").click()
    page.locator(".segments label", has_text=seat).click()
    if opponent is not None:
        page.get_by_label("Opponent").select_option(opponent)
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector(".game")


def point(page: Page, name: str, size: int = 9) -> None:
    """Click a point of the board."""
    column, row = "ABCDEFGHJKLMNOPQRST".index(name[0]), size - int(name[1:])
    page.locator(f'.shudan-vertex[data-x="{column}"][data-y="{row}"]').first.click()


def moves(page: Page, count: int) -> None:
    """Wait until so many moves are on the board."""
    expect(page.locator(".said[data-moves]")).to_have_attribute("data-moves", str(count))


def stones(page: Page) -> tuple[int, int]:
    """Black and white stones on the first board."""
    board = page.locator(".board").first
    return board.locator(".shudan-inner.shudan-sign_1").count(), board.locator(".shudan-inner.shudan-sign_-1").count()


def drop(page: Page, record: str = RECORD) -> None:
    """Drop a record on the page, and wait until it is on the board of the room Analyse."""
    page.evaluate(_DROP, record)
    page.wait_for_selector(".study-boards .board")
