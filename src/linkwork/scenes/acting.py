"""What acts on the linkage of a scene during its run: torques, wrenches and conditions, written as expressions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from linkwork.dynamics.kinematics import body_poses
from linkwork.errors import ArgumentError, unknown_name
from linkwork.io.marked import Marked
from linkwork.io.scene_keys import BodyWrench
from linkwork.kernels.layout.acting import PART, PUSH
from linkwork.kernels.layout.kinds import QUATERNION
from linkwork.linkage.expressions import Expression
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.programs import Programs, Row
from linkwork.simulation.acting import Text

if TYPE_CHECKING:
    from linkwork.linkage.joint_handle import Joint
    from linkwork.quasistatics.adaptive_simulation import AdaptiveSimulation


def read_expression(
    mark: Marked, parameters: Mapping[str, float], *, time: bool = True, state: bool = False
) -> Expression:
    """An expression in the file; an error names its line."""
    return mark.attempt(Expression, mark.plain(), [*parameters, *(["t"] if time else [])], state=state)


def read_expressions(
    mark: Marked, count: int, what: str, parameters: Mapping[str, float], **allowed: bool
) -> list[Expression]:
    """A list of `count` expressions; a single one needs no list."""
    marks = mark.sequence() if mark.is_sequence() else [mark]
    if len(marks) != count:
        mark.fail(f"{what} takes {count} value(s), not {len(marks)}")
    return [read_expression(entry, parameters, **allowed) for entry in marks]


def constants(mark: Marked, count: int, what: str, parameters: Mapping[str, float]) -> list[float]:
    """A list of `count` numbers, which may be written as expressions without time."""
    marks = mark.sequence() if mark.is_sequence() else [mark]
    parts = read_expressions(mark, count, what, parameters, time=False)
    return [entry.attempt(part, parameters) for entry, part in zip(marks, parts, strict=True)]


class StateReader:
    """An expression of q and v, evaluated in the layout that the linkage has at that time."""

    def __init__(self, linkage: Linkage, expression: Expression, mark: Marked, parameters: Mapping[str, float]):
        self.expression, self.mark = expression, mark
        self._linkage, self._parameters, self._revision = linkage, parameters, -1

    def _bind(self) -> None:
        self._places = [_place(self._linkage, *part) for part in self.expression.states]
        self._revision = self._linkage.revision

    def __call__(self, t: float, q: np.ndarray, v: np.ndarray):
        """The expression's value."""
        if self._revision != self._linkage.revision:
            self.mark.attempt(self._bind)
        states = [float((q if kind == "q" else v)[place]) for kind, place in self._places]
        return self.mark.attempt(self.expression, {**self._parameters, "t": t}, states)

    def write(self, programs: Programs) -> tuple[int, int]:
        """Write it for compiled steps, in the present layout; return where it starts, and where its value is kept."""
        start = programs.expression(*self._written())
        return start, -1 if self.expression.states else programs.place()

    def write_torque(self, programs: Programs, dof: int) -> list[Row]:
        """Write it as a torque on a degree of freedom."""
        return programs.torque(dof, *self._written())

    def _written(self) -> tuple[Expression, Mapping[str, float], list[tuple[str, int]]]:
        if self._revision != self._linkage.revision:
            self.mark.attempt(self._bind)
        return self.expression, self._parameters, self._places


def _place(linkage: Linkage, kind: str, name: str, index: int | None) -> tuple[str, int]:
    """Whether a coordinate is in q or in v, and its index there."""
    joint = linkage.joints[linkage._resolve_joint(name)]
    where, count = (joint.q_slice, joint.nq) if kind == "q" else (joint.v_slice, joint.nv)
    if index is None and count != 1:
        raise ArgumentError(f"joint {name!r} has {count} of {kind}: write {kind}[{name}][0] for the first one")
    if (index or 0) >= count:
        raise ArgumentError(f"joint {name!r} has {count} of {kind}: there is no {kind}[{name}][{index}]")
    return kind, where.start + (index or 0)


