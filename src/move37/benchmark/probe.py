"""How fast this machine multiplies matrices: what speeds of networks on different machines are compared by.

NumPy's BLAS on all cores, in a process of its own, without the two settings of the environment that can make OpenBLAS
choose slow code.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

from move37.benchmark.figures import Figure, figure, require

__all__ = ["REFERENCE_GFLOPS", "probe"]

REFERENCE_GFLOPS = 120.0  # both cores of the AMD Zen 3 machine that the design's figures come from
SLOWING = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")

_CODE = """
import json, time
import numpy as np
a = np.random.default_rng(1).random((1536, 1536), np.float32)
b, rates = a @ a, []
for _ in range(8):
    began = time.perf_counter()
    np.matmul(a, a, out=b)
    rates.append(2 * 1536**3 / (time.perf_counter() - began) / 1e9)
try:
    from threadpoolctl import threadpool_info
    pools = [f"{p['internal_api']} {p.get('architecture')}, {p['num_threads']} threads" for p in threadpool_info()]
except ImportError:
    pools = []
print(json.dumps({"rate": max(rates), "pools": pools}))
"""


def probe() -> Figure:
    """GFLOP/s of a large float32 product; its note says which code ran, where threadpoolctl is installed to tell."""
    environment = {name: value for name, value in os.environ.items() if name not in SLOWING}
    done = subprocess.run(
        [sys.executable, "-c", _CODE], env=environment, capture_output=True, text=True, check=False, timeout=120
    )
    require(done.returncode == 0, f"NumPy could not multiply matrices ({done.stderr.strip()[-200:]})")
    found = json.loads(done.stdout)
    kind = "; ".join(found["pools"]) or "install threadpoolctl to see which BLAS kernel ran"
    return figure("gemm-probe", float(found["rate"]), "GFLOP/s", REFERENCE_GFLOPS, note=f"gemm-probe: {kind}")
