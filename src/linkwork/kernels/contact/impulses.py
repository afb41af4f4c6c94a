"""The contact problem of one step by impulses: from rows of contacts to impulses and modes, bounces included.

``contacts`` are rows of `kernels.layout.shapes`; ``space`` is the scratch space of `kernels.motion.contact_stepping`,
whose symbols are those of here.
"""

import math

from linkwork.kernels.contact.detect import swap
from linkwork.kernels.contact.islands import ALL_VELOCITY
from linkwork.kernels.contact.modes import CONE, OPEN, SLIP
from linkwork.kernels.contact.problem import GOOD_ENOUGH, contact_mode, solve_contacts
from linkwork.kernels.contact.response import contact_motion
from linkwork.kernels.layout import OK, UNSOLVED
from linkwork.kernels.layout.shapes import (
    C_A,
    C_B,
    C_FRICTION,
    C_GAP,
    C_NORMAL,
    C_POINT,
    C_RESTITUTION,
    C_STATIC,
    C_VELOCITY,
)
from linkwork.kernels.numba_ext import call_at, helper, in_place, separate

TOUCHING = 1e-6  # m: gaps up to this are closed
NEAR, _CLOSING = 20.0, 0.2  # m/s², times h²: gaps up to this bear, and close by that share a step, where they are slow
_OVERLAP = 1e-11  # m: less is left as it is
_STILL = 1e-6  # m/s: slower contacts are at rest, and static friction holds them
_RESTING = 2.0  # times what a contact's normal velocity changes in a step: slower ones do not bounce
_ROUNDING = 1e-13  # of the energies that contacts give and take: less is no gain
MANY = 120  # contacts above which a problem is solved in the columns of Z where those are fewer: see `many`
T_SOLVER, T_MANY, T_RESIDUAL = 5, 6, 7  # of `told`: the address of what solves it, whether it does, and how well
GOOD = 0.05  # residual, beside the largest impulse, with which a step goes on; what is above 1e-10 is told


@helper
def frame_of(n, frame):
    """Write the unit vector n and two tangents, one after the other."""
    x, y, z = n[0], n[1], n[2]
    frame[0], frame[1], frame[2] = x, y, z
    if abs(x) <= abs(y) and abs(x) <= abs(z):
        a, b, c = 0.0, z, -y
    elif abs(y) <= abs(z):
        a, b, c = -z, 0.0, x
    else:
        a, b, c = y, -x, 0.0
    r = 1.0 / math.sqrt(a * a + b * b + c * c)
    a, b, c = a * r, b * r, c * r
    frame[3], frame[4], frame[5] = a, b, c
    frame[6], frame[7], frame[8] = y * c - z * b, z * a - x * c, x * b - y * a


@helper
def along(frame, w, u, k):
    """Take the world vector w off the three velocities of a contact from k on."""
    for axis in range(3):
        u[k + axis] -= frame[3 * axis] * w[0] + frame[3 * axis + 1] * w[1] + frame[3 * axis + 2] * w[2]


@helper
def place(n, contacts, space):
    """Stages, points and frames of the contacts."""
    stages, points, frames, kind = space[0], space[1], space[2], space[4]
    for k in range(n):
        row = contacts[k]
        stages[k, 0], stages[k, 1] = int(row[C_B]), int(row[C_A])
        for c in range(3):
            points[k, c] = row[C_POINT + c]
        frame_of(row[C_NORMAL : C_NORMAL + 3], frames[k])
        kind[k] = CONE


@separate
def free_motion(model, index, work, n, contacts, space, free):
    """g and μ of the contact problem, from the velocities in `work` and those which contacts do not yet act on."""
    stages, points, frames, mu, g, u = space[0], space[1], space[2], space[3], space[6], space[7]
    contact_motion(model, index, work, n, stages, points, frames, free, u, g)
    for k in range(n):
        row, i = contacts[k], 3 * k
        along(frames[k], row[C_VELOCITY : C_VELOCITY + 3], u, i)
        along(frames[k], row[C_VELOCITY : C_VELOCITY + 3], g, i)
        rest = u[i + 1] * u[i + 1] + u[i + 2] * u[i + 2] <= _STILL * _STILL
        mu[k] = row[C_STATIC] if rest else row[C_FRICTION]


@helper
def offset(contacts, k, before, share, h):
    """What is added to u_n of contact k: restitution, and the speed with which a small gap may close."""
    gap = contacts[k, C_GAP]
    return share * contacts[k, C_RESTITUTION] * min(before, 0.0) + (_CLOSING * gap / h if gap > TOUCHING else 0.0)


