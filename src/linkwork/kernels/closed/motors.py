"""Torques of motors that make a motion of a closed linkage, for many states: what clear-cut states need, no more.

Symbols, of [Nakamura2000]: θ_J all coordinates, those of tree joints first; θ_G the independent ones, W = dθ_J/dθ_G;
τ_J the torques that all joints would need, τ_A those of the motors. Each θ_G makes one equation Wᵀ τ_A = Wᵀ τ_J, (7).

The constraints J θ̈ = S θ̈_L + bias, six rows per loop joint, are eliminated by Gauss–Jordan: first the loop joints'
coordinates θ_L by rows of their own, then tree coordinates, the largest entry first. The equations of motors are made
orthonormal by Gram–Schmidt, the longest first, which gives the least torques, (8). Whatever could be decided either way
(ranks, limits, motions that open a loop, torques that no motor can give) is left to `linkwork.dynamics.actuation`.
"""

import math

from linkwork.kernels.closed.loops import constraint_jacobian
from linkwork.kernels.closed.records import Loops, geometry_at, loop_at, record_at, state_row
from linkwork.kernels.layout import OK
from linkwork.kernels.layout.loops import COUPLING, G_DAMPING, P_LOOPS, R_K, R_V
from linkwork.kernels.numba_ext import helper, separate

FACTOR, PRICE, PRELOAD, LEAST, MOST = range(5)  # lines of `wishes`

# Beside what they are made of, pivots above CLEAR count, those below NOTHING do not, and between them lies RANK.
CLEAR, NOTHING = 1e-5, 1e-10
_LOCKED = 1e-3  # axes of a loop joint that are nearer to dependent than this
# Less than what `actuation` allows: how far a may open a loop, what motors may miss, how much too weak they may be
_OPENING, _MISSING, _LITTLE, _ROOM = 5e-7, 1e-10, 5e-14, 5e-10


@helper
def dot(x, y):
    """The sum of products."""
    total = 0.0
    for k in range(x.shape[0]):
        total += x[k] * y[k]
    return total


@helper
def forbidden_part(loops, loop, r, x):
    """Row r of K x, of what a loop forbids, where x has six entries per loop."""
    this = loop_at(loops.plan, loop)
    if this.kind == COUPLING:
        return x[6 * loop]
    K, total = record_at(loops.plan, loop) + R_K + 6 * r, 0.0
    for c in range(6):
        total += loops.scratch[K + c] * x[6 * loop + c]
    return total


@helper
def keeps_loops_closed(loops, a, J, bias, units):
    """Whether the accelerations are consistent, K (J a − bias) = 0; `bias` comes back as bias − J a."""
    nv, acting = a.shape[0], 1.0
    for d in range(nv):
        acting = max(acting, abs(a[d]) / units[d])
    for loop in range(loops.plan[P_LOOPS]):
        for r in range(loop_at(loops.plan, loop).rows):
            acting = max(acting, abs(forbidden_part(loops, loop, r, bias)))
    for row in range(J.shape[0]):
        bias[row] -= dot(J[row], a)
    for loop in range(loops.plan[P_LOOPS]):
        for r in range(loop_at(loops.plan, loop).rows):
            if not abs(forbidden_part(loops, loop, r, bias)) <= _OPENING * acting:
                return False
    return True


@helper
def remove_units(plan, units, J, made, S):
    """Columns in units of length where they slide, and rows divided by the largest of what they are made of."""
    nv = J.shape[1]
    for loop in range(plan[P_LOOPS]):
        this = loop_at(plan, loop)
        for c in range(6):
            row, size = 6 * loop + c, 0.0
            for d in range(nv):
                J[row, d] *= units[d]
                size = max(size, made[row, d] * units[d])
            for j in range(this.v, this.v + this.nv):
                S[j, c] *= units[nv + j]
                size = max(size, abs(S[j, c]))
            if size > 0.0:
                for d in range(nv):
                    J[row, d] /= size
                for j in range(this.v, this.v + this.nv):
                    S[j, c] /= size


@helper
def take_off(J, row, factor, pivot):
    """Take off a row a multiple of the pivot's."""
    for d in range(J.shape[1]):
        J[row, d] -= factor * J[pivot, d]


