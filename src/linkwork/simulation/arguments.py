"""Checks of what users give to simulations and rollouts: numbers, states, callbacks."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import numbers
from linkwork.simulation.callbacks import check_signature, is_compiled

if TYPE_CHECKING:
    from linkwork.simulation.system import System

_FLOAT = np.dtype(np.float64)


def whole(value: Any, what: str, *, minimum: int) -> int:
    """A whole number of at least `minimum`; a truth value is none."""
    try:
        count = operator.index(value) if not isinstance(value, bool) else None
    except TypeError:
        count = None
    if count is None:
        raise ArgumentError(f"{what} must be an integer, not {value!r}")
    if count < minimum:
        raise ArgumentError(f"{what} must be at least {minimum}, not {count}")
    return count


def one_state(linkage: Linkage, what: str, value: Any, size: int) -> np.ndarray:
    """Coordinates or velocities of one state, a copy."""
    array = numbers(linkage, what, value, size, f"n{what}")
    if array.ndim != 1:
        raise ArgumentError(f"a simulation has one state: {what} has shape {array.shape}, and must have ({size},)")
    return array.copy()


def frozen(array: np.ndarray) -> np.ndarray:
    """A read-only copy: writing to it would change nothing, and so it raises."""
    copy = array.copy()
    copy.flags.writeable = False
    return copy


def check_callback(function: Callable | None, what: str, count: int) -> None:
    """Refuse a callback that does not take so many arguments; None is fine."""
    if is_compiled(function):
        check_signature(function, what)
    elif function is not None:
        positional(function, what, (count,))


def checked_torques(system: System, callback: str, value: Any, t: float) -> np.ndarray:
    """Torques that a callback gave: nv or nv + nv_loop finite numbers, as long as the latter."""
    full, nv = system.n_torques, system.tree.nv
    if type(value) is np.ndarray and value.dtype is _FLOAT and value.ndim == 1 and value.dot(value) < np.inf:
        if len(value) == full and value.flags.carray:  # as most often
            return value
        if len(value) == nv:
            torques = np.zeros(full)
            torques[:nv] = value
            return torques
    what, given = _given(callback, value, t, (nv,))
    if given not in ((nv,), (full,)):
        either = f"({nv},)" if full == nv else f"({nv},), or ({full},) with loop joints"
        raise ArgumentError(f"{what} has shape {given}; it must be {either}: one torque per velocity")
    torques = numbers(system.linkage, what, value, given[0], "nv")
    return torques if given == (full,) else np.concatenate([torques, np.zeros(full - nv)])


def checked_wrenches(linkage: Linkage, value: Any, t: float) -> np.ndarray:
    """Wrenches that a callback gave, (nb, 6)."""
    shape = (linkage.nb, 6)
    what, given = _given("wrenches", value, t, shape)
    if given != shape:
        raise ArgumentError(f"{what} has shape {given}; it must be {shape}: one wrench per body")
    wrenches = numbers(linkage, what, value, 6, "entries of a wrench", check=False)
    if not np.isfinite(wrenches).all():
        body, k = np.argwhere(~np.isfinite(wrenches))[0]
        raise ArgumentError(
            f"what wrenches returned at t = {t:g} s is {wrenches[body, k]} for body "
            f"{linkage.columns.body_names[body]!r} (entry {k} of its wrench): it must be finite"
        )
    return wrenches


def _given(callback: str, value: Any, t: float, shape: tuple[int, ...]) -> tuple[str, tuple[int, ...]]:
    """Words for what a callback returned, and its shape; a forgotten `return` would go on as no force at all."""
    if value is None:
        raise ArgumentError(
            f"{callback} returned None at t = {t:g} s: it must return an array of shape {shape}. Is a `return` "
            f"missing? Where nothing acts, return numpy.zeros({shape})"
        )
    what = f"at t = {t:g} s what {callback} returned"
    try:
        return what, np.shape(value)
    except ValueError:
        raise ArgumentError(f"{what} has no shape: its rows differ in length") from None


def positional(function: Any, what: str, allowed: tuple[int, ...]) -> int:
    """How many arguments a callback takes, among the allowed numbers."""
    if not callable(function):
        raise ArgumentError(f"{what} must be callable, not {function!r}")
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return max(allowed)
    for count in allowed:
        try:
            signature.bind(*range(count))
            return count
        except TypeError:
            continue
    expected = " or ".join(str(count) for count in allowed)
    raise ArgumentError(f"{what} {title(function)} must take {expected} argument(s), not {signature}")


def title(function: Any) -> str:
    """A short name of a callback."""
    return getattr(function, "__name__", None) or type(function).__name__