@helper
def overlap(n, contacts, space, h):
    """Whether contacts that stay closed overlap; the way out is a contact problem, of gaps, in g, without friction."""
    impulses, g, before, u, told = space[5], space[6], space[7], space[10][ALL_VELOCITY], space[14]
    worst = 0.0
    for k in range(n):
        i = 3 * k
        leaving = max(u[i] - offset(contacts, k, before[i], told[3], h), 0.0)
        g[i] = contacts[k, C_GAP] + 0.5 * h * leaving
        g[i + 1] = g[i + 2] = 0.0
        if impulses[i] > 0.0 and leaving < 1e-9:
            worst = min(worst, g[i])
    return worst < -_OVERLAP


@helper
def closing(n, contacts, space):
    """Put contacts behind the others that are open now and come too fast to be met before they are there."""
    g, u, modes = space[6], space[7], space[13]
    left, k = n, 0
    while k < left:
        i = 3 * k
        if contacts[k, C_GAP] > TOUCHING and u[i] < -_RESTING * abs(g[i] - u[i]):
            left -= 1
            swap(contacts, k, left)
            for c in range(3):
                g[i + c], u[i + c] = g[3 * left + c], u[3 * left + c]
            modes[left] = OPEN
        else:
            k += 1
    return left


@helper
def at_rest(n, contacts):
    """Whether one of the contacts bounces, and none of them with ground that moves."""
    bouncing = False
    for k in range(n):
        bouncing = bouncing or contacts[k, C_RESTITUTION] > 0.0
        for c in range(3):
            if contacts[k, C_VELOCITY + c] != 0.0:
                return False
    return bouncing


@separate
def solve_impulses(n, G, g, mu, kind, impulses, scratch, least):
    """`solve_contacts`, compiled once for all that calls it from here on."""
    return solve_contacts(n, G, g, mu, kind, impulses, scratch, least)


@helper
def solve_problem(n, space, impulses, least):
    """Solve the contact problem as it stands in `space`: as `solve_contacts`."""
    told = space[14]
    if told[T_MANY] > 0.0:
        call_at(int(told[T_SOLVER]), 2.0 * n + (1.0 if least else 0.0), impulses, space[6], told)
        return (OK if told[T_RESIDUAL] <= GOOD_ENOUGH else UNSOLVED), told[T_RESIDUAL]
    return solve_impulses(n, space[11], space[6], space[3], space[4], impulses, space[10], least)


@in_place
def solved(n, contacts, space):
    """Solve for the impulses, and read the modes; what slips though it was at rest does so with kinetic friction."""
    mu, kind, impulses, scratch = space[3], space[4], space[5], space[10]
    modes, told, outcome = space[13], space[14], OK
    for _ in range(3):
        for i in range(3 * n):
            impulses[i] = 0.0
        outcome, residual = solve_problem(n, space, impulses, told[1] > 0.0)
        if residual <= GOOD:
            outcome, told[4] = OK, max(told[4], residual)
        again = False
        for k in range(n):
            modes[k] = contact_mode(mu, kind, impulses, scratch, k)
            if modes[k] == SLIP and mu[k] > contacts[k, C_FRICTION]:
                mu[k], again = contacts[k, C_FRICTION], True
        if not again:
            break
    return outcome


@helper
def energy_taken(n, contacts, space, share, h):
    """What the impulses take of the kinetic energy: −λᵀ (u_f + u⁺)/2, the offset left out; and its terms' size."""
    impulses, g, before, u = space[5], space[6], space[7], space[10][ALL_VELOCITY]
    taken = size = 0.0
    for k in range(n):
        for axis in range(3):
            i = 3 * k + axis
            back = offset(contacts, k, before[i], share, h) if axis == 0 else 0.0
            taken -= impulses[i] * (0.5 * (u[i] + g[i]) - back)
            size += abs(impulses[i] * u[i]) + abs(impulses[i] * g[i])
    return taken, size


@in_place
def bounce(n, contacts, space, h):
    """Impulses and modes of contacts that bounce, less than they should where friction would make that gain energy."""
    g, before, told = space[6], space[7], space[14]
    share, outcome = 1.0, OK
    for k in range(n):  # what is no faster than it becomes in a step or two comes to rest
        if before[3 * k] > -_RESTING * abs(g[3 * k] - before[3 * k]):
            before[3 * k] = 0.0
    for attempt in range(4):
        for k in range(n):
            g[3 * k] += offset(contacts, k, before[3 * k], share, h)
        outcome = solved(n, contacts, space)
        told[0], size = energy_taken(n, contacts, space, share, h)
        if outcome != OK or told[0] >= -_ROUNDING * size or share == 0.0 or not at_rest(n, contacts):
            break
        for k in range(n):
            g[3 * k] -= offset(contacts, k, before[3 * k], share, h)
        share = 0.5 * share if attempt < 2 else 0.0
    told[3] = share
    return outcome
