"""Error-bounded quasi-statics of huge linkages: only the joints that matter are computed.

The accelerations are found from the whole linkage down, the part with the largest total acceleration first, and what
is left when the error is small enough is taken as zero (`cull`). Where displacements are measured, parts are opened by
what holding them would cost, and what is left is held in the dynamics (`cull_displacements`, see `projection`). Only
what moved, or bears a force, is brought up to date for the next step (see `update`).

What is left unknown of a node is its total acceleration A, known up to rounding: it is taken as
(√(A + its rounding) + √noise)².

References: [Redon2005] sections 4.3 and 5.2.
"""

import math

from linkwork.kernels.algebra.block6 import clear_rows
from linkwork.kernels.assembly_tree.joint_potentials import set_torque
from linkwork.kernels.assembly_tree.moving_loops import number_rows, opened_by
from linkwork.kernels.assembly_tree.projection import number_opened, opened_parts, project, take_exact
from linkwork.kernels.assembly_tree.queue import pop, push, stack, unstack
from linkwork.kernels.assembly_tree.rigid_twins import look_at_twin
from linkwork.kernels.assembly_tree.total_acceleration import ALL_JOINTS, ANY_JOINT, NOWHERE, noise_of, total_at
from linkwork.kernels.assembly_tree.update import compute, move, settle, update
from linkwork.kernels.assembly_tree.views import joint, part, parts_of, total, twin
from linkwork.kernels.layout.adaptive import (
    ABSOLUTE_DISPLACEMENT,
    ABSOLUTE_JOINT,
    ABSOLUTE_LINKAGE,
    BEGIN,
    CATCH_UP,
    CHANGED,
    COMPUTE,
    COMPUTED,
    COMPUTED_LAST,
    LARGEST,
    MOVE,
    NO_ROOM,
    QUEUED,
    RELATIVE_JOINT,
    RELATIVE_LINKAGE,
    SETTLE,
    SHARE_OF_KEYS,
    SQUARES,
    STACKED,
    TAKEN,
    TIMES,
    TOO_MANY,
)
from linkwork.kernels.layout.nodes import KIND, LEAF, SUM
from linkwork.kernels.numba_ext import helper, inlined, load, unrolled

# Share of the tolerance that errors of displacements are brought within, because over many steps they add up: where few
# joints are computed, and where as many as MANY or more are. The more of them there are, the smaller is the largest
# displacement beside the norm that errors are measured in.
_AIM_OF_FEW, _AIM_OF_MANY, _MANY = 0.7, 0.35, 1000.0
_TELLING = 0.04  # share of the error allowed, squared, below which an error tells nothing of the next one
_ABOVE_NOISE = 9.0  # times the noise, up to which what is left cannot be told from it


@helper
def of_joint(measure):
    """Whether an error is measured by the largest of any joint, not by all of them."""
    return measure == ABSOLUTE_JOINT or measure == RELATIVE_JOINT


@helper
def of_displacements(measure):
    return measure >= ABSOLUTE_DISPLACEMENT


@inlined
def noise_in(p, c, measure):
    """The noise of node c in this measure."""
    return noise_of(p, c, ANY_JOINT if of_joint(measure) else ALL_JOINTS)


@inlined
def enqueue(p, descent, c, measure, sure):
    """Queue node c, in known surroundings, by what its joints may still hold; stack it where that is above `sure`.

    `sure` is None where accelerations are measured.
    """
    if sure is None:
        C = total(p, c)
        A, rounding = total_at(p, c, C.now1, C.now2, NOWHERE)  # (8)
        key = math.sqrt(max(A, 0.0) + rounding) + math.sqrt(noise_in(p, c, measure))
        push(descent.keys, descent.queue, descent.count, key * key, c)
        return key * key
    key = look_at_twin(p, c)
    if key > sure:
        stack(descent.keys, descent.queue, descent.count, key, c)
    else:
        push(descent.keys, descent.queue, descent.count, key, c)
    return key


@helper
def is_absolute(measure):
    return measure == ABSOLUTE_LINKAGE or measure == ABSOLUTE_JOINT or measure == ABSOLUTE_DISPLACEMENT


@helper
def relative_to(measure, known, unknown):
    """The square that relative measures divide by, where besides the joints computed `unknown` may be left."""
    if measure == RELATIVE_LINKAGE:
        return known[SQUARES] + unknown
    return known[SQUARES] if of_displacements(measure) else known[LARGEST]


@helper
def root_of(measure, square, base):
    """The root of what is measured, in relative measures divided by that of `base`."""
    if square == 0.0 or is_absolute(measure):
        return math.sqrt(square)
    return math.sqrt(square / base) if base > 0.0 else math.inf


@helper
def error_of(measure, unknown, known):
    """The error if the joints in the queue, of which no more than `unknown` is left, are taken as zero."""
    return root_of(measure, unknown, relative_to(measure, known, unknown))


@helper
def floor_of(measure, noise, known):
    """What rounding may amount to: the square of it is `noise`."""
    return root_of(measure, noise, relative_to(measure, known, 0.0))


