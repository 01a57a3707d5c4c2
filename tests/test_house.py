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


def made_rooms(function: ast.FunctionDef) -> set[str]:
    """Names that a kernel gives to arrays of records it makes itself: their type is a name, not one of NumPy's."""
    names: set[str] = set()
    for node in ast.walk(function):
        if not (isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)):
            continue
        target, call, arguments = node.targets[0], ast.unparse(node.value.func), node.value.args
        makes = call in ("np.empty", "np.zeros") and len(arguments) == 2 and isinstance(arguments[1], ast.Name)
        if isinstance(target, ast.Name) and (makes or call == "ladder_work"):
            names.add(target.id)
    return names


def records_without_room(text: str) -> list[str]:
    """Lines where a kernel binds a name to a record of an array it made: Numba frees the array after its last use."""
    found: list[str] = []
    for function in ast.walk(ast.parse(text)):
        if isinstance(function, ast.FunctionDef):
            rooms = made_rooms(function)
            for node in ast.walk(function):
                if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                    record = node.value
                    if isinstance(record, ast.Subscript) and isinstance(record.value, ast.Subscript):
                        record = record.value if isinstance(record.slice, ast.Constant) else record
                    if isinstance(record, ast.Subscript) and ast.unparse(record.value) in rooms:
                        found.append(ast.unparse(node))
    return found


def test_no_kernel_uses_a_record_of_an_array_that_numba_has_freed() -> None:
    """A record and its nested arrays keep no hold of their array; another thread may then write into them."""
    assert records_without_room("def f():\n work = np.empty(1, LIFE)\n life = work[0]\n use(life)") == [
        "life = work[0]"
    ]
    nested = "def f():\n work = np.zeros(1, LIFE)\n label = work[0]['label']\n use(label)"
    assert records_without_room(nested) == ["label = work[0]['label']"]
    assert records_without_room("def f(work):\n life = work[0]\n use(life)") == []
    found = {relative(path): records_without_room(path.read_text(encoding="utf-8")) for path in SOURCES}
    assert {name: lines for name, lines in found.items() if lines and name.endswith("_kernels.py")} == {}


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
