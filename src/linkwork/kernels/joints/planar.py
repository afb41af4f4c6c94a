"""Planar: q = (x, y, angle) in the plane across z, v in the child's frame. S = ((x, 0), (y, 0), (0, z)).

References: [Sola2018] for steps on the plane's rigid motions, a screw about z.
"""

from linkwork.kernels.algebra.double_double import sincos_double, turn_about_z
from linkwork.kernels.algebra.rotations import screw, turned
from linkwork.kernels.algebra.spatial import Motion, Wrench, Xform
from linkwork.kernels.algebra.storage import as_mat, store_motion, store_vec
from linkwork.kernels.algebra.trigonometry import sincos
from linkwork.kernels.algebra.vec3 import Sym3, Vec3, add, cross, turn_z
from linkwork.kernels.numba_ext import exact, helper, in_place, like, load, store

# A stage of a tree


@in_place
def transform(R, p, q, k):
    """Where the stage stands in its parent."""
    s, c = sincos(load(q, k + 2))
    x, y = load(q, k), load(q, k + 1)
    step = Vec3(R.xx * x + R.xy * y, R.yx * x + R.yy * y, R.zx * x + R.zy * y)
    return Xform(as_mat(q, turn_z(R, s, c)), add(p, step))


@in_place
def velocity(v, k, m):
    """m + S v."""
    return Motion(
        Vec3(m.v.x + load(v, k), m.v.y + load(v, k + 1), m.v.z),
        Vec3(m.w.x, m.w.y, m.w.z + load(v, k + 2)),
    )


@in_place
def axes(X, out, k):
    """Write S of a stage whose pose is X, one axis after the other."""
    R, p = X.R, X.p
    x, y, z = Vec3(R.xx, R.yx, R.zx), Vec3(R.xy, R.yy, R.zy), Vec3(R.xz, R.yz, R.zz)
    o = Vec3(0.0 * p.x, 0.0 * p.x, 0.0 * p.x)
    store_motion(out, k, Motion(x, o))
    store_motion(out, k + 6, Motion(y, o))
    store_motion(out, k + 12, Motion(cross(p, z), z))


@in_place
def component(j):
    """Which of (vx, vy, vz, wx, wy, wz) the j-th axis is."""
    return j if j < 2 else 5


@in_place
def integrate(q, k, dv, d, out):
    """out = q ⊕ dv."""
    z = 0.0 * load(q, k)
    step = screw(Vec3(z, z, load(dv, d + 2)), Vec3(load(dv, d), load(dv, d + 1), z), False)
    s, c = sincos(load(q, k + 2))
    store(out, k, load(q, k) + c * step.x - s * step.y)
    store(out, k + 1, load(q, k + 1) + s * step.x + c * step.y)
    store(out, k + 2, load(q, k + 2) + load(dv, d + 2))


@in_place
def difference(q0, q1, k, out, d):
    """out = q1 ⊖ q0."""
    z = 0.0 * load(q0, k)
    turn = load(q1, k + 2) - load(q0, k + 2)
    s, c = sincos(load(q0, k + 2))
    x, y = load(q1, k) - load(q0, k), load(q1, k + 1) - load(q0, k + 1)
    step = screw(Vec3(z, z, turn), Vec3(c * x + s * y, c * y - s * x, z), True)
    store(out, d, step.x)
    store(out, d + 1, step.y)
    store(out, d + 2, turn)


# Articulated inertia


@in_place
def columns(A):
    """U = IA S of the axes x and y."""
    H, M = A.H, A.M
    return (
        Wrench(Vec3(M.xx, M.xy, M.xz), Vec3(H.xx, H.yx, H.zx)),
        Wrench(Vec3(M.xy, M.yy, M.yz), Vec3(H.xy, H.yy, H.zy)),
    )


@in_place
def along(w):
    """Sᵀ w."""
    return Vec3(w.f.x, w.f.y, w.n.z)


@in_place
def joint_inertia(A, x, y, z):
    """D = Sᵀ IA S + armature (x, y, z)."""
    J, H, M = A.J, A.H, A.M
    return Sym3(M.xx + x, M.xy, H.zx, M.yy + y, H.zy, J.zz + z)


# Rows of virtual work


@in_place
def rows(a, k, held):
    """The joint's numbers at the rows that are free, `held` in the others."""
    return Motion(Vec3(load(a, k), load(a, k + 1), held), Vec3(held, held, load(a, k + 2)))


@in_place
def store_rows(a, k, m):
    """Write the rows that are free."""
    store_vec(a, k, Vec3(m.v.x, m.v.y, m.w.z))


# A loop joint


@helper
def coordinates(twist, p, out, k):
    """Write the coordinates that bring the virtual link nearest to a pose; where it then stands."""
    store_vec(out, k, Vec3(p.x, p.y, twist))
    return Xform(turned(twist), Vec3(p.x, p.y, like(twist, 0.0)))


@helper
def moves_along(c):
    """Whether it moves along the c-th of (vx, vy, vz, wx, wy, wz)."""
    return c == 0 or c == 1 or c == 5


# Double-double


@exact
def precise_motion(q, k):
    """Rotation and translation by the joint itself, in double-double."""
    s, c = sincos_double(load(q, k + 2))
    return turn_about_z(s, c), ((load(q, k), 0.0), (load(q, k + 1), 0.0), (0.0, 0.0))
