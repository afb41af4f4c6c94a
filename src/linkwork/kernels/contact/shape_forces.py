"""Forces of solids that touch surfaces, each in a mode that holds until an event: what they are, and how far from one.

A contact that sticks is a cone of the contact problem, at the level of accelerations, with static friction; one that
slips has a direction s, and bears λ_n (n − μ s) with 0 ≤ λ_n ⊥ u̇_n ≥ 0; one that rests and may slip at once is a cone
with kinetic friction. As long as no mode ends, the first solve u̇ = 0, the second u̇_n = 0, and where several forces do
the same, it does not matter which are found. What a contact is away from the end of its mode, its margin, is zero there
and goes on beyond it; it has come to its end once that is more than its slack, which rounding does not reach:

======== ===============================================================================================================
sticks   the acceleration that friction could still take, (μ λ_n − |λ_t|) G_tt − |u̇_t|, and that of the normal force,
         λ_n G_nn, beyond −u̇_n
slips    λ_n (G_nn − μ G_ns), beyond −u̇_n; and the speed along s
open     the gap, where it closes
======== ===============================================================================================================

G_nn − μ G_ns ≤ 0 of a contact that slips alone is Painlevé's case: no force keeps it slipping. Of several contacts it
is that where the contact problem has no solution.

Symbols are those of `problem` and `shape_motion`.
"""

import math

from linkwork.kernels.algebra.dense import lu, lu_solve
from linkwork.kernels.contact.alart_curnier import LINES, PIVOTS, STEP
from linkwork.kernels.contact.impulses import GOOD, solve_impulses
from linkwork.kernels.contact.islands import ALL_VELOCITY
from linkwork.kernels.contact.modes import CONE, SLIPPING
from linkwork.kernels.contact.shape_motion import observe
from linkwork.kernels.layout import OK
from linkwork.kernels.layout.contacts import D_ANCHOR, D_ANCHORED, D_MODE, D_SLIDING, FROM_STATE, SLIDES, STICKS
from linkwork.kernels.layout.shapes import (
    AWAY,
    E_ACCELERATION,
    E_END,
    E_FORCE,
    E_FRAME,
    E_FRICTION,
    E_GAP,
    E_HASTE,
    E_INSIDE,
    E_MARGIN,
    E_POINT,
    E_SLACK,
    E_VELOCITY,
    LIFTS,
    M_FRICTION,
    M_STATIC,
    PASSES,
    SLIPS,
    STOPS,
)
from linkwork.kernels.numba_ext import helper

MOVING = 1e-7  # m/s: from here on the direction of slipping is that of the motion
_HOLDS = 1e-11  # of the accelerations: by so much a mode may be beyond its end, ten times that of several contacts
_LOOSE = 1e-12  # … what forces of several contacts, of which many do the same, leave of their accelerations
_RESTS, _COMES = 1e-12, 1e-12  # m/s: so fast a contact may slip back, or come nearer and not be there
_FOUND = 1e-9  # of the largest one: forces that are better are found
_GAP = 1e-15  # m, of places up to a metre: less is rounding
_SHARE = 1e-13  # of an edge or face: so far beyond its border a contact may be
_EPSILON, _PASSES = 1e-6, 12  # of the least impulses that bring contacts back to where they should be
# entries of `told` beyond those of time stepping
PAINLEVE, COUNT, NOW = 5, 6, 7  # … which forces are a guess, how many contacts touch


@helper
def unsolvable(n, G, mu, kind, residual):
    """Whether no forces keep n contacts slipping: none were found, and one of them slips, or could not alone."""
    for i in range(n):
        j = 3 * i
        if kind[i] == SLIPPING and (residual > GOOD or (residual > _FOUND and G[j, j] <= mu[i] * G[j, j + 1])):
            return True
    return False


