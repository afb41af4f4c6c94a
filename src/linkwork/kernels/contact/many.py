"""The contact problem of many contacts of a linkage without loops, in the columns of Z; see `columns` and `problem`.

Proximal steps as in `proximal`: the function of the forces λ that each of them makes least is one of w,

    ½ |w|² + Σ ½ R |γ(u)|²,   u = Z w + g:   (1 + Zᵀ C Z) dw = Zᵀ γ − w,

with C = P′/R of each contact; then λ = γ. Near the solution, Newton's method for the zero of Alart and Curnier's map F,
whose derivative is E dλ + ρ D Z dw with D that of what F takes off λ, and E = 1 − D + ρ ε D:

    (1 + Zᵀ B Z) dw = −Zᵀ E⁻¹ F,   B = E⁻¹ ρ D,   dλ = −E⁻¹ F − B Z dw.

Where forces are wanted that are least, they are projected as in `least_forces`.
"""

import math
from typing import Any, NamedTuple

from linkwork.kernels.algebra.dense import band_ldl, band_ldl_solve, band_lu, band_lu_solve
from linkwork.kernels.contact.alart_curnier import TOLERANCE, copy, decide, force_scale, map_of, size_of
from linkwork.kernels.contact.columns import (
    AIM,
    PIVOTS,
    RIGHT,
    STEP,
    TO,
    TRIAL,
    W,
    add_block,
    arrange,
    back,
    clear,
    forward,
    permute,
    unpermute,
)
from linkwork.kernels.contact.least_forces import allow, onto_face
from linkwork.kernels.contact.modes import CONE, OPEN, STICK
from linkwork.kernels.contact.proximal import cone_slope, onto_cones
from linkwork.kernels.numba_ext import helper

_STEPS, _ROUNDS, _POLISH = 60, 30, 25  # proximal steps, of Newton's method in one, and at the end
_ROUND, _IDLE = 4, 20  # steps that may gain little
_ENOUGH = 1e-11  # residual that is small enough to stop
_FIRST, _LAST, _SMALLER = 0.1, 1e-5, 0.2  # r = R ρ
_EPSILON = 1e-5  # of 1/ρ: less costs digits, more costs steps
_PROJECTIONS = 2000
_NONE = 1e-12  # of the largest diagonal entry of Zᵀ Z: added to it, as that may be singular

# Lines of the scratch space with an entry for each row of the contacts
U, MAP, START, GAMMA, ALONG, U_TRIAL, KEPT, BEST, S, RHO, MODE, DELTA = range(12)
ROW_LINES = 12


class Problem(NamedTuple):
    """n contacts that act on m columns, and scratch space."""

    n: Any
    m: Any
    spans: Any  # (n, 6) see `columns`
    Z: Any  # (3n, nv)
    g: Any  # (3n)
    mu: Any  # (n)
    kind: Any  # (n)
    rows: Any  # (ROW_LINES, 3n)
    columns: Any  # (COLUMN_LINES, nv)
    A: Any  # (m, m)


@helper
def act(p, impulses):
    """w = Zᵀ λ and u = Z w + g."""
    w, u = p.columns[W], p.rows[U]
    back(w.shape[0], p.n, p.spans, p.Z, impulses, w)
    forward(p.n, p.spans, p.Z, w, u)
    for i in range(3 * p.n):
        u[i] += p.g[i]


@helper
def map_at(p, impulses):
    """u, the modes and F; the sum of its squares."""
    act(p, impulses)
    decide(p.n, p.mu, p.kind, p.rows[RHO], impulses, p.rows[U], p.rows[MODE])
    return map_of(p.n, p.mu, p.kind, p.rows[RHO], impulses, p.rows[U], p.rows[MODE], p.rows[MAP])


@helper
def residual_at(p, impulses):
    """The residual, as in `alart_curnier`; u and F are left in the scratch space."""
    map_at(p, impulses)
    return size_of(p.n, p.g, p.rows[RHO], impulses, p.rows[MAP])


