"""What acts on a linkage in an adaptive simulation: forces on bodies, torques at joints, wrenches of loop joints."""

from __future__ import annotations

import numpy as np

from linkwork.dynamics.kinematics import body_poses
from linkwork.kernels.layout.adaptive import (
    F_FORCE,
    F_LOOPS,
    F_MOMENT,
    F_POINT,
    F_SPRINGS,
    FORCE_ROW,
    Loads,
    Potentials,
)
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.tree import Tree
from linkwork.quasistatics.model_forces import JointPotential

GIVEN = F_LOOPS  # numbers of a force as the user gives it: point in the body, force, moment


class AppliedLoads:
    """Forces and torques as the user gives them, and as kernels read them.

    Attributes
    ----------
    bodies : list of int
        That forces act on.
    tau : (nv,) ndarray
    forces_changed : bool
        Whether there are forces that no record knows of yet.
    potentials : dict
        Of joints, by name.
    driven : set of int
        Stages whose torques no record knows of yet.
    """

    def __init__(self, nv: int):
        self.tau = np.zeros(nv)
        self.forces_changed = False
        self.driven: set[int] = set()
        self.potentials: dict[str, JointPotential] = {}
        self.bodies: list[int] = []
        self.bodies_revision = 0  # counts changes of that list
        self._as_array = 0, np.empty(0, np.int64)
        self._row_of: dict[int, int] = {}
        self._given = np.zeros((4, GIVEN))  # a row for each of the bodies, and room
        self._packed_bodies: list[int] = []  # that bear something, loops included, in the order of `_rows`
        self._rows = np.empty((0, FORCE_ROW))
        self._force_of = np.empty(0, np.int64)

    @property
    def changed(self) -> bool:
        """Whether there are any loads that no record knows of yet."""
        return self.forces_changed or bool(self.driven)

    @property
    def given(self) -> np.ndarray:
        """Point in the body, force and moment, for each of the bodies."""
        return self._given[: len(self.bodies)]

    @property
    def forces(self) -> dict[int, np.ndarray]:
        """Point in the body, force and moment, by body."""
        return dict(zip(self.bodies, self.given, strict=True))

    def push(self, body: int, numbers) -> None:
        """Replace what acts on a body: point in it, force, moment."""
        row = self._row_of.get(body)
        if row is None:
            row = self._add(body)
        self._given[row] = numbers
        self.forces_changed = True

    def are_all(self, bodies: np.ndarray) -> bool:
        """Whether these are the bodies that forces act on, in their order."""
        if self._as_array[0] != self.bodies_revision:
            self._as_array = self.bodies_revision, np.array(self.bodies, dtype=np.int64)
        return np.array_equal(bodies, self._as_array[1])

    def push_all(self, bodies: list[int], numbers: np.ndarray) -> None:
        """Replace what acts on many bodies."""
        if bodies is self.bodies or bodies == self.bodies:  # all of them anew, as often
            self.given[:] = numbers
        else:
            row_of = self._row_of
            rows = [row_of[body] if body in row_of else self._add(body) for body in bodies]
            self._given[rows] = numbers
        self.forces_changed = True

    def _add(self, body: int) -> int:
        """A row for a body that has none."""
        row = self._row_of[body] = len(self.bodies)
        self.bodies.append(body)
        self.bodies_revision += 1
        if row == len(self._given):
            self._given = np.concatenate([self._given, np.zeros_like(self._given)])
        return row

    def drop_zeros(self) -> bool:
        """Forget forces that have been taken away; whether there were any."""
        if np.count_nonzero(self.given[:, F_FORCE]) == len(self.bodies):  # most often, and told at once
            return False
        kept = (self.given[:, F_FORCE:] != 0.0).sum(axis=1) > 0
        if kept.all():
            return False
        self._given = np.concatenate([self.given[kept], np.zeros((4, GIVEN))])
        self.bodies = [body for body, keep in zip(self.bodies, kept.tolist(), strict=True) if keep]
        self._row_of = {body: row for row, body in enumerate(self.bodies)}
        self.bodies_revision += 1
        return True

    def carry(self, index_map: np.ndarray, nv: int) -> None:
        """Follow a change of structure, which sends degree of freedom k to index_map[k], −1 where it is gone."""
        tau, self.tau = self.tau, np.zeros(nv)
        kept = index_map >= 0
        self.tau[index_map[kept]] = tau[kept]

    def packed(
        self, tree: Tree, leaves: np.ndarray, loop_bodies: list[int], heavy: bool, twins: bool | None,
        springs: tuple[np.ndarray, np.ndarray], potentials: Potentials,
    ) -> Loads:  # fmt: skip
        """What acts as kernels read it, in stage frames; wrenches of loop joints stay as they were.

        `leaves` has the leaf of each stage in the assembly tree.
        """
        loops, rows_of_springs = slice(F_LOOPS, F_SPRINGS), springs[1]
        held = dict(zip(self._packed_bodies, self._rows[:, loops], strict=True)) if loop_bodies else {}
        others = {*loop_bodies, *rows_of_springs[rows_of_springs >= 0].tolist()} - set(self.bodies)
        bodies = self._packed_bodies = [*self.bodies, *sorted(others)]
        stages = tree.stage[np.array(bodies, dtype=np.int64)]
        if len(self._force_of) != tree.stages:
            self._force_of = np.empty(tree.stages, np.int64)
        self._force_of[:] = -1
        self._force_of[stages] = np.arange(len(stages))
        rows = self._rows = np.zeros((len(stages), FORCE_ROW))
        self.refill(tree)
        if held:
            for row, body in zip(rows, bodies, strict=True):
                row[loops] = held.get(body, 0.0)
        ends = np.where(rows_of_springs >= 0, self._force_of[tree.stage[rows_of_springs]], -1)
        return Loads(
            rows.ravel(), self._force_of, leaves[stages], np.empty(0, np.int64), self.tau, heavy, twins, springs[0],
            ends, potentials,
        )  # fmt: skip

    def refill(self, tree: Tree) -> None:
        """Write what acts now to the rows that kernels read; the bodies are those for which they were packed."""
        rows, points = self.given, self.given[:, F_POINT:F_FORCE]
        self._rows[: len(self.bodies), :GIVEN] = rows
        if points.any():
            turns = tree.align[tree.stage[np.array(self.bodies, dtype=np.int64)]]
            self._rows[: len(self.bodies), F_POINT:F_FORCE] = np.einsum("nji,nj->ni", turns, points)
        self.forces_changed = False

    def release_loops(self) -> None:
        """Take the wrenches of loop joints off the bodies."""
        self._rows[:, F_LOOPS:F_SPRINGS] = 0.0

    def wrenches(self, linkage: Linkage, q: np.ndarray) -> np.ndarray | None:
        """Forces as `f_ext`, None where there are none."""
        if not self.bodies:
            return None
        f_ext, rows = np.zeros((linkage.nb, 6)), self.given
        f_ext[self.bodies] = rows[:, F_FORCE:]
        if rows[:, :F_FORCE].any():
            arms = np.einsum("nij,nj->ni", body_poses(linkage, q).rotations[self.bodies], rows[:, F_POINT:F_FORCE])
            f_ext[self.bodies, 3:] += np.cross(arms, rows[:, F_FORCE:F_MOMENT])
        return f_ext
