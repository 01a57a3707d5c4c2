"""`move37 train zero`: learn from nothing, for as long as there is time, and pack what is needed to go on elsewhere."""

from __future__ import annotations

from pathlib import Path

from move37.cli.reports import print_figures
from move37.errors import ConfigError


def command(recipe: str | None, named: str | None, run: Path | None, depth: int | None, minutes: float | None) -> None:
    """Run `move37 train zero`."""
    from move37.training import zero, zero_recipe

    if (recipe is None) == (named is None):
        raise ConfigError(f"give one recipe: a file, or one of {', '.join(zero_recipe.bundled())} with --recipe")
    path = zero_recipe.find(recipe or named or "")
    print_figures(zero.main(path, run or Path("runs") / path.stem, depth=depth, minutes=minutes))


def pack(run: Path, archive: Path) -> None:
    """Run `move37 train zero-pack`."""
    from move37.training import zero_pack

    size = zero_pack.pack(run, archive)
    print(f"{archive}: {size / 1e6:.1f} MB; go on with: move37 train zero-unpack {archive} FOLDER")


def unpack(archive: Path, run: Path) -> None:
    """Run `move37 train zero-unpack`."""
    from move37.training import zero_pack

    zero_pack.unpack(archive, run)
    print(f"{run}: go on with: move37 train zero {run / 'config.toml'} --run {run}")
