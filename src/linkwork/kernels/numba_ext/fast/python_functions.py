"""Functions that Python calls straight in compiled code: no dispatcher looks at their arguments, none are copied.

CPython calls a built-in function with the address of an array of its arguments. The compiled code reads NumPy's arrays
where they are, makes those of the results by NumPy's own constructor, and returns them in a tuple; or an integer, its
status. Its first argument is a tuple that keeps alive all that it works with; the first item of that is its *context*,
an array of integers: the addresses and sizes below, then what the algorithm itself wants to know.
"""

import ctypes
import functools
import sys

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from linkwork.kernels.layout import OK, WRONG_SIZE
from linkwork.kernels.numba_ext.compile import NEVER_RAISES, Kernel, helper
from linkwork.kernels.numba_ext.fast.memory import floats_at, integers_at

# Of a context: Python's and NumPy's types and functions; whether a thread works with it; sizes of q and of matrices;
# whether other threads may run meanwhile; what the algorithm wants
ARRAY, FLOAT64, NEW_ARRAY, NEW_TUPLE, KEEP, DROP, NEW_INTEGER, RELEASE, RESUME, BUSY, NQ, NV, NV2, LONG, OWN = range(15)
# Of objects, in words: type; data, dimensions, shape, kind and flags of an array; the first item of a tuple
TYPE, DATA, NDIM, SHAPE, KIND, FLAGS, ITEMS = 1, 2, 3, 4, 7, 8, 3
READABLE, WRITEABLE = 0x101, 0x501  # C-contiguous and aligned; one that may be written, too
LOW = 0xFFFFFFFF  # of a word: an integer of 32 bits
DOUBLE = np.dtype(np.float64)
NUMBER = DOUBLE.num
VECTOR = -1  # number of columns
FASTCALL = 0x80  # of CPython's METH_ flags
NEW_ARRAY_PLACE = 93  # of PyArray_New in NumPy's table of functions


class Method(ctypes.Structure):
    """CPython's PyMethodDef."""

    _fields_ = (("name", ctypes.c_char_p), ("code", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p))


@functools.cache
def addresses():
    """The first fields of every context; none where objects are laid out otherwise than here."""
    if not NEVER_RAISES or object.__basicsize__ != 16 or sys.implementation.name != "cpython":
        return ()
    sample = np.zeros((2, 3))
    words = (ctypes.c_int64 * (FLAGS + 1)).from_address(id(sample))
    shape = (ctypes.c_int64 * 2).from_address(words[SHAPE])
    read = words[TYPE], words[DATA], words[NDIM] & LOW, *shape, words[KIND], words[FLAGS] & WRITEABLE
    if read != (id(np.ndarray), sample.ctypes.data, 2, 2, 3, id(DOUBLE), WRITEABLE):
        return ()
    pair = sample, DOUBLE
    if (ctypes.c_int64 * (ITEMS + 2)).from_address(id(pair))[ITEMS:] != [id(sample), id(DOUBLE)]:
        return ()
    api = ctypes.pythonapi
    pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)(("PyCapsule_GetPointer", api))
    core = sys.modules.get("numpy._core._multiarray_umath") or sys.modules["numpy.core._multiarray_umath"]
    table = (ctypes.c_int64 * (NEW_ARRAY_PLACE + 1)).from_address(pointer(core._ARRAY_API, None))
    functions = (
        api.PyTuple_New, api.Py_IncRef, api.Py_DecRef, api.PyLong_FromSsize_t, api.PyEval_SaveThread,
        api.PyEval_RestoreThread,
    )  # fmt: skip
    places = [ctypes.cast(function, ctypes.c_void_p).value for function in functions]
    return id(np.ndarray), id(DOUBLE), table[NEW_ARRAY_PLACE], *places, 0


