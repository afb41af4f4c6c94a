"""What acts in an adaptive simulation, as the user says it."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.kernels.layout.adaptive import F_FORCE, F_MOMENT
from linkwork.linkage.checks import array
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.pose import Pose
from linkwork.quasistatics.loads import AppliedLoads
from linkwork.quasistatics.model_forces import joint_potential, takes_potential
from linkwork.quasistatics.part_records import PartRecords

ORIGIN = (0.0, 0.0, 0.0)


class Driven:
    """Forces, torques and potentials of an `AdaptiveSimulation`."""

    linkage: Linkage
    _loads: AppliedLoads
    _parts: PartRecords

    @property
    def forces(self) -> list[tuple[int, np.ndarray, np.ndarray]]:
        """What pushes now: the number of each body, the point in its frame (3,), the force (3,) in world axes, N."""
        return [(body, row[:3].copy(), row[3:6].copy()) for body, row in self._loads.forces.items() if row[3:6].any()]

    def apply_force(self, body, force, point=ORIGIN, *, moment=ORIGIN) -> None:
        """Push a body; the force stays, in world axes, until another one (or zero) on the same body replaces it.

        Parameters
        ----------
        body : str, Body or Frame
        force, moment : (3,) array_like
            N and N m, world axes.
        point : (3,) array_like
            Where the force acts, in the body's (or frame's) frame, m.
        """
        if point is ORIGIN and moment is ORIGIN and type(body) is str:  # most often: three numbers, and no more
            index = self.linkage.columns.body_index.get(body)
            try:
                x, y, z = force
                if index is not None and (x - x) + (y - y) + (z - z) == 0.0:
                    self._loads.push(index, (0.0, 0.0, 0.0, x, y, z, 0.0, 0.0, 0.0))
                    return
            except (TypeError, ValueError):
                pass  # what is wrong is told below
        index, pose = self.linkage._resolve(body)
        if index < 0:
            raise ArgumentError("a force on ground moves nothing: name a body")
        where, moment = pose.apply(array(point, (3,), "point")), array(moment, (3,), "moment")
        self._loads.push(index, np.concatenate([where, array(force, (3,), "force"), moment]))

    def apply_forces(self, bodies, forces, points=None, *, moments=None) -> None:
        """Push many bodies at once; each force stays until another one (or zero) on the same body replaces it.

        Parameters
        ----------
        bodies : sequence of str, Body or Frame, or of int
            Each body once; integers are rows of the linkage.
        forces, moments : (n, 3) array_like
            N and N m, world axes; moments are zero where they are not given.
        points : (n, 3) array_like, optional
            Where the forces act, in the bodies' (or frames') frames, m. Default: their origins.
        """
        rows, poses = self._body_rows(bodies)
        n = len(rows)
        numbers = np.zeros((n, 9))
        numbers[:, F_FORCE:F_MOMENT] = array(forces, (n, 3), "forces")
        if moments is not None:
            numbers[:, F_MOMENT:] = array(moments, (n, 3), "moments")
        if points is not None:
            numbers[:, :F_FORCE] = array(points, (n, 3), "points")
        for k, pose in poses.items():
            numbers[k, :F_FORCE] = pose.apply(numbers[k, :F_FORCE])
        self._loads.push_all(rows, numbers)

    def apply_torque(self, joint, tau) -> None:
        """Drive a joint; the torque (one number per degree of freedom) stays until it is replaced."""
        index = self.linkage._resolve_joint(joint)
        dofs = self.linkage.columns.dof_slice(index)
        size = dofs.stop - dofs.start
        self._loads.tau[dofs] = array(np.full(size, tau) if np.ndim(tau) == 0 else tau, (size,), "tau")
        self._parts.drive(index)

    def apply_torques(self, joints, tau) -> None:
        """Drive many joints at once; each torque stays until it is replaced.

        Parameters
        ----------
        joints : sequence of str or Joint, or of int, or None
            Integers are rows of the linkage; None means all joints.
        tau : array_like
            Generalized forces, one number per degree of freedom, of one joint after the other.
        """
        columns, nb, joints = self.linkage.columns, self.linkage.nb, as_integers(joints)
        if joints is None:
            rows = list(range(nb))
        elif isinstance(joints, np.ndarray) and joints.dtype.kind in "iu":
            rows = checked_rows(joints, nb, "joints")
        else:
            rows = [self.linkage._resolve_joint(joint) for joint in joints]
        slices = [columns.dof_slice(row) for row in rows]
        tau = array(tau, (sum(dofs.stop - dofs.start for dofs in slices),), "tau")
        k = 0
        for row, dofs in zip(rows, slices, strict=True):
            size = dofs.stop - dofs.start
            self._loads.tau[dofs] = tau[k : k + size]
            k += size
            self._parts.drive(row)

    def set_potential(
        self, joint, *, stiffness: float | None = None, rest: float = 0.0, periodic=(), table=None
    ) -> None:
        """Give a joint a potential, in place of any given before; nothing but the name takes it away.

        It is the sum of what is given. Steps are linearly implicit in it: stiff potentials do not limit the gain.

        Parameters
        ----------
        joint : str or Joint
            A joint with one degree of freedom.
        stiffness, rest : float
            ½ stiffness (q − rest)², as a `JointSpring` of the linkage has; N m/rad or N/m.
        periodic : sequence of (amplitude, multiplicity, phase)
            amplitude · (1 + cos(multiplicity · q − phase)) each; J, rad.
        table : (n,) array_like
            Energies, J, at n equal angles from −π on, one turn; between them a periodic cubic spline.
        """
        index = self.linkage._resolve_joint(joint)
        name = self.linkage.columns.joint_names[index]
        potential = joint_potential(stiffness, rest, periodic, table)
        if not takes_potential(self.linkage, index):
            kind = type(self.linkage.columns.joint_type(index)).__name__
            raise ArgumentError(f"joint {name!r} is {kind}: a potential needs a joint with one coordinate")
        self._loads.potentials.pop(name, None)
        if potential.terms:
            self._loads.potentials[name] = potential
        self._parts.take_potentials()
        self._parts.drop()

    def _body_rows(self, bodies) -> tuple[list[int], dict[int, Pose]]:
        """Rows of many bodies, each named once, and the poses of frames among them, by place in the list."""
        linkage, poses, bodies = self.linkage, {}, as_integers(bodies)
        if isinstance(bodies, np.ndarray) and bodies.dtype.kind in "iu":
            if self._loads.are_all(bodies):
                return self._loads.bodies, poses
            rows = checked_rows(bodies, linkage.nb, "bodies")
        else:
            known, rows = linkage.columns.body_index, []
            for k, body in enumerate(bodies):
                row = known.get(body) if type(body) is str else None
                if row is None:
                    row, poses[k] = linkage._resolve(body)
                    if row < 0:
                        raise ArgumentError("a force on ground moves nothing: name a body")
                rows.append(row)
        if len(set(rows)) < len(rows):
            twice = next(row for k, row in enumerate(rows) if row in rows[:k])
            name = linkage.columns.body_names[twice]
            raise ArgumentError(f"body {name!r} is given twice: give the sum of what acts on it, once")
        return rows, poses


def as_integers(items: Any) -> Any:
    """A list of integers as an array; anything else as it is."""
    listed = isinstance(items, list | tuple | range) and len(items) > 0
    return np.array(items) if listed and all(isinstance(item, int | np.integer) for item in items) else items


def checked_rows(rows: np.ndarray, nb: int, what: str) -> list[int]:
    """Rows of a linkage given as integers."""
    if rows.ndim != 1 or (len(rows) and not (rows.min() >= 0 and rows.max() < nb)):
        raise ArgumentError(f"{what} must be rows of the linkage, from 0 to {nb - 1}")
    return rows.tolist()
