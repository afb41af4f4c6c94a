"""Quasi-statics of huge linkages, to an error that the user chooses."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np

from linkwork.dynamics.constraints import constrained_step, residuals
from linkwork.dynamics.forward import forward_dynamics
from linkwork.dynamics.kinematics import body_poses
from linkwork.errors import ArgumentError, StructureError, unknown_name
from linkwork.kernels.launch import call
from linkwork.kernels.layout import WORK_ROW
from linkwork.linkage.change import Change
from linkwork.linkage.checks import array, number
from linkwork.linkage.joint import JointType
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.assembly import Assembly
from linkwork.linkage.packing.launch import numbers
from linkwork.linkage.pose import Pose
from linkwork.quasistatics.records import (
    BEGIN,
    COMPUTE,
    MEASURES,
    MOVE,
    SHARE,
    TOO_MANY,
    AdaptiveRecords,
    old_stages,
    refuse,
)

PATIENCE = 16, 512  # exact steps before the adaptive one is tried again: at first, and at most
CHUNK = 64  # joints computed between two looks at the clock


class Report(NamedTuple):
    """What a step, or a refinement, has done.

    Attributes
    ----------
    computed : int
        Joints whose accelerations were computed; all others are taken as zero.
    error_bound : float
        The true error, in the measure of the simulation, is at most this, rounding included.
    noise_floor : float
        What rounding alone may amount to, in the same measure; no smaller bound is ever given.
    claimed : bool
        Whether the bound is within the tolerance. It is not where the tolerance is below the noise floor, or where a
        refinement stopped early.
    updated_nodes : int
        Nodes of the assembly tree that were brought up to date after the step.
    exact : bool
        Whether the step was the exact O(N) one, because too many joints mattered.
    gap : float
        Largest error of a loop joint, m or rad, before the step.
    """

    computed: int
    error_bound: float
    noise_floor: float
    claimed: bool
    updated_nodes: int = 0
    exact: bool = False
    gap: float = 0.0


class AdaptiveSimulation(AdaptiveRecords):
    """Quasi-static motion of a linkage of very many bodies: a step computes only the joints that matter.

    Every step moves the joints by ½ dt² q̈ from rest (or by ``gain`` · q̈), q̈ being what the forces, torques and
    gravity would give. Joints are computed in the order of what they may contribute, until the error of the vector of
    accelerations is within the tolerance; those left out do not move. The cost of a step is that of the joints
    computed and of the paths in the assembly tree to the bodies that bear forces; it does not grow with the linkage.

    Parameters
    ----------
    linkage : Linkage
        Without force elements, contacts and couplings. It may have loop joints.
    q : (nq,) array_like, optional
        Where it starts. Default: `linkage.neutral()`.
    tolerance : float
        Largest error of the accelerations in a step; 0 computes every joint.
    error : {"relative-joint", "absolute-joint", "relative-linkage", "absolute-linkage"}
        How the error is measured: by the largest acceleration left out, or by the root of the sum of squares of all of
        them; divided by the same of the exact accelerations, or not. With radians and metres mixed only what divides
        by nothing has a unit.
    dt : float
        Time step, s.
    gain : float, optional
        What accelerations are multiplied by to give displacements, s². Default ½ dt².

    Notes
    -----
    [Redon2005], with quadratics and accelerations centred at stored references. Loop joints are forces on their bodies,
    found exactly in every step; the accelerations are those that close the loops by the end of it, to first order.

    Examples
    --------
    >>> import linkwork as lw
    >>> chain = lw.samples.chain(1000)
    >>> chain.gravity = (0, 0, 0)
    >>> ad = lw.AdaptiveSimulation(chain, chain.neutral(), tolerance=1e-3)
    >>> ad.apply_force("link999", (1.0, 0.0, 0.0), point=(0, 0, -1))
    >>> report = ad.step()
    >>> report.computed < 60 and report.error_bound <= 1e-3
    True
    """

    def __init__(
        self,
        linkage: Linkage,
        q=None,
        *,
        tolerance: float = 2.0**-11,
        error: str = "relative-joint",
        dt: float = 1e-2,
        gain: float | None = None,
    ):
        if error not in MEASURES:
            raise unknown_name("error measure", error, list(MEASURES))
        self.linkage = linkage
        self.tolerance = number(tolerance, "tolerance", minimum=0.0)
        self.error = error
        self.dt = number(dt, "dt", minimum=0.0)
        self.gain = 0.5 * self.dt**2 if gain is None else number(gain, "gain")
        self.time = 0.0
        refuse(linkage)
        self._q = np.array(numbers(linkage, "q", linkage.neutral() if q is None else q, linkage.nq, "nq"))
        if self._q.ndim != 1:
            raise ArgumentError(f"an adaptive simulation takes one state: q must have shape ({linkage.nq},)")
        self._tau = np.zeros(linkage.nv)
        self._forces: dict[int, np.ndarray] = {}  # body: point in it, force, moment
        self._force_bodies: list[int] = []
        self._force_rows = np.empty(0)
        self._patience, self._exact_steps = PATIENCE[0], 0
        self._bind(linkage.assembly())
        self._make_room()
        self._rebuild()

    # Driving

    def apply_force(self, body, force, point=(0.0, 0.0, 0.0), *, moment=(0.0, 0.0, 0.0)) -> None:
        """Push a body; the force stays, in world axes, until another one (or zero) on the same body replaces it.

        Parameters
        ----------
        body : str, Body or Frame
        force, moment : (3,) array_like
            N and N m, world axes.
        point : (3,) array_like
            Where the force acts, in the body's (or frame's) frame, m.
        """
        index, pose = self.linkage._resolve(body)
        if index < 0:
            raise ArgumentError("a force on ground moves nothing: name a body")
        row = np.concatenate([pose.apply(array(point, (3,), "point")), array(force, (3,), "force"),
                              array(moment, (3,), "moment")])  # fmt: skip
        self._forces[index] = row
        self._force_changed = True

    def apply_torque(self, joint, tau) -> None:
        """Drive a joint; the torque (one number a degree of freedom) stays until it is replaced."""
        index = self.linkage._resolve_joint(joint)
        columns = self.linkage.columns
        start, end = int(columns.v_start[index]), int(columns.v_start[index]) + self.linkage.joints[index].nv
        size = end - start
        self._tau[start:end] = array(np.full(size, tau) if np.ndim(tau) == 0 else tau, (size,), "tau")
        tree = self._tree
        stages = range(int(tree.first_stage[index]), int(tree.stage[index]) + 1)
        self._driven.update(int(self._joint_node[stage]) for stage in stages)

    # Moving

    def step(self) -> Report:
        """Find the accelerations to within the tolerance, and move by them."""
        self._check()
        self.time += self.dt
        if self._exact_steps > 0:
            return self._exact_step()
        self._prepare()
        updated = self._advance((0 if self._begun else BEGIN) | COMPUTE | MOVE, self.tolerance, self._most)
        if updated == TOO_MANY:
            self._exact_steps = self._patience
            self._patience = min(2 * self._patience, PATIENCE[1])
            return self._exact_step()
        self._patience, self._begun, self._balanced = PATIENCE[0], False, False
        return self._report(self.tolerance, updated)

    def refine(
        self, *, tolerance: float | None = None, seconds: float | None = None, joints: int | None = None
    ) -> Report:
        """Compute more accelerations at the present configuration, without moving: an answer at any time.

        Goes on from what has been computed since the last step, until the error is within `tolerance`, so many
        `seconds` have passed, or so many `joints` have been computed in all; give one of the three. The result is
        in `a`, and the next `step` starts from it.
        """
        if sum(value is not None for value in (tolerance, seconds, joints)) != 1:
            raise ArgumentError("refine takes one of tolerance, seconds and joints")
        self._check()
        self._prepare()
        if tolerance is not None:
            goal = number(tolerance, "tolerance", minimum=0.0)
            return self._refine(goal, goal, self._tree.stages)
        if joints is not None:
            most = int(min(number(joints, "joints", minimum=0.0), self._tree.stages))
            return self._refine(self.tolerance, 0.0, most)
        end = time.perf_counter() + number(seconds, "seconds", minimum=0.0)
        report = self._refine(self.tolerance, 0.0, 0)
        while time.perf_counter() < end and self._count[0] > 0:
            report = self._refine(self.tolerance, 0.0, report.computed + CHUNK)
        return report

    @property
    def q(self) -> np.ndarray:
        """Coordinates (nq,), a copy."""
        return self._q.copy()

    @property
    def a(self) -> np.ndarray:
        """Accelerations (nv,) computed since the last step by `refine`, zero where none was."""
        return self._a.copy()

    def pose(self, body) -> Pose:
        """Return where a body or frame stands in the world: O(log nb), along its path in the assembly tree."""
        from linkwork.kernels.assembly_tree.assembly import ABOVE, LEFT, PORT, RIGHT, STAGE
        from linkwork.kernels.assembly_tree.total_acceleration import P_POSE

        index, offset = self.linkage._resolve(body)
        if index < 0:
            return offset
        self._check()
        if self._stale:
            self._rebuild()
        tree, nodes = self._tree, self._nodes
        rotation, position = tree.align[tree.stage[index]].T, np.zeros(3)
        node = self._leaf_node[tree.stage[index]]
        while nodes[node, ABOVE] >= 0:
            child, node = node, nodes[node, ABOVE]
            if nodes[node, RIGHT] != child or nodes[node, STAGE] < 0:
                continue
            start = WORK_ROW * nodes[node, STAGE]
            steps = [self._work[start : start + 12]]
            left = nodes[node, LEFT]
            if left >= 0 and nodes[left, PORT] >= 0:
                row = nodes[left, PORT] + P_POSE
                steps.append(self._buffer[row : row + 3].reshape(12))
            for step in steps:
                turn = step[:9].reshape(3, 3)
                rotation, position = turn @ rotation, step[9:] + turn @ position
        return Pose(position, rotation) @ offset

    @property
    def total_acceleration(self) -> float:
        """Σ q̈² over every degree of freedom at the present configuration, known without computing them."""
        self._check()
        self._prepare()
        return self._numbers()[0]

    @property
    def nbytes(self) -> int:
        """Memory of the assembly tree and of all that is kept for it, in bytes."""
        return sum(value.nbytes for value in vars(self).values() if isinstance(value, np.ndarray))

    # Changing the structure

    def cut(self, joint) -> Change:
        """Cut a tree joint or a loop joint of the linkage and go on from there; see `Linkage.cut`."""
        self._check()
        change = self.linkage.cut(joint)
        self.follow(change)
        return change

    def connect(self, a, b, joint: JointType, **options) -> Change:
        """Close a loop in the linkage and go on from there; see `Linkage.connect`. A gap is closed in the next step."""
        self._check()
        change = self.linkage.connect(a, b, joint, **options)
        self.follow(change)
        return change

    def follow(self, change: Change) -> None:
        """Go on after a change of the linkage's structure; parts of the assembly tree that are as before are kept."""
        from linkwork.kernels.assembly_tree.assembly import HEIGHT

        if not isinstance(change, Change):
            raise ArgumentError(f"follow takes the Change that a cut or a connection has returned, not {change!r}")
        if change.revision_after != self.linkage.revision or change.revision_before != self._revision[0]:
            raise StructureError(f"{change!r} does not lead from this simulation's structure to the linkage's")
        refuse(self.linkage)
        forces = self._loops.forces() if self._loops else {}
        loads = self._force_changed, bool(self._driven)  # whether there are any that no node knows of yet
        if change.new_joint is None:  # loops only: the tree is as it was
            self._let_go()
            self._drop()
            self._tree, self._revision = self.linkage.tree, (change.revision_after, self.linkage.parameters_revision)
            self._make_room(forces)
            self._pack_forces()
            self._force_changed = loads[0]
            return
        before = self._tree, self._nodes, self._leaf_node, self._joint_node
        self._q, _ = change.carry(self._q, np.zeros(len(self._tau)))
        tau, self._tau = self._tau, np.zeros(self.linkage.nv)
        kept = change.index_map.v >= 0
        self._tau[change.index_map.v[kept]] = tau[kept]
        stages, same_joint = old_stages(before[0], self.linkage, change)
        hint = np.where(stages >= 0, before[1][before[3][stages], HEIGHT], 0)
        rows = self._rows
        self._bind(Assembly(self.linkage, hint), self._buffer)
        same = np.concatenate([np.full(len(self._nodes), -1), before[2]])
        fresh = np.ones(len(self._nodes), dtype=np.bool_)
        arguments = (self._tree.index, before[1], self._nodes, stages, same_joint, same, fresh, rows)
        self._rows = int(call(("assembly_tree.upkeep", "keep_known"), *arguments))
        self._make_room(forces)
        self._buffer[rows : self._rows] = 0.0  # where loops' records were
        self._rebuild(None if self._stale or any(loads) else fresh)

    # Within

    @property
    def _most(self) -> int:
        return self._tree.stages if self.tolerance == 0.0 else max(int(SHARE * self._tree.stages), 200)

    def _refine(self, promised: float, tolerance: float, most: int) -> Report:
        self._advance((0 if self._begun else BEGIN) | COMPUTE, tolerance, most)
        self._begun = True
        return self._report(promised)

    def _report(self, tolerance: float, updated: int = 0) -> Report:
        left, floor = self._bounds.tolist()
        gap = self._loops.gap if self._loops else 0.0
        return Report(int(self._count[2]), left + floor, floor, left + floor <= tolerance, updated, gap=gap)

    def _exact_step(self) -> Report:
        """The O(N) step: every joint."""
        linkage = self.linkage
        f_ext = np.zeros((linkage.nb, 6))
        if self._forces:
            bodies, rows = list(self._forces), np.array(list(self._forces.values()))
            f_ext[bodies] = rows[:, 3:]
            if rows[:, :3].any():
                points = np.einsum("nij,nj->ni", body_poses(linkage, self._q).rotations[bodies], rows[:, :3])
                f_ext[bodies, 3:] += np.cross(points, rows[:, 3:6])
        a = forward_dynamics(linkage, self._q, np.zeros(linkage.nv), self._tau, f_ext if self._forces else None)
        move, gap = self.gain * a, 0.0
        if self._loops:
            state = residuals(linkage, self._q)
            move, gap = move + constrained_step(linkage, self._q, -state.row_error).x, state.gap
        self._q = linkage.integrate(self._q, move)
        self._exact_steps -= 1
        self._stale = True
        self._drop()
        floor = self._floor_of_floats(a)
        return Report(linkage.nb, floor, floor, floor <= self.tolerance, exact=True, gap=gap)

    def _floor_of_floats(self, a: np.ndarray) -> float:
        """What rounding may do to accelerations where no lower digits are kept, in the measure of the simulation."""
        noise = self._numbers()[2] ** 0.5
        if self.error.startswith("absolute"):
            return noise
        squares, starts = a * a, np.unique(self.linkage.columns.v_start)
        if self.error == "relative-linkage":
            size = squares.sum()
        else:
            size = np.add.reduceat(squares, starts[starts < len(a)]).max(initial=0.0)
        return float(noise / size**0.5) if size > 0.0 else np.inf

    def __getstate__(self) -> dict[str, Any]:
        names = ("linkage", "tolerance", "error", "dt", "gain", "time", "_q", "_tau", "_forces")
        return {name: getattr(self, name) for name in names}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _patience=PATIENCE[0], _exact_steps=0, _force_bodies=[], _force_rows=np.empty(0))
        self._bind(self.linkage.assembly())
        self._make_room()
        self._rebuild()

    def __repr__(self) -> str:
        return (
            f"AdaptiveSimulation({self.linkage.name!r}, {self._tree.nb} bodies, t={self.time:g} s, "
            f"{self.error} error <= {self.tolerance:g}, {len(self._forces)} forces)"
        )
