"""What acts on a linkage in an adaptive simulation: forces on bodies, torques at joints, wrenches of loop joints."""

from __future__ import annotations

import numpy as np

from linkwork.dynamics.kinematics import body_poses
from linkwork.kernels.layout.adaptive import F_FORCE, F_LOOPS, F_MOMENT, F_POINT, FORCE_ROW, Loads
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.tree import Tree


class AppliedLoads:
    """Forces and torques as the user gives them, and as kernels read them.

    Attributes
    ----------
    forces : dict
        By body: point in it, force, moment (9 numbers).
    tau : (nv,) ndarray
    forces_changed : bool
        Whether there are forces that no record knows of yet.
    driven : set of int
        Stages whose torques no record knows of yet.
    """

    def __init__(self, nv: int):
        self.forces: dict[int, np.ndarray] = {}
        self.tau = np.zeros(nv)
        self.forces_changed = False
        self.driven: set[int] = set()
        self._bodies: list[int] = []  # that bear something, in the order of `_rows`
        self._rows = np.empty((0, FORCE_ROW))
        self._force_of = np.empty(0, np.int64)

    @property
    def changed(self) -> bool:
        """Whether there are any loads that no record knows of yet."""
        return self.forces_changed or bool(self.driven)

    def push(self, body: int, point: np.ndarray, force: np.ndarray, moment: np.ndarray) -> None:
        """Replace what acts on a body."""
        self.forces[body] = np.concatenate([point, force, moment])
        self.forces_changed = True

    def drop_zeros(self) -> bool:
        """Forget forces that have been taken away; whether there were any."""
        kept = {body: row for body, row in self.forces.items() if row[F_FORCE:].any()}
        dropped, self.forces = len(kept) < len(self.forces), kept
        return dropped

    def carry(self, index_map: np.ndarray, nv: int) -> None:
        """Follow a change of structure, which sends degree of freedom k to index_map[k], −1 where it is gone."""
        tau, self.tau = self.tau, np.zeros(nv)
        kept = index_map >= 0
        self.tau[index_map[kept]] = tau[kept]

    def packed(self, tree: Tree, leaves: np.ndarray, loop_bodies: list[int], heavy: bool) -> Loads:
        """What acts as kernels read it, in stage frames; wrenches of loop joints stay as they were.

        `leaves` has the leaf of each stage in the assembly tree.
        """
        held = dict(zip(self._bodies, self._rows[:, F_LOOPS:], strict=True))
        self._bodies = [*self.forces, *(set(loop_bodies) - set(self.forces))]
        stages = tree.stage[np.array(self._bodies, dtype=np.int64)]
        if len(self._force_of) != tree.stages:
            self._force_of = np.empty(tree.stages, np.int64)
        self._force_of[:] = -1
        self._force_of[stages] = np.arange(len(stages))
        rows = np.zeros((len(stages), FORCE_ROW))
        if self.forces:
            rows[: len(self.forces), :F_LOOPS] = list(self.forces.values())
            points = slice(F_POINT, F_FORCE)
            rows[:, points] = np.einsum("nji,nj->ni", tree.align[stages], rows[:, points])
        if loop_bodies:
            for row, body in zip(rows, self._bodies, strict=True):
                row[F_LOOPS:] = held.get(body, 0.0)
        self._rows, self.forces_changed = rows, False
        return Loads(rows.ravel(), self._force_of, leaves[stages], np.empty(0, np.int64), self.tau, heavy)

    def release_loops(self) -> None:
        """Take the wrenches of loop joints off the bodies."""
        self._rows[:, F_LOOPS:] = 0.0

    def wrenches(self, linkage: Linkage, q: np.ndarray) -> np.ndarray | None:
        """Forces as `f_ext`, None where there are none."""
        if not self.forces:
            return None
        f_ext, bodies, rows = np.zeros((linkage.nb, 6)), list(self.forces), np.array(list(self.forces.values()))
        f_ext[bodies] = rows[:, F_FORCE:]
        if rows[:, :F_FORCE].any():
            arms = np.einsum("nij,nj->ni", body_poses(linkage, q).rotations[bodies], rows[:, F_POINT:F_FORCE])
            f_ext[bodies, 3:] += np.cross(arms, rows[:, F_FORCE:F_MOMENT])
        return f_ext
