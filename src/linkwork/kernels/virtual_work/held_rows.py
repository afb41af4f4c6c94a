"""The six equations of one joint, rows as in `constraint`: elimination, factors and solution.

The law of row k is λ = g t x and acceleration = −s t x: a held row has s = 0, g = 1; a degree of freedom s = 1 and its
armature g, so that one with very much armature is as good as held, and one with none takes no force.

======= ===================== ==========================================================================================
here    paper                 meaning
======= ===================== ==========================================================================================
P, Q    terms of (41)         inverse inertia of the parent and of the child, in the joint's rows
M       M of (41)             (P + Q + s/g)⁻¹: what relates the joint's force to its acceleration
x, y    a of (40)             relative acceleration without the joint's force: parent's and child's part
t       --                    1/(s + g d) of each row, d the pivot that elimination leaves it
======= ===================== ==========================================================================================

References: [Yamane2001] section 4.
"""

from typing import NamedTuple

from linkwork.kernels.algebra.spatial import ArticulatedInertia, Motion, Wrench, articulated_add, minus_product
from linkwork.kernels.algebra.storage import load_motion, load_vec, store_motion, store_vec
from linkwork.kernels.algebra.vec3 import Mat3, Sym3, Vec3, neg, scale, sub
from linkwork.kernels.numba_ext import helper, inlined, where


@helper
def less(x, c, y):
    """x − c y."""
    return Motion(sub(x.v, scale(c, y.v)), sub(x.w, scale(c, y.w)))


@helper
def choose(s, y, x):
    """y in the rows of degrees of freedom, x in held ones."""
    return Motion(
        Vec3(y.v.x if s.v.x else x.v.x, y.v.y if s.v.y else x.v.y, y.v.z if s.v.z else x.v.z),
        Vec3(y.w.x if s.w.x else x.w.x, y.w.y if s.w.y else x.w.y, y.w.z if s.w.z else x.w.z),
    )


@inlined
def free_part(s, A):
    """The rows of A that are degrees of freedom, zero for those held, of its upper triangle."""
    J, H, M = A.J, A.H, A.M
    v, w = s.v, s.w
    return ArticulatedInertia(
        Sym3(v.x * J.xx, v.x * J.xy, v.x * J.xz, v.y * J.yy, v.y * J.yz, v.z * J.zz),
        Mat3(v.x * H.xx, v.x * H.xy, v.x * H.xz, v.y * H.yx, v.y * H.yy, v.y * H.yz,
             v.z * H.zx, v.z * H.zy, v.z * H.zz),
        Sym3(w.x * M.xx, w.x * M.xy, w.x * M.xz, w.y * M.yy, w.y * M.yz, w.z * M.zz),
    )  # fmt: skip


@helper
def minus(x):
    return Motion(neg(x.v), neg(x.w))


@helper
def rows_of(Y):
    """The six rows of a symmetric matrix."""
    J, H, M = Y.J, Y.H, Y.M
    return (
        Motion(Vec3(J.xx, J.xy, J.xz), Vec3(H.xx, H.xy, H.xz)),
        Motion(Vec3(J.xy, J.yy, J.yz), Vec3(H.yx, H.yy, H.yz)),
        Motion(Vec3(J.xz, J.yz, J.zz), Vec3(H.zx, H.zy, H.zz)),
        Motion(Vec3(H.xx, H.yx, H.zx), Vec3(M.xx, M.xy, M.xz)),
        Motion(Vec3(H.xy, H.yy, H.zy), Vec3(M.xy, M.yy, M.yz)),
        Motion(Vec3(H.xz, H.yz, H.zz), Vec3(M.xz, M.yz, M.zz)),
    )


class Row(NamedTuple):
    """A row of a joint's equations B λ = x + y, and what it stands beside: see `eliminate`."""

    b: Motion
    left: Motion
    right: Motion
    x: float
    y: float


