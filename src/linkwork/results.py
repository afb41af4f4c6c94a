"""What `solve`, `mobility`, `velocity_jump`, `contact_terms` and `body_poses` return: typed, and read by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, Generic, Self, TypeVar, overload

import numpy as np

from linkwork.errors import ArgumentError, SingularError, StructureError, unknown_name
from linkwork.linkage.body import GROUND, Body, Frame
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.pose import Pose

T = TypeVar("T")


class Current(Generic[T]):
    """A field that can be read as long as the linkage keeps the structure that it was computed for."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, result: None, owner: type) -> Current[T]: ...
    @overload
    def __get__(self, result: Derived, owner: type) -> T: ...
    def __get__(self, result: Derived | None, owner: type) -> Any:
        if result is None:
            raise AttributeError(self._name)  # so that a dataclass sees no default
        if result.linkage.revision != result.revision:
            raise StructureError(
                f"linkage {result.linkage.name!r} has changed since this {owner.__name__} was made: make a new one"
            )
        return result.__dict__[self._name]

    def __set__(self, result: Derived, value: T) -> None:
        result.__dict__[self._name] = value


@dataclass(frozen=True, eq=False, repr=False)
class Derived:
    """What was computed from a linkage of one structure; reading it raises `StructureError` after a change.

    Attributes
    ----------
    linkage : Linkage
    revision : int
        The linkage's structure at that time.
    """

    linkage: Linkage
    revision: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "revision", self.linkage.revision)

    @classmethod
    def _of(cls, linkage: Linkage, **fields: Any) -> Self:
        """Made at once: a frozen dataclass sets its fields one by one, which takes a fifth of a call of `solve`."""
        made = object.__new__(cls)
        made.__dict__.update(fields, linkage=linkage, revision=linkage.revision)
        return made

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={text}' for name, text in self._shown().items())})"

    def _repr_html_(self) -> str:
        rows = [f"<tr><th>{escape(name)}</th><td>{escape(text)}</td></tr>" for name, text in self._shown().items()]
        return f"<table><caption>{type(self).__name__} of {escape(self.linkage.name)}</caption>{''.join(rows)}</table>"

    def _shown(self) -> dict[str, str]:
        """What a short account of it says, which may be read after a change too."""
        raise NotImplementedError

    def _ipython_key_completions_(self) -> list[str]:
        return [name for names, _ in self._rows() for name in names]

    def _rows(self) -> list[tuple[Sequence[str], np.ndarray]]:
        """Names, and the array whose rows belong to them."""
        raise NotImplementedError

    def __getitem__(self, name: str) -> np.ndarray:
        name = getattr(name, "name", name)
        for names, rows in self._rows():
            if name in names:
                return rows[..., list(names).index(name), :]
        raise unknown_name("name", name, self._ipython_key_completions_())


def _span(counts: Any) -> str:
    """A count, or the least and the largest of those of many states."""
    found = np.unique(counts)
    return " … ".join(map(str, found[[0, -1]] if len(found) > 1 else found)) or "none"


@dataclass(frozen=True, eq=False, repr=False)
class Solution(Derived):
    """Motion and forces of a linkage at one state, made by `solve`; of many states, with their leading dimensions.

    ``solution["elbow"]`` is the wrench of one joint or loop joint, by name.

    Attributes
    ----------
    a : (nv,) array
        Accelerations, dv/dt entry by entry.
    joint_wrenches : (nb, 6) array
        Row i: force and moment that body i receives through its tree joint, at its origin and in its own axes.
    loop_wrenches : (loops, 6) array
        Row i: force and moment that body a of loop joint i exerts on body b, in the frame `at_b`.
    normal_forces : (contacts,) array
        Of the surface constraints, N, along the surface's normal; negative where it pulls.
    friction_forces : (contacts, 3) array
        On the points of the surface constraints, N, world axes.
    contact_gaps : (contacts,) array
        How far the points are off their surfaces, ``C/|∇C|``, m.
    contact_modes : tuple of str
        What the points of the surface constraints do: "stick" or "slip".
    redundant_contacts : tuple of str
        Contacts whose forces are not determined: they are those of least norm.
    indeterminate : bool
        Whether even the accelerations depend on that choice, as with unequal friction on redundant contacts.
    pulling : tuple of str
        Contacts with a negative normal force: a real surface would have let go of them.
    residual : float
        Largest constraint acceleration that the result leaves unmet, m/s² or rad/s²: rounding, unless redundant
        constraints contradict each other.
    rank, redundant : int
        Independent constraint rows and redundant ones, of the rows that loop joints hold, on the coordinates of the
        tree: `Mobility.rank` less the coordinates of the loop joints. Where there are redundant ones the loop wrenches
        are those of least norm.
    redundant_loops : tuple of str
        Loop joints and couplings with redundant rows.
    method : str
        The method that computed it.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> solution = lw.solve(arm, [0.0, 0.0], [0.0, 0.0])
    >>> solution["link1"].round(2)  # force and moment, which carry the lower link
    array([0.  , 0.  , 9.81, 0.  , 0.  , 0.  ])
    """

    a: Current[np.ndarray] = Current()
    joint_wrenches: Current[np.ndarray] = Current()
    loop_wrenches: Current[np.ndarray] = Current()
    normal_forces: Current[np.ndarray] = Current()
    friction_forces: Current[np.ndarray] = Current()
    contact_gaps: Current[np.ndarray] = Current()
    contact_modes: Current[tuple[str, ...]] = Current()
    redundant_contacts: Current[tuple[str, ...]] = Current()
    indeterminate: Current[bool] = Current()
    pulling: Current[tuple[str, ...]] = Current()
    residual: Current[float] = Current()
    rank: Current[int] = Current()
    redundant: Current[int] = Current()
    redundant_loops: Current[tuple[str, ...]] = Current()
    method: Current[str] = Current()

    def _shown(self) -> dict[str, str]:
        values = vars(self)
        shown = {"method": repr(values["method"])} | {name: _span(values[name]) for name in ("rank", "redundant")}
        shown["residual"] = f"{np.max(values['residual'], initial=0.0):.1e}"
        leading = values["a"].shape[:-1]
        return {"states": repr(leading)} | shown if leading else shown

    def _rows(self) -> list[tuple[Sequence[str], np.ndarray]]:
        return [(self.linkage.joints.names, self.joint_wrenches), (self.linkage.loops.names, self.loop_wrenches)]


