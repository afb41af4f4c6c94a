"""Small dense solvers: no LAPACK in kernels, for it allocates."""

from linkwork.kernels.algebra.spatial import Motion
from linkwork.kernels.algebra.vec3 import Sym3, full, mat_mul, mat_mul_t, mul, sub, sym_inverse, sym_mul, sym_sub, tmul
from linkwork.kernels.numba_ext import any_of, fabs, helper, load, sqrt, store


@helper
def articulated_solve(A, w):
    """The motion m with A m = w, and the determinants of the two blocks eliminated, for the caller's check."""
    Mi, det_m = sym_inverse(A.M)
    G = mat_mul(A.H, full(Mi))
    P = mat_mul_t(G, A.H)
    Ji, det_j = sym_inverse(sym_sub(A.J, Sym3(P.xx, P.xy, P.xz, P.yy, P.yz, P.zz)))
    angular = sym_mul(Ji, sub(w.n, mul(G, w.f)))
    return Motion(sym_mul(Mi, sub(w.f, tmul(A.H, angular))), angular), det_m, det_j


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
        if any_of(d <= 1e-15 * size) or any_of(d != d):
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
