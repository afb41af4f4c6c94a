"""Rows of loops in the parts of a linkage: how divide and conquer takes loop joints and couplings.

A row of a constraint reads Σ K aₑ + Σ e q̈ = b, the first sum over the two bodies of a loop joint, the second over the
two joints of a coupling; its force λ acts on the same bodies as Kᵀ λ, on the joints as e λ. A part in which only one
end of a row lies is *open* to it: λ goes into the part, what the part contributes to the row comes out,

    f₁ = I a₁ − Tᵀ f₂ − Kᵀ λ + …     a₂ = T a₁ + Φ f₂ + Pᵀ λ + …     y = K a₁ + P f₂ + L λ + …                  [3]

which is [1] of `parts` with (f₂, λ) in place of f₂ and (a₂, y) of a₂, so that every step there gives the one here:

- *hang*: k = K s + e; K −= r k uᵀ, P += r k tᵀ, L += r k kᵀ;
- see it from A's bottom body: K' = K X;
- *join*: a unit of λ moves B by X = V (P_Aᵀ + Φ_A K'ᵀ) and is borne by the joint as F = K_B X − K'ᵀ; so
  K_C = K_A − Fᵀ T_A, P_C = P + Xᵀ T'ᵀ, L_C = L_A + L_B + K' X − P_A F   (K_B: the inertia K of `parts`).

Where both ends lie inside, the row ends: y = b gives λ. With d its pivot in L and λ = −(y − b)/d − …,

    I += Kᵀ K / d,   T −= Pᵀ K / d,   Φ −= Pᵀ P / d,   and of every other row K, P, y and L in the same way.           [4]

All joints of the loop lie inside too, and the part's bottom is free: a row whose pivot vanishes is redundant wherever
the part may be, and is passed over. As in `parts` all that [3] leaves out is stored as values at a reference
(a₁, f₂, λ).
"""

from linkwork.kernels.assembly import HANG, KIND, LEAF, LEFT, PLACE, PORT, RIGHT, SOLVE, STAGE, SUM
from linkwork.kernels.blocks import (
    VECTOR,
    add_mv,
    add_outer,
    add_rows,
    add_scaled,
    add_tmv,
    clear_rows,
    copy_rows,
    dot6,
    put_wrench,
    sub_rows,
    symmetrise,
    vector_to_parent,
)
from linkwork.kernels.jit import helper, inlined
from linkwork.kernels.layout import (
    FREE,
    I_KIND,
    I_V,
    KIND_NV,
    W_FORCE,
    WORK_ROW,
    index_row,
    load_motion,
    load_wrench,
    load_xform,
    store_wrench,
)
from linkwork.kernels.loop_layout import COUPLING, G_RATIO, GEOMETRY_ROW, L_KIND, R_BIAS
from linkwork.kernels.loops import loop_row, record_at, row_in_frame, rows_on_bodies
from linkwork.kernels.pack import load, store
from linkwork.kernels.parts import (
    A_NUMBERS,
    A_T,
    AXES,
    AXIS_ROWS,
    D_0,
    FORCE,
    H_T,
    P_FORCE,
    P_PHI,
    P_TOP,
    PHI,
    TOP,
    X_B,
    W,
    Y,
    axis,
)
from linkwork.kernels.row_layout import (
    E_ENTER,
    E_INDEX,
    E_LEFT,
    E_LOOP,
    E_RIGHT,
    E_ROW,
    ENTERS_A,
    ENTERS_B,
    ENTERS_FOLLOWER,
    ENTERS_LEADER,
    ENTRY,
    N_LIST,
    N_OPEN,
    N_PLACE,
    N_ROWS,
    R_F,
    R_K,
    R_NUMBERS,
    R_P,
    R_X,
    REFERENCE_ROWS,
    ROW_ROWS,
    Y_FORCE,
    Y_INVERSE,
    Y_LEFT,
    Y_ORDER,
    Y_REFERENCE,
    Y_SCRATCH,
    Y_SIZE,
)
from linkwork.kernels.spatial import Wrench, power
from linkwork.kernels.vec3 import add, scale

# A row is redundant when its pivot is less than this of the loop's largest: lengths, which pivots are the squares of,
# are then a millionth of each other.
RANK = 1e-12


@inlined
def entry_at(net, at, j):
    """Line of row j of the special node whose header is at `at`."""
    return at + N_LIST + ENTRY * j


@inlined
def row_at(net, at, j):
    """Place of row j in the buffer."""
    return net[at + N_PLACE] + ROW_ROWS * j


