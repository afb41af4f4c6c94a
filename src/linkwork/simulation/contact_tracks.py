"""What touched during a recording: found by making each recorded step once more, or by a look at each state."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwork.dynamics.shape_contacts import contact_wrenches
from linkwork.errors import StructureError
from linkwork.kernels.contact.modes import MODES, OPEN, SLIP, STICK
from linkwork.kernels.layout.shapes import C_GAP, C_NORMAL, C_PAIR, C_POINT
from linkwork.simulation.event_stepping import EventStepper
from linkwork.simulation.integrators import Dop853
from linkwork.simulation.limits import Limits
from linkwork.simulation.segment import Segment
from linkwork.simulation.shape_events import find_modes, strike
from linkwork.simulation.system import System
from linkwork.simulation.time_stepping import TimeStepper, Touching

_BY_IMPORTANCE = np.array([OPEN, SLIP, STICK])  # of several contacts of a pair the last one tells


@dataclass(frozen=True, slots=True, eq=False)
class ContactTracks:
    """Pairs of shapes over time: those that came near each other.

    Attributes
    ----------
    names : list of (str, str)
        Of each pair; forces are those on the second.
    t : (n,) array
        Time, s.
    gap : (n, pairs) array
        The least distance, m, at the middle of the step; not a number where it is not known to be small. Of contacts by
        events all is at the instant itself.
    mode : (n, pairs) array of str
        "open", "stick" or "slip".
    normal_forces : (n, pairs) array
        In N, mean values of the step that begins there.
    friction_forces : (n, pairs, 3) array
        In N, world axes.
    impulses : (n, pairs, 3) array
        All that the pair gave in the step, N s, world axes; by events, that of an impact at that instant.
    wrenches : (n, nb, 6) array
        What contacts did to every body, world axes, about its origin.
    """

    names: list[tuple[str, str]]
    t: np.ndarray
    gap: np.ndarray
    mode: np.ndarray
    normal_forces: np.ndarray
    friction_forces: np.ndarray
    impulses: np.ndarray
    wrenches: np.ndarray

    def __getitem__(self, pair: tuple[str, str]) -> int:
        """The number of a pair, in either order."""
        for k, names in enumerate(self.names):
            if set(names) == set(pair):
                return k
        raise StructureError(f"{pair[0]!r} and {pair[1]!r} never came near each other; {self!r}")

    def __repr__(self) -> str:
        shown = ", ".join(f"{b!r} on {a!r}" for a, b in self.names[:6])
        return f"ContactTracks({len(self.t)} states, {len(self.names)} pairs: {shown})"


def contact_tracks(segment: Segment) -> ContactTracks:
    """The contacts of a segment."""
    n = len(segment)
    stepper, wrenches_now = _stepper(segment)
    found = [_touching(stepper, wrenches_now, segment, k) for k in range(n)]
    strikes = _strikes(stepper, segment) if isinstance(stepper, EventStepper) else None
    near = sorted({int(p) for each, _ in found for p in each.rows[:, C_PAIR]} | {p for _, p, _ in strikes or ()})
    place, count = {p: k for k, p in enumerate(near)}, len(near)
    counts, h = [len(each.rows) for each, _ in found], np.array([h for _, h in found])
    rows, frames, given, modes = (
        np.concatenate([getattr(each, what) for each, _ in found]) for what in ("rows", "frames", "impulses", "modes")
    )
    at, pair = np.repeat(np.arange(n), counts), np.array([place[int(p)] for p in rows[:, C_PAIR]], dtype=int)
    total = np.einsum("ni,nij->nj", given, frames)
    gap, importance = np.full((n, count), np.nan), np.zeros((n, count), dtype=int)
    normal, impulse, push = np.zeros((n, count)), np.zeros((n, count, 3)), np.zeros((n, count, 3))
    np.fmin.at(gap, (at, pair), rows[:, C_GAP])
    np.maximum.at(importance, (at, pair), _BY_IMPORTANCE.argsort()[modes.astype(int)])
    np.add.at(normal, (at, pair), given[:, 0] / h[at])
    np.add.at(impulse, (at, pair), total)
    np.add.at(push, (at, pair), given[:, :1] * rows[:, C_NORMAL : C_NORMAL + 3])
    push = (impulse - push) / h[:, None, None]
    wrenches = contact_wrenches(segment.linkage, segment.q, at, rows, total / h[at, None])
    if strikes is not None:
        impulse[:] = 0.0
        for k, p, given in strikes:
            if p in place:
                impulse[k, place[p]] += given
    names, mode = stepper.pair_names(), np.array(MODES)[_BY_IMPORTANCE[importance]]
    return ContactTracks([names[p] for p in near], segment.t.copy(), gap, mode, normal, push, impulse, wrenches)


def _strikes(stepper: EventStepper, segment: Segment) -> list[tuple[int, int, np.ndarray]]:
    """Impulses (row, pair, N s in world axes) of impacts: where a state is recorded twice, before and after one."""
    found = []
    for k in np.flatnonzero(np.diff(segment.t) == 0.0).tolist():
        if (segment.v[k] == segment.v[k + 1]).all():
            continue
        stepper.t, stepper.q, stepper.v = float(segment.t[k]), segment.q[k].copy(), segment.v[k].copy()
        for row, impulse in zip(*strike(stepper), strict=True):
            found.append((k, int(row[C_PAIR]), impulse))
    return found


def _stepper(segment: Segment) -> tuple[TimeStepper | EventStepper, np.ndarray]:
    if not segment.step:
        raise StructureError(
            "no shapes touched in this part of the recording; forces on points that are kept on surfaces are "
            "recording.normal_forces and recording.friction_forces, or those of recording[name]"
        )
    kind, step = (TimeStepper, segment.step) if segment.step > 0.0 else (EventStepper, 1e-3)
    stepper = kind("rk4", Dop853(1e-8, 1e-10), step, 1, 0.0, segment.q[0].copy(), segment.v[0].copy())
    limits = Limits(segment.linkage, None)
    limits.table = segment.limits
    acted = segment.f_ext[:1].copy()  # the wrenches of the row that is looked at
    wrenches = (lambda t, q, v: acted[0]) if segment.loaded else None
    system = System(segment.linkage, limits, 0.0, wrenches=wrenches)
    system.loop_limits.table = segment.loop_limits
    stepper.prepare(system)
    return stepper, acted[0]


def _touching(
    stepper: TimeStepper | EventStepper, wrenches: np.ndarray, segment: Segment, k: int
) -> tuple[Touching, float]:
    """What acted in the step from row k, and its size: shorter than usual where an event ended it.

    By events, what acted at that row, as if for a second.
    """
    t, h = segment.t, segment.step
    if isinstance(stepper, EventStepper):
        wrenches[:] = segment.f_ext[k]
        stepper.tau = segment.tau[k].copy()
        stepper.t, stepper.q, stepper.v = float(t[k]), segment.q[k].copy(), segment.v[k].copy()
        find_modes(stepper)
        return stepper.touching(), 1.0
    if k + 1 < len(segment):
        h = min(h, float(t[k + 1] - t[k])) or h
    wrenches[:] = segment.f_ext[k]
    stepper.tau = segment.tau[k].copy()
    return stepper.touching_from(float(t[k]), segment.q[k].copy(), segment.v[k].copy(), h), h


def forces_at(segment: Segment, row: int) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, 3) at which shapes touch in one row of a segment, m, and forces (n, 3) there, N, world axes."""
    stepper, wrenches = _stepper(segment)
    found, h = _touching(stepper, wrenches, segment, row)
    return found.rows[:, C_POINT : C_POINT + 3], np.einsum("nij,ni->nj", found.frames, found.impulses) / h


def joined(parts: list[ContactTracks]) -> ContactTracks:
    """Tracks of several segments as one."""
    if len(parts) == 1:
        return parts[0]
    names = list(dict.fromkeys(pair for part in parts for pair in part.names))
    if len({part.wrenches.shape[1] for part in parts}) > 1:
        raise StructureError("bodies come or go during the recording: take contacts from each of recording.segments")

    def spread(what: str, empty: object) -> np.ndarray:
        whole = []
        for part in parts:
            own = getattr(part, what)
            wide = np.full((len(part.t), len(names), *own.shape[2:]), empty, dtype=own.dtype)
            for k, pair in enumerate(part.names):
                wide[:, names.index(pair)] = own[:, k]
            whole.append(wide)
        return np.concatenate(whole)

    empty = {"gap": np.nan, "mode": MODES[OPEN], "normal_forces": 0.0, "friction_forces": 0.0, "impulses": 0.0}
    fields = {what: spread(what, value) for what, value in empty.items()}
    t, wrenches = (np.concatenate([getattr(part, what) for part in parts]) for what in ("t", "wrenches"))
    return ContactTracks(names, t, wrenches=wrenches, **fields)
