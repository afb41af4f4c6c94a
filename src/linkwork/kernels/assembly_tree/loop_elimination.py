"""Forces of the rows of loops: what rows are at a reference, how they are eliminated, and how their forces act.

See `loop_rows`, whose [3] and [4] these are; they come after the passes of `divide_conquer` at the same node.
"""

from linkwork.kernels.algebra.block6 import (
    add_outer,
    add_scaled,
    clear_rows,
    copy_rows,
    dot6,
    get,
    get_wrench,
    put_wrench,
    sub_rows,
    symmetrise,
)
from linkwork.kernels.algebra.spatial import Wrench
from linkwork.kernels.algebra.storage import load_wrench, store_wrench
from linkwork.kernels.algebra.vec3 import add, scale
from linkwork.kernels.assembly_tree.divide_conquer import force_at
from linkwork.kernels.assembly_tree.row_views import (
    K_of,
    L_of,
    P_of,
    enters_on_body,
    entry_of,
    is_axis,
    required,
    row_in,
    rows_at,
    weight_of,
    wrench_of,
)
from linkwork.kernels.assembly_tree.views import axis, force_at_rest, joint, part, scratch
from linkwork.kernels.layout.nodes import SUM
from linkwork.kernels.layout.rows import E_LEFT, E_RIGHT, ENTERS_AXIS
from linkwork.kernels.numba_ext import helper, inlined, load, store

# A row is redundant when its pivot is less than this of what its L is made of: lengths, which pivots are the squares
# of, are then a millionth of each other.
RANK = 1e-12


@inlined
def row_of_part(p, loops, b, j, x, f2):
    """y of row j of part b at (a₁, f₂) = (x, f2), by [3], at its reference forces of rows; 0 where it has none."""
    if j < 0:
        return 0.0
    B, R, w = part(p, b), rows_at(loops, b), scratch(p)
    if B.is_leaf:
        return dot6(p, K_of(R, j), x)
    sub_rows(p, w.d, x, R.a1)
    y = p.flat[R.left + j] + dot6(p, K_of(R, j), w.d)
    if B.has_bottom:
        sub_rows(p, w.d, f2, R.f2)
        y += dot6(p, P_of(R, j), w.d)
    return y


@inlined
def left_of_axis(p, c, k):
    """τ − sᵀ f of axis k of the joint of node c, which does not move; 0 where it has been eliminated."""
    C, w = part(p, c), scratch(p)
    s = axis(p.model, C.stage, joint(p.index, C.stage)[0], C.axes, k)
    if load(p.flat, s.r) != 0.0:
        return 0.0
    force_at(p, C.right, w.x_b, C.f2 if C.has_bottom else -1, w.w)
    return load(p.flat, s.Q) - s.alpha * get(p, w.w, s.i) - s.beta * get(p, w.w, s.j)


@helper
def bias_rows(p, loops, c, qdd):
    """Bias pass at special node c, after `bias` and with what that left: y at the node's reference, less b at ends."""
    C, R, w = part(p, c), rows_at(loops, c), scratch(p)
    a, b = C.left, C.right
    copy_rows(p, R.a1, C.a1)
    if C.has_bottom:
        copy_rows(p, R.f2, C.f2)
    if C.solves:
        sub_rows(p, w.y, part(p, a).f2, w.phi)
    for j in range(R.n):
        e = entry_of(loops, R, j)
        up, down = row_in(p, loops, R, j, E_LEFT, a), row_in(p, loops, R, j, E_RIGHT, b)
        y = row_of_part(p, loops, b, down, C.a1 if C.kind == SUM else w.x_b, C.f2)
        y += row_of_part(p, loops, a, up, C.a1, w.y)
        if enters_on_body(e):
            put_wrench(p, w.w, wrench_of(loops, e))
            y += dot6(p, w.w, C.a1)
        weight = weight_of(loops, e)
        if weight != 0.0:  # of joints without degrees of freedom there is no acceleration to look at
            y += weight * qdd[joint(p.index, C.stage)[1]]
        if e.enter == ENTERS_AXIS:
            y += left_of_axis(p, c, e.index)
        if j >= R.first_closed:
            y -= required(loops, e)
        p.flat[R.left + j] = y
        # both parts were last evaluated at the same force of the row
        force = 0.0
        if down >= 0:
            force = p.flat[rows_at(loops, b).reference + down]
        elif up >= 0:
            force = p.flat[rows_at(loops, a).reference + up]
        p.flat[R.reference + j], p.flat[R.force + j] = force, force


