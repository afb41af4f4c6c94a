"""Loop joints and couplings where parts are held: rows of loops at the open nodes.

Nodes that a row passes are open, and are never closed. So a row enters at bodies that stand alone among the parts held,
or at open joints, and is carried up and eliminated as in `closed_divide_conquer`: both where the true accelerations are
found and where the nearest ones are, so that these keep the loops closed, whatever is held.

In dynamics what rows require is that the loops be closed at the end of the step, q̇ += dt q̈ and q += dt q̇: with V the
velocity at which a loop opens, and e its gap,

    K (A_b − A_a) = K (V_b × V + Ṡ θ̇ − V/dt − e/dt²).

So a joint that closes a loop in motion, or a gap, is taken up by one step: an impact without bounce.
"""

from linkwork.kernels.algebra.block6 import clear_rows
from linkwork.kernels.algebra.spatial import Motion
from linkwork.kernels.algebra.storage import load_motion, store_motion
from linkwork.kernels.algebra.vec3 import Vec3, scale, sub
from linkwork.kernels.assembly_tree.loop_elimination import bias_rows, close_rows, push_parts, solve_rows
from linkwork.kernels.assembly_tree.loop_rows import assemble_rows, enter_leaf
from linkwork.kernels.assembly_tree.quasistatic_loops import place_coupling, pose_in
from linkwork.kernels.assembly_tree.row_views import rows_at
from linkwork.kernels.closed.loops import loop_state
from linkwork.kernels.closed.records import Loops, loop_at, record_at
from linkwork.kernels.layout.adaptive import END_A, END_B, END_JOINED, TAKEN
from linkwork.kernels.layout.loops import COUPLING, P_LOOPS, R_BIAS, R_ERROR, R_RATE
from linkwork.kernels.layout.nodes import ABOVE, FIRST, LEFT, RIGHT
from linkwork.kernels.numba_ext import helper, inlined
from linkwork.kernels.tree.rnea import ground_velocity

SIX = 6  # numbers of a motion


@helper
def number_rows(rows, h, descent, held):
    """Which of the nodes opened, and of the parts held, which have just been numbered, rows pass."""
    if rows is None:
        return
    m = descent.count[TAKEN]
    for k in range(m):
        rows.special[k] = rows.special_of[descent.taken[k]]
    for own in range(m, m + held):
        rows.special[own] = rows.special_of[h.nodes[own, FIRST]]


@inlined
def opened_by(rows, c):
    """Whether rows pass node c, or any below it: such are opened before all else, and are never closed."""
    return rows is not None and rows.is_passed[c]


@inlined
def body_motion(p, opened, motion, leaf, q):
    """Velocity of the body of a leaf that stands alone among the parts held, or of ground."""
    if leaf < 0:
        return ground_velocity(q)
    c = p.nodes[leaf, ABOVE]
    side = RIGHT if p.nodes[c, RIGHT] == leaf else LEFT
    return load_motion(motion.top, SIX * opened.nodes[opened.local[c], side])


@helper
def place_rows(p, opened, q, rows, motion, dt):
    """The records of all loops where they stand and move now, with what their rows require; the largest gap is kept."""
    if rows is None:
        return
    rows.gap[0], record = 0.0, rows.loop_scratch
    for loop in range(rows.plan[P_LOOPS]):
        this = loop_at(rows.plan, loop)
        if this.kind == COUPLING:
            gap = place_coupling(rows, loop, q, motion.v[this.dof_i], motion.v[this.dof_j], dt)
            rows.gap[0] = max(rows.gap[0], gap)
            continue
        a, b, last = rows.ends[loop, END_A], rows.ends[loop, END_B], rows.ends[loop, END_JOINED]
        va, vb = body_motion(p, opened, motion, a, q), body_motion(p, opened, motion, b, q)
        loops = Loops(rows.plan, rows.geometry, record)
        loop_state(loops, loop, pose_in(p, a, last), pose_in(p, b, last), va, vb, True)
        k = record_at(rows.plan, loop)
        c, V, e = load_motion(record, k + R_BIAS), load_motion(record, k + R_RATE), load_motion(record, k + R_ERROR)
        v = sub(c.v, scale(1.0 / dt, Vec3(V.v.x + e.v.x / dt, V.v.y + e.v.y / dt, V.v.z + e.v.z / dt)))
        w = sub(c.w, scale(1.0 / dt, Vec3(V.w.x + e.w.x / dt, V.w.y + e.w.y / dt, V.w.z + e.w.z / dt)))
        store_motion(record, k + R_BIAS, Motion(v, w))
        for j in range(SIX):
            rows.gap[0] = max(rows.gap[0], abs(record[k + R_ERROR + j]))


@helper
def rest_rows(rows):
    """Let rows require nothing: for changes of what meets them already."""
    if rows is None:
        return
    for loop in range(rows.plan[P_LOOPS]):
        k = record_at(rows.plan, loop) + R_BIAS
        rows.loop_scratch[k : k + SIX] = 0.0


@inlined
def enter_rows(h, rows, own):
    """Put the rows that enter at the body which is part `own` of those held."""
    if rows is not None and rows.special[own] >= 0:
        enter_leaf(h, rows, own)
        R = rows_at(rows, own)
        clear_rows(h, R.a1)
        h.flat[R.L : R.L + R.n * R.n] = 0.0


@inlined
def raise_rows(h, rows, k, qdd):
    """Rows at open node k, after its main and bias pass: those that end here are eliminated."""
    if rows is not None and rows.special[k] >= 0:
        bias_rows(h, rows, k, qdd)
        assemble_rows(h, rows, k)
        close_rows(h, rows, k, rows.marks)


@inlined
def lower_rows(h, rows, k):
    """Forces of the rows that end at open node k, on its way down; they act on its parts."""
    if rows is not None and rows.special[k] >= 0:
        solve_rows(h, rows, k, rows.force)
        push_parts(h, rows, k)