@helper
def eliminate_loop_joints(plan, J, S, leads):
    """Let a row of J give each coordinate of loop joints, and the others be without these; whether no joint is locked.

    `leads` becomes, of every row, the coordinate that it gives, nv and more for loop joints, or −1.
    """
    nv = J.shape[1]
    for row in range(J.shape[0]):
        leads[row] = -1
    for loop in range(plan[P_LOOPS]):
        this = loop_at(plan, loop)
        for j in range(this.v, this.v + this.nv):
            best, size = -1, _LOCKED
            for c in range(6):
                if leads[6 * loop + c] < 0 and abs(S[j, c]) > size:
                    best, size = c, abs(S[j, c])
            if best < 0:
                return False
            pivot, scale = 6 * loop + best, 1.0 / S[j, best]
            leads[pivot] = nv + j
            for d in range(nv):
                J[pivot, d] *= scale
            for i in range(j, this.v + this.nv):
                S[i, best] *= scale
            for c in range(6):
                factor = S[j, c]
                if c != best and factor != 0.0:
                    take_off(J, 6 * loop + c, factor, pivot)
                    for i in range(j, this.v + this.nv):
                        S[i, c] -= factor * S[i, best]
    return True


@helper
def find_largest(J, row, leads):
    """Note in which column the row has its largest entry: −1 − column, in `leads`."""
    best, size = 0, -1.0
    for d in range(J.shape[1]):
        if abs(J[row, d]) > size:
            best, size = d, abs(J[row, d])
    leads[row] = -1 - best


@helper
def eliminate_tree_joints(J, leads):
    """Let rows of J give as many tree coordinates as they can, the largest entry first; whether that is clear-cut."""
    rows, nv = J.shape
    for row in range(rows):
        if leads[row] < 0:
            find_largest(J, row, leads)
    while True:
        pivot, size = -1, NOTHING
        for row in range(rows):
            if leads[row] < 0 and abs(J[row, -1 - leads[row]]) > size:
                pivot, size = row, abs(J[row, -1 - leads[row]])
        if pivot < 0:
            return True
        if not size > CLEAR:
            return False
        column = leads[pivot] = -1 - leads[pivot]
        scale = 1.0 / J[pivot, column]
        for d in range(nv):
            J[pivot, d] *= scale
        for row in range(rows):
            factor = J[row, column]
            if row != pivot and factor != 0.0:
                take_off(J, row, factor, pivot)
                if leads[row] < 0:
                    find_largest(J, row, leads)


@helper
def write_equations(J, leads, place, factors, tau, C, right, acting, taken):
    """Rows of C, one for each independent coordinate: what each motor does; the right-hand sides; how many there are.

    Torques have no unit of length, those of motors are times `factors`. `place` is the motor of every coordinate, or
    −1; `acting` what right-hand sides are made of; `taken` (nv) scratch.
    """
    rows, nv = J.shape
    for d in range(nv):
        taken[d] = 0.0
    for row in range(rows):
        if 0 <= leads[row] < nv:
            taken[leads[row]] = 1.0
    n = 0
    for d in range(nv):
        if taken[d] > 0.0:
            continue
        right[n], acting[n] = tau[d], abs(tau[d])
        for k in range(C.shape[1]):
            C[n, k] = 0.0
        if place[d] >= 0:
            C[n, place[d]] = factors[place[d]]
        for row in range(rows):
            i = leads[row]
            if i < 0 or J[row, d] == 0.0:
                continue
            w = J[row, d] if i >= nv else -J[row, d]
            right[n] += w * tau[i]
            acting[n] += abs(w * tau[i])
            if place[i] >= 0:
                C[n, place[i]] = w * factors[place[i]]
        n += 1
    return n


@helper
def exchange(C, right, acting, i, j):
    """Exchange two equations."""
    if i != j:
        right[i], right[j] = right[j], right[i]
        acting[i], acting[j] = acting[j], acting[i]
        for k in range(C.shape[1]):
            C[i, k], C[j, k] = C[j, k], C[i, k]


@helper
def least_solution(C, n, size, right, acting, x):
    """The least x with C x = right, n equations; the rank, whose rows of C come back orthonormal; −1 in doubt.

    Entries of C are made of `size`.
    """
    most = 0.0
    for k in range(x.shape[0]):
        x[k] = 0.0
    for i in range(n):
        most = max(most, acting[i])
        size = max(size, math.sqrt(dot(C[i], C[i])))
    for rank in range(n):
        best, longest = rank, -1.0
        for i in range(rank, n):
            length = math.sqrt(dot(C[i], C[i]))
            if not length <= longest:
                best, longest = i, length
        if longest <= NOTHING * size:
            for i in range(rank, n):
                if not abs(right[i]) <= _MISSING * acting[i] + _LITTLE * most:
                    return -1
            return rank
        if not longest > CLEAR * size:
            return -1
        exchange(C, right, acting, rank, best)
        for i in range(rank):  # once more, for rounding
            part = dot(C[rank], C[i])
            right[rank] -= part * dot(x, C[i])
            for k in range(x.shape[0]):
                C[rank, k] -= part * C[i, k]
        scale = 1.0 / math.sqrt(dot(C[rank], C[rank]))
        right[rank] *= scale
        for k in range(x.shape[0]):
            C[rank, k] *= scale
            x[k] += right[rank] * C[rank, k]
        for i in range(rank + 1, n):
            part = dot(C[i], C[rank])
            right[i] -= part * right[rank]
            for k in range(x.shape[0]):
                C[i, k] -= part * C[rank, k]
    return n


