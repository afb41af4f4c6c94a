"""Points kept on surfaces: the forces that hold them, sliding or sticking, and the motion that follows.

In the axes of point k, (normal, first, second tangent), G λ + g is its acceleration relative to the surface, g that
without contact forces. A point that slides bears f_n and −K f_n along its direction of sliding s, and keeps to the
surface, one equation; a point that sticks bears a force in all three axes, and does not move, three equations:

    A x = −g,    x = (f_n, or λ) of each point,   A = rows and columns of G, columns n − K s of points that slide

which is (21) of [Li] where all of them slide. Where the state alone is to say what a point does, one that is at rest
sticks if the force that this asks for is within its cone, |λ_t| ≤ μ |λ_n|.

Only what is regular is solved here. Where points are redundant or cannot move along their normals, friction is large, a
surface has no normal, or a point begins to slide with static friction of its own, the status is IRREGULAR:
`linkwork.dynamics.contact` looks closer, or raises.

======= ================================================================================================================
here    meaning
======= ================================================================================================================
G, g    as above, 3n
λ       forces on the points in their own axes, 3n
K, μ    coefficients of kinetic and of static friction
m_c     rows and columns of G that belong to normals; (14) of [Li]
======= ================================================================================================================

References: [Li] (10)–(22).
"""

import math

from linkwork.kernels.algebra.dense import lu, lu_solve
from linkwork.kernels.closed.embedding import closed_forward
from linkwork.kernels.closed.records import Loops
from linkwork.kernels.contact.points import (
    ACCELERATION,
    FORCE,
    LEFT,
    PIVOTS,
    REACH,
    STEP,
    ZERO,
    Contacts,
    feel,
    observe,
    respond,
)
from linkwork.kernels.layout import IRREGULAR, N_V, OK
from linkwork.kernels.layout.contacts import (
    D_MODE,
    FROM_STATE,
    O_ACCELERATION,
    O_DIRECTION,
    O_FORCE,
    O_MODE,
    POINT_ROW,
    RESTS,
    SLIDES,
    STICKS,
    T_FRICTION,
    T_GIVEN,
    T_STATIC,
)
from linkwork.kernels.numba_ext import helper
from linkwork.kernels.records import all_finite, status
from linkwork.kernels.tree.aba import aba
from linkwork.kernels.tree.forces import applied_forces, has_forces

IMMOBILE = 1e-9  # share of what moves a point below which its normal part counts as zero
DEPENDENT = 1e-10  # of a scaled pivot of m_c: below it points are redundant
_EPSILON, _PASSES = 1e-6, 12  # of the least forces that make points stick


@helper
def free_motion(model, index, work, table, loops, q, v, tau, f_ext, loop_tau, a, total, lines):
    """Accelerations without the points' forces; `work`, and the scratch space of the loops, hold the factors then."""
    if loops is not None:
        return closed_forward(
            model, index, work, table, loops.plan, loops.geometry, loops.scratch, q, v, tau, f_ext, loop_tau, a,
            lines[ZERO], lines[LEFT], total,
        )  # fmt: skip
    loaded = f_ext.shape[0] > 0 or has_forces(table)
    if loaded:
        outcome = applied_forces(model, index, work, table, q, v, f_ext, tau, total)
        if outcome != OK:
            return outcome
        return aba(model, index, work, 1, q, v, total, a)
    return aba(model, index, work, 0, q, v, tau, a)


@helper
def regular(c):
    """Whether every point can move along its normal, independently of the others; by the factors of m_c, scaled."""
    n, A = c.out.shape[0], c.matrix
    for k in range(n):
        if not c.G[3 * k, 3 * k] > IMMOBILE * IMMOBILE * c.lines[REACH, k]:
            return False
    for i in range(n):
        for j in range(i + 1):
            x = c.G[3 * i, 3 * j] / math.sqrt(c.G[3 * i, 3 * i] * c.G[3 * j, 3 * j])
            for k in range(j):
                x -= A[i, k] * A[j, k]
            if i == j:
                if not x > DEPENDENT:
                    return False
                A[i, i] = math.sqrt(x)
            else:
                A[i, j] = x / A[j, j]
    return True


