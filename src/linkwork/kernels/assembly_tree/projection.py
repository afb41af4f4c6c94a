"""The motion nearest to the true one in which the joints that were not opened are held.

`culling` opens nodes, from the whole linkage down, by their exact accelerations. To move the joints opened by those and
to hold the others would let everything beyond swing along; so the others are held in the dynamics, too. By Gauss's
principle the accelerations a_h of the linkage so stiffened are, of all that leave these joints alone, the nearest to
the exact ones, in the norm

    ‖a‖² = q̈ᵀ M q̈ = Σ m |ẍ|² + ω · I_c ω + armature q̈²                                                       [5]

of displacements weighted by mass. All that is solved for is the difference a_h − a, in which loads do not appear: a
part that is held is its rigid twin (`rigid_twins`),

    f₁ = I_r a₁ − Pᵀ f₂ − D        a₂ = P a₁ − κ,

opened nodes are joined by the main pass of divide and conquer, without torques, and split as in its back-substitution.
The error E = ‖a_h − a‖ is then a sum over the parts that are held, bodies that stand alone among them, with x the
difference in a₁, and over the joints that are not:

    E² = Σ (N − 2 D · x + x · I_r x) + Σ armature (q̈_h − q̈)².                                                  [6]

Loops are closed by a_h, too, whatever is held: nodes that their rows pass are open, and rows are carried up and
eliminated among the nodes opened (see `moving_loops`). Their forces there are not those of the exact motion; the
difference a_h − a meets rows that require nothing. [6] knows of motions alone, and holds as it is.
"""

from linkwork.kernels.algebra.block6 import (
    clear_rows,
    get,
    get_motion,
    get_wrench,
    put_block,
    put_inertia,
    put_wrench,
)
from linkwork.kernels.algebra.spatial import Wrench, inertia_mul, power
from linkwork.kernels.algebra.vec3 import neg, skew_mul
from linkwork.kernels.assembly_tree.divide_conquer import bias, down_node
from linkwork.kernels.assembly_tree.main_pass import assemble, lay_out_node
from linkwork.kernels.assembly_tree.moving_loops import enter_rows, lower_rows, raise_rows, rest_rows
from linkwork.kernels.assembly_tree.rigid_twins import IN_N, twin_inertia
from linkwork.kernels.assembly_tree.views import Parts, axis, get_pose, joint, part, twin
from linkwork.kernels.layout.adaptive import TAKEN
from linkwork.kernels.layout.nodes import (
    FIRST,
    JOIN,
    KIND,
    LEAF,
    LEFT,
    MATRIX,
    NODE_ROW,
    PLACE,
    PLACE_ROWS,
    PORT,
    PORT_ROWS,
    RIGHT,
    SOLVE_ROWS,
    STAGE,
)
from linkwork.kernels.numba_ext import fabs, helper, inlined, load, separately_unrolled, store
from linkwork.kernels.records import armature_at

MOST_ROWS = 256  # of the buffer, that a node and the parts it is made of may take
_ROUNDING_E = 1e-15  # of the terms that E² is made of


@inlined
def lay_out_held(p, nodes, own, c, row):
    """Make part c, held, node `own` among those opened, its record from `row` on; the row after it."""
    for column in range(NODE_ROW):
        nodes[own, column] = -1
    nodes[own, KIND], nodes[own, PLACE], nodes[own, FIRST] = JOIN, row, c
    row += PLACE_ROWS
    C = part(p, c)
    if C.has_bottom and not C.is_leaf:
        nodes[own, PORT] = row
        row += PORT_ROWS
    return row


@helper
def number_opened(p, opened, descent):
    """Number the nodes opened and what they are made of anew, and give them room; the parts held, −1 without room."""
    nodes, local, taken, m = opened.nodes, opened.local, descent.taken, descent.count[TAKEN]
    for k in range(m):
        local[taken[k]] = k
    row, held = opened.first, 0
    if 2 * m + 1 > nodes.shape[0]:
        return -1
    for k in range(m - 1, -1, -1):
        if row + MOST_ROWS > opened.end:
            return -1
        c = taken[k]
        for column in range(NODE_ROW):
            nodes[k, column] = p.nodes[c, column]
        for side in (LEFT, RIGHT):
            child = p.nodes[c, side]
            if child < 0:
                continue
            own = local[child]
            if p.nodes[child, KIND] == LEAF or own < 0 or own >= m or taken[own] != child:
                own = m + held
                held += 1
                row = lay_out_held(p, nodes, own, child, row)
            nodes[k, side] = own
        row = lay_out_node(p.index, nodes, k, row, 0, 0, SOLVE_ROWS)
    return held


