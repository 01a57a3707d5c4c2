"""Checks an unpacked wheel: run as a script, outside the tree, with the wheel's folder first on the path.

It imports only the package itself, so that nothing of the tree can stand in for what the wheel lacks.
"""

from __future__ import annotations

import sys
from importlib import metadata
from pathlib import Path

import move37


def main() -> None:
    """Exit with a sentence where the wheel lacks something; else print its version and weights."""
    package = Path(move37.__file__).parent
    if package.parent.name != "site" or not (package.parent / f"move37-{move37.__version__}.dist-info").is_dir():
        sys.exit(f"move37 came from {package}, not from the wheel.")
    weights = sorted(path.name for path in (package / "weights").glob("*.safetensors"))
    wanted = ("py.typed", "cli/__init__.py", "recipes/zero-5x5.toml", "web/static/index.html")
    missing = [name for name in wanted if not (package / name).is_file()]
    if missing or not weights:
        sys.exit(f"The wheel lacks {', '.join(missing or ['weights/*.safetensors'])}.")
    scripts = [entry.name for entry in metadata.distribution("move37").entry_points if entry.group == "console_scripts"]
    if scripts != ["move37"]:
        sys.exit(f"The wheel's console scripts are {scripts}, not just move37.")
    unloadable = [name for name in move37.__all__ if getattr(move37, name, None) is None]
    if unloadable:
        sys.exit(f"These names cannot be imported from the wheel: {', '.join(unloadable)}.")
    print(f"wheel: move37 {move37.__version__} with {', '.join(weights)}")


if __name__ == "__main__":
    main()
