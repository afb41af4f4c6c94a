"""Further steps by the factors that a sweep of `linkwork.kernels.closed.embedding` has left.

A step with J a = h, the shortest by the mass matrix, takes the factors of one pose. Those of a pose nearby do nearly as
well: of an error they leave a share like the distance between the two poses, so that to go back onto the loops after a
step in time costs the light part of a sweep, not a sweep of its own. With u = 0 but for what loops below have done,

    p ← p − Kᵀ b,    u = −Sᵀ p,    p ← X (p + U D⁻¹ u),    b ← T b − B D^(−½) u

T being what elimination did to the rows. An axis without inertia hands u to the row that was taken for it. Symbols as
in `embedding`.
"""

from linkwork.kernels.algebra.spatial import Wrench, power, wrench_to_parent
from linkwork.kernels.algebra.storage import add_wrench, load_wrench, store_wrench
from linkwork.kernels.algebra.vec3 import Vec3, add, scale
from linkwork.kernels.closed.elimination import eliminate_again
from linkwork.kernels.closed.embedding import outward_pass
from linkwork.kernels.closed.pack_elimination import eliminate_pack_again
from linkwork.kernels.closed.records import Loops, axis_record_at, bias_at, carried_force_at, ends_here, slots_of
from linkwork.kernels.joints import axes_of, joint_axis
from linkwork.kernels.layout import N_STAGES
from linkwork.kernels.layout.loops import A_FORCE, A_R, A_U, P_COLUMN, P_ROWS, P_SPREAD
from linkwork.kernels.numba_ext import helper, load, scalar, separate, sqrt, store
from linkwork.kernels.records import force_at, load_xform, stage_at


@helper
def close_again(work, loops, i, p):
    """Let the rows that end at stage i, n for ground, act on its wrench p."""
    s, end = slots_of(loops.plan, i)
    while s < end and ends_here(loops.plan, s):
        p = eliminate_again(loops, s, end, p) if work.ndim == 1 else eliminate_pack_again(loops, s, end, p)
        s += 1
    return p


@separate
def closed_step_again(model, index, work, plan, geometry, scratch, zero, h, a, force, left):
    """`closed_step` by the factors that are there."""
    loops, n, spread = Loops(plan, geometry, scratch), index[N_STAGES], plan[P_SPREAD]
    z = scalar(work, 0.0)
    still = Wrench(Vec3(z, z, z), Vec3(z, z, z))
    for r in range(plan[P_ROWS]):
        store(scratch, bias_at(plan, r), load(h, r))
    for i in range(n):
        store_wrench(work, force_at(i), still)
    for i in range(n - 1, -1, -1):
        parent, kind, _, d = stage_at(index, i)
        p = close_again(work, loops, i, load_wrench(work, force_at(i)))
        column = plan[plan[P_COLUMN] + i]
        for j in range(axes_of(kind)):
            k = axis_record_at(plan, d + j)
            u, U = -power(joint_axis(model, i, kind, j), p), load_wrench(scratch, k + A_U)
            r = load(scratch, k + A_R)
            x = r * u
            store(scratch, k + A_FORCE, u)
            if column >= 0:
                store(scratch, spread + column + j, sqrt(r) * u)  # none of an axis without inertia, whose A_ROOT is 1
                store(scratch, carried_force_at(plan, column + j), u)
            p = Wrench(add(p.f, scale(x, U.f)), add(p.n, scale(x, U.n)))
        if parent >= 0:
            add_wrench(work, force_at(parent), wrench_to_parent(load_xform(work, i), p))
    close_again(work, loops, n, still)
    outward_pass(model, index, work, loops, 0.0, zero, a, force, left)
