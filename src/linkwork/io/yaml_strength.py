"""Strengths of joints and contacts in our own description: ``strength: 10`` (N), or ``{force: 10, torque: 2}``."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from linkwork.io.marked import Marked
from linkwork.linkage.strength import Strength


def read_strength(entries: dict[str, Marked]) -> Strength | None:
    """What a joint or a contact bears, as the entry `strength` says: a force, or {force, torque}."""
    if "strength" not in entries:
        return None
    mark = entries["strength"]
    if not mark.is_mapping():
        return mark.attempt(Strength, mark.number())
    given = mark.mapping((), ("force", "torque"))
    return mark.attempt(Strength, **{key: value.number() for key, value in given.items()})


def written_strength(strength: Strength | None) -> dict[str, Any]:
    """A strength as an entry of a file; nothing where there is none."""
    if strength is None:
        return {}
    limits = {key: value for key, value in asdict(strength).items() if np.isfinite(value)}
    return {"strength": limits if "torque" in limits else strength.force}