@inlined
def number_at(net, at, j, which):
    """Place of a number of row j, in the buffer as a line of numbers."""
    return 4 * (row_at(net, at, j) + R_NUMBERS) + which


@inlined
def square_at(net, at):
    """Where L begins, in the buffer as a line of numbers."""
    return 4 * (net[at + N_PLACE] + ROW_ROWS * net[at + N_ROWS] + REFERENCE_ROWS)


@helper
def wrench_of(net, at, j, geometry, plan, bench):
    """K of a row where it enters: on its body b, or on its body a with the opposite sign."""
    line = entry_at(net, at, j)
    loop = net[line + E_LOOP]
    wb, wa = rows_on_bodies(geometry, bench, record_at(plan, loop), GEOMETRY_ROW * loop, net[line + E_INDEX], False)
    return wb if net[line + E_ENTER] == ENTERS_B else wa


@helper
def weight_of(net, at, j, geometry):
    """e of a row at the joint of its node: 0 unless it is a coupling's that enters here."""
    line = entry_at(net, at, j)
    if net[line + E_ENTER] == ENTERS_FOLLOWER:
        return 1.0
    if net[line + E_ENTER] == ENTERS_LEADER:
        return -geometry[GEOMETRY_ROW * net[line + E_LOOP] + G_RATIO]
    return 0.0


@helper
def enters_on_body(net, at, j):
    """Whether a row enters at a body."""
    enter = net[entry_at(net, at, j) + E_ENTER]
    return enter == ENTERS_B or enter == ENTERS_A


@helper
def required(net, at, j, plan, bench):
    """b of a row: K (V_b × V + Ṡθ̇), 0 for a coupling."""
    loop = net[entry_at(net, at, j) + E_LOOP]
    if plan[loop_row(plan, loop) + L_KIND] == COUPLING:
        return 0.0
    k = record_at(plan, loop)
    return power(load_motion(bench, k + R_BIAS), row_in_frame(bench, k, net[entry_at(net, at, j) + E_INDEX], False))


@helper
def enter_leaf(rec, flat, special, net, plan, geometry, bench, c):
    """Put the rows at the body of leaf c, their forces at zero."""
    at = special[c]
    for j in range(net[at + N_ROWS]):
        y = row_at(net, at, j)
        put_wrench(flat, y + R_K, wrench_of(net, at, j, geometry, plan, bench))
        clear_rows(rec, y + R_NUMBERS, 2)


@helper
def take_part(rec, flat, nodes, special, net, at, side, part):
    """Add L and sizes of a part to those of the node at `at`; `side` is the column that says where its rows are."""
    if part < 0 or special[part] < 0 or nodes[part, KIND] == LEAF:
        return
    other = special[part]
    m, n, L, M = net[at + N_ROWS], net[other + N_ROWS], square_at(net, at), square_at(net, other)
    for i in range(m):
        p = net[entry_at(net, at, i) + side]
        if p < 0:
            continue
        flat[number_at(net, at, i, Y_SIZE)] += flat[number_at(net, other, p, Y_SIZE)]
        for j in range(m):
            q = net[entry_at(net, at, j) + side]
            if q >= 0:
                flat[L + m * i + j] += flat[M + n * p + q]


@helper
def copy_row(rec, nodes, special, net, part, j, which, to):
    """K or P of row j of a part, 0 where the part does not have it."""
    if j < 0:
        clear_rows(rec, to, VECTOR)
    else:
        copy_rows(rec, to, row_at(net, special[part], j) + which, VECTOR)


@helper
def hang_rows(model, index, work, rec, flat, nodes, special, net, geometry, c):
    """The rows of B, which are in the node's own places, hung by the joint of node c and seen from above."""
    at, stage, opened = special[c], nodes[c, STAGE], nodes[c, PORT] >= 0
    m, L, kind = net[at + N_ROWS], square_at(net, at), index[index_row(stage) + I_KIND]
    for k in range(KIND_NV[kind]):
        u = nodes[c, PLACE] + AXES + AXIS_ROWS * k
        r = load(flat, 4 * (u + A_NUMBERS))
        i, alpha, j, beta = axis(model, stage, kind, k)
        for p in range(m):
            K = 4 * (row_at(net, at, p) + R_K)
            e = weight_of(net, at, p, geometry)
            flat[number_at(net, at, p, Y_SCRATCH)] = alpha * load(flat, K + i) + beta * load(flat, K + j) + e
        for p in range(m):
            x = r * flat[number_at(net, at, p, Y_SCRATCH)]
            add_scaled(rec, row_at(net, at, p) + R_K, -x, u)
            if opened:
                add_scaled(rec, row_at(net, at, p) + R_P, x, u + A_T)
            for q in range(m):
                flat[L + m * p + q] += x * flat[number_at(net, at, q, Y_SCRATCH)]
            flat[number_at(net, at, p, Y_SIZE)] += x * flat[number_at(net, at, p, Y_SCRATCH)]
    X = load_xform(work, stage)
    for p in range(m):
        K = row_at(net, at, p) + R_K
        if kind == FREE:  # nothing passes a free joint, to the last digit
            clear_rows(rec, K, VECTOR)
        vector_to_parent(flat, X, K, K)


