"""The joints of the kernels, one file per kind; here is only the choice among them.

A stage's axes are those of its frame, a single one along z. Symbols: q, v the joint's own coordinates and velocities; S
its motion subspace, constant in the stage's frame for every kind; c = vᵢ × S v the acceleration it has without any of
its own; IA the articulated inertia that it carries, U = IA S, D = Sᵀ U + armature.

Loop joints are chosen among in `linkwork.kernels.closed.loop_joints`, whole joints as rows of constraints in
`linkwork.kernels.virtual_work.constraint`.
"""

from linkwork.kernels.algebra.double_double import W_LOW, dot_step, product, rest
from linkwork.kernels.algebra.rotations import inverse_exponential_rate
from linkwork.kernels.algebra.spatial import Motion, Wrench, cross_motion, motion_add
from linkwork.kernels.algebra.storage import load_mat, load_vec, store_vec
from linkwork.kernels.algebra.vec3 import Vec3, add, dot, scale
from linkwork.kernels.joints import fixed, free, helical, planar, revolute, spherical
from linkwork.kernels.joints.unit_axes import unit_vectors
from linkwork.kernels.layout import M_POSITION, M_ROTATION, W_POSITION, W_ROTATION, WORK_ROW
from linkwork.kernels.layout.kinds import FIXED, FREE, HELICAL, KIND_NV, PLANAR, REVOLUTE, SPHERICAL
from linkwork.kernels.numba_ext import exact, helper, inlined, load, scalar, store
from linkwork.kernels.records import armature_at, model_row


@helper
def axes_of(kind):
    """Degrees of freedom of a stage."""
    return KIND_NV[kind]


@helper
def has_one_axis(kind):
    return kind == REVOLUTE or kind == HELICAL


# Position and motion


@inlined
def joint_xform(model, i, kind, q, k):
    """Where stage i stands in its parent when its joint's coordinates are those at q[k]."""
    row = model_row(i)
    R = load_mat(model, row + M_ROTATION)
    p = load_vec(model, row + M_POSITION)
    if kind == REVOLUTE:
        return revolute.transform(R, p, q, k)
    if kind == HELICAL:
        return helical.transform(model, i, R, p, q, k)
    if kind == PLANAR:
        return planar.transform(R, p, q, k)
    if kind == SPHERICAL:
        return spherical.transform(R, p, q, k)
    if kind == FREE:
        return free.transform(R, p, q, k)
    return fixed.transform(R, p, q)


@helper
def joint_velocity(model, i, kind, v, k, m):
    """The motion m of the parent, seen in stage i, plus what its joint adds: m + S v."""
    if kind == REVOLUTE:
        return revolute.velocity(v, k, m)
    if kind == HELICAL:
        return helical.velocity(model, i, v, k, m)
    if kind == PLANAR:
        return planar.velocity(v, k, m)
    if kind == SPHERICAL:
        return spherical.velocity(v, k, m)
    if kind == FREE:
        return free.velocity(v, k, m)
    return m


@helper
def joint_bias(model, i, kind, v, k, m, a):
    """The acceleration a plus c = m × S v, m being the motion of stage i itself."""
    if kind == REVOLUTE:
        return revolute.acceleration(m, load(v, k), a)
    if kind == FIXED:
        return a
    return motion_add(a, cross_motion(m, joint_velocity(model, i, kind, v, k, at_rest(v))))


@helper
def at_rest(v):
    """No motion, of the scalars that v holds."""
    z = scalar(v, 0.0)
    return Motion(Vec3(z, z, z), Vec3(z, z, z))


@helper
def joint_force(model, i, kind, k, w, tau):
    """Write Sᵀ w, the wrench w as felt along the joint, to tau[k]."""
    if has_one_axis(kind):
        store(tau, k, along(model, i, kind, w))
    elif kind == PLANAR or kind == SPHERICAL:
        store_vec(tau, k, along3(kind, w))
    elif kind == FREE:
        free.force(w, tau, k)


@helper
def joint_axis(model, i, kind, j):
    """The j-th axis of stage i's joint, in its own frame."""
    if kind == HELICAL:
        slide, turn = helical.screw_of(model, i)
        return Motion(Vec3(0.0, 0.0, slide), Vec3(0.0, 0.0, turn))
    linear, angular = unit_vectors(component(kind, j))
    return Motion(linear, angular)


@helper
def component(kind, j):
    """Which of (vx, vy, vz, wx, wy, wz) the j-th axis of a stage is; of a helical one, its angular part."""
    if kind == REVOLUTE or kind == HELICAL:
        return 5
    if kind == PLANAR:
        return planar.component(j)
    return j if kind == FREE else 3 + j


@helper
def write_axes(model, i, kind, X, out, k):
    """Write the axes S of stage i's joint, in the world's axes and seen from its origin, from scalar k on.

    X is the stage's pose relative to that origin. Six scalars per axis.
    """
    if kind == REVOLUTE:
        revolute.axes(X, out, k)
    elif kind == HELICAL:
        helical.axes(model, i, X, out, k)
    elif kind == PLANAR:
        planar.axes(X, out, k)
    elif kind == SPHERICAL:
        spherical.axes(X, out, k)
    elif kind == FREE:
        free.axes(X, out, k)


# Steps in configuration space


