"""What a simulation leaves behind: its states by time, and its events."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from os import PathLike
from typing import Any

import numpy as np

from linkwork.dynamics.energy import kinetic_energy, potential_energy
from linkwork.dynamics.inverse import joint_wrenches
from linkwork.dynamics.kinematics import body_poses, body_velocities
from linkwork.errors import ArgumentError, StructureError, unknown_name
from linkwork.linkage.linkage import Linkage
from linkwork.simulation.events import Event

BLOCK_BYTES = 1 << 20  # of memory taken at a time
SAME_MOTION = 1e-3  # accelerations of a recording and of its forces, relative, near singular poses too
FIELDS = ("t", "q", "v", "a", "tau", "drift", "f_ext")


class Segment:
    """States between two changes of structure or parameters.

    Attributes
    ----------
    linkage : Linkage
        As it was, a copy.
    loaded : bool
        Whether external wrenches acted; they are recorded then.
    limits : (n, 7) array
        The compliant joint limits that acted, as of `linkwork.simulation.limits.Limits`.
    """

    def __init__(
        self,
        linkage: Linkage,
        rows: np.ndarray | None = None,
        *,
        loaded: bool = False,
        limits: np.ndarray | None = None,
    ):
        self.linkage, self.loaded = linkage, loaded
        self.limits = np.empty((0, 7)) if limits is None else limits
        nq, nv, torques = linkage.nq, linkage.nv, linkage.nv + linkage.nv_loop
        ends = np.cumsum([1, nq, nv, nv, torques, 2, 6 * linkage.nb if loaded else 0]).tolist()
        self.fields = {name: slice(a, b) for name, a, b in zip(FIELDS, [0, *ends], ends, strict=False)}
        self.widths = {name: columns.stop - columns.start for name, columns in self.fields.items()}
        self.width = ends[-1]
        self._blocks = [] if rows is None else [rows]
        self._used = 0 if rows is None else len(rows)  # rows of the last block
        self._read = rows is not None  # whether somebody may hold a view of the last block
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

    def forget_last(self) -> None:
        """Take back the last row; who has read it keeps it."""
        self._used -= 1
        if self._read:
            self._blocks[-1] = self._blocks[-1][: self._used]

    def forget(self, count: int) -> None:
        """Take back as many rows; who has read them keeps them."""
        rows = self.rows  # in one block
        self._blocks, self._used, self._read = [rows[: len(rows) - count]], len(rows) - count, True

    def drop(self) -> None:
        """Free the memory of all rows, which are in a file."""
        self.dropped += self.held
        self._blocks, self._used = [], 0

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
        return Segment(self.linkage, rows, loaded=self.loaded, limits=self.limits)

    def column(self, name: str) -> np.ndarray:
        """(n, width) one of the fields as recorded; (n,) times."""
        columns = self.rows[:, self.fields[name]]
        return columns[:, 0] if name == "t" else columns

    def __getattr__(self, name: str) -> np.ndarray:
        if name in FIELDS:
            return self.column(name)
        raise AttributeError(f"a Segment has no attribute {name!r}")

    @property
    def f_ext(self) -> np.ndarray:
        """(n, nb, 6) external wrench on every body, world axes, about the body's origin."""
        shape = len(self), self.linkage.nb, 6
        return self.column("f_ext").reshape(shape) if self.loaded else np.zeros(shape)

    @property
    def kinetic(self) -> np.ndarray:
        """(n,) kinetic energy, J."""
        return np.atleast_1d(kinetic_energy(self.linkage, self.q.copy(), self.v.copy()))

    @property
    def potential(self) -> np.ndarray:
        """(n,) energy of gravity and springs, J."""
        return np.atleast_1d(potential_energy(self.linkage, self.q.copy()))

    @property
    def energy(self) -> np.ndarray:
        """(n,) kinetic and potential energy, J."""
        return self.kinetic + self.potential

    @property
    def wrenches(self) -> np.ndarray:
        """(n, nb, 6) wrench at every tree joint, as of `linkwork.joint_wrenches`."""
        if np.isnan(self.a).any():
            raise StructureError("accelerations are not known of a quasi-static run, and forces in joints neither")
        if len(self.linkage.loops) or len(self.linkage.contacts):
            return self._solved("joint_wrenches")
        f_ext = self.f_ext if self.loaded else None
        return joint_wrenches(self.linkage, self.q.copy(), self.v.copy(), self.a.copy(), f_ext)

    @property
    def normal_forces(self) -> np.ndarray:
        """(n, contacts) normal forces of the surface constraints, N."""
        return self._solved("normal_forces")

    @property
    def friction_forces(self) -> np.ndarray:
        """(n, contacts, 3) friction on the points of the surface constraints, N, world axes."""
        return self._solved("friction_forces")

    def _solved(self, what: str) -> np.ndarray:
        """One of the results of `linkwork.solve` at every state, compliant limits of tree joints included."""
        import linkwork
        from linkwork.simulation.limits import add_push

        states = zip(self.t, self.q, self.v, self.tau, self.f_ext, self.a, strict=True)
        results = []
        for t, q, v, tau, f_ext, a in states:
            solution = linkwork.solve(self.linkage, q, v, add_push(self.limits, q, v, tau), f_ext, t=t)
            if np.abs(solution.a - a).max() > SAME_MOTION * max(1.0, np.abs(a).max()):
                raise StructureError(
                    f"at t = {t:g} s forces acted that are not recorded, such as those of a loop joint's limit: "
                    f"{what} cannot be had"
                )
            results.append(getattr(solution, what))
        return np.array(results)

    def __repr__(self) -> str:
        span = f"{self.t[0]:g} … {self.t[-1]:g} s" if len(self) else "empty"
        return f"Segment({self.linkage.name!r}, {len(self)} states, {span})"


