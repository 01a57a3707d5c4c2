"""Several floats at once: a vector type for kernels, so that what should use the processor's vector unit surely does.

A vector is LANES float32 numbers in one register. It is made by `load`, `splat_at` or `zeros`, combined with ``+``,
``-``, ``*``, ``/``, `fma` and `maximum`, and written by `store`. Compilers vectorise a plain loop only when they can
prove that its arrays do not overlap, which they rarely can; with this type nothing is left to their luck. The two
atomic operations let kernels on different threads wait for each other. Everything here becomes one machine
instruction or two inside the kernel that uses it.

With ``NUMBA_DISABLE_JIT=1`` a vector is a NumPy array of LANES numbers, and all of this is plain Python.
"""

from __future__ import annotations

import functools
import inspect
import operator
import sys
from collections.abc import Callable
from typing import Any, Final, ParamSpec, TypeVar

import llvmlite.binding
import numba
import numba.core.cgutils
import numba.core.types
import numba.core.typing.templates
import numba.extending
import numpy as np
from llvmlite import ir
from numpy.typing import NDArray

# Numba types only a part of itself, llvmlite nothing: both are used through these.
_llvm: Any = llvmlite.binding
_ir: Any = ir
_numba: Any = numba
_types: Any = numba.core.types
_cgutils: Any = numba.core.cgutils
_templates: Any = numba.core.typing.templates
_extending: Any = numba.extending

P = ParamSpec("P")
R = TypeVar("R")

Vector = Any
"""LANES float32 numbers."""
Floats = NDArray[np.float32]


def _lanes() -> int:
    """Numbers in the widest vector register of this processor, or of the one that Numba is told to compile for."""
    name, features = _numba.config.CPU_NAME, _numba.config.CPU_FEATURES
    if name is not None or features is not None:
        return 16 if "+avx512f" in (features or "") else 8
    return 16 if _llvm.get_host_cpu_features().get("avx512f") else 8


LANES: Final = _lanes()
COMPILED: Final = not _numba.config.DISABLE_JIT
"""Whether kernels are compiled; if not, threads cannot wait for each other in them."""


class _VectorType(_types.Type):  # type: ignore[misc]
    """Numba's name of the type."""

    def __init__(self) -> None:
        super().__init__(name=f"vector{LANES}")


_VECTOR: Final = _VectorType()
_LANED: Final = _ir.VectorType(_ir.FloatType(), LANES)
_LANED_INT: Final = _ir.VectorType(_ir.IntType(32), LANES)
_INT: Final = _ir.IntType(32)


