"""Arguments of public calls: checked by name, and handed to a kernel that needs nothing else."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from linkwork.errors import ArgumentError, LinkworkError
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import finite, leading_shape, numbers, place_in_batch, run, tree_of


def coordinates(linkage: Linkage, q: Any) -> np.ndarray:
    """Finite float64 (..., nq); see `launch.numbers`."""
    return numbers(linkage, "q", q, tree_of(linkage).nq, "nq")


def velocities(linkage: Linkage, v: Any, what: str = "v") -> np.ndarray:
    """Finite float64 (..., nv) velocities or accelerations."""
    return numbers(linkage, what, v, tree_of(linkage).nv, "nv")


def all_finite(**arrays: np.ndarray) -> None:
    """Raise for the first array that is not finite, naming it."""
    for what, array in arrays.items():
        finite(what, array)


def one_state(what: str, array: np.ndarray) -> np.ndarray:
    """A checked array that must be that of one state; batches are refused."""
    if array.ndim != 1:
        raise ArgumentError(f"{what} has shape {array.shape}: this takes one state, so give ({array.shape[-1]},)")
    return array


def names_of(what: str, value: Any) -> list[Any]:
    """The names, or indices, in a list of them or of handles; a name or a handle alone is a list of one."""
    if isinstance(value, str) or hasattr(value, "name"):
        value = [value]
    try:
        names = [getattr(each, "name", each) for each in value]
        hash(tuple(names))
        return names
    except TypeError:
        raise ArgumentError(f"{what} must be a name or a list of names, not {value!r}") from None


def per_state(function: Callable[[int], Any], leading: tuple[int, ...]) -> list[Any]:
    """What a function of the number of a state gives for every state of a batch; an error names its state."""
    results = []
    for k in range(math.prod(leading)):
        try:
            results.append(function(k))
        except LinkworkError as error:
            raise type(error)(f"{place_in_batch(k, leading)}{error}") from None
    return results


def times(linkage: Linkage, t: Any) -> np.ndarray:
    """Times as (..., 1)."""
    return numbers(linkage, "t", np.asarray(t)[..., None], 1, "one entry per time")


def evaluate(linkage: Linkage, kernel: tuple[str, str], size: int, *inputs: np.ndarray, option: Any = 0) -> np.ndarray:
    """(..., size) result of a kernel on checked inputs that broadcast over leading dimensions."""
    out = np.empty((*leading_shape(*inputs), size))
    run(linkage, kernel, option, list(inputs), [out])
    return out
