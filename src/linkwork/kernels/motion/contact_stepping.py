"""Steps of a linkage whose shapes touch: impulses instead of forces, whatever touches and however often.

A step goes half its way with the old velocity, finds what touches there, and gives all of it impulses at once, by which
it bounces, sticks, slips or lifts; then it goes the other half with the new velocity:

    q½ = q ⊕ ½h v,   v_f = v + h a(q½, v),   v⁺ = v_f + P Jᵀ λ,   q⁺ = q½ ⊕ (½h v⁺ + P Jᵀ δ)

Joints whose velocities are those in a frame that turns go straight, not along a screw: v is turned into the frame at
q½, where a has no part of that, and v⁺ into the frame at q⁺.

λ solves the contact problem (see `kernels.contact.problem`) of u⁺ = J v⁺ − w with u_n⁺ + e min(u_n, 0) in the place of
u_n⁺. So what sticks has no velocity at all: nothing creeps. δ ≥ 0 takes away overlaps of contacts that stay closed. A
slow contact with a small gap γ, as of a foot that turns on the ground, bears and closes slowly: u_n⁺ + γ/5h.

======= ================================================================================================================
here    meaning
======= ================================================================================================================
h       the time step
J, w    Jacobian of the contacts along their frames, and the velocity of what they touch where that is ground that moves
P       inverse mass matrix, loops and couplings already met
e, μ    restitution; friction: the static one where a contact is at rest
======= ================================================================================================================

``shapes`` is (poses, balls, surfaces, meetings, contacts, fields), see `kernels.contact.detect`; ``space`` is scratch
for as many contacts as ``contacts`` has rows: see `linkwork.simulation.time_stepping`.

References: [Moreau1988]; [Jean1999] the midpoint scheme.
"""

import math

from linkwork.kernels.closed.projection import FORCE, nearly_singular, project
from linkwork.kernels.closed.records import Loops
from linkwork.kernels.contact.delassus import delassus, products, square_root, tree_axes
from linkwork.kernels.contact.detect import detect, find_contacts, stage_poses
from linkwork.kernels.contact.impulses import (
    GOOD,
    MANY,
    NEAR,
    T_MANY,
    T_SOLVER,
    TOUCHING,
    bounce,
    closing,
    free_motion,
    overlap,
    place,
    solve_problem,
)
from linkwork.kernels.contact.modes import LIMIT as ONE_SIDED
from linkwork.kernels.contact.modes import OPEN, SLIP, STICK
from linkwork.kernels.contact.response import push_stages, response
from linkwork.kernels.layout import DIVERGED, LIMIT, N_V, OK
from linkwork.kernels.layout.acting import C_CLOSED, C_DRIVES, C_STOP, T_END, T_NUMBER, T_ROWS, T_STEP
from linkwork.kernels.layout.loops import P_AXES, P_ROWS
from linkwork.kernels.layout.shapes import C_PAIR
from linkwork.kernels.layout.strengths import BREAKS, POINT, S_FORCE, S_KIND, S_SHARE, S_WHERE
from linkwork.kernels.motion.acting import control, met
from linkwork.kernels.motion.drives import add_drive_torques, impose
from linkwork.kernels.motion.integrators import TOTAL, A, combine
from linkwork.kernels.motion.march import (
    acceleration,
    borne,
    copy_state,
    crossed,
    keep,
    record,
    too_fast,
)
from linkwork.kernels.motion.strength import joint_share
from linkwork.kernels.motion.turning_frames import accelerate, straight, turn
from linkwork.kernels.numba_ext import helper, in_place, separate
from linkwork.kernels.records import status
from linkwork.kernels.tree.forces import is_loaded
from linkwork.kernels.tree.integrate import integrate

_PATIENT = 3  # steps for which a contact is open, or slips, or sticks again, before that is told
_STEP, _SHIFT = 4, 7  # rows of a step's scratch


@helper
def lead(loops, acting, t, q, v):
    """Put driven coordinates and velocities where their drives want them at time t, where there are any."""
    if loops is None:
        return OK
    else:  # noqa: RET505 — the compiler looks for both branches
        return impose(acting, False, t, q, v) if acting.calls[C_DRIVES] != 0 else OK


