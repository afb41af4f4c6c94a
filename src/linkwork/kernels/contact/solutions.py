"""Motion and all forces of linkages with points on surfaces: what `linkwork.solve` asks for.

Forces are linear once the points' modes are known. So those of the loops' rows are what holds the loops without the
points, found with the free motion, and what `respond` adds to that; and what the joints bear follows from the motion by
Newton–Euler with all of these forces applied to the bodies.

``loops`` is None, or that of `closed.projection` with as many lines more as there are rows; symbols of `constrained`.
"""

from linkwork.kernels.algebra.storage import load_vec, store_vec, store_wrench
from linkwork.kernels.algebra.vec3 import add, scale
from linkwork.kernels.closed.projection import FORCE as LOOP_FORCE
from linkwork.kernels.closed.projection import LEFT as LOOP_LEFT
from linkwork.kernels.closed.projection import TORQUES, closed_acceleration
from linkwork.kernels.closed.reactions import apply_loop_wrenches, least_forces, loop_wrench
from linkwork.kernels.closed.records import Loops, mark_at
from linkwork.kernels.contact.constrained import DEPENDENT, contact_forces, free_motion
from linkwork.kernels.contact.points import FORCE, LEFT, PIVOTS, REACH, STEP, Contacts, respond
from linkwork.kernels.contact.response import push_stages
from linkwork.kernels.layout import IRREGULAR, N_V, OK
from linkwork.kernels.layout.contacts import (
    F_FRICTION,
    F_GAP,
    F_NORMAL,
    F_STICKS,
    O_ACCELERATION,
    O_FORCE,
    O_FRAME,
    O_GAP,
    O_MODE,
    STICKS,
)
from linkwork.kernels.layout.loops import P_ROWS
from linkwork.kernels.numba_ext import helper
from linkwork.kernels.records import all_finite, status
from linkwork.kernels.tree.forces import is_loaded
from linkwork.kernels.tree.rnea import joint_wrenches


@helper
def with_points(model, index, work, loops, c, t, zero, a):
    """Add to the free accelerations a, whose motion is in `work`, what the points' forces do: a status."""
    if loops is None:
        outcome = contact_forces(model, index, work, None, c, t)
        if outcome == OK:
            respond(model, index, work, None, c, zero, c.lines[FORCE], c.lines[STEP])
    else:
        chain = Loops(loops[0], loops[1], loops[2])
        outcome = contact_forces(model, index, work, chain, c, t)
        if outcome == OK:
            respond(model, index, work, chain, c, zero, c.lines[FORCE], c.lines[STEP])
            for r in range(loops[0][P_ROWS]):
                loops[3][LOOP_FORCE, r] += c.lines[PIVOTS, r]
    if outcome != OK:
        return outcome
    for d in range(index[N_V]):
        a[d] += c.lines[STEP, d]
    return all_finite(a, index[N_V])


@helper
def without_points(model, index, work, table, loops, c, q, v, tau, f_ext, a, total):
    """Accelerations a without the points' forces: a status."""
    nv = index[N_V]
    if loops is None:
        return free_motion(model, index, work, table, None, q, v, tau, f_ext, tau[nv:], a, total, c.lines)
    else:  # noqa: RET505 — the compiler looks for both branches
        for d in range(nv):
            total[d] = tau[d]
        for d in range(nv, tau.shape[0]):
            loops[3][TORQUES, d - nv] = tau[d]
        return closed_acceleration(model, index, work, table, loops, f_ext, q, v, total, a)


@helper
def are_held_already(loops, c):
    """Whether loops leave a point nothing but rounding of its motion along the normal."""
    if loops is None:
        return False
    else:  # noqa: RET505
        free = True
        for k in range(c.out.shape[0]):
            free = free and c.G[3 * k, 3 * k] > DEPENDENT * c.lines[REACH, k]
        return not free