@helper
def close_row(p, loops, c, e, marks):
    """Eliminate row e, which ends at node c: [4]."""
    C, R = part(p, c), rows_at(loops, c)
    K, P, y = K_of(R, e), P_of(R, e), p.flat[R.left + e]
    r = 1.0 / p.flat[L_of(R, e, e)]
    p.flat[R.inverse + e] = r
    marks[entry_of(loops, R, e).row] = 1.0
    for j in range(R.n):
        x = r * p.flat[L_of(R, j, e)]
        if p.flat[R.inverse + j] == 0.0 and x != 0.0:
            add_scaled(p, K_of(R, j), -x, K)
            add_scaled(p, P_of(R, j), -x, P)
            p.flat[R.left + j] -= x * y
            for i in range(R.n):
                p.flat[L_of(R, j, i)] -= x * p.flat[L_of(R, e, i)]
    add_outer(p, C.I, r, K, K)
    add_scaled(p, C.f1, r * y, K)
    if C.has_bottom:
        add_outer(p, C.T, -r, K, P)
        add_outer(p, C.Phi, -r, P, P)
        add_scaled(p, C.a2, -r * y, P)


@helper
def strongest_pair(p, loops, c):
    """The row of a loop that ends here and the axis that it moves most, beside the rows that pass it; −1 if none."""
    R = rows_at(loops, c)
    row, of, best = -1, -1, RANK
    for x in range(R.n):
        size = p.flat[R.size + x]
        if not is_axis(entry_of(loops, R, x)) or p.flat[R.inverse + x] != 0.0 or size <= 0.0:
            continue
        for j in range(R.first_closed, R.n):
            b = (p.flat[L_of(R, j, x)] / size) ** 2
            if not is_axis(entry_of(loops, R, j)) and p.flat[R.inverse + j] == 0.0 and b > best:
                row, of, best = j, x, b
    return row, of


@helper
def shear(p, loops, c, e, x):
    """Add β times axis x to row e, so that it has a pivot: L_ee + 2β L_ex + β² L_xx, where L_ee ≥ 0 and L_xx ≤ 0.

    β is as large as rows are beside the axis, so that neither drowns the other.
    """
    R, flat = rows_at(loops, c), p.flat
    of_rows, of_axis, b, own = 0.0, 0.0, flat[L_of(R, e, x)], -flat[L_of(R, x, x)]
    for j in range(R.n):
        if not is_axis(entry_of(loops, R, j)):
            of_rows = max(of_rows, abs(flat[L_of(R, j, j)]))
            of_axis = max(of_axis, abs(flat[L_of(R, j, x)]))
    beta = of_rows / of_axis if of_rows > 0.0 else 1.0
    if beta * own > abs(b):
        beta = abs(b) / own
    for j in range(R.n):  # how large the L of each is on the way
        t = abs(flat[L_of(R, j, x)] / b)
        if not is_axis(entry_of(loops, R, j)):
            more = abs(flat[L_of(R, e, e)]) + beta * abs(b)
            flat[R.size + j] += t * (2.0 * abs(flat[L_of(R, j, e)]) + t * more)
    beta = beta if b > 0.0 else -beta
    add_scaled(p, K_of(R, e), beta, K_of(R, x))
    add_scaled(p, P_of(R, e), beta, P_of(R, x))
    flat[R.left + e] += beta * flat[R.left + x]
    for i in range(R.n):
        flat[L_of(R, e, i)] += beta * flat[L_of(R, x, i)]
    for j in range(R.n):
        flat[L_of(R, j, e)] += beta * flat[L_of(R, j, x)]
    flat[R.shear + x] = beta


@helper
def close_axes(p, loops, c, marks):
    """Eliminate the axes that rows which end at node c move, each after such a row; how many rows in all.

    Neither of the two has a pivot that can be relied on. Both end here, so that any sum of them does, too.
    """
    R, step = rows_at(loops, c), 0
    e, x = strongest_pair(p, loops, c)
    while e >= 0:
        shear(p, loops, c, e, x)
        close_row(p, loops, c, e, marks)
        close_row(p, loops, c, x, marks)
        p.flat[R.size + x] = -1.0  # above it has ended
        p.flat[R.order + step], p.flat[R.order + step + 1] = e, x
        step += 2
        e, x = strongest_pair(p, loops, c)
    return step


