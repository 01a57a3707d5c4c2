"""KataGo's published networks as neutral descriptions: `.bin.gz`, `.txt.gz` and the same unpacked, versions 8 to 17.

Supported: trunks of ordinary, global-pooling, nested-bottleneck, attention and feed-forward blocks, with batch or RMS
norm at the end; ReLU, Mish and SiLU; all outputs that a search uses. Not supported, each told in a sentence: versions
before 8 (other inputs), networks that imitate people of a given rank (192 further inputs), feed-forward blocks without
a gate. Batch norms stay nodes: folding is `folding`'s work. Only the layout is KataGo's; nothing of a file is run.
"""

from __future__ import annotations

import re
from pathlib import Path

from move37.errors import NetworkFileError
from move37.nets.graph import GLOBALS, SPATIAL, Graph, GraphError, KataGoSpec, Network, NetworkSpec
from move37.nets.katago_blocks import MOST_BLOCKS, BlockReader
from move37.nets.katago_heads import read_policy_head, read_value_head
from move37.nets.katago_layers import MOST_CHANNELS, LayerReader
from move37.nets.katago_tokens import TokenReader, token_reader
from move37.nets.ops import Add, Dense

__all__ = ["ENCODER", "VERSIONS", "load", "looks_like", "read_size"]

VERSIONS = range(8, 18)
"""Versions of the file format that can be read."""
ENCODER, PLANES, GLOBAL_INPUTS = "katago22", 22, 19

_MULTIPLIERS = 13  # the version from which on a file tells them
_OPTIONS = 15
_BEGINNING = re.compile(rb"\s*\S{1,200}\s+\d{1,3}\s+\d{1,4}\s+\d{1,4}\s")
_NAME = re.compile(r"[!-~]{1,200}\Z")


def looks_like(beginning: bytes) -> bool:
    """Whether the first bytes of a file, unpacked (a few hundred are enough), are those of a KataGo network."""
    return _BEGINNING.match(beginning) is not None


def load(path: Path | str) -> Network:
    """The network in the file `path`, gzip or plain, binary or decimal, whatever its name.

    Its spec asks for the encoder "katago22", any board size, and holds a `KataGoSpec`; its outputs are "policy",
    "optimistic" (version 12 on), "value_logits", "misc" and "ownership". NetworkFileError in one sentence for anything
    that is not such a file; memory is bounded by what the file can hold.
    """
    with token_reader(Path(path)) as tokens:
        name, version = _read_name(tokens)
        katago = _read_options(tokens, version)
        layers = LayerReader(tokens, version)
        trunk, channels = _read_trunk(layers)
        outputs = read_policy_head(layers, trunk, channels) | read_value_head(layers, trunk, channels)
        tokens.end()
    spec = NetworkSpec(name, ENCODER, PLANES, GLOBAL_INPUTS, katago=katago)
    try:
        network = Network(spec, Graph(tuple(layers.nodes), outputs), layers.arrays)
        network.output_shapes(19, 19)
    except GraphError as error:
        raise NetworkFileError(f"{path}: the layers do not fit together ({error}).") from error
    return network


def read_size(path: Path | str) -> tuple[int, int, int]:
    """Format version, blocks and channels of the network in `path`, from its first words alone; errors as `load`."""
    with token_reader(Path(path)) as tokens:
        _, version = _read_name(tokens)
        _read_options(tokens, version)
        return version, *_read_trunk_size(tokens)


def _read_name(tokens: TokenReader) -> tuple[str, int]:
    name = tokens.word("the name of the network")
    if not _NAME.match(name):
        raise tokens.fail("expected a KataGo network, but the file does not begin with a name")
    version = tokens.whole("the version of the format", 0, 10_000)
    if version not in VERSIONS:
        known = f"{VERSIONS.start} to {VERSIONS.stop - 1}"
        raise tokens.fail(f"expected a KataGo network of format version {known}, found version {version}")
    for what, count in (("planes", PLANES), ("global inputs", GLOBAL_INPUTS)):
        found = tokens.whole(f"the number of {what}", 0, MOST_CHANNELS)
        if found != count:
            raise tokens.fail(f"the network should read {count} {what}, but reads {found}")
    return name, version


def _read_options(tokens: TokenReader, version: int) -> KataGoSpec:
    if version < _MULTIPLIERS:
        return KataGoSpec(version)
    tokens.positive("the multiplier of the TD score")
    names = ("score_mean", "score_stdev", "lead", "variance_time", "winloss_error", "score_error")
    multipliers = {name: tokens.positive(f"the multiplier {name}") for name in names}
    suicide_area = False
    if version >= _OPTIONS:
        if tokens.whole("the version of the encoder of players", 0, 1000) != 0:
            raise tokens.fail(
                "the network imitates people and reads 192 inputs about the player, which are not known here; "
                "use another network"
            )
        suicide_area = tokens.flag("whether unconditional life counts suicide")
        tokens.zeros("the network", 6)
    return KataGoSpec(version, **multipliers, suicide_area=suicide_area)


def _read_trunk_size(tokens: TokenReader) -> tuple[int, int]:
    """How many blocks and channels the trunk has."""
    tokens.word("the name of the trunk")
    blocks = tokens.whole("the number of blocks", 1, MOST_BLOCKS)
    channels = tokens.whole("the number of channels", 1, MOST_CHANNELS)
    for what in ("middle", "regular", "dilated", "pooled"):
        tokens.whole(f"the number of {what} channels", 0, MOST_CHANNELS)
    return blocks, channels


def _read_trunk(layers: LayerReader) -> tuple[str, int]:
    """The trunk's nodes; returns the name of its last one and its number of channels."""
    tokens = layers.tokens
    blocks, channels = _read_trunk_size(tokens)
    rms_tip = False
    if layers.version >= _OPTIONS:
        rms_tip = tokens.flag("the kind of norm at the trunk's end")
        tokens.zeros("the trunk", 5)
    stem, filters = layers.conv("input_conv", SPATIAL, PLANES)
    if filters != channels:
        raise tokens.fail(f"input_conv should have {channels} filters, but has {filters}")
    weight = layers.matrix("input_globals", GLOBAL_INPUTS, channels)
    bias = layers.add("input_globals", Dense(GLOBAL_INPUTS, channels, bias=False), GLOBALS, weight=weight)
    stem = layers.add("input", Add(), stem, bias)
    trunk = BlockReader(layers).blocks("block", blocks, stem, channels)
    norm = layers.tip_rms_norm if rms_tip else layers.batch_norm
    return layers.activation("trunk", norm("trunk_norm", trunk, channels)), channels
