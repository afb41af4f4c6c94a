"""Loop joints and couplings of an adaptive simulation: their forces, from the nodes above their ends."""

from __future__ import annotations

import numpy as np

from linkwork.dynamics.constraints import loops_of
from linkwork.kernels.launch import call, call_unchecked
from linkwork.kernels.layout.adaptive import Loads, MovingRows, Tops
from linkwork.kernels.layout.loops import COUPLING, P_RECORDS, R_SLOPE, RECORD
from linkwork.kernels.layout.nodes import ABOVE, KIND, LEAF, LEFT, RIGHT, SCRATCH_ROWS, STAGE, TOTAL, Blocks
from linkwork.kernels.layout.rows import JOIN_ROWS, LoopBlocks
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.assembly import Assembly
from linkwork.linkage.packing.pack_loops import Loops
from linkwork.linkage.packing.plan_loops import LoopPlan, first_common

HOME = "assembly_tree.quasistatic_loops"
OwnBlocks = tuple[np.ndarray, np.ndarray, np.ndarray]  # plan and geometry of loops, and their records

SETTLED = 1e-4  # of the forces: a change so small leaves nothing to find


class LoopForces:
    """What an adaptive simulation keeps for loop joints; see `linkwork.kernels.assembly_tree.quasistatic_loops`.

    Parameters
    ----------
    linkage : Linkage
    assembly : Assembly
    nodes : (n, 13) array
        Its nodes, laid out for the simulation.
    first : int
        Row of the simulation's buffer from which on there is room.

    Attributes
    ----------
    rows : int
        Rows of the buffer that are needed from there on; `scratch_rows` those of scratch.
    bodies : list of int
        The bodies that loop joints act on.
    coupled : list of int
        The stages whose joints are coupled.
    tops : Tops
        The nodes above these bodies.
    moving : MovingRows
        The rows at nodes that are open while parts are held; the records of loops are those of `solve`.
    """

    def __init__(self, linkage: Linkage, assembly: Assembly, nodes: np.ndarray, first: int):
        loops, tree = loops_of(linkage), linkage.tree
        plan = LoopPlan(assembly, loops, first, at_leaves=True)
        entries = np.flatnonzero((plan.special >= 0) & (nodes[:, KIND] == LEAF))
        self._couplings = {k: loop for k, loop in enumerate(loops.table) if loop.kind == COUPLING}
        self.coupled = [stage for loop in self._couplings.values() for stage in (loop.a, loop.b)]
        coupled = assembly.joint_of[np.array(self.coupled, dtype=np.int64)]
        tops, main_of = _tops(nodes, np.concatenate([nodes[entries, ABOVE], coupled]))
        end = call((HOME, "lay_out_tops"), tree.index, tops, first + plan.rows)
        blocks = _own_blocks(loops)
        held = MovingLoops(linkage, assembly, end, blocks)
        self.moving, self.rows = held.moving, end - first + held.rows
        self.scratch_rows = max(SCRATCH_ROWS + JOIN_ROWS * plan.most, held.scratch_rows)
        self._loops = LoopBlocks(plan.special[main_of], plan.net, *blocks)
        self.force, marks = np.zeros(loops.n_rows), np.zeros(loops.n_rows)
        self.tops = Tops(tops, main_of, _ends(linkage, assembly), self.force, marks, np.zeros(1))
        self.bodies = np.unique(tree.body[nodes[entries, STAGE]]).tolist()
        rows = zip(loops.names[: loops.joints], loops.first_row, loops.rows, strict=False)
        self._slices = {name: slice(k, k + n) for name, k, n in rows}

    @property
    def gap(self) -> float:
        """Largest error of a loop, m or rad, when last looked at."""
        return float(self.tops.gap[0])

    def forces(self) -> dict[str, np.ndarray]:
        """The forces of the rows of every loop joint, by name."""
        return {name: self.force[rows] for name, rows in self._slices.items()}

    def resume(self, forces: dict[str, np.ndarray]) -> None:
        """Start from the forces that loops had before a change of structure."""
        for name, rows in self._slices.items():
            if name in forces and len(forces[name]) == len(self.force[rows]):
                self.force[rows] = forces[name]

    def torques(self, tau: np.ndarray) -> np.ndarray:
        """These torques and those of couplings."""
        total = tau.copy()
        for k, loop in self._couplings.items():
            force, slope = self.force[loop.row], self._loops.loop_scratch[RECORD * k + R_SLOPE]
            total[loop.dof_i] += force
            total[loop.dof_j] -= slope * force
        return total

    def release_couplings(self) -> None:
        """Forget the forces of couplings."""
        self.force[[loop.row for loop in self._couplings.values()]] = 0.0

    def solve(self, blocks: Blocks, loads: Loads, gain: float, q: np.ndarray, unused: np.ndarray) -> tuple[int, bool]:
        """Find the forces of all loops, and write what they do to bodies to `loads`; a status, and whether to go on.

        `unused` (nv) is overwritten.
        """
        before = self.force.copy()
        outcome = call_unchecked((HOME, "solve_loops"), blocks, self.tops, self._loops, loads, gain, q, unused)
        change = np.abs(self.force - before).max(initial=0.0)
        return outcome, bool(change > SETTLED * np.abs(self.force).max(initial=0.0))


