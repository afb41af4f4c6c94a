"""The one door to Numba: kernels and their callers import from here, and nothing below here.

Compiling: decorators for functions that kernels share (`helper`, and `inlined`, `in_place`, `strict`,
`exact`, `unrolled`), and `Kernel`, the entry point from Python. Scalars: `load` and `store` read and write a float of
an array (n,), or a pack of WIDTH states of an array (n, WIDTH), or four numbers of an array (n, 1, 4), or eight of an
array (n, 1, 1, 8); `load4` and `store4` four numbers of an array (n,), `four` makes a pack of them; `scalar` makes
such; `where` and `any_of` stand for branches. Batches: `batched`, `gather`, `scatter`, `aligned`. Arrays at an
address: `floats_at`, `integers_at`, `packs_at` and their read-only kin; `call_at` and `number_at` call what is there.
Threads: `Helper`. Built-in functions of Python: `matrix_kernel`, `python_function`.

`mode` chooses between two implementations of all that, `fast` and `plain`.
"""

from linkwork.kernels.numba_ext.compile import (
    JIT_DISABLED,
    NEVER_RAISES,
    Kernel,
    exact,
    helper,
    in_place,
    inlined,
    separate,
    separately_unrolled,
    strict,
    strictly_separate,
    unrolled,
)
from linkwork.kernels.numba_ext.mode import MODE, implementation
from linkwork.kernels.numba_ext.pack import (
    WIDTH,
    any_of,
    atan2,
    fabs,
    floor,
    fma,
    four,
    lane,
    like,
    load,
    load4,
    load_row,
    prefetch,
    scalar,
    sqrt,
    store,
    store4,
    store_row,
    transpose4,
    where,
    yzx,
)
from linkwork.kernels.numba_ext.pointer import call_at, number_at

_memory, _batch, _helpers = implementation("memory"), implementation("batch"), implementation("helpers")
_python = implementation("python_functions")
floats_at, integers_at, flattened, packs_at = (
    _memory.floats_at,
    _memory.integers_at,
    _memory.flattened,
    _memory.packs_at,
)
const_floats_at, const_integers_at = _memory.const_floats_at, _memory.const_integers_at
aligned, batched, gather, scatter = _batch.aligned, _batch.batched, _batch.gather, _batch.scatter
read_lane, write_lane = _batch.read_lane, _batch.write_lane
Helper = _helpers.Helper
matrix_kernel, python_function = _python.matrix_kernel, _python.python_function

__all__ = [
    "JIT_DISABLED", "MODE", "NEVER_RAISES", "WIDTH", "Helper", "Kernel", "aligned", "any_of", "atan2", "batched",
    "call_at", "const_floats_at", "const_integers_at", "exact", "fabs", "flattened", "floats_at", "floor", "fma",
    "four", "gather", "helper", "in_place", "inlined", "integers_at", "lane", "like", "load", "load4", "load_row",
    "matrix_kernel", "number_at", "packs_at", "prefetch", "python_function", "read_lane", "scalar", "scatter",
    "separate", "separately_unrolled", "sqrt",
    "store", "store4", "store_row", "strict", "strictly_separate", "transpose4", "unrolled", "where", "write_lane",
    "yzx",
]  # fmt: skip