@helper
def press(c, n):
    """Forces of the n contacts that touch, in their modes, from G and their free acceleration: a status."""
    space = c.space
    mu, kind, force, g, scratch, G, told = space[3], space[4], space[5], space[6], space[10], space[11], space[14]
    for i in range(n):
        k = c.closed[i]
        mode = int(c.modes[k, D_MODE])
        mu[i] = c.meetings[k, M_STATIC if mode == STICKS else M_FRICTION]
        kind[i] = SLIPPING if mode == SLIDES else CONE
        c.seen[k, E_FRICTION] = mu[i]
        for axis in range(3):
            g[3 * i + axis] = c.seen[k, E_ACCELERATION + axis]
    told[PAINLEVE] = 0.0
    outcome, u = OK, scratch[ALL_VELOCITY]
    if n == 1 and kind[0] == SLIPPING:
        A = G[0, 0] - mu[0] * G[0, 1]
        force[0] = force[1] = force[2] = 0.0
        if not A > 0.0:
            told[PAINLEVE] = -1.0 if g[0] < 0.0 else 1.0
        elif g[0] < 0.0:
            force[0] = -g[0] / A
            force[1] = -mu[0] * force[0]
        for axis in range(3):
            u[axis] = g[axis] + G[axis, 0] * force[0] + G[axis, 1] * force[1]
    else:
        if told[COUNT] != n or told[1] > 0.0:
            for j in range(3 * n):
                force[j] = 0.0
            told[COUNT] = n
        outcome, residual = solve_impulses(n, G, g, mu, kind, force, scratch, told[1] > 0.0)
        if unsolvable(n, G, mu, kind, residual):
            outcome, told[PAINLEVE] = OK, -1.0
            for j in range(3 * n):
                force[j], u[j] = 0.0, g[j]
        elif residual <= GOOD:
            outcome, told[4] = OK, max(told[4], residual)
    for i in range(n):
        out = c.seen[c.closed[i]]
        for axis in range(3):
            out[E_FORCE + axis], out[E_ACCELERATION + axis] = force[3 * i + axis], u[3 * i + axis]
    return outcome


@helper
def closed_margin(c, i, n):
    """How far the i-th of n contacts that touch is from the end of its mode: margin, slack, and which end it is."""
    k, g, G = c.closed[i], c.space[6], c.space[11]
    out, mode, j = c.seen[k], c.modes[k], 3 * i
    f_n, f_1, f_2 = out[E_FORCE], out[E_FORCE + 1], out[E_FORCE + 2]
    a_n, a_1, a_2 = out[E_ACCELERATION], out[E_ACCELERATION + 1], out[E_ACCELERATION + 2]
    mu, slips = out[E_FRICTION], int(mode[D_MODE]) == SLIDES
    size = 1.0 + abs(g[j]) + abs(g[j + 1]) + abs(g[j + 2])
    holds, loose = (_HOLDS * size, 0.0) if n == 1 else (10.0 * _HOLDS * size, _LOOSE * size)
    if c.space[14][PAINLEVE] != 0.0:
        return -1.0, 0.0, LIFTS
    pressed = f_n * (G[j, j] - mu * G[j, j + 1] if slips and n == 1 else G[j, j])
    margin, slack, end = pressed - a_n, holds - loose, LIFTS  # one of them is zero
    if not slips and pressed > (holds if n == 1 else 0.0):
        slip = math.sqrt(a_1 * a_1 + a_2 * a_2)
        left = (mu * f_n - math.sqrt(f_1 * f_1 + f_2 * f_2)) * 0.5 * (G[j + 1, j + 1] + G[j + 2, j + 2])
        left = left - slip if n == 1 else -slip if slip > loose else max(left, 0.0)
        if left < margin:
            margin, end = left, SLIPS
    margin += loose
    if slips and c.meetings[k, M_STATIC] > 0.0:
        along, square = 0.0, out[E_VELOCITY + 1] ** 2 + out[E_VELOCITY + 2] ** 2
        for axis in range(3):
            slip = out[E_VELOCITY + 1] * out[E_FRAME + 3 + axis] + out[E_VELOCITY + 2] * out[E_FRAME + 6 + axis]
            along += slip * mode[D_SLIDING + axis]
        turns = along <= 0.0 and 2.0 * along * along < square  # … and does not stop
        if not turns and along + _RESTS < margin + slack:
            margin, slack, end = along, _RESTS, STOPS
    if out[E_INSIDE] < margin + slack:
        margin, slack, end = out[E_INSIDE], _SHARE, PASSES
    return margin, slack, end