@helper
def join_rows(rec, flat, nodes, special, net, c, s):
    """The rows of A over those of the hung part, with K and T'ᵀ in the scratch as `join` left them."""
    at, a, V, phi_A = special[c], nodes[c, LEFT], nodes[c, SOLVE], nodes[nodes[c, LEFT], PORT] + P_PHI
    m, L = net[at + N_ROWS], square_at(net, at)
    for j in range(m):
        y, there = row_at(net, at, j), net[entry_at(net, at, j) + E_LEFT]
        copy_row(rec, nodes, special, net, a, there, R_P, y + R_F)
        add_tmv(rec, flat, y + R_F, phi_A, y + R_K, 1.0)
        clear_rows(rec, y + R_X, VECTOR)
        add_mv(flat, y + R_X, V, y + R_F, 1.0)
        clear_rows(rec, y + R_F, VECTOR)
        add_scaled(rec, y + R_F, -1.0, y + R_K)
        add_tmv(rec, flat, y + R_F, s, y + R_X, 1.0)
    for i in range(m):
        y, there = row_at(net, at, i), net[entry_at(net, at, i) + E_LEFT]
        for j in range(i + 1):
            z = row_at(net, at, j)
            x = dot6(flat, y + R_K, z + R_X)
            if there >= 0:
                x -= dot6(flat, row_at(net, special[a], there) + R_P, z + R_F)
            flat[L + m * i + j] += x
            if i != j:
                flat[L + m * j + i] += x
            else:
                flat[number_at(net, at, i, Y_SIZE)] += abs(x)
    for j in range(m):
        y = row_at(net, at, j)
        copy_row(rec, nodes, special, net, a, net[entry_at(net, at, j) + E_LEFT], R_K, y + R_K)
        add_mv(flat, y + R_K, nodes[a, PORT], y + R_F, -1.0)
        if nodes[c, PORT] >= 0:
            add_tmv(rec, flat, y + R_P, s + H_T, y + R_X, 1.0)


@helper
def assemble_rows(model, index, work, rec, flat, nodes, special, net, plan, geometry, bench, c, s):
    """Main pass at special node c, after `assemble`: K, P and L of [3] from those of its children."""
    at, a, b = special[c], nodes[c, LEFT], nodes[c, RIGHT]
    m, L, passes = net[at + N_ROWS], square_at(net, at), nodes[c, PORT] >= 0 and nodes[b, PORT] >= 0
    for k in range(L, L + m * m):
        flat[k] = 0.0
    for j in range(m):
        y, there = row_at(net, at, j), net[entry_at(net, at, j) + E_RIGHT]
        copy_row(rec, nodes, special, net, b, there, R_K, y + R_K)
        copy_row(rec, nodes, special, net, b, there if passes else -1, R_P, y + R_P)
        flat[number_at(net, at, j, Y_SIZE)] = 0.0
    take_part(rec, flat, nodes, special, net, at, E_RIGHT, b)
    take_part(rec, flat, nodes, special, net, at, E_LEFT, a)
    if nodes[c, KIND] != SUM:
        hang_rows(model, index, work, rec, flat, nodes, special, net, geometry, c)
        if nodes[c, SOLVE] >= 0:
            join_rows(rec, flat, nodes, special, net, c, s)
            return
    for j in range(m):
        y, there = row_at(net, at, j), net[entry_at(net, at, j) + E_LEFT]
        if there >= 0:
            add_rows(rec, y + R_K, y + R_K, row_at(net, special[a], there) + R_K, VECTOR)
        if enters_on_body(net, at, j):
            put_wrench(flat, y + R_X, wrench_of(net, at, j, geometry, plan, bench))
            add_rows(rec, y + R_K, y + R_K, y + R_X, VECTOR)