@inlined
def hold(p, h, own):
    """Write the part that is node `own` among those opened as its rigid twin, in terms of the difference a_h − a."""
    H, c = part(h, own), h.nodes[own, FIRST]
    put_inertia(p, H.I, twin_inertia(p, c))
    clear_rows(p, H.a1, PLACE_ROWS - MATRIX)
    if p.nodes[c, KIND] == LEAF:
        return
    R = twin(p, c)
    D = get_wrench(p, R.D_now)
    put_wrench(p, H.f1, Wrench(neg(D.f), neg(D.n)))
    if H.has_bottom:
        clear_rows(p, H.T, PORT_ROWS)
        P, kappa = get_pose(p, R.inside), get_motion(p, R.kappa_now)
        put_block(p, H.T, 0, 0, P.R)
        put_block(p, H.T, 3, 3, P.R)
        put_block(p, H.T, 3, 0, skew_mul(P.p, P.R))
        put_wrench(p, H.a2, Wrench(neg(kappa.v), neg(kappa.w)))


@inlined
def start(h, k):
    """Node k of those opened: no reference, no torque."""
    H = part(h, k)
    clear_rows(h, H.a1)
    clear_rows(h, H.bias)
    if H.has_bottom:
        clear_rows(h, H.f2)
    if H.stage >= 0:
        kind, _, nv = joint(h.index, H.stage)
        for j in range(nv):
            store(h.flat, axis(h.model, H.stage, kind, H.axes, j).Q, 0.0)


@inlined
def opened_parts(p, opened):
    """The nodes opened, and the parts held, as a tree of their own."""
    return Parts(p.model, p.index, p.work, p.rec, p.flat, opened.nodes, p.scratch)


@separately_unrolled
def project(p, opened, descent, rows, state):
    """Accelerations of the joints opened with all others held, to `state.projected`; E² by [6] and its rounding."""
    h, m, change = opened_parts(p, opened), descent.count[TAKEN], state.projected
    rest_rows(rows)
    for k in range(m - 1, -1, -1):
        for own in (h.nodes[k, LEFT], h.nodes[k, RIGHT]):
            if own >= m:
                hold(p, h, own)
                enter_rows(h, rows, own)
        start(h, k)
        assemble(h, k)
        bias(h, k, change)
        raise_rows(h, rows, k, change)
    E2, rounding = 0.0, 0.0
    for k in range(m):
        lower_rows(h, rows, k)
        down_node(h, k, change)
        E2 += joint_apart(p, h, k, state)
        for own in (h.nodes[k, LEFT], h.nodes[k, RIGHT]):
            if own >= m:
                square, lost = part_apart(p, h, own)
                E2 += square
                rounding += lost
    return max(E2, 0.0), rounding


@inlined
def joint_apart(p, h, k, state):
    """Add the exact accelerations to the change of node k's joint that has been found; what that adds to E²."""
    stage, square = h.nodes[k, STAGE], 0.0
    if stage >= 0:
        _, d, nv = joint(p.index, stage)
        for j in range(d, d + nv):
            change = state.projected[j]
            square += p.model[armature_at(p.index, j)] * change * change
            state.projected[j] = change + state.a[j]
    return square


@inlined
def part_apart(p, h, own):
    """What the part that is node `own` among those opened, held, adds to E², and its rounding."""
    c, x = h.nodes[own, FIRST], get_motion(p, part(h, own).a1)
    square = power(x, inertia_mul(twin_inertia(p, c), x))
    if p.nodes[c, KIND] == LEAF:
        return square, 0.0
    R = twin(p, c)
    N, line = load(p.flat, R.N_now), 2.0 * power(x, get_wrench(p, R.D_now))
    terms = N + fabs(line) + square
    return square + N - line, get(p, R.numbers, IN_N) + _ROUNDING_E * terms


@helper
def take_exact(p, descent, state):
    """The exact accelerations as those of the projection, where every joint is open."""
    for k in range(descent.count[TAKEN]):
        stage = p.nodes[descent.taken[k], STAGE]
        if stage >= 0:
            _, d, nv = joint(p.index, stage)
            for j in range(d, d + nv):
                state.projected[j] = state.a[j]
