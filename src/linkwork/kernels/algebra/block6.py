"""Six-by-six matrices and six-vectors in one flat buffer, four numbers at a time.

The first argument, `m`, is any tuple with the buffer in two views: ``m.rec``, of shape (n, 1, 4), read as packs of four
or eight numbers, and ``m.flat``, the same as a line of numbers. A matrix is six rows of eight numbers, the last two
idle; a vector is eight numbers; the *address* of either is the row of the buffer where it begins, and a *place* is an
index into the line. Forces and linear parts come first.
"""

from collections import namedtuple

from linkwork.kernels.algebra.spatial import Motion, Wrench, motion_to_child, wrench_to_parent
from linkwork.kernels.algebra.storage import load_motion, load_wrench, store_motion, store_vec
from linkwork.kernels.algebra.vec3 import Mat3, Vec3
from linkwork.kernels.layout.nodes import MATRIX, VECTOR
from linkwork.kernels.numba_ext import any_of, fabs, inlined, load, load_row, scalar, store, store_row, transpose4

Memory = namedtuple("Memory", "rec flat")  # the buffer alone, for functions that are not put in place of their call


@inlined
def place(x, k):
    """Place of number k of the vector x, or of the row of the buffer."""
    return 4 * x + k


@inlined
def entry(C, i, j):
    """Place of entry (i, j) of the matrix C."""
    return 4 * C + 8 * i + j


@inlined
def row(C, i):
    """Address of row i of the matrix C."""
    return C + VECTOR * i


@inlined
def get(m, x, k):
    """Number k of the vector x, or of the row of the buffer."""
    return load(m.flat, place(x, k))


@inlined
def put(m, x, k, value):
    store(m.flat, place(x, k), value)


@inlined
def increase(m, x, k, value):
    """Add to number k of the vector x."""
    put(m, x, k, get(m, x, k) + value)


@inlined
def copy_rows(m, y, x, rows=VECTOR):
    """y = x, of vectors or of so many rows."""
    for k in range(rows):
        store(m.rec, y + k, load(m.rec, x + k))


@inlined
def clear_rows(m, y, rows=VECTOR):
    """y = 0."""
    for k in range(rows):
        store(m.rec, y + k, scalar(m.rec, 0.0))


@inlined
def copy_where(m, known, y, x, rows=VECTOR):
    """y = x where that is known, else 0."""
    if known:
        copy_rows(m, y, x, rows)
    else:
        clear_rows(m, y, rows)


@inlined
def add_rows(m, y, a, b, rows=VECTOR):
    """y = a + b."""
    for k in range(rows):
        store(m.rec, y + k, load(m.rec, a + k) + load(m.rec, b + k))


@inlined
def sub_rows(m, y, a, b, rows=VECTOR):
    """y = a − b."""
    for k in range(rows):
        store(m.rec, y + k, load(m.rec, a + k) - load(m.rec, b + k))


@inlined
def set_identity(m, C):
    clear_rows(m, C, MATRIX)
    for i in range(6):
        store(m.flat, entry(C, i, i), 1.0)


@inlined
def add_identity(m, C):
    """C + 1, written to C."""
    for i in range(6):
        store(m.flat, entry(C, i, i), load(m.flat, entry(C, i, i)) + 1.0)


@inlined
def mul_mm(m, C, A, B):
    """C = A B."""
    for i in range(6):
        c = load(m.flat, entry(A, i, 0)) * load_row(m.rec, B)
        for j in range(1, 6):
            c += load(m.flat, entry(A, i, j)) * load_row(m.rec, row(B, j))
        store_row(m.rec, row(C, i), c)


@inlined
def add_mm(m, C, D, A, B):
    """C = D + A B; C may be D."""
    for i in range(6):
        c = load_row(m.rec, row(D, i))
        for j in range(6):
            c += load(m.flat, entry(A, i, j)) * load_row(m.rec, row(B, j))
        store_row(m.rec, row(C, i), c)


@inlined
def mul_tm(m, C, A, B):
    """C = Aᵀ B."""
    for i in range(6):
        c = load(m.flat, entry(A, 0, i)) * load_row(m.rec, B)
        for j in range(1, 6):
            c += load(m.flat, entry(A, j, i)) * load_row(m.rec, row(B, j))
        store_row(m.rec, row(C, i), c)


