"""Names, origins, the token, the addresses, and what is served."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from move37.web.guard import COOKIE, is_loopback
from tests.support.page_client import Server, serving


@pytest.fixture(scope="module")
def local() -> Generator[Server]:
    with serving() as running:
        yield running


@pytest.fixture(scope="module")
def shared() -> Generator[Server]:
    """A server that others can reach."""
    with serving(host="0.0.0.0") as running:
        yield running


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
def test_this_machine_goes_by_its_own_names(local: Server, name: str) -> None:
    assert local.get("/healthz", {"Host": f"{name}:{local.port}"}).status == 200


@pytest.mark.parametrize("name", ["evil.example", "127.0.0.1.evil.example", "192.168.1.5", "", "localhost.evil:80"])
def test_a_name_that_was_led_here_gets_nothing(local: Server, name: str) -> None:
    assert local.get("/healthz", {"Host": name}).status == 421
    with pytest.raises(InvalidStatus) as refused, local.page(host=name or "x"):
        pass
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost:1", "https://127.0.0.1"])
def test_the_pages_of_others_cannot_speak_through_a_visitor(local: Server, origin: str) -> None:
    with pytest.raises(InvalidStatus) as refused, local.page(origin=origin):
        pass
    assert refused.value.response.status_code == 403
    assert local.get("/healthz", {"Origin": origin}).status == 403


def test_every_answer_forbids_foreign_scripts(local: Server) -> None:
    for path in ("/", "/healthz", "/nothing"):
        answer = local.get(path)
        assert "default-src 'self'" in str(answer.getheader("content-security-policy"))
        assert answer.getheader("x-content-type-options") == "nosniff"


def test_nothing_but_looking_is_allowed(local: Server) -> None:
    assert local.get("/healthz", method="POST").status == 405
    assert local.get("/", method="DELETE").status == 405


def test_others_need_the_token(shared: Server) -> None:
    assert shared.get("/healthz").status == 403
    assert shared.get("/?token=wrong").status == 403
    with pytest.raises(InvalidStatus) as refused, shared.page():
        pass
    assert refused.value.response.status_code == 403
    with pytest.raises(InvalidStatus), shared.page({"Cookie": f"{COOKIE}=wrong"}):
        pass


def test_the_token_becomes_a_cookie_that_scripts_cannot_read(shared: Server) -> None:
    token = shared.address.partition("?token=")[2]
    answer = shared.get(f"/?token={token}")
    assert answer.status == 303 and answer.getheader("location") == "/"
    cookie = str(answer.getheader("set-cookie"))
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie
    held = {"Cookie": cookie.partition(";")[0]}
    assert shared.get("/healthz", held).status == 200
    with shared.page(held) as page:
        assert page.ask("position", "new", settings={"size": 5})["rows"] == 5


def test_which_hosts_are_this_machine_alone() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "127.0.0.2", "::1", "localhost")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "192.168.0.2", "example.org", "")))


# ------------------------------------------------------------------------------------------------ files


def test_the_built_page_is_served_by_the_names_of_its_files(tmp_path: Path) -> None:
    static = tmp_path / "static"
    (static / "assets").mkdir(parents=True)
    (static / "index.html").write_text("<p>the page", encoding="utf-8")
    (static / "assets" / "a.js").write_text("1", encoding="utf-8")
    (tmp_path / "secret").write_text("secret", encoding="utf-8")
    with serving(static=static) as running:
        page = running.get("/")
        assert page.status == 200 and "text/html" in str(page.getheader("content-type"))
        assert "javascript" in str(running.get("/assets/a.js").getheader("content-type"))
        for path in ("/../secret", "/%2e%2e/secret", "/assets/../../secret", "//secret", "/assets", "/etc/passwd"):
            assert running.get(path).status == 404


def test_a_page_that_is_not_built_says_how(tmp_path: Path) -> None:
    with serving(static=tmp_path) as running:
        assert running.get("/").status == 503
