"""What a simulation leaves behind: its states by time, and its events."""

from __future__ import annotations

import html
import importlib
from collections.abc import Iterator
from os import PathLike
from typing import Any

import numpy as np

from linkwork.dynamics.kinematics import body_poses, body_velocities
from linkwork.errors import ArgumentError, StructureError, unknown_name
from linkwork.linkage.linkage import Linkage
from linkwork.simulation.segment import Event, OverTime, Segment


def _track(track: Track, name: str) -> np.ndarray:
    """One array of a track, over all segments."""
    parts = [_track_part(segment, body, name) for segment, body in track.segments]
    if len({part.shape[1:] for part in parts}) > 1:
        raise StructureError(
            f"the joint of {track.name!r} changes its type during the recording: take {name} from each of "
            "recording.segments"
        )
    return np.concatenate(parts)


def _track_part(segment: Segment, body: int, what: str) -> np.ndarray:
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


class Track:
    """One body and its tree joint through a recording, wherever it is part of the linkage.

    Attributes
    ----------
    name : str
    segments : list of (Segment, int)
        Those that the body is part of, and its index there.
    """

    t = OverTime(_track, "(n,) time, s.")
    q = OverTime(_track, "(n, ...) coordinates of the joint.")
    v = OverTime(_track, "(n, ...) velocities of the joint.")
    a = OverTime(_track, "(n, ...) accelerations of the joint.")
    tau = OverTime(_track, "(n, ...) torques of the joint.")
    wrench = OverTime(_track, "(n, 6) wrench at the joint, as of `linkwork.joint_wrenches`.")
    position = OverTime(_track, "(n, 3) position of the body's origin, m.")
    rotation = OverTime(_track, "(n, 3, 3) rotation of the body.")
    velocity = OverTime(_track, "(n, 6) twist of the body's origin, world axes.")

    def __init__(self, name: str, segments: list[tuple[Segment, int]]):
        self.name, self.segments = name, segments

    def __repr__(self) -> str:
        return f"Track({self.name!r}, {len(self.t)} states)"


def _joined(recording: Recording, name: str) -> np.ndarray:
    """One array over all segments."""
    parts = [getattr(segment, name) for segment in recording.segments if len(segment)]
    if not parts:
        return np.empty(0)
    if len({part.shape[1:] for part in parts}) > 1:
        raise StructureError(
            f"the structure changes during the recording, and with it the layout of {name}: take it from each of "
            'recording.segments, or from one joint, recording["name"]'
        )
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


class Recording:
    """States and events of a simulation.

    A state is recorded at the start of every step with the acceleration and the torques that act there, before and
    after every event, and at the end. Where structure or parameters change a new segment begins. Arrays over time are
    those of all segments; where a change of structure gave q another length they are found on each of `segments`.
    ``recording["elbow"]`` is the `Track` of one joint or body.

    Attributes
    ----------
    segments : list of Segment
    events : list of Event
    settings : dict
        Of the run, where it comes from a file of one or was adaptive.
    """

    t = OverTime(_joined, "(n,) time, s.")
    q = OverTime(_joined, "(n, nq) coordinates.")
    v = OverTime(_joined, "(n, nv) velocities.")
    a = OverTime(_joined, "(n, nv) accelerations.")
    tau = OverTime(_joined, "(n, nv + nv_loop) torques of tree joints, and of loop joints after them.")
    drift = OverTime(_joined, "(n, 2) how far the state was off before projection: coordinates, velocities.")
    f_ext = OverTime(_joined, "(n, nb, 6) external wrench on every body, world axes, about the body's origin.")
    kinetic = OverTime(_joined, "(n,) kinetic energy, J.")
    potential = OverTime(_joined, "(n,) energy of gravity and springs, J.")
    energy = OverTime(_joined, "(n,) kinetic and potential energy, J.")
    wrenches = OverTime(_joined, "(n, nb, 6) wrench at every tree joint, as of `linkwork.joint_wrenches`.")
    normal_forces = OverTime(_joined, "(n, contacts) normal forces of the surface constraints, N.")
    friction_forces = OverTime(_joined, "(n, contacts, 3) friction on the points of these, N, world axes.")

    def __init__(
        self,
        segments: list[Segment] | None = None,
        events: list[Event] | None = None,
        settings: dict[str, Any] | None = None,
    ):
        self.segments = segments if segments is not None else []
        self.events = events if events is not None else []
        self.settings = settings if settings is not None else {}

    def __getitem__(self, name: str) -> Track:
        name = getattr(name, "name", name)
        found: list[tuple[Segment, int]] = []
        for segment in self.segments:
            columns = segment.linkage.columns
            body = columns.body_index.get(name, columns.joint_index.get(name))
            if body is not None:
                found.append((segment, body))
        if not found:
            raise unknown_name("joint or body", name, self._ipython_key_completions_())
        return Track(name, found)

    def _ipython_key_completions_(self) -> list[str]:
        """Names of all joints and bodies."""
        columns = [segment.linkage.columns for segment in self.segments]
        return sorted({name for part in columns for name in (*part.body_names, *part.joint_names)})

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

    def _repr_html_(self) -> str:
        """One line per segment and per event."""
        rows = [
            (f"{segment.t[0]:g} … {segment.t[-1]:g} s", f"{html.escape(segment.linkage.name)}, {len(segment)} states")
            for segment in self.segments
            if len(segment)
        ]
        rows += [(f"{event.time:g} s", f"{event.cause}: {html.escape(event.what)}") for event in self.events[:20]]
        rows += [("", f"and {len(self.events) - 20} more events")] if len(self.events) > 20 else []
        cells = "".join(f"<tr><td>{when}</td><td>{what}</td></tr>" for when, what in rows)
        return f"<table><caption>Recording, {len(self)} states</caption>{cells}</table>"


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