@helper
def row_of_part(rec, flat, nodes, special, net, part, j, x, f2, s):
    """y of row j of a part at (a₁, f₂) = (x, f2), by [3], at its reference forces of rows; 0 where it has none."""
    if j < 0:
        return 0.0
    at = special[part]
    y = row_at(net, at, j)
    if nodes[part, KIND] == LEAF:
        return dot6(flat, y + R_K, x)
    reference = net[at + N_PLACE] + ROW_ROWS * net[at + N_ROWS]
    sub_rows(rec, s + D_0, x, reference, VECTOR)
    out = flat[number_at(net, at, j, Y_LEFT)] + dot6(flat, y + R_K, s + D_0)
    if nodes[part, PORT] >= 0:
        sub_rows(rec, s + D_0, f2, reference + VECTOR, VECTOR)
        out += dot6(flat, y + R_P, s + D_0)
    return out


@helper
def bias_rows(index, rec, flat, nodes, special, net, plan, geometry, bench, c, s, qdd):
    """Bias pass at special node c, after `bias` and with what that left: y at the node's reference, less b at ends."""
    at, a, b = special[c], nodes[c, LEFT], nodes[c, RIGHT]
    m, a1, f2 = net[at + N_ROWS], nodes[c, PLACE] + TOP, nodes[c, PORT] + P_FORCE
    reference = net[at + N_PLACE] + ROW_ROWS * m
    copy_rows(rec, reference, a1, VECTOR)
    if nodes[c, PORT] >= 0:
        copy_rows(rec, reference + VECTOR, f2, VECTOR)
    to_b = a1 if nodes[c, KIND] == SUM else s + X_B
    if nodes[c, SOLVE] >= 0:
        sub_rows(rec, s + Y, nodes[a, PORT] + P_FORCE, s + PHI, VECTOR)
    for j in range(m):
        line = entry_at(net, at, j)
        up, down = net[line + E_LEFT], net[line + E_RIGHT]
        x = row_of_part(rec, flat, nodes, special, net, b, down, to_b, f2, s)
        x += row_of_part(rec, flat, nodes, special, net, a, up, a1, s + Y, s)
        if enters_on_body(net, at, j):
            put_wrench(flat, s + W, wrench_of(net, at, j, geometry, plan, bench))
            x += dot6(flat, s + W, a1)
        elif nodes[c, STAGE] >= 0:
            x += weight_of(net, at, j, geometry) * qdd[index[index_row(nodes[c, STAGE]) + I_V]]
        if j >= net[at + N_OPEN]:
            x -= required(net, at, j, plan, bench)
        flat[number_at(net, at, j, Y_LEFT)] = x
        # both parts were last evaluated at the same force of the row
        force = 0.0
        if down >= 0:
            force = flat[number_at(net, special[b], down, Y_REFERENCE)]
        elif up >= 0:
            force = flat[number_at(net, special[a], up, Y_REFERENCE)]
        flat[number_at(net, at, j, Y_REFERENCE)] = force
        flat[number_at(net, at, j, Y_FORCE)] = force


@helper
def largest(flat, net, at, loop):
    """The largest L of a loop's rows with themselves, before any loop was closed."""
    out = 0.0
    for j in range(net[at + N_OPEN], net[at + N_ROWS]):
        if net[entry_at(net, at, j) + E_LOOP] == loop:
            out = max(out, flat[number_at(net, at, j, Y_SIZE)])
    return out


@helper
def close_rows(rec, flat, nodes, special, net, c, marks):
    """Eliminate the rows that end at node c, the largest pivot first: [4]. Marks those that are not redundant."""
    at, port = special[c], nodes[c, PORT]
    m, first, L = net[at + N_ROWS], net[at + N_OPEN], square_at(net, at)
    for j in range(first, m):
        flat[number_at(net, at, j, Y_INVERSE)] = 0.0
        marks[net[entry_at(net, at, j) + E_ROW]] = 0.0
    for step in range(first, m):
        p, best = -1, 0.0
        for j in range(first, m):
            if flat[number_at(net, at, j, Y_INVERSE)] == 0.0:
                size = largest(flat, net, at, net[entry_at(net, at, j) + E_LOOP])
                share = flat[L + m * j + j] / size if size > 0.0 else 0.0
                if share > max(best, RANK):
                    p, best = j, share
        flat[number_at(net, at, step, Y_ORDER)] = p
        if p < 0:
            break
        r = 1.0 / flat[L + m * p + p]
        flat[number_at(net, at, p, Y_INVERSE)] = r
        marks[net[entry_at(net, at, p) + E_ROW]] = 1.0
        K, left = row_at(net, at, p) + R_K, flat[number_at(net, at, p, Y_LEFT)]
        P = row_at(net, at, p) + R_P
        for j in range(m):
            if j < first or flat[number_at(net, at, j, Y_INVERSE)] == 0.0:
                x = r * flat[L + m * j + p]
                add_scaled(rec, row_at(net, at, j) + R_K, -x, K)
                add_scaled(rec, row_at(net, at, j) + R_P, -x, P)
                flat[number_at(net, at, j, Y_LEFT)] -= x * left
                for i in range(m):
                    flat[L + m * j + i] -= x * flat[L + m * p + i]
        add_outer(rec, flat, nodes[c, PLACE], r, K, K)
        add_scaled(rec, nodes[c, PLACE] + FORCE, r * left, K)
        if port >= 0:
            add_outer(rec, flat, port, -r, K, P)
            add_outer(rec, flat, port + P_PHI, -r, P, P)
            add_scaled(rec, port + P_TOP, -r * left, P)
    symmetrise(rec, nodes[c, PLACE])
    if port >= 0:
        symmetrise(rec, port + P_PHI)


