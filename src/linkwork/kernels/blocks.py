"""Six-by-six matrices and six-vectors in one flat buffer, four numbers at a time.

The buffer is an array of rows of `WIDTH` numbers, seen at once as rows (``rec``, read as packs) and as a line of
numbers (``flat``). A matrix is six rows of eight numbers, the last two idle; a vector is eight numbers; an address is
the row where it begins. Forces and linear parts come first.
"""

from linkwork.kernels.jit import helper
from linkwork.kernels.layout import load_motion, load_wrench, store_motion, store_vec
from linkwork.kernels.pack import load, scalar, store
from linkwork.kernels.spatial import Motion, Wrench, motion_to_child, wrench_to_parent
from linkwork.kernels.vec3 import Vec3

MATRIX, VECTOR = 12, 2  # rows


@helper
def copy_rows(rec, to, from_, rows):
    for k in range(rows):
        store(rec, to + k, load(rec, from_ + k))


@helper
def clear_rows(rec, to, rows):
    for k in range(rows):
        store(rec, to + k, scalar(rec, 0.0))


@helper
def set_identity(rec, flat, C):
    clear_rows(rec, C, MATRIX)
    for i in range(6):
        store(flat, 4 * C + 9 * i, 1.0)


@helper
def add_rows(rec, to, A, B, rows):
    """to = A + B."""
    for k in range(rows):
        store(rec, to + k, load(rec, A + k) + load(rec, B + k))


@helper
def sub_rows(rec, to, A, B, rows):
    """to = A − B."""
    for k in range(rows):
        store(rec, to + k, load(rec, A + k) - load(rec, B + k))


@helper
def mul_mm(rec, flat, C, A, B):
    """C = A B."""
    for i in range(6):
        k = 4 * A + 8 * i
        x = load(flat, k)
        c, d = x * load(rec, B), x * load(rec, B + 1)
        for j in range(1, 6):
            x = load(flat, k + j)
            c += x * load(rec, B + 2 * j)
            d += x * load(rec, B + 2 * j + 1)
        store(rec, C + 2 * i, c)
        store(rec, C + 2 * i + 1, d)


@helper
def mul_tm(rec, flat, C, A, B, sign):
    """C = ± Aᵀ B."""
    for i in range(6):
        k = 4 * A + i
        x = sign * load(flat, k)
        c, d = x * load(rec, B), x * load(rec, B + 1)
        for j in range(1, 6):
            x = sign * load(flat, k + 8 * j)
            c += x * load(rec, B + 2 * j)
            d += x * load(rec, B + 2 * j + 1)
        store(rec, C + 2 * i, c)
        store(rec, C + 2 * i + 1, d)


@helper
def add_tmv(rec, flat, y, A, x, sign):
    """y ± Aᵀ x, written to y; A may be symmetric."""
    a, b = load(rec, y), load(rec, y + 1)
    for k in range(6):
        s = sign * load(flat, 4 * x + k)
        a += s * load(rec, A + 2 * k)
        b += s * load(rec, A + 2 * k + 1)
    store(rec, y, a)
    store(rec, y + 1, b)


@helper
def add_mv(flat, y, A, x, sign):
    """y ± A x, written to y."""
    k = 4 * x
    a, b, c, d, e, f = load(flat, k), load(flat, k + 1), load(flat, k + 2), load(flat, k + 3), load(flat, k + 4), load(flat, k + 5)
    for i in range(6):
        k = 4 * A + 8 * i
        s = load(flat, k) * a + load(flat, k + 1) * b + load(flat, k + 2) * c + load(flat, k + 3) * d + load(flat, k + 4) * e + load(flat, k + 5) * f
        store(flat, 4 * y + i, load(flat, 4 * y + i) + sign * s)


@helper
def add_scaled(rec, y, s, x):
    """y + s x, written to y."""
    store(rec, y, load(rec, y) + s * load(rec, x))
    store(rec, y + 1, load(rec, y + 1) + s * load(rec, x + 1))


