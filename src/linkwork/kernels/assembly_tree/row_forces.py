"""Forces of the rows of loops: what rows are at a reference, how they end, and how their forces act.

See `rows`, whose [3] and [4] these are; they come after the passes of `divide_conquer` at the same node.
"""

from linkwork.kernels.algebra.block6 import (
    VECTOR,
    add_outer,
    add_scaled,
    clear_rows,
    copy_rows,
    dot6,
    put_wrench,
    sub_rows,
    symmetrise,
)
from linkwork.kernels.algebra.spatial import Wrench
from linkwork.kernels.algebra.storage import load_wrench, store_wrench
from linkwork.kernels.algebra.vec3 import add, scale
from linkwork.kernels.assembly_tree.assembly import KIND, LEAF, LEFT, PLACE, PORT, RIGHT, SOLVE, STAGE, SUM
from linkwork.kernels.assembly_tree.divide_conquer import force_at
from linkwork.kernels.assembly_tree.parts import (
    A_NUMBERS,
    AXES,
    AXIS_ROWS,
    D_0,
    FORCE,
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
from linkwork.kernels.assembly_tree.rows import (
    K_at,
    L_at,
    P_at,
    enters_on_body,
    entry_at,
    line_at,
    reference_at,
    required,
    row_in,
    weight_of,
    wrench_of,
)
from linkwork.kernels.layout import I_KIND, I_V, W_FORCE, WORK_ROW
from linkwork.kernels.layout.rows import (
    E_ENTER,
    E_INDEX,
    E_LEFT,
    E_LOOP,
    E_RIGHT,
    E_ROW,
    ENTERS_AXIS,
    N_OPEN,
    N_ROWS,
    Y_FORCE,
    Y_INVERSE,
    Y_LEFT,
    Y_ORDER,
    Y_REFERENCE,
    Y_SCRATCH,
    Y_SHEAR,
    Y_SIZE,
)
from linkwork.kernels.numba_ext import helper, inlined, load, store
from linkwork.kernels.records import index_row

# A row is redundant when its pivot is less than this of its loop's largest: lengths, which pivots are the squares of,
# are then a millionth of each other.
RANK = 1e-12


@inlined
def row_of_part(rec, flat, nodes, special, net, part, j, x, f2, s):
    """y of row j of a part at (a₁, f₂) = (x, f2), by [3], at its reference forces of rows; 0 where it has none."""
    if j < 0:
        return 0.0
    at = special[part]
    if nodes[part, KIND] == LEAF:
        return dot6(flat, K_at(net, at, j), x)
    reference = reference_at(net, at)
    sub_rows(rec, s + D_0, x, reference, VECTOR)
    out = flat[line_at(net, at, Y_LEFT) + j] + dot6(flat, K_at(net, at, j), s + D_0)
    if nodes[part, PORT] >= 0:
        sub_rows(rec, s + D_0, f2, reference + VECTOR, VECTOR)
        out += dot6(flat, P_at(net, at, j), s + D_0)
    return out


@inlined
def left_of_axis(model, index, work, rec, flat, nodes, c, k, f2, s):
    """τ − sᵀ f of axis k of the node's joint, which does not move; 0 where it has been eliminated."""
    at, stage = nodes[c, PLACE] + AXES + AXIS_ROWS * k + A_NUMBERS, nodes[c, STAGE]
    if load(flat, 4 * at) != 0.0:
        return 0.0
    force_at(model, work, rec, flat, nodes, nodes[c, RIGHT], s + X_B, f2 if nodes[c, PORT] >= 0 else -1, s + W, s)
    i, alpha, j, beta = axis(model, stage, index[index_row(stage) + I_KIND], k)
    return load(flat, 4 * at + 1) - alpha * load(flat, 4 * (s + W) + i) - beta * load(flat, 4 * (s + W) + j)


@helper
def bias_rows(model, index, work, rec, flat, nodes, special, net, plan, geometry, bench, c, s, qdd):
    """Bias pass at special node c, after `bias` and with what that left: y at the node's reference, less b at ends."""
    at, a, b = special[c], nodes[c, LEFT], nodes[c, RIGHT]
    m, a1, f2 = net[at + N_ROWS], nodes[c, PLACE] + TOP, nodes[c, PORT] + P_FORCE
    left, at_reference, now = line_at(net, at, Y_LEFT), line_at(net, at, Y_REFERENCE), line_at(net, at, Y_FORCE)
    copy_rows(rec, reference_at(net, at), a1, VECTOR)
    if nodes[c, PORT] >= 0:
        copy_rows(rec, reference_at(net, at) + VECTOR, f2, VECTOR)
    to_b = a1 if nodes[c, KIND] == SUM else s + X_B
    if nodes[c, SOLVE] >= 0:
        sub_rows(rec, s + Y, nodes[a, PORT] + P_FORCE, s + PHI, VECTOR)
    for j in range(m):
        up = row_in(flat, nodes, special, net, at, j, E_LEFT, a)
        down = row_in(flat, nodes, special, net, at, j, E_RIGHT, b)
        x = row_of_part(rec, flat, nodes, special, net, b, down, to_b, f2, s)
        x += row_of_part(rec, flat, nodes, special, net, a, up, a1, s + Y, s)
        if enters_on_body(net, at, j):
            put_wrench(flat, s + W, wrench_of(net, at, j, geometry, plan, bench))
            x += dot6(flat, s + W, a1)
        e = weight_of(net, at, j, geometry)
        if e != 0.0:  # of joints without degrees of freedom there is no acceleration to look at
            x += e * qdd[index[index_row(nodes[c, STAGE]) + I_V]]
        if net[entry_at(at, j) + E_ENTER] == ENTERS_AXIS:
            x += left_of_axis(model, index, work, rec, flat, nodes, c, net[entry_at(at, j) + E_INDEX], f2, s)
        if j >= net[at + N_OPEN]:
            x -= required(net, at, j, plan, bench)
        flat[left + j] = x
        # both parts were last evaluated at the same force of the row
        force = 0.0
        if down >= 0:
            force = flat[line_at(net, special[b], Y_REFERENCE) + down]
        elif up >= 0:
            force = flat[line_at(net, special[a], Y_REFERENCE) + up]
        flat[at_reference + j], flat[now + j] = force, force


@helper
def measure_loops(flat, net, at):
    """Write beside every row that ends the largest L of its loop's rows, as it was before any loop was closed."""
    size, largest = line_at(net, at, Y_SIZE), line_at(net, at, Y_SCRATCH)
    for j in range(net[at + N_OPEN], net[at + N_ROWS]):
        flat[largest + j] = 0.0
        for i in range(net[at + N_OPEN], net[at + N_ROWS]):
            if net[entry_at(at, i) + E_LOOP] == net[entry_at(at, j) + E_LOOP]:
                flat[largest + j] = max(flat[largest + j], flat[size + i])


@helper
def close_row(rec, flat, nodes, net, at, c, p, marks):
    """Eliminate row p, which ends at node c: [4]."""
    m, L, port = net[at + N_ROWS], L_at(net, at), nodes[c, PORT]
    left, inverse = line_at(net, at, Y_LEFT), line_at(net, at, Y_INVERSE)
    r, y = 1.0 / flat[L + m * p + p], flat[left + p]
    flat[inverse + p] = r
    marks[net[entry_at(at, p) + E_ROW]] = 1.0
    K, P = K_at(net, at, p), P_at(net, at, p)
    for j in range(m):
        x = r * flat[L + m * j + p]
        if flat[inverse + j] == 0.0 and x != 0.0:
            add_scaled(rec, K_at(net, at, j), -x, K)
            add_scaled(rec, P_at(net, at, j), -x, P)
            flat[left + j] -= x * y
            for i in range(m):
                flat[L + m * j + i] -= x * flat[L + m * p + i]
    add_outer(rec, flat, nodes[c, PLACE], r, K, K)
    add_scaled(rec, nodes[c, PLACE] + FORCE, r * y, K)
    if port >= 0:
        add_outer(rec, flat, port, -r, K, P)
        add_outer(rec, flat, port + P_PHI, -r, P, P)
        add_scaled(rec, port + P_TOP, -r * y, P)


@helper
def strongest_pair(flat, net, at):
    """The row of a loop that ends here and the axis that it moves most, beside the rows that pass it; −1 if none."""
    m, first, L = net[at + N_ROWS], net[at + N_OPEN], L_at(net, at)
    inverse, size = line_at(net, at, Y_INVERSE), line_at(net, at, Y_SIZE)
    row, of, best = -1, -1, RANK
    for x in range(m):
        if net[entry_at(at, x) + E_LOOP] >= 0 or flat[inverse + x] != 0.0 or flat[size + x] <= 0.0:
            continue
        for p in range(first, m):
            b = (flat[L + m * p + x] / flat[size + x]) ** 2
            if net[entry_at(at, p) + E_LOOP] >= 0 and flat[inverse + p] == 0.0 and b > best:
                row, of, best = p, x, b
    return row, of


@helper
def shear(rec, flat, net, at, p, x):
    """Add β times axis x to row p, so that it has a pivot: L_pp + 2β L_px + β² L_xx, where L_pp ≥ 0 and L_xx ≤ 0.

    β is as large as rows are beside the axis, so that neither drowns the other.
    """
    m, L, left, size = net[at + N_ROWS], L_at(net, at), line_at(net, at, Y_LEFT), line_at(net, at, Y_SIZE)
    of_rows, of_axis, b, own = 0.0, 0.0, flat[L + m * p + x], -flat[L + m * x + x]
    for j in range(m):
        if net[entry_at(at, j) + E_LOOP] >= 0:
            of_rows = max(of_rows, abs(flat[L + m * j + j]))
            of_axis = max(of_axis, abs(flat[L + m * j + x]))
    beta = of_rows / of_axis if of_rows > 0.0 else 1.0
    if beta * own > abs(b):
        beta = abs(b) / own
    for j in range(m):  # how large the L of each is on the way
        t = abs(flat[L + m * j + x] / b)
        if net[entry_at(at, j) + E_LOOP] >= 0:
            flat[size + j] += t * (2.0 * abs(flat[L + m * j + p]) + t * (abs(flat[L + m * p + p]) + beta * abs(b)))
    beta = beta if b > 0.0 else -beta
    add_scaled(rec, K_at(net, at, p), beta, K_at(net, at, x))
    add_scaled(rec, P_at(net, at, p), beta, P_at(net, at, x))
    flat[left + p] += beta * flat[left + x]
    for i in range(m):
        flat[L + m * p + i] += beta * flat[L + m * x + i]
    for j in range(m):
        flat[L + m * j + p] += beta * flat[L + m * j + x]
    flat[line_at(net, at, Y_SHEAR) + x] = beta


@helper
def close_axes(rec, flat, nodes, net, at, c, marks):
    """Eliminate the axes that rows which end at node c move, each after such a row; how many rows in all.

    Neither of the two has a pivot that can be relied on. Both end here, so that any sum of them does, too.
    """
    step, order = 0, line_at(net, at, Y_ORDER)
    p, x = strongest_pair(flat, net, at)
    while p >= 0:
        shear(rec, flat, net, at, p, x)
        close_row(rec, flat, nodes, net, at, c, p, marks)
        close_row(rec, flat, nodes, net, at, c, x, marks)
        flat[line_at(net, at, Y_SIZE) + x] = -1.0  # above it has ended
        flat[order + step], flat[order + step + 1] = p, x
        step += 2
        p, x = strongest_pair(flat, net, at)
    return step


@helper
def close_rows(rec, flat, nodes, special, net, c, marks):
    """Eliminate the rows that end at node c: axes first, then the largest pivot. Marks those that are not redundant.

    Returns the stage whose joint is left without inertia and without a loop that moves it, or −1.
    """
    at, port = special[c], nodes[c, PORT]
    m, first, L = net[at + N_ROWS], net[at + N_OPEN], L_at(net, at)
    if first == m:
        return -1
    inverse, order, largest = line_at(net, at, Y_INVERSE), line_at(net, at, Y_ORDER), line_at(net, at, Y_SCRATCH)
    for j in range(m):
        flat[inverse + j] = 0.0
    for j in range(first, m):
        marks[net[entry_at(at, j) + E_ROW]] = 0.0
    done = close_axes(rec, flat, nodes, net, at, c, marks)
    for j in range(first, m):
        if net[entry_at(at, j) + E_LOOP] < 0 and flat[line_at(net, at, Y_SIZE) + j] >= 0.0:
            return -1 - net[entry_at(at, j) + E_LOOP]
    measure_loops(flat, net, at)
    for step in range(done, m):
        p, best = -1, RANK
        for j in range(first, m):
            ready = flat[inverse + j] == 0.0 and net[entry_at(at, j) + E_LOOP] >= 0
            if ready and flat[L + m * j + j] > best * flat[largest + j]:
                p, best = j, flat[L + m * j + j] / flat[largest + j]
        flat[order + step] = p
        if p < 0:
            break
        close_row(rec, flat, nodes, net, at, c, p, marks)
    symmetrise(rec, nodes[c, PLACE])
    if port >= 0:
        symmetrise(rec, port + P_PHI)
    return -1


@helper
def solve_rows(rec, flat, nodes, special, net, c, x, f2, s, force):
    """Forces of the rows that end at node c, now that (a₁, f₂) = (x, f2) and those of the open rows are known."""
    at = special[c]
    m, first, L = net[at + N_ROWS], net[at + N_OPEN], L_at(net, at)
    if first == m:
        return
    left, inverse, order = line_at(net, at, Y_LEFT), line_at(net, at, Y_INVERSE), line_at(net, at, Y_ORDER)
    now, at_reference, more = line_at(net, at, Y_FORCE), line_at(net, at, Y_REFERENCE), line_at(net, at, Y_SCRATCH)
    sub_rows(rec, s + D_0, x, reference_at(net, at), VECTOR)
    if nodes[c, PORT] >= 0:
        sub_rows(rec, s + Y, f2, reference_at(net, at) + VECTOR, VECTOR)
    else:
        clear_rows(rec, s + Y, VECTOR)
    for i in range(m):
        known = i < first and flat[inverse + i] == 0.0
        flat[more + i] = flat[now + i] - flat[at_reference + i] if known else 0.0
    steps = 0
    while steps < m and flat[order + steps] >= 0.0:
        steps += 1
    for step in range(steps - 1, -1, -1):
        p = int(flat[order + step])
        t = flat[left + p] + dot6(flat, K_at(net, at, p), s + D_0) + dot6(flat, P_at(net, at, p), s + Y)
        for i in range(m):  # rows that were eliminated before this one have not moved yet
            t += flat[L + m * p + i] * flat[more + i]
        flat[more + p] = -t * flat[inverse + p]
    for step in range(1, steps):
        x = int(flat[order + step])
        if net[entry_at(at, x) + E_LOOP] < 0:  # the row before it has a share of it
            flat[more + x] += flat[line_at(net, at, Y_SHEAR) + x] * flat[more + int(flat[order + step - 1])]
    for j in range(m):
        if j < first and flat[inverse + j] == 0.0:
            continue
        flat[now + j] = flat[at_reference + j] + flat[more + j]
        force[net[entry_at(at, j) + E_ROW]] = flat[now + j]


@helper
def push_part(work, rec, flat, nodes, special, net, at, side, part):
    """Let the forces of the rows, now known, act on a part: what it has stored is then at these forces."""
    if part < 0 or special[part] < 0:
        return
    other, now = special[part], line_at(net, at, Y_FORCE)
    their_now, their_reference = line_at(net, other, Y_FORCE), line_at(net, other, Y_REFERENCE)
    for j in range(net[at + N_ROWS]):
        p = row_in(flat, nodes, special, net, at, j, side, part)
        if p < 0:
            continue
        K, more = K_at(net, other, p), flat[now + j] - flat[their_reference + p]
        flat[their_now + p] = flat[now + j]
        if more == 0.0:  # as of redundant rows
            continue
        if nodes[part, KIND] == LEAF:
            k = WORK_ROW * nodes[part, STAGE] + W_FORCE
            w, row = load_wrench(work, k), load_wrench(flat, 4 * K)
            store_wrench(work, k, Wrench(add(w.f, scale(-more, row.f)), add(w.n, scale(-more, row.n))))
        else:
            add_scaled(rec, nodes[part, PLACE] + FORCE, -more, K)
            if nodes[part, PORT] >= 0:
                add_scaled(rec, nodes[part, PORT] + P_TOP, more, P_at(net, other, p))


@helper
def push_parts(work, rec, flat, nodes, special, net, geometry, c):
    """Let the forces of all rows at node c act on its parts, those of couplings and axes that are rows on its joint."""
    at = special[c]
    push_part(work, rec, flat, nodes, special, net, at, E_LEFT, nodes[c, LEFT])
    push_part(work, rec, flat, nodes, special, net, at, E_RIGHT, nodes[c, RIGHT])
    for j in range(net[at + N_ROWS]):
        e = weight_of(net, at, j, geometry)
        if e != 0.0:
            more = flat[line_at(net, at, Y_FORCE) + j] - flat[line_at(net, at, Y_REFERENCE) + j]
            k = 4 * (nodes[c, PLACE] + AXES + A_NUMBERS) + 1
            store(flat, k, load(flat, k) + e * more)
        if net[entry_at(at, j) + E_ENTER] == ENTERS_AXIS:
            k = 4 * (nodes[c, PLACE] + AXES + AXIS_ROWS * net[entry_at(at, j) + E_INDEX] + A_NUMBERS)
            store(flat, k + 2, flat[line_at(net, at, Y_FORCE) + j])
