"""Vector–Jacobian products of the projection onto loops.

It goes to q ⊕ x with H x = Jᵀ p and J x = −K e, then to v + y with H y = Jᵀ π and J (v + y) = 0. Symbols as in
`linkwork.kernels.closed.adjoint`. What the projection leaves alone has no part in it.
"""

from linkwork.kernels.algebra.spatial import Wrench, motion_to_child, wrench_to_parent
from linkwork.kernels.algebra.storage import add_wrench, load_motion, load_wrench, store_motion, store_wrench
from linkwork.kernels.algebra.vec3 import Vec3, scale
from linkwork.kernels.closed.adjoint import add_couplings, add_loops, clear_poses, of_rows, response
from linkwork.kernels.closed.embedding import answer_at_rest
from linkwork.kernels.closed.loops import loop_residuals, loop_states, motion_pass
from linkwork.kernels.closed.projection import GAP, SPEED, largest
from linkwork.kernels.closed.records import Loops, b_in_a, frame_b, loop_at, record_at
from linkwork.kernels.joints import joint_force, joint_velocity
from linkwork.kernels.layout import N_STAGES, N_V, OK
from linkwork.kernels.layout.derivatives import B_F, B_U
from linkwork.kernels.layout.loops import COUPLING, P_LOOPS, P_ROWS, R_SLOPE
from linkwork.kernels.numba_ext import any_of, helper, load, scalar, separate, store
from linkwork.kernels.records import acceleration_at, load_xform, stage_at
from linkwork.kernels.tree.adjoint import adjoint_at, begin, hand_up
from linkwork.kernels.tree.integrate import difference
from linkwork.kernels.tree.rnea import ground_velocity
from linkwork.kernels.tree.step_adjoint import step_adjoint

_ROUNDS = 8  # for the coordinates; a step of any use takes two or three
_ENOUGH = 1e-10  # share of what they sum up to, of which the next round would be as small a share again


@helper
def spread(model, index, work, x, virtual):
    """The motions of all stages when joints move with x and nothing else does, as virtual motions or accelerations."""
    for i in range(index[N_STAGES]):
        parent, kind, _, d = stage_at(index, i)
        up = parent if parent >= 0 else 0
        at = adjoint_at(index, up) + B_U if virtual else acceleration_at(up)
        m = ground_velocity(x) if parent < 0 else load_motion(work, at)
        m = joint_velocity(model, i, kind, x, d, motion_to_child(load_xform(work, i), m))
        store_motion(work, adjoint_at(index, i) + B_U if virtual else acceleration_at(i), m)


@helper
def subtract_rows(model, index, work, loops, nu, out, spare):
    """out −= Jᵀ ν; `spare` (nv) is scratch."""
    plan = loops.plan
    z = scalar(out, 0.0)
    for i in range(index[N_STAGES]):
        store_wrench(work, adjoint_at(index, i) + B_F, Wrench(Vec3(z, z, z), Vec3(z, z, z)))
    for number in range(plan[P_LOOPS]):
        loop = loop_at(plan, number)
        if loop.kind == COUPLING:
            x = load(nu, loop.row)
            store(out, loop.dof_i, load(out, loop.dof_i) - x)
            slope = load(loops.scratch, record_at(plan, number) + R_SLOPE)
            store(out, loop.dof_j, load(out, loop.dof_j) + slope * x)
            continue
        w = of_rows(loops, number, nu)
        if loop.b >= 0:
            add_wrench(work, adjoint_at(index, loop.b) + B_F, wrench_to_parent(frame_b(loops, number), w))
        if loop.a >= 0:
            w = wrench_to_parent(b_in_a(loops, number), Wrench(scale(-1.0, w.f), scale(-1.0, w.n)))
            add_wrench(work, adjoint_at(index, loop.a) + B_F, w)
    for i in range(index[N_STAGES] - 1, -1, -1):
        parent, kind, _, d = stage_at(index, i)
        w = load_wrench(work, adjoint_at(index, i) + B_F)
        joint_force(model, i, kind, d, w, spare)
        if parent >= 0:
            add_wrench(work, adjoint_at(index, parent) + B_F, wrench_to_parent(load_xform(work, i), w))
    for d in range(index[N_V]):
        store(out, d, load(out, d) - load(spare, d))


@separate
def add_still_gradient(model, index, work, plan, geometry, scratch, q, zero, x, mu, force, nu, q_bar, spare_a, spare_b):
    """q_bar −= ∂/∂q (μ · (H x − Jᵀ force) + ν · J x), the poses and loops at rest being known; spares are (nv)."""
    loops = Loops(plan, geometry, scratch)
    spread(model, index, work, x, False)
    spread(model, index, work, mu, True)
    clear_poses(index, work, q)
    begin(model, index, work, False, zero[:0], q)
    add_loops(model, index, work, loops, 0.0, force, nu, zero, False, zero)
    hand_up(model, index, work, True, zero, x, mu, spare_a, spare_b)
    add_couplings(loops, q, zero, x, mu, force, nu, spare_a, spare_b)
    for d in range(index[N_V]):
        store(q_bar, d, load(q_bar, d) + load(spare_a, d))
    return OK


