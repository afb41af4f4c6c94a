"""A step of adaptive dynamics: which joints move, by how much, and which come to rest.

Joints have velocities; those of parts that are held are zero. A step

1. finds the accelerations nearest to the true ones in which the parts held stay held, and opens parts until the error
   E is within the tolerance (`choose`, see `moving_parts`). A part is opened at rest: nothing jumps;
2. moves: q̇ += dt q̈, q += dt q̇ (`move_joints`), and takes forces along (`renew_loads`);
3. now and then closes nodes whose joints hardly move (see `closing_parts`).

E and each energy lost are bounded; trajectories are not: what is left out of accelerations adds up over the steps.
"""

from linkwork.kernels.assembly_tree.closing_parts import close_parts
from linkwork.kernels.assembly_tree.joint_potentials import set_torque
from linkwork.kernels.assembly_tree.moving_loops import SIX, number_rows
from linkwork.kernels.assembly_tree.moving_parts import exact_pass, look_at_part, size_of, spread
from linkwork.kernels.assembly_tree.projection import number_opened, opened_parts, project
from linkwork.kernels.assembly_tree.queue import pop, push
from linkwork.kernels.assembly_tree.rotating_parts import turn_part
from linkwork.kernels.assembly_tree.update import (
    DRIVEN,
    FORCED,
    evaluate,
    in_order,
    mark_up,
    place_loads,
    set_pose,
    set_stage,
)
from linkwork.kernels.assembly_tree.views import joint, parts_of
from linkwork.kernels.joints import integrate_stage
from linkwork.kernels.layout import I_Q
from linkwork.kernels.layout.adaptive import (
    CHANGED,
    CLOSE,
    COMPUTE,
    COMPUTED,
    HELD,
    LOST_NOW,
    MOVE,
    NO_ROOM,
    OPENED,
    OPENINGS,
    QUEUED,
    SHARE_OF_KEYS,
    SIZE_LATELY,
    SIZE_NOW,
    SWEEPS,
    TAKEN,
)
from linkwork.kernels.layout.nodes import FIRST, KIND, LEAF, STAGE, SUM
from linkwork.kernels.numba_ext import helper, sqrt, unrolled
from linkwork.kernels.records import index_row

AIM = 0.15  # share of the tolerance that errors are brought within: over many steps they add up twice
FADES = 0.98  # what accelerations are measured by, in each step that has smaller ones


@helper
def number_parts(p, opened, descent, motion):
    """Number the open nodes and the parts held; how many are held, −1 where there is no room for them."""
    held = number_opened(p, opened, descent)
    if held < 0 or SIX * (descent.count[TAKEN] + held) > motion.top.shape[0]:
        return -1
    number_rows(motion.rows, opened_parts(p, opened), descent, held)
    return held


@helper
def open_largest(p, descent, motion, goal):
    """Open the parts that it costs most to hold, until the others cost no more than the goal."""
    count, left = descent.count, 0.0
    for k in range(count[QUEUED]):
        left += descent.keys[k]
    opened = 0
    while count[QUEUED] > 0 and (left > goal or opened == 0):
        left -= descent.keys[0]
        c = pop(descent.keys, descent.queue, count)
        descent.taken[count[TAKEN]] = c
        count[TAKEN] += 1
        count[COMPUTED] += p.nodes[c, KIND] != SUM
        motion.active[c] = OPENED
        opened += 1
    motion.totals[OPENINGS] += opened


@helper
def choose(p, opened, descent, loads, state, motion, tolerance, absolute, dt):
    """Find the accelerations, opening parts until the error is within the tolerance; 0, NO_ROOM or −1 − a stage.

    A negative tolerance opens everything. The bound and the noise floor go to `descent.bounds`.
    """
    count, known, totals = descent.count, descent.known, motion.totals
    lately, sweeps = FADES * totals[SIZE_LATELY], 0
    while True:
        held = number_parts(p, opened, descent, motion)
        if held < 0:
            return NO_ROOM
        h, m = opened_parts(p, opened), count[TAKEN]
        sweeps += 1
        spread(p, h, descent, motion.v, motion)
        singular = exact_pass(p, opened, descent, held, loads, state, motion, dt)
        if singular >= 0:
            return -1 - singular
        count[QUEUED], cost, noise = 0, 0.0, 0.0
        for own in range(m, m + held):
            c = h.nodes[own, FIRST]
            if p.nodes[c, KIND] != LEAF:
                key, more = look_at_part(p, h, own, motion)
                push(descent.keys, descent.queue, count, key, c)
                cost += key
                noise += more
        E2, rounding = project(p, opened, descent, motion.rows, state)
        noise += rounding
        spread(p, h, descent, state.projected, motion)
        totals[SIZE_NOW] = size_of(p, h, descent, held, state.projected, motion)
        totals[SIZE_LATELY] = max(lately, totals[SIZE_NOW])
        base = 1.0 if absolute else totals[SIZE_LATELY]
        allowed = (AIM * tolerance) ** 2 * base if tolerance >= 0.0 else -1.0
        enough = E2 - max(allowed, noise) <= 0.0 if tolerance >= 0.0 else False
        if count[QUEUED] == 0 or enough:
            break
        goal = known[SHARE_OF_KEYS] ** 2 * allowed
        open_largest(p, descent, motion, max(min(goal, cost * min(0.5, allowed / E2)), 0.0))
    if E2 > 0.0 and count[QUEUED] > 0:
        share = min(sqrt(cost / E2), 1.0)
        known[SHARE_OF_KEYS] += 0.1 * (0.9 * share - known[SHARE_OF_KEYS])
    totals[SWEEPS] = sweeps
    unit = sqrt(base) if base > 0.0 else 1.0
    descent.bounds[0], descent.bounds[1] = sqrt(E2) / unit, sqrt(noise) / unit
    return 0