@helper
def proximal_step(p, r, tolerance, impulses):
    """One step, by Newton's method, from λ to γ, which replaces it; whether it was found."""
    n, m, nv = p.n, p.m, p.columns.shape[1]
    u, start, gamma, along, u_trial, s, rho = (
        p.rows[U], p.rows[START], p.rows[GAMMA], p.rows[ALONG], p.rows[U_TRIAL], p.rows[S], p.rows[RHO],
    )  # fmt: skip
    to, w, step, trial, right = p.columns[TO], p.columns[W], p.columns[STEP], p.columns[TRIAL], p.columns[RIGHT]
    copy(3 * n, impulses, start)
    act(p, impulses)
    for _ in range(_ROUNDS):
        cost = onto_cones(n, p.mu, p.kind, rho, r, start, u, s, gamma)
        back(nv, n, p.spans, p.Z, gamma, right)
        worst = largest = 0.0
        for c in range(nv):
            largest = max(largest, abs(right[c]))
            right[c] -= w[c]
            worst = max(worst, abs(right[c]))
            cost += 0.5 * w[c] * w[c]
        if worst <= tolerance * largest:
            break
        clear(m, to, 1.0, False, p.A)
        for k in range(n):
            d00, d01, d02, d11, d12, d22 = cone_slope(p.mu[k], p.kind[k], rho[k] / r, start, u, s[k], 3 * k)
            if d00 != 0.0:
                add_block(p.spans, k, p.Z, (d00, d01, d02, d01, d11, d12, d02, d12, d22), p.A)
        permute(n, p.spans, right, trial)
        if not band_ldl(p.A, m, to):
            return False
        band_ldl_solve(p.A, m, to, trial)
        unpermute(n, p.spans, trial, step)
        forward(n, p.spans, p.Z, step, along)
        fall = 0.0
        for c in range(nv):
            fall -= right[c] * step[c]
        part = 1.0
        while True:
            now = 0.0
            for c in range(nv):
                trial[c] = w[c] + part * step[c]
                now += 0.5 * trial[c] * trial[c]
            for i in range(3 * n):
                u_trial[i] = u[i] + part * along[i]
            now += onto_cones(n, p.mu, p.kind, rho, r, start, u_trial, s, gamma)
            if now <= cost + 1e-4 * part * fall + 1e-14 * abs(cost) or part < 1e-3:
                break
            part *= 0.5
        copy(nv, trial, w)
        copy(3 * n, u_trial, u)
    copy(3 * n, gamma, impulses)
    return True


