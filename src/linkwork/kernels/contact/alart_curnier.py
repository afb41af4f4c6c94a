"""The map whose zero solves the contact problem, and semi-smooth Newton's method; see `problem` for the symbols.

References: [Alart1991].
"""

import math

from linkwork.kernels.algebra.dense import band_lu, band_lu_solve
from linkwork.kernels.contact.modes import CONE, LIMIT, OPEN, SLIP, STICK
from linkwork.kernels.numba_ext import helper

TOLERANCE = 1e-12  # of the largest force: residual at which a problem is solved
EPSILON = 1e-8  # of G's mean diagonal entry: see `problem`
_RUNAWAY = 1e6  # times the force that stops a contact alone: beyond, forces have run away between wedged contacts

# Rows of the scratch space before its three matrices; row i of G is zero outside the columns FROM … TO − 1.
MAP, VELOCITY, STEP, TRIAL, BEST, PIVOTS, MODE, HELD, DELTA, RHO, KEPT, SHARE, FROM, TO = range(14)
ISLANDS = 14  # the rows from here on are those of `islands`
LINES = ISLANDS + 8


def scratch_shape(n, dense=None):
    """Shape of the scratch space for up to n contacts, of which problems of at most `dense` are solved with it."""
    return 3 * 3 * (n if dense is None else dense) + LINES, max(3 * n, 1)


@helper
def matrix_rows(scratch):
    """How many rows each of the three matrices of the scratch space has."""
    return (scratch.shape[0] - LINES) // 3


@helper
def velocities(n, G, g, scratch, impulses, u):
    """u = G λ + g."""
    for i in range(3 * n):
        x = g[i]
        for j in range(int(scratch[FROM, i]), int(scratch[TO, i])):
            x += G[i, j] * impulses[j]
        u[i] = x


@helper
def decide(n, mu, kind, rho, impulses, u, mode):
    """Which branch of the map each contact is on."""
    for k in range(n):
        i = 3 * k
        x = impulses[i] - rho[k] * u[i]
        if not x > 0.0:
            mode[k] = OPEN
        elif kind[k] != CONE:
            mode[k] = SLIP
        else:
            y1, y2 = impulses[i + 1] - rho[k] * u[i + 1], impulses[i + 2] - rho[k] * u[i + 2]
            mode[k] = STICK if y1 * y1 + y2 * y2 <= (mu[k] * x) ** 2 else SLIP


@helper
def map_of(n, mu, kind, rho, impulses, u, mode, F):
    """F on the branches of `mode`; the sum of its squares."""
    total = 0.0
    for k in range(n):
        i = 3 * k
        if mode[k] == OPEN:
            for c in range(3):
                F[i + c] = impulses[i + c]
        else:
            F[i] = rho[k] * u[i]
            if kind[k] != CONE:
                F[i + 1] = impulses[i + 1] + (mu[k] * impulses[i] if kind[k] != LIMIT else 0.0)
                F[i + 2] = impulses[i + 2]
            elif mode[k] == STICK:
                F[i + 1], F[i + 2] = rho[k] * u[i + 1], rho[k] * u[i + 2]
            else:
                x = max(impulses[i] - rho[k] * u[i], 0.0)
                y1, y2 = impulses[i + 1] - rho[k] * u[i + 1], impulses[i + 2] - rho[k] * u[i + 2]
                f = mu[k] * x / max(math.sqrt(y1 * y1 + y2 * y2), 1e-300)
                F[i + 1], F[i + 2] = impulses[i + 1] - f * y1, impulses[i + 2] - f * y2
        total += F[i] * F[i] + F[i + 1] * F[i + 1] + F[i + 2] * F[i + 2]
    return total


