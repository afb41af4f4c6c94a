"""Accelerations of a linkage at rest, under forces on some of its bodies.

The articulated-body algorithm, see `aba`, without all that velocities ask for, and in the axes of the world: see
`resting_stages`. Joints with several axes are eliminated in the stage's own. What stages hand up to a parent is added
up on a stack, which holds that of those on the way from the root to the present stage.

References: [Featherstone2008] table 7.1; the formula beside a line is a line of that table.
"""

from linkwork.kernels.algebra.dense import articulated_solve
from linkwork.kernels.algebra.rows import (
    InertiaRows,
    as_rows,
    combined,
    inertia_rows_add,
    load_inertia_rows,
    load_rows,
    minus_outer,
    row_articulated,
    row_cross,
    row_dot,
    rows_mul,
    shifted_rows,
    store_inertia_rows,
)
from linkwork.kernels.algebra.spatial import Motion, Wrench, articulated_mul, power, turn_articulated, wrench_add
from linkwork.kernels.algebra.storage import load_articulated, load_vec, store_articulated, store_vec
from linkwork.kernels.algebra.vec3 import Vec3, add, cross, mul, scale, size, sub, sym_inverse, sym_mul, tmul, transpose
from linkwork.kernels.joints import along3, columns, has_one_axis, helical, joint_inertia3, joint_velocity
from linkwork.kernels.layout import (
    FIXED,
    FREE,
    I_FLAGS,
    N_BLOCK,
    N_STAGES,
    N_V,
    OK,
    OPENS,
    PLANAR,
    REVOLUTE,
    SINGULAR,
)
from linkwork.kernels.layout.adaptive import F_FORCE, F_MOMENT, F_POINT, FORCE_ROW, KEPT
from linkwork.kernels.numba_ext import (
    fabs,
    four,
    helper,
    inlined,
    load,
    load4,
    prefetch,
    separate,
    store,
    store4,
)
from linkwork.kernels.records import all_finite, check_sizes, index_row, parent_of, stage_at, status, work_end
from linkwork.kernels.tree.joint_inertia import NOTHING, combine, eliminate3, negligible, nothing, trace, weigh
from linkwork.kernels.tree.resting_stages import (
    ASK,
    R_ARMATURE,
    R_AXES,
    R_INERTIA,
    R_OWN,
    R_POSITION,
    R_Z,
    RECORD,
    ask_for,
    load_axes,
    load_own_inertia,
    make_records,
    record_at,
)
from linkwork.kernels.tree.rnea import ground_acceleration

HANDED, H_FORCE, H_MOMENT = 44, 36, 40  # numbers of what is handed up: an articulated inertia and a wrench
# In the place of a stage's inertia: U and, behind its two vectors, 1/D and u; then the acceleration
R_LINEAR, R_ANGULAR = R_INERTIA, R_INERTIA + 4
R_R, R_TORQUE = R_LINEAR + 3, R_ANGULAR + 3
NIL = 1e-200  # a wrench or an acceleration below is none: else numbers fade along chains until they are denormal


@helper
def kept_at(index, i):
    """Where the articulated inertia of stage i is kept, in its own frame, if its joint has several axes."""
    return work_end(index) + KEPT * i


@helper
def load_pair(work, i):
    """Two vectors in the place of a stage's inertia."""
    return load_vec(work, record_at(i) + R_LINEAR), load_vec(work, record_at(i) + R_ANGULAR)


@helper
def store_pair(work, i, a, b):
    store_vec(work, record_at(i) + R_LINEAR, a)
    store_vec(work, record_at(i) + R_ANGULAR, b)


@inlined
def applied(work, forces, row, i):
    """The force and the moment in this row, at the origin of stage i."""
    at = FORCE_ROW * row
    f = load4(forces, at + F_FORCE)
    arm = combined(load4(forces, at + F_POINT), load_rows(work, record_at(i) + R_AXES))
    return f, load4(forces, at + F_MOMENT) + row_cross(arm, f)


@helper
def seen_in_stage(work, i, top, A):
    """An articulated inertia in the frame of stage i; `top`: where the stack ends."""
    store_inertia_rows(work, top, A)
    return turn_articulated(transpose(load_axes(work, i)), row_articulated(work, top))


@helper
def eliminate(model, index, work, tau, i, kind, d, A, p):
    """What passes a joint of several axes of an inertia and a wrench, in the stage's frame; whether it has inertia."""
    store_articulated(work, kept_at(index, i), A)
    if kind == FREE:  # nothing of the subtree's inertia passes a free joint, only the force along it
        store_pair(work, i, p.f, p.n)
        return nothing(work), Wrench(load_vec(tau, d), load_vec(tau, d + 3)), True
    Di, det = sym_inverse(joint_inertia3(model, index, kind, d, A))
    extent = trace(A.M) if kind == PLANAR else trace(A.J)
    u = sub(load_vec(tau, d), along3(kind, p))
    store_vec(work, record_at(i) + R_LINEAR, u)
    Ux, Uy, Uz = columns(kind, A)
    p = combine(p, sym_mul(Di, u), Ux, Uy, Uz)
    return eliminate3(model, index, kind, d, A), p, not negligible(det, extent * extent * trace(A.J))


