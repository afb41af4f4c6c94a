"""Revolute: rotation by q about z. S = (0, z)."""

from linkwork.kernels.algebra.double_double import W_LOW, dot_step, product, rest, sincos_double
from linkwork.kernels.algebra.rotations import turned
from linkwork.kernels.algebra.spatial import Motion, Wrench, Xform
from linkwork.kernels.algebra.storage import as_mat, as_vec, store_motion
from linkwork.kernels.algebra.trigonometry import sincos
from linkwork.kernels.algebra.vec3 import Vec3, cross, turn_z
from linkwork.kernels.layout import M_ROTATION, W_ROTATION, WORK_ROW
from linkwork.kernels.numba_ext import exact, helper, in_place, like, load, store
from linkwork.kernels.records import model_row

# A stage of a tree


@in_place
def transform(R, p, q, k):
    """Where the stage stands in its parent."""
    s, c = sincos(load(q, k))
    return Xform(as_mat(q, turn_z(R, s, c)), as_vec(q, p))


@in_place
def velocity(v, k, m):
    """m + S v."""
    return Motion(m.v, Vec3(m.w.x, m.w.y, m.w.z + load(v, k)))


@helper
def acceleration(m, rate, a):
    """a + c with c = m × (rate z), m being the motion of the stage itself."""
    return Motion(
        Vec3(a.v.x + m.v.y * rate, a.v.y - m.v.x * rate, a.v.z),
        Vec3(a.w.x + m.w.y * rate, a.w.y - m.w.x * rate, a.w.z),
    )


@helper
def cross_axis(rate, w):
    """(rate S) ×* w."""
    zero = 0.0 * rate
    return Wrench(Vec3(-rate * w.f.y, rate * w.f.x, zero), Vec3(-rate * w.n.y, rate * w.n.x, zero))


@helper
def cross_along(m, w):
    """Sᵀ (m ×* w)."""
    return m.w.x * w.n.y - m.w.y * w.n.x + m.v.x * w.f.y - m.v.y * w.f.x


@in_place
def axes(X, out, k):
    """Write S of a stage whose pose is X."""
    z = Vec3(X.R.xz, X.R.yz, X.R.zz)
    store_motion(out, k, Motion(cross(X.p, z), z))


# Articulated inertia


@in_place
def column(A):
    """U = IA S."""
    return Wrench(Vec3(A.H.zx, A.H.zy, A.H.zz), Vec3(A.J.xz, A.J.yz, A.J.zz))


@in_place
def along(w):
    """Sᵀ w."""
    return w.n.z


# Rows of virtual work


@in_place
def rows(a, k, held):
    """The joint's number at the row that is free, `held` in the others."""
    return Motion(Vec3(held, held, held), Vec3(held, held, load(a, k)))


@in_place
def store_rows(a, k, m):
    """Write the row that is free."""
    store(a, k, m.w.z)


# A loop joint


@helper
def coordinates(twist, out, k):
    """Write the coordinate that brings the virtual link nearest to a pose; where it then stands."""
    store(out, k, twist)
    zero = like(twist, 0.0)
    return Xform(turned(twist), Vec3(zero, zero, zero))


@helper
def moves_along(c):
    """Whether it moves along the c-th of (vx, vy, vz, wx, wy, wz)."""
    return c == 5


# Double-double


@exact
def store_low(model, work, i, angle):
    """Keep the lower digits of where the stage stands: its position and its axis have none."""
    s, c = sincos_double(angle)
    at, low = WORK_ROW * i + W_ROTATION, WORK_ROW * i + W_LOW
    for row in range(3):
        k = model_row(i) + M_ROTATION + 3 * row
        x, y = load(model, k), load(model, k + 1)
        value = dot_step(product((x, 0.0), c), y, 0.0, s[0], s[1])
        store(work, low + 3 * row, rest(value, load(work, at + 3 * row)))
        value = dot_step(product((y, 0.0), c), -x, 0.0, s[0], s[1])
        store(work, low + 3 * row + 1, rest(value, load(work, at + 3 * row + 1)))
        store(work, low + 3 * row + 2, 0.0)
        store(work, low + 9 + row, 0.0)
