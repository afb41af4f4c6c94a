"""Joints that hardly move come to rest: nodes are closed, and velocities taken to the nearest ones without them.

Nearest in the norm of the kinetic energy: it is the projection of accelerations (see `projection`), of velocities, with
the relative motion in a node that is to be closed as its D, κ and N. Impulses are internal, so that momentum is kept,
and the energy lost is ½ E², known before anything is done. A node is closed where that, and what holding it will cost
as an error of accelerations, is small.
"""

from linkwork.kernels.algebra.block6 import get_motion, get_wrench, put_motion, put_wrench
from linkwork.kernels.algebra.spatial import (
    inertia_mul,
    motion_add,
    motion_to_child,
    power,
    wrench_add,
    wrench_to_parent,
)
from linkwork.kernels.assembly_tree.moving_loops import number_rows, opened_by
from linkwork.kernels.assembly_tree.moving_parts import (
    forget_motion,
    size_of,
    spread,
    still,
    to_bottom,
)
from linkwork.kernels.assembly_tree.projection import number_opened, opened_parts, project
from linkwork.kernels.assembly_tree.rigid_twins import refresh_twin, squared, twin_inertia
from linkwork.kernels.assembly_tree.rotating_parts import turn_part
from linkwork.kernels.assembly_tree.update import evaluate, refresh
from linkwork.kernels.assembly_tree.views import get_pose, joint, part, twin
from linkwork.kernels.joints import joint_velocity
from linkwork.kernels.layout.adaptive import CLOSED, CLOSINGS, COMPUTED, HELD, KINETIC, LOST, LOST_NOW, OPENED, TAKEN
from linkwork.kernels.layout.nodes import FIRST, KIND, LEAF, LEFT, RIGHT, STAGE, SUM
from linkwork.kernels.numba_ext import helper, inlined, load, store
from linkwork.kernels.records import armature_at, load_xform

MAY_CLOSE = 0.05  # share of the error allowed, squared, that closing a node may cost
TRIES = 4  # at closing fewer and fewer nodes


@inlined
def relative_motion(p, c, rate):
    """D, κ and N of node c whose joint has these rates, nothing moving in its parts ([3] of `rigid_twins`)."""
    C = part(p, c)
    kind, d, nv = joint(p.index, C.stage)
    rho = joint_velocity(p.model, C.stage, kind, rate, d, still())
    f = inertia_mul(twin_inertia(p, C.right), rho)
    N = power(rho, f)
    for j in range(d, d + nv):
        N += p.model[armature_at(p.index, j)] * rate[j] * rate[j]
    D = wrench_to_parent(load_xform(p.work, C.stage), f)
    if C.solves:
        D = wrench_to_parent(get_pose(p, twin(p, C.left).inside), D)
    kappa = to_bottom(p, C.right, rho) if part(p, C.right).has_bottom else rho
    return D, kappa, N


@inlined
def holding_cost(p, c, qdd):
    """The least error of holding node c, squared, as things stand: its parts' D, κ and N are those of the last pass."""
    C = part(p, c)
    X, A, B = load_xform(p.work, C.stage), twin(p, C.left), twin(p, C.right)
    kind, d, nv = joint(p.index, C.stage)
    rho = joint_velocity(p.model, C.stage, kind, qdd, d, still())
    A_known = C.left >= 0 and p.nodes[C.left, KIND] != LEAF
    B_known = p.nodes[C.right, KIND] != LEAF
    if C.solves:
        rho = motion_add(rho, motion_to_child(X, get_motion(p, A.kappa_now)))
    D = inertia_mul(twin_inertia(p, C.right), rho)
    N = power(rho, D)
    for j in range(d, d + nv):
        N += p.model[armature_at(p.index, j)] * qdd[j] * qdd[j]
    if B_known:
        D_B = get_wrench(p, B.D_now)
        N += load(p.flat, B.N_now) + 2.0 * power(rho, D_B)
        D = wrench_add(D, D_B)
    D = wrench_to_parent(X, D)
    if C.solves:
        D = wrench_to_parent(get_pose(p, A.inside), D)
    if A_known:
        N += load(p.flat, A.N_now)
        D = wrench_add(D, get_wrench(p, A.D_now))
    refresh_twin(p, c)
    return max(N - squared(twin_inertia(p, c), D), 0.0)


@helper
def may_close(p, c, motion):
    """Whether nothing moves in the parts that open node c is made of."""
    left = p.nodes[c, LEFT]
    return motion.active[p.nodes[c, RIGHT]] == HELD and (left < 0 or motion.active[left] == HELD)


