"""Columns: one growable array per quantity, so that a million bodies are not a million objects."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.kernels.layout.kinds import BOUNDED, KIND_NQ, KIND_NV
from linkwork.linkage.joint import TYPES
from linkwork.linkage.joint_type import JointType
from linkwork.linkage.pose import Pose

BODY: dict[str, tuple[tuple[int, ...], type]] = {  # one row per body; its tree joint has the same row
    "mass": ((), np.float64),  # kg
    "com": ((3,), np.float64),  # m, body frame
    "inertia": ((6,), np.float64),  # xx, xy, xz, yy, yz, zz about the com, body axes, kg m²
    "parent": ((), np.int64),  # row of the parent, -1 = ground; always less than the row itself
    "code": ((), np.int64),  # kind of tree joint
    "at_rotation": ((3, 3), np.float64),  # the joint's frame in the parent's
    "at_position": ((3,), np.float64),
    "axis": ((3,), np.float64),  # first axis or normal, in the joint's frame
    "axis2": ((3,), np.float64),  # second axis; Planar: the plane's x
    "axis3": ((3,), np.float64),
    "pitch": ((), np.float64),  # Helical, m/rad
    "q_start": ((), np.int64),
    "v_start": ((), np.int64),
    "joint_uid": ((), np.int64),
}
DOF: dict[str, tuple[type, Any]] = {  # one entry per degree of freedom: its type and default
    "damping": (np.float64, 0.0),
    "armature": (np.float64, 0.0),
    "lower": (np.float64, -np.inf),  # limits of q, for joints with as many coordinates as degrees of freedom
    "upper": (np.float64, np.inf),
    "actuated": (np.bool_, True),
    "coulomb": (np.float64, 0.0),
    "effort": (np.float64, np.inf),
    "velocity_limit": (np.float64, np.inf),
}


class Columns:
    """Growable arrays and name indices.

    Every quantity of `BODY` and `DOF` is an attribute: a read-only view of the present length, valid until
    the next change. Writing goes through `set`, and from outside through `Linkage`, which counts revisions.
    """

    def __init__(self):
        self.n = self.nq = self.nv = 0
        self.body_names: list[str] = []
        self.joint_names: list[str] = []
        self.body_index: dict[str, int] = {}
        self.joint_index: dict[str, int] = {}
        self.next_uid = 0
        self._buffers = {name: np.empty((0, *shape), dtype) for name, (shape, dtype) in BODY.items()}
        self._buffers |= {name: np.empty(0, dtype) for name, (dtype, _) in DOF.items()}

    def __getattr__(self, name: str) -> np.ndarray:
        try:
            buffer = self.__dict__["_buffers"][name]
        except KeyError:
            raise AttributeError(name) from None
        view = buffer[: self.nv if name in DOF else self.n]
        view.flags.writeable = False
        return view

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *BODY, *DOF]

    def extend(self, names: list[str], joint_names: list[str], body: dict[str, Any], dof: dict[str, Any]) -> None:
        """Append checked bodies; `body` and `dof` hold arrays, or one value for all, by column name."""
        start, count = self.n, len(names)
        code = np.broadcast_to(np.asarray(body["code"]), (count,))
        nq, nv = KIND_NQ[code], KIND_NV[code]
        q_end, v_end = np.cumsum(nq) + self.nq, np.cumsum(nv) + self.nv
        layout = {
            "q_start": q_end - nq,
            "v_start": v_end - nv,
            "joint_uid": np.arange(self.next_uid, self.next_uid + count),
        }
        first_dof = self.nv
        self.n += count
        self.next_uid += count
        if count:
            self.nq, self.nv = int(q_end[-1]), int(v_end[-1])
        for name in BODY:
            self._reserve(name, self.n)[start : self.n] = layout[name] if name in layout else body[name]
        for name, (_, default) in DOF.items():
            self._reserve(name, self.nv)[first_dof : self.nv] = dof.get(name, default)
        rows = dict(zip(names, range(start, self.n), strict=True))
        self.body_index.update(rows)
        if joint_names is not names:
            rows = dict(zip(joint_names, range(start, self.n), strict=True))
        self.joint_index.update(rows)
        self.body_names += names
        self.joint_names += joint_names

    def new_uid(self) -> int:
        """Return a number that no joint or contact has had."""
        self.next_uid += 1
        return self.next_uid - 1

    def _reserve(self, name: str, length: int) -> np.ndarray:
        """Return the buffer, grown to at least `length` by doubling."""
        buffer = self._buffers[name]
        if len(buffer) < length:
            grown = np.empty((max(length, 2 * len(buffer), 8), *buffer.shape[1:]), buffer.dtype)
            grown[: len(buffer)] = buffer
            self._buffers[name] = buffer = grown
        return buffer

    def set(self, name: str, where: Any, value: Any) -> None:
        """Write into a column."""
        self._buffers[name][: self.nv if name in DOF else self.n][where] = value

    def replace_joint(self, index: int, name: str, joint: JointType, parent: int) -> None:
        """Give a body another tree joint, at the origin of `parent`: entries are inserted in the middle of vectors."""
        old = int(self.code[index])
        first, more_q, more_v = int(self.v_start[index]), joint.nq - int(KIND_NQ[old]), joint.nv - int(KIND_NV[old])
        values = dof_values(joint)
        for column, (dtype, _) in DOF.items():
            view = getattr(self, column)
            middle = np.full(joint.nv, values[column], dtype)
            self._buffers[column] = np.concatenate([view[:first], middle, view[first + int(KIND_NV[old]) :]])
        self.nq += more_q
        self.nv += more_v
        self.set("q_start", slice(index + 1, None), self.q_start[index + 1 :] + more_q)
        self.set("v_start", slice(index + 1, None), self.v_start[index + 1 :] + more_v)
        place = {"parent": parent, "at_rotation": np.eye(3), "at_position": 0.0, "joint_uid": self.new_uid()}
        for column, value in (body_values(joint) | place).items():
            self.set(column, index, value)
        del self.joint_index[self.joint_names[index]]
        self.joint_names[index] = name
        self.joint_index[name] = index

    def dof_slice(self, index: int) -> slice:
        """Where a joint's degrees of freedom are."""
        start = int(self.v_start[index])
        return slice(start, start + int(KIND_NV[self.code[index]]))

    def dofs(self, name: str, index: int) -> np.ndarray:
        """Return a joint's entries (nv,) of a column of `DOF`, a copy."""
        return getattr(self, name)[self.dof_slice(index)].copy()

    def limits(self, index: int) -> np.ndarray | None:
        """Return a joint's limits (nv, 2), None when it has none."""
        pairs = np.stack([self.dofs("lower", index), self.dofs("upper", index)], axis=-1)
        return pairs if np.isfinite(pairs).any() else None

    def have_options(self) -> np.ndarray:
        """Return which joints (n,) have an option that is not the default."""
        joint_of = np.repeat(np.arange(self.n), KIND_NV[self.code])
        differs = np.any([getattr(self, name) != default for name, (_, default) in DOF.items()], axis=0)
        return np.bincount(joint_of[differs], minlength=self.n) > 0

    def at(self, index: int) -> Pose:
        """Return the frame of a joint in its parent's."""
        return Pose.trusted(self.at_position[index].copy(), self.at_rotation[index].copy())

    def joint_type(self, index: int) -> JointType:
        """Rebuild the type of a joint as the user wrote it."""
        code = int(self.code[index])
        geometry = [getattr(self, column)[index] for column in TYPES[code].columns()]
        options: dict[str, Any] = {}
        if KIND_NV[code]:
            same = ("damping", "armature", "actuated", "coulomb", "effort")
            options = {name: self.dofs(name, index) for name in same}
            options["velocity"] = self.dofs("velocity_limit", index)
            options["limits"] = self.limits(index) if BOUNDED[code] else None
        return TYPES[code](*geometry, **options)

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        state["_buffers"] = {name: getattr(self, name).copy() for name in self._buffers}
        return state

    def copy(self) -> Columns:
        """Return independent columns."""
        other = Columns.__new__(Columns)
        other.__dict__.update(self.__getstate__())
        for name in ("body_names", "joint_names", "body_index", "joint_index"):
            setattr(other, name, getattr(self, name).copy())
        return other

    def __repr__(self) -> str:
        return f"Columns({self.n} bodies, nq={self.nq}, nv={self.nv})"


def body_values(joint: JointType) -> dict[str, Any]:
    """Return the entries of `BODY` that a joint's type decides."""
    return {"code": joint.code, **joint.geometry()}


def dof_values(joint: JointType) -> dict[str, Any]:
    """Return the entries of `DOF` that a joint's options decide."""
    limits = np.array((-np.inf, np.inf) if joint.limits is None else joint.limits)
    return {
        "damping": joint.damping,
        "armature": joint.armature,
        "lower": limits[..., 0],
        "upper": limits[..., 1],
        "actuated": joint.actuated,
        "coulomb": joint.coulomb,
        "effort": joint.effort,
        "velocity_limit": joint.velocity,
    }
