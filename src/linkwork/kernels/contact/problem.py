"""The contact problem: unilateral contacts with Coulomb friction and joint limits, for forces, impulses and impacts.

With n contacts, u = G λ + g, and for contact k, in its frame (normal, first and second tangent),

    CONE      K_μ ∋ λ ⊥ u + (μ |u_t|, 0, 0) ∈ K_μ*, the cone |λ_t| ≤ μ λ_n and its dual: it sticks, slips or opens
    SLIPPING  0 ≤ λ_n ⊥ u_n ≥ 0, λ_t = (−μ λ_n, 0): it slips along its first tangent
    LIMIT     0 ≤ λ_n ⊥ u_n ≥ 0: one row, that of the normal; the rows of its tangents are not looked at

One contact is solved in closed form. Several that feel each other are the zero of the map of Alart and Curnier,

    F_n = λ_n − max(x, 0), F_t = λ_t − y min(1, μ max(x, 0)/|y|),   x = λ_n − ρ u_n,  y = λ_t − ρ u_t,

found by semi-smooth Newton's method, or at once where none of them moves (see `holding`). Newton's matrix is that of
D (G + ε) for the contacts that press, so that the forces come out least where several do the same. Where that fails,
proximal steps find the forces, however many contacts there are; of few contacts, sweeps of one after the other may find
the modes, and Newton's method with these held ends it, or Newton's method from somewhere else. Contacts that do not
feel each other are problems of their own: see `islands`.

======= ================================================================================================================
here    meaning
======= ================================================================================================================
G, g    inverse inertia seen by the contacts, and their velocity (or acceleration) without forces; 3n
λ, u    forces or impulses on the contacts, and their velocity (or acceleration) with them; 3n
μ       coefficients of friction
ρ       3 / trace of G's diagonal block, 1 / G_nn of contacts with a given direction
S, h    of one contact, G_tt and g_t when the normal row is met; α where it slips, u_t = −α λ_t
======= ================================================================================================================

References: [DeSaxce1998] the cone's form; [Alart1991] the map and Newton's method; [Jourdan1998] one after the other.
"""

import math

from linkwork.kernels.contact.alart_curnier import (
    BEST,
    FROM,
    HELD,
    KEPT,
    LINES,
    RHO,
    TO,
    TOLERANCE,
    copy,
    matrix_rows,
    newton,
    residual_of,
    scratch_shape,  # noqa: F401
)
from linkwork.kernels.contact.holding import hold
from linkwork.kernels.contact.islands import (
    ALL_RHO,
    ALL_VELOCITY,
    PART_FORCE,
    PART_G,
    PART_KIND,
    PART_MU,
    SEEN,
    give,
    next_island,
    take,
)
from linkwork.kernels.contact.least_forces import least_forces
from linkwork.kernels.contact.modes import CONE, LIMIT, OPEN, SLIP, STICK
from linkwork.kernels.contact.one_contact import one_contact
from linkwork.kernels.contact.proximal import proximal
from linkwork.kernels.layout import OK, UNSOLVED
from linkwork.kernels.numba_ext import helper, separate

_ROUNDS, _ROUNDS_OF_MANY = 25, 10  # of Newton's method
GOOD_ENOUGH = 1e-10  # residual up to which a problem counts as solved
_NEARLY = 1e-8  # … up to which the next step is not kept waiting: as where points of a body that tips cannot all hold
_ATTEMPTS = 5  # sweeps are quadrupled from one to the next
_STARTS = 100  # from which Newton's method is tried at last
_FEW, _SOME = 8, 24  # contacts: where they wedge each other, sweeps are tried, too; and where the least are wanted


