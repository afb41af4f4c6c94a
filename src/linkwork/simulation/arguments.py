"""Checks of what users give to simulations and rollouts: numbers, states, callbacks."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.linkage.checks import number
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import numbers
from linkwork.simulation.callbacks import check_signature, is_compiled


def time_step(dt: Any) -> float:
    """The size of a step, s."""
    size = number(dt, "dt")
    if size <= 0.0:
        raise ArgumentError(f"dt must be positive, not {dt!r}")
    return size


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


def refuse_nothing(callback: str, value: Any, t: float, shape: tuple[int, ...]) -> None:
    """Raise where a callback returned nothing: a forgotten `return` would go on as no force at all."""
    if value is None:
        raise ArgumentError(
            f"{callback} returned None at t = {t:g} s: it must return an array of shape {shape}. Is a `return` "
            f"missing? Where nothing acts, return numpy.zeros({shape})"
        )


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