@dataclass(frozen=True, eq=False, repr=False)
class Mobility(Derived):
    """How a closed linkage can move at one pose, made by `mobility`.

    ``mobility["crank[0]"]`` is the row of `W_J` of one coordinate, by name; "crank" will do where the joint has one.

    Attributes
    ----------
    dof : int
        Degrees of freedom N_F.
    names : tuple of str
        The coordinates θ_J = (tree, loops): "joint[k]", also where a joint has only one.
    independent, dependent : tuple of str
        The generalized coordinates θ_G, and the others θ_S.
    H : (rank, dof) array
        dθ_S/dθ_G.
    W : (nv, dof) array
        dθ_O/dθ_G of the tree coordinates; `W_J` (nv + nv_loop, dof) of all.
    S : (actuated, dof) array
        dθ_A/dθ_G, one row per actuated coordinate, named in `actuated`.
    J_C : (rows, nv + nv_loop) array
        The constraint Jacobian, six rows per loop joint and one per coupling.
    rank, redundant : int
        Of J_C: independent rows, and the others, some of which are named in `redundant_rows`. `Solution.rank` is less
        by the coordinates of the loop joints, which `solve` has not.
    singular : tuple of str
        Coordinates that take part in a nearly singular direction.
    condition : float
        Largest singular value of J_S over its smallest.

    Examples
    --------
    >>> import linkwork as lw
    >>> mobility = lw.mobility(lw.samples.four_bar(), lw.samples.four_bar().neutral())
    >>> mobility.dof, mobility.independent
    (1, ('coupler[0]',))
    """

    dof: Current[int] = Current()
    names: Current[tuple[str, ...]] = Current()
    independent: Current[tuple[str, ...]] = Current()
    dependent: Current[tuple[str, ...]] = Current()
    H: Current[np.ndarray] = Current()
    W: Current[np.ndarray] = Current()
    W_J: Current[np.ndarray] = Current()
    S: Current[np.ndarray] = Current()
    actuated: Current[tuple[str, ...]] = Current()
    J_C: Current[np.ndarray] = Current()
    rank: Current[int] = Current()
    redundant: Current[int] = Current()
    redundant_rows: Current[tuple[str, ...]] = Current()
    singular: Current[tuple[str, ...]] = Current()
    condition: Current[float] = Current()

    def _shown(self) -> dict[str, str]:
        values = vars(self)
        independent = repr(list(values["independent"]))
        return {"dof": str(values["dof"]), "independent": independent, "redundant": str(values["redundant"])}

    def _rows(self) -> list[tuple[Sequence[str], np.ndarray]]:
        return [(self.names, self.W_J)]

    def __getitem__(self, name: str) -> np.ndarray:
        name = getattr(name, "name", name)
        single = f"{name}[0]" in self.names and f"{name}[1]" not in self.names
        return super().__getitem__(f"{name}[0]" if single else name)


