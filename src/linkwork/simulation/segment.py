"""States between two changes of structure or parameters, as rows of one array; and events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.dynamics.energy import energies
from linkwork.dynamics.inverse import joint_wrenches
from linkwork.errors import StructureError
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import no_batch_compiled
from linkwork.simulation.limits import at_stops, pushed
from linkwork.simulation.over_time import StatesOverTime

if TYPE_CHECKING:
    from linkwork.results import Solution
    from linkwork.simulation.contact_tracks import ContactTracks

BLOCK_BYTES = 1 << 20  # of memory taken at a time
SAME_MOTION = 1e-3  # accelerations of a recording and of its forces, relative, near singular poses too
SOLVED = ("joint_wrenches", "loop_wrenches", "normal_forces", "friction_forces", "contact_modes")
FIELDS = ("t", "q", "v", "a", "tau", "drift", "f_ext")


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """Something that happened at one instant of a simulation.

    Attributes
    ----------
    time : float
        In s.
    cause : str
        "at", "when", "limit", "strength", "lift-off", "contact", "singular" where loops came near a singular pose, or
        "call" for a change that was made between steps.
    what : str
        What was done.
    jump : (nv,) array
        Change of v, in the layout after the event.
    energy_lost : float
        In J; negative where energy came in.
    """

    time: float
    cause: str
    what: str
    jump: np.ndarray
    energy_lost: float


def _solved(segment: Segment, name: str) -> np.ndarray:
    """One of the results of `linkwork.solve` at every state, limits included; kept until there are more rows."""
    if segment.forces.get("rows") is not segment.rows:
        found = [_solution(segment, k) for k in range(len(segment))]
        segment.forces = {what: np.array([getattr(each, what) for each in found]) for what in SOLVED}
        segment.forces |= {"rows": segment.rows}
    return segment.forces[name]


def _solution(segment: Segment, row: int) -> Solution:
    """All forces at one state: those under which it accelerates as it did."""
    from linkwork.dynamics.contact_state import modes_of_motion
    from linkwork.dynamics.solution import solve, solve_in_modes

    linkage, q, v, a, f_ext = segment.linkage, segment.q[row], segment.v[row], segment.a[row], segment.f_ext[row]
    t = float(segment.t[row])

    def under(tau: np.ndarray) -> Solution:
        return solve(linkage, q, v, tau, f_ext, t=t)

    def differs(solution: Solution) -> bool:
        return bool(np.abs(solution.a - a).max() > SAME_MOTION * max(1.0, np.abs(a).max()))

    tau = pushed(linkage, segment.limits, segment.loop_limits, q, v, segment.tau[row])
    solution = under(tau)
    if linkage._contacts.records and differs(solution):  # between sticking and sliding
        for way in (1.0, -1.0):
            modes = modes_of_motion(linkage, q, v, a, t, way)
            if not differs(found := solve_in_modes(linkage, q, v, tau, f_ext, t=t, modes=modes)):
                return found
    stopped = at_stops(linkage, q, v, a) if differs(solution) else np.empty(0, dtype=np.int64)
    if len(stopped):  # hard limits hold them: with which forces?
        unit = np.zeros((len(stopped), len(tau)))
        unit[np.arange(len(stopped)), stopped] = 1.0
        response = np.array([under(tau + each).a - solution.a for each in unit])
        solution = under(tau + np.linalg.lstsq(response.T, a - solution.a, rcond=None)[0] @ unit)
    if differs(solution):
        raise StructureError(f"at t = {t:g} s forces acted that are not recorded: those in joints are unavailable")
    return solution


class Segment(StatesOverTime):
    """States between two changes of structure or parameters.

    Attributes
    ----------
    linkage : Linkage
        As it was, a copy.
    loaded : bool
        Whether external wrenches acted; they are recorded then.
    limits, loop_limits : (n, 7) arrays
        The compliant limits of tree and loop joints that acted, as of `linkwork.simulation.limits.Limits`.
    step : float
        Size of the steps by which shapes touched, s; 0 where there were none.
    forces : dict
        Forces at all states, once they have been asked for.
    """

    def __init__(
        self,
        linkage: Linkage,
        rows: np.ndarray | None = None,
        *,
        loaded: bool = False,
        limits: np.ndarray | None = None,
        loop_limits: np.ndarray | None = None,
        step: float = 0.0,
    ):
        self.linkage, self.loaded, self.step = linkage, loaded, step
        self.limits = np.empty((0, 7)) if limits is None else limits
        self.loop_limits = np.empty((0, 7)) if loop_limits is None else loop_limits
        self.forces: dict[str, np.ndarray] = {}
        nq, nv, torques = linkage.nq, linkage.nv, linkage.nv + linkage.nv_loop
        ends = np.cumsum([1, nq, nv, nv, torques, 2, 6 * linkage.nb if loaded else 0]).tolist()
        self.fields = {name: slice(a, b) for name, a, b in zip(FIELDS, [0, *ends], ends, strict=False)}
        self.widths = {name: columns.stop - columns.start for name, columns in self.fields.items()}
        self.width = ends[-1]
        self._blocks = [] if rows is None else [rows]
        self._used = 0 if rows is None else len(rows)  # rows of the last block
        self._read = rows is not None  # whether somebody may hold a view of the last block
        self._open, self._shown = np.empty((0, self.width)), 0  # rows that compiled steps write, and how many count
        self.dropped = 0  # rows that were taken away, having been written to a file

    # Writing

    def room(self) -> np.ndarray:
        """Rows that are free to be written; say how many were, with `wrote`."""
        if not self._blocks or self._used == len(self._blocks[-1]):
            rows = max(16, min(4096, BLOCK_BYTES // (8 * self.width)))
            self._blocks.append(np.empty((rows, self.width)))
            self._used, self._read = 0, False
        return self._blocks[-1][self._used :]

    def wrote(self, count: int) -> None:
        """Count rows as written."""
        self._used += count

    def open(self) -> np.ndarray:
        """Rows for compiled steps to write, until `close`; `show` lets some be read before."""
        self._open, self._shown = self.room(), 0
        return self._open

    def show(self, count: int) -> None:
        """Count the first so many of the open rows as written."""
        self._used += count - self._shown
        self._shown = count

    def close(self, count: int) -> None:
        """Count all rows that compiled steps have written as such."""
        if 0 < self._shown < count:  # somebody has read the others, and the free rows may now be elsewhere
            self.room()[: count - self._shown] = self._open[self._shown : count]
        self.show(count)
        self._open = self._open[:0]

    def write(self, t: float, *fields: Any) -> None:
        """Write one row: time, and the other fields in their order."""
        row = self.room()[0]
        row[0] = t
        row[1:] = np.concatenate(fields)
        self.wrote(1)

    def forget(self, count: int) -> None:
        """Take back so many rows; whoever has read them keeps them."""
        if count > self._used:
            _ = self.rows  # which brings all of them into one block
        self._used -= count
        if self._read:
            self._blocks[-1] = self._blocks[-1][: self._used]

    def drop(self) -> None:
        """Free the memory of all rows, which are in a file."""
        self.dropped += self.held
        self._blocks, self._used = [], 0

    def last(self, count: int) -> np.ndarray:
        """Up to so many of the last rows, as far as they lie in one block; to be read at once."""
        return self._blocks[-1][max(0, self._used - count) : self._used] if self._blocks else np.empty((0, self.width))

    @property
    def held(self) -> int:
        """Number of rows in memory."""
        return sum(map(len, self._blocks[:-1])) + self._used

    # Reading

    @property
    def rows(self) -> np.ndarray:
        """(n, width) all rows in memory."""
        if not self._blocks:
            return np.empty((0, self.width))
        if len(self._blocks) > 1 or self._used < len(self._blocks[0]):
            joined = np.concatenate([*self._blocks[:-1], self._blocks[-1][: self._used]])
            self._blocks, self._used = [joined], len(joined)
        self._read = True
        return self._blocks[0]

    def __len__(self) -> int:
        return self.held

    def of(self, rows: np.ndarray) -> Segment:
        """A segment like this one, of other rows."""
        limits = {"limits": self.limits, "loop_limits": self.loop_limits}
        return Segment(self.linkage, rows, loaded=self.loaded, step=self.step, **limits)

    def column(self, name: str) -> np.ndarray:
        """(n, width) one of the fields as recorded; (n,) times."""
        columns = self.rows[:, self.fields[name]]
        return columns[:, 0] if name == "t" else columns

    def _over_time(self, name: str) -> np.ndarray:
        """An array as it was recorded, or as it follows from others."""
        if name in SOLVED:
            return _solved(self, name)
        found = getattr(self, f"_{name}", None)
        return self.column(name) if found is None else found()

    def _f_ext(self) -> np.ndarray:
        shape = len(self), self.linkage.nb, 6
        return self.column("f_ext").reshape(shape) if self.loaded else np.zeros(shape)

    def _kinetic(self) -> np.ndarray:
        return self.energies[0]

    def _potential(self) -> np.ndarray:
        return self.energies[1]

    def _energy(self) -> np.ndarray:
        kinetic, potential = self.energies
        return kinetic + potential

    @property
    def energies(self) -> tuple[np.ndarray, np.ndarray]:
        """(n,) kinetic energy, and (n,) energy of gravity and springs, J."""
        with no_batch_compiled():
            kinetic, potential = energies(self.linkage, self.q.copy(), self.v.copy())
        return np.atleast_1d(kinetic), np.atleast_1d(potential)

    def _wrenches(self) -> np.ndarray:
        if np.isnan(self.a).any():
            raise StructureError("accelerations of a quasi-static run are not known, and neither are forces in joints")
        if self.linkage.constrained:
            return _solved(self, "joint_wrenches")
        f_ext = self.f_ext if self.loaded else None
        if self.step and len(self.linkage.shapes):
            f_ext = self.f_ext + self.contacts.wrenches
        return joint_wrenches(self.linkage, self.q.copy(), self.v.copy(), self.a.copy(), f_ext)

    @property
    def contacts(self) -> ContactTracks:
        """What touched: gaps, modes, forces and impulses of pairs of shapes."""
        from linkwork.simulation.contact_tracks import contact_tracks

        return contact_tracks(self)

    def __repr__(self) -> str:
        span = f"{self.t[0]:g} … {self.t[-1]:g} s" if len(self) else "empty"
        return f"Segment({self.linkage.name!r}, {len(self)} states, {span})"
