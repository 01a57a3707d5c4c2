"""The rules of the house that no linter knows: where compiled code stands, what an import costs, what is exported."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import move37

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "move37"
SOURCES = sorted(PACKAGE.rglob("*.py"))
COMPILERS = {"kernel", "njit", "jit", "vectorize", "guvectorize"}


def decorators(path: Path) -> set[str]:
    """Names of all decorators in a file, without their module and arguments."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        for item in getattr(node, "decorator_list", []):
            target = item.func if isinstance(item, ast.Call) else item
            names.add(target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", ""))
    return names


def relative(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def test_only_kernel_files_hold_compiled_code() -> None:
    compiled = {relative(path): decorators(path) & COMPILERS for path in SOURCES}
    assert {name for name, found in compiled.items() if found and not name.endswith("_kernels.py")} == set()
    assert set().union(*compiled.values()) <= {"kernel"}


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_a_file_begins_by_saying_what_it_is_and_stays_short(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(text)), "no module docstring"
    assert text.count("\n") <= (700 if path.name == "board_kernels.py" else 400)


def test_the_maps_name_every_package() -> None:
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert len(packages) > 5
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert {name for name in packages if f"\n  {name}/ " not in readme} == set()
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert {name for name in packages if f"`{name}`" not in page} == set()


def modules_after(statement: str) -> set[str]:
    """Top-level modules loaded by a fresh interpreter that runs `statement`."""
    code = f"import sys; {statement}; print(*(name.partition('.')[0] for name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_the_package_imports_no_heavy_library() -> None:
    heavy = {"numba", "numpy", "torch", "pyarrow", "rich", "typer"}
    assert modules_after("import move37") & heavy == set()
    assert modules_after("import move37.errors, move37.config") & heavy == set()


def test_the_version_stands_in_one_place() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "version" not in project
    assert f"## {move37.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"version: {move37.__version__}" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_constraints_pin_every_dependency_exactly() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line.partition("==") for line in lines if not line.startswith("#")]
    assert all(sign == "==" and version and "+" not in version for _, sign, version in pins)
    assert ("torch", "==", "2.13.0") in pins


def test_every_exported_name_is_there() -> None:
    assert sorted(move37.__all__) == sorted(set(move37.__all__))
    assert [name for name in move37.__all__ if getattr(move37, name, None) is None] == []
    assert set(move37.__all__) <= set(dir(move37))


def test_type_checkers_and_the_interpreter_find_a_name_in_the_same_place() -> None:
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    [guarded] = [node for node in tree.body if isinstance(node, ast.If)]
    told = {
        alias.name: node.module for node in guarded.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    assert vars(move37)["_HOMES"] == told


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        getattr(move37, "nothing")  # noqa: B009  # written out, a type checker would refuse it