@helper
def integrate_stage(kind, q, k, dv, d, out):
    """out = q ⊕ dv for one joint, whose coordinates begin at k and velocities at d; `out` may be q itself."""
    if has_one_axis(kind):
        store(out, k, load(q, k) + load(dv, d))
    elif kind == SPHERICAL:
        spherical.integrate(q, k, dv, d, out)
    elif kind == FREE:
        free.integrate(q, k, dv, d, out)
    elif kind == PLANAR:
        planar.integrate(q, k, dv, d, out)


@helper
def difference_stage(kind, q0, q1, k, out, d):
    """out = q1 ⊖ q0 for one joint, whose coordinates begin at k and velocities at d."""
    if kind == SPHERICAL:
        spherical.difference(q0, q1, k, out, d)
    elif kind == FREE:
        free.difference(q0, q1, k, out, d)
    elif kind == PLANAR:
        planar.difference(q0, q1, k, out, d)
    else:
        for j in range(axes_of(kind)):
            store(out, d + j, load(q1, k + j) - load(q0, k + j))


@helper
def local_rate_stage(model, i, kind, u, v, d, out):
    """out = u̇ = dexp⁻¹(u) v for one joint, where q is q₀ ⊕ u: v + ½ [u, v] + c₂ [u, [u, v]] + c₄ [u, [u, [u, [u, v]]]].

    The even part of the series, ½ x coth(½ x), ends there: a rigid motion's brackets repeat after the fourth.
    """
    if axes_of(kind) == 1:  # motions commute
        store(out, d, load(v, d))
    elif kind != FIXED:
        x = joint_velocity(model, i, kind, u, d, at_rest(u))
        y = joint_velocity(model, i, kind, v, d, at_rest(u))
        c2, c4 = inverse_exponential_rate(dot(x.w, x.w))
        y1 = cross_motion(x, y)
        y2 = cross_motion(x, y1)
        y4 = cross_motion(x, cross_motion(x, y2))
        linear = add(add(y.v, scale(0.5, y1.v)), add(scale(c2, y2.v), scale(c4, y4.v)))
        angular = add(add(y.w, scale(0.5, y1.w)), add(scale(c2, y2.w), scale(c4, y4.w)))
        joint_force(model, i, kind, d, Wrench(linear, angular), out)  # its parts along the axes


# Articulated inertia


@helper
def column(model, i, kind, A):
    """U = IA S of a one-axis joint."""
    return revolute.column(A) if kind == REVOLUTE else helical.column(model, i, A)


@helper
def along(model, i, kind, w):
    """Sᵀ w of a one-axis joint."""
    return revolute.along(w) if kind == REVOLUTE else helical.along(model, i, w)


@helper
def columns(kind, A):
    """U = IA S of a three-axis joint, one wrench per axis; the last axis is z, as a hinge's."""
    Uz = revolute.column(A)
    if kind == SPHERICAL:
        Ux, Uy = spherical.columns(A)
        return Ux, Uy, Uz
    Ux, Uy = planar.columns(A)
    return Ux, Uy, Uz


@helper
def along3(kind, w):
    """Sᵀ w of a three-axis joint."""
    if kind == SPHERICAL:
        return spherical.along(w)
    return planar.along(w)


@helper
def joint_inertia3(model, index, kind, d, A):
    """D of a three-axis joint: Sᵀ IA S + armature."""
    k = armature_at(index, d)
    x, y, z = load(model, k), load(model, k + 1), load(model, k + 2)
    if kind == SPHERICAL:
        return spherical.joint_inertia(A, x, y, z)
    return planar.joint_inertia(A, x, y, z)


# Double-double


@exact
def precise_motion(model, i, kind, q, k):
    """Rotation (nine pairs) and translation (three) of the joint of stage i by itself."""
    if kind == HELICAL:
        return helical.precise_motion(model, i, q, k)
    if kind == PLANAR:
        return planar.precise_motion(q, k)
    if kind == SPHERICAL:
        return spherical.precise_motion(q, k)
    if kind == FREE:
        return free.precise_motion(q, k)
    return fixed.precise_motion()


@exact
def store_low(model, work, i, kind, q, k):
    """Keep the lower digits of where stage i stands in its parent, the upper ones being in its record."""
    if kind == REVOLUTE:
        revolute.store_low(model, work, i, load(q, k))
        return
    turn, step = precise_motion(model, i, kind, q, k)
    x, y, z = step
    at, low = WORK_ROW * i, WORK_ROW * i + W_LOW
    for row in range(3):
        k = model_row(i) + M_ROTATION + 3 * row
        a, b, c = load(model, k), load(model, k + 1), load(model, k + 2)
        for column in range(3):
            t, u, v = turn[column], turn[3 + column], turn[6 + column]
            value = dot_step(dot_step(product((a, 0.0), t), b, 0.0, u[0], u[1]), c, 0.0, v[0], v[1])
            store(work, low + 3 * row + column, rest(value, load(work, at + W_ROTATION + 3 * row + column)))
        p = (load(model, model_row(i) + M_POSITION + row), 0.0)
        p = dot_step(dot_step(dot_step(p, a, 0.0, x[0], x[1]), b, 0.0, y[0], y[1]), c, 0.0, z[0], z[1])
        store(work, low + 9 + row, rest(p, load(work, at + W_POSITION + row)))
