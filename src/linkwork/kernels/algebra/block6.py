"""Six-by-six matrices and six-vectors in one flat buffer, four numbers at a time.

The buffer has shape (n, 1, 4) and is seen at once as rows of four or eight (``rec``, read as packs) and as a line of
numbers (``flat``). A matrix is six rows of eight numbers, the last two idle; a vector is eight numbers; an address is
the row where it begins. Forces and linear parts come first.
"""

from linkwork.kernels.algebra.spatial import Motion, Wrench, motion_to_child, wrench_to_parent
from linkwork.kernels.algebra.storage import load_motion, load_wrench, store_motion, store_vec
from linkwork.kernels.algebra.vec3 import Mat3, Vec3, cross, dot, mat_add, mat_mul, mat_sub
from linkwork.kernels.numba_ext import (
    any_of,
    fabs,
    helper,
    inlined,
    load,
    load_row,
    scalar,
    store,
    store_row,
    transpose4,
)

MATRIX, VECTOR = 12, 2  # rows
_FAR = 1e-4  # a block this far from singular loses no more than two digits


@inlined
def copy_rows(rec, to, from_, rows):
    for k in range(rows):
        store(rec, to + k, load(rec, from_ + k))


@inlined
def clear_rows(rec, to, rows):
    for k in range(rows):
        store(rec, to + k, scalar(rec, 0.0))


@inlined
def set_identity(rec, flat, C):
    clear_rows(rec, C, MATRIX)
    for i in range(6):
        store(flat, 4 * C + 9 * i, 1.0)


@inlined
def add_rows(rec, to, A, B, rows):
    """to = A + B."""
    for k in range(rows):
        store(rec, to + k, load(rec, A + k) + load(rec, B + k))


@inlined
def sub_rows(rec, to, A, B, rows):
    """to = A − B."""
    for k in range(rows):
        store(rec, to + k, load(rec, A + k) - load(rec, B + k))


@inlined
def mul_mm(rec, flat, C, A, B):
    """C = A B."""
    for i in range(6):
        k = 4 * A + 8 * i
        c = load(flat, k) * load_row(rec, B)
        for j in range(1, 6):
            c += load(flat, k + j) * load_row(rec, B + 2 * j)
        store_row(rec, C + 2 * i, c)


@inlined
def add_mm(rec, flat, C, D, A, B):
    """C = D + A B; C may be D."""
    for i in range(6):
        k = 4 * A + 8 * i
        c = load_row(rec, D + 2 * i)
        for j in range(6):
            c += load(flat, k + j) * load_row(rec, B + 2 * j)
        store_row(rec, C + 2 * i, c)


@inlined
def mul_tm(rec, flat, C, A, B):
    """C = Aᵀ B."""
    for i in range(6):
        k = 4 * A + i
        c = load(flat, k) * load_row(rec, B)
        for j in range(1, 6):
            c += load(flat, k + 8 * j) * load_row(rec, B + 2 * j)
        store_row(rec, C + 2 * i, c)


@inlined
def add_tm(rec, flat, C, D, A, B):
    """C = D + Aᵀ B; C may be D."""
    for i in range(6):
        k = 4 * A + i
        c = load_row(rec, D + 2 * i)
        for j in range(6):
            c += load(flat, k + 8 * j) * load_row(rec, B + 2 * j)
        store_row(rec, C + 2 * i, c)


@inlined
def add_tmv(rec, flat, y, A, x, sign):
    """y ± Aᵀ x, written to y; A may be symmetric."""
    a, b = load(rec, y), load(rec, y + 1)
    for k in range(6):
        s = sign * load(flat, 4 * x + k)
        a += s * load(rec, A + 2 * k)
        b += s * load(rec, A + 2 * k + 1)
    store(rec, y, a)
    store(rec, y + 1, b)


@inlined
def six(flat, x):
    """The six numbers of a vector, or of a matrix's row, from place x."""
    return load(flat, x), load(flat, x + 1), load(flat, x + 2), load(flat, x + 3), load(flat, x + 4), load(flat, x + 5)


@inlined
def add_mv(flat, y, A, x, sign):
    """y ± A x, written to y."""
    a, b, c, d, e, f = six(flat, 4 * x)
    for i in range(6):
        p, q, r, s, t, u = six(flat, 4 * A + 8 * i)
        store(flat, 4 * y + i, load(flat, 4 * y + i) + sign * (p * a + q * b + r * c + s * d + t * e + u * f))


@inlined
def add_scaled(rec, y, s, x):
    """y + s x, written to y."""
    store(rec, y, load(rec, y) + s * load(rec, x))
    store(rec, y + 1, load(rec, y + 1) + s * load(rec, x + 1))