@helper
def pass_axes(model, index, work, tau, i, kind, d, top, A, f, n):
    """`eliminate` in the axes of the world."""
    E = load_axes(work, i)
    A = seen_in_stage(work, i, top, A)
    store4(work, top, f)
    store4(work, top + 4, n)
    p = Wrench(tmul(E, load_vec(work, top)), tmul(E, load_vec(work, top + 4)))
    A, p, resists = eliminate(model, index, work, tau, i, kind, d, A, p)
    f, n = mul(E, p.f), mul(E, p.n)
    return as_rows(turn_articulated(E, A)), four(f.x, f.y, f.z, 0.0), four(n.x, n.y, n.z, 0.0), resists


@inlined
def finish(model, index, work, row_of, tau, forces, i, top):
    """Pass 2 at stage i, all below it done: articulated inertia and force, handed up; a status, and the stack's end."""
    parent, kind, _, d = stage_at(index, i)
    flags, at = index[index_row(i) + I_FLAGS], record_at(i)
    A, f, n = load_own_inertia(work, i), four(0.0, 0.0, 0.0, 0.0), four(0.0, 0.0, 0.0, 0.0)
    if i + 1 < index[N_STAGES] and parent_of(index, i + 1) == i:
        top -= HANDED
        A = inertia_rows_add(load_inertia_rows(work, top), A)
        f, n = load4(work, top + H_FORCE), load4(work, top + H_MOMENT)
    if row_of[i] >= 0:
        force, moment = applied(work, forces, row_of[i], i)
        f, n = f - force, n - moment
    if flags > OPENS and weigh(
        model, index, work, i, kind, d, seen_in_stage(work, i, top, A), load_vec(work, at + R_POSITION), NOTHING
    ):
        return status(SINGULAR, i), top
    step = load4(work, at + R_POSITION)
    if has_one_axis(kind):
        z = load4(work, at + R_Z)
        if kind == REVOLUTE:
            Uf, Un = combined(z, A.H), combined(z, A.J)  # U = IA S, D = Sᵀ U
            D, felt = row_dot(z, Un), row_dot(z, n)
        else:
            slide, turn = helical.screw_of(model, i)
            Uf = combined(turn * z, A.H) + combined(slide * z, A.M)
            Un = combined(turn * z, A.J) + rows_mul(A.H, slide * z)
            D = slide * row_dot(z, Uf) + turn * row_dot(z, Un)
            felt = slide * row_dot(z, f) + turn * row_dot(z, n)
        D += load(work, at + R_ARMATURE)
        if D - 0.5 * load(work, at + R_OWN) <= 0.0:
            return status(SINGULAR, i), top
        u, r = load(tau, d) - felt, 1.0 / D  # τ − Sᵀ pA
        store4(work, at + R_LINEAR, Uf)
        store4(work, at + R_ANGULAR, Un)
        store(work, at + R_R, r)
        store(work, at + R_TORQUE, u)
        if parent < 0:
            return OK, top
        # Handed up: IA − U D⁻¹ Uᵀ and pA + U D⁻¹ u, seen from the parent's origin, where they are before D⁻¹ is
        A, n, Un = shifted_rows(step, A), n + row_cross(step, f), Un + row_cross(step, Uf)
        A = InertiaRows(minus_outer(A.J, r, Un, Un), minus_outer(A.H, r, Un, Uf), minus_outer(A.M, r, Uf, Uf))
        f, n = f + r * u * Uf, n + r * u * Un
    else:
        if kind != FIXED:
            A, f, n, resists = pass_axes(model, index, work, tau, i, kind, d, top, A, f, n)
            if not resists:
                return status(SINGULAR, i), top
        if parent < 0:
            return OK, top
        A, n = shifted_rows(step, A), n + row_cross(step, f)
    if row_dot(fabs(f) + fabs(n), four(1.0, 1.0, 1.0, 0.0)) < NIL:
        f = n = four(0.0, 0.0, 0.0, 0.0)
    if not flags & OPENS:  # siblings have come before
        top -= HANDED
        A = inertia_rows_add(load_inertia_rows(work, top), A)
        f, n = load4(work, top + H_FORCE) + f, load4(work, top + H_MOMENT) + n
    store_inertia_rows(work, top, A)
    store4(work, top + H_FORCE, f)
    store4(work, top + H_MOMENT, n)
    return OK, top + HANDED


