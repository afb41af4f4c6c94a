"""How contacts move with the joints, u = J x, and joints with impulses on contacts, P Jᵀ λ; symbols of `delassus`."""

from linkwork.kernels.algebra.spatial import Motion, Wrench, motion_to_child, power
from linkwork.kernels.algebra.storage import add_wrench, load_motion, load_wrench, store_motion, store_wrench
from linkwork.kernels.algebra.vec3 import Vec3, add, scale
from linkwork.kernels.closed.embedding import outward_pass
from linkwork.kernels.closed.records import Loops, bias_at
from linkwork.kernels.contact.delassus import delassus, row_of, tree_axes, world_pose
from linkwork.kernels.contact.loop_rows import lead_carried, tell_taken
from linkwork.kernels.joints import axes_of, joint_axis, joint_velocity
from linkwork.kernels.layout import N_STAGES, N_V, N_WEAK, OK
from linkwork.kernels.layout.loops import A_FORCE, A_R, A_ROOT, A_U, AXIS, P_AXES, P_ROWS
from linkwork.kernels.numba_ext import helper, separate
from linkwork.kernels.records import acceleration_at, applied_at, load_xform, stage_at, velocity_at


@helper
def carry(model, index, work, x):
    """Velocities of the stages when the joints move with x (nv), in the place of the accelerations in `work`."""
    for i in range(index[N_STAGES]):
        parent, kind, _, d = stage_at(index, i)
        m = Motion(Vec3(0.0, 0.0, 0.0), Vec3(0.0, 0.0, 0.0))
        if parent >= 0:
            m = motion_to_child(load_xform(work, i), load_motion(work, acceleration_at(parent)))
        store_motion(work, acceleration_at(i), joint_velocity(model, i, kind, x, d, m))


@separate
def contact_motion(model, index, work, n, stages, points, frames, x, before, u):
    """u (3n) = J x: how contacts move along their frames when the joints move with x (nv).

    The accelerations in `work` are overwritten. `before` (3n) receives how contacts move with the velocities in `work`,
    unless it is None.
    """
    carry(model, index, work, x)
    met, at = -1, world_pose(index, work, 0)
    for k in range(n):
        for axis in range(3):
            u[3 * k + axis] = 0.0
            if before is not None:
                before[3 * k + axis] = 0.0
        for side in range(2):
            stage, sign = stages[k, side], 1.0 - 2.0 * side
            if stage >= 0:
                if stage != met:
                    met, at = stage, world_pose(index, work, stage)
                v, m = load_motion(work, velocity_at(stage)), load_motion(work, acceleration_at(stage))
                for axis in range(3):
                    row = row_of(at, points[k], frames[k], axis)
                    u[3 * k + axis] += sign * power(m, row)
                    if before is not None:
                        before[3 * k + axis] += sign * power(v, row)


@helper
def response(model, index, work, axes, first, loops, zero, n, Z, impulses, a, force, left):
    """a (nv) = P Jᵀ λ: the velocities that impulses λ (3n) add; after it the accelerations in `work` are gone.

    With loops, `force` and `left` receive the impulses of their rows and what redundant ones leave unmet.
    """
    nv, stages = index[N_V], index[N_STAGES]
    for d in range(nv):
        u = 0.0
        for i in range(3 * n):
            u += Z[i, d] * impulses[i]
        root = axes[first + AXIS * d + A_ROOT]
        axes[first + AXIS * d + A_FORCE] = u / root if root > 0.0 else 0.0  # what is driven feels nothing
    if loops is not None:
        for r in range(loops.plan[P_ROWS]):
            b = 0.0
            for i in range(3 * n):
                b -= Z[i, nv + r] * impulses[i]
            loops.scratch[bias_at(loops.plan, r)] = b
        if index[N_WEAK] > 0:
            lead_carried(index, loops)
        outward_pass(model, index, work, loops, 0.0, zero, a, force, left)
        if index[N_WEAK] > 0:
            tell_taken(index, loops, n, Z, impulses, force, left)
        return
    for i in range(stages):
        parent, kind, _, d = stage_at(index, i)
        if parent < 0:
            ai = Motion(Vec3(0.0, 0.0, 0.0), Vec3(0.0, 0.0, 0.0))
        else:
            ai = motion_to_child(load_xform(work, i), load_motion(work, acceleration_at(parent)))
        for j in range(axes_of(kind) - 1, -1, -1):
            k = first + AXIS * (d + j)
            x = axes[k + A_R] * (axes[k + A_FORCE] - power(ai, load_wrench(axes, k + A_U)))
            a[d + j] = x
            S = joint_axis(model, i, kind, j)
            ai = Motion(add(ai.v, scale(x, S.v)), add(ai.w, scale(x, S.w)))
        store_motion(work, acceleration_at(i), ai)


@helper
def push_stages(index, work, loaded, n, stages, points, frames, weight, force):
    """Add `weight` times the forces at n contacts, along their frames, to the wrenches applied to the stages."""
    if not loaded:
        zero = Vec3(0.0, 0.0, 0.0)
        for i in range(index[N_STAGES]):
            store_wrench(work, applied_at(index, i), Wrench(zero, zero))
    for k in range(n):
        for side in range(2):
            stage = stages[k, side]
            if stage >= 0:
                at = world_pose(index, work, stage)
                for axis in range(3):
                    w, x = row_of(at, points[k], frames[k], axis), (1.0 - 2.0 * side) * weight * force[3 * k + axis]
                    add_wrench(work, applied_at(index, stage), Wrench(scale(x, w.f), scale(x, w.n)))


@helper
def probe(model, index, work, axes, space, zero, n, stages, points, frames, x, impulses, Y, Z, G, u, a, force, left):
    """G of contacts, u = J x and a = P Jᵀ λ in one call from Python, after `aba` or `closed_step` with the same `work`.

    `space` is None, or (plan, geometry, scratch) of the loops; `axes` (AXIS · nv) is scratch space for trees.
    """
    if space is None:
        tree_axes(model, index, work, axes)
        delassus(model, index, work, axes, 0, None, n, stages, points, frames, Y, Z, G)
        contact_motion(model, index, work, n, stages, points, frames, x, None, u)
        response(model, index, work, axes, 0, None, zero, n, Z, impulses, a, force, left)
    else:
        loops = Loops(space[0], space[1], space[2])
        first = loops.plan[P_AXES]
        delassus(model, index, work, loops.scratch, first, loops, n, stages, points, frames, Y, Z, G)
        contact_motion(model, index, work, n, stages, points, frames, x, None, u)
        response(model, index, work, loops.scratch, first, loops, zero, n, Z, impulses, a, force, left)
    return OK