@helper
def close_rows(p, loops, c, marks):
    """Eliminate the rows that end at node c: axes first, then the largest pivot. Marks those that are not redundant.

    Returns the stage whose joint is left without inertia and without a loop that moves it, or −1.
    """
    C, R = part(p, c), rows_at(loops, c)
    if R.first_closed == R.n:
        return -1
    for j in range(R.n):
        p.flat[R.inverse + j] = 0.0
    for j in range(R.first_closed, R.n):
        marks[entry_of(loops, R, j).row] = 0.0
    done = close_axes(p, loops, c, marks)
    for j in range(R.first_closed, R.n):
        e = entry_of(loops, R, j)
        if is_axis(e) and p.flat[R.size + j] >= 0.0:
            return -1 - e.loop
    for step in range(done, R.n):
        pivot, best = -1, RANK
        for j in range(R.first_closed, R.n):
            ready = p.flat[R.inverse + j] == 0.0 and not is_axis(entry_of(loops, R, j))
            size, largest = p.flat[L_of(R, j, j)], p.flat[R.size + j]
            if ready and size > best * largest:
                pivot, best = j, size / largest
        p.flat[R.order + step] = pivot
        if pivot < 0:
            break
        close_row(p, loops, c, pivot, marks)
    symmetrise(p, C.I)
    if C.has_bottom:
        symmetrise(p, C.Phi)
    return -1


@helper
def solve_rows(p, loops, c, force):
    """Forces of the rows that end at node c, now that (a₁, f₂) and the forces of the open rows are known."""
    C, R, w, flat = part(p, c), rows_at(loops, c), scratch(p), p.flat
    if R.first_closed == R.n:
        return
    sub_rows(p, w.d, C.a1, R.a1)
    if C.has_bottom:
        sub_rows(p, w.y, C.f2, R.f2)
    else:
        clear_rows(p, w.y)
    for i in range(R.n):
        known = i < R.first_closed and flat[R.inverse + i] == 0.0
        flat[R.scratch + i] = flat[R.force + i] - flat[R.reference + i] if known else 0.0
    steps = 0
    while steps < R.n and flat[R.order + steps] >= 0.0:
        steps += 1
    for step in range(steps - 1, -1, -1):
        e = int(flat[R.order + step])
        t = flat[R.left + e] + dot6(p, K_of(R, e), w.d) + dot6(p, P_of(R, e), w.y)
        for i in range(R.n):  # rows that were eliminated before this one have not moved yet
            t += flat[L_of(R, e, i)] * flat[R.scratch + i]
        flat[R.scratch + e] = -t * flat[R.inverse + e]
    for step in range(1, steps):
        x = int(flat[R.order + step])
        if is_axis(entry_of(loops, R, x)):  # the row before it has a share of it
            flat[R.scratch + x] += flat[R.shear + x] * flat[R.scratch + int(flat[R.order + step - 1])]
    for j in range(R.n):
        if j < R.first_closed and flat[R.inverse + j] == 0.0:
            continue
        flat[R.force + j] = flat[R.reference + j] + flat[R.scratch + j]
        force[entry_of(loops, R, j).row] = flat[R.force + j]


@helper
def push_part(p, loops, c, side, b):
    """Let the forces of the rows at node c, now known, act on part b: what it has stored is then at these forces."""
    if b < 0 or loops.special[b] < 0:
        return
    R, theirs, B = rows_at(loops, c), rows_at(loops, b), part(p, b)
    for j in range(R.n):
        i = row_in(p, loops, R, j, side, b)
        if i < 0:
            continue
        more = p.flat[R.force + j] - p.flat[theirs.reference + i]
        p.flat[theirs.force + i] = p.flat[R.force + j]
        if more == 0.0:  # as of redundant rows
            continue
        if B.is_leaf:
            k = force_at_rest(B.stage)
            force, K = load_wrench(p.work, k), get_wrench(p, K_of(theirs, i))
            store_wrench(p.work, k, Wrench(add(force.f, scale(-more, K.f)), add(force.n, scale(-more, K.n))))
        else:
            add_scaled(p, B.f1, -more, K_of(theirs, i))
            if B.has_bottom:
                add_scaled(p, B.a2, more, P_of(theirs, i))


@helper
def push_parts(p, loops, c):
    """Let the forces of all rows at node c act on its parts, those of couplings and axes that are rows on its joint."""
    C, R = part(p, c), rows_at(loops, c)
    push_part(p, loops, c, E_LEFT, C.left)
    push_part(p, loops, c, E_RIGHT, C.right)
    for j in range(R.n):
        e = entry_of(loops, R, j)
        weight = weight_of(loops, e)
        if weight != 0.0:
            s = axis(p.model, C.stage, joint(p.index, C.stage)[0], C.axes, 0)
            more = p.flat[R.force + j] - p.flat[R.reference + j]
            store(p.flat, s.Q, load(p.flat, s.Q) + weight * more)
        if e.enter == ENTERS_AXIS:
            s = axis(p.model, C.stage, joint(p.index, C.stage)[0], C.axes, e.index)
            store(p.flat, s.rest, p.flat[R.force + j])