@helper
def dot6(flat, x, y):
    i, j = 4 * x, 4 * y
    s = load(flat, i) * load(flat, j) + load(flat, i + 1) * load(flat, j + 1) + load(flat, i + 2) * load(flat, j + 2)
    return s + load(flat, i + 3) * load(flat, j + 3) + load(flat, i + 4) * load(flat, j + 4) + load(flat, i + 5) * load(flat, j + 5)


@helper
def add_outer(rec, flat, C, s, x, y):
    """C + s x yᵀ, written to C."""
    a, b = load(rec, y), load(rec, y + 1)
    for i in range(6):
        t = s * load(flat, 4 * x + i)
        store(rec, C + 2 * i, load(rec, C + 2 * i) + t * a)
        store(rec, C + 2 * i + 1, load(rec, C + 2 * i + 1) + t * b)


@helper
def transpose_block(flat, C):
    """C = Cᵀ, in place."""
    for i in range(5):
        for j in range(i + 1, 6):
            a, b = 4 * C + 8 * i + j, 4 * C + 8 * j + i
            x, y = load(flat, a), load(flat, b)
            store(flat, a, y)
            store(flat, b, x)


@helper
def symmetrise(flat, C):
    """C = (C + Cᵀ) / 2, in place."""
    for i in range(5):
        for j in range(i + 1, 6):
            a, b = 4 * C + 8 * i + j, 4 * C + 8 * j + i
            mean = 0.5 * (load(flat, a) + load(flat, b))
            store(flat, a, mean)
            store(flat, b, mean)


@helper
def rows_to_parent(rec, X, C):
    """Xᵀ C: each column of C, a wrench in the child's frame, seen from the parent's."""
    for k in range(C, C + 2):
        w = Wrench(
            Vec3(load(rec, k), load(rec, k + 2), load(rec, k + 4)),
            Vec3(load(rec, k + 6), load(rec, k + 8), load(rec, k + 10)),
        )
        w = wrench_to_parent(X, w)
        store(rec, k, w.f.x)
        store(rec, k + 2, w.f.y)
        store(rec, k + 4, w.f.z)
        store(rec, k + 6, w.n.x)
        store(rec, k + 8, w.n.y)
        store(rec, k + 10, w.n.z)


@helper
def inertia_rows_to_parent(rec, flat, X, C):
    """Xᵀ C X, C symmetric: an inertia seen from the parent's frame (symmetric but for rounding)."""
    rows_to_parent(rec, X, C)
    transpose_block(flat, C)
    rows_to_parent(rec, X, C)


@helper
def put_motion(flat, y, m):
    store_motion(flat, 4 * y, m)
    store(flat, 4 * y + 6, 0.0)
    store(flat, 4 * y + 7, 0.0)


@helper
def put_wrench(flat, y, w):
    put_motion(flat, y, Motion(w.f, w.n))


@helper
def vector_to_child(flat, X, y, x):
    """y = X x: a motion of the parent's frame seen in the child's."""
    put_motion(flat, y, motion_to_child(X, load_motion(flat, 4 * x)))


@helper
def vector_to_parent(flat, X, y, x):
    """y = Xᵀ x: a wrench in the child's frame seen from the parent's."""
    put_wrench(flat, y, wrench_to_parent(X, load_wrench(flat, 4 * x)))


@helper
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


@helper
def put_skew(flat, k, h, sign):
    """± h× as three by three numbers of a matrix, from place k."""
    x, y, z, o = sign * h.x, sign * h.y, sign * h.z, 0.0 * h.x
    store_vec(flat, k, Vec3(o, -z, y))
    store_vec(flat, k + 8, Vec3(z, o, -x))
    store_vec(flat, k + 16, Vec3(-y, x, o))


@helper
def invert(rec, flat, C, M):
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
