"""A scene: the description of a linkage and its run in one file, made into a simulation."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from linkwork import examples
from linkwork.dynamics.closed import close_loops
from linkwork.errors import ArgumentError, DescriptionError, unknown_name
from linkwork.io.load import load
from linkwork.io.marked import Marked
from linkwork.io.overrides import override, refuse_new_parameters
from linkwork.io.scene_keys import KEY_TYPES, AdaptiveRun, Keys, Outputs, Run, Source, Start
from linkwork.io.yaml_linkage import KEYS, check_version, read_description
from linkwork.linkage.checks import number
from linkwork.linkage.expressions import check_variable
from linkwork.linkage.linkage import Linkage
from linkwork.scenes.acting import Forces, TextDrive, filled, read_expressions
from linkwork.scenes.happenings import Happenings
from linkwork.scenes.resuming import refuse_other_scene, values
from linkwork.simulation.recording import Recording
from linkwork.simulation.simulation import Simulation

if TYPE_CHECKING:
    from linkwork.scenes.adaptive_motion import AdaptiveMotion

CLOSED = 1e-6  # rad or m: coordinates that move more than this to close a loop were not closed
STEPS = 1_000_000_000  # of a run, at most
PASSIVE = ("description", "outputs", "linkage", "simulation", "adaptive")  # keys that `_acting_keys` leaves out
URDF_OPTIONS = ("base", "keep_fixed", "collisions")


def load_scene(path: str | PathLike[str], *, changes: Mapping[str, Any] | None = None) -> Scene:
    """Read a scene from a YAML file.

    Parameters
    ----------
    path : path
        A file, or the name of an example that ships with linkwork. See the page on scenes for its keys. A file that
        describes a linkage and nothing else is a scene, too.
    changes : mapping, optional
        Values that replace those of the file, by dotted key: ``{"simulation.dt": 1e-4, "start.q.elbow": "30*deg"}``.

    Raises
    ------
    DescriptionError
        The file is missing or wrong: it is named with the line and what to do.

    Notes
    -----
    Cost: linear in the size of the file.

    Examples
    --------
    >>> import linkwork as lw
    >>> scene = lw.load_scene("double-pendulum")
    >>> recording = scene.simulation().run(0.1)
    >>> len(recording)
    101
    """
    path = examples.find(path)
    if not path.is_file():
        raise DescriptionError("there is no such file", file=path)
    root = Marked.read(path)
    refuse_new_parameters(root, changes or {})
    override(root, changes or {})
    scene = Scene(path, root)
    scene.changes = dict(changes or {})
    return scene


def _read_parameters(section: Marked) -> None:
    """Take the parameters of a file, each a number or an expression of those before it."""
    for name, mark in section.names().items():
        value = mark.number()
        mark.attempt(check_variable, name)
        section.parameters[name] = value


class Scene:
    """A linkage, its state at the start, what acts on it, what happens, and how the motion is computed.

    Attributes
    ----------
    name : str
    description : str
    linkage : Linkage
    q, v : arrays
        The state at the start.
    run : Run or AdaptiveRun
        Settings of the simulation: until, dt, integrator, ...
    outputs : Outputs
        What the command line leaves behind.
    changes : dict
        Values of the file that were replaced.

    Examples
    --------
    >>> import linkwork as lw
    >>> scene = lw.load_scene("double-pendulum")
    >>> scene.linkage, scene.run.until
    (Linkage('double-pendulum', 2 bodies, nq=2, nv=2, 1 frames), 10.0)
    """

    changes: Mapping[str, Any] = MappingProxyType({})

    def __init__(self, path: Path, root: Marked, source: Linkage | None = None):
        top = root.mapping(("linkwork",), (*KEYS, *KEY_TYPES))
        check_version(top)
        if "parameters" in top:
            _read_parameters(top["parameters"])
        given = {key: mark.convert(KEY_TYPES[key]) for key, mark in top.items() if key in KEY_TYPES}
        self.path, self._root, self._keys = path, root, Keys(**given)
        self._keys.marks = {key: top[key] for key in given}
        self.linkage = self._linkage(path) if source is None else source.copy()
        read_description(self.linkage, top)
        if not self.linkage.nb:
            root.fail("there are no bodies: give `bodies`, or a `linkage` that is described elsewhere")
        self.name, self.description = self.linkage.name, self._keys.description or ""
        self.run: Any = self._keys.adaptive or self._keys.simulation or Run()
        self.outputs = self._keys.outputs or Outputs()
        self._check_run()
        self._drives = self._read_drives(self.linkage)
        self.q, self.v = self._start()
        self._acting(self.linkage).check(self.q, self.v)
        Happenings(self._keys, self.linkage).check(self.q, self.v)

    @property
    def is_adaptive(self) -> bool:
        """Whether the scene asks for an adaptive run instead of a simulation."""
        return self._keys.adaptive is not None

    @property
    def driven(self) -> bool:
        """Whether torques, wrenches, drives or events bring energy in or out."""
        return bool(self._keys.torques or self._keys.wrenches or self._drives or self._keys.events)

    @property
    def parameters(self) -> dict[str, float]:
        """The numbers that expressions use by name, a copy."""
        return dict(self._keys.parameters)

    def set_parameter(self, name: str, value: float, sim: Simulation | None = None) -> None:
        """Change a parameter from now on: in simulations made later, and in one of this scene that goes on.

        The state at the start and strengths that are written with it stay as they were read.
        """
        if name not in self._keys.parameters:
            raise unknown_name("parameter", name, list(self._keys.parameters))
        if name in self._root.parameters.used:
            raise ArgumentError(f"parameter {name!r} describes the linkage: load the scene anew, with changes=")
        self._keys.parameters[name] = number(value, f"parameter {name!r}")
        self.changes = {**self.changes, f"parameters.{name}": self._keys.parameters[name]}
        if sim is not None:  # its compiled expressions are written anew
            sim.torques, sim.wrenches = sim.torques, sim.wrenches
            sim._engine.follow(sim._engine.drives)

    def with_parameters(self, values: Mapping[str, float]) -> Scene:
        """The scene with other values of parameters that describe neither linkage nor run; it shares both."""
        made = copy.copy(self)
        given = {name: number(value, f"parameter {name!r}") for name, value in values.items()}
        made._keys = msgspec.structs.replace(self._keys, parameters=self._keys.parameters | given)
        made._keys.marks = self._keys.marks
        made.q, made.v = made._start()
        made._acting(made.linkage).check(made.q, made.v)
        Happenings(made._keys, made.linkage).check(made.q, made.v)
        return made

    def simulation(self, *, record: str | PathLike[str] | None = None) -> Simulation:
        """A simulation at the start of the scene, of a copy of its linkage.

        Parameters
        ----------
        record : path, optional
            HDF5 file that states are streamed to.
        """
        linkage, run = self.linkage.copy(), self.run
        if not isinstance(run, Run):
            raise ArgumentError(f"scene {self.name!r} asks for an adaptive run: use scene.adaptive()")
        acting = self._acting(linkage)
        sim = Simulation(
            linkage, self.q, self.v, dt=run.dt, integrator=run.integrator, torques=acting.torques,
            wrenches=acting.wrenches, record_every=run.record_every, limits=run.limits, rtol=run.rtol, atol=run.atol,
            contacts=run.contacts,
        )  # fmt: skip
        if record is not None:
            sim._engine.stream_to(record, scene=self._acting_keys())
        return self._prepared(sim)

    def adaptive(self, before: Recording | None = None) -> AdaptiveMotion:
        """An adaptive run of a copy of the scene's linkage, from its start or from where one before was stopped."""
        from linkwork.scenes.adaptive_motion import AdaptiveMotion

        if not isinstance(self.run, AdaptiveRun):
            raise ArgumentError(f"scene {self.name!r} asks for a simulation: use scene.simulation()")
        linkage, adaptive = self.linkage.copy(), self._keys.marks["adaptive"]
        forces, keys = self._acting(linkage), self._acting_keys()
        return adaptive.attempt(AdaptiveMotion, linkage, (self.q, self.v), self.run, forces, keys, before)

    def resume(self, path: str | PathLike[str]) -> Simulation:
        """Go on with a run of this scene that was streamed to a file and ended before its time.

        Raises
        ------
        ArgumentError
            The scene is not the one that the run was started with: what has changed is named. Only `until`, the
            outputs and the description may.
        """
        refuse_other_scene(Recording.load(path), self.linkage, self._acting_keys(), path)
        acting = self._acting(self.linkage)
        sim = Simulation.resume(path, torques=acting.torques, wrenches=acting.wrenches)
        acting = self._acting(sim.linkage)  # which is in the file
        sim.torques, sim.wrenches = acting.torques, acting.wrenches
        return self._prepared(sim)

    def _acting_keys(self) -> dict[str, Any]:
        """All of the file that its motion depends on, the linkage apart, as plain values."""
        top = self._root.mapping(("linkwork",), (*KEYS, *KEY_TYPES))
        keys = {key: values(top[key]) for key in KEY_TYPES if key in top and key not in PASSIVE}
        run = {key: getattr(self.run, key) for key in type(self.run).__struct_fields__ if key not in ("until", "marks")}
        return keys | {"adaptive" if self.is_adaptive else "simulation": run}

    # Reading

    _pose: np.ndarray | None = None  # of a sample that brings one
    _from_file = False  # whether another file describes the linkage

    def _linkage(self, path: Path) -> Linkage:
        mark = self._keys.linkage
        if mark is None:
            return Linkage(name=path.stem)
        source = Source(file=mark.text()) if not mark.is_mapping() else mark.convert(Source)
        if (source.file is None) == (source.sample is None):
            mark.fail("give `file` or `sample`")
        if source.file is not None:
            self._from_file, found = True, path.parent / source.file
            if not found.is_file():
                mark.fail(f"there is no file {source.file!r} beside the scene")
            options = {}
            if found.suffix.lower() in (".urdf", ".sdf"):
                options = {key: getattr(source, key) for key in URDF_OPTIONS}
            return mark.attempt(load, found, **options)
        from linkwork import samples

        if source.sample not in samples.__all__:
            mark.fail(str(unknown_name("sample", source.sample, samples.__all__)))
        make = getattr(samples, str(source.sample))
        valid = inspect.signature(make).parameters
        for name in source.options:
            if name not in valid:
                mark.fail(str(unknown_name(f"option of {source.sample}", name, valid)))
        options = {name: int(x) if x == int(x) else x for name, x in source.options.items()}
        made = mark.attempt(make, **options)
        if isinstance(made, tuple):  # a linkage and a pose
            made, self._pose = made
        return made

    def _check_run(self) -> None:
        if self.is_adaptive:
            for key in ("simulation", "drives", "events"):
                if key in self._keys.marks:
                    self._keys.marks[key].fail(f"an adaptive run has no `{key}`")
        steps = self.run.until / self.run.dt
        if steps > STEPS:
            self._keys.marks["adaptive" if self.is_adaptive else "simulation"].fail(
                f"until / dt asks for {steps:.3g} steps; a run can have {STEPS:.0e}"
            )

    def _start(self, parameters: Mapping[str, float] | None = None) -> tuple[np.ndarray, np.ndarray]:
        """The state at the start; with other parameters than the scene's, where these are given."""
        linkage, start = self.linkage, self._keys.start or Start()
        parameters = self._keys.parameters if parameters is None else parameters
        q = linkage.neutral() if self._pose is None else self._pose.copy()
        v = np.zeros(linkage.nv)
        for name, parts, mark in self._drives:
            joint = linkage.joints[name]
            q[joint.q_slice] = TextDrive(joint, parts, mark, parameters)(0.0)
        q = filled(linkage, "q", q, start.q, parameters)
        v = filled(linkage, "v", v, start.v, parameters)
        mark = self._keys.marks.get("start", self._root)
        mark.attempt(linkage.integrate, q, v)  # checks quaternions, too
        if linkage.constrained:
            closed = mark.attempt(close_loops, linkage, q)
            gap = float(np.abs(linkage.difference(q, closed)).max())
            if gap > CLOSED and not start.close:
                mark.fail(
                    f"loops are open at the start: coordinates move by {gap:.3g} to close them; give `close: true`"
                )
            q = closed
        return q, v

    def _read_drives(self, linkage: Linkage) -> list[tuple[str, list, Marked]]:
        drives = []
        for name, mark in (self._keys.drives.names() if self._keys.drives else {}).items():
            joint = linkage.columns.joint_names[mark.attempt(linkage._resolve_joint, name)]
            parts = read_expressions(mark, linkage.joints[joint].nq, f"joint {name!r}", self._keys.parameters)
            drives.append((joint, parts, mark))
        return drives

    # Making the simulation

    def _acting(self, linkage: Linkage) -> Forces:
        return Forces(linkage, self.linkage, self._keys.torques, self._keys.wrenches, self._keys.parameters)

    def _prepared(self, sim: Simulation) -> Simulation:
        for name, parts, mark in self._drives:
            joints, kind = sim.linkage.joints, type(self.linkage.joints[name].type)
            if name in joints and type(joints[name].type) is kind:  # else it was cut before the run was resumed
                mark.attempt(sim.drive, name, TextDrive(joints[name], parts, mark, self._keys.parameters))
        Happenings(self._keys, self.linkage).register(sim)
        return sim

    def __repr__(self) -> str:
        how = "adaptive" if isinstance(self.run, AdaptiveRun) else self.run.integrator
        return f"Scene({self.name!r}, {self.run.until:g} s, {how}, dt={self.run.dt:g} s)"