@inlined
def clear(e, c, pivot):
    """The row e less c times the pivot's."""
    left, right = less(e.left, c, pivot.left), less(e.right, c, pivot.right)
    return Row(less(e.b, c, pivot.b), left, right, e.x - c * pivot.x, e.y - c * pivot.y)


@inlined
def take(e, c, D, d):
    """D and d less the part of row e, whose inverse pivot is c."""
    D = minus_product(D, scale(c, e.left.v), scale(c, e.left.w), e.right.v, e.right.w)
    return D, less(less(d, c * e.x, e.left), c * e.y, e.right)


@inlined
def eliminate(B, left, right, g, s, x, y, D, d):
    """D − Lᵀ M R and d − Lᵀ M x − Rᵀ M y with M = (B + s/g)⁻¹, and t of every row; L and R as six rows each.

    Gauss elimination without pivoting, as fits a positive definite matrix; a row that takes no force is passed over.
    """
    b0, b1, b2, b3, b4, b5 = rows_of(B)
    e0 = Row(b0, left[0], right[0], x.v.x, y.v.x)
    t0 = 1.0 / (s.v.x + g.v.x * e0.b.v.x)
    c0 = g.v.x * t0
    D, d = take(e0, c0, D, d)
    e1 = Row(b1, left[1], right[1], x.v.y, y.v.y)
    e1 = clear(e1, c0 * e1.b.v.x, e0)
    t1 = 1.0 / (s.v.y + g.v.y * e1.b.v.y)
    c1 = g.v.y * t1
    D, d = take(e1, c1, D, d)
    e2 = Row(b2, left[2], right[2], x.v.z, y.v.z)
    e2 = clear(e2, c0 * e2.b.v.x, e0)
    e2 = clear(e2, c1 * e2.b.v.y, e1)
    t2 = 1.0 / (s.v.z + g.v.z * e2.b.v.z)
    c2 = g.v.z * t2
    D, d = take(e2, c2, D, d)
    one = 0.0 * t0 + 1.0
    if g.w.x == 0.0 and g.w.y == 0.0 and g.w.z == 0.0:  # a spherical joint, or a free one
        return D, d, Motion(Vec3(t0, t1, t2), Vec3(one, one, one))
    e3 = Row(b3, left[3], right[3], x.w.x, y.w.x)
    e3 = clear(e3, c0 * e3.b.v.x, e0)
    e3 = clear(e3, c1 * e3.b.v.y, e1)
    e3 = clear(e3, c2 * e3.b.v.z, e2)
    t3 = 1.0 / (s.w.x + g.w.x * e3.b.w.x)
    c3 = g.w.x * t3
    D, d = take(e3, c3, D, d)
    e4 = Row(b4, left[4], right[4], x.w.y, y.w.y)
    e4 = clear(e4, c0 * e4.b.v.x, e0)
    e4 = clear(e4, c1 * e4.b.v.y, e1)
    e4 = clear(e4, c2 * e4.b.v.z, e2)
    e4 = clear(e4, c3 * e4.b.w.x, e3)
    t4 = 1.0 / (s.w.y + g.w.y * e4.b.w.y)
    c4 = g.w.y * t4
    D, d = take(e4, c4, D, d)
    if g.w.z == 0.0:  # a hinge
        return D, d, Motion(Vec3(t0, t1, t2), Vec3(t3, t4, one))
    e5 = Row(b5, left[5], right[5], x.w.z, y.w.z)
    e5 = clear(e5, c0 * e5.b.v.x, e0)
    e5 = clear(e5, c1 * e5.b.v.y, e1)
    e5 = clear(e5, c2 * e5.b.v.z, e2)
    e5 = clear(e5, c3 * e5.b.w.x, e3)
    e5 = clear(e5, c4 * e5.b.w.y, e4)
    t5 = 1.0 / (s.w.z + g.w.z * e5.b.w.z)
    D, d = take(e5, g.w.z * t5, D, d)
    return D, d, Motion(Vec3(t0, t1, t2), Vec3(t3, t4, t5))


