"""What `solve` returns, and other results that belong to one structure of a linkage."""

from __future__ import annotations

from typing import Any

from linkwork.errors import StructureError
from linkwork.linkage.linkage import Linkage


class Derived:
    """Named results of one structure: read as attributes, until the linkage changes.

    Parameters
    ----------
    linkage : Linkage
    **values
        The results by name.
    """

    def __init__(self, linkage: Linkage, **values: Any):
        self.__dict__.update(_linkage=linkage, _revision=linkage.revision, _values=values)

    def __getattr__(self, name: str) -> Any:
        values = self.__dict__.get("_values")
        if values is None or name not in values:
            raise AttributeError(f"a {type(self).__name__} has no {name!r}")
        if self._linkage.revision != self._revision:
            raise StructureError(
                f"linkage {self._linkage.name!r} has changed since this {type(self).__name__} was made: make a new one"
            )
        return values[name]

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{name!r} of a {type(self).__name__} cannot be set")

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.__dict__["_values"]})


class Solution(Derived):
    """Motion and forces of a linkage at one state, made by `solve`.

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
        Independent constraint rows and redundant ones; where there are redundant ones the loop wrenches are those of
        least norm.
    redundant_loops : tuple of str
        Loop joints and couplings with redundant rows.
    method : str
        What computed it.
    """

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={self._values[name]!r}" for name in ("method", "rank", "redundant"))
        return f"Solution({shown}, residual={self._values['residual']:.1e})"


class Mobility(Derived):
    """How a closed linkage can move at one pose, made by `mobility`.

    Attributes
    ----------
    dof : int
        Degrees of freedom N_F.
    names : tuple of str
        The coordinates θ_J = (tree, loops): "joint", or "joint[k]" where a joint has several.
    independent, dependent : tuple of str
        The generalized coordinates θ_G, and the others θ_S.
    H : (rank, dof) array
        dθ_S/dθ_G.
    W : (nv, dof) array
        dθ_O/dθ_G of the tree coordinates; `W_J` (nv + nv_loop, dof) of all.
    S : (actuated, dof) array
        dθ_A/dθ_G, a row an actuated coordinate, named in `actuated`.
    J_C : (rows, nv + nv_loop) array
        The constraint Jacobian, six rows a loop joint and one a coupling.
    rank, redundant : int
        Of J_C: independent rows, and the others, some of which are named in `redundant_rows`.
    singular : tuple of str
        Coordinates that take part in a nearly singular direction.
    condition : float
        Largest singular value of J_S over its smallest.
    """

    def __repr__(self) -> str:
        values = self._values
        return (
            f"Mobility(dof={values['dof']}, independent={list(values['independent'])}, redundant={values['redundant']})"
        )


class Jump(Derived):
    """What a connection does to the velocities, made by `velocity_jump`.

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
        Where there are surface constraints: those of all of them.
    energy_lost : float
        Kinetic energy, J.
    """

    def __repr__(self) -> str:
        return f"Jump(energy_lost={self._values['energy_lost']:.6g})"
