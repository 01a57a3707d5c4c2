"""Whether the options of a search are of the kind they are declared as, and in their range.

What range each may have stands with the options themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from numbers import Integral
from typing import Any, cast

import numpy as np

from move37.errors import ConfigError

__all__ = ["check_kinds", "check_ranges"]

GREATEST_NUMBER = 1e20
"""Kernels hold some options in single precision, where far greater numbers are infinite."""

GREATEST_COUNT = 2**31 - 1


def check_kinds(options: Any, what: str = "search") -> None:
    """Refuse (ConfigError) a frozen dataclass's value that is no truth value, whole or finite number where one is due.

    Fields that are declared as anything else than ``bool``, ``int`` and ``float``, with or without ``None``, may be
    anything. ``what`` the options are of, the message says.
    """
    for field in fields(options):
        value = getattr(options, field.name)
        kind, _, optional = str(field.type).partition(" | ")
        if not ((optional and value is None) or _is_kind(kind, value)):
            raise ConfigError(f"The {what} option {field.name} cannot be {value!r}.")


def check_ranges(options: Any, good: Mapping[str, bool], what: str = "search") -> None:
    """Refuse (ConfigError) the first option that `good` says is out of its range."""
    for name, is_good in good.items():
        if not is_good:
            raise ConfigError(f"The {what} option {name} cannot be {getattr(options, name)}.")


def _is_kind(kind: str, value: object) -> bool:
    truth = type(value).__name__ in ("bool", "bool_")
    if kind == "bool":
        return truth
    if kind == "int":
        return isinstance(value, Integral) and not truth and abs(int(value)) <= GREATEST_COUNT
    if kind == "float":
        real = isinstance(value, int | float | np.integer | np.floating) and not truth
        return real and bool(-GREATEST_NUMBER <= cast(float, value) <= GREATEST_NUMBER)
    return True
