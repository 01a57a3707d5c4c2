"""Every exception of the package is one kind of mistake a person can make, and all have one base."""

from __future__ import annotations

from move37 import errors


def test_every_error_is_listed_and_has_the_one_base() -> None:
    found = {name for name, value in vars(errors).items() if isinstance(value, type) and issubclass(value, Exception)}
    assert found == set(errors.__all__)
    assert all(issubclass(getattr(errors, name), errors.Move37Error) for name in found)


def test_no_error_passes_for_a_mistake_of_the_program() -> None:
    assert not issubclass(errors.Move37Error, (ValueError, TypeError, OSError, RuntimeError))