@helper
def blocks(p, k, impulses):
    """E⁻¹ F (three entries) and B (nine) of contact k, on its branch of the map; ε in units of 1/ρ."""
    i, r, F, mode = 3 * k, p.rows[RHO, k], p.rows[MAP], p.rows[MODE, k]
    zero = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    if mode == OPEN or not r > 0.0:
        return (F[i], F[i + 1], F[i + 2]), zero
    b, f = r / _EPSILON, F[i] / _EPSILON
    if p.kind[k] != CONE:
        return (f, F[i + 1], F[i + 2]), (b, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    if mode == STICK:
        return (f, F[i + 1] / _EPSILON, F[i + 2] / _EPSILON), (b, 0.0, 0.0, 0.0, b, 0.0, 0.0, 0.0, b)
    u, mu = p.rows[U], p.mu[k]
    x = max(impulses[i] - r * u[i], 0.0)
    y1, y2 = impulses[i + 1] - r * u[i + 1], impulses[i + 2] - r * u[i + 2]
    size = max(math.sqrt(y1 * y1 + y2 * y2), 1e-300)
    d1, d2, a = y1 / size, y2 / size, mu * x / size
    stiff = 1.0 / (1.0 - (1.0 - _EPSILON) * a)
    f1, f2 = F[i + 1], F[i + 2]
    across = f2 * d1 - f1 * d2
    pull = f1 * d1 + f2 * d2 + mu * (1.0 - _EPSILON) * f
    q = r * a * stiff
    return (
        (f, pull * d1 - stiff * across * d2, pull * d2 + stiff * across * d1),
        (b, 0.0, 0.0, mu * d1 * b, q * d2 * d2, -q * d1 * d2, mu * d2 * b, -q * d1 * d2, q * d1 * d1),
    )


@helper
def newton_step(p, impulses, change):
    """The step of Newton's method from λ, where u, F and the modes are known; whether it was found."""
    n, m, nv, to, along = p.n, p.m, p.columns.shape[1], p.columns[TO], p.rows[ALONG]
    right, trial = p.columns[RIGHT], p.columns[TRIAL]
    clear(m, to, 1.0, True, p.A)
    for k in range(n):
        e, B = blocks(p, k, impulses)
        change[3 * k], change[3 * k + 1], change[3 * k + 2] = -e[0], -e[1], -e[2]
        if B[0] != 0.0:
            add_block(p.spans, k, p.Z, B, p.A)
    back(nv, n, p.spans, p.Z, change, right)
    permute(n, p.spans, right, trial)
    if not band_lu(p.A, m, to, p.columns[PIVOTS]):
        return False
    band_lu_solve(p.A, m, to, p.columns[PIVOTS], trial)
    unpermute(n, p.spans, trial, right)
    forward(n, p.spans, p.Z, right, along)
    for k in range(n):
        i, (_, B) = 3 * k, blocks(p, k, impulses)
        x, y, z = along[i], along[i + 1], along[i + 2]
        change[i] -= B[0] * x + B[1] * y + B[2] * z
        change[i + 1] -= B[3] * x + B[4] * y + B[5] * z
        change[i + 2] -= B[6] * x + B[7] * y + B[8] * z
    return True


@helper
def newton(p, impulses, rounds):
    """Semi-smooth Newton's method from λ, in place: the residual."""
    n, change, trial = p.n, p.rows[START], p.rows[GAMMA]
    before = map_at(p, impulses)
    residual = size_of(n, p.g, p.rows[RHO], impulses, p.rows[MAP])
    for _ in range(rounds):
        if residual <= TOLERANCE or not newton_step(p, impulses, change):
            break
        part, now = 1.0, before
        while True:
            for i in range(3 * n):
                trial[i] = impulses[i] + part * change[i]
            now = map_at(p, trial)
            if now < (1.0 - 0.1 * part) * before or part < 0.04 or residual < 1e-11:
                break
            part *= 0.5
        copy(3 * n, trial, impulses)
        last, before = residual, now
        residual = size_of(n, p.g, p.rows[RHO], impulses, p.rows[MAP])
        if residual != residual or (residual < 1e-11 and residual > 0.5 * last):
            break
    return residual


@helper
def by_proximal_steps(p, impulses):
    """Solve the contact problem from λ = 0; the residual, the least that was found."""
    n, best, s = p.n, p.rows[BEST], p.rows[S]
    r, least, polish, idle = _FIRST, math.inf, 1e-2, 0
    for i in range(3 * n):
        impulses[i] = best[i] = s[i] = 0.0
    for _ in range(_STEPS):
        tolerance = min(max(0.1 * least, TOLERANCE), 1e-3)
        if idle > _IDLE or not proximal_step(p, r, tolerance, impulses):
            break
        residual = residual_at(p, impulses)
        if residual != residual:
            break
        idle = idle + 1 if residual > 0.5 * least else 0
        for k in range(n):  # by halves where the whole way leads round and round
            slip = math.sqrt(p.rows[U, 3 * k + 1] ** 2 + p.rows[U, 3 * k + 2] ** 2)
            s[k] = slip if idle < _ROUND else 0.5 * (s[k] + slip)
        if residual < least:
            least = residual
            copy(3 * n, impulses, best)
        if residual < polish or (idle > _ROUND and residual < 1e-2):
            polish = 1e-1 * residual
            residual = newton(p, impulses, _POLISH)
            if residual < least:
                least = residual
                copy(3 * n, impulses, best)
            else:
                copy(3 * n, best, impulses)
            if least <= _ENOUGH:
                break
        r = max(_SMALLER * r, _LAST)
    copy(3 * n, best, impulses)
    return residual_at(p, impulses)


@helper
def least_of_many(p, impulses, residual):
    """Of forces that do the same, the least: as `least_forces`, with (Zᵀ Z)⁻¹ of the columns."""
    n, m, nv, to = p.n, p.m, p.columns.shape[1], p.columns[TO]
    aim, right, step, trial = p.columns[AIM], p.columns[RIGHT], p.columns[STEP], p.columns[TRIAL]
    kept, delta, x, along, mode, u = p.rows[KEPT], p.rows[DELTA], p.rows[GAMMA], p.rows[ALONG], p.rows[S], p.rows[BEST]
    act(p, impulses)
    copy(nv, p.columns[W], aim)
    copy(3 * n, p.rows[U], u)
    copy(3 * n, impulses, kept)
    allow(n, p.kind, p.rows[RHO], u, 1e-9 * force_scale(n, p.g, p.rows[RHO], impulses), mode)
    clear(m, to, 0.0, False, p.A)
    for k in range(n):
        add_block(p.spans, k, p.Z, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), p.A)
    largest = 0.0
    for i in range(m):
        largest = max(largest, p.A[i, i])
    for i in range(m):
        p.A[i, i] += _NONE * largest
    if not band_ldl(p.A, m, to):
        return residual
    for i in range(3 * n):
        x[i] = delta[i] = impulses[i] = 0.0
    for _ in range(_PROJECTIONS):
        back(nv, n, p.spans, p.Z, x, right)  # onto the equations
        for c in range(nv):
            right[c] = aim[c] - right[c]
        permute(n, p.spans, right, trial)
        band_ldl_solve(p.A, m, to, trial)
        unpermute(n, p.spans, trial, step)
        forward(n, p.spans, p.Z, step, along)
        moved = largest = 0.0
        for i in range(3 * n):
            x[i] += along[i]
            impulses[i] = x[i] + delta[i]
        onto_face(n, p.mu, p.kind, mode, u, impulses)
        for i in range(3 * n):
            delta[i] += x[i] - impulses[i]
            moved, largest = max(moved, abs(x[i] - impulses[i])), max(largest, abs(x[i]))
            x[i] = impulses[i]
        if moved <= 1e-14 * largest:
            break
    now = newton(p, impulses, _POLISH)
    if now <= max(_ENOUGH, 2.0 * residual):
        return now
    copy(3 * n, kept, impulses)
    return residual_at(p, impulses)


