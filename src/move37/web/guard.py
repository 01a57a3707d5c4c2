"""Who may speak to the server: this machine's own pages, and elsewhere whoever has the token.

Three checks, on every request and websocket. `Host` must be a name by which this server is meant, so that a foreign
name which was made to lead here (DNS rebinding) gets nothing. `Origin`, which browsers send with every websocket, must
be this server itself, so that no other site's page speaks through its visitor's browser. Where the server is open to a
network, the token: once in the address, from there on in a cookie.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from secrets import compare_digest
from typing import Final
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["COOKIE", "LOOPBACK", "Guard", "is_loopback"]

COOKIE: Final = "move37_token"
LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_HEADERS: Final = {
    "content-security-policy": (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; object-src 'none'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
"""Of every answer. Scripts come from this server alone: what a record or a picture holds is never run."""


def is_loopback(host: str) -> bool:
    """Whether a host to listen on is this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True)
class Guard:
    """An ASGI application before another. names: hosts by which the server is meant; token: None on loopback.

    With a token any address is a name too, for what leads there by an address was not led there by a foreign name.
    """

    app: ASGIApp
    names: frozenset[str] = LOOPBACK
    token: str | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let through, or refuse with one sentence."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is None:
            await self.app(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await _refuse_socket(receive, send)
        else:
            await refusal(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope) -> Response | None:
        """What answers a request that is not let through."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._is_meant(host):
            return PlainTextResponse("This server does not go by that name.\n", 421)
        origin = headers.get("origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            return PlainTextResponse("This server speaks to its own page only.\n", 403)
        return None if self.token is None else self._ask_token(scope, headers, self.token)

    def _is_meant(self, host: str) -> bool:
        name = _name_of(host)
        return name in self.names or (self.token is not None and _is_address(name))

    def _ask_token(self, scope: Scope, headers: Headers, token: str) -> Response | None:
        if compare_digest(_cookie(headers).encode(), token.encode()):
            return None
        given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [""])[0]
        if scope["type"] != "http" or not compare_digest(given.encode(), token.encode()):
            return PlainTextResponse("Open this page by the address that move37 web printed, with its token.\n", 403)
        answer = RedirectResponse("/", 303)
        answer.set_cookie(COOKIE, token, httponly=True, samesite="strict", path="/")
        return answer


def _name_of(host: str) -> str:
    """The name in a Host header, without its port, in small letters."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.rpartition(":")[0].lower() if ":" in host else host.lower()


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _cookie(headers: Headers) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return "" if found is None else found.value


async def _refuse_socket(receive: Receive, send: Send) -> None:
    """Answer the handshake of a websocket with 403."""
    await receive()
    await send({"type": "websocket.close", "code": 1008, "reason": ""})


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers[name] = value
        await send(message)

    return sending
