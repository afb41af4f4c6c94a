"""What loop joints exert, once the acceleration is known: forces of their rows, motors and dampers, as wrenches.

Motion leaves open how redundant rows share their forces: of all that do the same, the least are taken. Every redundant
row r has forces without effect, Tᵀ e_r (see `undo`). They are made orthonormal by Gram–Schmidt, as far as they overlap,
and what the forces of the rows have of them is taken off.

``loops`` is that of `projection`, after `closed_acceleration`; all of this is of one state.
"""

import math

from linkwork.kernels.algebra.spatial import Wrench, wrench_to_parent
from linkwork.kernels.algebra.storage import add_wrench, store_wrench
from linkwork.kernels.algebra.vec3 import Vec3, add, scale
from linkwork.kernels.closed.elimination import undo
from linkwork.kernels.closed.loops import driving_wrench, row_in_frame
from linkwork.kernels.closed.projection import FORCE, LEFT, TORQUES, closed_acceleration
from linkwork.kernels.closed.records import Loops, b_in_a, frame_b, loop_at, mark_at
from linkwork.kernels.layout import N_STAGES, N_V, OK
from linkwork.kernels.layout.loops import COUPLING, P_LOOPS, P_ROWS, PROJECTION_LINES
from linkwork.kernels.numba_ext import helper, separate
from linkwork.kernels.records import applied_at
from linkwork.kernels.tree.forces import is_loaded
from linkwork.kernels.tree.rnea import joint_wrenches


@helper
def extent(x, n):
    """The first entry that is not zero, and the one after the last."""
    low, high = 0, n
    while low < n and x[low] == 0.0:
        low += 1
    while high > low and x[high - 1] == 0.0:
        high -= 1
    return low, high


@helper
def take_off(unit, x, n):
    """Take off x what it has of a vector of length 1."""
    low, high = extent(x, n)
    part = 0.0
    for r in range(low, high):
        part += unit[r] * x[r]
    if part != 0.0:
        for r in range(n):
            x[r] -= part * unit[r]


@separate
def least_forces(index, loops):
    """Let the forces of the rows be the least of those with the same effect; lines from the last on are scratch."""
    plan, _, scratch, lines = loops
    n, last = plan[P_ROWS], PROJECTION_LINES
    for row in range(n):
        if scratch[mark_at(plan, row)] != 0.0:
            continue
        x = lines[last, :n]
        for r in range(n):
            x[r] = 0.0
        x[row] = 1.0
        undo(index, plan, scratch, x)
        for _ in range(2):
            for k in range(PROJECTION_LINES, last):
                take_off(lines[k], x, n)
        size = 0.0
        for r in range(n):
            size += x[r] * x[r]
        for r in range(n):
            x[r] /= math.sqrt(size)
        last += 1
    for k in range(PROJECTION_LINES, last):
        take_off(lines[k], lines[FORCE], n)


@helper
def loop_wrench(loops, loop):
    """What the body a exerts on the body b, in Fb."""
    plan, geometry, loop_scratch, lines = loops
    this = loop_at(plan, loop)
    w = driving_wrench(Loops(plan, geometry, loop_scratch), loop, lines[TORQUES])
    for r in range(this.rows):
        x, K = lines[FORCE, this.row + r], row_in_frame(plan, loop_scratch, loop, r, False)
        w = Wrench(add(w.f, scale(x, K.f)), add(w.n, scale(x, K.n)))
    return w


@helper
def apply_loop_wrenches(index, work, loops, loaded):
    """Add the loop joints' wrenches to those applied to the stages, of which there are none yet unless `loaded`."""
    plan, geometry, loop_scratch, _ = loops
    blocks = Loops(plan, geometry, loop_scratch)
    apply_nothing(index, work, loaded)
    for loop in range(plan[P_LOOPS]):
        this = loop_at(plan, loop)
        if this.kind == COUPLING:
            continue
        w = loop_wrench(loops, loop)
        if this.b >= 0:
            add_wrench(work, applied_at(index, this.b), wrench_to_parent(frame_b(blocks, loop), w))
        if this.a >= 0:
            w = wrench_to_parent(b_in_a(blocks, loop), w)
            add_wrench(work, applied_at(index, this.a), Wrench(scale(-1.0, w.f), scale(-1.0, w.n)))


@helper
def apply_nothing(index, work, loaded):
    """Let no wrenches be applied to the stages, unless they are `loaded`."""
    if not loaded:
        zero = Vec3(0.0, 0.0, 0.0)
        for i in range(index[N_STAGES]):
            store_wrench(work, applied_at(index, i), Wrench(zero, zero))


@helper
def solutions(tree, loops, inputs, outputs, needed, states):
    """Motion and all forces of the states ``states`` (begin, end); the first status that is not OK, and its state.

    `tree` is (model, index, work, table), the last None where nothing acts. `inputs` are (B, n): q, v, tau with the
    torques of loop joints behind the tree's, f_ext, each with one row per state or one for all. `outputs` are (B, n):
    a, wrenches of the tree joints and of the loop joints (in Fb), what rows leave unmet, and 0 where they are
    redundant. `needed` is (2, nv) scratch.
    """
    model, index, work, table = tree
    plan, _, scratch, lines = loops
    nv, total = index[N_V], needed[1]
    for state in range(states[0], states[1]):
        q, v = inputs[0][min(state, inputs[0].shape[0] - 1)], inputs[1][min(state, inputs[1].shape[0] - 1)]
        tau, f_ext = inputs[2][min(state, inputs[2].shape[0] - 1)], inputs[3][min(state, inputs[3].shape[0] - 1)]
        a, wrenches, of_loops, unmet, marks = outputs
        for d in range(nv):
            total[d] = tau[d]
        for d in range(nv, tau.shape[0]):
            lines[TORQUES, d - nv] = tau[d]
        outcome = closed_acceleration(model, index, work, table, loops, f_ext, q, v, total, a[state])
        if outcome != OK:
            return outcome, state
        for r in range(plan[P_ROWS]):
            unmet[state, r], marks[state, r] = lines[LEFT, r], scratch[mark_at(plan, r)]
        least_forces(index, loops)
        for loop in range(of_loops.shape[1] // 6):
            store_wrench(of_loops[state], 6 * loop, loop_wrench(loops, loop))
        apply_loop_wrenches(index, work, loops, is_loaded(table, f_ext))
        outcome = joint_wrenches(model, index, work, 1, q, v, a[state], needed[0], wrenches[state])
        if outcome != OK:
            return outcome, state
    return OK, states[1]