@_extending.register_model(_VectorType)
class _VectorModel(_extending.models.PrimitiveModel):  # type: ignore[misc]
    """How a vector lies in a register."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _LANED)


# ------------------------------------------------------------------------------------------- what the compiler writes


def _address(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    """Address of ``array[index]``, without the look at negative indices that Numba adds."""
    first = array if isinstance(kind, _types.CPointer) else context.make_array(kind)(context, builder, array).data
    return builder.gep(first, [index])


def _write_unowned(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return context.make_array(sig.args[0])(context, builder, args[0]).data


def _laned_address(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    return builder.bitcast(_address(context, builder, kind, array, index), _LANED.as_pointer())


def _repeated(builder: Any, number: Any) -> Any:
    """A vector of one number."""
    single = builder.insert_element(_ir.Constant(_LANED, _ir.Undefined), number, _ir.Constant(_INT, 0))
    return builder.shuffle_vector(single, single, _ir.Constant(_LANED_INT, [0] * LANES))


def _call(builder: Any, name: str, args: Any) -> Any:
    """LLVM's own function ``name`` on vectors."""
    kind = _ir.FunctionType(_LANED, [_LANED] * len(args))
    return builder.call(_cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.v{LANES}f32"), args)


def _write_load(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.load(_laned_address(context, builder, sig.args[0], *args), align=4)


def _write_fetch(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    byte = _ir.IntType(8).as_pointer()
    kind = _ir.FunctionType(_ir.VoidType(), [byte, _INT, _INT, _INT])
    call = _cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
    address = builder.bitcast(_address(context, builder, sig.args[0], *args), byte)
    builder.call(call, [address, *(_ir.Constant(_INT, number) for number in (0, 2, 1))])  # to read, level 2, data
    return context.get_dummy_value()


def _write_splat_at(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _repeated(builder, builder.load(_address(context, builder, sig.args[0], *args)))


def _write_splat(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _repeated(builder, builder.fptrunc(args[0], _ir.FloatType()))


def _write_store(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    builder.store(args[2], _laned_address(context, builder, sig.args[0], *args[:2]), align=4)
    return context.get_dummy_value()


def _write_fma(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _call(builder, "fma", args)


def _write_rounded(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _call(builder, "rint", args)


def _write_maximum(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.select(builder.fcmp_ordered(">", *args), *args)


def _write_power_of_two(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """The exponent bits of a float, put together."""
    exponent = builder.add(builder.fptosi(args[0], _LANED_INT), _ir.Constant(_LANED_INT, [127] * LANES))
    return builder.bitcast(builder.shl(exponent, _ir.Constant(_LANED_INT, [23] * LANES)), _LANED)


def _write_add_atomically(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.atomic_rmw("add", _address(context, builder, sig.args[0], *args[:2]), args[2], "seq_cst")


def _write_load_atomically(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.load_atomic(_address(context, builder, sig.args[0], *args), "seq_cst", 8)


def _write_give_way(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind = _ir.FunctionType(_INT, [])
    builder.call(
        _cgutils.get_or_insert_function(
            builder.module, kind, "SwitchToThread" if sys.platform == "win32" else "sched_yield"
        ),
        [],
    )
    return context.get_dummy_value()


class _Operators(_templates.AbstractTemplate):  # type: ignore[misc]
    """Numba's rule for the four operators: vector with vector gives vector."""

    def generic(self, args: Any, kws: Any) -> Any:
        """Numba's question what the operator gives for ``args``."""
        return _templates.signature(_VECTOR, _VECTOR, _VECTOR) if args == (_VECTOR, _VECTOR) else None


def _define_operator(symbol: Any, instruction: str) -> None:
    def write(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return getattr(builder, instruction)(*args)

    _templates.infer_global(symbol)(type(f"_{instruction}", (_Operators,), {"key": symbol}))
    _extending.lower_builtin(symbol, _VectorType, _VectorType)(write)


_define_operator(operator.add, "fadd")
_define_operator(operator.sub, "fsub")
_define_operator(operator.mul, "fmul")
_define_operator(operator.truediv, "fdiv")


# ----------------------------------------------------------------------------------------------- what kernels may call


def _instruction_of(write: Any, result: Any, *kinds: Any) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Inside a kernel, a call of the function becomes what ``write`` writes; elsewhere the function is plain Python.

    ``kinds`` are Numba's types of the arguments; None takes an array as it comes.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        def rule(typing: Any, *given: Any) -> Any:
            return result(*(theirs if ours is None else ours for ours, theirs in zip(kinds, given, strict=True))), write

        if not COMPILED:
            return function
        given = inspect.Parameter("typing", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        functools.update_wrapper(rule, function)
        rule.__signature__ = inspect.Signature([given, *inspect.signature(function).parameters.values()])  # type: ignore[attr-defined]
        compiled: Callable[P, R] = _extending.intrinsic(rule)
        return compiled

    return decorate


@_instruction_of(_write_unowned, _types.CPointer(_types.float32), None)
def unowned(array: Floats) -> Floats:
    """``array`` (one-dimensional) without its count of owners, which threads would fight for at every call.

    The caller keeps the array. Single numbers of it can be read and written, slices cannot.
    """
    return array


@_instruction_of(_write_load, _VECTOR, None, _types.intp)
def load(array: Floats, index: int) -> Vector:
    """The vector ``array[index : index + LANES]``."""
    return array[index : index + LANES].copy()


@_instruction_of(_write_store, _types.void, None, _types.intp, _VECTOR)
def store(array: Floats, index: int, vector: Vector) -> None:
    """Write ``vector`` to ``array[index : index + LANES]``."""
    array[index : index + LANES] = vector


@_instruction_of(_write_fetch, _types.void, None, _types.intp)
def fetch(array: Floats, index: int) -> None:
    """Have the cache line of ``array[index]`` brought near, because it will be read soon."""


@_instruction_of(_write_splat_at, _VECTOR, None, _types.intp)
def splat_at(array: Floats, index: int) -> Vector:
    """The number ``array[index]`` in every lane."""
    return np.full(LANES, array[index], np.float32)


@_instruction_of(_write_splat, _VECTOR, _types.float64)
def splat(number: float) -> Vector:
    """One number in every lane."""
    return np.full(LANES, number, np.float32)


@_instruction_of(_write_fma, _VECTOR, _VECTOR, _VECTOR, _VECTOR)
def fma(a: Vector, b: Vector, c: Vector) -> Vector:
    """``a * b + c``."""
    return a * b + c


@_instruction_of(_write_maximum, _VECTOR, _VECTOR, _VECTOR)
def maximum(a: Vector, b: Vector) -> Vector:
    """The greater of each pair; ``b`` where ``a`` is not a number."""
    return np.maximum(np.nan_to_num(a, nan=-np.inf), b)


@_instruction_of(_write_rounded, _VECTOR, _VECTOR)
def rounded(a: Vector) -> Vector:
    """The nearest whole numbers."""
    return np.rint(a)


@_instruction_of(_write_power_of_two, _VECTOR, _VECTOR)
def power_of_two(a: Vector) -> Vector:
    """2 to the power of whole numbers from -126 to 127."""
    return np.exp2(a)


@_instruction_of(_write_add_atomically, _types.int64, None, _types.intp, _types.int64)
def add_atomically(array: NDArray[np.int64], index: int, number: int) -> int:
    """Add to ``array[index]``, seen whole by every thread; returns what it was before."""
    before = int(array[index])
    array[index] += number
    return before


@_instruction_of(_write_load_atomically, _types.int64, None, _types.intp)
def load_atomically(array: NDArray[np.int64], index: int) -> int:
    """``array[index]`` as other threads have last written it."""
    return int(array[index])


@_instruction_of(_write_give_way, _types.void)
def give_way() -> None:
    """Let another thread have this core if one waits for it."""
