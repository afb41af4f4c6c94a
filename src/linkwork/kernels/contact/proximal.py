"""The contact problem of many contacts, by proximal steps; see `problem` for the symbols.

With s the speeds |u_t|, Coulomb's law is that of a convex problem, K_μ ∋ λ ⊥ u + (μ s, 0, 0) ∈ K_μ* [DeSaxce1998].
A step from λ₀ solves, with R = r/ρ and P the nearest point of the cones,

    λ = γ(u),   γ = P(λ₀ − (u + (μ s, 0, 0))/R),   u = G λ + g,

which is where a convex function, ½ λᵀG λ + Σ ½ R |γ|², is least: Newton's method on γ − λ with a search along each of
its steps always gets there [Castro2022]. Then λ₀ ← γ, s ← |u_t| and R grows smaller. Where steps no longer change
anything, the problem is solved [Rockafellar1976]; before that, forces are still those of friction that takes energy,
however contacts wedge each other.
"""

import math

from linkwork.kernels.algebra.dense import band_lu, band_lu_solve
from linkwork.kernels.contact.alart_curnier import (
    BEST,
    DELTA,
    FROM,
    KEPT,
    LINES,
    MAP,
    PIVOTS,
    RHO,
    SHARE,
    STEP,
    TO,
    TOLERANCE,
    TRIAL,
    VELOCITY,
    copy,
    newton,
    residual_of,
    velocities,
)
from linkwork.kernels.contact.modes import CONE
from linkwork.kernels.numba_ext import helper

_STEPS, _ROUNDS, _POLISH = 40, 30, 8  # proximal steps, of Newton's method in one, and at the end
_IDLE = 12  # steps that may gain little
_ENOUGH = 1e-10  # residual beyond which rounding is in the way of more
_FIRST, _LAST, _SMALLER = 0.1, 1e-4, 0.3  # r = R ρ


@helper
def onto_cones(n, mu, kind, rho, r, start, u, s, gamma):
    """γ; and Σ ½ R |γ|²."""
    total = 0.0
    for k in range(n):
        i, c = 3 * k, rho[k] / r
        x, y1, y2 = start[i] - c * (u[i] + mu[k] * s[k]), start[i + 1] - c * u[i + 1], start[i + 2] - c * u[i + 2]
        m = mu[k]
        if kind[k] != CONE:
            x, y1, y2 = max(start[i] - c * u[i], 0.0), 0.0, 0.0
        else:
            size = math.sqrt(y1 * y1 + y2 * y2)
            if m * size <= -x:
                x = y1 = y2 = 0.0
            elif size > m * x:
                x = (x + m * size) / (1.0 + m * m)
                y1, y2 = m * x * y1 / size, m * x * y2 / size
        gamma[i], gamma[i + 1], gamma[i + 2] = x, y1, y2
        if c > 0.0:
            total += 0.5 / c * (x * x + y1 * y1 + y2 * y2)
    return total


@helper
def cone_slope(m, kind, c, start, u, s, i):
    """P′/R of the contact whose rows begin with i: (nn, n1, n2, 11, 12, 22)."""
    if kind != CONE:
        return (c if start[i] - c * u[i] > 0.0 else 0.0), 0.0, 0.0, 0.0, 0.0, 0.0
    x, y1, y2 = start[i] - c * (u[i] + m * s), start[i + 1] - c * u[i + 1], start[i + 2] - c * u[i + 2]
    size = math.sqrt(y1 * y1 + y2 * y2)
    if m * size <= -x:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    if size <= m * x:
        return c, 0.0, 0.0, c, 0.0, c
    t1, t2, f = y1 / size, y2 / size, c / (1.0 + m * m)
    turn = m * f * (x + m * size) / size
    d11, d22 = f * m * m * t1 * t1 + turn * t2 * t2, f * m * m * t2 * t2 + turn * t1 * t1
    return f, f * m * t1, f * m * t2, d11, (f * m * m - turn) * t1 * t2, d22