@dataclass(slots=True)
class _Torque:
    joint: str
    parts: list[StateReader]
    given: np.ndarray | None = None


@dataclass(slots=True)
class _Push:
    body: str
    point: np.ndarray
    parts: list[StateReader]  # of force and torque
    given: np.ndarray | None = None


class Forces:
    """All that acts in a scene: ``torques(t, q, v)`` and ``wrenches(t, q, v)``, which a simulation takes.

    A torque on a joint that has been cut does nothing. Names are those of the linkage as it was `described`;
    `linkage` is the one that moves, which may have been cut since.
    """

    def __init__(
        self, linkage: Linkage, described: Linkage, torques: Marked | None, wrenches: list[BodyWrench],
        parameters: Mapping[str, float],
    ):  # fmt: skip
        self._linkage = linkage
        self._torques, self._pushes = [], []
        for name, mark in (torques.names() if torques else {}).items():
            count = dofs(described, name, mark)
            parts = read_expressions(mark, count, f"joint {name!r}", parameters, state=True)
            self._torques.append(_Torque(name, self._readers(parts, mark, parameters)))
        for given in wrenches:
            given.marks["body"].attempt(described._resolve, given.body)
            self._pushes.append(self._push(given, parameters))
        self._bind()

    def _bind(self) -> None:
        """Find where the torques stand in the present layout."""
        self._revision = self._linkage.revision
        self._acting = []
        for torque in self._torques:
            where = _dofs(self._linkage, torque.joint)
            if where is not None and where.stop - where.start == len(torque.parts):
                self._acting += zip(range(where.start, where.stop), torque.parts, strict=True)

    def _readers(self, parts: list[Expression], mark: Marked, parameters: Mapping[str, float]) -> list[StateReader]:
        return [StateReader(self._linkage, part, mark, parameters) for part in parts]

    def _push(self, given: BodyWrench, parameters: Mapping[str, float]) -> _Push:
        point = given.point.numbers() if given.point is not None else [0.0, 0.0, 0.0]
        if np.shape(point) != (3,) or not np.isfinite(point).all():
            given.marks["point"].fail("a point is three finite numbers")
        readers = []
        for key, mark in (("force", given.force), ("torque", given.torque)):
            if mark is None:
                nothing = [Expression(0.0)] * 3
                readers += self._readers(nothing, given.marks["body"], parameters)
                continue
            parts = read_expressions(mark, 3, f"a {key}", parameters, state=True)
            readers += self._readers(parts, mark, parameters)
        if given.force is None and given.torque is None:
            given.marks["body"].fail("a wrench needs a force or a torque")
        return _Push(given.body, np.array(point, dtype=float), readers)

    def check(self, q: np.ndarray, v: np.ndarray) -> None:
        """Evaluate everything once, so that an expression without a value is found before the run."""
        for entry in (*self._torques, *self._pushes):
            for part in entry.parts:
                if isinstance(part(0.0, q, v), bool):
                    part.mark.fail("must be a number, not a truth value")

    def drive(self, simulation: AdaptiveSimulation, t: float) -> None:
        """Give an adaptive simulation what acts at a time; what stays as it was is not given again."""
        q, v = simulation.q, np.zeros(self._linkage.nv)
        for entry in (*self._torques, *self._pushes):
            values = np.array([part(t, q, v) for part in entry.parts])
            if np.array_equal(values, entry.given):
                continue
            entry.given = values
            if isinstance(entry, _Torque):
                simulation.apply_torque(entry.joint, values)
            else:
                simulation.apply_force(entry.body, values[:3], entry.point, moment=values[3:])

    @property
    def torques(self) -> Callable | None:
        """Torques in joints as a function of (t, q, v), None where there are none."""
        return Text(self._torques_at, self._write_torques) if self._torques else None

    @property
    def wrenches(self) -> Callable | None:
        """Wrenches on bodies as a function of (t, q, v), None where there are none."""
        return Text(self._wrenches_at, self._write_wrenches) if self._pushes else None

    def _write_torques(self, programs: Programs) -> list[Row]:
        self._bind()
        return [row for place, part in self._acting for row in part.write_torque(programs, place)]

    def _write_wrenches(self, programs: Programs) -> list[Row]:
        rows = []
        for push in self._pushes:
            body, pose = self._linkage._resolve(push.body)
            if body < 0:  # the ground does not feel it
                continue
            stage, at = int(self._linkage.tree.stage[body]), len(programs.numbers)
            programs.numbers += [float(stage), *(self._linkage.tree.align[stage].T @ pose.apply(push.point)).tolist()]
            rows += [(PUSH if k == 0 else PART, body, at, *part.write(programs)) for k, part in enumerate(push.parts)]
        return rows

    def _torques_at(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Torques of tree and loop joints, (nv + nv_loop,)."""
        linkage = self._linkage
        tau = np.zeros(linkage.nv + linkage.nv_loop)
        if self._revision != linkage.revision:
            self._bind()
        for place, part in self._acting:
            tau[place] += part(t, q, v)
        return tau

    def _wrenches_at(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Wrenches on bodies about their origins, (nb, 6)."""
        linkage = self._linkage
        f_ext = np.zeros((linkage.nb, 6))
        rotations = body_poses(linkage, q).rotations
        for push in self._pushes:
            wrench = np.array([part(t, q, v) for part in push.parts])
            body, pose = linkage._resolve(push.body)
            if body >= 0:  # the ground does not feel it
                wrench[3:] += np.cross(rotations[body] @ pose.apply(push.point), wrench[:3])
                f_ext[body] += wrench
        return f_ext


def _dofs(linkage: Linkage, name: str) -> slice | None:
    """The slice of tau of a tree or loop joint; None where there is no such joint."""
    if name in linkage.joints:
        return linkage.joints[name].v_slice
    return linkage.loops[name].v_slice if name in linkage.loops else None


def dofs(linkage: Linkage, name: str, mark: Marked) -> int:
    """The number of degrees of freedom of a joint, tree or loop."""
    where = _dofs(linkage, name)
    if where is None:
        mark.fail(str(unknown_name("joint", name, [*linkage.joints.names, *linkage.loops.names])))
    return where.stop - where.start


class TextDrive:
    """The motion of a driven joint as a function of time; a quaternion may have any length."""

    def __init__(self, joint: Joint, parts: list[Expression], mark: Marked, parameters: Mapping[str, float]):
        self._parts, self._mark, self._parameters = parts, mark, parameters
        self._turn = slice(QUATERNION[joint.type.code], None) if QUATERNION[joint.type.code] >= 0 else slice(0)

    def __call__(self, t: float) -> np.ndarray:
        """The coordinates, by Python."""
        q = np.array([self._mark.attempt(part, {**self._parameters, "t": t}) for part in self._parts], dtype=float)
        size = np.linalg.norm(q[self._turn])
        if not size > 0.0 and q[self._turn].size:
            self._mark.fail(f"the quaternion is zero at t = {t:g} s")
        q[self._turn] /= size if size > 0.0 else 1.0
        return q

    def write(self, programs: Programs) -> list[int]:
        """Write it for compiled steps; return where each coordinate starts."""
        return [programs.expression(part, self._parameters) for part in self._parts]


def filled(
    linkage: Linkage, what: str, values: np.ndarray, given: Marked | None, parameters: Mapping[str, float]
) -> np.ndarray:  # fmt: skip
    """Coordinates or velocities with those that are given by joint name."""
    for name, mark in (given.names() if given is not None else {}).items():
        joint = linkage.joints[mark.attempt(linkage._resolve_joint, name)]
        where, count = (joint.q_slice, joint.nq) if what == "q" else (joint.v_slice, joint.nv)
        values[where] = constants(mark, count, f"{what} of joint {name!r}", parameters)
    return values
