"""The balance of forces at rest, and how it changes with the pose: of joints, loops and points kept on surfaces.

A point without friction bears a force f_n along the normal of its surface; one with friction stays where it was at
first, and its force has three components, found in world axes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwork.dynamics.constraints import loops_of, residuals
from linkwork.dynamics.contact_derivatives import contact_rows
from linkwork.dynamics.contact_modes import tangents
from linkwork.dynamics.contact_state import Reaction, Touch, movable, touch
from linkwork.dynamics.inverse import inverse_dynamics
from linkwork.dynamics.loop_rows import loop_rows
from linkwork.dynamics.problem import NOTHING, Problem
from linkwork.dynamics.tree_rates import tree_rates
from linkwork.errors import SingularError, StructureError
from linkwork.linkage.linkage import Linkage

CONE = 1e-9  # share by which friction may be beyond its limit


class Balance(NamedTuple):
    """At one pose, with the forces of the constraints as they were found so far."""

    left: np.ndarray  # (nv,) force that the joints lack
    stiffness: np.ndarray  # (nv, nv) how it changes with q
    J: np.ndarray  # (rows, nv)
    forces: np.ndarray  # (nv, rows): −left per unit of the unknown forces
    gap: np.ndarray  # (rows,)
    at_work: float  # the largest force, or force of a step of 1 rad or m

    def system(self, free: np.ndarray) -> np.ndarray:
        """Newton's matrix for the degrees of freedom that are free and the forces of the constraints."""
        K, zero = self.stiffness[np.ix_(free, free)], np.zeros((len(self.J), len(self.J)))
        return np.block([[K, -self.forces[free]], [self.J[:, free], zero]])


class Forces:
    """The forces of loops and points while a pose at rest is sought."""

    def __init__(self, asked: Problem, q: np.ndarray):
        self.asked, self.linkage = asked, asked.linkage
        tree, records = self.linkage.tree, self.linkage._contacts.records
        self.loops = np.zeros(loops_of(self.linkage).n_rows) if tree.closed else NOTHING
        self.points = np.zeros((len(records), 3))  # world axes
        self.sticks = np.array([record.holding > 0.0 for record in records], dtype=bool)
        self.anchors = self._touch(q).r if records else self.points
        self._ways: list[tuple[int, np.ndarray]] = []  # of each point that can move, the directions of its unknowns

    def _touch(self, q: np.ndarray) -> Touch:
        point = touch(self.linkage, q, self.linkage.tree.zeros)
        if point.moves.any():
            name = self.linkage.contacts.names[int(point.moves.argmax())]
            raise StructureError(f"the surface of contact {name!r} moves: nothing that it holds is at rest; release it")
        return point

    def balance(self, q: np.ndarray) -> Balance:
        """The balance at a pose."""
        asked, linkage, tree = self.asked, self.linkage, self.linkage.tree
        zero, nv = tree.zeros, tree.nv
        needed = inverse_dynamics(linkage, q, zero, zero, asked.f_ext, tree=True) - asked.tau[:nv]
        rates = tree_rates(linkage, q, zero, zero, asked.wrench)
        stiffness, J, gap, forces = rates.dq, np.zeros((0, nv)), NOTHING, np.zeros((nv, 0))
        borne = zero
        if tree.closed:
            drive = asked.tau[nv:]
            rows = loop_rows(linkage, rates, q, zero, self.loops, drive)
            stiffness, J, gap = stiffness + rows.R1_q, rows.J, residuals(linkage, q).row_error
            forces, borne = J.T, J.T @ self.loops
            needed = needed - rows.drive @ drive
        if len(self.points):
            point = self._touch(q)
            f_n = np.einsum("nc,nc->n", self.points, point.normal)
            along = np.where(self.sticks[:, None], self.points - f_n[:, None] * point.normal, 0.0)
            none = np.zeros(len(f_n), dtype=bool)
            reaction = Reaction(zero, point, f_n, along, zero, self.sticks, none, 0, False)
            rows = contact_rows(linkage, rates, q, reaction, 0.0)
            stiffness, J, forces = stiffness + rows.R1_q, np.vstack([J, rows.J]), np.hstack([forces, rows.forces])
            borne = borne + np.einsum("ncv,nc->v", point.J, reaction.forces)
            gap = np.concatenate([gap, self._gaps(point)])
        sizes = (needed, borne, asked.tau, stiffness)
        at_work = max(np.abs(x).max(initial=0.0) for x in sizes)
        return Balance(needed - borne, stiffness, J, forces, gap, at_work)

    def _gaps(self, point: Touch) -> np.ndarray:
        """How far points are off their surfaces, and those that stick off their places; and where their forces go."""
        gaps, self._ways, two = [], [], tangents(point)
        for k in map(int, np.flatnonzero(movable(point))):
            gaps.append(point.gap[k : k + 1])
            way = point.normal[k][None]
            if self.sticks[k]:
                gaps.append(two[k] @ (point.r[k] - self.anchors[k]))
                way = np.vstack([way, two[k]])
            self._ways.append((k, way))
        return np.concatenate([NOTHING, *gaps])

    def add(self, step: np.ndarray) -> None:
        """Change the unknown forces by a step, whose points are those of the last balance."""
        first = len(self.loops)
        self.loops = self.loops + step[:first]
        for k, way in self._ways:
            self.points[k] += step[first : first + len(way)] @ way
            first += len(way)

    def refuse_slipping(self, q: np.ndarray) -> None:
        """Raise where a point would need more friction than it has to stay where it is."""
        if not self.sticks.any():
            return
        normal = self._touch(q).normal
        for k in np.flatnonzero(self.sticks):
            f_n = float(self.points[k] @ normal[k])
            along = float(np.linalg.norm(self.points[k] - f_n * normal[k]))
            limit = self.linkage._contacts.records[k].holding
            if along > limit * abs(f_n) * (1.0 + CONE):
                raise SingularError(
                    f"contact {self.linkage.contacts.names[k]!r} would slide: to stay where it is it needs {along:.4g} "
                    f"N along its surface, more than {limit:g} times the {abs(f_n):.4g} N that press; begin elsewhere, "
                    "or give it more friction, or none"
                )


def unbalanced_error(
    linkage: Linkage, names: list[str], left: np.ndarray, free: np.ndarray, rounds: int
) -> SingularError:
    """The error that no pose at rest was found."""
    worst = free[int(np.abs(left).argmax())] if len(free) else 0
    return SingularError(
        f"linkage {linkage.name!r}: no pose at rest was found from here; {names[worst]} is left with "
        f"{np.abs(left).max(initial=0.0):.3g} N or N m after {rounds} rounds. Begin nearer to one, or hold= a joint "
        "that nothing holds"
    )
