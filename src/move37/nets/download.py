"""Downloads of networks over HTTP: streamed to a temporary name, checked, and renamed only when all is well.

What is saved is what a checksum, if one is given, and reading all of it say is a network. No other protocol is
spoken (not even to read a file of this machine, whatever a redirection or a proxy's address says), a redirection from
HTTPS to HTTP is refused, and no more is written than `MAX_BYTES`.
"""

from __future__ import annotations

import hashlib
import http.client
import os
import re
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote, unquote, urlsplit

from move37.errors import ConfigError, NetworkFileError
from move37.files import replacing
from move37.nets import weights
from move37.nets.file_kind import SUFFIXES
from move37.nets.finding import user_folder

__all__ = ["MAX_BYTES", "Progress", "download"]

MAX_BYTES = 4 * 2**30
"""Published networks have at most 0.5 GB."""

Progress = Callable[[int, int | None], None]
"""Called with the bytes that are here and, if the server told it, the bytes of the whole."""

_CHUNK = 2**18
_TIMEOUT = 30.0
_DIGITS = re.compile(r"[0-9]{1,18}\Z")
_SHA256 = re.compile(r"[0-9a-fA-F]{64}\Z")
_NAME = re.compile(r"[^/\\.][^/\\]*\Z")
_LONGEST_NAME = 200  # bytes; systems have at most 255, and a temporary name is longer
_ADDRESS = "%!#$&'()*+,/:;=?@[]~"
"""What stays in an address as it is; other characters that are not ASCII's letters and digits are escaped."""


def download(
    url: str,
    folder: Path | None = None,
    name: str | None = None,
    sha256: str | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> Path:
    """Save the network at `url` in `folder` (default: the user's) and return its path.

    `name`: of the file, default the last part of the URL; without an ending it gets that of the URL. `sha256`:
    hexadecimal; a download with another checksum is thrown away. `force`: replace a file that is there. ConfigError for
    a URL, name or checksum that is none; NetworkFileError in one sentence for everything that goes wrong after that,
    and then nothing is saved.
    """
    address = urlsplit(_checked_url(url))
    target = (folder if folder is not None else user_folder()) / _file_name(name, address.path)
    if sha256 is not None and not _SHA256.match(sha256):
        raise ConfigError(f"A SHA-256 is 64 hexadecimal digits, not {sha256!r}.")
    if os.path.lexists(target) and not force:
        raise NetworkFileError(f"{target}: is there already; --force replaces it.")
    try:
        with replacing(target) as temporary:
            found = _save(url, temporary, progress or _quiet)
            if sha256 is not None and found != sha256.lower():
                raise NetworkFileError(f"{url}: expected SHA-256 {sha256.lower()}, found {found}; nothing is saved.")
            _check(url, temporary)
    except OSError as error:
        raise NetworkFileError(
            f"{target}: the network could not be saved ({error.strerror or error}); free space or choose another place."
        ) from error
    return target


def _checked_url(url: str) -> str:
    try:
        address = urlsplit(url)
        known = address.scheme in ("http", "https") and address.hostname and address.port != 0
        address.netloc.encode("idna")
        quote(url)
    except ValueError:
        known = False
    if not known or not url.isprintable() or " " in url:
        raise ConfigError(f"{url!r} is no address to download from: write https://... or http://...")
    return url


def _file_name(name: str | None, url_path: str) -> str:
    last = unquote(url_path).rpartition("/")[2]
    found = last if name is None else name
    if name and not name.endswith(SUFFIXES):
        found += next((suffix for suffix in SUFFIXES if last.endswith(suffix)), "")
    fits = _NAME.match(found) and found.isprintable() and len(found.encode("utf-8")) <= _LONGEST_NAME
    if not fits or not found.endswith(SUFFIXES):
        raise ConfigError(
            f"{found!r} is no name for a network's file: give one with --name that ends in {', '.join(SUFFIXES)}."
        )
    return found


class _SafeRedirects(urllib.request.HTTPRedirectHandler):
    """Redirections that stay with HTTP and do not leave HTTPS; the answer that redirects is closed if they fail."""

    def http_error_302(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Any
    ) -> IO[bytes] | None:
        try:
            return super().http_error_302(req, fp, code, msg, headers)
        except BaseException:
            fp.close()
            raise

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        if not newurl.startswith(("https://",) if req.type == "https" else ("http://", "https://")):
            raise urllib.error.URLError(f"it is redirected to {newurl}, which is not safe")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _save(url: str, path: Path, progress: Progress) -> str:
    """Stream `url` into `path`; the SHA-256 of what came."""
    digest = hashlib.sha256()
    response = _opened(url)
    with response, path.open("wb") as file:
        total = _told_size(url, response.headers.get("Content-Length"))
        here = 0
        while chunk := _read(url, response):
            here += len(chunk)
            if here > MAX_BYTES:
                raise NetworkFileError(f"{url}: is larger than {MAX_BYTES:,} bytes, which no network is.")
            digest.update(chunk)
            file.write(chunk)
            progress(here, total)
    if total is not None and here < total:
        raise NetworkFileError(f"{url}: the connection ended after {here:,} of {total:,} bytes; try again.")
    return digest.hexdigest()


def _opened(url: str) -> Any:
    """The server's answer to a request for `url`, to be read and closed."""
    address = urlsplit(url)
    request = urllib.request.Request(
        address._replace(path=quote(address.path, _ADDRESS), query=quote(address.query, _ADDRESS)).geturl(),
        headers={"User-Agent": "move37"},
    )
    try:
        return _http_opener().open(request, timeout=_TIMEOUT)
    except urllib.error.HTTPError as error:
        error.close()
        reason = " ".join(str(error.reason).split())
        raise NetworkFileError(f"{url}: the server answers {error.code} {reason}; check the address.") from error
    except (OSError, ValueError, http.client.HTTPException) as error:  # ValueError: impossible names of hosts
        raise _lost(url, error) from error


def _http_opener() -> urllib.request.OpenerDirector:
    """What opens http and https, by a proxy if the environment names one, and no other kind of address."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.UnknownHandler(),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
        _SafeRedirects(),
    ):
        opener.add_handler(handler)
    return opener


def _told_size(url: str, header: str | None) -> int | None:
    total = int(header) if header is not None and _DIGITS.match(header) else None
    if total is not None and total > MAX_BYTES:
        raise NetworkFileError(f"{url}: has {total:,} bytes, and no more than {MAX_BYTES:,} are downloaded.")
    return total


def _read(url: str, response: Any) -> bytes:
    try:
        chunk: bytes = response.read1(_CHUNK)  # what is there: a slow server's progress is seen
    except (OSError, ValueError, http.client.HTTPException) as error:  # ValueError: lengths that are none
        raise _lost(url, error) from error
    return chunk


def _lost(url: str, error: Exception) -> NetworkFileError:
    reason = getattr(error, "reason", error)
    words = getattr(reason, "strerror", None) or " ".join(str(reason).split()) or type(reason).__name__
    return NetworkFileError(f"{url}: cannot be downloaded ({words}); check the address and the connection.")


def _check(url: str, path: Path) -> None:
    """Read the whole network: not every server tells how long a file is, so a cut one is seen only so."""
    try:
        weights.load(path)
    except NetworkFileError as error:
        raise NetworkFileError(f"{url}: {str(error).removeprefix(f'{path}: ')}") from error


def _quiet(here: int, total: int | None) -> None:
    """Show nothing."""