@helper
def least_margin(model, work, c, n):
    """The least that all are from the end of their slack, which stays in `seen`; after `press`, motion in `work`."""
    least = math.inf
    for i in range(n):
        out = c.seen[c.closed[i]]
        out[E_MARGIN], out[E_SLACK], out[E_END] = closed_margin(c, i, n)
        least = min(least, out[E_MARGIN] + out[E_SLACK])
    for k in range(c.modes.shape[0]):
        out = c.seen[k]
        if int(c.modes[k, D_MODE]) != FROM_STATE:
            if out[E_GAP] >= AWAY:  # there is no such place any more
                out[E_MARGIN], out[E_SLACK], out[E_END] = -1.0, 0.0, LIFTS
                least = -1.0
            continue
        out[E_MARGIN], out[E_SLACK] = math.inf, 0.0
        there = observe(model, work, c, k, False)
        if there and math.isnan(out[E_GAP]):  # a function without a value, which is to be told
            out[E_MARGIN], least = -1.0, -1.0
        elif there:
            size = _GAP * (1.0 + abs(out[E_POINT]) + abs(out[E_POINT + 1]) + abs(out[E_POINT + 2]))
            if out[E_GAP] > size or out[E_VELOCITY] < -_COMES:
                out[E_MARGIN], out[E_SLACK] = out[E_GAP], size
                least = min(least, out[E_GAP] + size)
    return least


@helper
def most_haste(c, n):
    """How fast a contact moves over its edge or face at most, shares per second."""
    most = 0.0
    for i in range(n):
        most = max(most, c.seen[c.closed[i], E_HASTE])
    return most


@helper
def turn_along(c, n):
    """Let the directions of slipping be those of the motion, where it is fast enough to have one."""
    for i in range(n):
        out, mode = c.seen[c.closed[i]], c.modes[c.closed[i]]
        speed = math.sqrt(out[E_VELOCITY + 1] ** 2 + out[E_VELOCITY + 2] ** 2)
        if int(mode[D_MODE]) == SLIDES and speed > MOVING:
            for axis in range(3):
                slip = out[E_VELOCITY + 1] * out[E_FRAME + 3 + axis] + out[E_VELOCITY + 2] * out[E_FRAME + 6 + axis]
                mode[D_SLIDING + axis] = slip / speed


@helper
def errors(c, n, speeds):
    """What is to be taken off the places of contacts, or their velocities, along their frames, to g; the largest of it.

    Those that stick have three rows, others the normal's; a ball that rolls has no place to keep.
    """
    g, mu, worst = c.space[6], c.space[3], 0.0
    for i in range(n):
        out, mode, j = c.seen[c.closed[i]], c.modes[c.closed[i]], 3 * i
        sticks = int(mode[D_MODE]) == STICKS
        g[j] = out[E_VELOCITY] if speeds else out[E_GAP]
        g[j + 1] = g[j + 2] = 0.0
        held = sticks and (speeds or mode[D_ANCHORED] != 0.0)
        mu[i] = 1.0 if held else 0.0  # whether it has three rows
        if held and speeds:
            g[j + 1], g[j + 2] = out[E_VELOCITY + 1], out[E_VELOCITY + 2]
        elif held:
            for axis in range(3):
                away = out[E_POINT + axis] - mode[D_ANCHOR + axis]
                g[j + 1] += away * out[E_FRAME + 3 + axis]
                g[j + 2] += away * out[E_FRAME + 6 + axis]
        for axis in range(3):
            worst = max(worst, abs(g[j + axis]))
    return worst


@helper
def mending(c, n):
    """The least impulses that change g to zero in the rows of `errors`, to `force`; whether they were found."""
    mu, force, g, scratch, G = c.space[3], c.space[5], c.space[6], c.space[10], c.space[11]
    A, x, pivots = scratch[LINES:], scratch[STEP], scratch[PIVOTS]
    mean, size = 0.0, 0.0
    for i in range(3 * n):
        mean += G[i, i] / (3 * n)
        size = max(size, abs(g[i]))
        force[i] = 0.0
        for j in range(3 * n):
            A[i, j] = G[i, j]
    for i in range(3 * n):
        if i % 3 > 0 and mu[i // 3] == 0.0:
            for j in range(3 * n):
                A[i, j] = A[j, i] = 0.0
            A[i, i] = mean
        A[i, i] += _EPSILON * mean
    if not lu(A, 3 * n, pivots):
        return False
    left = size
    for _ in range(_PASSES):
        left = 0.0
        for i in range(3 * n):
            x[i] = 0.0
            if i % 3 == 0 or mu[i // 3] != 0.0:
                x[i] = -g[i]
                for j in range(3 * n):
                    x[i] -= G[i, j] * force[j]
                left = max(left, abs(x[i]))
        if left <= 1e-14 * size:
            break
        lu_solve(A, 3 * n, pivots, x)
        for i in range(3 * n):
            force[i] += x[i]
    return left <= 1e-3 * size