@functools.cache
def matrix_kernel(algorithm, outputs, file):
    """A kernel that CPython can call with ``(q, v, x)``, and after them, where they are given, so many matrices.

    ``algorithm(own, q, v, x, Q, D, T)`` fills in matrices (nv, nv), row by row, of which there are two or three; `own`
    is the part of the context that is its own.
    """

    def called(this, arguments, count):
        at = data_at(integers_at(this, ITEMS + 1)[ITEMS])
        context, given = integers_at(at, OWN), integers_at(arguments, count)
        nq, nv = context[NQ], context[NV]
        if context[BUSY] or (count != 3 and count != 3 + outputs):
            return as_integer(context, WRONG_SIZE)
        q, v = data_of(context, given[0], READABLE, nq, VECTOR), data_of(context, given[1], READABLE, nv, VECTOR)
        x = data_of(context, given[2], READABLE, nv, VECTOR)
        fits = q != 0 and v != 0 and x != 0
        for k in range(3, count):
            out = data_of(context, given[k], WRITEABLE, nv, nv)
            fits = fits and out != 0 and apart(out, nv * nv, q, nq) and apart(out, nv * nv, v, nv)
            fits = fits and apart(out, nv * nv, x, nv)
            for other in range(3, k):
                fits = fits and apart(out, nv * nv, data_at(given[other]), nv * nv)
        if not fits:
            return as_integer(context, WRONG_SIZE)
        sizes = at + 8 * NV
        Q, D = matrix(context, given, 3, sizes), matrix(context, given, 4, sizes)
        T = matrix(context, given, 5, sizes) if outputs > 2 else Q
        if Q == 0 or D == 0 or T == 0:  # no memory: Python knows by now
            return 0
        state = release(context)
        outcome = algorithm(
            at + 8 * OWN, floats_at(q, nq), floats_at(v, nv), floats_at(x, nv), floats_at(data_at(Q), nv * nv),
            floats_at(data_at(D), nv * nv), floats_at(data_at(T), nv * nv),
        )  # fmt: skip
        resume(context, state)
        if outcome != OK:
            drop(context, Q)
            drop(context, D)
            if outputs > 2:
                drop(context, T)
            return as_integer(context, outcome)
        made = call(context[NEW_TUPLE], (outputs,))
        if made == 0:
            return 0
        items = integers_at(made, ITEMS + outputs)
        items[ITEMS], items[ITEMS + 1] = Q, D
        if outputs > 2:
            items[ITEMS + 2] = T
        return made

    name = getattr(algorithm, "__name__", None) or algorithm.py_func.__name__
    return Kernel(called, f"called_{name}", file, by_address=True)


@functools.cache
def method(kernel):
    """CPython's record of a kernel."""
    signature = (types.int64,) * 3
    kernel.compile_for(signature)
    compiled = kernel.entry.overloads[signature]
    code = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name)
    return Method(kernel.name.encode(), code, FASTCALL, None)


def python_function(kernel, nq, nv, long, own, *kept):
    """A built-in function by a kernel of `matrix_kernel`; `own` are integers for its algorithm.

    `long`: let other threads run Python meanwhile, which takes some 50 ns. None where there can be no such function.
    """
    if not addresses():
        return None
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype, make.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
    context = np.array([*addresses(), nq, nv, nv, long, *own], dtype=np.int64)
    return make(ctypes.addressof(method(kernel)), (context, *kept), None)


@intrinsic
def call(typingctx, address, words):
    """Call a C function at an address with these words; the word that it returns."""

    def emit(context, builder, sig, args):
        word = ir.IntType(64)
        kind = ir.FunctionType(word, [word] * len(words))
        values = [builder.extract_value(args[1], k) for k in range(len(words))]
        return builder.call(builder.inttoptr(args[0], kind.as_pointer()), values)

    return types.int64(types.int64, words), emit


@helper
def data_of(context, thing, flags, rows, columns):
    """Where the numbers of an array of so many rows and columns, or of a `VECTOR`, are; 0 where it is none of these."""
    word = integers_at(thing, FLAGS + 1)
    ndim = 1 if columns == VECTOR else 2
    if word[TYPE] != context[ARRAY] or word[KIND] != context[FLOAT64] or word[NDIM] & LOW != ndim:
        return 0
    shape = integers_at(word[SHAPE], ndim)
    if word[FLAGS] & flags != flags or shape[0] != rows or (ndim == 2 and shape[1] != columns):
        return 0
    return word[DATA]


@helper
def apart(a, m, b, n):
    """Whether m numbers at one address and n at another share no memory."""
    return a + 8 * m <= b or b + 8 * n <= a


@helper
def matrix(context, given, k, sizes):
    """Argument k where it is given, with one owner more, else a new matrix whose sizes are at an address."""
    if k < given.shape[0]:
        call(context[KEEP], (given[k],))
        return given[k]
    return call(context[NEW_ARRAY], (context[ARRAY], 2, sizes, NUMBER, 0, 0, 0, 0, 0))


@helper
def data_at(thing):
    """Where the numbers of an array are."""
    return integers_at(thing, DATA + 1)[DATA]


@helper
def drop(context, thing):
    """Let an object go."""
    call(context[DROP], (thing,))


@helper
def as_integer(context, value):
    """A Python integer."""
    return call(context[NEW_INTEGER], (value,))


@helper
def release(context):
    """Let other threads run Python, where that is wanted; the word that `resume` needs."""
    if context[LONG] == 0:
        return 0
    context[BUSY] = 1
    return call(context[RELEASE], (0,))


@helper
def resume(context, state):
    """Go on as the one thread that runs Python."""
    if context[LONG] != 0:
        call(context[RESUME], (state,))
        context[BUSY] = 0