@helper
def move_joints(p, descent, loads, state, motion, dt):
    """q̇ += dt q̈ and q += dt q̇ of the joints that move; where they stand, and the bottom bodies of open nodes."""
    v, taken = motion.v, descent.taken
    for i in range(descent.count[TAKEN]):
        stage = p.nodes[taken[i], STAGE]
        if stage < 0:
            continue
        kind, d, nv = joint(p.index, stage)
        k = p.index[index_row(stage) + I_Q]
        for j in range(nv):
            v[d + j] += dt * state.projected[d + j]
            state.step[j] = dt * v[d + j]
            state.used[d + j] = state.projected[d + j]
        integrate_stage(kind, state.q, k, state.step, 0, state.q)
        set_stage(p.model, p.work, stage, kind, state.q, k, loads.heavy)
        if loads.potentials.first.shape[0] > 0:
            set_torque(p, taken[i], loads, state.q)
    for i in range(descent.count[TAKEN] - 1, -1, -1):
        set_pose(p, taken[i])


@helper
def renew_loads(p, marks, loads, motion):
    """Let forces act on their bodies where these stand now, and torques that are new; the parts held feel it."""
    mark, order = marks.mark, marks.order
    for leaf in loads.leaves:
        mark_up(p.nodes, mark, leaf, FORCED)
    for c in loads.driven:
        mark_up(p.nodes, mark, c, DRIVEN)
    n = in_order(p.nodes, marks)
    place_loads(p, marks, n, loads)
    for k in range(n - 1, -1, -1):
        c = order[k]
        mark[c] = 0
        if motion.active[c] == HELD:
            evaluate(p, c, loads.heavy, loads.twins)
            turn_part(p, motion.spins, c)
    for leaf in loads.leaves:
        mark[leaf] = 0


@helper
def turn_all(blocks, motion):
    """Make the columns of all parts anew, as if nothing moved inside them."""
    p = parts_of(blocks)
    for c in range(p.nodes.shape[0]):
        if p.nodes[c, KIND] != LEAF:
            turn_part(p, motion.spins, c)


@helper
def kinetic_energy(blocks, opened, descent, motion):
    """Of the linkage as it moves now, J; negative where there is no room for the records."""
    p = parts_of(blocks)
    held = number_parts(p, opened, descent, motion)
    if held < 0:
        return -1.0
    h = opened_parts(p, opened)
    spread(p, h, descent, motion.v, motion)
    return 0.5 * size_of(p, h, descent, held, motion.v, motion)


@unrolled
def advance(blocks, opened, descent, marks, loads, state, motion, what, tolerance, absolute, dt, share):
    """What a step is made of, those parts that `what` names; 0, NO_ROOM, or −1 − the stage of a singular joint."""
    p, outcome = parts_of(blocks), 0
    if what & CHANGED:
        for c in loads.driven:
            set_torque(p, c, loads, state.q)
        renew_loads(p, marks, loads, motion)
    if what & COMPUTE:
        outcome = choose(p, opened, descent, loads, state, motion, tolerance, absolute, dt)
        if outcome != 0:
            return outcome
    motion.totals[LOST_NOW] = 0.0
    if what & MOVE:
        move_joints(p, descent, loads, state, motion, dt)
        if loads.leaves.shape[0] > 0:
            renew_loads(p, marks, loads, motion)
    if what & CLOSE and tolerance >= 0.0:
        base = 1.0 if absolute else motion.totals[SIZE_LATELY]
        outcome = -1 - close_parts(p, opened, descent, loads, state, motion, (AIM * tolerance) ** 2 * base, share)
    return outcome
