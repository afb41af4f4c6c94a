"""Arguments of public calls: checked by name, and handed to a kernel that needs nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.dynamics.launch import finite, leading_shape, numbers, run, tree_of
from linkwork.errors import ArgumentError
from linkwork.linkage.linkage import Linkage


def checked(linkage: Linkage, *, check: bool = True, **arrays: Any) -> list[np.ndarray]:
    """Finite float64 arrays: (..., nq) where the name starts with q, else (..., nv); see `launch.numbers`."""
    tree = tree_of(linkage)
    sizes = [(tree.nq, "nq") if what[0] == "q" else (tree.nv, "nv") for what in arrays]
    given = zip(arrays.items(), sizes, strict=True)
    return [numbers(linkage, what, value, size, unit, check=check) for (what, value), (size, unit) in given]


def all_finite(**arrays: np.ndarray) -> None:
    """Raise for the first array that is not finite, naming it."""
    for what, array in arrays.items():
        finite(what, array)


def one_state(what: str, array: np.ndarray) -> np.ndarray:
    """A checked array that must be that of one state; batches are refused."""
    if array.ndim != 1:
        raise ArgumentError(f"{what} has shape {array.shape}: this takes one state, so give ({array.shape[-1]},)")
    return array


def single(linkage: Linkage, **arrays: Any) -> list[np.ndarray]:
    """As `checked`, of one state."""
    return [one_state(what, array) for what, array in zip(arrays, checked(linkage, **arrays), strict=True)]


def times(linkage: Linkage, t: Any) -> np.ndarray:
    """Times as (..., 1)."""
    return numbers(linkage, "t", np.asarray(t)[..., None], 1, "one entry per time")


def evaluate(linkage: Linkage, kernel: tuple[str, str], size: int, *inputs: np.ndarray, option: Any = 0) -> np.ndarray:
    """(..., size) result of a kernel on checked inputs that broadcast over leading dimensions."""
    out = np.empty((*leading_shape(*inputs), size))
    run(linkage, kernel, option, list(inputs), [out])
    return out
