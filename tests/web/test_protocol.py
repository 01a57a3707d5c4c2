"""The protocol as the page's source has it is the protocol of the server. What is answered every other test checks."""

from __future__ import annotations

import re

from move37.web.engines import Choice
from move37.web.showing import BoardRequest
from move37.web.table import REQUESTS
from tests.support.page_protocol import PROTOCOL, interfaces, union


def test_every_request_has_the_fields_that_the_page_may_send() -> None:
    envelope = {"type", "board", "id"}
    told = {interfaces()[name].type: interfaces()[name].fields - envelope for name in union("Request")}
    assert told == {name: frozenset(fields) for name, fields in REQUESTS.items()} | {"close": frozenset()}


def test_parts_of_requests_have_the_fields_of_the_server() -> None:
    assert interfaces()["Engine"].fields == Choice("zero").__dataclass_fields__.keys()
    assert interfaces()["PictureOptions"].fields - {"theme"} <= BoardRequest.__dataclass_fields__.keys()


def test_the_source_has_no_interface_that_nobody_uses() -> None:
    text = PROTOCOL.read_text(encoding="utf-8")
    assert len(interfaces()) > 40
    assert {name for name in interfaces() if len(re.findall(rf"\b{name}\b", text)) < 2} == set()