@helper
def inertia_passes(model, index, work, row_of, q, tau, forces):
    """Passes 1 and 2, a block at a time where subtrees may go back while in the cache, as in `aba`; a status."""
    n, block = index[N_STAGES], index[N_BLOCK]
    back, top = block == 0, RECORD * n
    if back:
        block = n
    for begin in range(0, n, block):
        end = min(n, begin + block)
        make_records(model, index, work, q, begin, end)
        for step in range(end - begin):
            k = n - 1 - step if back else begin + step
            if back:
                ask_for(work, record_at(max(k - ASK, 0)))
                above = parent_of(index, k)
            else:  # all that is complete with this stage
                above = parent_of(index, k + 1) if k + 1 < n else -1
            while k != above:
                outcome, top = finish(model, index, work, row_of, tau, forces, k, top)
                if outcome != OK:
                    return outcome
                k = parent_of(index, k)
    return OK


@helper
def accelerate(model, index, work, tau, a, i, kind, d, ai):
    """Pass 3 at a joint with several axes, in the stage's frame: ai + S q̈, and whether it has inertia."""
    A, resists = load_articulated(work, kept_at(index, i)), True
    if kind == FREE:
        f, n = load_pair(work, i)
        p = wrench_add(Wrench(f, n), articulated_mul(A, ai))
        x, det_m, det_j, J = articulated_solve(A, Wrench(sub(load_vec(tau, d), p.f), sub(load_vec(tau, d + 3), p.n)))
        m, j = trace(A.M), trace(J)
        resists = not (negligible(det_m, m * m * m) or negligible(det_j, j * j * j) or negligible(j, trace(A.J)))
        store_vec(a, d, x.v)
        store_vec(a, d + 3, x.w)
    else:
        Di, _ = sym_inverse(joint_inertia3(model, index, kind, d, A))
        Ux, Uy, Uz = columns(kind, A)
        u = load_vec(work, record_at(i) + R_LINEAR)
        store_vec(a, d, sym_mul(Di, Vec3(u.x - power(ai, Ux), u.y - power(ai, Uy), u.z - power(ai, Uz))))
    return joint_velocity(model, i, kind, a, d, ai), resists


@helper
def acceleration_pass(model, index, work, q, tau, a):
    """Pass 3: accelerations, root to leaves; the free stage that has no inertia, or −1."""
    stages = index[N_STAGES]
    for i in range(stages):
        parent, kind, _, d = stage_at(index, i)
        if i + ASK < stages and parent_of(index, i + ASK) >= 0:
            prefetch(work, record_at(parent_of(index, i + ASK)) + R_LINEAR)
        at = record_at(i)
        if parent < 0:
            ground = ground_acceleration(model, q, 1.0)
            v, w = ground.v, ground.w
        else:
            v, w = load_pair(work, parent)
        v = add(v, cross(w, load_vec(work, at + R_POSITION)))
        if has_one_axis(kind):
            z = load_vec(work, at + R_Z)
            f, n = load_pair(work, i)
            felt = power(Motion(v, w), Wrench(f, n))
            x = load(work, at + R_R) * (load(work, at + R_TORQUE) - felt)  # q̈ = D⁻¹ (u − Uᵀ a')
            store(a, d, x)
            if kind == REVOLUTE:
                w = add(w, scale(x, z))
            else:
                slide, turn = helical.screw_of(model, i)
                v, w = add(v, scale(slide * x, z)), add(w, scale(turn * x, z))
        elif kind != FIXED:
            E = load_axes(work, i)
            ai, resists = accelerate(model, index, work, tau, a, i, kind, d, Motion(tmul(E, v), tmul(E, w)))
            if not resists:
                return i
            v, w = mul(E, ai.v), mul(E, ai.w)
        if size(v) + size(w) < NIL:
            v = w = Vec3(0.0, 0.0, 0.0)
        store_pair(work, i, v, w)
    return -1


@separate
def resting_aba(model, index, work, row_of, q, tau, forces, a):
    """a with τ = (H + armature) a + gravity − what forces do.

    `forces` has a row of FORCE_ROW for each loaded stage, whose number there `row_of` (stages) tells (−1: none); the
    wrenches of loops and springs in it are left out. The work space has KEPT numbers more for each stage.
    """
    outcome = check_sizes(index, q, tau, tau, a)
    if outcome != OK:
        return outcome
    outcome = inertia_passes(model, index, work, row_of, q, tau, forces)
    if outcome != OK:
        return outcome
    stage = acceleration_pass(model, index, work, q, tau, a)
    if stage >= 0:
        return status(SINGULAR, stage)
    return all_finite(a, index[N_V])
