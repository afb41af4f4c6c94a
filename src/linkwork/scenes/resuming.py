"""Checks that a recording belongs to the scene that resumes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from linkwork.dynamics.constraints import loops_of
from linkwork.errors import ArgumentError
from linkwork.linkage.linkage import Linkage


def refuse_other_settings(was: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Raise where a run was started with other settings."""
    for key, value in now.items():
        if was[key] != value:
            raise ArgumentError(f"the run was started with {key} = {was[key]}, not {value}: resume with the same {key}")


def refuse_other_linkage(was: Linkage, now: Linkage) -> None:
    """Raise where a run was started with another linkage: other names, or numbers that dynamics depend on."""
    for what, names in _names(was).items():
        if names != _names(now)[what]:
            raise ArgumentError(f"the run was started with other {what} than the scene's: resume with the same linkage")
    same = all(np.array_equal(a, b, equal_nan=True) for a, b in zip(_numbers(was), _numbers(now), strict=True))
    if not same:
        raise ArgumentError(
            "the run was started with a linkage that has other masses, lengths, limits or forces than the scene's: "
            "resume with the same linkage"
        )


def _names(linkage: Linkage) -> dict[str, list[str]]:
    parts = {"bodies": linkage.bodies, "joints": linkage.joints, "loop joints": linkage.loops}
    return {what: list(part.names) for what, part in (parts | {"contacts": linkage.contacts}).items()}


def _numbers(linkage: Linkage) -> list[np.ndarray]:
    tree, columns = linkage.tree, linkage.columns
    numbers = [tree.index, tree.model, tree.align, tree.table, columns.lower, columns.upper]
    if tree.closed:
        loops = loops_of(linkage)
        numbers += [loops.plan, loops.geometry]
    return numbers