@helper
def choose_torques(C, rank, motors, wishes, x, preload, tau):
    """Write the torques that are nearest to the preload, x being the least ones; whether they are within limits."""
    n, most, within = x.shape[0], 0.0, True
    if rank < n:
        for k in range(n):
            preload[k] = wishes[PRICE, k] * wishes[PRELOAD, k]
        for i in range(rank):  # leave what does nothing
            part = dot(preload, C[i])
            for k in range(n):
                preload[k] -= part * C[i, k]
        for k in range(n):
            x[k] += preload[k]
    for k in range(n):
        x[k] /= wishes[PRICE, k]
        most = max(most, abs(x[k]))
        tau[motors[k]] = x[k]
    for k in range(n):
        within = within and wishes[LEAST, k] - _ROOM * most <= x[k] <= wishes[MOST, k] + _ROOM * most
    return within


@separate
def motor_torques(tree, loops, motors, wishes, room, q, v, a, tree_tau, tau):
    """Write the torques of one state, `tau` (nv + nv_loop), those of others being zero; whether this is clear-cut."""
    plan, geometry, scratch = loops
    units, place, leads, J, made, bias, S, C, lines = room
    nv = v.shape[0]
    outcome = constraint_jacobian(
        tree[0], tree[1], tree[2], plan, geometry, scratch, True, q, v, J.reshape(-1), made.reshape(-1), bias,
        S.reshape(-1),
    )  # fmt: skip
    if outcome != OK or not keeps_loops_closed(loops, a, J, bias, units):
        return False
    needed, right, acting, taken = lines[0], lines[1], lines[2], lines[3]
    for d in range(nv):
        needed[d] = units[d] * tree_tau[d]
    for loop in range(plan[P_LOOPS]):
        this = loop_at(plan, loop)
        for j in range(this.nv):
            damping, rate = geometry[geometry_at(loop) + G_DAMPING + j], scratch[record_at(plan, loop) + R_V + j]
            needed[nv + this.v + j] = units[nv + this.v + j] * damping * rate
    remove_units(plan, units, J, made, S)
    if not eliminate_loop_joints(plan, J, S, leads) or not eliminate_tree_joints(J, leads):
        return False
    n = write_equations(J, leads, place, wishes[FACTOR], needed, C, right, acting, taken)
    size = 0.0
    for k in range(motors.shape[0]):
        size = max(size, wishes[FACTOR, k])
    x, preload = lines[4, : motors.shape[0]], lines[5, : motors.shape[0]]
    rank = least_solution(C, n, size, right, acting, x)
    return rank >= 0 and choose_torques(C, rank, motors, wishes, x, preload, tau)


@helper
def motor_torques_of_states(tree, loops, motors, wishes, room, inputs, tau, clear, states):
    """`motor_torques` of the states ``states`` (begin, end); `clear` (B,) becomes 1 where that is clear-cut, else 0.

    `tree` is (model, index, work), `loops` (plan, geometry, scratch); `motors` are the coordinates that have one and
    `wishes` (5, motors), with PRICE √cost and FACTOR the unit of length of a coordinate over it. `room` is (units,
    place, leads, J, made, bias, S, C, lines), beyond the first two scratch. `inputs` are (B, n): q, v, a and the
    torques of the tree alone, each with one row per state or one for all.
    """
    q, v, a, tree_tau = inputs
    blocks = Loops(loops[0], loops[1], loops[2])
    for k in range(states[0], states[1]):
        done = motor_torques(
            tree, blocks, motors, wishes, room, q[state_row(q, k)], v[state_row(v, k)], a[state_row(a, k)],
            tree_tau[state_row(tree_tau, k)], tau[k],
        )  # fmt: skip
        clear[k] = 1 if done else 0
