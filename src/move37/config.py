"""TOML into frozen dataclasses, and back.

A config class stands beside the code that reads it; this module knows none of them. A key that the class does not have
is an error, never ignored. Field types understood: bool, int, float, str, Path, Literal, `X | None` (a missing key;
TOML has no null), tuple[X, ...], tuple[X, Y], dict[str, X], and dataclasses, nested as deep as needed.
"""

from __future__ import annotations

import dataclasses
import difflib
import json
import re
import tomllib
import types
import typing
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from move37.errors import ConfigError, Move37Error
from move37.files import write_text

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

__all__ = ["from_dict", "load_toml", "save_toml", "to_toml"]

T = TypeVar("T", bound="DataclassInstance")

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_SIMPLE: dict[type, tuple[tuple[type, ...], str]] = {
    bool: ((bool,), "true or false"),
    int: ((int,), "a whole number"),
    float: ((float, int), "a number"),
    str: ((str,), "a text"),
    Path: ((str, Path), "a path in quotes"),
}


# ---- reading


def load_toml(cls: type[T], path: Path | str) -> T:
    """Read the TOML file at `path` as a `cls`; raises ConfigError in one sentence that names the file and the key."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror or error}).") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: is not UTF-8 text (byte {error.start}).") from error
    try:
        mapping = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{path}: is not valid TOML: {error}.") from error
    return from_dict(cls, mapping, str(path))


def from_dict(cls: type[T], mapping: Mapping[str, Any], where: str) -> T:
    """Build a `cls` from the plain values of `mapping` (what TOML or JSON gives).

    `where` begins every message (a file's path, say). What the class's own checks raise becomes such a ConfigError too.
    """
    return cast(T, _build(cls, mapping, where, ""))


def _build(cls: type[Any], mapping: Mapping[str, Any], where: str, prefix: str) -> object:
    fields = {field.name: field for field in dataclasses.fields(cls) if field.init}
    _refuse_unknown(mapping, fields, where, prefix)
    missing = [name for name, field in fields.items() if name not in mapping and _is_required(field)]
    if missing:
        raise ConfigError(f"{where}: the key '{prefix}{missing[0]}' is missing.")
    hints = typing.get_type_hints(cls)
    values = {name: _convert(value, hints[name], where, prefix + name) for name, value in mapping.items()}
    try:
        return cls(**values)
    except (ValueError, Move37Error) as error:
        raise ConfigError(f"{where}: {_table_name(prefix)}{error}") from error


def _refuse_unknown(mapping: Mapping[str, Any], known: Iterable[str], where: str, prefix: str) -> None:
    names = list(known)
    for key in mapping:
        if key in names:
            continue
        close = difflib.get_close_matches(key, names, n=1)
        advice = f"did you mean '{close[0]}'" if close else f"known keys are {', '.join(names) or 'none'}"
        raise ConfigError(f"{where}: unknown key '{prefix}{key}'; {advice}{'?' if close else '.'}")


def _is_required(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _table_name(prefix: str) -> str:
    return f"[{prefix.rstrip('.')}] " if prefix else ""


def _convert(value: Any, hint: Any, where: str, key: str) -> object:
    """Return `value` as the type `hint`, or raise ConfigError that names `key`."""
    origin = typing.get_origin(hint)
    if hint in _SIMPLE:
        return _convert_simple(value, hint, where, key)
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return _build(hint, _expect(value, Mapping, "a table", where, key), where, f"{key}.")
    if origin is typing.Literal:
        return _convert_literal(value, typing.get_args(hint), where, key)
    if origin is tuple:
        return _convert_tuple(value, typing.get_args(hint), where, key)
    if origin is dict:
        items = _expect(value, Mapping, "a table", where, key).items()
        return {name: _convert(item, typing.get_args(hint)[1], where, f"{key}.{name}") for name, item in items}
    if origin in (typing.Union, types.UnionType):
        return _convert_union(value, typing.get_args(hint), where, key)
    raise TypeError(f"field '{key}' has the type {hint}, which a config cannot hold")


def _expect(value: Any, kind: type, words: str, where: str, key: str) -> Any:
    if not isinstance(value, kind):
        raise ConfigError(f"{where}: '{key}' must be {words}, not {value!r}.")
    return value


def _convert_simple(value: Any, hint: type, where: str, key: str) -> object:
    kinds, words = _SIMPLE[hint]
    is_stray_bool = isinstance(value, bool) and hint is not bool
    if is_stray_bool or not isinstance(value, kinds):
        raise ConfigError(f"{where}: '{key}' must be {words}, not {value!r}.")
    return hint(value)


def _convert_literal(value: Any, choices: tuple[Any, ...], where: str, key: str) -> object:
    for choice in choices:
        if type(choice) is type(value) and choice == value:
            return choice
    raise ConfigError(f"{where}: '{key}' must be one of {', '.join(map(repr, choices))}, not {value!r}.")


def _convert_tuple(value: Any, kinds: tuple[Any, ...], where: str, key: str) -> tuple[object, ...]:
    if not isinstance(value, list | tuple):
        raise ConfigError(f"{where}: '{key}' must be a list, not {value!r}.")
    items = cast("list[object]", value)
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        kinds = (kinds[0],) * len(items)
    if len(items) != len(kinds):
        raise ConfigError(f"{where}: '{key}' must have {len(kinds)} items, not {len(items)}.")
    return tuple(
        _convert(item, kind, where, f"{key}[{i}]") for i, (item, kind) in enumerate(zip(items, kinds, strict=True))
    )


def _convert_union(value: Any, kinds: tuple[Any, ...], where: str, key: str) -> object:
    if value is None and type(None) in kinds:
        return None
    kinds = tuple(kind for kind in kinds if kind is not type(None))
    for kind in kinds[:-1]:
        try:
            return _convert(value, kind, where, key)
        except ConfigError:
            continue
    return _convert(value, kinds[-1], where, key)


# ---- writing


def save_toml(config: DataclassInstance, path: Path | str) -> None:
    """Write `config` to `path`, whole or not at all; raises OSError."""
    write_text(path, to_toml(config))


def to_toml(config: DataclassInstance) -> str:
    """Return `config` as TOML text that `load_toml` reads back to an equal value; None fields are left out."""
    return _table_text(_plain(config), "").lstrip("\n")


def _plain(value: Any) -> Any:
    """Return dataclasses as dicts without None, tuples as lists, paths as texts."""
    if dataclasses.is_dataclass(value):
        pairs = ((field.name, getattr(value, field.name)) for field in dataclasses.fields(value) if field.init)
        return {name: _plain(item) for name, item in pairs if item is not None}
    if isinstance(value, dict):
        table = cast("dict[str, object]", value)
        return {name: _plain(item) for name, item in table.items()}
    if isinstance(value, list | tuple):
        items = cast("list[object]", value)
        return [_plain(item) for item in items]
    return str(value) if isinstance(value, Path) else value


def _table_text(table: dict[str, Any], name: str) -> str:
    tables: dict[str, dict[str, Any]] = {key: value for key, value in table.items() if isinstance(value, dict)}
    lines = [f"{_key(key)} = {_inline(value)}\n" for key, value in table.items() if key not in tables]
    heading = f"\n[{name}]\n" if name else ""
    inner = (_table_text(value, f"{name}.{_key(key)}" if name else _key(key)) for key, value in tables.items())
    return heading + "".join(lines) + "".join(inner)


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        table = cast("dict[str, object]", value)
        return "{" + ", ".join(f"{_key(key)} = {_inline(item)}" for key, item in table.items()) + "}"
    if isinstance(value, list):
        items = cast("list[object]", value)
        return "[" + ", ".join(_inline(item) for item in items) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return _text(value) if isinstance(value, str) else repr(value)


def _key(name: str) -> str:
    return name if _BARE_KEY.fullmatch(name) else _text(name)


def _text(value: str) -> str:
    # JSON's escapes are TOML's but for DEL, which TOML wants escaped too.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
