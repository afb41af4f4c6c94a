"""The linkage: bodies, their joints, frames and forces, held in columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.errors import ArgumentError, unknown_name
from linkwork.linkage.body import GROUND, Body, Frame
from linkwork.linkage.bulk import add_bodies
from linkwork.linkage.change import Change, cut_tree_joint
from linkwork.linkage.checks import array, text
from linkwork.linkage.columns import Columns, body_values, dof_values
from linkwork.linkage.contacts import Constrained, ContactRecord
from linkwork.linkage.coupling import Coupling, Couplings
from linkwork.linkage.forces import Force, check_force
from linkwork.linkage.inertia import Inertia, six
from linkwork.linkage.joint import FREE, SPHERICAL, Joint, JointType
from linkwork.linkage.loops import Loop, LoopRecord, connect, cut_loop
from linkwork.linkage.merge import merge
from linkwork.linkage.named import Named, Register
from linkwork.linkage.patch import after_cut, with_loops
from linkwork.linkage.pose import Pose
from linkwork.linkage.strength import Strength, strength_of
from linkwork.linkage.visuals import Visual

if TYPE_CHECKING:
    from linkwork.linkage.assembly import Assembly
    from linkwork.linkage.tree import Tree

HERE = Pose()


class Linkage(Constrained):
    """Rigid bodies and the joints between them.

    Parameters
    ----------
    name : str
        What it is called.
    gravity : (3,) array_like
        In m/s², world axes, z up.

    Attributes
    ----------
    columns : Columns
        The arrays behind it, read-only.
    ignored : list of str
        What a file reader left out.
    visuals : list of Visual
        What the bodies look like; dynamics never reads it.
    couplings : list of Coupling
        Joints whose coordinate follows another's.
    strengths : dict of Strength
        What tree joints and contacts bear, by name; see `set_strength`.
    revision : int
        Counts changes of structure (bodies, joints).
    parameters_revision : int
        Counts changes of parameters (gravity, masses, damping, forces).

    Examples
    --------
    >>> import linkwork as lw
    >>> linkage = lw.Linkage(name="pendulum")
    >>> rod = lw.Inertia.rod(1.0, mass=2.0, com=(0, 0, -0.5))
    >>> linkage.add_body("rod", rod, joint=lw.Revolute("y"), at=lw.Pose((0, 0, 1)))
    Body('rod', 2 kg, on 'ground')
    """

    def __init__(self, *, name: str = "linkage", gravity=(0.0, 0.0, -9.81)):
        self.name = name
        self.columns = Columns()
        self.ignored: list[str] = []
        self.visuals: list[Visual] = []
        self._couplings: list[Coupling] = []
        self.strengths: dict[str, Strength] = {}
        self.revision = 0
        self.parameters_revision = 0
        self._frames: Register[tuple[int, Pose]] = Register()
        self._loops: Register[LoopRecord] = Register()
        self._contacts: Register[ContactRecord] = Register()
        self._forces: list[Force] = []
        self._tree: Tree | None = None
        self.gravity = gravity

    # Sizes and collections

    @property
    def nb(self) -> int:
        """Number of bodies, ground not counted."""
        return self.columns.n

    @property
    def nq(self) -> int:
        """Number of coordinates of the tree joints."""
        return self.columns.nq

    @property
    def nv(self) -> int:
        """Number of degrees of freedom of the tree joints."""
        return self.columns.nv

    @property
    def nv_loop(self) -> int:
        """Number of degrees of freedom of the loop joints."""
        return sum(loop.nv for loop in self._loops.records)

    @property
    def bodies(self) -> Named[Body]:
        """The bodies in order of adding."""
        return Named("body", self.columns.body_names, self.columns.body_index, self.body_at)

    @property
    def joints(self) -> Named[Joint]:
        """The tree joints, in the order of their bodies."""
        columns = self.columns
        return Named("joint", columns.joint_names, columns.joint_index, lambda i: Joint(self, i))

    @property
    def frames(self) -> Named[Frame]:
        """The frames in order of adding."""
        return Named("frame", self._frames.names, self._frames.index, lambda i: Frame(self, i))

    @property
    def loops(self) -> Named[Loop]:
        """The loop joints in order of connecting."""
        return Named("loop joint", self._loops.names, self._loops.index, lambda i: Loop(self, i))

    @property
    def loop_records(self) -> list[LoopRecord]:
        """What the loop joints are, in order: for packing."""
        return self._loops.records

    @property
    def forces(self) -> list[Force]:
        """The force elements in order of adding (a copy of the list)."""
        return list(self._forces)

    @property
    def couplings(self) -> Couplings:
        """The couplings in order of adding; a list to be changed as one likes."""
        return Couplings(self._couplings, lambda: self._changed(structure=True))

    @couplings.setter
    def couplings(self, value: Sequence[Coupling]) -> None:
        self._couplings = list(value)
        self._changed(structure=True)

    @property
    def ground(self) -> Body:
        """The world."""
        return Body(self, -1)

    @property
    def taken_names(self) -> tuple[Any, ...]:
        """Collections of the names that no further body or frame may have."""
        return (self.columns.body_index, self._frames.index, (GROUND,))

    @property
    def taken_joint_names(self) -> tuple[Any, ...]:
        """Collections of the names that no further joint may have."""
        return (self.columns.joint_index, self._loops.index)

    def body_at(self, index: int) -> Body:
        """Return the handle of body `index`, -1 for ground."""
        return Body(self, index)

    def resolve(self, body: str | Body | Frame) -> tuple[int, Pose]:
        """Return the body's index (-1 for ground) and the pose in it of the body or frame that is named."""
        if isinstance(body, (Body, Frame)):
            if body.linkage is not self:
                raise ArgumentError(f"{body!r} belongs to another linkage: give its name, or a handle of this one")
            return self._frames.records[body.index] if isinstance(body, Frame) else (body.index, HERE)
        if body == GROUND:
            return -1, HERE
        index = self.columns.body_index.get(body) if isinstance(body, str) else None
        if index is not None:
            return index, HERE
        if not isinstance(body, str) or body not in self._frames.index:
            raise unknown_name("body or frame", body, [*self.columns.body_names, *self._frames.names, GROUND])
        return self._frames.records[self._frames.index[body]]

    def resolve_joint(self, joint: str | Joint) -> int:
        """Return the row of a tree joint, by name or handle."""
        if isinstance(joint, Joint):
            if joint.linkage is not self:
                raise ArgumentError(f"{joint!r} belongs to another linkage: give its name, or a handle of this one")
            return self.columns.joint_index[joint.name]
        if not isinstance(joint, str) or joint not in self.columns.joint_index:
            raise unknown_name("joint", joint, self.columns.joint_names)
        return self.columns.joint_index[joint]

    # Describing

    def add_body(
        self,
        name: str,
        inertia: Inertia | None = None,
        *,
        joint: JointType,
        parent: str | Body | Frame = GROUND,
        at: Pose = HERE,
        joint_name: str | None = None,
        strength: float | Strength | None = None,
    ) -> Body:
        """Add a body and the joint it hangs on.

        Parameters
        ----------
        name : str
            New among bodies and frames.
        inertia : Inertia, optional
            Default: massless.
        joint : JointType
            Revolute("y"), Free(), ...
        parent : str, Body or Frame
            What it hangs on: a body that is there already, a frame of one, or "ground".
        at : Pose
            The joint's frame in the parent's; at q = 0 the body's frame coincides with it.
        joint_name : str, optional
            New among joints. Default: the body's name.
        strength : float or Strength, optional
            What the joint bears before it breaks in a simulation: a force, N, or force and torque.
        """
        self._check_new(text(name, "name"), "body", self.taken_names)
        joint_name = name if joint_name is None else text(joint_name, "joint_name")
        self._check_new(joint_name, "joint", self.taken_joint_names)
        if inertia is None:
            inertia = Inertia(0.0)
        for value, kind, what in (
            (inertia, Inertia, "inertia"),
            (joint, JointType, "joint"),
            (at, Pose, "at"),
        ):
            if not isinstance(value, kind):
                raise ArgumentError(f"{what} of body {name!r} must be a {kind.__name__}, not {value!r}")
        strength = strength_of(strength)
        index, pose = self.resolve(parent)
        at = at if pose is HERE else pose @ at
        body = body_values(joint) | {
            "mass": inertia.mass,
            "com": inertia.com,
            "inertia": six(inertia.matrix),
            "parent": index,
            "at_rotation": at.rotation,
            "at_position": at.position,
        }
        self.append([str(name)], [str(joint_name)], body, dof_values(joint))
        if strength is not None:
            self.strengths[joint_name] = strength
        return Body(self, self.nb - 1)

    def add_bodies(self, names: Sequence[str], *, joint_names: Sequence[str] | None = None, **columns: Any) -> range:
        """Add many bodies at once, given as columns; a million take about a second.

        Parameters
        ----------
        names, joint_names : sequence of str
            As in `add_body`.
        **columns : array_like
            By the names of `linkage.columns`, one row a body or one value for all: `parent` (row of an
            earlier body, -1 for ground), `code` (of the joint type, such as `Revolute.code`), `mass`, `com`,
            `inertia` (xx, xy, xz, yy, yz, zz about the com), `axis`, `axis2`, `pitch`, `at_position`,
            `at_rotation`; and one value a body for all its degrees of freedom: `damping`, `armature`,
            `lower`, `upper`, `actuated`, `coulomb`, `effort`, `velocity_limit`.

        Returns
        -------
        range
            The rows of the new bodies.
        """
        return add_bodies(self, names, columns, joint_names)

    def append(self, names: list[str], joint_names: list[str], body: dict[str, Any], dof: dict[str, Any]) -> None:
        """Append checked columns: the one place where bodies come in."""
        self.columns.extend(names, joint_names, body, dof)
        self._changed(structure=True)

    def add_frame(self, name: str, body: str | Body | Frame, pose: Pose = HERE) -> Frame:
        """Add a named pose fixed to a body, to another frame's body, or to ground."""
        self._check_new(text(name, "name"), "body or frame", self.taken_names)
        if not isinstance(pose, Pose):
            raise ArgumentError(f"pose of frame {name!r} must be a Pose, not {pose!r}")
        index, base = self.resolve(body)
        self._frames.add(name, (index, base @ pose))
        return Frame(self, len(self._frames) - 1)

    def add_force(self, force: Force) -> Force:
        """Add a `Spring`, `JointSpring` or `JointFriction`; what it acts on must be there."""
        check_force(self, force)
        self._forces.append(force)
        self._changed()
        return force

    def remove_force(self, force: Force) -> None:
        """Take a force element away."""
        if force not in self._forces:
            raise ArgumentError(f"{force!r} is not a force of this linkage")
        self._forces.remove(force)
        self._changed()

    def add(self, other: Linkage, *, prefix: str = "", parent: str | Body | Frame = GROUND, at: Pose = HERE) -> range:
        """Add a copy of another linkage: its ground comes to lie at `at` in `parent`.

        Bodies, joints, loop joints, frames, forces, couplings and visuals come along, their names with `prefix`
        before them; gravity does not. Returns the rows of the new bodies.
        """
        return merge(self, other, prefix=prefix, parent=parent, at=at)

    def _check_new(self, name: str, kind: str, taken: tuple[Any, ...]) -> None:
        if name == GROUND and kind != "joint":
            raise ArgumentError("'ground' is the name of the world: choose another one")
        if any(name in names for names in taken):
            raise ArgumentError(f"there is already a {kind} named {name!r}; names must be unique")

    # Changing

    def _changed(self, *, structure: bool = False) -> None:
        self._tree = None
        if structure:
            self.revision += 1
        else:
            self.parameters_revision += 1

    def replace_joint(self, index: int, name: str, joint: JointType) -> tuple[Force, ...]:
        """Hang a body on ground by another joint; return the forces that went with the old one."""
        old = self.columns.joint_names[index]
        self.columns.replace_joint(index, name, joint, parent=-1)
        self.strengths.pop(old, None)
        removed = tuple(force for force in self._forces if getattr(force, "joint", None) == old)
        self._forces = [force for force in self._forces if force not in removed]
        self._couplings = [each for each in self._couplings if old not in (each.joint, each.of)]
        self._patched(after_cut, index)
        return removed

    def set_strength(self, name: str, strength: float | Strength | None) -> None:
        """Let a tree joint or a contact, by name, break beyond a force (N) or a `Strength`; None for never."""
        if name not in self.columns.joint_index and name not in self._contacts.index:
            raise unknown_name("tree joint or contact", name, [*self.columns.joint_names, *self._contacts.names])
        strength = strength_of(strength)
        self.strengths.pop(name, None)
        if strength is not None:
            self.strengths[name] = strength
        self._changed()

    def set_parameters(self, **values: tuple[Any, Any]) -> None:
        """Write checked values, column=(where, value), and count one change of parameters."""
        for column, (where, value) in values.items():
            self.columns.set(column, where, value)
        self._changed()

    @property
    def gravity(self) -> np.ndarray:
        """Acceleration of free fall (3,), m/s², world axes; can be set."""
        return self._gravity

    @gravity.setter
    def gravity(self, value) -> None:
        gravity = array(value, (3,), "gravity")
        gravity.flags.writeable = False
        self._gravity = gravity
        self._changed()

    def connect(
        self,
        a: str | Body | Frame,
        b: str | Body | Frame,
        joint: JointType,
        *,
        at_a: Pose = HERE,
        at_b: Pose = HERE,
        name: str | None = None,
        strength: float | Strength | None = None,
    ) -> Change:
        """Close a loop: join two bodies, or a body and ground, by one more joint. Nothing is renumbered.

        The joint's motion is that of `b` seen from `a`; `at_a` and `at_b` place its frame on either side and coincide
        at its zero. Default name: those of the two bodies. `strength` is what it bears before it breaks in
        a simulation: a force, N, or force and torque. A loop joint cannot have armature.
        """
        return connect(self, a, b, joint, at_a, at_b, name, strength)

    def register_loop(self, name: str, record: LoopRecord | None) -> None:
        """Take in a checked loop joint, or take out the one of this name where `record` is None."""
        if record is None:
            self._loops.remove(name)
        else:
            self._loops.add(name, record)
        self._patched(with_loops)

    def _patched(self, patch: Callable[..., Tree | None], *details: Any) -> None:
        """Count a change of structure after which the packed tree, where there is one, needs a patch only."""
        tree = self._tree
        self._changed(structure=True)
        if tree is not None:
            self._tree = patch(tree, self, *details)

    def cut(self, joint: str | Joint | Loop) -> Change:
        """Cut a joint: a loop joint is gone; a tree joint's child hangs on ground by a `Free` joint from now on.

        The new joint is named like the child body, or with "_free" after it where that name is taken.
        Forces and couplings that act on the old joint go with it.
        """
        if isinstance(joint, Loop):
            if joint.linkage is not self:
                raise ArgumentError(f"{joint!r} belongs to another linkage: give its name, or a handle of this one")
            joint = joint.name
        if isinstance(joint, str) and joint in self._loops.index:
            return cut_loop(self, joint)
        return cut_tree_joint(self, self.resolve_joint(joint))

    # Configurations

    def neutral(self) -> np.ndarray:
        """Return q (nq,) of the pose as described: zeros, and identity quaternions."""
        q = np.zeros(self.nq)
        code, start = self.columns.code, self.columns.q_start
        q[start[code == SPHERICAL] + 3] = 1.0
        q[start[code == FREE] + 6] = 1.0
        return q

    def random(self, rng: np.random.Generator | int | None = None) -> np.ndarray:
        """Return a random q (nq,); `rng` is a generator or a seed."""
        from linkwork.kinematics import random_configuration

        return random_configuration(self, np.random.default_rng(rng))

    def integrate(self, q, dv) -> np.ndarray:
        """Return q moved by the velocity `dv` (..., nv) for one unit of time."""
        from linkwork.kinematics import integrate

        return integrate(self, q, dv)

    def difference(self, q0, q1) -> np.ndarray:
        """Return dv (..., nv) such that integrate(q0, dv) is q1."""
        from linkwork.kinematics import difference

        return difference(self, q0, q1)

    # Packing, saving, copying

    @property
    def tree(self) -> Tree:
        """The packed arrays of the present structure and parameters."""
        if self._tree is None:
            from linkwork.linkage.tree import pack

            self._tree = pack(self)
        return self._tree

    def assembly(self) -> Assembly:
        """Return the assembly tree of the present structure: see `Assembly`."""
        tree = self.tree
        if tree.assembly is None:
            from linkwork.linkage.assembly import Assembly

            tree.assembly = Assembly(self)
        return tree.assembly

    def save(self, path: str | PathLike[str]) -> None:
        """Write a description; the suffix decides the format (see `linkwork.load`)."""
        from linkwork.io.load import save

        save(self, path)

    def copy(self) -> Linkage:
        """Return a linkage of its own, equal to this one."""
        other = Linkage.__new__(Linkage)
        other.__dict__.update(self.__getstate__())
        other.columns = self.columns.copy()
        for name in ("ignored", "visuals", "_couplings", "_forces"):
            setattr(other, name, list(getattr(self, name)))
        other.strengths = dict(self.strengths)
        for name in ("_frames", "_loops", "_contacts"):
            setattr(other, name, getattr(self, name).copy())
        return other

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_tree": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._gravity.flags.writeable = False

    def __copy__(self) -> Linkage:
        return self.copy()

    def __repr__(self) -> str:
        parts = [f"{self.nb} bodies", f"nq={self.nq}", f"nv={self.nv}"]
        for what in ("frames", "forces", "couplings", "loops", "contacts"):
            count = len(getattr(self, what))
            if count:
                parts.append(f"{count} {what}")
        return f"Linkage({self.name!r}, {', '.join(parts)})"
