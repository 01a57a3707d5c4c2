"""The files of the built page: small, and with nothing from elsewhere."""

from __future__ import annotations

import gzip
import re

from tests.page.conftest import STATIC, missing

MOST_SCRIPT = 400_000
"""Bytes of all scripts together, compressed."""


def test_the_scripts_are_small() -> None:
    scripts = list(STATIC.rglob("*.js"))
    if not scripts:
        missing("the page is not built (make page)")
    assert sum(len(gzip.compress(path.read_bytes())) for path in scripts) <= MOST_SCRIPT


def test_nothing_is_loaded_from_elsewhere_and_no_script_stands_in_the_page() -> None:
    files = [path for path in STATIC.rglob("*") if path.suffix in (".html", ".css", ".js")]
    if not files:
        missing("the page is not built (make page)")
    named = {host for path in files for host in re.findall(r"https?://([\w.-]+)", path.read_text(encoding="utf-8"))}
    assert named <= {"www.w3.org"}, "only names of namespaces, which nothing is loaded from"
    assert re.findall(r"<script(?![^>]*\bsrc=)", (STATIC / "index.html").read_text(encoding="utf-8")) == []
