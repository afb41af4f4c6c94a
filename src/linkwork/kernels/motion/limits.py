"""Compliant joint limits: a spring and a damper beyond each bound, which push and never pull.

``limits`` is (table, firmness, table of the loop joints, or None). A table has one row per limited degree of freedom:
that degree of freedom, its coordinate, lower and upper bound, stiffness, damping, and 1 where the row is one of the
three of a rotation vector. What acts is the firmness, stiffness and damping of each row once more, tree joints first,
which each state of a pack has of its own.
"""

from linkwork.kernels.algebra.rotations import log_quaternion, screw
from linkwork.kernels.algebra.storage import load_vec, store_vec
from linkwork.kernels.algebra.vec3 import Vec3, scale, sub
from linkwork.kernels.closed.projection import COORDINATE_RATES, COORDINATES, TORQUES, residuals
from linkwork.kernels.layout import OK
from linkwork.kernels.numba_ext import any_of, fabs, helper, load, separate, store, where

FADE_IN = 20.0  # of the spring's force: the damper's at most, so that neither jumps where a limit is reached

L_DOF, L_COORDINATE, L_LOWER, L_UPPER, L_STIFFNESS, L_DAMPING, L_BALL = range(7)


@helper
def limit_push(table, firmness, j, x, rate):
    """The force against row j of the limits, at coordinate x."""
    zero = 0.0 * x
    stiffness, damping = load(firmness, 2 * j), load(firmness, 2 * j + 1)
    over, under = x - table[j, L_UPPER], x - table[j, L_LOWER]
    depth = where(over > 0.0, over, where(under < 0.0, under, zero))
    spring, damper = stiffness * depth, damping * rate
    most = FADE_IN * fabs(spring)
    push = spring + where(fabs(damper) < most, damper, where(damper > 0.0, most, -most))
    return where(push * depth > 0.0, push, zero)


@helper
def limit_forces(limits, q, v, total):
    """Add the push of compliant limits of tree joints to `total`."""
    push_back(limits[0], limits[1], q, v, total)


@helper
def loop_torques(model, index, work, loops, limits, q, v, given):
    """Torques of loop joints, those given and the push of their compliant limits, in the line TORQUES: a status."""
    torques = loops[3][TORQUES]
    for d in range(given.shape[0]):
        store(torques, d, load(given, d))
    if limits is None:
        return OK
    return push_loops_back(model, index, work, loops, limits[2], limits[1][2 * limits[0].shape[0] :], q, v, torques)


@helper
def push_loops_back(model, index, work, loops, table, firmness, q, v, torques):
    """Add the push of the limits of a table of loop joints, where there is one."""
    if table is None:
        return OK
    outcome = residuals(model, index, work, loops, q, v)[0]
    push_back(table, firmness, loops[3][COORDINATES], loops[3][COORDINATE_RATES], torques)
    return outcome


@separate
def push_back(table, firmness, q, v, total):
    """Add the push of the limits of one table to `total`."""
    j = 0
    while j < table.shape[0]:
        d, k = int(table[j, L_DOF]), int(table[j, L_COORDINATE])
        if table[j, L_BALL] == 0.0:
            x = load(q, k)
            if any_of(x > table[j, L_UPPER]) or any_of(x < table[j, L_LOWER]):
                store(total, d, load(total, d) - limit_push(table, firmness, j, x, load(v, d)))
            j += 1
            continue
        # A rotation vector r has the rate V(−r)⁻¹ ω; a force f on it is the torque V(r)⁻¹ f.
        r = log_quaternion(load_vec(q, k), load(q, k + 3))
        rate = screw(scale(-1.0, r), load_vec(v, d), True)
        f = Vec3(
            limit_push(table, firmness, j, r.x, rate.x),
            limit_push(table, firmness, j + 1, r.y, rate.y),
            limit_push(table, firmness, j + 2, r.z, rate.z),
        )
        store_vec(total, d, sub(load_vec(total, d), screw(r, f, True)))
        j += 3
