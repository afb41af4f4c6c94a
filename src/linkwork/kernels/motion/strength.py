"""What joints bear: the first one whose wrench is beyond its strength.

``strengths`` has one row per joint: 0 for a tree joint and 1 for a loop joint, its stage or loop, the greatest force
and torque.
"""

from linkwork.kernels.algebra.spatial import Wrench, wrench_to_parent
from linkwork.kernels.algebra.storage import add_wrench, load_wrench, store_wrench
from linkwork.kernels.algebra.vec3 import Vec3, add, dot, scale
from linkwork.kernels.closed.loops import driving_wrench, row_in_frame
from linkwork.kernels.closed.projection import FORCE, TORQUES
from linkwork.kernels.closed.records import Loops, b_in_a, frame_b, loop_at
from linkwork.kernels.layout import N_STAGES, W_FORCE, WORK_ROW
from linkwork.kernels.layout.loops import COUPLING, P_LOOPS
from linkwork.kernels.numba_ext import helper, separate
from linkwork.kernels.records import applied_at
from linkwork.kernels.tree.rnea import newton_euler

TREE, LOOP = 0.0, 1.0
S_KIND, S_WHERE, S_FORCE, S_TORQUE = range(4)


@helper
def breaks(strengths, j, w):
    """Whether a wrench is more than row j bears."""
    force, torque = strengths[j, S_FORCE], strengths[j, S_TORQUE]
    return dot(w.f, w.f) > force * force or dot(w.n, w.n) > torque * torque


@helper
def loop_wrench(loops, loop):
    """What the body a exerts on the body b, in Fb, after `closed_acceleration`."""
    plan, geometry, loop_scratch, lines = loops
    this = loop_at(plan, loop)
    w = driving_wrench(Loops(plan, geometry, loop_scratch), loop, lines[TORQUES])
    for r in range(this.rows):
        x, K = lines[FORCE, this.row + r], row_in_frame(plan, loop_scratch, loop, r, False)
        w = Wrench(add(w.f, scale(x, K.f)), add(w.n, scale(x, K.n)))
    return w


@helper
def overloaded_loop(loops, strengths):
    """The first row of `strengths` whose loop joint bears too much, or −1."""
    for j in range(strengths.shape[0]):
        loop = int(strengths[j, S_WHERE])
        if strengths[j, S_KIND] == LOOP and breaks(strengths, j, loop_wrench(loops, loop)):
            return j
    return -1


@helper
def apply_loop_wrenches(index, work, loops):
    """Add the loop joints' wrenches to those applied to the stages."""
    plan, geometry, loop_scratch, _ = loops
    blocks = Loops(plan, geometry, loop_scratch)
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


@separate
def inverse_dynamics(model, index, work, loaded, loops, q, v, a, tau):
    """τ and the wrenches in tree joints, with those of loop joints, right after the acceleration a was found.

    ``loaded`` says whether wrenches are applied to the stages.
    """
    if not loaded:
        zero = Vec3(0.0, 0.0, 0.0)
        for i in range(index[N_STAGES]):
            store_wrench(work, applied_at(index, i), Wrench(zero, zero))
    if loops is not None:
        apply_loop_wrenches(index, work, loops)
    newton_euler(model, index, work, True, 1.0, q, v, a, tau)


@helper
def overloaded(work, loops, strengths):
    """The first row of `strengths` whose joint bears too much, or −1, right after `inverse_dynamics`."""
    if loops is not None:
        j = overloaded_loop(loops, strengths)
        if j >= 0:
            return j
    for j in range(strengths.shape[0]):
        if strengths[j, S_KIND] == TREE and breaks(
            strengths, j, load_wrench(work, WORK_ROW * int(strengths[j, S_WHERE]) + W_FORCE)
        ):
            return j
    return -1