@helper
def stand_at(model, index, work, loops, q, zero):
    """Poses of all stages and records of all loops at q, at rest."""
    motion_pass(model, index, work, loops, q, zero)
    loop_states(index, work, loops, q, zero, False)


@helper
def unmet_at(model, index, work, loops, q, v, lines, of_rate):
    """−J v of every row, or minus its error, in the line `needed`."""
    plan, geometry, scratch = loops
    needed, error, gap, rate, theta, theta_rate = lines
    loop_residuals(model, index, work, plan, geometry, scratch, q, v, error, gap, rate, theta, theta_rate)
    for r in range(plan[P_ROWS]):
        store(needed, r, -load(rate, r) if of_rate else -load(gap, r))


@separate
def projection_vjp(model, index, work, plan, geometry, scratch, q, v, end_q, end_v, q_bar, v_bar, lines):
    """Of the projection of (q, v) to (end_q, end_v): the adjoints of the end, in place, become those of the start.

    Of velocities: H μ + Jᵀ ν = λ, J μ = 0 at the end; those of v become λ − Jᵀ ν. Of coordinates, as the step x from
    q ends on the loops whatever q is: λ' = λ − J(end)ᵀ ν with H μ = J_r(x)ᵀ λ' and J μ = 0 at q, found by rounds that
    start from the rows at q. `lines` are `ADJOINT_LINES` rows, as long as those of `projection`.
    """
    loops = Loops(plan, geometry, scratch)
    nv = index[N_V]
    zero, needed, x, mu, nu, force, left, bar, sum_nu, spare_a, spare_b, error, gap, rate, theta, theta_rate = lines
    spare, of_rows_ = (spare_a, spare_b), (needed, error, gap, rate, theta, theta_rate)
    for k in range(zero.shape[0]):
        store(zero, k, 0.0)
        store(sum_nu, k, 0.0)
    unmet_at(model, index, work, loops, end_q, v, of_rows_, True)
    if any_of(largest(needed, plan[P_ROWS]) > SPEED):
        outcome = answer_at_rest(model, index, work, plan, geometry, scratch, end_q, zero, zero, needed, x, force, left)
        if outcome == OK:
            outcome = response(model, index, work, loops, end_q, zero, v_bar, mu, nu, left)
        if outcome != OK:
            return outcome
        add_still_gradient(
            model, index, work, plan, geometry, scratch, end_q, zero, x, mu, force, zero, q_bar, spare_a, spare_b
        )  # fmt: skip
        add_still_gradient(
            model, index, work, plan, geometry, scratch, end_q, zero, end_v, zero, zero, nu, q_bar, spare_a, spare_b
        )  # fmt: skip
        subtract_rows(model, index, work, loops, nu, v_bar, spare_a)
    unmet_at(model, index, work, loops, q, v, of_rows_, False)
    if not any_of(largest(needed, plan[P_ROWS]) > GAP):
        return OK
    difference(model, index, work, 0, q, end_q, x)  # all rounds of the projection, by the rows at q
    unmet_at(model, index, work, loops, q, x, of_rows_, True)
    for r in range(plan[P_ROWS]):
        store(needed, r, -load(needed, r))
    outcome = answer_at_rest(model, index, work, plan, geometry, scratch, q, zero, zero, needed, x, force, left)
    for _ in range(_ROUNDS):
        if outcome != OK:
            return outcome
        moved_adjoint(model, index, work, loops, end_q, zero, x, q_bar, sum_nu, bar, spare)
        outcome = response(model, index, work, loops, q, zero, spare_b, mu, nu, left)
        for r in range(plan[P_ROWS]):
            store(sum_nu, r, load(sum_nu, r) + load(nu, r))
        if not any_of(largest(nu, plan[P_ROWS]) > _ENOUGH * largest(sum_nu, plan[P_ROWS])):
            break
    moved_adjoint(model, index, work, loops, end_q, zero, x, q_bar, sum_nu, bar, spare)
    for d in range(nv):
        store(q_bar, d, load(bar, d))
    stand_at(model, index, work, loops, q, zero)
    add_still_gradient(
        model, index, work, plan, geometry, scratch, q, zero, x, mu, force, zero, q_bar, spare_a, spare_b
    )  # fmt: skip
    return outcome


@helper
def moved_adjoint(model, index, work, loops, end_q, zero, x, q_bar, nu, bar, spare):
    """Of q ⊕ x with the adjoint λ' = λ − J(end)ᵀ ν: that of q in `bar`, that of x in spare[1]."""
    for d in range(index[N_V]):
        store(bar, d, load(q_bar, d))
    stand_at(model, index, work, loops, end_q, zero)
    subtract_rows(model, index, work, loops, nu, bar, spare[0])
    step_adjoint(model, index, x, bar, bar, spare[1])
