"""Calls of functions by their address: a user's `numba.cfunc`, or Python itself by way of ctypes."""

import ctypes

from llvmlite import ir
from numba import types

from linkwork.kernels.numba_ext.pack_type import builtin

PROTOTYPE = ctypes.CFUNCTYPE(None, ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
NUMBER = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p)


def call_at(address, t, q, v, out):
    """Call ``void (double t, double *q, double *v, double *out)`` at an address, with arrays of floats."""
    PROTOTYPE(int(address))(t, q.ctypes.data, v.ctypes.data, out.ctypes.data)


def number_at(address, t, q, v):
    """What ``double (double t, double *q, double *v)`` at an address gives, called with arrays of floats."""
    return NUMBER(int(address))(t, q.ctypes.data, v.ctypes.data)


def _call(context, builder, sig, args, result):
    double = ir.DoubleType()
    kind = ir.FunctionType(result, [double, *[double.as_pointer()] * len(args[2:])])
    arrays = [
        context.make_array(kind)(context, builder, array).data
        for kind, array in zip(sig.args[2:], args[2:], strict=True)
    ]
    return builder.call(builder.inttoptr(args[0], kind.as_pointer()), [args[1], *arrays])


def _lower(context, builder, sig, args):
    _call(context, builder, sig, args, ir.VoidType())
    return context.get_dummy_value()


def _lower_number(context, builder, sig, args):
    return _call(context, builder, sig, args, ir.DoubleType())


def _typer(address, t, q, v, out):
    return types.void(types.int64, types.float64, q, v, out)


def _number_typer(address, t, q, v):
    return types.float64(types.int64, types.float64, q, v)


builtin(call_at, _typer, _lower, *[types.Any] * 5)
builtin(number_at, _number_typer, _lower_number, *[types.Any] * 4)
