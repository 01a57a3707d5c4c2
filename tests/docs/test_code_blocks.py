"""The Python of the README and of the docs pages runs, and its doctests give what they show.

A page is one session: a later block may use the names of an earlier one. A block with `>>>` is a doctest, another is
executed. A block that needs what a test run cannot have is not marked as python on its page.
"""

from __future__ import annotations

import doctest
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(page: Path) -> list[tuple[int, str]]:
    """Each Python block of a page with the number of its first line."""
    text = page.read_text(encoding="utf-8")
    return [(text.count("\n", 0, match.start(1)) + 1, match.group(1)) for match in BLOCK.finditer(text)]


def run_block(page: Path, line: int, code: str, names: dict[str, Any]) -> None:
    if ">>>" not in code:
        exec(compile("\n" * (line - 1) + code, str(page), "exec"), names)
        return
    test = doctest.DocTestParser().get_doctest(code, names, page.name, str(page), line - 1)
    test.globs = names
    report: list[str] = []
    failed = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append, clear_globs=False).failed
    assert not failed, "".join(report)


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[None]:
    """Run in an empty folder: what a page writes must not land in the tree."""
    before = Path.cwd()
    os.chdir(tmp_path)
    yield
    os.chdir(before)


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)], ids=lambda page: page.name)
def test_the_python_of_a_page_runs(page: Path) -> None:
    names: dict[str, Any] = {}
    for line, code in blocks(page):
        run_block(page, line, code, names)


def test_the_readme_has_a_doctest() -> None:
    assert any(">>>" in code for _, code in blocks(ROOT / "README.md"))


def test_a_wrong_result_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Page\n\n```python\n>>> 1 + 1\n3\n```\n", encoding="utf-8")
    [(line, code)] = blocks(page)
    assert line == 4
    with pytest.raises(AssertionError, match="Expected:"):
        run_block(page, line, code, {})
