"""Loop joints: coordinates from a pose, motion subspaces, rates; here is only the choice among the kinds.

Symbols as in `linkwork.kernels.closed.loops`: Fa, Fb the joint's frame on either body, its axis along z; θ its
coordinates; S what it allows and K what it forbids, in Fb.
"""

from linkwork.kernels.algebra.spatial import Motion, Wrench, wrench_add
from linkwork.kernels.algebra.storage import load_motion
from linkwork.kernels.algebra.vec3 import Vec3, dot, scale
from linkwork.kernels.joints import cylindrical, fixed, free, helical, hinges, planar, prismatic, revolute, spherical
from linkwork.kernels.joints.unit_axes import unit_row
from linkwork.kernels.layout.kinds import (
    CYLINDRICAL,
    FREE,
    HELICAL,
    HINGES,
    KIND_NV,
    PLANAR,
    PRISMATIC,
    REVOLUTE,
    SPHERICAL,
)
from linkwork.kernels.layout.loops import G_DAMPING, R_K, R_S, R_V
from linkwork.kernels.numba_ext import atan2, helper, like, load, scalar, store


@helper
def coordinates(kind, geometry, g, X, out, k):
    """Write the coordinates θ that bring the virtual link nearest to the pose X; return where that puts it."""
    R, p = X.R, X.p
    twist = atan2(R.yx - R.xy, R.xx + R.yy)  # of R about z
    if kind == REVOLUTE:
        return revolute.coordinates(twist, out, k)
    if kind == PRISMATIC:
        return prismatic.coordinates(p, out, k)
    if kind == HELICAL:
        return helical.coordinates(geometry, g, twist, p, out, k)
    if kind == CYLINDRICAL:
        return cylindrical.coordinates(twist, p, out, k)
    if HINGES[kind] > 0:
        return hinges.coordinates(kind, geometry, g, R, out, k)
    if kind == PLANAR:
        return planar.coordinates(twist, p, out, k)
    if kind == SPHERICAL:
        return spherical.coordinates(R, out, k)
    if kind == FREE:
        return free.coordinates(X, out, k)
    return fixed.coordinates(p)


@helper
def moves_along(kind, c):
    """Whether a joint whose axes are those of Fb moves along the c-th of (vx, vy, vz, wx, wy, wz)."""
    if kind == REVOLUTE:
        return revolute.moves_along(c)
    if kind == PRISMATIC:
        return prismatic.moves_along(c)
    if kind == CYLINDRICAL:
        return cylindrical.moves_along(c)
    if kind == PLANAR:
        return planar.moves_along(c)
    if kind == SPHERICAL:
        return spherical.moves_along(c)
    return kind == FREE


@helper
def write_subspaces(kind, geometry, g, loop_scratch, k):
    """Write S (one motion per axis) and K (one wrench per row), both in Fb, into the record at k."""
    if HINGES[kind] > 0:
        hinges.write_subspaces(kind, geometry, g, loop_scratch, k)
        return
    if kind == HELICAL:
        helical.write_subspaces(geometry, g, loop_scratch, k)
        return
    S, K = k + R_S, k + R_K
    for c in range(6):
        if moves_along(kind, c):
            unit_row(loop_scratch, S, c)
            S += 6
        else:
            unit_row(loop_scratch, K, c)
            K += 6


@helper
def joint_rates(kind, loop_scratch, k, V):
    """Write θ̇ = S⁺ V into the record at k and return Ṡ θ̇."""
    if HINGES[kind] > 0:
        return hinges.rates(kind, loop_scratch, k, V)
    out = k + R_V
    if kind == HELICAL:
        helical.rates(loop_scratch, k, V)
    else:
        for c in range(6):
            if moves_along(kind, c):
                store(loop_scratch, out, V.v[c] if c < 3 else V.w[c - 3])
                out += 1
    zero = like(V.w.x, 0.0)
    return Motion(Vec3(zero, zero, zero), Vec3(zero, zero, zero))


@helper
def motor_wrench(kind, geometry, g, loop_scratch, k, force, first):
    """w = S (SᵀS)⁻¹ (f − damping · θ̇), the wrench of a loop joint's motor and damper; f begins at force[first]."""
    if HINGES[kind] > 0:
        return hinges.motor_wrench(kind, geometry, g, loop_scratch, k, force, first)
    zero = scalar(loop_scratch, 0.0)
    w = Wrench(Vec3(zero, zero, zero), Vec3(zero, zero, zero))
    for j in range(KIND_NV[kind]):  # axes that are perpendicular to each other
        axis = load_motion(loop_scratch, k + R_S + 6 * j)
        x = load(force, first + j) - geometry[g + G_DAMPING + j] * load(loop_scratch, k + R_V + j)
        x /= dot(axis.v, axis.v) + dot(axis.w, axis.w)
        w = wrench_add(w, Wrench(scale(x, axis.v), scale(x, axis.w)))
    return w
