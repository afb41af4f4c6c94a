"""Inverses of six-by-six matrices in a buffer: see `block6`."""

from linkwork.kernels.algebra.block6 import add_scaled, block, copy_rows, entry, put_block, row, set_identity
from linkwork.kernels.algebra.vec3 import Mat3, Vec3, cross, dot, mat_add, mat_mul, mat_sub
from linkwork.kernels.numba_ext import helper, inlined, load, store

_FAR = 1e-4  # a block this far from singular loses no more than two digits


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
def invert(m, C, M):
    """C = M⁻¹; M is overwritten. By blocks where both that are inverted are far from singular, else by pivoting."""
    A, distance = inverse3(block(m, M, 0, 0))
    if distance > _FAR:
        B, D = block(m, M, 0, 3), block(m, M, 3, 3)
        E = mat_mul(block(m, M, 3, 0), A)
        S, distance = inverse3(mat_sub(D, mat_mul(E, B)))
        if distance > _FAR:
            F = mat_mul(A, B)
            G = mat_mul(S, E)
            put_block(m, C, 0, 0, mat_add(A, mat_mul(F, G)))
            put_block(m, C, 0, 3, mat_neg(mat_mul(F, S)))
            put_block(m, C, 3, 0, mat_neg(G))
            put_block(m, C, 3, 3, S)
            return
    invert_by_pivots(m, C, M)


@inlined
def mat_neg(A):
    return Mat3(-A.xx, -A.xy, -A.xz, -A.yx, -A.yy, -A.yz, -A.zx, -A.zy, -A.zz)


@helper
def invert_by_pivots(m, C, M):
    """C = M⁻¹ by elimination with pivoting; M is overwritten."""
    set_identity(m, C)
    for j in range(6):
        pivot, best = j, abs(load(m.flat, entry(M, j, j)))
        for i in range(j + 1, 6):
            size = abs(load(m.flat, entry(M, i, j)))
            if size > best:
                pivot, best = i, size
        r = 1.0 / load(m.flat, entry(M, pivot, j))
        for A in (M, C):
            a, b = r * load(m.rec, row(A, pivot)), r * load(m.rec, row(A, pivot) + 1)
            if pivot != j:
                copy_rows(m, row(A, pivot), row(A, j))
            store(m.rec, row(A, j), a)
            store(m.rec, row(A, j) + 1, b)
        for i in range(6):
            if i != j:
                s = load(m.flat, entry(M, i, j))
                add_scaled(m, row(M, i), -s, row(M, j))
                add_scaled(m, row(C, i), -s, row(C, j))