@inlined
def eliminate_heavy(P, Q, g, s, x, y):
    """P − P M P and x − P M (x + y) with M = (P + Q + s/g)⁻¹, and t of every row, where P is far larger than Q.

    In held rows that is Q M P and Q M x − P M y, and no digit is lost.
    """
    p, q = rows_of(P), rows_of(Q)
    left = (
        choose(s, p[0], minus(q[0])), choose(s, p[1], minus(q[1])), choose(s, p[2], minus(q[2])),
        choose(s, p[3], minus(q[3])), choose(s, p[4], minus(q[4])), choose(s, p[5], minus(q[5])),
    )  # fmt: skip
    none = less(x, 1.0, x)
    return eliminate(articulated_add(P, Q), left, p, g, s, x, y, free_part(s, P), choose(s, x, none))


class Factor(NamedTuple):
    """Q + s/g = L D Lᵀ: of each row t = 1/(s + g d), d its pivot; entry (i, j) of L D below the pivots is l_ij."""

    t: Motion
    l_10: float
    l_20: float
    l_30: float
    l_40: float
    l_50: float
    l_21: float
    l_31: float
    l_41: float
    l_51: float
    l_32: float
    l_42: float
    l_52: float
    l_43: float
    l_53: float
    l_54: float


@helper
def load_factor(work, k):
    """The factor that is kept from scalar k on."""
    a, b, c = load_motion(work, k), load_motion(work, k + 6), load_motion(work, k + 12)
    d = load_vec(work, k + 18)
    return Factor(
        a, b.v.x, b.v.y, b.v.z, b.w.x, b.w.y, b.w.z, c.v.x, c.v.y, c.v.z, c.w.x, c.w.y, c.w.z, d.x, d.y, d.z
    )  # fmt: skip


@helper
def store_factor(work, k, F):
    """Keep a factor from scalar k on."""
    store_motion(work, k, F.t)
    store_motion(work, k + 6, Motion(Vec3(F.l_10, F.l_20, F.l_30), Vec3(F.l_40, F.l_50, F.l_21)))
    store_motion(work, k + 12, Motion(Vec3(F.l_31, F.l_41, F.l_51), Vec3(F.l_32, F.l_42, F.l_52)))
    store_vec(work, k + 18, Vec3(F.l_43, F.l_53, F.l_54))


@inlined
def factor(Q, g, s):
    """Factor Q + s/g."""
    b0, b1, b2, b3, b4, b5 = rows_of(Q)
    t0 = 1.0 / (s.v.x + g.v.x * b0.v.x)
    c = g.v.x * t0
    l_10, l_20, l_30, l_40, l_50 = b1.v.x, b2.v.x, b3.v.x, b4.v.x, b5.v.x
    b1, b2, b3 = less(b1, c * l_10, b0), less(b2, c * l_20, b0), less(b3, c * l_30, b0)
    b4, b5 = less(b4, c * l_40, b0), less(b5, c * l_50, b0)
    t1 = 1.0 / (s.v.y + g.v.y * b1.v.y)
    c = g.v.y * t1
    l_21, l_31, l_41, l_51 = b2.v.y, b3.v.y, b4.v.y, b5.v.y
    b2, b3 = less(b2, c * l_21, b1), less(b3, c * l_31, b1)
    b4, b5 = less(b4, c * l_41, b1), less(b5, c * l_51, b1)
    t2 = 1.0 / (s.v.z + g.v.z * b2.v.z)
    c = g.v.z * t2
    l_32, l_42, l_52 = b3.v.z, b4.v.z, b5.v.z
    b3, b4, b5 = less(b3, c * l_32, b2), less(b4, c * l_42, b2), less(b5, c * l_52, b2)
    t3 = 1.0 / (s.w.x + g.w.x * b3.w.x)
    c = g.w.x * t3
    l_43, l_53 = b4.w.x, b5.w.x
    b4, b5 = less(b4, c * l_43, b3), less(b5, c * l_53, b3)
    t4 = 1.0 / (s.w.y + g.w.y * b4.w.y)
    l_54 = b5.w.y
    b5 = less(b5, g.w.y * t4 * l_54, b4)
    t5 = 1.0 / (s.w.z + g.w.z * b5.w.z)
    return Factor(
        Motion(Vec3(t0, t1, t2), Vec3(t3, t4, t5)), l_10, l_20, l_30, l_40, l_50, l_21, l_31, l_41, l_51, l_32, l_42,
        l_52, l_43, l_53, l_54,
    )  # fmt: skip


