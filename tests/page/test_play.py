"""A game on the page: begun by a click, played, ended by two passes, counted; and what can be done on the way."""

from __future__ import annotations

import time
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, WebSocketRoute, expect

import move37 as go
from tests.page.conftest import PATIENCE
from tests.page.steps import begin, moves, point, stones


def test_one_click_begins_a_game_and_the_opponent_answers(page: Page) -> None:
    page.locator(".start .button.primary").click()
    expect(page.locator(".headline")).to_have_text("Your turn")
    point(page, "E5")
    moves(page, 2)
    assert stones(page) == (1, 1)
    expect(page.locator(".said[data-moves]")).to_contain_text("White plays")


def test_a_stone_on_the_first_board_begins_a_game_too(page: Page) -> None:
    point(page, "C3")
    moves(page, 2)
    expect(page.locator(".player", has_text="You")).to_be_visible()


def test_a_game_is_played_passed_marked_counted_and_saved(page: Page, tmp_path: Path) -> None:
    begin(page)
    for number, name in enumerate(["D9", "E9", "D8", "E8", "D7", "E7", "D6", "E6", "D5", "E5"], 1):
        point(page, name)
        moves(page, number)
    for number, name in enumerate(["D4", "E4", "D3", "E3", "D2", "E2", "D1", "E1", "H2", "A5"], 11):
        point(page, name)
        moves(page, number)
    page.keyboard.press("p")
    expect(page.locator(".headline")).to_contain_text("passed")
    page.keyboard.press("p")
    page.wait_for_selector(".sums")
    mark(page, "H2")
    mark(page, "A5")
    expect(page.locator(".headline")).to_have_text("White wins by 16")
    page.get_by_role("button", name="Agree").click()
    expect(page.get_by_role("button", name="Agree")).to_have_count(0)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save SGF").click()
    download.value.save_as(tmp_path / "game.sgf")
    record = go.read_sgf(tmp_path / "game.sgf")
    assert record.result is not None and (record.result.winner, record.result.margin) == (go.Color.WHITE, 16.0)
    assert len(record.position().moves) == 22


def mark(page: Page, name: str) -> None:
    """Make the stone dead unless it was proposed as such."""
    column, row = "ABCDEFGHJ".index(name[0]), 9 - int(name[1])
    vertex = page.locator(f'.shudan-vertex[data-x="{column}"][data-y="{row}"]')
    if "shudan-marker_cross" not in (vertex.get_attribute("class") or ""):
        vertex.click()
    expect(vertex).to_contain_class("shudan-marker_cross")


def test_undo_takes_back_hint_helps_and_resigning_ends(page: Page) -> None:
    begin(page, "Black", "random")
    point(page, "E5")
    moves(page, 2)
    page.keyboard.press("u")
    moves(page, 0)
    assert stones(page) == (0, 0)
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector(".board-over .hint")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Resign").click()
    expect(page.locator(".headline")).to_have_text("White wins by resignation")


def test_a_whole_game_by_the_keyboard_alone(page: Page) -> None:
    page.get_by_text("Board, opponent, handicap, clock").press("Enter")
    page.locator(".segments input[value=B]").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.get_by_role("button", name="Begin").press("Enter")
    page.wait_for_selector(".game")
    page.keyboard.press("ArrowUp")
    expect(page.locator(".board-room .said")).to_have_text("E5, empty")
    page.keyboard.press("Enter")
    moves(page, 1)
    expect(page.locator(".board-room .said")).to_have_text("E5, black stone")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    moves(page, 2)
    expect(page.locator(".said[data-moves]")).to_contain_text("White plays F5")
    page.keyboard.press("u")
    moves(page, 1)
    page.keyboard.press("p")
    moves(page, 2)
    page.keyboard.press("p")
    page.wait_for_selector(".sums")


def test_a_move_can_be_typed_and_a_wrong_one_is_answered_in_a_sentence(page: Page) -> None:
    begin(page)
    field = page.get_by_label("Type a move")
    field.fill("z9")
    field.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("is no point of this board")
    field.fill("e5")
    field.press("Enter")
    moves(page, 1)
    field.fill("e5")
    field.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("E5")
    assert stones(page) == (1, 0)


def test_a_game_is_still_there_after_the_page_was_loaded_anew(page: Page) -> None:
    begin(page)
    point(page, "E5")
    moves(page, 1)
    page.reload()
    moves(page, 1)
    point(page, "C3")
    moves(page, 2)


def test_a_lost_connection_is_mended_and_the_game_goes_on(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    sockets: list[tuple[WebSocketRoute, WebSocketRoute]] = []
    page.route_web_socket("**/ws", lambda socket: sockets.append((socket, socket.connect_to_server())))
    page.goto(address)
    begin(page)
    point(page, "E5")
    moves(page, 1)
    for end in sockets[0]:
        end.close()
    deadline = time.monotonic() + PATIENCE / 1000
    while len(sockets) < 2 and time.monotonic() < deadline:
        page.wait_for_timeout(20)
    expect(page.get_by_text("The connection to move37 is lost")).to_have_count(0)
    point(page, "C3")
    moves(page, 2)
