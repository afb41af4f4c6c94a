"""Functions of users as compiled steps call them: compiled ones by their address, Python's by way of ctypes."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from linkwork.errors import ArgumentError

POINTER = "CPointer(float64)"
SIGNATURES = {
    "drive": f"void(float64, {POINTER}) that writes q, rate and second derivative, or float64(float64)",
    "drive of a pose": f"void(float64, {POINTER}) that writes coordinates, velocities and accelerations",
    "condition": f"float64(float64, {POINTER}, {POINTER})",
}
STATE_SIGNATURE = f"void(float64, {POINTER}, {POINTER}, {POINTER}) that writes its last argument"
DELTA = 1e-3  # s: of the differences by which a drive that gives q alone gets its derivatives


def is_compiled(function: Any) -> bool:
    """Whether a function is a `numba.cfunc`."""
    return isinstance(getattr(function, "address", None), int) and hasattr(function, "ctypes")


def check_signature(function: Any, what: str, *, pointers: int = 3) -> None:
    """Refuse a `numba.cfunc` of another signature than what it is given for needs: it would read other numbers.

    That of a rollout's controller may have one of the `pointers` more, to parameters.
    """
    given = function.ctypes
    numbers = sum(kind is ctypes.c_double for kind in given.argtypes[:1])
    places = sum(kind in (ctypes.POINTER(ctypes.c_double), ctypes.c_void_p) for kind in given.argtypes[1:])
    count = len(given.argtypes) if numbers + places == len(given.argtypes) else -1
    allowed = {"drive": ((2, None), (1, ctypes.c_double)), "drive of a pose": ((2, None),)}
    allowed["condition"] = ((3, ctypes.c_double),)
    if (count, given.restype) not in allowed.get(what, ((1 + pointers, None),)):
        raise ArgumentError(
            f"{what}: the numba.cfunc {function.__name__!r} must have the signature "
            f"{SIGNATURES.get(what, STATE_SIGNATURE)}"
        )


def call_compiled(function: Any, t: float, q: np.ndarray, v: np.ndarray, size: int) -> np.ndarray:
    """What a `numba.cfunc` of (t, q, v) writes, `size` numbers."""
    from linkwork.kernels.numba_ext import call_at

    out = np.zeros(size)
    call_at(function.address, t, np.ascontiguousarray(q), np.ascontiguousarray(v), out)
    return out


def compiled_condition(function: Any) -> Callable[[float, np.ndarray, np.ndarray], float]:
    """A `numba.cfunc` as a condition that Python evaluates."""
    check_signature(function, "condition")
    kind = ctypes.POINTER(ctypes.c_double)

    def condition(t: float, q: np.ndarray, v: np.ndarray) -> float:
        return function.ctypes(t, q.ctypes.data_as(kind), v.ctypes.data_as(kind))

    condition.__name__, condition.address = function.__name__, function.address  # pyright: ignore
    return condition


def compiled_drive(function: Any, *, of_pose: bool = False) -> Any:
    """A `numba.cfunc` of a drive as one of (t, q, v, out), which writes q, rate and second derivative to `out`.

    Where it gives q alone, derivatives are taken by differences with five points. One `of_pose` writes all coordinates,
    velocities and accelerations of a joint.
    """
    import numba

    check_signature(function, "drive of a pose" if of_pose else "drive")
    inner: Any = numba.njit(function.__wrapped__)
    if len(function.ctypes.argtypes) == 2:

        def drive(t, q, v, out):
            inner(t, out)
    else:

        def drive(t, q, v, out):
            x, a, b, c, d = inner(t), inner(t - 2 * DELTA), inner(t - DELTA), inner(t + DELTA), inner(t + 2 * DELTA)
            out[0] = x
            out[1] = (8.0 * (c - b) - (d - a)) / (12.0 * DELTA)
            out[2] = (16.0 * (c + b) - (d + a) - 30.0 * x) / (12.0 * DELTA * DELTA)

    return numba.cfunc(f"void(float64, {POINTER}, {POINTER}, {POINTER})")(drive)


class Evaluating:
    """The context in which callbacks are evaluated during a step.

    Attributes
    ----------
    depth : int
        Number of callbacks that are being evaluated now, one inside the other.
    error : BaseException or None
        The last one that a callback, and not the motion, was the cause of.
    """

    def __init__(self):
        self.depth, self.error = 0, None

    def __enter__(self) -> None:
        self.depth += 1

    def __exit__(self, kind, error: BaseException | None, traceback) -> None:
        self.depth -= 1
        if error is not None:
            self.error = error


def _nothing() -> None:
    """What a function gets that finds the state by itself."""


class Trampoline:
    """A Python function that compiled steps call.

    Parameters
    ----------
    function : callable
        ``function(t, q, v)``.
    state : tuple of arrays or None
        q and v, where compiled steps leave them: it gets copies, or None, which takes no time.
    evaluating : Evaluating
        The context in which it is called.
    checked : callable
        ``checked(value, t)`` makes an array of what it returns.
    answers : sequence of arrays
        Where that goes, by its shape.
    failed : callable
        ``failed(error)`` is called with what was raised: nothing may pass through compiled code.

    Attributes
    ----------
    address : int
    """

    def __init__(
        self, function: Callable, state: tuple[np.ndarray, np.ndarray] | None, evaluating: Any,
        checked: Callable[[Any, float], np.ndarray], answers: Sequence[np.ndarray],
        failed: Callable[[BaseException], None],
    ):  # fmt: skip
        from linkwork.kernels.numba_ext.pointer import PROTOTYPE

        ndarray, number, place = np.ndarray, answers[0].dtype, {answer.shape: answer for answer in answers}.get
        copy_q, copy_v = (array.copy for array in state) if state else (_nothing, _nothing)

        def entry(t, _q, _v, _out):
            try:
                evaluating.depth += 1
                value = function(t, copy_q(), copy_v()) if state else function(t, None, None)
                answer = place(value.shape) if type(value) is ndarray and value.dtype is number else None
                if answer is None:
                    answers[0][:] = checked(value, t)
                else:  # as most often: compiled code looks whether it is finite
                    answer[:] = value
                evaluating.depth -= 1
            except BaseException as error:
                evaluating.depth -= 1
                evaluating.error = error
                failed(error)

        self._entry = PROTOTYPE(entry)  # it lives as long as it may be called
        self.address = int(ctypes.cast(self._entry, ctypes.c_void_p).value or 0)
