"""How the Jacobian of a point changes while the linkage moves: one column per degree of freedom above the point.

Symbols: (l, w) a column of the Jacobian; ω the angular velocity of the stage that the column's joint bears; u the
velocity of the point beyond that of a particle of this stage at the same place. World axes.

References: [Li] eqs 27–30, for joints of every kind: the axes of a stage turn with it.
"""

from linkwork.kernels.algebra.storage import as_vec, load_motion, load_vec
from linkwork.kernels.algebra.vec3 import Vec3, add, cross, mul, sub, tmul
from linkwork.kernels.joints import axes_of
from linkwork.kernels.layout import N_V, OK
from linkwork.kernels.numba_ext import helper, load, store
from linkwork.kernels.records import check_sizes, load_xform, stage_at, velocity_at
from linkwork.kernels.tree.kinematics import POINT, STAGE, jacobian, velocities_and_poses


@helper
def particle_velocity(work, i, point):
    """World velocity of the particle of stage i that is at a point of the world."""
    X, v = load_xform(work, i), load_motion(work, velocity_at(i))
    return mul(X.R, add(v.v, cross(v.w, tmul(X.R, sub(point, X.p)))))


@helper
def jacobian_derivative(model, index, work, target, q, v, out):
    """dJ/dt (6 × nv, row by row) of a target, a point of a stage."""
    outcome = check_sizes(index, q, v, v, v)
    if outcome == OK:
        outcome = jacobian(model, index, work, target, q, out)
    if outcome != OK:
        return outcome
    velocities_and_poses(model, index, work, q, v)
    nv, i = index[N_V], int(target[STAGE])
    X = load_xform(work, i)
    point = add(X.p, mul(X.R, as_vec(q, load_vec(target, POINT))))
    velocity = particle_velocity(work, i, point)
    while i >= 0:
        parent, kind, _, d = stage_at(index, i)
        turning = mul(load_xform(work, i).R, load_motion(work, velocity_at(i)).w)
        u = sub(velocity, particle_velocity(work, i, point))  # (28)
        for c in range(d, d + axes_of(kind)):
            l = Vec3(load(out, c), load(out, nv + c), load(out, 2 * nv + c))  # noqa: E741
            w = Vec3(load(out, 3 * nv + c), load(out, 4 * nv + c), load(out, 5 * nv + c))
            linear, angular = add(cross(turning, l), cross(w, u)), cross(turning, w)  # (29), (27)
            for r in range(3):
                store(out, r * nv + c, linear[r])
                store(out, (3 + r) * nv + c, angular[r])
        i = parent
    return OK
