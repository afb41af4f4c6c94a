"""What a linkage holds: columns, registers and lists, seen as collections of handles, and the tree packed from them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from linkwork.errors import KnownAttributes, unknown_name
from linkwork.kernels.layout.kinds import QUATERNION
from linkwork.linkage.actuator import Actuator
from linkwork.linkage.body import GROUND, Body, Frame
from linkwork.linkage.checks import array
from linkwork.linkage.columns import Columns
from linkwork.linkage.contacts import Contact, ContactRecord
from linkwork.linkage.coupling import Coupling, Couplings, check_coupling
from linkwork.linkage.family import Family
from linkwork.linkage.forces import Force
from linkwork.linkage.handle import check_own
from linkwork.linkage.joint_handle import Joint
from linkwork.linkage.loops import Loop, LoopRecord
from linkwork.linkage.molecule import Molecule, MoleculeData, molecule_of
from linkwork.linkage.named import Named, Register
from linkwork.linkage.pose import HERE, Pose
from linkwork.linkage.shape_pairs import Meeting
from linkwork.linkage.shapes import Shape, ShapeRecord
from linkwork.linkage.strength import Strength
from linkwork.linkage.visuals import Visual

if TYPE_CHECKING:
    from linkwork.linkage.packing.tree import Tree

SHOWN = 8  # joints in the table that a notebook shows


class Contents(KnownAttributes):
    """The part of a `Linkage` that is read: everything is found here, and every change is counted here."""

    _attributes = (
        "name", "columns", "ignored", "visuals", "actuators", "configurations", "strengths", "revision",
        "parameters_revision",
    )  # fmt: skip

    def __init__(self, name: str = "linkage", *, gravity: ArrayLike = (0.0, 0.0, -9.81)):
        self.name = name
        self.columns = Columns()
        self.ignored: list[str] = []
        self.visuals: list[Visual] = []
        self.actuators: list[Actuator] = []
        self.configurations: dict[str, np.ndarray] = {}
        self._couplings: list[Coupling] = []
        self.strengths: dict[str, Strength] = {}
        self.revision = 0
        self.parameters_revision = 0
        self._frames: Register[tuple[int, Pose]] = Register()
        self._loops: Register[LoopRecord] = Register()
        self._contacts: Register[ContactRecord] = Register()
        self._shapes: Register[ShapeRecord] = Register()
        self._meetings: dict[frozenset[int], Meeting] = {}
        self._forces: list[Force] = []
        self._molecule: MoleculeData | None = None
        self._tree: Tree | None = None
        self._assembly_order: np.ndarray | None = None  # rows of joints, where somebody chose
        self._family: Family | None = None
        self.gravity = gravity

    # Sizes

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

    # Collections

    @property
    def bodies(self: Any) -> Named[Body]:
        """The bodies in order of adding."""
        return Named("body", self.columns.body_names, self.columns.body_index, self._body_at)

    @property
    def joints(self: Any) -> Named[Joint]:
        """The tree joints, in the order of their bodies."""
        columns = self.columns
        return Named("joint", columns.joint_names, columns.joint_index, lambda i: Joint(self, i))

    @property
    def frames(self: Any) -> Named[Frame]:
        """The frames in order of adding."""
        return Named("frame", self._frames.names, self._frames.index, lambda i: Frame(self, i))

    @property
    def loops(self: Any) -> Named[Loop]:
        """The loop joints in order of connecting."""
        return Named("loop joint", self._loops.names, self._loops.index, lambda i: Loop(self, i))

    @property
    def contacts(self: Any) -> Named[Contact]:
        """The surface constraints in order of constraining."""
        return Named("contact", self._contacts.names, self._contacts.index, lambda i: Contact(self, i))

    @property
    def shapes(self: Any) -> Named[Shape]:
        """The shapes of bodies and of ground in order of adding; see `add_shape`."""
        return Named("shape", self._shapes.names, self._shapes.index, lambda i: Shape(self, i))

    @property
    def forces(self) -> tuple[Force, ...]:
        """The force elements in order of adding; `add_force` and `remove_force` change them."""
        return tuple(self._forces)

    @property
    def couplings(self) -> Couplings:
        """The couplings in order of adding: a list, which you may change."""
        return Couplings(self._couplings, lambda: self._changed(structure=True))

    @couplings.setter
    def couplings(self, value: Sequence[Coupling]) -> None:
        self._couplings = [check_coupling(each) for each in value]
        self._changed(structure=True)

    @property
    def constrained(self) -> bool:
        """Whether loop joints, couplings or surfaces constrain the motion of the tree joints."""
        return bool(self._loops.records or self._couplings or self._contacts.records)

    @property
    def molecule(self: Any) -> Molecule:
        """Atoms, and the bodies that carry them, of a linkage read from a PDB or mmCIF file."""
        return molecule_of(self, self._molecule)

    @property
    def ground(self: Any) -> Body:
        """The world."""
        return Body(self, -1)

    # By name

    @property
    def _taken_names(self) -> tuple[Collection[str], ...]:
        """Collections of the names that no further body or frame may have."""
        return self.columns.body_index, self._frames.index, (GROUND,)

    @property
    def _taken_joint_names(self) -> tuple[Collection[str], ...]:
        """Collections of the names that no further joint may have."""
        return self.columns.joint_index, self._loops.index

    def _body_at(self: Any, index: int) -> Body:
        """Return the handle of body `index`, -1 for ground."""
        return Body(self, index)

    def _resolve(self, body: str | Body | Frame) -> tuple[int, Pose]:
        """Return the row (-1 for ground) of the body that is named or carries the named frame, and the pose in it."""
        if isinstance(body, (Body, Frame)):
            check_own(body, self)
            return self._frames.records[body.index] if isinstance(body, Frame) else (body.index, HERE)
        if body == GROUND:
            return -1, HERE
        index = self.columns.body_index.get(body) if isinstance(body, str) else None
        if index is not None:
            return index, HERE
        if not isinstance(body, str) or body not in self._frames.index:
            atom = self._molecule.frame(body) if self._molecule and isinstance(body, str) else None
            if atom is not None:
                return atom
            raise unknown_name("body or frame", body, [*self.columns.body_names, *self._frames.names, GROUND])
        return self._frames.records[self._frames.index[body]]

    def _resolve_joint(self, joint: str | Joint) -> int:
        """Return the row of a tree joint, by name or handle."""
        if isinstance(joint, Joint):
            check_own(joint, self)
            return self.columns.joint_index[joint.name]
        if not isinstance(joint, str) or joint not in self.columns.joint_index:
            raise unknown_name("joint", joint, self.columns.joint_names)
        return self.columns.joint_index[joint]

    # Changes

    def _changed(self, *, structure: bool = False) -> None:
        self._tree = None
        if structure:
            self.revision += 1
            self._assembly_order = None
        else:
            self.parameters_revision += 1

    def _patched(self, patch: Callable[..., Tree], *details: Any) -> None:
        """Count a change of structure that the packed tree, if there is one, follows by a patch."""
        tree = self._tree
        self._changed(structure=True)
        if tree is not None:
            self._tree = patch(tree, self, *details)

    @property
    def tree(self: Any) -> Tree:
        """The packed arrays of the present structure and parameters."""
        if self._tree is None:
            from linkwork.linkage.packing.tree import pack

            self._tree = pack(self)
        return self._tree

    @property
    def dof_parents(self) -> np.ndarray:
        """(nv,) the expanded parent array λ of [Featherstone2008]: the degree of freedom below each, −1 for none.

        Those of one joint stand on one another. It decides where the mass matrix has its nonzeros.
        """
        return self.tree.dof_parent.copy()

    # Configurations

    def neutral(self: Any) -> np.ndarray:
        """Return q (nq,) of the pose as described: zeros, and identity quaternions."""
        q = np.zeros(self.nq)
        offset = QUATERNION[self.columns.code]
        q[(self.columns.q_start + offset)[offset >= 0] + 3] = 1.0
        return q

    def random(self: Any, rng: np.random.Generator | int | None = None) -> np.ndarray:
        """Return a random q (nq,); `rng` is a generator or a seed."""
        from linkwork.linkage.configuration import random_configuration

        return random_configuration(self, np.random.default_rng(rng))

    def integrate(self: Any, q, dv) -> np.ndarray:
        """Return q moved by the velocity `dv` (..., nv) for one unit of time."""
        from linkwork.linkage.configuration import integrate

        return integrate(self, q, dv)

    def difference(self: Any, q0, q1) -> np.ndarray:
        """Return dv (..., nv) such that integrate(q0, dv) is q1."""
        from linkwork.linkage.configuration import difference

        return difference(self, q0, q1)

    # Gravity, copying, showing

    @property
    def gravity(self) -> np.ndarray:
        """Acceleration of free fall (3,), m/s², world axes; can be set."""
        return self._gravity

    @gravity.setter
    def gravity(self, value: ArrayLike) -> None:
        gravity = array(value, (3,), "gravity")
        gravity.flags.writeable = False
        self._gravity = gravity
        self._changed()

    def copy(self) -> Self:
        """Return an independent linkage, equal to this one."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__getstate__())
        other.columns = self.columns.copy()
        for name in ("ignored", "visuals", "actuators", "_couplings", "_forces"):
            setattr(other, name, list(getattr(self, name)))
        other.strengths, other._meetings = dict(self.strengths), dict(self._meetings)
        other.configurations = {name: q.copy() for name, q in self.configurations.items()}
        for name in ("_frames", "_loops", "_contacts", "_shapes"):
            setattr(other, name, getattr(self, name).copy())
        return other

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_tree": None, "_family": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._gravity.flags.writeable = False

    def __copy__(self) -> Self:
        return self.copy()

    def _sizes(self) -> str:
        parts = [f"{self.nb} bodies", f"nq={self.nq}", f"nv={self.nv}"]
        listed = ("frames", "forces", "couplings", "loops", "contacts", "shapes")
        counts = {what: len(getattr(self, what)) for what in listed}
        return ", ".join(parts + [f"{count} {what}" for what, count in counts.items() if count])

    def __repr__(self) -> str:
        return f"Linkage({self.name!r}, {self._sizes()})"

    def _repr_html_(self) -> str:
        rows = [(each.name, repr(each.type), each.parent.name, each.child.name) for each in self.joints[:SHOWN]]
        head = "".join(f"<th>{each}</th>" for each in ("joint", "type", "parent", "child"))
        body = ["".join(f"<td>{escape(each)}</td>" for each in row) for row in rows]
        table = "".join(f"<tr>{row}</tr>" for row in [head, *body])
        more = f"<p>… and {self.nb - SHOWN} more joints</p>" if self.nb > SHOWN else ""
        return f"<b>{escape(self.name)}</b>: {self._sizes()}<table>{table}</table>{more}"
