"""The linkage: how bodies, joints, frames and forces come in and are changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from numpy.typing import ArrayLike

from linkwork.errors import ArgumentError, unknown_name
from linkwork.linkage.body import GROUND, Body, Frame
from linkwork.linkage.bulk import add_bodies
from linkwork.linkage.change import Change, change_register, cut_tree_joint
from linkwork.linkage.checks import check_kind
from linkwork.linkage.columns import body_values, dof_values
from linkwork.linkage.contacts import Contact, constrain, release
from linkwork.linkage.contents import HERE, Contents
from linkwork.linkage.forces import Force, check_force
from linkwork.linkage.handle import check_own
from linkwork.linkage.implicit import Implicit
from linkwork.linkage.inertia import Inertia, six
from linkwork.linkage.joint_handle import Joint
from linkwork.linkage.joint_type import JointType
from linkwork.linkage.loops import Loop, connect
from linkwork.linkage.merge import merge
from linkwork.linkage.motor import Motor, motors_of
from linkwork.linkage.named import new_name
from linkwork.linkage.packing.patch import after_cut
from linkwork.linkage.pose import Pose
from linkwork.linkage.shape_pairs import meet, part
from linkwork.linkage.shapes import Shape, Solid, add_shape
from linkwork.linkage.strength import Strength, strength_of

if TYPE_CHECKING:
    from linkwork.linkage.packing.assembly import Assembly

F = TypeVar("F", bound=Force)


class Linkage(Contents):
    """Rigid bodies and the joints between them.

    Parameters
    ----------
    name : str
        Its name.
    gravity : (3,) array_like
        In m/s², world axes, z up.

    Attributes
    ----------
    columns : Columns
        The arrays behind it, read-only.
    tree : Tree
        The same, packed for kernels; a new one after every change.
    ignored : list of str
        What the reader of a file left out.
    visuals : list of Visual
        What the bodies look like; dynamics never reads it.
    actuators : list of Actuator
        What drives joints in the file it comes from; dynamics never reads it.
    configurations : dict of (nq,) arrays
        Configurations that the file names, such as the key frames of MJCF; "start" is its own.
    couplings : list of Coupling
        Joints whose coordinate follows another's.
    strengths : dict of Strength
        The loads at which tree joints and contacts break, by name; see `set_strength`.
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
            What it hangs on: an existing body, a frame, or "ground".
        at : Pose
            The joint's frame in the parent's; at q = 0 the body's frame coincides with it.
        joint_name : str, optional
            New among joints. Default: the body's name.
        strength : float or Strength, optional
            The load at which the joint breaks in a simulation: a force, N, or force and torque.
        """
        name = self._new_body_name(name, "body")
        joint_name = name if joint_name is None else joint_name
        joint_name = new_name(joint_name, "joint_name", "joint", self._taken_joint_names)
        inertia = Inertia(0.0) if inertia is None else inertia
        check_kind(inertia, Inertia, f"inertia of body {name!r}", "an Inertia such as Inertia.sphere(0.1, mass=1.0)")
        check_kind(joint, JointType, f"joint of body {name!r}", 'a joint type such as Revolute("y")')
        check_kind(at, Pose, f"at of body {name!r}", "a Pose such as Pose((0, 0, 1))")
        strength = strength_of(strength)
        index, pose = self._resolve(parent)
        at = at if pose is HERE else pose @ at
        body = body_values(joint) | {
            "mass": inertia.mass,
            "com": inertia.com,
            "inertia": six(inertia.matrix),
            "parent": index,
            "at_rotation": at.rotation,
            "at_position": at.position,
        }
        self._append([name], [joint_name], body, dof_values(joint))
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
            By the names of `linkage.columns`, one row per body or one value for all: `parent` (row of an
            earlier body, -1 for ground), `code` (of the joint type, such as `Revolute.code`), `mass`, `com`,
            `inertia` (xx, xy, xz, yy, yz, zz about the com), `axis`, `axis2`, `pitch`, `at_position`,
            `at_rotation`; and one value per body for all its degrees of freedom: `damping`, `armature`,
            `lower`, `upper`, `actuated`, `coulomb`, `effort`, `velocity_limit`.

        Returns
        -------
        range
            The rows of the new bodies.
        """
        return add_bodies(self, names, columns, joint_names)

    def _append(self, names: list[str], joint_names: list[str], body: dict[str, Any], dof: dict[str, Any]) -> None:
        """Append checked columns: the one place where bodies are added."""
        self.columns.extend(names, joint_names, body, dof)
        self._changed(structure=True)

    def add_frame(self, name: str, body: str | Body | Frame, pose: Pose = HERE) -> Frame:
        """Add a named pose fixed to a body, to another frame's body, or to ground."""
        name = self._new_body_name(name, "body or frame")
        check_kind(pose, Pose, f"pose of frame {name!r}", "a Pose")
        index, base = self._resolve(body)
        self._frames.add(name, (index, base @ pose))
        return Frame(self, len(self._frames) - 1)

    def add_force(self, force: F) -> F:
        """Add a `Spring`, `JointSpring`, `JointFriction` or `Motor`; what it acts on must exist."""
        check_force(self, force)
        self._forces.append(force)
        self._changed()
        return force

    def add_motors(self) -> list[Motor]:
        """Add a `Motor` to every joint whose effort or velocity is limited, as in URDF files; return them."""
        return [self.add_force(motor) for motor in motors_of(self)]

    def remove_force(self, force: Force) -> None:
        """Remove a force element."""
        if force not in self._forces:
            raise ArgumentError(f"{force!r} is not a force of this linkage")
        self._forces.remove(force)
        self._changed()

    def add(self, other: Linkage, *, prefix: str = "", parent: str | Body | Frame = GROUND, at: Pose = HERE) -> range:
        """Add a copy of another linkage, with its ground at `at` in `parent`; return the rows of the new bodies.

        Bodies, joints, loop joints, frames, forces, shapes, couplings and visuals are copied, their names prefixed by
        `prefix`; gravity is not.
        """
        return merge(self, other, prefix=prefix, parent=parent, at=at)

    def _new_body_name(self, name: str, kind: str) -> str:
        if name == GROUND:
            raise ArgumentError("'ground' is the name of the world: choose another one")
        return new_name(name, "name", kind, self._taken_names)

    # Changing

    def _replace_joint(self, index: int, name: str, joint: JointType) -> tuple[Force, ...]:
        """Hang a body on ground by another joint; return the forces removed with the old one."""
        old = self.columns.joint_names[index]
        self.columns.replace_joint(index, name, joint, parent=-1)
        self.strengths.pop(old, None)
        removed = tuple(force for force in self._forces if getattr(force, "joint", None) == old)
        self._forces = [force for force in self._forces if force not in removed]
        self._couplings = [each for each in self._couplings if old not in (each.joint, each.of)]
        self._patched(after_cut, index)
        return removed

    def set_strength(self, name: str, strength: float | Strength | None) -> None:
        """Let a tree joint or contact, by name, break in a simulation at a force (N) or `Strength`; None: never."""
        if name not in self.columns.joint_index and name not in self._contacts.index:
            raise unknown_name("tree joint or contact", name, [*self.columns.joint_names, *self._contacts.names])
        strength = strength_of(strength)
        self.strengths.pop(name, None)
        if strength is not None:
            self.strengths[name] = strength
        self._changed()

    def _set_parameters(self, **values: tuple[Any, Any]) -> None:
        """Write checked values, column=(where, value), and count one change of parameters."""
        for column, (where, value) in values.items():
            self.columns.set(column, where, value)
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

        The joint's motion is that of `b` seen from `a`; `at_a` and `at_b` place its frame in each of them and coincide
        at its zero. Default name: those of the two bodies. `strength` is the load at which it breaks in a simulation:
        a force, N, or force and torque. A loop joint cannot have armature.
        """
        return connect(self, a, b, joint, at_a, at_b, name, strength)

    def cut(self, joint: str | Joint | Loop) -> Change:
        """Cut a joint: a loop joint is removed; a tree joint is replaced by a `Free` joint from ground to its child.

        The new joint is named like the child body, followed by "_free" where that name is taken.
        Forces and couplings that act on the old joint are removed with it.
        """
        if isinstance(joint, Loop):
            check_own(joint, self)
            joint = joint.name
        if isinstance(joint, str) and joint in self._loops.index:
            return change_register(self, self._loops, "cut", joint)
        return cut_tree_joint(self, self._resolve_joint(joint))

    def constrain(
        self,
        body: str | Body | Frame,
        *,
        surface: Implicit,
        point: ArrayLike = (0.0, 0.0, 0.0),
        friction: float = 0.0,
        static_friction: float | None = None,
        name: str | None = None,
        singular: Literal["raise", "least-norm"] = "raise",
        strength: float | Strength | None = None,
    ) -> Change:
        """Keep a point of a body on a surface C(r) = 0, on both sides of it, with friction.

        Parameters
        ----------
        body : str, Body or Frame
        surface : Plane, Sphere, Cylinder, Torus or Surface
        point : (3,) array_like
            In the frame of `body`, m.
        friction : float
            Coefficient K of kinetic friction: a force K f_n acts against the sliding direction.
        static_friction : float, optional
            Coefficient, at least K, up to which the point is held where it rests: it sticks. By default K.
        name : str, optional
            New among contacts and joints. Default: the body's name with "-surface".
        singular : {"raise", "least-norm"}
            Where the point cannot move along the normal, raise `SingularError` or take the least force, zero.
        strength : float or Strength, optional
            The force, N, at which the contact breaks in a simulation.
        """
        return constrain(self, body, surface, point, friction, name, singular, strength, static_friction)

    def release(self, contact: str | Contact) -> Change:
        """Release a point that is kept on a surface, by the contact's name or handle."""
        return release(self, contact)

    def add_shape(
        self,
        body: str | Body | Frame,
        shape: Solid | Implicit,
        *,
        at: Pose = HERE,
        friction: float = 0.5,
        static_friction: float | None = None,
        restitution: float = 0.0,
        name: str | None = None,
    ) -> Shape:
        """Give a body or ground a shape, which others touch, stick to, slide on and bounce off; it never pulls.

        Parameters
        ----------
        body : str, Body or Frame
        shape : Ball, Box, Capsule, Point, Mesh, or a surface
            A surface, such as Plane, is free on the side of its normal; on a body it moves with it.
        at : Pose
            The shape's frame in that of `body`.
        friction, static_friction, restitution : float
            Of a pair the smaller friction and the larger restitution count. Static friction is at least `friction`,
            its default.
        name : str, optional
            New among shapes. Default: the body's name with "-shape".
        """
        return add_shape(self, body, shape, at, friction, static_friction, restitution, name)

    def meet(
        self,
        a: str | Shape,
        b: str | Shape,
        *,
        friction: float | None = None,
        static_friction: float | None = None,
        restitution: float | None = None,
    ) -> None:
        """Let two shapes meet, with coefficients of their own where given.

        Without a word shapes of different bodies meet that no joint joins, a `Free` one apart.
        """
        meet(self, a, b, friction, static_friction, restitution)

    def part(self, a: str | Shape, b: str | Shape) -> None:
        """Let two shapes pass through each other."""
        part(self, a, b)

    # Peers

    def to_pinocchio(self, model: Any, q=None, v=None) -> Any:
        """Return our q (..., nq), v (..., nv), or both, in the layout of a Pinocchio model with the same joints.

        Accelerations and torques go like v. Without q and v: a `PinocchioMap`, which is found once and used often.
        """
        from linkwork.linkage.order import to_pinocchio

        return to_pinocchio(self, model, q, v)

    def from_pinocchio(self, model: Any, q=None, v=None) -> Any:
        """Return Pinocchio's q, v, or both, in our layout; see `to_pinocchio`."""
        from linkwork.linkage.order import from_pinocchio

        return from_pinocchio(self, model, q, v)

    # Assembling, saving

    def assembly(self, order: Iterable[str | Joint] | None = None) -> Assembly:
        """Return the assembly tree of the present structure: see `Assembly`.

        It is balanced, unless you choose another: `order` has every joint of the tree once, by name; each joins the
        two parts on its sides when its turn comes. The choice holds until the structure changes, in copies too.
        """
        from linkwork.linkage.packing.assembly import Assembly
        from linkwork.linkage.packing.assembly_order import rows_of

        tree = self.tree
        if order is not None:
            rows = rows_of(self, order)
            tree.assembly, self._assembly_order = Assembly(self, order=rows), rows
            if tree.loops is not None:
                tree.loops.assembly_plan = None  # it was for another tree
        elif tree.assembly is None:
            tree.assembly = Assembly(self, order=self._assembly_order)
        return tree.assembly

    def save(self, path: str | PathLike[str]) -> None:
        """Write a description; the suffix decides the format (see `linkwork.load`)."""
        from linkwork.io.load import save

        save(self, path)
