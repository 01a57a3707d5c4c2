"""Where networks lie: bundled with the package, in the user's folder, in KaTrain's folder, inside an installed KaTrain.

Finds files by their names and their first bytes and reads no further, so a list costs no more than opening each file.
KaTrain is never imported. The user's folder is `$MOVE37_NETS`, or else `move37/nets` in the XDG data home
(`~/.local/share`).
"""

from __future__ import annotations

import difflib
import importlib.util
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import resources
from itertools import islice
from pathlib import Path

from move37.errors import ConfigError, NetworkFileError
from move37.nets.file_kind import OWN_SUFFIX, SUFFIXES, FileKind, kind_of, plain_name

ROLLOUTS = "rollout-"
"""So begin the names of rollout policies (`nets.linear`), which lie among the networks and are none."""

MOST_ENTRIES = 20_000
"""In the user's folder: a second's work to look through."""


_SHOWN_NAMES = 8


@dataclass(frozen=True, slots=True)
class FoundNetwork:
    """A file that holds a network, or claims to.

    `name`: how `find` knows it. `source`: "bundled", "yours", "katrain folder" or "katrain package". `kind`: its
    format; None if the file is no network after all, and then `problem` says why.
    """

    name: str
    path: Path
    source: str
    kind: FileKind | None
    problem: str = ""


def bundled() -> dict[str, Path]:
    """The networks that come with the package: paths by name, in order of names; empty if there is none."""
    return {name: path for name, path in _packaged().items() if not name.startswith(ROLLOUTS)}


def bundled_rollouts() -> dict[str, Path]:
    """The rollout policies that come with the package (`linear`), by name; "rollout-19x19" is for such boards."""
    return {name: path for name, path in _packaged().items() if name.startswith(ROLLOUTS)}


def named(role: str) -> list[Path]:
    """Networks called `role`, or `role` and more after a hyphen, as in policy-19x19-8x128; in the order of places."""
    found = [one for one in found_networks() if one.kind is not None]
    return [one.path for one in found if one.name == role or one.name.startswith(f"{role}-")]


def rollout_policy(rows: int, cols: int) -> Path | None:
    """The trained rollout policy for a board size, bundled or in the user's folder: rollout-19x19.safetensors."""
    name = f"{ROLLOUTS}{rows}x{cols}{OWN_SUFFIX}"
    places = [_weights_folder(), *(folder for _, folder in _users_folder())]
    return next((folder / name for folder in places if (folder / name).is_file()), None)


def _packaged() -> dict[str, Path]:
    return {path.stem: path for path in sorted(_weights_folder().glob(f"*{OWN_SUFFIX}"))}


def _weights_folder() -> Path:
    """Where the package keeps what it was trained to be; it need not be there."""
    return Path(str(resources.files("move37"))) / "weights"


def user_folder() -> Path:
    """The folder of the user's own networks, which need not be there; `move37 nets get` puts networks into it.

    ConfigError in one sentence where the system knows no home folder, or not that of the user named by `~name`.
    """
    chosen = os.environ.get("MOVE37_NETS")
    data = os.environ.get("XDG_DATA_HOME")
    try:
        if chosen:
            return Path(chosen).expanduser()
        return (Path(data) if data else Path.home() / ".local" / "share") / "move37" / "nets"
    except RuntimeError as error:
        raise ConfigError(
            f"There is no home folder{f' for {chosen}' if chosen else ''}; name a folder for networks in MOVE37_NETS."
        ) from error


def found_networks() -> list[FoundNetwork]:
    """All networks in the four places, in that order and by name within each.

    A file in the user's folder that is no network is listed with its problem; in KaTrain's folder, which holds other
    things too, it is left out.
    """
    found = [FoundNetwork(name, path, "bundled", FileKind.MOVE37) for name, path in bundled().items()]
    for source, folder in _users_folder():
        found += [_found(path, source) for path in _candidates(_below(folder), folder)]
    for source, folder in (*_katrain_folder(), *_katrain_packages()):
        networks = (_found(path, source) for path in _candidates(_inside(folder), folder))
        found += [one for one in networks if one.kind is not None]
    return found


def find(name_or_path: Path | str) -> Path:
    """Path of a file, or of a found network by its name; NetworkFileError naming some if there is neither.

    A bundled network's name comes first, then a file of that path, then the other places in order.
    """
    text = str(name_or_path)
    ours = bundled()
    if text in ours:
        return ours[text]
    try:
        path = Path(name_or_path)
    except TypeError:
        raise NetworkFileError(
            f"A network is a file or a name that 'move37 nets list' shows, not {text:.60}."
        ) from None
    try:
        if path.is_file():
            return path
        kinds = {"a folder": path.is_dir(), "a pipe or a device": path.exists()}
        reason = next((kind for kind, is_it in kinds.items() if is_it), "nothing of that name")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
    found = [one for one in found_networks() if one.kind is not None]
    for named in (
        {one.name: one.path for one in reversed(found)},
        {one.path.name: one.path for one in reversed(found)},
    ):
        if text in named:
            return named[text]
    names = _some(text, [one.name for one in found])
    raise NetworkFileError(
        f"{path}: expected a network file or a name that 'move37 nets list' shows ({names}), found {reason}."
    )


def _some(text: str, names: list[str]) -> str:
    """Some of the names for a message, those like `text` first."""
    close = difflib.get_close_matches(text, names, n=_SHOWN_NAMES)
    shown = list(dict.fromkeys([*close, *names]))
    more = ", ..." if len(shown) > _SHOWN_NAMES else ""
    return f"{', '.join(shown[:_SHOWN_NAMES]) or 'none'}{more}"


def _found(path: Path, source: str) -> FoundNetwork:
    try:
        return FoundNetwork(plain_name(path), path, source, kind_of(path))
    except NetworkFileError as error:
        return FoundNetwork(plain_name(path), path, source, None, str(error))


def _candidates(paths: Iterable[Path], folder: Path) -> Iterator[Path]:
    """Those of `paths` in `folder`, in order, that are plain files whose names end as networks' do."""
    for path in sorted(paths):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        with suppress(OSError):  # a folder whose files may not be looked at
            rollouts = path.name.startswith(ROLLOUTS) and path.name.endswith(OWN_SUFFIX)
            if not hidden and not rollouts and path.name.endswith(SUFFIXES) and path.is_file():
                yield path


def _inside(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _below(folder: Path) -> list[Path]:
    """What is in `folder` and in the folders below; ConfigError if it is too much to be looked through."""
    try:
        found = list(islice(folder.rglob("*"), MOST_ENTRIES + 1))
    except OSError:
        return []
    if len(found) > MOST_ENTRIES:
        raise ConfigError(
            f"{folder}: holds more than {MOST_ENTRIES:,} files and folders, too many to look through for networks; "
            "name a smaller folder in MOVE37_NETS."
        )
    return found


def _users_folder() -> list[tuple[str, Path]]:
    """The user's folder, where there is a home for it."""
    try:
        return [("yours", user_folder())]
    except ConfigError:
        return []


def _katrain_folder() -> list[tuple[str, Path]]:
    """KaTrain's own folder, where there is a home for it."""
    try:
        return [("katrain folder", Path.home() / ".katrain")]
    except RuntimeError:
        return []


def _katrain_packages() -> list[tuple[str, Path]]:
    """The folder of networks of an installed package `katrain`, found without importing it."""
    try:
        spec = importlib.util.find_spec("katrain")
    except (ImportError, ValueError):
        return []
    places = spec.submodule_search_locations if spec is not None else None
    return [("katrain package", Path(place) / "models") for place in places or ()]