@helper
def slope_of(n, G, mu, kind, scratch, r, start, u, s, A):
    """The matrix of Newton's method, 1 + P′ G/R."""
    rho, to = scratch[RHO], scratch[TO]
    for k in range(n):
        i = 3 * k
        d00, d01, d02, d11, d12, d22 = cone_slope(mu[k], kind[k], rho[k] / r, start, u, s[k], i)
        for j in range(int(scratch[FROM, i]), int(to[int(to[i]) - 1])):
            a, b, e = G[i, j], G[i + 1, j], G[i + 2, j]
            A[i, j] = d00 * a + d01 * b + d02 * e
            A[i + 1, j] = d01 * a + d11 * b + d12 * e
            A[i + 2, j] = d02 * a + d12 * b + d22 * e
        for axis in range(3):
            A[i + axis, i + axis] += 1.0


@helper
def proximal_step(n, G, g, mu, kind, r, tolerance, scratch, impulses):
    """One step, by Newton's method, from λ to γ, which replaces it; whether it was found."""
    N, A, rho, s = 3 * n, scratch[LINES:], scratch[RHO], scratch[SHARE]
    start, u, gamma, step, along = scratch[KEPT], scratch[VELOCITY], scratch[DELTA], scratch[STEP], scratch[MAP]
    trial, u_trial = scratch[TRIAL], scratch[PIVOTS]
    copy(N, impulses, start)
    velocities(n, G, g, scratch, impulses, u)
    for attempt in range(_ROUNDS):
        cost = onto_cones(n, mu, kind, rho, r, start, u, s, gamma)
        worst = largest = 0.0
        for i in range(N):
            step[i] = gamma[i] - impulses[i]
            worst, largest = max(worst, abs(step[i])), max(largest, abs(gamma[i]))
            cost += 0.5 * impulses[i] * (u[i] - g[i])
        if worst <= tolerance * largest and attempt > 0:
            break
        slope_of(n, G, mu, kind, scratch, r, start, u, s, A)
        if not band_lu(A, N, scratch[TO], scratch[PIVOTS]):
            return False
        band_lu_solve(A, N, scratch[TO], scratch[PIVOTS], step)
        fall = 0.0
        for i in range(N):
            along[i] = 0.0
            for j in range(int(scratch[FROM, i]), int(scratch[TO, i])):
                along[i] += G[i, j] * step[j]
            fall += (impulses[i] - gamma[i]) * along[i]
        part = 1.0
        while True:
            now = 0.0
            for i in range(N):
                trial[i], u_trial[i] = impulses[i] + part * step[i], u[i] + part * along[i]
                now += 0.5 * trial[i] * (u_trial[i] - g[i])
            now += onto_cones(n, mu, kind, rho, r, start, u_trial, s, gamma)
            if now <= cost + 1e-4 * part * fall + 1e-14 * abs(cost) or part < 1e-3:
                break
            part *= 0.5
        copy(N, trial, impulses)
        copy(N, u_trial, u)
    copy(N, gamma, impulses)
    return True


@helper
def proximal(n, G, g, mu, kind, impulses, scratch):
    """Solve the contact problem from λ = 0; the residual, the least that was found."""
    N, best, s = 3 * n, scratch[BEST], scratch[SHARE]
    r, least, polish, idle = _FIRST, math.inf, 1e-3, 0
    for i in range(N):
        impulses[i] = best[i] = s[i] = 0.0
    for _ in range(_STEPS):
        tolerance = min(max(0.1 * least, TOLERANCE), 1e-3)
        if idle > _IDLE or not proximal_step(n, G, g, mu, kind, r, tolerance, scratch, impulses):
            break
        residual = residual_of(n, G, g, mu, kind, impulses, scratch)
        u = scratch[VELOCITY]
        for k in range(n):
            s[k] = math.sqrt(u[3 * k + 1] ** 2 + u[3 * k + 2] ** 2)
        if residual != residual:
            break
        idle = idle + 1 if residual > 0.5 * least else 0
        if residual < least:
            least = residual
            copy(N, impulses, best)
        if residual < polish:
            polish = 1e-2 * residual
            residual = newton(n, G, g, mu, kind, impulses, scratch, False, _POLISH)
            if residual < least:
                least = residual
                copy(N, impulses, best)
            else:
                copy(N, best, impulses)
            if least <= _ENOUGH:
                break
        r = max(_SMALLER * r, _LAST)
    copy(N, best, impulses)
    return residual_of(n, G, g, mu, kind, impulses, scratch)
