"""Planes for networks: what a network is shown of a position, one encoder a file.

Imports the rules only; knows nothing of networks or search.
"""

from __future__ import annotations

from move37.features.encoder import Encoded, Encoder, encode, encoder_names, get_encoder, records
from move37.features.katago import KataGoEncoder

__all__ = ["Encoded", "Encoder", "KataGoEncoder", "encode", "encoder_names", "get_encoder", "records"]
