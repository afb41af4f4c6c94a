"""Quasi-statics of huge linkages, to an error that the user chooses."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwork.adaptive_loops import PASSES, AdaptiveLoops
from linkwork.calls import SINGULAR, entry, numbers, problem
from linkwork.constraints import constrained_step, residuals
from linkwork.divide_conquer import new_buffer
from linkwork.dynamics import forward_dynamics
from linkwork.errors import ArgumentError, StructureError, unknown_name
from linkwork.kinematics import body_poses
from linkwork.linkage.assembly import Assembly
from linkwork.linkage.change import Change
from linkwork.linkage.checks import array, number
from linkwork.linkage.joint import JointType
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.pose import Pose
from linkwork.linkage.tree import WORK_ROW

MEASURES = ("absolute-linkage", "relative-linkage", "absolute-joint", "relative-joint")
SHARE = 0.1  # of the joints, beyond which the exact step is the faster one
FINE = 1e-6  # noise, relative to all accelerations, above which new references are tried
PATIENCE = 16, 512  # exact steps before the adaptive one is tried again: at first, and at most
CHANGED, BEGIN, COMPUTE, MOVE, TOO_MANY = 1, 2, 4, 8, 1 << 62  # as in linkwork.kernels.adaptive
NOISE_OF_LOOPS = 4.0  # the noise of a closed linkage in terms of that of its tree: a floor twice as high
FORCE_ROW = 15  # numbers for what acts on a body, as in linkwork.kernels.upkeep
CHUNK = 64  # joints computed between two looks at the clock


@dataclass(frozen=True, slots=True)
class Report:
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


class AdaptiveSimulation:
    """Quasi-static motion of a linkage of very many bodies: a step computes only the joints that matter.

    Every step moves the joints by ½ dt² q̈ from rest (or by ``gain`` · q̈), q̈ being what the forces, torques and
    gravity would give. Joints are computed in the order of what they may contribute, until the error of the vector of
    accelerations is within the tolerance; those left out do not move. The cost of a step is that of the joints
    computed and of the paths in the assembly tree to the bodies that bear forces; it does not grow with the linkage.

    Parameters
    ----------
    linkage : Linkage
        Without force elements, contacts and couplings. It may have loop joints.
    q : (nq,) array_like
        Where it starts.
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
        q,
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
        _refuse(linkage)
        self._q = np.array(numbers(linkage, "q", q, linkage.nq, "nq"))
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
        index, pose = self.linkage.resolve(body)
        if index < 0:
            raise ArgumentError("a force on ground moves nothing: name a body")
        row = np.concatenate([pose.apply(array(point, (3,), "point")), array(force, (3,), "force"),
                              array(moment, (3,), "moment")])  # fmt: skip
        self._forces[index] = row
        self._force_changed = True

    def apply_torque(self, joint, tau) -> None:
        """Drive a joint; the torque (one number a degree of freedom) stays until it is replaced."""
        index = self.linkage.resolve_joint(joint)
        columns = self.linkage.columns
        start, end = int(columns.v_start[index]), int(columns.v_start[index]) + self.linkage.joints[index].nv
        self._tau[start:end] = array(np.broadcast_to(tau, end - start), (end - start,), "tau")
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
            return self._refine(self.tolerance, 0.0, int(joints))
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
        from linkwork.kernels.assembly import ABOVE, LEFT, PORT, RIGHT, STAGE
        from linkwork.kernels.total_acceleration import P_POSE

        index, offset = self.linkage.resolve(body)
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
        from linkwork.kernels.assembly import HEIGHT

        if change.revision_after != self.linkage.revision or change.revision_before != self._revision[0]:
            raise StructureError(f"{change!r} does not lead from this simulation's structure to the linkage's")
        _refuse(self.linkage)
        forces = self._loops.forces() if self._loops else {}
        if change.new_joint is None:  # loops only: the tree is as it was
            self._let_go()
            self._tree, self._revision = self.linkage.tree, (change.revision_after, self.linkage.parameters_revision)
            self._make_room(forces)
            self._pack_forces()
            return
        before = self._tree, self._nodes, self._leaf_node, self._joint_node
        self._q, _ = change.carry(self._q, np.zeros(len(self._tau)))
        tau, self._tau = self._tau, np.zeros(self.linkage.nv)
        kept = change.index_map.v >= 0
        self._tau[change.index_map.v[kept]] = tau[kept]
        stages, same_joint = _old_stages(before[0], self.linkage, change)
        hint = np.where(stages >= 0, before[1][before[3][stages], HEIGHT], 0)
        rows = self._rows
        self._bind(Assembly(self.linkage, hint), self._buffer)
        same = np.concatenate([np.full(len(self._nodes), -1), before[2]])
        fresh = np.ones(len(self._nodes), dtype=np.bool_)
        arguments = (self._tree.index, before[1], self._nodes, stages, same_joint, same, fresh, rows)
        self._rows = int(_call("upkeep", "keep_known", *arguments))
        self._make_room(forces)
        self._buffer[rows : self._rows] = 0.0  # where loops' records were
        self._rebuild(None if self._stale else fresh)

    # Within

    @property
    def _most(self) -> int:
        return self._tree.stages if self.tolerance == 0.0 else max(int(SHARE * self._tree.stages), 200)

    def _bind(self, assembly: Assembly, buffer: np.ndarray | None = None) -> None:
        """Take up an assembly tree: the arrays that go with it."""
        from linkwork.kernels.assembly import KIND, LEAF, STAGE
        from linkwork.kernels.total_acceleration import FULL_SOLVE_ROWS, OPEN_ROWS, TOTAL_ROWS

        self._assembly, self._tree = assembly, assembly.tree
        tree = assembly.tree
        self._loops: AdaptiveLoops | None = None
        self._revision = self.linkage.revision, self.linkage.parameters_revision
        self._nodes = nodes = assembly.nodes.copy()
        n = len(nodes)
        if buffer is None:
            index, extra = tree.index, (TOTAL_ROWS, OPEN_ROWS, FULL_SOLVE_ROWS)
            self._rows = int(_call("parts", "lay_out", index, nodes, *extra))
            buffer = new_buffer(0)
        self._buffer = buffer
        self._work = np.zeros(tree.work_size)
        self._keys, self._queue, self._taken = np.empty(n), np.empty(n, np.int64), np.empty(n, np.int64)
        self._order, self._stack, self._mark = np.empty(n, np.int64), np.empty(n, np.int64), np.zeros(n, np.int64)
        self._count, self._known, self._bounds, self._six = np.zeros(3, np.int64), np.ones(3), np.zeros(2), np.zeros(6)
        self._a, self._aside = np.zeros(tree.nv), np.zeros(tree.nv)
        leaf, stage = nodes[:, KIND] == LEAF, nodes[:, STAGE]
        joint = ~leaf & (stage >= 0)
        self._leaf_node, self._joint_node = np.empty(tree.stages, np.int64), np.empty(tree.stages, np.int64)
        self._leaf_node[stage[leaf]] = np.flatnonzero(leaf)
        self._joint_node[stage[joint]] = np.flatnonzero(joint)
        self._force_of = np.full(tree.stages, -1)
        self._driven: set[int] = set()

    def _make_room(self, forces: dict[str, np.ndarray] | None = None) -> None:
        """Plan the loop joints, which start from these forces, and a buffer that holds all records."""
        from linkwork.kernels.centring import CENTRING_ROWS

        self._loops, self._scratch, scratch_rows = None, self._rows, CENTRING_ROWS
        if self.linkage.loop_records:
            self._loops = AdaptiveLoops(self.linkage, self._assembly, self._nodes, self._rows)
            self._loops.resume(forces or {})
            self._scratch += self._loops.rows
            scratch_rows = max(scratch_rows, self._loops.scratch_rows)
        self._known[2] = NOISE_OF_LOOPS if self._loops else 1.0
        self._buffer = _grown(self._buffer, self._scratch + scratch_rows)
        self._balanced = False

    def _pack_forces(self) -> None:
        """What acts on bodies as kernels read it, in stage frames: forces from outside, and those of loop joints."""
        tree, held = self._tree, dict(zip(self._force_bodies, self._force_rows.reshape(-1, FORCE_ROW), strict=True))
        self._force_bodies = [*self._forces, *(set(self._loops.bodies if self._loops else ()) - set(self._forces))]
        stages = tree.stage[np.array(self._force_bodies, dtype=np.int64)]
        self._force_of[:] = -1
        self._force_of[stages] = np.arange(len(stages))
        self._force_leaves = self._leaf_node[stages]
        rows = np.zeros((len(stages), FORCE_ROW))
        if self._forces:
            rows[: len(self._forces), :9] = list(self._forces.values())
            rows[:, :3] = np.einsum("nji,nj->ni", tree.align[stages], rows[:, :3])
        if self._loops:
            for row, body in zip(rows, self._force_bodies, strict=True):
                row[9:] = held[body][9:] if body in held else 0.0
        self._force_rows = rows.ravel()
        self._force_changed = self._balanced = False

    def _balance(self) -> None:
        """Find the forces of loop joints, and let them act."""
        if self._loops is None or self._balanced:
            return
        for _ in range(PASSES):
            outcome, more = self._loops.solve(
                self._tree, self._work, self._buffer, self._nodes, self._scratch, self.gain or math.inf,
                self._force_rows, self._force_of, self._aside, self._q,
            )  # fmt: skip
            if outcome:
                raise problem(self.linkage, outcome)
            self._advance(CHANGED)
            if not more:
                break
        self._balanced = True

    def _let_go(self) -> None:
        """Take the forces of loop joints off the bodies."""
        if self._stale or self._loops is None:
            return
        self._drop()
        self._force_rows.reshape(-1, FORCE_ROW)[:, 9:] = 0.0
        self._advance(CHANGED)

    def _rebuild(self, fresh: np.ndarray | None = None) -> None:
        """Every coefficient anew from q, or those of the nodes that `fresh` marks."""
        from linkwork.kernels.assembly import KIND, LEAF

        if fresh is None:
            fresh = self._nodes[:, KIND] != LEAF
        self._pack_forces()
        self._heavy = self._is_heavy()
        outcome = self._run(
            "upkeep", "rebuild", self._work, self._buffer, self._nodes, self._tau, self._q, self._force_rows, self._force_of,
            fresh, self._scratch, self._aside, self._heavy,
        )  # fmt: skip
        if outcome:
            raise problem(self.linkage, outcome)
        self._driven.clear()
        self._stale = self._begun = False
        self._least_noise = self._numbers()[1]

    def _check(self) -> None:
        if self.linkage.revision != self._revision[0]:
            raise StructureError("the structure has changed: tell the simulation with follow(change), or use its cut")
        if self.linkage.parameters_revision != self._revision[1]:
            _refuse(self.linkage)
            self._bind(self.linkage.assembly())
            self._make_room()
            self._rebuild()

    def _numbers(self) -> tuple[float, float]:
        """The total acceleration at the present configuration, and the square of what rounding may have done to it."""
        from linkwork.kernels.assembly import TOTAL
        from linkwork.kernels.total_acceleration import T_NUMBERS

        total, noise = self._buffer[self._nodes[-1, TOTAL] + T_NUMBERS, 0, :2].tolist()
        return total, noise

    def _is_heavy(self) -> bool:
        """Whether loads may hold each other, and so be large beside what they do."""
        return bool(self._loops or np.any(self.linkage.gravity) or self._tau.any())

    def _prepare(self) -> None:
        """Bring everything up to date with the loads."""
        many = len(self._driven) > SHARE * self._tree.stages  # references would be far from the new loads
        if many or (self._driven and self._heavy != self._is_heavy()):
            self._stale = True
            self._drop()
        if self._stale:
            self._rebuild()
        if self._force_changed or self._driven:
            self._drop()
            self._pack_forces()
            self._advance(CHANGED)
            self._driven.clear()
            total, noise = self._numbers()
            if noise > max(FINE**2 * total, 4.0 * self._least_noise):  # references are far from the new loads
                self._rebuild()
            if not all(row[3:].any() for row in self._forces.values()):  # forces taken away have been so by now
                self._forces = {body: row for body, row in self._forces.items() if row[3:].any()}
                self._pack_forces()
        if not self._begun:
            self._balance()

    def _advance(self, what: int, tolerance: float = 0.0, most: int = 0) -> int:
        driven = np.fromiter(self._driven, np.int64, len(self._driven)) if what & CHANGED else _NONE
        updated = self._run(
            "adaptive", "advance", self._work, self._buffer, self._nodes, self._keys, self._queue, self._taken, self._count,
            self._known, self._scratch, self._a, MEASURES.index(self.error), tolerance if tolerance > 0.0 else -1.0, most,
            what, self._bounds, self._q, self.gain, self._six, self._mark, self._order, self._stack, self._force_rows,
            self._force_of, self._force_leaves, driven, self._tau, self._heavy,
        )  # fmt: skip
        if updated < 0:
            raise problem(self.linkage, SINGULAR | (-1 - updated) << 4)
        return updated

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
        floor = float(self._bounds[1])
        return Report(linkage.nb, floor, floor, floor <= self.tolerance, exact=True, gap=gap)

    def _drop(self) -> None:
        """Forget the accelerations computed so far."""
        self._begun = False
        self._count[:] = 0
        self._a[:] = 0.0

    def _run(self, module: str, name: str, *arguments) -> Any:
        return _call(module, name, self._tree.model, self._tree.index, *arguments)

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