@inlined
def add_tm(m, C, D, A, B):
    """C = D + Aᵀ B; C may be D."""
    for i in range(6):
        c = load_row(m.rec, row(D, i))
        for j in range(6):
            c += load(m.flat, entry(A, j, i)) * load_row(m.rec, row(B, j))
        store_row(m.rec, row(C, i), c)


@inlined
def add_tmv(m, y, A, x, sign):
    """y ± Aᵀ x, written to y; A may be symmetric."""
    a, b = load(m.rec, y), load(m.rec, y + 1)
    for k in range(6):
        s = sign * get(m, x, k)
        a += s * load(m.rec, row(A, k))
        b += s * load(m.rec, row(A, k) + 1)
    store(m.rec, y, a)
    store(m.rec, y + 1, b)


@inlined
def mul_tmv(m, y, A, x, sign):
    """y = ± Aᵀ x; A may be symmetric."""
    clear_rows(m, y)
    add_tmv(m, y, A, x, sign)


@inlined
def six(m, at):
    """The six numbers of a vector, or of a matrix's row, from a place on."""
    return (
        load(m.flat, at), load(m.flat, at + 1), load(m.flat, at + 2),
        load(m.flat, at + 3), load(m.flat, at + 4), load(m.flat, at + 5),
    )  # fmt: skip


@inlined
def add_mv(m, y, A, x, sign):
    """y ± A x, written to y."""
    a, b, c, d, e, f = six(m, place(x, 0))
    for i in range(6):
        p, q, r, s, t, u = six(m, entry(A, i, 0))
        put(m, y, i, get(m, y, i) + sign * (p * a + q * b + r * c + s * d + t * e + u * f))


@inlined
def mul_mv(m, y, A, x):
    """y = A x."""
    clear_rows(m, y)
    add_mv(m, y, A, x, 1.0)


@inlined
def add_scaled(m, y, s, x):
    """y + s x, written to y."""
    store(m.rec, y, load(m.rec, y) + s * load(m.rec, x))
    store(m.rec, y + 1, load(m.rec, y + 1) + s * load(m.rec, x + 1))


@inlined
def set_scaled(m, y, s, x):
    """y = s x."""
    clear_rows(m, y)
    add_scaled(m, y, s, x)


@inlined
def dot6(m, x, y):
    a, b, c, d, e, f = six(m, place(x, 0))
    p, q, r, s, t, u = six(m, place(y, 0))
    return a * p + b * q + c * r + d * s + e * t + f * u


@inlined
def add_outer(m, C, s, x, y):
    """C + s x yᵀ, written to C."""
    a = load_row(m.rec, y)
    for i in range(6):
        store_row(m.rec, row(C, i), load_row(m.rec, row(C, i)) + (s * get(m, x, i)) * a)


@inlined
def add_outers(m, C, s, x, y):
    """C + s (x yᵀ + y xᵀ), written to C."""
    a, b = load_row(m.rec, y), load_row(m.rec, x)
    for i in range(6):
        t, u = s * get(m, x, i), s * get(m, y, i)
        store_row(m.rec, row(C, i), load_row(m.rec, row(C, i)) + t * a + u * b)


@inlined
def transposed(m, C):
    """The rows of Cᵀ, each as two packs."""
    rec, z = m.rec, scalar(m.rec, 0.0)
    a, b, c, d = transpose4(load(rec, C), load(rec, C + 2), load(rec, C + 4), load(rec, C + 6))
    e, f, g, h = transpose4(load(rec, C + 8), load(rec, C + 10), z, z)
    i, j, _, _ = transpose4(load(rec, C + 1), load(rec, C + 3), load(rec, C + 5), load(rec, C + 7))
    k, l, _, _ = transpose4(load(rec, C + 9), load(rec, C + 11), z, z)  # noqa: E741
    return a, e, b, f, c, g, d, h, i, k, j, l


@inlined
def transpose_block(m, C, A):
    """C = Aᵀ; the two may be the same."""
    rows = transposed(m, A)
    for k in range(MATRIX):
        store(m.rec, C + k, rows[k])


@inlined
def symmetrise(m, C):
    """C = (C + Cᵀ) / 2, in place."""
    rows = transposed(m, C)
    for k in range(MATRIX):
        store(m.rec, C + k, 0.5 * (load(m.rec, C + k) + rows[k]))