@helper
def sweep(n, G, g, mu, kind, impulses, scratch, mode):
    """Solve one contact after the other, the others' forces as they are."""
    for k in range(n):
        i = 3 * k
        u0, u1, u2 = g[i], g[i + 1], g[i + 2]
        for j in range(int(scratch[FROM, i]), int(scratch[TO, i])):
            if j < i or j > i + 2:
                u0 += G[i, j] * impulses[j]
                u1 += G[i + 1, j] * impulses[j]
                u2 += G[i + 2, j] * impulses[j]
        if kind[k] == CONE:
            block = (G[i, i], G[i, i + 1], G[i, i + 2], G[i + 1, i + 1], G[i + 1, i + 2], G[i + 2, i + 2])
            impulses[i], impulses[i + 1], impulses[i + 2], mode[k] = one_contact(block, u0, u1, u2, mu[k])
            continue
        drag = mu[k] if kind[k] != LIMIT else 0.0
        impulses[i] = impulses[i + 1] = impulses[i + 2] = 0.0
        mode[k] = OPEN
        if u0 < 0.0 and G[i, i] > 0.0:
            x = -u0 / max(G[i, i] - drag * G[i, i + 1], 1e-3 * G[i, i])
            impulses[i], impulses[i + 1], mode[k] = x, -drag * x, SLIP


@helper
def all_hold(n, G, g, mu, kind, impulses, scratch):
    """Newton's method with every contact held: the residual, which is small where that solves the problem."""
    for k in range(n):
        scratch[HELD, k] = STICK if kind[k] == CONE else SLIP
        for axis in range(3):
            impulses[3 * k + axis] = 0.0
    return newton(n, G, g, mu, kind, impulses, scratch, True, 8)