@helper
def enough(measure, tolerance, unknown, noise, known):
    """Whether the rest may be left: the error is within the tolerance, or nothing of the rest rises above noise."""
    if unknown <= _ABOVE_NOISE * noise:
        return True
    base = 1.0 if is_absolute(measure) else relative_to(measure, known, unknown)
    if unknown > tolerance * tolerance * base:  # most often, and told without roots
        return False
    floor = floor_of(measure, noise, known)
    return floor < math.inf and error_of(measure, unknown, known) <= max(tolerance - floor, floor)


@helper
def left_over(descent, measure):
    """What the joints in the queue may hold: of the first for measures of a joint, of all for those of the linkage."""
    n = descent.count[QUEUED]
    if n == 0:
        return 0.0
    if of_joint(measure):
        return descent.keys[0]
    sum_ = 0.0
    for k in range(n):
        sum_ += descent.keys[k]
    return sum_


@inlined
def noise_floor(p, descent, measure):
    """The square of what rounding may amount to in the whole linkage."""
    return descent.known[TIMES] * noise_in(p, p.nodes.shape[0] - 1, measure)


@helper
def bounds(p, descent, measure):
    """The bound of the error and the noise floor, in the measure asked for."""
    descent.bounds[0] = error_of(measure, left_over(descent, measure), descent.known)
    descent.bounds[1] = floor_of(measure, noise_floor(p, descent, measure), descent.known)


@helper
def begin(p, descent, rows, qdd, measure, sure):
    """Queue the whole linkage, whose reference is its true one: on a ground that rises against gravity.

    Where displacements are measured, nodes that rows of loops pass are opened at once.
    """
    root = p.nodes.shape[0] - 1
    clear_rows(p, total(p, root).now1)
    descent.count[QUEUED], descent.count[TAKEN], descent.count[COMPUTED] = 0, 0, 0
    descent.known[SQUARES], descent.known[LARGEST] = 0.0, 0.0
    if rows is None:
        enqueue(p, descent, root, measure, sure)
    else:
        look_at_twin(p, root)
    if sure is not None:
        descent.known[SQUARES] = load(p.flat, twin(p, root).N_now)  # q̈ᵀ M q̈
    if rows is not None:
        for c in rows.passed:
            open_node(p, descent, qdd, c, rows, measure, sure)


@helper
def take(p, descent, rows, qdd, measure, sure):
    """Compute the last node stacked, or the first queued, and queue its children; by how much the sum of keys grows."""
    if descent.count[STACKED] > 0:
        c, key = unstack(descent.keys, descent.queue, descent.count)
    else:
        key = descent.keys[0]
        c = pop(descent.keys, descent.queue, descent.count)
    return open_node(p, descent, qdd, c, rows, measure, sure) - key


@helper
def open_node(p, descent, qdd, c, rows, measure, sure):
    """Compute node c, and queue its children, but for those that loops open; the sum of their keys."""
    count, known, grown = descent.count, descent.known, 0.0
    descent.taken[count[TAKEN]] = c
    count[TAKEN] += 1
    compute(p, c, qdd)
    C = part(p, c)
    if C.kind != SUM:
        count[COMPUTED] += 1
        if sure is None:
            _, d, nv = joint(p.index, C.stage)
            square = 0.0
            for k in range(nv):
                square += qdd[d + k] * qdd[d + k]
            known[SQUARES] += square
            known[LARGEST] = max(known[LARGEST], square)
    for child in (C.left, C.right):
        if child >= 0 and p.nodes[child, KIND] != LEAF and not opened_by(rows, child):
            grown += enqueue(p, descent, child, measure, sure)
    return grown


@helper
def cull(p, descent, qdd, measure, tolerance, most):
    """Compute joints, those of the largest part first, until the error is within the tolerance; whether it is.

    Stops without success when `most` joints have been computed. A negative tolerance computes every joint.
    """
    count, known = descent.count, descent.known
    noise = noise_floor(p, descent, measure)
    running = left_over(descent, measure)  # a sum is kept up to date, and made anew before it is believed
    while count[QUEUED] > 0:
        if tolerance >= 0.0:
            if of_joint(measure):
                running = descent.keys[0]
            if enough(measure, tolerance, max(running, 0.0), noise, known):
                running = left_over(descent, measure)
                if enough(measure, tolerance, running, noise, known):
                    return True
        if count[COMPUTED] >= most:
            return False
        running += take(p, descent, None, qdd, measure, None)
    return True


@helper
def open_parts(p, descent, rows, qdd, measure, goal, least, most):
    """Open parts, that which it costs most to hold first, until all that are left cost no more than `goal`; their cost.

    Opens `least` parts at least, and stops when `most` joints have been computed. Parts that cost more than the goal by
    themselves are opened for sure, and so in whichever order: depth first, as their records lie in memory.
    """
    count, sure = descent.count, goal if goal > 0.0 else math.inf
    running, end = left_over(descent, measure), count[TAKEN] + least
    while count[STACKED] + count[QUEUED] > 0 and count[COMPUTED] < most:
        if count[STACKED] == 0 and running <= goal and count[TAKEN] >= end:
            running = left_over(descent, measure)  # before it is believed
            if running <= goal:
                break
        running += take(p, descent, rows, qdd, measure, sure)
    while count[STACKED] > 0:
        c, key = unstack(descent.keys, descent.queue, count)
        push(descent.keys, descent.queue, count, key, c)
    return left_over(descent, measure)


