"""Loop joints of an adaptive simulation: their forces, from the part of the assembly tree that is above their ends."""

from __future__ import annotations

import numpy as np

from linkwork.dynamics.constraints import loops_of
from linkwork.kernels.launch import call
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.assembly import Assembly
from linkwork.linkage.packing.plan_loops import Meeting

HOME = "assembly_tree.adaptive_loops"  # of the kernels
PASSES = 4  # at most; a change of the forces is found to 12 digits or so in each
SETTLED = 1e-4  # of the forces: a change so small leaves nothing to find


class AdaptiveLoops:
    """What an adaptive simulation keeps for loop joints; see `linkwork.kernels.adaptive_loops`.

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
    """

    def __init__(self, linkage: Linkage, assembly: Assembly, nodes: np.ndarray, first: int):
        from linkwork.kernels.assembly_tree.assembly import KIND, LEAF, STAGE
        from linkwork.kernels.assembly_tree.parts import SCRATCH_ROWS
        from linkwork.kernels.assembly_tree.rows import JOIN_ROWS
        from linkwork.kernels.layout.loops import P_RECORDS, RECORD

        loops, tree = loops_of(linkage), linkage.tree
        meeting = Meeting(assembly, loops, first, at_leaves=True)
        leaf = nodes[:, KIND] == LEAF
        entries = np.flatnonzero((meeting.special >= 0) & leaf)
        self.tops, self.main_of = _tops(nodes, entries)
        self.special, self.net = meeting.special[self.main_of], meeting.net
        end = call((HOME, "lay_out_tops"), tree.index, self.tops, first + meeting.rows)
        self.rows, self.scratch_rows = end - first, SCRATCH_ROWS + JOIN_ROWS * meeting.most
        self.plan, self.geometry = loops.plan.copy(), loops.geometry
        self.plan[P_RECORDS] = 0  # of the scratch space of loops only their records are needed
        self.bench = np.zeros(RECORD * len(loops.names))
        self.names, self.ends = loops.names, _ends(linkage, nodes, leaf)
        self.bodies = np.unique(tree.body[nodes[entries, STAGE]]).tolist()
        self.force, self.marks = np.zeros(loops.n_rows), np.zeros(loops.n_rows)
        self._slices = [slice(k, k + n) for k, n in zip(loops.first_row, loops.rows, strict=True)]
        self._gap = np.zeros(1)

    @property
    def gap(self) -> float:
        """Largest error of a loop, m or rad, when last looked at."""
        return float(self._gap[0])

    def forces(self) -> dict[str, np.ndarray]:
        """The forces of the rows of every loop, by name."""
        return {name: self.force[rows] for name, rows in zip(self.names, self._slices, strict=True)}

    def resume(self, forces: dict[str, np.ndarray]) -> None:
        """Start from the forces that loops had before a change of structure."""
        for name, rows in zip(self.names, self._slices, strict=True):
            if name in forces and len(forces[name]) == len(self.force[rows]):
                self.force[rows] = forces[name]

    def solve(self, tree, work, buffer, nodes, scratch, gain, forces, force_of, aside, q) -> tuple[int, bool]:
        """Find the forces of all loops, and write what they do to bodies to `forces`; a status, and whether to go on.

        `forces` and `force_of` are what acts on bodies, as kernels read it.
        """
        before = self.force.copy()
        outcome = call(
            (HOME, "solve_loops"), tree.model, tree.index, work, buffer, nodes, self.tops, self.main_of, self.special,
            self.net, self.plan, self.geometry, self.bench, self.ends, scratch, gain, forces, force_of, self.force,
            self.marks, aside, self._gap, q,
        )  # fmt: skip
        change = np.abs(self.force - before).max(initial=0.0)
        return outcome, bool(change > SETTLED * np.abs(self.force).max(initial=0.0))


def _tops(nodes: np.ndarray, entries: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The nodes above these leaves and all that they are made of, numbered anew; and the nodes they are."""
    from linkwork.kernels.assembly_tree.assembly import ABOVE, LEFT, RIGHT, TOTAL

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


def _ends(linkage: Linkage, nodes: np.ndarray, leaf: np.ndarray) -> np.ndarray:
    """(loops, 3) leaves of the bodies a and b (−1 for ground) and the first node that holds both."""
    from linkwork.kernels.assembly_tree.assembly import ABOVE, STAGE

    leaf_of = np.empty(linkage.tree.stages, dtype=np.int64)
    leaf_of[nodes[leaf, STAGE]] = np.flatnonzero(leaf)
    ends = np.empty((len(linkage._loops.records), 3), dtype=np.int64)
    for row, record in zip(ends, linkage._loops.records, strict=True):
        a, b = (int(leaf_of[linkage.tree.stage[body]]) if body >= 0 else -1 for body in (record.a, record.b))
        row[:2] = a, b
        while a != b and a >= 0 and b >= 0:
            if a < b:
                a = int(nodes[a, ABOVE])
            else:
                b = int(nodes[b, ABOVE])
        row[2] = a if a == b else len(nodes) - 1
    return ends