_NONE = np.empty(0, dtype=np.int64)
_bound: dict[str, Any] = {}  # compiled functions: looking up the types of arguments takes longer than a step


def _call(module: str, name: str, *arguments) -> Any:
    if name not in _bound:
        _bound[name] = entry(module, name).bind(*arguments)
    return _bound[name](*arguments)


def _refuse(linkage: Linkage) -> None:
    if linkage.couplings or len(linkage.contacts):
        raise StructureError(
            f"linkage {linkage.name!r} has couplings or contacts: adaptive simulation takes tree joints and loop joints"
        )
    if linkage.forces:
        raise ArgumentError(
            f"linkage {linkage.name!r} has force elements, whose forces change with every pose: remove them, and give "
            "what acts on it by apply_force and apply_torque"
        )


def _grown(buffer: np.ndarray, rows: int) -> np.ndarray:
    """The buffer, or a longer one with the same records."""
    if len(buffer) >= rows:
        return buffer
    longer = new_buffer(rows + rows // 8)
    longer[: len(buffer)] = buffer
    return longer


def _old_stages(old, linkage: Linkage, change: Change) -> tuple[np.ndarray, np.ndarray]:
    """For each stage of a changed linkage the one it was before, and whether its joint is as before."""
    tree = linkage.tree
    stages, same_joint = np.full(tree.stages, -1), np.ones(tree.stages, dtype=np.bool_)
    stages[tree.stage] = old.stage
    compound = (tree.stage > tree.first_stage) & (old.stage > old.first_stage)
    stages[tree.first_stage[compound]] = old.first_stage[compound]
    if change.new_joint is not None:
        changed = linkage.columns.joint_index[change.new_joint]
        same_joint[tree.first_stage[changed] : tree.stage[changed] + 1] = False
    return stages, same_joint