@helper
def bear(model, index, work, table, loops, f_ext, space, strengths, n, h, q, v, a, needed):
    """What joints bear, mean values of the step, and the torques that this takes; with the factors of q in `work`."""
    if loops is not None:
        force = space[12][2]
        for r in range(loops[0][P_ROWS]):
            loops[3][FORCE, r] += force[r] / h if n > 0 else 0.0
    push_stages(index, work, is_loaded(table, f_ext), n, space[0], space[1], space[2], 1.0 / h, space[5])
    borne(model, index, work, True, loops, strengths, q, v, a, needed)


@helper
def point_share(n, contacts, space, h, strengths, j):
    """What the point of row j bears, both of its sides together, as a share of its strength."""
    frames, impulses, x, y, z = space[2], space[5], 0.0, 0.0, 0.0
    for k in range(n):
        if contacts[k, C_PAIR] == strengths[j, S_WHERE]:
            for axis in range(3):
                impulse = impulses[3 * k + axis]
                x += impulse * frames[k, 3 * axis]
                y += impulse * frames[k, 3 * axis + 1]
                z += impulse * frames[k, 3 * axis + 2]
    return math.sqrt(x * x + y * y + z * z) / (h * strengths[j, S_FORCE])


@helper
def breaks(work, loops, contacts, space, strengths, n, h):
    """Whether a joint or point bears more than its strength, where there are strengths to watch; after `bear`."""
    if strengths is None:
        return False
    else:  # noqa: RET505
        worst = 0.0
        for j in range(strengths.shape[0]):
            if strengths[j, S_KIND] == POINT:
                share = point_share(n, contacts, space, h, strengths, j)
            else:
                share = joint_share(work, loops, strengths, j)
            strengths[j, S_SHARE] = share
            worst = max(worst, share)
        return worst > 1.0


@helper
def onto_loops(model, index, work, loops, acting, q, v, scratch, drift):
    """Bring q and v back onto the loops, where there are any."""
    if loops is None:
        return OK
    else:  # noqa: RET505
        return project(model, index, work, loops, False, q, v, scratch, drift) if acting.calls[C_CLOSED] != 0 else OK


@helper
def is_singular(loops, acting):
    """Whether loops are near a singular pose."""
    if loops is None:
        return False
    else:  # noqa: RET505
        return acting.calls[C_CLOSED] != 0 and nearly_singular(loops)


@separate
def feel(model, index, work, loops, n, space):
    """G of the contacts, and what `answer` needs, after accelerations were found in the same pose."""
    stages, points, frames, Y, Z, G, axes = space[0], space[1], space[2], space[8], space[9], space[11], space[12][0]
    told = space[14]
    told[T_MANY] = 0.0
    if loops is None:
        tree_axes(model, index, work, axes)
        columns = square_root(model, index, work, axes, 0, None, n, stages, points, frames, Y, Z, None)
        told[T_MANY] = 1.0 if told[T_SOLVER] != 0.0 and n > MANY and columns <= 3 * n else 0.0
        if told[T_MANY] == 0.0:
            products(index, None, n, stages, Z, G)
    else:
        chain = Loops(loops[0], loops[1], loops[2])
        delassus(model, index, work, loops[2], loops[0][P_AXES], chain, n, stages, points, frames, Y, Z, G)


@separate
def answer(model, index, work, loops, n, space, impulses, dv):
    """dv = P Jᵀ λ."""
    Z, axes, zero, force, left = space[9], space[12][0], space[12][1], space[12][2], space[12][3]
    if loops is None:
        response(model, index, work, axes, 0, None, zero, n, Z, impulses, dv, force, left)
    else:
        chain = Loops(loops[0], loops[1], loops[2])
        response(model, index, work, loops[2], loops[0][P_AXES], chain, zero, n, Z, impulses, dv, force, left)