class Track:
    """One body and its tree joint through a recording, wherever it is part of the linkage.

    Attributes are arrays over time: `t`; of the joint `q`, `v`, `a`, `tau` and `wrench`; of the body `position`,
    `rotation` and `velocity` (twist of its origin, world axes).
    """

    def __init__(self, name: str, segments: list[tuple[Segment, int]]):
        self.name, self._segments = name, segments

    def __getattr__(self, what: str) -> np.ndarray:
        if what not in ("t", "q", "v", "a", "tau", "wrench", "position", "rotation", "velocity"):
            raise AttributeError(f"a Track has no attribute {what!r}")
        parts = [_track(segment, body, what) for segment, body in self._segments]
        if len({part.shape[1:] for part in parts}) > 1:
            raise StructureError(
                f"the joint of {self.name!r} changes its type during the recording: take {what} from each of "
                "recording.segments"
            )
        return np.concatenate(parts)

    def __repr__(self) -> str:
        return f"Track({self.name!r}, {len(self.t)} states)"


def _track(segment: Segment, body: int, what: str) -> np.ndarray:
    joint = segment.linkage.joints[body]
    if what == "t":
        return segment.t
    if what == "q":
        return segment.q[:, joint.q_slice]
    if what in ("v", "a", "tau"):
        return getattr(segment, what)[:, joint.v_slice]
    if what == "wrench":
        return segment.wrenches[:, body]
    if what == "velocity":
        return body_velocities(segment.linkage, segment.q.copy(), segment.v.copy())[:, body]
    poses = body_poses(segment.linkage, segment.q.copy())
    return (poses.positions if what == "position" else poses.rotations)[:, body]