@helper
def from_elsewhere(n, G, g, mu, kind, impulses, scratch):
    """Newton's method from one start after the other, at random but always the same: the last residual."""
    rho, state, residual, size = scratch[RHO], 1.0, math.inf, 0.0
    for i in range(3 * n):
        size = max(size, rho[i // 3] * abs(g[i]))
    for start in range(_STARTS):
        if residual <= TOLERANCE:
            break
        reach = size * 10.0 ** (start % 4 - 1)  # forces of wedged contacts may be large
        for i in range(3 * n):
            state = (state * 16807.0) % 2147483647.0
            x = state / 2147483647.0
            impulses[i] = reach * (x if i % 3 == 0 else 2.0 * x - 1.0)
        residual = newton(n, G, g, mu, kind, impulses, scratch, False, _ROUNDS)
    return residual


@helper
def forces(n, G, g, mu, kind, impulses, scratch, patient):
    """Newton's method; where that fails, proximal steps; of few contacts, the modes that sweeps find. The residual."""
    best, many = scratch[KEPT], n > (_SOME if patient else _FEW)
    copy(3 * n, impulses, best)
    if not hold(n, G, g, mu, kind, impulses, scratch):
        copy(3 * n, best, impulses)
    residual = newton(n, G, g, mu, kind, impulses, scratch, False, _ROUNDS if n <= _SOME else _ROUNDS_OF_MANY)
    if residual <= TOLERANCE:
        return residual
    if not many:  # wedged between each other, all may hold though none comes nearer
        residual = all_hold(n, G, g, mu, kind, impulses, scratch)
        if residual <= TOLERANCE:
            return residual
    slipping = False
    for k in range(n):
        slipping = slipping or (kind[k] != CONE and kind[k] != LIMIT)
    least = math.inf
    if not slipping:
        least = proximal(n, G, g, mu, kind, impulses, scratch)
        if many or least <= TOLERANCE or (not patient and least <= _NEARLY):
            return least
        copy(3 * n, impulses, best)
    sweeps = 10
    for _ in range(_ATTEMPTS):
        for _ in range(sweeps):
            sweep(n, G, g, mu, kind, impulses, scratch, scratch[HELD])
        sweeps *= 4
        copy(3 * n, impulses, scratch[BEST])
        for held in (True, False):
            residual = newton(n, G, g, mu, kind, impulses, scratch, held, 8 if held else _ROUNDS)
            if residual < least:
                least = residual
                copy(3 * n, impulses, best)
            if least <= TOLERANCE:
                return least
            copy(3 * n, scratch[BEST], impulses)
    residual = residual_of(n, G, g, mu, kind, impulses, scratch)  # what sweeps alone have found may be nearer
    if residual < least:
        least = residual
        copy(3 * n, impulses, best)
    if least > GOOD_ENOUGH and from_elsewhere(n, G, g, mu, kind, impulses, scratch) <= TOLERANCE:
        copy(3 * n, impulses, best)
    copy(3 * n, best, impulses)
    return residual_of(n, G, g, mu, kind, impulses, scratch)


@separate
def solve_island(n, G, g, mu, kind, impulses, scratch, least):
    """Solve the problem of contacts that feel each other, as of `solve_contacts`: the residual."""
    rho = scratch[RHO]
    for k in range(n):
        i = 3 * k
        size = G[i, i] if kind[k] != CONE else (G[i, i] + G[i + 1, i + 1] + G[i + 2, i + 2]) / 3.0
        rho[k] = 1.0 / size if size > 0.0 else 0.0
        if not size > 0.0:
            impulses[i] = impulses[i + 1] = impulses[i + 2] = 0.0
    if n == 1:
        sweep(n, G, g, mu, kind, impulses, scratch, scratch[HELD])
    residual = residual_of(n, G, g, mu, kind, impulses, scratch)
    if not residual <= TOLERANCE and (n > 1 or kind[0] != CONE):
        residual = forces(n, G, g, mu, kind, impulses, scratch, least)
    if least and residual <= 1e-6:
        residual = least_forces(n, G, g, mu, kind, impulses, scratch, residual)
    return residual


@helper
def solve_contacts(n, G, g, mu, kind, impulses, scratch, least):
    """Solve the contact problem; the status, and the residual beside the largest force.

    Parameters
    ----------
    n : int
        Number of contacts. Arrays may be larger than n asks for.
    G : (3n, 3n), g : (3n)
        Symmetric and positive semidefinite, any rank; and the velocity, or acceleration, without forces.
    mu : (n)
        Coefficients of friction.
    kind : (n)
        CONE, SLIPPING or LIMIT.
    impulses : (3n)
        Receives λ; holds a guess, zero or what it was a step before.
    scratch : array of `scratch_shape(n)`
        Afterwards its row ALL_VELOCITY is u, and `contact_mode` reads it.
    least : bool
        Whether of forces that do the same the least are wanted, or any.

    A contact that nothing can move (its G is zero) bears no force. UNSOLVED where the residual stays above 1e-10.
    """
    start, worst, own = 0, 0.0, scratch[LINES + 2 * matrix_rows(scratch) :]
    for k in range(n):
        scratch[SEEN, k] = 0.0
    while start < n:
        end = next_island(n, G, scratch, start)
        take(G, g, mu, kind, impulses, scratch, start, end, own)
        residual = solve_island(
            end - start, own, scratch[PART_G], scratch[PART_MU], scratch[PART_KIND], scratch[PART_FORCE], scratch, least
        )  # fmt: skip
        give(impulses, scratch, start, end)
        worst = residual if not residual <= worst else worst
        start = end
    return (OK if worst <= GOOD_ENOUGH else UNSOLVED), worst


@helper
def contact_mode(mu, kind, impulses, scratch, k):
    """OPEN, STICK or SLIP: the mode of contact k in the solution found last."""
    i, rho = 3 * k, scratch[ALL_RHO]
    u = scratch[ALL_VELOCITY]
    if not impulses[i] > 0.0:
        return OPEN
    if kind[k] != CONE:
        return SLIP
    lt = math.sqrt(impulses[i + 1] ** 2 + impulses[i + 2] ** 2)
    slip = rho[k] * math.sqrt(u[i + 1] ** 2 + u[i + 2] ** 2)
    return SLIP if lt >= mu[k] * impulses[i] * (1.0 - 1e-10) and slip > 1e-10 * impulses[i] else STICK