@helper
def mild(c):
    """Whether friction of points that slide is small beside m_c: no force on one presses others as much as itself.

    Of scaled m_c − A the sums of the rows, times the inverse of m_c, stay below 1; its factors are those of `regular`.
    """
    n, A, x = c.out.shape[0], c.matrix, c.lines[STEP]
    for j in range(n):  # column j of m_c⁻¹ (m_c − A), added up by rows
        K = c.points[POINT_ROW * j + T_FRICTION]
        d1, d2 = c.out[j, O_DIRECTION], c.out[j, O_DIRECTION + 1]
        for i in range(n):
            rub = K * (d1 * c.G[3 * i, 3 * j + 1] + d2 * c.G[3 * i, 3 * j + 2])
            x[i] = rub / math.sqrt(c.G[3 * i, 3 * i] * c.G[3 * j, 3 * j])
        for i in range(n):
            for k in range(i):
                x[i] -= A[i, k] * x[k]
            x[i] /= A[i, i]
        for i in range(n - 1, -1, -1):
            for k in range(i + 1, n):
                x[i] -= A[k, i] * x[k]
            x[i] /= A[i, i]
        total = 0.0
        for i in range(n):
            total += abs(x[i])
        if not total < 1.0 - 1e-9:
            return False
    return True


@helper
def modal_forces(c):
    """λ of the points in the modes of `out`, (21); False where it is not found."""
    n, A, g, force = c.out.shape[0], c.matrix, c.lines[ACCELERATION], c.lines[FORCE]
    x, pivots, sticking = c.lines[STEP], c.lines[PIVOTS], False
    m = 0  # of the equations: row i of the matrix is row rows(i) of G
    for k in range(n):
        size = 3 if int(c.out[k, O_MODE]) == STICKS else 1
        sticking = sticking or size == 3
        for axis in range(size):
            at, column = 3 * k + axis, 0
            for j in range(n):
                if int(c.out[j, O_MODE]) == STICKS:
                    for other in range(3):
                        A[m, column] = c.G[at, 3 * j + other]
                        column += 1
                else:
                    K = c.points[POINT_ROW * j + T_FRICTION]
                    rub = c.out[j, O_DIRECTION] * c.G[at, 3 * j + 1] + c.out[j, O_DIRECTION + 1] * c.G[at, 3 * j + 2]
                    A[m, column] = c.G[at, 3 * j] - K * rub
                    column += 1
            m += 1
    if sticking:  # the least forces, where several do the same
        mean = 0.0
        for k in range(n):
            mean += c.G[3 * k, 3 * k]
        for i in range(m):
            A[i, i] += _EPSILON * mean / n
    if not lu(A, m, pivots):
        return False
    for i in range(3 * n):
        force[i] = 0.0
    scale_g = 0.0
    for i in range(3 * n):
        scale_g = max(scale_g, abs(g[i]))
    for _ in range(_PASSES):
        i, left = 0, 0.0
        for k in range(n):
            size = 3 if int(c.out[k, O_MODE]) == STICKS else 1
            for axis in range(size):
                at = 3 * k + axis
                total = -g[at]
                for j in range(3 * n):
                    total -= c.G[at, j] * force[j]
                x[i] = total
                left = max(left, abs(total))
                i += 1
        if left <= 1e-14 * scale_g:
            return True
        lu_solve(A, m, pivots, x)
        i = 0
        for k in range(n):
            if int(c.out[k, O_MODE]) == STICKS:
                for axis in range(3):
                    force[3 * k + axis] += x[i]
                    i += 1
            else:
                K = c.points[POINT_ROW * k + T_FRICTION]
                force[3 * k] += x[i]
                force[3 * k + 1] -= K * c.out[k, O_DIRECTION] * x[i]
                force[3 * k + 2] -= K * c.out[k, O_DIRECTION + 1] * x[i]
                i += 1
    return left <= 1e-9 * scale_g


@helper
def within_cone(force, k, mu):
    """Whether the force on point k is one that static friction bears; it presses from either side."""
    lt = math.sqrt(force[3 * k + 1] ** 2 + force[3 * k + 2] ** 2)
    return lt <= mu * abs(force[3 * k])