@inlined
def dot6(flat, x, y):
    a, b, c, d, e, f = six(flat, 4 * x)
    p, q, r, s, t, u = six(flat, 4 * y)
    return a * p + b * q + c * r + d * s + e * t + f * u


@inlined
def add_outer(rec, flat, C, s, x, y):
    """C + s x yᵀ, written to C."""
    a = load_row(rec, y)
    for i in range(6):
        store_row(rec, C + 2 * i, load_row(rec, C + 2 * i) + (s * load(flat, 4 * x + i)) * a)


@inlined
def add_outers(rec, flat, C, s, x, y):
    """C + s (x yᵀ + y xᵀ), written to C."""
    a, b = load_row(rec, y), load_row(rec, x)
    for i in range(6):
        t, u = s * load(flat, 4 * x + i), s * load(flat, 4 * y + i)
        store_row(rec, C + 2 * i, load_row(rec, C + 2 * i) + t * a + u * b)


@inlined
def transposed(rec, C):
    """The rows of Cᵀ, each as two packs."""
    z = scalar(rec, 0.0)
    a, b, c, d = transpose4(load(rec, C), load(rec, C + 2), load(rec, C + 4), load(rec, C + 6))
    e, f, g, h = transpose4(load(rec, C + 8), load(rec, C + 10), z, z)
    i, j, _, _ = transpose4(load(rec, C + 1), load(rec, C + 3), load(rec, C + 5), load(rec, C + 7))
    k, m, _, _ = transpose4(load(rec, C + 9), load(rec, C + 11), z, z)
    return a, e, b, f, c, g, d, h, i, k, j, m


@inlined
def transpose_block(rec, C, A):
    """C = Aᵀ; the two may be the same."""
    rows = transposed(rec, A)
    for k in range(MATRIX):
        store(rec, C + k, rows[k])


@inlined
def symmetrise(rec, C):
    """C = (C + Cᵀ) / 2, in place."""
    rows = transposed(rec, C)
    for k in range(MATRIX):
        store(rec, C + k, 0.5 * (load(rec, C + k) + rows[k]))


@inlined
def flush(rec, flat, C):
    """C = 0 where all of it is too small to matter: what passes along a path dies away, and denormals are slow."""
    total = fabs(load(rec, C))
    for k in range(1, MATRIX):
        total += fabs(load(rec, C + k))
    if not any_of(total >= 1e-100):
        clear_rows(rec, C, MATRIX)


@inlined
def rows_to_parent(rec, X, C):
    """Xᵀ C: each column of C, a wrench in the child's frame, seen from the parent's."""
    w = Wrench(
        Vec3(load_row(rec, C), load_row(rec, C + 2), load_row(rec, C + 4)),
        Vec3(load_row(rec, C + 6), load_row(rec, C + 8), load_row(rec, C + 10)),
    )
    w = wrench_to_parent(X, w)
    store_row(rec, C, w.f.x)
    store_row(rec, C + 2, w.f.y)
    store_row(rec, C + 4, w.f.z)
    store_row(rec, C + 6, w.n.x)
    store_row(rec, C + 8, w.n.y)
    store_row(rec, C + 10, w.n.z)


@inlined
def inertia_rows_to_parent(rec, X, C):
    """Xᵀ C X, C symmetric: an inertia seen from the parent's frame (symmetric but for rounding)."""
    rows_to_parent(rec, X, C)
    transpose_block(rec, C, C)
    rows_to_parent(rec, X, C)


@inlined
def put_motion(flat, y, m):
    store_motion(flat, 4 * y, m)
    store(flat, 4 * y + 6, 0.0)
    store(flat, 4 * y + 7, 0.0)


@inlined
def put_wrench(flat, y, w):
    put_motion(flat, y, Motion(w.f, w.n))


@inlined
def vector_to_child(flat, X, y, x):
    """y = X x: a motion of the parent's frame seen in the child's."""
    put_motion(flat, y, motion_to_child(X, load_motion(flat, 4 * x)))


@inlined
def vector_to_parent(flat, X, y, x):
    """y = Xᵀ x: a wrench in the child's frame seen from the parent's."""
    put_wrench(flat, y, wrench_to_parent(X, load_wrench(flat, 4 * x)))


@inlined
def put_inertia(rec, flat, C, I):  # noqa: E741
    """A rigid inertia as a matrix: f = m v − h × w, n = h × v + I w."""
    clear_rows(rec, C, MATRIX)
    put_skew(flat, 4 * C + 3, I.h, -1.0)
    put_skew(flat, 4 * C + 24, I.h, 1.0)
    for i in range(3):
        store(flat, 4 * C + 9 * i, I.m)
    k, J = 4 * C + 27, I.I
    store_vec(flat, k, Vec3(J.xx, J.xy, J.xz))
    store_vec(flat, k + 8, Vec3(J.xy, J.yy, J.yz))
    store_vec(flat, k + 16, Vec3(J.xz, J.yz, J.zz))


