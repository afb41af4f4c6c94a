"""Loop joints of an adaptive simulation: their forces, from the part of the assembly tree that is above their ends."""

from __future__ import annotations

import numpy as np

from linkwork.dynamics.constraints import loops_of
from linkwork.kernels.launch import call
from linkwork.kernels.layout.adaptive import Loads, Tops
from linkwork.kernels.layout.loops import P_RECORDS, RECORD
from linkwork.kernels.layout.nodes import ABOVE, KIND, LEAF, LEFT, RIGHT, SCRATCH_ROWS, STAGE, TOTAL, Blocks
from linkwork.kernels.layout.rows import JOIN_ROWS, LoopBlocks
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.assembly import Assembly
from linkwork.linkage.packing.plan_loops import LoopPlan, first_common

HOME = "assembly_tree.quasistatic_loops"
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
    tops : Tops
        The nodes above these bodies.
    """

    def __init__(self, linkage: Linkage, assembly: Assembly, nodes: np.ndarray, first: int):
        loops, tree = loops_of(linkage), linkage.tree
        plan = LoopPlan(assembly, loops, first, at_leaves=True)
        entries = np.flatnonzero((plan.special >= 0) & (nodes[:, KIND] == LEAF))
        tops, main_of = _tops(nodes, entries)
        end = call((HOME, "lay_out_tops"), tree.index, tops, first + plan.rows)
        self.rows, self.scratch_rows = end - first, SCRATCH_ROWS + JOIN_ROWS * plan.most
        own_plan = loops.plan.copy()
        own_plan[P_RECORDS] = 0  # of the scratch space of loops only their records are needed
        records = np.zeros(RECORD * len(loops.names))
        self._loops = LoopBlocks(plan.special[main_of], plan.net, own_plan, loops.geometry, records)
        self.force, marks = np.zeros(loops.n_rows), np.zeros(loops.n_rows)
        self.tops = Tops(tops, main_of, _ends(linkage, assembly), self.force, marks, np.zeros(1))
        self.bodies = np.unique(tree.body[nodes[entries, STAGE]]).tolist()
        rows = zip(loops.first_row, loops.rows, strict=True)
        self._slices = {name: slice(k, k + n) for name, (k, n) in zip(loops.names, rows, strict=True)}

    @property
    def gap(self) -> float:
        """Largest error of a loop, m or rad, when last looked at."""
        return float(self.tops.gap[0])

    def forces(self) -> dict[str, np.ndarray]:
        """The forces of the rows of every loop, by name."""
        return {name: self.force[rows] for name, rows in self._slices.items()}

    def resume(self, forces: dict[str, np.ndarray]) -> None:
        """Start from the forces that loops had before a change of structure."""
        for name, rows in self._slices.items():
            if name in forces and len(forces[name]) == len(self.force[rows]):
                self.force[rows] = forces[name]

    def solve(self, blocks: Blocks, loads: Loads, gain: float, q: np.ndarray, unused: np.ndarray) -> tuple[int, bool]:
        """Find the forces of all loops, and write what they do to bodies to `loads`; a status, and whether to go on.

        `unused` (nv) is overwritten.
        """
        before = self.force.copy()
        outcome = call((HOME, "solve_loops"), blocks, self.tops, self._loops, loads, gain, q, unused)
        change = np.abs(self.force - before).max(initial=0.0)
        return outcome, bool(change > SETTLED * np.abs(self.force).max(initial=0.0))


def _tops(nodes: np.ndarray, entries: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The nodes above these leaves and all that they are made of, numbered anew; and the nodes they are."""
    above = set()
    for node in nodes[entries, ABOVE].tolist():
        while node >= 0 and node not in above:
            above.add(node)
            node = int(nodes[node, ABOVE])
    rows = np.array(sorted(above), dtype=np.int64)
    children = nodes[rows][:, [LEFT, RIGHT]].ravel()
    main_of = np.union1d(rows, children[children >= 0])
    tops = nodes[main_of].copy()
    for column in (LEFT, RIGHT, ABOVE):
        tops[:, column] = np.where(tops[:, column] >= 0, np.searchsorted(main_of, tops[:, column]), -1)
    tops[np.searchsorted(main_of, rows), TOTAL] = -1
    return tops, main_of


def _ends(linkage: Linkage, assembly: Assembly) -> np.ndarray:
    """(loops, 3) leaves of the bodies a and b (−1 for ground) and the first node that holds both."""
    above, stage = assembly.nodes[:, ABOVE].tolist(), linkage.tree.stage
    ends = []
    for record in linkage._loops.records:
        a, b = (int(assembly.leaf_of[stage[body]]) if body >= 0 else -1 for body in (record.a, record.b))
        ends.append((a, b, first_common(above, a, b)))
    return np.array(ends, dtype=np.int64)