class MovingLoops:
    """Loop joints and couplings where parts are held; see `linkwork.kernels.assembly_tree.moving_loops`.

    Parameters
    ----------
    linkage : Linkage
    assembly : Assembly
    first : int
        Row of the simulation's buffer from which on there is room.
    blocks : tuple of arrays, optional
        Plan, geometry and records of loops, where they are shared.

    Attributes
    ----------
    rows : int
        Rows of the buffer that are needed from there on; `scratch_rows` those of scratch.
    moving : MovingRows
    """

    bodies: tuple[int, ...] = ()  # that bear forces of loops as loads: none

    def __init__(self, linkage: Linkage, assembly: Assembly, first: int, blocks: OwnBlocks | None = None):
        loops, nodes = loops_of(linkage), assembly.nodes
        plan = LoopPlan(assembly, loops, first, at_leaves=True, whole_leaves=True)
        self.rows, self.scratch_rows = plan.rows, SCRATCH_ROWS + JOIN_ROWS * plan.most
        own, force, marks = np.empty(0, np.int64), *np.zeros((2, loops.n_rows))
        passed = _with_all_above(nodes, np.flatnonzero((plan.special >= 0) & (nodes[:, KIND] != LEAF)))
        is_passed = np.zeros(len(nodes), dtype=np.bool_)
        is_passed[passed] = True
        own_plan, geometry, records = blocks or _own_blocks(loops)
        self.moving = MovingRows(
            own, plan.special.copy(), plan.net.copy(), own_plan, geometry, records, _ends(linkage, assembly), force,
            marks, np.zeros(1), passed[::-1].copy(), is_passed,
        )  # fmt: skip

    @property
    def gap(self) -> float:
        """Largest error of a loop, m or rad, when last looked at."""
        return float(self.moving.gap[0])

    def forces(self) -> dict[str, np.ndarray]:
        """The forces that rows start from: none, they are solved for anew."""
        return {}

    def resume(self, forces: dict[str, np.ndarray]) -> None:
        """Start from forces that loops had."""


def _own_blocks(loops: Loops) -> OwnBlocks:
    """Plan and geometry of loops, and their records: all of their scratch space that is needed."""
    plan = loops.plan.copy()
    plan[P_RECORDS] = 0
    return plan, loops.geometry.copy(), np.zeros(RECORD * len(loops.names))


def _tops(nodes: np.ndarray, lowest: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """These nodes, those above them and all that they are made of, numbered anew; and the nodes they are."""
    rows = _with_all_above(nodes, lowest)
    children = nodes[rows][:, [LEFT, RIGHT]].ravel()
    main_of = np.union1d(rows, children[children >= 0])
    tops = nodes[main_of].copy()
    for column in (LEFT, RIGHT, ABOVE):
        tops[:, column] = np.where(tops[:, column] >= 0, np.searchsorted(main_of, tops[:, column]), -1)
    tops[np.searchsorted(main_of, rows), TOTAL] = -1
    return tops, main_of


def _with_all_above(nodes: np.ndarray, lowest: np.ndarray) -> np.ndarray:
    """These nodes and those above them, parts before what is made of them."""
    above = set()
    for node in lowest.tolist():
        while node >= 0 and node not in above:
            above.add(node)
            node = int(nodes[node, ABOVE])
    return np.array(sorted(above), dtype=np.int64)


def _ends(linkage: Linkage, assembly: Assembly) -> np.ndarray:
    """(loops, 3) leaves of the bodies a and b (−1 for ground) and the first node that holds both."""
    above, stage = assembly.nodes[:, ABOVE].tolist(), linkage.tree.stage
    ends = []
    for record in linkage._loops.records:
        a, b = (int(assembly.leaf_of[stage[body]]) if body >= 0 else -1 for body in (record.a, record.b))
        ends.append((a, b, first_common(above, a, b)))
    return np.array(ends, dtype=np.int64).reshape(-1, 3)
