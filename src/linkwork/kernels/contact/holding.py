"""Forces with which no contact moves at all: the solution where all of them stick, as of what stands on its feet.

(G + ε) λ = −g by Cholesky's method within the band of G, and again with what is left of −g, which takes ε out of it:
one factorisation where Newton's method needs as many as it has steps. See `problem` for the symbols.
"""

from linkwork.kernels.contact.alart_curnier import EPSILON, LINES, PIVOTS, STEP, TO, VELOCITY, velocities
from linkwork.kernels.contact.modes import CONE
from linkwork.kernels.numba_ext import helper

_SLIDING = 10.0  # times what contacts come nearer by: faster ones slide
_PASSES, _LEFT = 6, 1e-15  # of g: what passes may leave


@helper
def factorise(N, G, epsilon, scratch, A, inverse):
    """G + ε = Uᵀ D⁻¹ U, U the upper triangle of A, with one over its diagonal D; whether it has one."""
    to = scratch[TO]
    for i in range(N):
        for j in range(i, int(to[i])):
            A[i, j] = G[i, j]
        A[i, i] += epsilon
    for k in range(N):
        if not A[k, k] > 0.0:
            return False
        inverse[k], end = 1.0 / A[k, k], int(to[k])
        for i in range(k + 1, end):
            f = A[k, i] * inverse[k]
            if f != 0.0:
                for j in range(i, end):
                    A[i, j] -= f * A[k, j]
    return True


@helper
def solve(N, scratch, A, inverse, x):
    """x ← (Uᵀ D⁻¹ U)⁻¹ x."""
    to = scratch[TO]
    for k in range(N):
        f = x[k] * inverse[k]
        for i in range(k + 1, int(to[k])):
            x[i] -= f * A[k, i]
    for k in range(N - 1, -1, -1):
        f = x[k]
        for i in range(k + 1, int(to[k])):
            f -= A[k, i] * x[i]
        x[k] = f * inverse[k]


@helper
def hold(n, G, g, mu, kind, impulses, scratch):
    """Let no contact move, where none slides by far: whether there are forces that do so, inside the cones or not."""
    N, mean, closing, sliding = 3 * n, 0.0, 0.0, 0.0
    A, inverse, x, u = scratch[LINES:], scratch[PIVOTS], scratch[STEP], scratch[VELOCITY]
    for k in range(n):
        if kind[k] != CONE or not mu[k] > 0.0:
            return False
        closing, sliding = max(closing, abs(g[3 * k])), max(sliding, abs(g[3 * k + 1]), abs(g[3 * k + 2]))
        mean += (G[3 * k, 3 * k] + G[3 * k + 1, 3 * k + 1] + G[3 * k + 2, 3 * k + 2]) / N
    if sliding > _SLIDING * closing:
        return False
    size = max(closing, sliding)
    if not factorise(N, G, EPSILON * mean, scratch, A, inverse):
        return False
    left = size
    for i in range(N):
        impulses[i], u[i] = 0.0, g[i]
    for _ in range(_PASSES):
        for i in range(N):
            x[i] = -u[i]
        solve(N, scratch, A, inverse, x)
        for i in range(N):
            impulses[i] += x[i]
        velocities(n, G, g, scratch, impulses, u)
        before, left = left, 0.0
        for i in range(N):
            left = max(left, abs(u[i]))
        if left <= _LEFT * size or not left < 0.1 * before:
            break
    return left <= 1e-6 * size