@inlined
def flush(m, C):
    """C = 0 where all of it is too small to matter: what passes along a path dies away, and denormals are slow."""
    total = fabs(load(m.rec, C))
    for k in range(1, MATRIX):
        total += fabs(load(m.rec, C + k))
    if not any_of(total >= 1e-100):
        clear_rows(m, C, MATRIX)


@inlined
def rows_to_parent(m, X, C):
    """Xᵀ C: each column of C, a wrench in the child's frame, seen from the parent's."""
    rec = m.rec
    w = Wrench(
        Vec3(load_row(rec, row(C, 0)), load_row(rec, row(C, 1)), load_row(rec, row(C, 2))),
        Vec3(load_row(rec, row(C, 3)), load_row(rec, row(C, 4)), load_row(rec, row(C, 5))),
    )
    w = wrench_to_parent(X, w)
    store_row(rec, row(C, 0), w.f.x)
    store_row(rec, row(C, 1), w.f.y)
    store_row(rec, row(C, 2), w.f.z)
    store_row(rec, row(C, 3), w.n.x)
    store_row(rec, row(C, 4), w.n.y)
    store_row(rec, row(C, 5), w.n.z)


@inlined
def inertia_rows_to_parent(m, X, C):
    """Xᵀ C X, C symmetric: an inertia seen from the parent's frame (symmetric but for rounding)."""
    rows_to_parent(m, X, C)
    transpose_block(m, C, C)
    rows_to_parent(m, X, C)


@inlined
def get_motion(m, x):
    return load_motion(m.flat, place(x, 0))


@inlined
def get_wrench(m, x):
    return load_wrench(m.flat, place(x, 0))


@inlined
def put_motion(m, y, x):
    store_motion(m.flat, place(y, 0), x)
    put(m, y, 6, 0.0)
    put(m, y, 7, 0.0)


@inlined
def put_wrench(m, y, w):
    put_motion(m, y, Motion(w.f, w.n))


@inlined
def vector_to_child(m, X, y, x):
    """y = X x: a motion of the parent's frame seen in the child's."""
    put_motion(m, y, motion_to_child(X, get_motion(m, x)))


@inlined
def vector_to_parent(m, X, y, x):
    """y = Xᵀ x: a wrench in the child's frame seen from the parent's."""
    put_wrench(m, y, wrench_to_parent(X, get_wrench(m, x)))


@inlined
def put_inertia(m, C, I):  # noqa: E741
    """A rigid inertia as a matrix: f = m v − h × w, n = h × v + I w."""
    clear_rows(m, C, MATRIX)
    put_skew(m, C, 0, 3, I.h, -1.0)
    put_skew(m, C, 3, 0, I.h, 1.0)
    for i in range(3):
        store(m.flat, entry(C, i, i), I.m)
    J = I.I
    put_block(m, C, 3, 3, Mat3(J.xx, J.xy, J.xz, J.xy, J.yy, J.yz, J.xz, J.yz, J.zz))


@inlined
def put_skew(m, C, i, j, h, sign):
    """± h× as the three by three entries of C from (i, j) on."""
    x, y, z, o = sign * h.x, sign * h.y, sign * h.z, 0.0 * h.x
    put_block(m, C, i, j, Mat3(o, -z, y, z, o, -x, -y, x, o))


@inlined
def block(m, C, i, j):
    """Three by three entries of C from (i, j) on."""
    flat, x, y, z = m.flat, entry(C, i, j), entry(C, i + 1, j), entry(C, i + 2, j)
    return Mat3(
        load(flat, x), load(flat, x + 1), load(flat, x + 2),
        load(flat, y), load(flat, y + 1), load(flat, y + 2),
        load(flat, z), load(flat, z + 1), load(flat, z + 2),
    )  # fmt: skip


@inlined
def put_block(m, C, i, j, M):
    store_vec(m.flat, entry(C, i, j), Vec3(M.xx, M.xy, M.xz))
    store_vec(m.flat, entry(C, i + 1, j), Vec3(M.yx, M.yy, M.yz))
    store_vec(m.flat, entry(C, i + 2, j), Vec3(M.zx, M.zy, M.zz))