@helper
def find_modes(c):
    """Let points that rest stick where they can, with the forces; False where that takes a closer look.

    A point without static friction of its own that cannot stick begins to slide as in [Li]: it has no direction yet.
    """
    n, force, out = c.out.shape[0], c.lines[FORCE], c.out
    for k in range(n):
        if int(out[k, O_MODE]) == FROM_STATE:
            out[k, O_MODE] = STICKS
    for _ in range(n + 1):
        if not modal_forces(c):
            return False
        failing = False
        for k in range(n):
            row = POINT_ROW * k
            resting = int(out[k, O_MODE]) == STICKS and int(c.modes[k, D_MODE]) != STICKS
            if not resting or within_cone(force, k, c.points[row + T_STATIC]):
                continue
            if c.points[row + T_GIVEN] != 0.0 or int(c.modes[k, D_MODE]) == RESTS:
                return False
            failing = True
            out[k, O_MODE], out[k, O_DIRECTION] = SLIDES, 0.0
        if not failing:
            return True
    return False


@helper
def contact_forces(model, index, work, loops, c, t):
    """Modes and forces of the points, from the free motion in `work`; OK or IRREGULAR."""
    n = c.out.shape[0]
    if not observe(model, index, work, c, t):
        return status(IRREGULAR, 0)
    feel(model, index, work, loops, c)
    if not regular(c):
        return status(IRREGULAR, 0)
    seeking = sliding = False
    for k in range(n):
        seeking = seeking or int(c.out[k, O_MODE]) == FROM_STATE
        sliding = sliding or c.points[POINT_ROW * k + T_FRICTION] > 0.0
        for axis in range(3):
            c.lines[ACCELERATION, 3 * k + axis] = c.out[k, O_ACCELERATION + axis]
    if sliding and not mild(c):
        return status(IRREGULAR, 0)
    found = find_modes(c) if seeking else modal_forces(c)
    for i in range(3 * n):
        c.out[i // 3, O_FORCE + i % 3] = c.lines[FORCE, i]
        for j in range(3 * n):
            c.out[i // 3, O_ACCELERATION + i % 3] += c.G[i, j] * c.lines[FORCE, j]
    return OK if found else status(IRREGULAR, 0)


@helper
def contact_acceleration(model, index, work, table, loops, c, t, q, v, tau, f_ext, loop_tau, zero, a, total):
    """a (nv) with the points' forces, which stay in `out`; `total` (nv) is scratch space, `zero` (nv) is zero."""
    outcome = free_motion(model, index, work, table, loops, q, v, tau, f_ext, loop_tau, a, total, c.lines)
    if outcome != OK:
        return outcome
    outcome = contact_forces(model, index, work, loops, c, t)
    if outcome != OK:
        return outcome
    step = c.lines[STEP]
    respond(model, index, work, loops, c, zero, c.lines[FORCE], step)
    for d in range(index[N_V]):
        a[d] += step[d]
    return all_finite(a, index[N_V])


@helper
def contact_forward(model, index, work, table, space, contacts, t, q, v, tau, f_ext, loop_tau, zero, a, total):
    """`contact_acceleration`, called from Python: `space` is None or (plan, geometry, scratch) of the loops."""
    c = Contacts(*contacts)
    if space is None:
        return contact_acceleration(
            model, index, work, table, None, c, t, q, v, tau, f_ext, loop_tau, zero, a, total
        )  # fmt: skip
    loops = Loops(space[0], space[1], space[2])
    return contact_acceleration(model, index, work, table, loops, c, t, q, v, tau, f_ext, loop_tau, zero, a, total)


@helper
def contact_batch(model, index, work, table, space, contacts, q, v, tau, f_ext, t, zero, a, total, begin, end):
    """`contact_forward` of states begin … end − 1, one row of each input per state, or one for all.

    Returns the first status that is not OK, and its state.
    """
    nv = index[N_V]
    for state in range(begin, end):
        i, j, k = min(state, q.shape[0] - 1), min(state, v.shape[0] - 1), min(state, f_ext.shape[0] - 1)
        torque, time = tau[min(state, tau.shape[0] - 1)], t[min(state, t.shape[0] - 1), 0]
        outcome = contact_forward(
            model, index, work, table, space, contacts, time, q[i], v[j], torque[:nv], f_ext[k], torque[nv:], zero,
            a[state], total,
        )  # fmt: skip
        if outcome != OK:
            return outcome, state
    return OK, end
