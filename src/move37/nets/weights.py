"""Networks on disk, whatever program wrote them: the one door to loading, saving and finding.

Which format a file has is told by its content (`file_kind`), never by its name alone. Each format has its own reader,
which gives the neutral description; saving is in our own format (`own_file`). Where networks lie is `finding`'s
business.
"""

from __future__ import annotations

from pathlib import Path

from move37.nets import katago, leela, own_file
from move37.nets.file_kind import OWN_SUFFIX as SUFFIX
from move37.nets.file_kind import FileKind, kind_of, plain_name
from move37.nets.finding import bundled, find
from move37.nets.graph import Graph, Network, NetworkSpec
from move37.nets.own_file import FORMAT, FORMAT_VERSION, save

__all__ = [
    "FORMAT",
    "FORMAT_VERSION",
    "SUFFIX",
    "bundled",
    "find",
    "load",
    "load_description",
    "plain_name",
    "save",
]


def load(path: Path | str) -> Network:
    """The network in the file `path`; NetworkFileError in one sentence: path, what was expected, what was found."""
    match kind_of(path):
        case FileKind.MOVE37:
            return own_file.load(path)
        case FileKind.KATAGO:
            return katago.load(path)
        case FileKind.LEELA:
            return leela.load(path)


def load_description(path: Path | str) -> tuple[NetworkSpec, Graph]:
    """Spec and graph of the file `path`; errors as `load`.

    Of our own files the headers are read and no arrays. Those of other programs are read whole: they do not describe
    themselves apart from their arrays.
    """
    if kind_of(path) is FileKind.MOVE37:
        return own_file.load_description(path)
    network = load(path)
    return network.spec, network.graph
