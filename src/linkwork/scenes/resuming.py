"""Checks that a recording belongs to the scene that resumes it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from linkwork.dynamics.constraints import loops_of
from linkwork.errors import ArgumentError
from linkwork.io.marked import Marked
from linkwork.linkage.linkage import Linkage
from linkwork.simulation.recording import Recording

SHOWN = 3  # changes that an error lists
MISSING = object()


def refuse_other_scene(before: Recording, linkage: Linkage, now: Mapping[str, Any], where: Any) -> None:
    """Raise where a run was started from another scene: other settings, another linkage, other things that act.

    Parameters
    ----------
    before : Recording
        Of the run.
    linkage : Linkage
        Of the scene.
    now : mapping
        What the scene says of its start, its run, what acts and what happens.
    where : path
        For the message.
    """
    was = before.settings.get("scene")
    if was is None or not before.segments:
        raise ArgumentError(f"{where} was not recorded from a scene: go on with it by linkwork.Simulation.resume")
    changed = [*_changes(was, now), *_changed_linkage(before.segments[0].linkage, linkage)]
    if changed:
        more = f"; and {len(changed) - SHOWN} more changes" if len(changed) > SHOWN else ""
        raise ArgumentError(
            f"{where}: the scene has changed since the run was started: {'; '.join(changed[:SHOWN])}{more}. "
            "Resume with the scene as it was, or start anew without --resume"
        )


def values(mark: Marked) -> Any:
    """All that stands in a part of a file, as plain values."""
    if mark.is_mapping():
        return {name: values(entry) for name, entry in mark.names().items()}
    return [values(entry) for entry in mark.sequence()] if mark.is_sequence() else mark.plain()


def _changes(was: Any, now: Any, key: str = "") -> Iterator[str]:
    """Every value that differs, by dotted key."""
    if isinstance(was, Mapping) and isinstance(now, Mapping):
        for name in dict.fromkeys((*was, *now)):
            yield from _changes(was.get(name, MISSING), now.get(name, MISSING), f"{key}.{name}" if key else str(name))
    elif isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        for k, (a, b) in enumerate(zip(was, now, strict=True)):
            yield from _changes(a, b, f"{key}.{k}")
    elif was != now:
        yield f"{key} was {_shown(was)}, and is {_shown(now)}"


def _shown(value: Any) -> str:
    return "not given" if value is MISSING else repr(value)


def _changed_linkage(was: Linkage, now: Linkage) -> Iterator[str]:
    """What differs between two linkages: names, or numbers that dynamics depend on."""
    before, after = _names(was), _names(now)
    for what, names in before.items():
        if names != after[what]:
            yield f"it has other {what}"
    if before == after:
        same = all(np.array_equal(a, b, equal_nan=True) for a, b in zip(_numbers(was), _numbers(now), strict=True))
        if not same:
            yield "its linkage has other masses, lengths, limits or forces"


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