@dataclass(frozen=True, eq=False, repr=False)
class Jump(Derived):
    """What a connection does to the velocities, made by `velocity_jump`.

    ``jump["pin"]`` is the impulse of one loop joint or surface constraint, by name.

    Attributes
    ----------
    v : (nv,) array
        Velocities after it.
    impulse : (6,) array
        Of the wrench that a exerts on b, in the frame `at_b`, N s and N m s.
        Of a surface constraint: (3,), the impulse on its point, N s, world axes.
    impulses : (loops, 6) array
        Those of all loop joints.
    contact_impulses : (contacts, 3) array
        Those of all surface constraints.
    joint_impulses : (nb, 6) array
        How the impact runs through the tree: of the wrench that each body receives from its parent, at its own origin
        and in its own axes.
    energy_lost : float
        Kinetic energy, J.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> tip, bar = lw.Pose((0, 0, -1)), lw.Pose((0, 0, -2))
    >>> change = arm.connect("ground", "link1", lw.Spherical(), at_a=bar, at_b=tip, name="grip")
    >>> jump = lw.velocity_jump(arm, [0.0, 0.0], [1.0, 0.0], "grip")
    >>> round(float(jump.energy_lost), 3)
    0.585
    """

    v: Current[np.ndarray] = Current()
    impulse: Current[np.ndarray] = Current()
    impulses: Current[np.ndarray] = Current()
    contact_impulses: Current[np.ndarray] = Current()
    joint_impulses: Current[np.ndarray] = Current()
    energy_lost: Current[float] = Current()

    def _shown(self) -> dict[str, str]:
        return {"energy_lost": f"{vars(self)['energy_lost']:.6g}"}

    def _rows(self) -> list[tuple[Sequence[str], np.ndarray]]:
        return [(self.linkage.loops.names, self.impulses), (self.linkage.contacts.names, self.contact_impulses)]


@dataclass(frozen=True, eq=False, repr=False)
class ContactTerms(Derived):
    """How torques press points onto surfaces, A f_n = a − d τ; made by `contact_terms`.

    ``terms["ball"]`` is the row of `d` of one surface constraint, by name.

    Attributes
    ----------
    A : (contacts, contacts) array
        Accelerations along the normals that unit normal forces give, with their friction, 1/kg.
    a : (contacts,) array
        A times the normal forces without torques, m/s².
    d : (contacts, nv) array
        Accelerations along the normals that unit torques give.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> change = arm.constrain("link1", surface=lw.Plane("x"), point=(0, 0, -1), name="tip")
    >>> terms = lw.contact_terms(arm, arm.neutral(), [0.0, 0.0])
    >>> terms.normal_forces([1.0, 0.0]).shape
    (1,)
    """

    A: Current[np.ndarray] = Current()
    a: Current[np.ndarray] = Current()
    d: Current[np.ndarray] = Current()

    def normal_forces(self, tau) -> np.ndarray:
        """(contacts,) normal forces under these torques, N."""
        tau, wanted = np.asarray(tau, dtype=float), self.d.shape[1:]
        if tau.shape != wanted or not np.isfinite(tau).all():
            raise ArgumentError(f"tau must be {wanted[0]} finite numbers, one per degree of freedom, not {tau!s:.60}")
        if np.linalg.matrix_rank(self.A) < len(self.A):
            raise SingularError("torques do not determine the normal forces here: A is singular; `solve` shares them")
        return np.linalg.solve(self.A, self.a - self.d @ tau)

    def _shown(self) -> dict[str, str]:
        return {"contacts": ", ".join(self.linkage.contacts.names)}

    def _rows(self) -> list[tuple[Sequence[str], np.ndarray]]:
        return [(self.linkage.contacts.names, self.d)]


@dataclass(eq=False, repr=False)  # frozen it would take a tenth longer to make
class Poses:
    """World poses of all bodies, made by `body_poses`.

    ``poses["upper"]`` is the `Pose` of one body or frame (for a single state).

    Attributes
    ----------
    linkage : Linkage
    positions : (..., nb, 3) array
        Origins of the body frames, world axes, in m.
    rotations : (..., nb, 3, 3) array
        From body axes to world axes.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> poses = lw.body_poses(arm, [0.0, 0.0])
    >>> poses["link1"].position, poses.rotations.shape
    (array([ 0.,  0., -1.]), (2, 3, 3))
    """

    linkage: Linkage
    positions: np.ndarray
    rotations: np.ndarray

    def __getitem__(self, body: str | Body | Frame) -> Pose:
        if self.positions.ndim > 2:
            raise ArgumentError("these are the poses of many states: take .positions and .rotations")
        index, offset = self.linkage._resolve(body)
        if index < 0:
            return offset
        return Pose(self.positions[index], self.rotations[index]) @ offset

    def __repr__(self) -> str:
        return f"Poses(positions {self.positions.shape}, rotations {self.rotations.shape})"

    def _ipython_key_completions_(self) -> list[str]:
        return [GROUND, *self.linkage.bodies.names, *self.linkage.frames.names]
