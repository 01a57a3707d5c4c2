"""A server of the page as `move37 web` starts it, and a page of it in Debian's chromium that may not complain.

Without chromium, the built page (`make page`) or the tools of its tests these tests skip; in CI they fail.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page, expect, sync_playwright

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "src" / "move37" / "web" / "static"
PATIENCE = 120_000
"""Milliseconds: the first use of a kernel compiles it, which takes a busy machine its time."""


def missing(what: str) -> None:
    """Skip, but in CI fail: `make test` should have brought it."""
    (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(what)


@pytest.fixture(scope="session")
def address() -> Generator[str]:
    """The address of a running server."""
    if not (STATIC / "index.html").is_file():
        missing("the page is not built (make page)")
    command = [sys.executable, "-m", "move37.cli", "web", "--port", "0", "--no-open"]
    path = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
        assert server.stdout is not None
        line = server.stdout.readline()
        assert "http://" in line, line
        yield next(word for word in line.split() if word.startswith("http://"))
        server.terminate()


@pytest.fixture(scope="module")
def browser() -> Generator[Browser]:
    """Debian's chromium without a window; for one file, as while it is open no other test may run an event loop."""
    path = shutil.which("chromium")
    if path is None:
        missing("chromium is not installed (Debian: apt-get install chromium)")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def context(browser: Browser) -> Generator[BrowserContext]:
    """A visitor who was never here before, on a desktop and in English."""
    context = browser.new_context(locale="en", viewport={"width": 1280, "height": 900}, color_scheme="light")
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext, address: str) -> Generator[Page]:
    """The page on its first screen. Whatever it complains of in the browser's console fails the test."""
    page = context.new_page()
    complaints = listen(page)
    page.goto(address)
    page.wait_for_selector(".start .button.primary:enabled")
    yield page
    assert complaints == []


def listen(page: Page) -> list[str]:
    """The list to which errors and warnings of the page are added from now on."""
    complaints: list[str] = []

    def said(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(message.text)

    def thrown(error: Error) -> None:
        complaints.append(str(error))

    page.on("console", said)
    page.on("pageerror", thrown)
    return complaints