@helper
def solve_many(index, n, stages, Z, g, mu, kind, impulses, spans, rows, columns, A, least, u, rho):
    """Solve the contact problem, as `solve_contacts`, from G's square root Z: the residual.

    Parameters
    ----------
    stages, Z
        As of `delassus`, without loops.
    spans : (n, 6) integers, rows : (ROW_LINES, 3n), columns : (COLUMN_LINES, nv), A : (nv, nv)
        Scratch space.
    u : (3n), rho : (n)
        Receive the velocities, and ρ.
    """
    m = arrange(index, n, stages, spans, columns)
    p = Problem(n, m, spans, Z, g, mu, kind, rows, columns, A)
    for k in range(n):
        size, axes = 0.0, 3 if kind[k] == CONE else 1
        for i in range(3 * k, 3 * k + axes):
            for side in (0, 3):
                for c in range(spans[k, side], spans[k, side + 1]):
                    size += Z[i, c] * Z[i, c]
        rows[RHO, k] = axes / size if size > 0.0 else 0.0
    for c in range(columns.shape[1]):
        columns[STEP, c] = 0.0  # and stays so where nothing touches
    residual = by_proximal_steps(p, impulses)
    if least and residual <= 1e-6:
        residual = least_of_many(p, impulses, residual)
    act(p, impulses)
    copy(3 * n, rows[U], u)
    copy(n, rows[RHO], rho)
    return residual