@helper
def forces_of_loops(index, loops, c, of_loops, marks):
    """Write the wrenches of the loop joints, 0 for redundant rows; what rows leave unmet at most, and their rank."""
    if loops is None:
        return 0.0, 0.0
    else:  # noqa: RET505
        worst, rank = 0.0, 0.0
        for r in range(loops[0][P_ROWS]):
            marks[r] = loops[2][mark_at(loops[0], r)]
            worst, rank = max(worst, abs(loops[3][LOOP_LEFT, r] + c.lines[LEFT, r])), rank + marks[r]
        least_forces(index, loops)
        for loop in range(of_loops.shape[0] // 6):
            store_wrench(of_loops, 6 * loop, loop_wrench(loops, loop))
        return worst, rank


@helper
def forces_of_points(c, points):
    """Write what the points bear and do: the largest acceleration along a normal that is left."""
    worst = 0.0
    for k in range(c.out.shape[0]):
        out, found = c.out[k], points[k]
        rub = add(
            scale(out[O_FORCE + 1], load_vec(out, O_FRAME + 3)), scale(out[O_FORCE + 2], load_vec(out, O_FRAME + 6))
        )
        store_vec(found, F_FRICTION, rub)
        found[F_NORMAL], found[F_GAP] = out[O_FORCE], out[O_GAP]
        found[F_STICKS] = 1.0 if int(out[O_MODE]) == STICKS else 0.0
        worst = max(worst, abs(out[O_ACCELERATION]))
    return worst


@helper
def apply_wrenches(index, work, loaded, loops, c):
    """Add the forces of points and loops to the wrenches on the stages, of which there are none unless `loaded`."""
    n = c.out.shape[0]
    push_stages(index, work, loaded, n, c.stages, c.places, c.frames, 1.0, c.lines[FORCE])
    if loops is not None:
        apply_loop_wrenches(index, work, loops, True)


@helper
def point_solutions(tree, loops, contacts, inputs, outputs, scratch, states):
    """Motion and all forces of the states ``states`` (begin, end); the first status that is not OK, and its state.

    `tree` is (model, index, work, table). `inputs` are (B, n): q, v, tau with the torques of loop joints behind the
    tree's, f_ext and t, each with one row per state or one for all. `outputs` are, for every state: a; wrenches of the
    tree joints, and of the loop joints (in Fb); 0 for redundant rows of loops; what points do (points, `POINT_FORCES`);
    what is left unmet, and the rank of the loops' rows. `scratch` is (3, nv), zeros first.
    """
    model, index, work, table = tree
    a, wrenches, of_loops, marks, points, told = outputs
    c, zero, total, needed = Contacts(*contacts), scratch[0], scratch[1], scratch[2]
    for state in range(states[0], states[1]):
        q, v = inputs[0][min(state, inputs[0].shape[0] - 1)], inputs[1][min(state, inputs[1].shape[0] - 1)]
        tau, f_ext = inputs[2][min(state, inputs[2].shape[0] - 1)], inputs[3][min(state, inputs[3].shape[0] - 1)]
        t = inputs[4][min(state, inputs[4].shape[0] - 1), 0]
        outcome = without_points(model, index, work, table, loops, c, q, v, tau, f_ext, a[state], total)
        if outcome == OK:
            outcome = with_points(model, index, work, loops, c, t, zero, a[state])
        if outcome == OK and are_held_already(loops, c):
            outcome = status(IRREGULAR, 0)
        if outcome != OK:
            return outcome, state
        worst, told[state, 1] = forces_of_loops(index, loops, c, of_loops[state], marks[state])
        told[state, 0] = max(worst, forces_of_points(c, points[state]))
        apply_wrenches(index, work, is_loaded(table, f_ext), loops, c)
        outcome = joint_wrenches(model, index, work, 1, q, v, a[state], needed, wrenches[state])
        if outcome != OK:
            return outcome, state
    return OK, states[1]