@inlined
def put_skew(flat, k, h, sign):
    """± h× as three by three numbers of a matrix, from place k."""
    x, y, z, o = sign * h.x, sign * h.y, sign * h.z, 0.0 * h.x
    store_vec(flat, k, Vec3(o, -z, y))
    store_vec(flat, k + 8, Vec3(z, o, -x))
    store_vec(flat, k + 16, Vec3(-y, x, o))


@inlined
def block(flat, C, row, column):
    """Three by three numbers of C."""
    k = 4 * C + 8 * row + column
    return Mat3(
        load(flat, k), load(flat, k + 1), load(flat, k + 2),
        load(flat, k + 8), load(flat, k + 9), load(flat, k + 10),
        load(flat, k + 16), load(flat, k + 17), load(flat, k + 18),
    )  # fmt: skip


@inlined
def put_block(flat, C, row, column, M):
    k = 4 * C + 8 * row + column
    store_vec(flat, k, Vec3(M.xx, M.xy, M.xz))
    store_vec(flat, k + 8, Vec3(M.yx, M.yy, M.yz))
    store_vec(flat, k + 16, Vec3(M.zx, M.zy, M.zz))


@inlined
def inverse3(A):
    """A⁻¹, and how far A is from singular: 1 where its rows are perpendicular."""
    x, y, z = Vec3(A.xx, A.xy, A.xz), Vec3(A.yx, A.yy, A.yz), Vec3(A.zx, A.zy, A.zz)
    a, b, c = cross(y, z), cross(z, x), cross(x, y)
    det = dot(x, a)
    r = 1.0 / det
    distance = det * det / (dot(x, x) * dot(y, y) * dot(z, z))
    return Mat3(r * a.x, r * b.x, r * c.x, r * a.y, r * b.y, r * c.y, r * a.z, r * b.z, r * c.z), distance


@helper
def invert(rec, flat, C, M):
    """C = M⁻¹; M is overwritten. By blocks where both that are inverted are far from singular, else by pivoting."""
    A, distance = inverse3(block(flat, M, 0, 0))
    if distance > _FAR:
        B, D = block(flat, M, 0, 3), block(flat, M, 3, 3)
        E = mat_mul(block(flat, M, 3, 0), A)
        S, distance = inverse3(mat_sub(D, mat_mul(E, B)))
        if distance > _FAR:
            F = mat_mul(A, B)
            G = mat_mul(S, E)
            put_block(flat, C, 0, 0, mat_add(A, mat_mul(F, G)))
            put_block(flat, C, 0, 3, mat_neg(mat_mul(F, S)))
            put_block(flat, C, 3, 0, mat_neg(G))
            put_block(flat, C, 3, 3, S)
            return
    invert_by_pivots(rec, flat, C, M)


@inlined
def mat_neg(A):
    return Mat3(-A.xx, -A.xy, -A.xz, -A.yx, -A.yy, -A.yz, -A.zx, -A.zy, -A.zz)


@helper
def invert_by_pivots(rec, flat, C, M):
    """C = M⁻¹ by elimination with pivoting; M is overwritten."""
    set_identity(rec, flat, C)
    for j in range(6):
        pivot, best = j, abs(load(flat, 4 * M + 9 * j))
        for i in range(j + 1, 6):
            size = abs(load(flat, 4 * M + 8 * i + j))
            if size > best:
                pivot, best = i, size
        r = 1.0 / load(flat, 4 * M + 8 * pivot + j)
        a, b = r * load(rec, M + 2 * pivot), r * load(rec, M + 2 * pivot + 1)
        c, d = r * load(rec, C + 2 * pivot), r * load(rec, C + 2 * pivot + 1)
        if pivot != j:
            copy_rows(rec, M + 2 * pivot, M + 2 * j, 2)
            copy_rows(rec, C + 2 * pivot, C + 2 * j, 2)
        store(rec, M + 2 * j, a)
        store(rec, M + 2 * j + 1, b)
        store(rec, C + 2 * j, c)
        store(rec, C + 2 * j + 1, d)
        for i in range(6):
            if i != j:
                s = load(flat, 4 * M + 8 * i + j)
                store(rec, M + 2 * i, load(rec, M + 2 * i) - s * a)
                store(rec, M + 2 * i + 1, load(rec, M + 2 * i + 1) - s * b)
                store(rec, C + 2 * i, load(rec, C + 2 * i) - s * c)
                store(rec, C + 2 * i + 1, load(rec, C + 2 * i + 1) - s * d)