@helper
def allowed_error(computed, tolerance, floor, base):
    """The error to aim at, squared, where so many joints are computed; negative where every joint is asked for."""
    aim = _AIM_OF_FEW - (_AIM_OF_FEW - _AIM_OF_MANY) * min(computed / _MANY, 1.0)
    return max(aim * tolerance - floor, 0.0) ** 2 * base if tolerance >= 0.0 else -1.0


@helper
def learn_share(known, left, E2, allowed):
    """Learn what share of an error, E2 squared, the keys of the queue are, `left` in all, where so much is allowed.

    A share taken too large costs another projection, one taken too small a few joints: it falls faster than it grows.
    """
    share = known[SHARE_OF_KEYS]
    if _TELLING * allowed < E2:
        change = 0.9 * min(math.sqrt(left / E2), 1.0) - share
        known[SHARE_OF_KEYS] += (0.5 if change < 0.0 else 0.1) * change
    else:  # far more was opened than needed: next time fewer
        known[SHARE_OF_KEYS] = min(1.1 * share, 0.9)


@helper
def cull_displacements(p, opened, descent, rows, state, measure, tolerance, most):
    """Open parts until those left may be held as rigid bodies; whether the error is within the tolerance.

    What holding the parts in the queue costs is less than the error E, by a factor that is learnt from step to step.
    The error is found by `project`; where it is too large more parts are opened. The projection needs more room where
    `bounds` comes out negative.
    """
    count, known, bounds = descent.count, descent.known, descent.bounds
    noise, whole = noise_floor(p, descent, measure), known[SQUARES]
    base = 1.0 if is_absolute(measure) else whole
    floor = root_of(measure, noise, base)
    bounds[0], bounds[1] = root_of(measure, whole, base), floor
    if tolerance >= 0.0 and whole <= _ABOVE_NOISE * noise:
        return True
    goal = known[SHARE_OF_KEYS] ** 2 * allowed_error(known[COMPUTED_LAST], tolerance, floor, base)
    least = 0
    while True:
        left = open_parts(p, descent, rows, state.a, measure, goal, least, most)
        if count[QUEUED] == 0:
            take_exact(p, descent, state)
            bounds[0] = 0.0
            return True
        E2, rounding = whole, 0.0
        if count[TAKEN] > 0:
            held = number_opened(p, opened, descent)
            if held < 0:
                bounds[0] = -1.0
                return True
            number_rows(rows, opened_parts(p, opened), descent, held)
            E2, rounding = project(p, opened, descent, rows, state)
        least_told = root_of(measure, rounding, base)
        bounds[0] = root_of(measure, E2 + rounding, base) - least_told
        bounds[1] = floor + least_told
        allowed = allowed_error(count[COMPUTED], tolerance, floor, base)
        if least == 0 and allowed > 0.0:  # what is opened later is opened in small steps
            learn_share(known, left, E2, allowed)
        if E2 + rounding <= allowed or _ABOVE_NOISE * (noise + rounding) >= E2:
            known[COMPUTED_LAST] = count[COMPUTED]
            return True
        if count[COMPUTED] >= most:
            return False
        goal = left * min(0.5, allowed / E2)
        least = 1 + count[TAKEN] // 64


@unrolled
def advance(blocks, opened, descent, marks, loads, rows, state, measure, tolerance, most, what, h):
    """What a step is made of, those parts that `what` names.

    `opened` is None where accelerations are measured, `rows` where no loop is closed by what moves.
    0; `TOO_MANY` joints matter, or there is `NO_ROOM` for their records; or −1 − the stage of a joint without inertia.
    """
    p = parts_of(blocks)
    if what & CHANGED:
        for c in loads.driven:
            set_torque(p, c, loads, state.q)
    if what & (CATCH_UP | CHANGED):
        n = update(p, descent, marks, loads, what & CATCH_UP != 0)
        if n < 0:
            return n
        if what & SETTLE:
            settle(p, marks.order, n, state.a, loads)
    if what & BEGIN:
        begin(p, descent, rows, state.a, measure, None if opened is None else math.inf)
    if what & COMPUTE:
        if opened is None:
            done = cull(p, descent, state.a, measure, tolerance, most)
            bounds(p, descent, measure)
        else:
            done = cull_displacements(p, opened, descent, rows, state, measure, tolerance, most)
            if descent.bounds[0] < 0.0:
                return NO_ROOM
        if not done:
            return TOO_MANY
    if what & MOVE:
        move(p, descent, state, state.a if opened is None else state.projected, h, loads)
    return 0