@helper
def half_way(system, shapes, t, h, q, v, s, scratch, drift, at, v_at):
    """The way to q½ in `at`, on the loops, with v in `v_at`, and what touches there: status, number of contacts."""
    model, index, work, _, _, loops, _, acting = system
    straight(index, 0.5 * h, v, s[_STEP])
    outcome = integrate(model, index, work, 0, q, s[_STEP], at)
    if outcome == OK:
        outcome = lead(loops, acting, t + 0.5 * h, at, s[_STEP])
    if outcome == OK:
        copy_state(at, v, at, v_at)
        turn(index, 0.5 * h, v_at)
        outcome = onto_loops(model, index, work, loops, acting, at, v_at, scratch, drift)
    if outcome != OK:
        return outcome, 0
    stage_poses(model, index, at, shapes[0])
    return OK, detect(*shapes, t + 0.5 * h, max(TOUCHING, NEAR * h * h))


@in_place
def give_impulses(model, index, work, loops, contacts, space, n, h, new_v, shift):
    """v⁺ in `new_v`, which comes as v_f, and the way out of overlaps P Jᵀ δ in `shift`: a status.

    The impulses and modes stay in `space`; and the energy that they take.
    """
    kind, impulses, dv, way = space[4], space[5], space[12][4], space[12][5]
    place(n, contacts, space)
    free_motion(model, index, work, n, contacts, space, new_v)
    left = closing(n, contacts, space)
    if left < n:
        place(n, contacts, space)
        for i in range(3 * left, 3 * n):
            impulses[i] = 0.0
        n = left
        free_motion(model, index, work, n, contacts, space, new_v)
    feel(model, index, work, loops, n, space)
    outcome = bounce(n, contacts, space, h)
    answer(model, index, work, loops, n, space, impulses, dv)
    for d in range(index[N_V]):
        new_v[d] += dv[d]
    if outcome == OK and overlap(n, contacts, space, h):
        for k in range(n):
            kind[k] = ONE_SIDED
        for i in range(3 * n):
            way[i] = 0.0
        outcome, residual = solve_problem(n, space, way, False)
        if residual <= GOOD:  # what is left is taken away in the steps to come
            outcome = OK
        answer(model, index, work, loops, n, space, way, shift)
    return outcome


@in_place
def other_half(system, shapes, space, strengths, n, t, h, v, tau, s, scratch, drift, at, new_q, new_v):
    """The step from q½, in `at`, where the velocity is v, on: q⁺ and v⁺; torques and wrenches are kept.

    It ends with the status BREAKS where something bears more than its strength; None are no strengths.
    """
    model, index, work, table, _, loops, f_ext, acting = system
    outcome = acceleration(system, t + 0.5 * h, at, v, tau, s[TOTAL], s[A])
    if outcome != OK:
        return outcome
    accelerate(index, h, v, s[A], new_v)
    driven = acting.calls[C_DRIVES] != 0
    loaded = driven or strengths is not None
    if loaded:
        combine(s[A], -1.0 / h, new_v, s[A])
    outcome = lead(loops, acting, t + h, scratch, new_v)
    if outcome != OK:
        return outcome
    keep(acting, f_ext)
    shift = s[_SHIFT]
    for d in range(index[N_V]):
        shift[d] = 0.0
    space[14][0] = 0.0
    if n > 0:
        outcome = give_impulses(model, index, work, loops, shapes[4], space, n, h, new_v, shift)
        if outcome != OK:
            return outcome
    if loaded:
        combine(s[A], 1.0 / h, new_v, s[A])  # with what impulses and drives add
        bear(model, index, work, table, loops, f_ext, space, strengths, n, h, at, v, s[A], s[_STEP])
        if driven:
            add_drive_torques(loops, acting, s[TOTAL], s[_STEP])
        if breaks(work, loops, shapes[4], space, strengths, n, h):
            return BREAKS
    straight(index, 0.5 * h, new_v, s[_STEP])
    combine(s[_STEP], 1.0, shift, s[_STEP])
    outcome = integrate(model, index, work, 0, at, s[_STEP], new_q)
    turn(index, 0.5 * h, new_v)
    if outcome == OK:
        outcome = lead(loops, acting, t + h, new_q, new_v)
    if outcome == OK:
        outcome = onto_loops(model, index, work, loops, acting, new_q, new_v, scratch, drift)
    if outcome == OK and too_fast(new_v) >= 0:
        outcome = status(DIVERGED, too_fast(new_v))
    return outcome


