"""The handle of a tree joint in a linkage."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from linkwork.errors import ArgumentError, StructureError
from linkwork.kernels.layout.kinds import BOUNDED, KIND_NQ, KIND_NV
from linkwork.linkage.checks import check_actuated, per_dof
from linkwork.linkage.family import family_of
from linkwork.linkage.handle import Handle
from linkwork.linkage.joint_type import PER_DOF, JointType, checked_limits
from linkwork.linkage.pose import Pose

if TYPE_CHECKING:
    from linkwork.linkage.body import Body
    from linkwork.linkage.linkage import Linkage
    from linkwork.linkage.loops import Loop


def _dof_property(name: str, doc: str, *, column: str | None = None) -> property:
    """Make a property of `Joint` over one column: a float for one degree of freedom, else an array (nv,)."""
    stored = column or name
    minimum, default = PER_DOF[name]

    def get(self: Joint):
        values = self.linkage.columns.dofs(stored, self._row())
        return float(values[0]) if values.size == 1 else values

    def put(self: Joint, value) -> None:
        checked = per_dof(value, self.nv, f"{name} of joint {self.name!r}", minimum=minimum, default=default)
        self.linkage._set_parameters(**{stored: (self.v_slice, checked)})

    return property(get, put, doc=doc)


class Joint(Handle):
    """Handle of a tree joint. It stays valid until that joint is cut away.

    `damping`, `armature`, `limits`, `actuated`, `coulomb`, `effort`, `velocity` and `at` can be set; the
    linkage then counts a change of parameters. Where a joint has several degrees of freedom they are arrays (nv,).

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> joint = arm.joints["link1"]
    >>> joint.damping = 0.1
    >>> joint.type, joint.v_slice
    (Revolute('y', damping=0.1), slice(1, 2, None))
    """

    __slots__ = ("uid",)
    uid: int

    def __init__(self, linkage: Linkage, index: int):
        super().__init__(linkage, index)
        object.__setattr__(self, "uid", int(linkage.columns.joint_uid[index]))

    def _row(self) -> int:
        """Return the joint's row in the columns, which is its child's; raise when the joint is gone."""
        if self.linkage.columns.joint_uid[self.index] != self.uid:
            child = self.linkage.columns.body_names[self.index]
            raise StructureError(
                f"the joint of body {child!r} that this handle was made for has been cut away: "
                "take a new handle from linkage.joints"
            )
        return self.index

    def _key(self) -> tuple[int, int]:
        return id(self.linkage), self.uid

    @property
    def name(self) -> str:
        """The joint's name."""
        return self.linkage.columns.joint_names[self._row()]

    @property
    def type(self) -> JointType:
        """The joint's type with its options, rebuilt from the columns."""
        return self.linkage.columns.joint_type(self._row())

    @property
    def nq(self) -> int:
        """Number of coordinates."""
        return int(KIND_NQ[self.linkage.columns.code[self._row()]])

    @property
    def nv(self) -> int:
        """Number of degrees of freedom."""
        return int(KIND_NV[self.linkage.columns.code[self._row()]])

    @property
    def q_slice(self) -> slice:
        """Where its coordinates are in q."""
        start = int(self.linkage.columns.q_start[self._row()])
        return slice(start, start + self.nq)

    @property
    def v_slice(self) -> slice:
        """Where its velocities are in v, a and tau."""
        return self.linkage.columns.dof_slice(self._row())

    @property
    def parent(self) -> Body:
        """The body (or ground) it hangs on."""
        return self.linkage._body_at(int(self.linkage.columns.parent[self._row()]))

    @property
    def child(self) -> Body:
        """The body that hangs on it."""
        return self.linkage._body_at(self._row())

    @property
    def brother(self) -> Joint | Loop | None:
        """The next joint on the same parent: tree joints in order of adding, then loop joints."""
        from linkwork.linkage.loops import first_loop_on

        later = family_of(self.linkage).brother[self._row()]
        if later >= 0:
            return Joint(self.linkage, later)
        return first_loop_on(self.linkage, int(self.linkage.columns.parent[self.index]))

    @property
    def real(self) -> Body | None:
        """The real body of a loop joint's virtual link: None, for this is a tree joint."""
        self._row()

    @property
    def at(self) -> Pose:
        """The joint's frame in the parent body's frame."""
        return self.linkage.columns.at(self._row())

    @at.setter
    def at(self, pose: Pose) -> None:
        if not isinstance(pose, Pose):
            raise ArgumentError(f"at must be a Pose, not {pose!r}")
        self.linkage._set_parameters(at_position=(self._row(), pose.position), at_rotation=(self.index, pose.rotation))

    @property
    def limits(self) -> np.ndarray | None:
        """Bounds of the coordinates, (nv, 2), None when it has none."""
        return self.linkage.columns.limits(self._row())

    @limits.setter
    def limits(self, value) -> None:
        if value is not None and not BOUNDED[self.linkage.columns.code[self._row()]]:
            raise ArgumentError(f"joint {self.name!r}: a {type(self.type).__name__} joint cannot have limits")
        pairs = np.array((-np.inf, np.inf) if value is None else checked_limits(value, self.type) or (-np.inf, np.inf))
        self.linkage._set_parameters(lower=(self.v_slice, pairs[..., 0]), upper=(self.v_slice, pairs[..., 1]))

    @property
    def actuated(self) -> bool | np.ndarray:
        """Whether a motor drives it: one bool, or (nv,) where degrees of freedom differ."""
        values = self.linkage.columns.dofs("actuated", self._row())
        return bool(values.all()) if values.all() == values.any() else values

    @actuated.setter
    def actuated(self, value) -> None:
        self.linkage._set_parameters(actuated=(self.v_slice, check_actuated(value, self.nv)))

    damping = _dof_property("damping", "Viscous damping, N s/m or N m s/rad.")
    armature = _dof_property("armature", "Inertia of the rotor seen at the joint, kg or kg m².")
    coulomb = _dof_property("coulomb", "Dry friction as described, N or N m.")
    effort = _dof_property("effort", "Greatest force or torque of the motor.")
    velocity = _dof_property("velocity", "Greatest speed.", column="velocity_limit")

    def __repr__(self) -> str:
        if self.linkage.columns.joint_uid[self.index] != self.uid:
            return "Joint(cut away)"
        return f"Joint({self.name!r}, {self.type!r}, {self.parent.name!r} -> {self.child.name!r})"