@helper
def least_of(m):
    """The least of six numbers."""
    x = where(m.v.x < m.v.y, m.v.x, m.v.y)
    y = where(m.v.z < m.w.x, m.v.z, m.w.x)
    z = where(m.w.y < m.w.z, m.w.y, m.w.z)
    x = where(x < y, x, y)
    return where(x < z, x, z)


@helper
def most_of(g, t, P):
    """By how much P exceeds the pivots that t and g come from, at most, in rows that take force."""
    x, y, z = g.v.x * t.v.x * P.J.xx, g.v.y * t.v.y * P.J.yy, g.v.z * t.v.z * P.J.zz
    a, b, c = g.w.x * t.w.x * P.M.xx, g.w.y * t.w.y * P.M.yy, g.w.z * t.w.z * P.M.zz
    return -least_of(Motion(Vec3(-x, -y, -z), Vec3(-a, -b, -c)))


@inlined
def solve(F, g, s, r):
    """Force λ = (Q + s/g)⁻¹ r in every row, and the acceleration left in degrees of freedom, of a factored Q."""
    t = F.t
    # down: y = L⁻¹ r, with force f = ρ y in each row
    f0 = g.v.x * t.v.x * r.v.x
    y1 = r.v.y - F.l_10 * f0
    f1 = g.v.y * t.v.y * y1
    y2 = r.v.z - F.l_20 * f0 - F.l_21 * f1
    f2 = g.v.z * t.v.z * y2
    y3 = r.w.x - F.l_30 * f0 - F.l_31 * f1 - F.l_32 * f2
    f3 = g.w.x * t.w.x * y3
    y4 = r.w.y - F.l_40 * f0 - F.l_41 * f1 - F.l_42 * f2 - F.l_43 * f3
    f4 = g.w.y * t.w.y * y4
    y5 = r.w.z - F.l_50 * f0 - F.l_51 * f1 - F.l_52 * f2 - F.l_53 * f3 - F.l_54 * f4
    # and up: x = y − (L − 1)ᵀ λ
    x5 = t.w.z * y5
    f5 = g.w.z * x5
    x4 = t.w.y * (y4 - F.l_54 * f5)
    f4 = g.w.y * x4
    x3 = t.w.x * (y3 - F.l_43 * f4 - F.l_53 * f5)
    f3 = g.w.x * x3
    x2 = t.v.z * (y2 - F.l_32 * f3 - F.l_42 * f4 - F.l_52 * f5)
    f2 = g.v.z * x2
    x1 = t.v.y * (y1 - F.l_21 * f2 - F.l_31 * f3 - F.l_41 * f4 - F.l_51 * f5)
    f1 = g.v.y * x1
    x0 = t.v.x * (r.v.x - F.l_10 * f1 - F.l_20 * f2 - F.l_30 * f3 - F.l_40 * f4 - F.l_50 * f5)
    a = Motion(Vec3(-s.v.x * x0, -s.v.y * x1, -s.v.z * x2), Vec3(-s.w.x * x3, -s.w.y * x4, -s.w.z * x5))
    return Wrench(Vec3(g.v.x * x0, f1, f2), Vec3(f3, f4, f5)), a
