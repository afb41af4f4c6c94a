"""Checks of plain values, shared by everything that a user describes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from linkwork.errors import ArgumentError

AXES = {
    sign + letter: tuple((-1.0 if sign == "-" else 1.0) * float(k == i) for k in range(3))
    for i, letter in enumerate("xyz")
    for sign in ("", "+", "-")
}

UNIT = 1e-15  # a vector whose square is this near to 1 is kept bit for bit: normalising again changes nothing


def number(value: Any, what: str, *, minimum: float | None = None) -> float:
    """Return `value` as a finite float, at least `minimum`."""
    try:
        result = float(value)
    except (TypeError, ValueError):
        raise ArgumentError(f"{what} must be a number, not {value!r}") from None
    if not math.isfinite(result):
        raise ArgumentError(f"{what} must be finite, not {result}")
    if minimum is not None and result < minimum:
        raise ArgumentError(f"{what} must be at least {minimum:g}, not {result:g}")
    return result


def positive(value: Any, what: str) -> float:
    """Return `value` as a finite float above zero."""
    result = number(value, what)
    if result <= 0.0:
        raise ArgumentError(f"{what} must be positive, not {result:g}")
    return result


def array(value: Any, shape: tuple[int, ...], what: str) -> np.ndarray:
    """Return `value` as a new finite float64 array of exactly this shape."""
    try:
        result = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ArgumentError(f"{what} must be an array of numbers of shape {shape}, not {value!r}") from None
    if result.shape != shape:
        raise ArgumentError(f"{what} must have shape {shape}, not {result.shape}")
    if not np.isfinite(result).all():
        raise ArgumentError(f"{what} must be finite, not {result.tolist()}")
    return result


def unit_axis(value: Any, what: str = "axis") -> np.ndarray:
    """Return a unit vector (3,) from "x", "-z", ... or from any vector that is not zero."""
    if isinstance(value, str):
        if value not in AXES:
            raise ArgumentError(f"{what} must be 'x', 'y', 'z', '-x', '-y', '-z' or a vector, not {value!r}")
        return np.array(AXES[value])
    vector = array(value, (3,), what)
    scale = np.abs(vector).max()
    if scale == 0.0:
        raise ArgumentError(f"{what} is zero: it must have a direction")
    if scale <= 1.0 and abs(float(vector @ vector) - 1.0) < UNIT:
        return vector
    vector /= scale  # first, so that very short and very long vectors do not under- or overflow
    return vector / np.sqrt(vector @ vector)


def text(value: Any, what: str) -> str:
    """Return `value` as a plain, non-empty string."""
    if not isinstance(value, str) or not value:
        raise ArgumentError(f"{what} must be a non-empty string, not {value!r}")
    return str(value)


def check_kind(value: Any, kind: type | tuple[type, ...], what: str, wanted: str) -> None:
    """Refuse what is not of this class."""
    if not isinstance(value, kind):
        raise ArgumentError(f"{what} must be {wanted}, not {value!r}")


def per_dof(value: Any, nv: int, what: str, *, minimum: float, default: float) -> float | tuple[float, ...]:
    """Return one number per degree of freedom as a tuple, or a single float when all are the same."""
    # The usual cases, and most of the cost of describing a large linkage:
    if value is default:
        return default
    if type(value) is float and nv and minimum <= value < np.inf:
        return value
    try:
        values = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ArgumentError(f"{what} must be a number or {nv} numbers, not {value!r}") from None
    if values.shape not in ((), (nv,)):
        raise ArgumentError(f"{what} must be a number or {nv} numbers (one per degree of freedom), not {value!r}")
    if np.isnan(values).any() or (np.isinf(values) & ~np.isinf(default)).any():
        raise ArgumentError(f"{what} must be finite, not {value!r}")
    if (values < minimum).any():
        raise ArgumentError(f"{what} must be at least {minimum:g}, not {value!r}")
    flat = values.ravel().tolist() if nv else []
    if not flat and values.size and (values != default).any():
        raise ArgumentError(f"{what} has no meaning on a joint without degrees of freedom")
    return default if not flat else flat[0] if len(set(flat)) == 1 else tuple(flat)


def check_limits(value: Any, nv: int) -> tuple | None:
    """Return limits as a pair (one degree of freedom) or a tuple of pairs, None when there are none."""
    if value is None:
        return None
    if nv == 1 and type(value) is tuple and [type(bound) for bound in value] == [float, float]:
        lower, upper = value
        if lower <= upper and not math.isinf(upper - lower):
            return value  # as it nearly always is
    try:
        pairs = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        pairs = np.empty(0)
    if pairs.shape not in ((2,), (nv, 2)):
        raise ArgumentError(f"limits must be (lower, upper), or one such pair per degree of freedom, not {value!r}")
    pairs = np.broadcast_to(pairs, (nv, 2))
    if np.isnan(pairs).any() or (pairs[:, 0] > pairs[:, 1]).any():
        raise ArgumentError(f"limits must have lower <= upper, not {value!r}")
    if np.isinf(pairs).all():
        return None
    rows = tuple((float(lower), float(upper)) for lower, upper in pairs)
    return rows[0] if nv == 1 else rows


def check_actuated(value: Any, nv: int) -> bool | tuple[bool, ...]:
    """Return one bool, or where they differ a tuple of one per degree of freedom."""
    if value is True or value is False:
        return value
    driven = np.array(value)
    if driven.dtype != np.bool_ or driven.shape not in ((), (nv,)):
        raise ArgumentError(f"actuated must be True, False or one of these per degree of freedom, not {value!r}")
    return bool(driven.all()) if driven.all() == driven.any() else tuple(driven.tolist())
