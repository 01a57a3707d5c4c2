"""Texts of files, servers and the system as a terminal can show them: one line, and no signs that would steer it."""

from __future__ import annotations


def one_line(text: str) -> str:
    """`text` with single spaces for all white space, and with Python's escapes for what cannot be printed."""
    return "".join(map(_shown, " ".join(text.split())))


def _shown(character: str) -> str:
    return character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