@helper
def find_candidates(p, descent, state, motion, allowed, budget):
    """Copy the open nodes to `motion.closing`, those that may come to rest as −1 − node, with their relative motion.

    How many these are.
    """
    taken, closing, found = descent.taken, motion.closing, 0
    for k in range(descent.count[TAKEN]):
        c = taken[k]
        closing[k] = c
        if k == 0 or opened_by(motion.rows, c) or not may_close(p, c, motion):
            continue
        if p.nodes[c, KIND] == SUM:
            if sum_cost(p, c) > allowed:
                continue
            refresh_twin(p, c)
            forget_motion(p, c)
        else:
            D, kappa, N = relative_motion(p, c, motion.v)
            energy = 0.5 * N
            if energy > budget or holding_cost(p, c, state.a) > allowed:
                continue
            R = twin(p, c)
            put_wrench(p, R.D_now, D)
            store(p.flat, R.N_now, N)
            if R.has_bottom:
                put_motion(p, R.kappa_now, kappa)
        closing[k] = -1 - c
        found += 1
    return found


@inlined
def sum_cost(p, c):
    """The least error of holding node c, parts that hang on one body, squared."""
    C, N = part(p, c), 0.0
    D = inertia_mul(twin_inertia(p, C.right), still())
    for child in (C.left, C.right):
        if p.nodes[child, KIND] != LEAF:
            R = twin(p, child)
            N += load(p.flat, R.N_now)
            D = wrench_add(D, get_wrench(p, R.D_now))
    return max(N - squared(twin_inertia(p, c), D), 0.0)


@helper
def project_velocities(p, opened, descent, state, motion, before, limit):
    """Mark the candidates whose relative motion has no more energy than `limit`; the energy that closing them costs.

    `before` is the number of nodes that were open. Velocities of the joints that still move go to `state.projected`.
    """
    taken, closing, n = descent.taken, motion.closing, 0
    for k in range(before):
        c = closing[k] if closing[k] >= 0 else -1 - closing[k]
        motion.active[c] = OPENED
        if closing[k] < 0 and 0.5 * load(p.flat, twin(p, c).N_now) <= limit:
            motion.active[c] = CLOSED
            continue
        taken[n] = c
        n += 1
        if p.nodes[c, STAGE] >= 0:
            _, d, nv = joint(p.index, p.nodes[c, STAGE])
            for j in range(d, d + nv):
                state.a[j] = motion.v[j]
    descent.count[TAKEN] = n
    held = number_opened(p, opened, descent)  # fewer than before: there is room
    number_rows(motion.rows, opened_parts(p, opened), descent, held)
    for own in range(n, n + held):
        c = opened.nodes[own, FIRST]
        if p.nodes[c, KIND] != LEAF and motion.active[c] != CLOSED:
            forget_motion(p, c)
    return 0.5 * project(p, opened, descent, motion.rows, state)[0]


@helper
def bring_to_rest(p, c, loads, state, motion):
    """Make the record of node c, in which nothing moves any more; whether its joint has inertia."""
    motion.active[c] = HELD
    stage = p.nodes[c, STAGE]
    if stage >= 0:
        _, d, nv = joint(p.index, stage)
        for j in range(d, d + nv):
            motion.v[j], state.used[j], state.a[j], state.projected[j] = 0.0, 0.0, 0.0, 0.0
    if not refresh(p, c, loads.twins):
        return False
    evaluate(p, c, loads.heavy, loads.twins)
    turn_part(p, motion.spins, c)
    return True


@helper
def close_parts(p, opened, descent, loads, state, motion, allowed, share):
    """Close nodes whose joints hardly move, at no more than this share of the kinetic energy; −1, or a stage.

    `allowed` is what holding a node may cost, as an error of accelerations, squared.
    """
    count, totals, before = descent.count, motion.totals, descent.count[TAKEN]
    held = number_opened(p, opened, descent)
    h = opened_parts(p, opened)
    spread(p, h, descent, motion.v, motion)
    totals[KINETIC] = 0.5 * size_of(p, h, descent, held, motion.v, motion)
    budget = share * totals[KINETIC]
    if find_candidates(p, descent, state, motion, MAY_CLOSE * allowed, budget) == 0:
        return -1
    limit = budget
    for _ in range(TRIES):
        lost = project_velocities(p, opened, descent, state, motion, before, limit)
        if lost <= budget:
            break
        limit *= 0.1
    if lost > budget:  # none
        lost = project_velocities(p, opened, descent, state, motion, before, -1.0)
    for k in range(count[TAKEN]):
        stage = p.nodes[descent.taken[k], STAGE]
        if stage >= 0:
            _, d, nv = joint(p.index, stage)
            for j in range(d, d + nv):
                motion.v[j] = state.projected[j]
    for k in range(before):
        c = -1 - motion.closing[k]
        if c >= 0 and motion.active[c] == CLOSED:
            if not bring_to_rest(p, c, loads, state, motion):
                return p.nodes[c, STAGE]
            totals[CLOSINGS] += 1
            count[COMPUTED] -= p.nodes[c, KIND] != SUM
    totals[LOST_NOW] = lost
    totals[LOST] += lost
    return -1