@helper
def matrix_of(n, G, mu, kind, scratch, impulses, u, mode, A):
    """The derivative of F on the branches of `mode`, with G + ε in the place of G."""
    N, rho, to = 3 * n, scratch[RHO], scratch[TO]
    mean = 0.0
    for i in range(N):
        mean += G[i, i]
    epsilon = EPSILON * mean / N
    for k in range(n):
        i = 3 * k
        r, spring = rho[k], epsilon * rho[k]
        first, last = int(scratch[FROM, i]), int(to[int(to[i]) - 1])  # the band, and what exchanged rows may need
        if mode[k] == OPEN:
            for c in range(3):
                for j in range(first, last):
                    A[i + c, j] = 0.0
                A[i + c, i + c] = 1.0
            continue
        for j in range(first, last):
            A[i, j] = r * G[i, j]
        if kind[k] != CONE:
            for j in range(first, last):
                A[i + 1, j] = A[i + 2, j] = 0.0
            A[i + 1, i + 1] = A[i + 2, i + 2] = 1.0
            A[i + 1, i] = mu[k] if kind[k] != LIMIT else 0.0
        elif mode[k] == STICK:
            for j in range(first, last):
                A[i + 1, j], A[i + 2, j] = r * G[i + 1, j], r * G[i + 2, j]
            A[i + 1, i + 1] += spring
            A[i + 2, i + 2] += spring
        else:
            x = max(impulses[i] - r * u[i], 0.0)
            y1, y2 = impulses[i + 1] - r * u[i + 1], impulses[i + 2] - r * u[i + 2]
            size = max(math.sqrt(y1 * y1 + y2 * y2), 1e-300)
            d1, d2, f = y1 / size, y2 / size, mu[k] * x / size
            a11, a12, a22 = f * (1.0 - d1 * d1), -f * d1 * d2, f * (1.0 - d2 * d2)
            m1, m2 = mu[k] * d1 * r, mu[k] * d2 * r
            for j in range(first, last):
                A[i + 1, j] = r * (a11 * G[i + 1, j] + a12 * G[i + 2, j]) + m1 * G[i, j]
                A[i + 2, j] = r * (a12 * G[i + 1, j] + a22 * G[i + 2, j]) + m2 * G[i, j]
            A[i + 1, i] -= mu[k] * d1
            A[i + 2, i] -= mu[k] * d2
            A[i + 1, i + 1] += 1.0 - a11 + spring
            A[i + 1, i + 2] -= a12
            A[i + 2, i + 1] -= a12
            A[i + 2, i + 2] += 1.0 - a22 + spring
        A[i, i] += spring


@helper
def force_scale(n, g, rho, impulses):
    """The size of forces that a residual is compared with; zero where nothing presses."""
    size = motion = 0.0
    for k in range(n):
        for c in range(3):
            size = max(size, abs(impulses[3 * k + c]))
            motion = max(motion, rho[k] * abs(g[3 * k + c]))
    return min(size, _RUNAWAY * motion) + 1e-3 * motion


@helper
def size_of(n, g, rho, impulses, F):
    """The largest entry of F beside the forces."""
    worst, scale = 0.0, force_scale(n, g, rho, impulses)
    for i in range(3 * n):
        worst = max(worst, abs(F[i]))
        if F[i] != F[i]:
            return F[i]
    return worst / scale if scale > 0.0 else 0.0


@helper
def map_at(n, G, g, mu, kind, impulses, scratch, held):
    """u and F, on the branches of `HELD` where `held`; the sum of its squares."""
    u, mode = scratch[VELOCITY], scratch[HELD if held else MODE]
    velocities(n, G, g, scratch, impulses, u)
    if not held:
        decide(n, mu, kind, scratch[RHO], impulses, u, mode)
    return map_of(n, mu, kind, scratch[RHO], impulses, u, mode, scratch[MAP])


@helper
def residual_of(n, G, g, mu, kind, impulses, scratch):
    """The residual, the largest entry of F beside the forces; u and F are left in the scratch space."""
    map_at(n, G, g, mu, kind, impulses, scratch, False)
    return size_of(n, g, scratch[RHO], impulses, scratch[MAP])


@helper
def newton(n, G, g, mu, kind, impulses, scratch, held, rounds):
    """Semi-smooth Newton's method from λ, in place; on the branches of `HELD` where `held`. The residual."""
    N = 3 * n
    A, rho, mode, to = scratch[LINES:], scratch[RHO], scratch[HELD if held else MODE], scratch[TO]
    u, F, step = scratch[VELOCITY], scratch[MAP], scratch[STEP]
    trial, pivots = scratch[TRIAL], scratch[PIVOTS]
    before = map_at(n, G, g, mu, kind, impulses, scratch, False)
    residual = size_of(n, g, rho, impulses, F)
    for _ in range(rounds):
        if residual <= TOLERANCE:
            break
        if held:
            before = map_at(n, G, g, mu, kind, impulses, scratch, True)
        matrix_of(n, G, mu, kind, scratch, impulses, u, mode, A)
        for i in range(N):
            step[i] = -F[i]
        if not band_lu(A, N, to, pivots):
            break
        band_lu_solve(A, N, to, pivots, step)
        part = 1.0
        while True:
            for i in range(N):
                trial[i] = impulses[i] + part * step[i]
            now = map_at(n, G, g, mu, kind, trial, scratch, held)
            if now < (1.0 - 0.1 * part) * before or part < 0.04:
                break
            if residual < 1e-11:  # what is left is rounding
                break
            part *= 0.5
        copy(N, trial, impulses)
        before = map_at(n, G, g, mu, kind, impulses, scratch, False) if held else now
        residual = size_of(n, g, rho, impulses, F)
        if residual != residual:
            break
    return residual


@helper
def copy(n, x, out):
    for i in range(n):
        out[i] = x[i]
