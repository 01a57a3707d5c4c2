"""Networks: a neutral description, builders of known architectures, weights on disk, and the torch form.

The description (`graph`) and the files (`weights`) need NumPy alone; only the modules named `torch_…` import torch.
"""

from __future__ import annotations

from move37.nets.graph import Network, NetworkSpec

__all__ = ["Network", "NetworkSpec"]