@helper
def solve_rows(rec, flat, nodes, special, net, c, x, f2, s, force):
    """Forces of the rows that end at node c, now that (a₁, f₂) = (x, f2) and those of the open rows are known."""
    at = special[c]
    m, first, L = net[at + N_ROWS], net[at + N_OPEN], square_at(net, at)
    reference = net[at + N_PLACE] + ROW_ROWS * m
    sub_rows(rec, s + D_0, x, reference, VECTOR)
    if nodes[c, PORT] >= 0:
        sub_rows(rec, s + Y, f2, reference + VECTOR, VECTOR)
    else:
        clear_rows(rec, s + Y, VECTOR)
    done = m
    for j in range(first, m):
        flat[number_at(net, at, j, Y_FORCE)] = flat[number_at(net, at, j, Y_REFERENCE)]
        if done == m and flat[number_at(net, at, j, Y_ORDER)] < 0.0:
            done = j
    for step in range(done - 1, first - 1, -1):
        p = int(flat[number_at(net, at, step, Y_ORDER)])
        y = row_at(net, at, p)
        t = flat[number_at(net, at, p, Y_LEFT)] + dot6(flat, y + R_K, s + D_0) + dot6(flat, y + R_P, s + Y)
        for i in range(m):  # rows that were eliminated before this one have not moved yet
            more = flat[number_at(net, at, i, Y_FORCE)] - flat[number_at(net, at, i, Y_REFERENCE)]
            t += flat[L + m * p + i] * more
        flat[number_at(net, at, p, Y_FORCE)] -= t * flat[number_at(net, at, p, Y_INVERSE)]
    for j in range(first, m):
        force[net[entry_at(net, at, j) + E_ROW]] = flat[number_at(net, at, j, Y_FORCE)]


@helper
def push_part(work, rec, flat, nodes, special, net, at, side, part):
    """Let the forces of the rows, now known, act on a part: what it has stored is then at these forces."""
    if part < 0 or special[part] < 0:
        return
    other = special[part]
    for j in range(net[at + N_ROWS]):
        p = net[entry_at(net, at, j) + side]
        if p < 0:
            continue
        y, now = row_at(net, other, p), flat[number_at(net, at, j, Y_FORCE)]
        more = now - flat[number_at(net, other, p, Y_REFERENCE)]
        flat[number_at(net, other, p, Y_FORCE)] = now
        if nodes[part, KIND] == LEAF:
            k = WORK_ROW * nodes[part, STAGE] + W_FORCE
            w, K = load_wrench(work, k), load_wrench(flat, 4 * (y + R_K))
            store_wrench(work, k, Wrench(add(w.f, scale(-more, K.f)), add(w.n, scale(-more, K.n))))
        else:
            add_scaled(rec, nodes[part, PLACE] + FORCE, -more, y + R_K)
            if nodes[part, PORT] >= 0:
                add_scaled(rec, nodes[part, PORT] + P_TOP, more, y + R_P)


@helper
def push_parts(work, rec, flat, nodes, special, net, geometry, c):
    """Let the forces of all rows at node c act on its parts, and those of couplings on its joint."""
    at = special[c]
    push_part(work, rec, flat, nodes, special, net, at, E_LEFT, nodes[c, LEFT])
    push_part(work, rec, flat, nodes, special, net, at, E_RIGHT, nodes[c, RIGHT])
    for j in range(net[at + N_ROWS]):
        e = weight_of(net, at, j, geometry)
        if e != 0.0:
            more = flat[number_at(net, at, j, Y_FORCE)] - flat[number_at(net, at, j, Y_REFERENCE)]
            k = 4 * (nodes[c, PLACE] + AXES + A_NUMBERS) + 1
            store(flat, k, load(flat, k) + e * more)
