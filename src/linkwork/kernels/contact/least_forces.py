"""Of contact forces that do the same, the least: a table on four legs; see `problem` for the symbols.

References: [Boyle1986] projections onto two sets in turn.
"""

import math

from linkwork.kernels.algebra.dense import pivoted_cholesky
from linkwork.kernels.contact.alart_curnier import (
    BEST,
    DELTA,
    HELD,
    KEPT,
    LINES,
    PIVOTS,
    RHO,
    SHARE,
    TOLERANCE,
    TRIAL,
    copy,
    force_scale,
    matrix_rows,
    newton,
    residual_of,
    velocities,
)
from linkwork.kernels.contact.modes import CONE, LIMIT, OPEN, SLIP, STICK
from linkwork.kernels.numba_ext import helper

_DEPENDENT = 1e-11  # of G's largest pivot: what is below counts as zero
_PROJECTIONS = 400  # onto the equations and the cones in turn
_ROUNDS = 25  # of Newton's method


@helper
def onto_range(N, rank, L, C, pivots, x):
    """Take off x what does not act at all: x ← L (LᵀL)⁻¹ Lᵀ x; C holds the factors of LᵀL."""
    y = pivots  # of length N, free by now
    for a in range(rank):
        total = 0.0
        for i in range(N):
            total += L[i, a] * x[i]
        y[a] = total
    for a in range(rank):
        for b in range(a):
            y[a] -= C[a, b] * y[b]
        y[a] /= C[a, a]
    for a in range(rank - 1, -1, -1):
        for b in range(a + 1, rank):
            y[a] -= C[b, a] * y[b]
        y[a] /= C[a, a]
    for i in range(N):
        total = 0.0
        for a in range(rank):
            total += L[i, a] * y[a]
        x[i] = total


@helper
def factor_range(N, rank, L, C):
    """Cholesky factors of LᵀL in the lower triangle of C."""
    for a in range(rank):
        for b in range(a + 1):
            total = 0.0
            for i in range(N):
                total += L[i, a] * L[i, b]
            for c in range(b):
                total -= C[a, c] * C[b, c]
            if a == b:
                C[a, a] = math.sqrt(max(total, 1e-300))
            else:
                C[a, b] = total / C[b, b]


@helper
def allow(n, kind, rho, u, still, mode):
    """What a contact that moves with u may bear: nothing, a ray of its cone, or, where it rests, all of that."""
    for k in range(n):
        i = 3 * k
        slip = rho[k] * math.sqrt(u[i + 1] ** 2 + u[i + 2] ** 2) if kind[k] == CONE else 2.0 * still
        mode[k] = OPEN if rho[k] * u[i] > still else (SLIP if slip > still else STICK)


@helper
def onto_face(n, mu, kind, mode, u, x):
    """Bring forces to the nearest ones that `allow` allows."""
    for k in range(n):
        i = 3 * k
        if mode[k] == OPEN:
            x[i] = x[i + 1] = x[i + 2] = 0.0
            continue
        m = mu[k] if kind[k] != LIMIT else 0.0
        if kind[k] == CONE and mode[k] == STICK:
            lt = math.sqrt(x[i + 1] ** 2 + x[i + 2] ** 2)
            if lt <= m * x[i]:
                continue
            f = max((x[i] + m * lt) / (1.0 + m * m), 0.0)
            share = m * f / lt if lt > 0.0 else 0.0
            x[i], x[i + 1], x[i + 2] = f, x[i + 1] * share, x[i + 2] * share
            continue
        d1, d2 = 1.0, 0.0  # the way it slips
        if kind[k] == CONE:
            speed = max(math.sqrt(u[i + 1] ** 2 + u[i + 2] ** 2), 1e-300)
            d1, d2 = u[i + 1] / speed, u[i + 2] / speed
        f = max((x[i] - m * (d1 * x[i + 1] + d2 * x[i + 2])) / (1.0 + m * m), 0.0)
        x[i], x[i + 1], x[i + 2] = f, -m * f * d1, -m * f * d2


@helper
def least_forces(n, G, g, mu, kind, impulses, scratch, residual):
    """Of forces that do the same, the least: projected onto the equations and the cones in turn [Boyle1986]."""
    N, size = 3 * n, matrix_rows(scratch)
    A, L = scratch[LINES:], scratch[LINES + size :]
    for i in range(N):
        for j in range(N):
            A[i, j] = G[i, j]
    rank = pivoted_cholesky(A, N, _DEPENDENT, L)
    if rank == N:
        return residual
    factor_range(N, rank, L, A)
    pivots, x, fixed = scratch[PIVOTS], scratch[TRIAL], scratch[SHARE]
    mode, kept, delta, u = scratch[HELD], scratch[KEPT], scratch[DELTA], scratch[BEST]
    velocities(n, G, g, scratch, impulses, u)
    allow(n, kind, scratch[RHO], u, 1e-9 * force_scale(n, g, scratch[RHO], impulses), mode)
    copy(N, impulses, kept)
    copy(N, impulses, fixed)
    onto_range(N, rank, L, A, pivots, fixed)  # what acts: the same of all these forces
    copy(N, fixed, x)
    for i in range(N):
        delta[i] = 0.0
    for _ in range(_PROJECTIONS):
        for i in range(N):
            impulses[i] = x[i] + delta[i]
        onto_face(n, mu, kind, mode, u, impulses)
        moved = largest = 0.0
        for i in range(N):
            delta[i] += x[i] - impulses[i]
            moved, largest = max(moved, abs(x[i] - impulses[i])), max(largest, abs(x[i]))
        if moved <= 1e-14 * largest:
            break
        copy(N, impulses, x)
        onto_range(N, rank, L, A, pivots, x)
        for i in range(N):  # onto the equations: what acts is `fixed`, the rest as it was
            x[i] = impulses[i] - x[i] + fixed[i]
    now = newton(n, G, g, mu, kind, impulses, scratch, False, _ROUNDS)  # what the projections have left
    if now <= max(TOLERANCE, 2.0 * residual):
        return now
    copy(N, kept, impulses)
    return residual_of(n, G, g, mu, kind, impulses, scratch)
