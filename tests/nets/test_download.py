"""Downloads are whole and checked or not there at all; every way to fail is one sentence."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from move37.errors import ConfigError, Move37Error, NetworkFileError
from move37.nets import download as module
from move37.nets import finding, weights
from move37.nets.download import download
from tests.support.http_files import http_files, raw_answer
from tests.support.leela_files import leela_lines, write_leela


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MOVE37_NETS", str(tmp_path / "nets"))
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "nets"


@pytest.fixture
def content(tmp_path: Path) -> bytes:
    return write_leela(tmp_path / "served.gz", leela_lines()).read_bytes()


@pytest.fixture
def site(content: bytes) -> Iterator[str]:
    files = {"a net.gz": content, "net.gz": content, "net": content, "page.bin.gz": b"<html>", "bad.gz": content[:20]}
    files["cut.gz"] = content[:-200]
    with http_files(files | {"a%20net.gz": content, "net.gz?x=1": content}) as address:
        yield address


def test_a_network_is_saved_and_found_by_its_name(site: str, folder: Path, content: bytes) -> None:
    seen: list[tuple[int, int | None]] = []
    path = download(f"{site}/net.gz", progress=lambda here, total: seen.append((here, total)))
    assert path == folder / "net.gz"
    assert path.read_bytes() == content
    assert seen[-1] == (len(content), len(content))
    assert finding.find("net") == path
    assert weights.load(path).spec.encoder == "leela18"
    assert list(folder.iterdir()) == [path]


@pytest.mark.parametrize(
    ("path", "name"), [("a%20net.gz", "a net.gz"), ("net.gz?x=1", "net.gz"), ("moved/net.gz", "net.gz")]
)
def test_the_name_is_the_last_part_of_the_path(site: str, folder: Path, path: str, name: str) -> None:
    assert download(f"{site}/{path}") == folder / name


def test_a_name_may_be_given_and_a_length_need_not(site: str, tmp_path: Path, content: bytes) -> None:
    seen: list[int | None] = []
    path = download(
        f"{site}/unsized/net", tmp_path / "else where", "x.gz", progress=lambda _, total: seen.append(total)
    )
    assert path == tmp_path / "else where" / "x.gz"
    assert path.read_bytes() == content
    assert set(seen) == {None}


def test_a_name_without_an_ending_gets_that_of_the_address(site: str, folder: Path) -> None:
    assert download(f"{site}/net.gz", name="again") == folder / "again.gz"
    with pytest.raises(ConfigError, match="'again' is no name for a network's file"):
        download(f"{site}/unsized/net", name="again")


def test_a_checksum_decides(site: str, folder: Path, content: bytes) -> None:
    right = hashlib.sha256(content).hexdigest()
    with pytest.raises(NetworkFileError) as caught:
        download(f"{site}/net.gz", sha256="0" * 64)
    assert str(caught.value) == f"{site}/net.gz: expected SHA-256 {'0' * 64}, found {right}; nothing is saved."
    assert list(folder.iterdir()) == []
    assert download(f"{site}/net.gz", sha256=right.upper()).read_bytes() == content


def test_a_file_that_is_there_stays_unless_forced(site: str, folder: Path, content: bytes) -> None:
    folder.mkdir()
    (folder / "net.gz").write_bytes(b"mine")
    with pytest.raises(NetworkFileError, match="is there already; --force replaces it"):
        download(f"{site}/net.gz")
    with pytest.raises(NetworkFileError, match="ended after"):
        download(f"{site}/short/net.gz", force=True)
    assert (folder / "net.gz").read_bytes() == b"mine"
    download(f"{site}/net.gz", force=True)
    assert (folder / "net.gz").read_bytes() == content


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("none.gz", "the server answers 404 Not Found; check the address"),
        ("short/net.gz", "bytes; try again"),
        ("page.bin.gz", "found a page of HTML or XML"),
        ("bad.gz", "found "),
        ("unsized/cut.gz", "cut short"),
        ("away", "Redirection to url 'file:///etc/passwd' is not allowed"),
        ("huge", "has 1,000,000,000,000,000 bytes, and no more than"),
    ],
)
def test_failures_are_one_sentence_and_leave_nothing(site: str, folder: Path, path: str, sentence: str) -> None:
    with pytest.raises(NetworkFileError) as caught:
        download(f"{site}/{path}", name="it.bin.gz")
    message = str(caught.value)
    assert message.startswith(f"{site}/{path}: ") and "\n" not in message
    assert sentence in message
    assert list(folder.iterdir()) == []


def test_no_more_is_written_than_a_network_can_have(
    site: str, folder: Path, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_BYTES", len(content) - 1)
    for path in ("net.gz", "unsized/net.gz"):
        with pytest.raises(NetworkFileError, match=r"no more than|is larger than"):
            download(f"{site}/{path}")
    assert list(folder.iterdir()) == []


def test_a_server_that_is_not_there_is_named() -> None:
    with pytest.raises(NetworkFileError, match=r"cannot be downloaded \(Connection refused\); check the address"):
        download("http://127.0.0.1:1/net.gz")


@pytest.mark.parametrize(
    "url",
    [
        "net.gz",
        "ftp://x/net.gz",
        "file:///etc/passwd",
        "http:///net.gz",
        "http://a:x/n.gz",
        "http://a b/n.gz",
        "http://a..b/n.gz",
        "http://a/\ud800.gz",
        "",
    ],
)
def test_other_addresses_are_refused(url: str) -> None:
    with pytest.raises(ConfigError, match="is no address to download from"):
        download(url)


@pytest.mark.parametrize(
    "name", ["", "net.onnx", "../net.gz", "a/b.gz", ".gz", "x" * 300 + ".gz", "ä" * 150 + ".gz", "a\0.gz", "a\nb.gz"]
)
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="is no name for a network's file"):
        download("http://127.0.0.1:1/", name=name)


def test_an_unsafe_last_part_is_refused() -> None:
    with pytest.raises(ConfigError, match="is no name"):
        download("http://127.0.0.1:1/..%2f..%2fnet.gz/..")


def test_a_checksum_that_is_none_is_refused() -> None:
    with pytest.raises(ConfigError, match="64 hexadecimal digits"):
        download("http://127.0.0.1:1/net.gz", sha256="abc")


def test_a_folder_that_cannot_be_written_is_named(site: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Move37Error, match="could not be saved"):
        download(f"{site}/net.gz", tmp_path / "file")


def test_https_is_not_left() -> None:
    handler = module._SafeRedirects()  # pyright: ignore[reportPrivateUsage]
    import urllib.error
    import urllib.request
    from email.message import Message
    from io import BytesIO

    def redirect(old: str, new: str) -> object:
        return handler.redirect_request(urllib.request.Request(old), BytesIO(), 302, "", Message(), new)

    assert redirect("http://a/x", "https://a/x") is not None
    assert redirect("https://a/x", "https://b/x") is not None
    with pytest.raises(urllib.error.URLError, match="not safe"):
        redirect("https://a/x", "http://a/x")


HEAD = b"HTTP/1.1 200 OK\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"\x00\xff\x1b[31m\r\n\r\n",
        HEAD + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\nx",
        HEAD + b"X: y\r\n" * 500 + b"\r\n",
        CHUNKED + b"zz\r\nab",
        CHUNKED + b"-5\r\n" + bytes(50_000),
        CHUNKED + b"5\r\nab",
        b"HTTP/1.1 500 " + b"so\tbad" + b"\r\n\r\n",
        *(
            b"HTTP/1.1 302 Found\r\nLocation: " + place + b"\r\n\r\n"
            for place in (
                b"http://a..b/x",
                b"http://" + b"x" * 400,
                b"http://[::1/x",
                b"/",
                b"ftp://x",
                b"data:,x",
                b"",
            )
        ),
    ],
)
def test_whatever_a_server_sends_is_one_sentence(answer: bytes, folder: Path) -> None:
    with raw_answer(answer) as address, pytest.raises(NetworkFileError) as caught:
        download(f"{address}/net.gz")
    message = str(caught.value)
    assert message.startswith(f"{address}/net.gz: ")
    assert "\n" not in message
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("proxy", ["file:///etc/passwd", "ftp://x", "http://a..b:1", "socks5://x:1"])
def test_a_proxy_is_spoken_to_in_http_alone(proxy: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", proxy)
    with pytest.raises(NetworkFileError, match="cannot be downloaded"):
        download("http://example.invalid/net.gz")
    assert list(folder.iterdir()) == []


def test_other_letters_in_an_address_are_escaped(site: str, folder: Path, content: bytes) -> None:
    with http_files({"%C3%A4/n%C3%AFt.gz": content}) as address:
        assert download(f"{address}/ä/nït.gz") == folder / "nït.gz"


def test_a_link_to_nowhere_is_not_followed_out_of_the_folder(site: str, folder: Path, tmp_path: Path) -> None:
    folder.mkdir()
    (folder / "net.gz").symlink_to(tmp_path / "outside")
    with pytest.raises(NetworkFileError, match="is there already"):
        download(f"{site}/net.gz")
    assert not (tmp_path / "outside").exists()


def test_an_interrupted_download_leaves_nothing(site: str, folder: Path) -> None:
    def interrupt(here: int, total: int | None) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        download(f"{site}/net.gz", progress=interrupt)
    assert list(folder.iterdir()) == []