class Recording:
    """States and events of a simulation.

    A state is recorded at the start of every step with the acceleration and the torques that act there, before and
    after every event, and at the end. Where structure or parameters change a new segment begins. Arrays over all of
    them are `t`, `q`, `v`, `a`, `tau`, `energy`, `kinetic`, `potential`, `wrenches`, `normal_forces`,
    `friction_forces`, `f_ext` and `drift` (how far loops, surfaces and drives were off before projection: coordinates,
    velocities); where a change of structure gave q another length they are found on each of `segments`.
    ``recording["elbow"]`` is the `Track` of one joint or body.

    Attributes
    ----------
    segments : list of Segment
    events : list of Event
    settings : dict
        Of the run, where it comes from a file of one or was adaptive.
    """

    def __init__(
        self,
        segments: list[Segment] | None = None,
        events: list[Event] | None = None,
        settings: dict[str, Any] | None = None,
    ):
        self.segments = segments if segments is not None else []
        self.events = events if events is not None else []
        self.settings = settings if settings is not None else {}

    def __getattr__(self, name: str) -> np.ndarray:
        if name not in (*FIELDS, "energy", "kinetic", "potential", "wrenches", "normal_forces", "friction_forces"):
            raise AttributeError(f"a Recording has no attribute {name!r}")
        parts = [getattr(segment, name) for segment in self.segments if len(segment)]
        if not parts:
            return np.empty(0)
        if len({part.shape[1:] for part in parts}) > 1:
            raise StructureError(
                f"the structure changes during the recording, and with it the layout of {name}: take it from each of "
                'recording.segments, or from one joint, recording["name"]'
            )
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def __getitem__(self, name: str) -> Track:
        name = getattr(name, "name", name)
        found: list[tuple[Segment, int]] = []
        known: set[str] = set()
        for segment in self.segments:
            columns = segment.linkage.columns
            body = columns.body_index.get(name, columns.joint_index.get(name))
            if body is not None:
                found.append((segment, body))
            known |= {*columns.body_names, *columns.joint_names}
        if not found:
            raise unknown_name("joint or body", name, sorted(known))
        return Track(name, found)

    def __len__(self) -> int:
        return sum(map(len, self.segments))

    def __iter__(self) -> Iterator[Segment]:
        return iter(self.segments)

    def to_pandas(self) -> Any:
        """A pandas DataFrame indexed by time, with columns such as ``q[elbow]`` and ``tau[wrist][1]``."""
        pd = _optional("pandas")

        parts = []
        for segment in self.segments:
            table = {"energy": segment.energy}
            for what in ("q", "v", "a", "tau"):
                values = getattr(segment, what)
                table |= {label: values[:, k] for k, label in enumerate(labels(segment.linkage, what))}
            parts.append(pd.DataFrame(table, index=pd.Index(segment.t, name="t")))
        return pd.concat(parts)

    def to_xarray(self) -> Any:
        """An xarray Dataset over time; of recordings in which the layout does not change."""
        xarray = _optional("xarray")

        linkage = self.segments[0].linkage
        variables: dict[str, Any] = {"energy": ("t", self.energy)}
        coordinates: dict[str, Any] = {"t": self.t}
        for what, axis in (("q", "coordinate"), ("v", "dof"), ("a", "dof")):
            variables[what] = (("t", axis), getattr(self, what))
            coordinates[axis] = labels(linkage, "q" if what == "q" else "v", bare=True)
        variables["tau"] = (("t", "torque"), self.tau)
        return xarray.Dataset(variables, coords=coordinates)

    def plot(self, *which: str, **options: Any) -> Any:
        """Draw it; see `linkwork.plots.plot`."""
        from linkwork.plots import plot

        return plot(self, *which, **options)

    def save(self, path: str | PathLike[str]) -> None:
        """Write everything to an HDF5 file, which `Recording.load` reads."""
        from linkwork.simulation.storage import save

        save(self, path)

    @staticmethod
    def load(path: str | PathLike[str]) -> Recording:
        """Read a recording from an HDF5 file, one that is still being written or was left by a killed run included."""
        from linkwork.simulation.storage import load

        return load(path)

    def __repr__(self) -> str:
        times = self.t
        span = f", {times[0]:g} … {times[-1]:g} s" if len(times) else ""
        return f"Recording({len(times)} states{span}, {len(self.segments)} segments, {len(self.events)} events)"


def _optional(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError:
        raise ArgumentError(f"{module} is not installed: pip install {module}") from None


def labels(linkage: Linkage, what: str, *, bare: bool = False) -> list[str]:
    """A label for each column of q, v, a or tau: ``q[elbow]``, or ``q[wrist][1]`` of a joint with several."""
    names = []
    for joint in linkage.joints:
        count = joint.nq if what == "q" else joint.nv
        names += [joint.name] if count == 1 else [f"{joint.name}][{k}" for k in range(count)]
    if what == "tau":
        names += [f"loop][{k}" for k in range(linkage.nv_loop)]
    return [name.replace("][", "[") + ("]" if "][" in name else "") if bare else f"{what}[{name}]" for name in names]
