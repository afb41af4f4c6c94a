"""Calls of functions by their address: a user's `numba.cfunc`, or Python itself by way of ctypes."""

import ctypes

from llvmlite import ir
from numba import types

from linkwork.kernels.numba_ext.pack_type import builtin

PROTOTYPE = ctypes.CFUNCTYPE(None, ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


def call_at(address, t, q, v, out):
    """Call ``void (double t, double *q, double *v, double *out)`` at an address, with arrays of floats."""
    PROTOTYPE(int(address))(t, q.ctypes.data, v.ctypes.data, out.ctypes.data)


def _typer(address, t, q, v, out):
    return types.void(types.int64, types.float64, q, v, out)


def _lower(context, builder, sig, args):
    double = ir.DoubleType()
    kind = ir.FunctionType(ir.VoidType(), [double, *[double.as_pointer()] * 3])
    arrays = [
        context.make_array(kind)(context, builder, array).data
        for kind, array in zip(sig.args[2:], args[2:], strict=True)
    ]
    builder.call(builder.inttoptr(args[0], kind.as_pointer()), [args[1], *arrays])
    return context.get_dummy_value()


builtin(call_at, _typer, _lower, *[types.Any] * 5)
