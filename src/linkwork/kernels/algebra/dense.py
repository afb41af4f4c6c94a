"""Small dense solvers: no LAPACK in kernels, for it allocates."""

import math

from linkwork.kernels.algebra.spatial import Motion
from linkwork.kernels.algebra.vec3 import Sym3, full, mat_mul, mat_mul_t, mul, sub, sym_inverse, sym_mul, sym_sub, tmul
from linkwork.kernels.numba_ext import any_of, fabs, helper, load, sqrt, store

_NOTHING = 1e-14  # share of a diagonal entry below which its pivot is rounding


@helper
def articulated_solve(A, w):
    """The motion m with A m = w; for a check, the determinants of the two blocks eliminated, and the second block."""
    Mi, det_m = sym_inverse(A.M)
    G = mat_mul(A.H, full(Mi))
    P = mat_mul_t(G, A.H)
    J = sym_sub(A.J, Sym3(P.xx, P.xy, P.xz, P.yy, P.yz, P.zz))
    Ji, det_j = sym_inverse(J)
    angular = sym_mul(Ji, sub(w.n, mul(G, w.f)))
    return Motion(sym_mul(Mi, sub(w.f, tmul(A.H, angular))), angular), det_m, det_j, J


@helper
def cholesky(A, n):
    """Overwrite the lower triangle of A (n × n, symmetric, row by row) by L, A = Lᵀ L; the pivot that fails, or −1.

    From the last row up: of a mass matrix, whose later rows are further out, the pivot that fails is then that of the
    joint that has zero effective inertia, not of one that comes after it.
    """
    for j in range(n - 1, -1, -1):
        d = load(A, j * n + j)
        size = fabs(d)
        for k in range(j + 1, n):
            d -= load(A, k * n + j) * load(A, k * n + j)
        if any_of(d <= _NOTHING * size) or any_of(d != d):
            return j
        root = sqrt(d)
        store(A, j * n + j, root)
        r = 1.0 / root
        for i in range(j):
            x = load(A, j * n + i)
            for k in range(j + 1, n):
                x -= load(A, k * n + i) * load(A, k * n + j)
            store(A, j * n + i, x * r)
    return -1


@helper
def cholesky_solve(A, n, x):
    """Solve A x = b in place, A factorised by `cholesky`."""
    for i in range(n - 1, -1, -1):
        y = load(x, i)
        for k in range(i + 1, n):
            y -= load(A, k * n + i) * load(x, k)
        store(x, i, y / load(A, i * n + i))
    for i in range(n):
        y = load(x, i)
        for k in range(i):
            y -= load(A, i * n + k) * load(x, k)
        store(x, i, y / load(A, i * n + i))


@helper
def lu(A, n, pivots):
    """Overwrite the leading n × n of A (two-dimensional) by its LU factors, rows exchanged; whether it has an inverse.

    `pivots` (n, floats) becomes the row that each step exchanged with its own.
    """
    for k in range(n):
        best, size = k, abs(A[k, k])
        for i in range(k + 1, n):
            if abs(A[i, k]) > size:
                best, size = i, abs(A[i, k])
        pivots[k] = best
        if not size > 0.0:
            return False
        if best != k:
            for j in range(n):
                A[k, j], A[best, j] = A[best, j], A[k, j]
        r = 1.0 / A[k, k]
        for i in range(k + 1, n):
            x = A[i, k] * r
            A[i, k] = x
            if x != 0.0:
                for j in range(k + 1, n):
                    A[i, j] -= x * A[k, j]
    return True


@helper
def lu_solve(A, n, pivots, x):
    """Solve A x = b in place, A factorised by `lu`."""
    for k in range(n):
        other = int(pivots[k])
        x[k], x[other] = x[other], x[k]
    for i in range(n):
        y = x[i]
        for j in range(i):
            y -= A[i, j] * x[j]
        x[i] = y
    for i in range(n - 1, -1, -1):
        y = x[i]
        for j in range(i + 1, n):
            y -= A[i, j] * x[j]
        x[i] = y / A[i, i]


@helper
def band_lu(A, n, to, pivots):
    """As `lu`, where A is zero outside a band: row i ends before column to[i], and so, at row to[j], does column j.

    `to` (n, floats) does not fall. Exchanged rows reach to[to[i] − 1], up to where A must be zero, not only unused.
    """
    for k in range(n):
        low = int(to[k])
        high = int(to[low - 1])
        best, size = k, abs(A[k, k])
        for i in range(k + 1, low):
            if abs(A[i, k]) > size:
                best, size = i, abs(A[i, k])
        pivots[k] = best
        if not size > 0.0:
            return False
        if best != k:
            for j in range(k, high):
                A[k, j], A[best, j] = A[best, j], A[k, j]
        r = 1.0 / A[k, k]
        for i in range(k + 1, low):
            x = A[i, k] * r
            A[i, k] = x
            if x != 0.0:
                for j in range(k + 1, high):
                    A[i, j] -= x * A[k, j]
    return True


@helper
def band_lu_solve(A, n, to, pivots, x):
    """Solve A x = b in place, A factorised by `band_lu`."""
    for k in range(n):
        other = int(pivots[k])
        x[k], x[other] = x[other], x[k]
        y = x[k]
        for i in range(k + 1, int(to[k])):
            x[i] -= A[i, k] * y
    for i in range(n - 1, -1, -1):
        y = x[i]
        for j in range(i + 1, int(to[int(to[i]) - 1])):
            y -= A[i, j] * x[j]
        x[i] = y / A[i, i]


@helper
def band_ldl(A, n, to):
    """Overwrite the upper triangle of A by the factors D and D Lᵀ of L D Lᵀ; whether A is positive definite.

    `to` is that of `band_lu`; rows are not exchanged.
    """
    for k in range(n):
        if not A[k, k] > 0.0:
            return False
        r, high = 1.0 / A[k, k], int(to[k])
        for i in range(k + 1, high):
            x = A[k, i] * r
            if x != 0.0:
                for j in range(i, high):
                    A[i, j] -= x * A[k, j]
    return True


@helper
def band_ldl_solve(A, n, to, x):
    """Solve A x = b in place, A factorised by `band_ldl`."""
    for k in range(n):
        y = x[k] / A[k, k]
        for j in range(k + 1, int(to[k])):
            x[j] -= A[k, j] * y
    for k in range(n - 1, -1, -1):
        y = x[k]
        for j in range(k + 1, int(to[k])):
            y -= A[k, j] * x[j]
        x[k] = y / A[k, k]


@helper
def pivoted_cholesky(A, n, tolerance, L):
    """G ≈ L Lᵀ of a symmetric, positive semidefinite G, the largest pivot first; the rank.

    `A` (n × n) holds G and comes back spoiled; of `L` (n × n, rows in the order of G) the first rank columns are
    written. What is left when pivots fall below `tolerance` of the largest diagonal entry counts as zero.
    """
    largest = 0.0
    for i in range(n):
        largest = max(largest, A[i, i])
    for k in range(n):
        best, size = -1, tolerance * largest
        for i in range(n):
            if A[i, i] > size:
                best, size = i, A[i, i]
        if best < 0:
            return k
        r = 1.0 / math.sqrt(size)
        for i in range(n):
            L[i, k] = A[i, best] * r
        for i in range(n):
            x = L[i, k]
            if x != 0.0:
                for j in range(n):
                    A[i, j] -= x * L[j, k]
        A[best, best] = 0.0
    return n