@helper
def second_half(system, shapes, space, strengths, n, t, h, v, tau, s, scratch, drift, at, new_q, new_v):
    """`other_half`, for contacts that Python has looked for."""
    return other_half(system, shapes, space, strengths, n, t, h, v, tau, s, scratch, drift, at, new_q, new_v)


@helper
def tell(n, contacts, modes, memory):
    """Follow the modes of pairs: whether one has changed. ``memory`` (pairs, 4): what was told, is, for how long, was.

    A pair sticks where one of its contacts does. That it touches is told at once, all else when it has lasted.
    """
    news = False
    for p in range(memory.shape[0]):
        memory[p, 3], memory[p, 1] = memory[p, 1], OPEN
    for k in range(n):
        p = int(contacts[k, C_PAIR])
        if modes[k] == STICK or (modes[k] == SLIP and memory[p, 1] == OPEN):
            memory[p, 1] = modes[k]
    for p in range(memory.shape[0]):
        memory[p, 2] = memory[p, 2] + 1 if memory[p, 1] == memory[p, 3] else 1
        if memory[p, 1] != memory[p, 0] and (memory[p, 0] == OPEN or memory[p, 2] >= _PATIENT):
            news = True
    return news


@helper
def march_contacts(
    system, shapes, space, memory, stops, strengths, origin, dt, first, last, every, number, q, v, tau, scratch, drift,
    rows,
):  # fmt: skip
    """Steps first … last − 1 of size dt, step n from origin + n dt, in place; every `every`-th leaves a row.

    As `march` of `kernels.motion.march`, and it ends after a step that changes the mode of a pair, before one with more
    contacts than there is room for, or in which something would bear more than its strength (see `other_half`), and
    before one that meets a condition, too. No step at all is a look at what is near. Returns the status, the step
    reached, the number of rows and the number of contacts of the last step; the velocity before it stays in the last
    row of the velocities of ``scratch``.
    """
    model, index, work, _, _, loops, _, acting = system
    coordinates, s, velocities = scratch
    at, new_q, spare, new_v, v_at = coordinates[0], coordinates[1], coordinates[2], velocities[0], velocities[1]
    used, n, contacts = 0, first, 0
    if first == last:
        return OK, n, used, find_contacts(model, index, shapes, origin, q, space[14][2])
    while n < last:
        t = origin + n * dt
        drift[1, 0], drift[1, 1] = drift[0, 0], drift[0, 1]
        acting.clock[T_STEP], acting.clock[T_END] = t, origin + (n + 1) * dt
        acting.clock[T_NUMBER], acting.clock[T_ROWS] = number + n - first, used
        outcome = control(model, index, work, acting, number + n - first, t, q, v, tau)
        found = 0
        if outcome == OK:
            outcome, found = half_way(system, shapes, t, dt, q, v, s, spare, drift[0], at, v_at)
        if found > shapes[4].shape[0]:
            return OK, n, used, found
        if outcome == OK:
            outcome = other_half(
                system, shapes, space, strengths, found, t, dt, v_at, tau, s, spare, drift[0], at, new_q, new_v
            )  # fmt: skip
        if outcome == OK and crossed(stops, new_q) >= 0:
            outcome = status(LIMIT, 0)
        if outcome != OK:
            drift[0, 0], drift[0, 1] = drift[1, 0], drift[1, 1]
            return outcome, n, used, contacts
        if n % every == 0:
            for d in range(index[N_V]):
                s[A, d] = (new_v[d] - v[d]) / dt
            record(rows[used], t, q, v, s[A], acting, drift[1])
            used += 1
        copy_state(q, v, spare, velocities[2])
        copy_state(new_q, new_v, q, v)
        contacts = found
        n += 1
        if met(acting, origin + n * dt, number + n - first, used, q, v):
            copy_state(spare, velocities[2], q, v)
            drift[0, 0], drift[0, 1] = drift[1, 0], drift[1, 1]
            return status(LIMIT, 0), n - 1, used - 1 if (n - 1) % every == 0 else used, contacts
        if tell(found, shapes[4], space[13], memory):
            break
        if is_singular(loops, acting) or acting.calls[C_STOP] != 0:
            break
    return OK, n, used, contacts
