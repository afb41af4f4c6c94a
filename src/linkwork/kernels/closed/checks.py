"""Whether the accelerations of a closed linkage meet its constraints."""

from linkwork.kernels.algebra.spatial import power
from linkwork.kernels.algebra.storage import load_motion
from linkwork.kernels.algebra.vec3 import size
from linkwork.kernels.closed.loops import row_bias, rows_on_bodies
from linkwork.kernels.closed.records import geometry_at, loop_at, mark_at, record_at
from linkwork.kernels.joints import joint_axis
from linkwork.kernels.layout.loops import COUPLING, G_LENGTH, P_LOOPS, P_STEPS, R_BIAS, R_SLOPE
from linkwork.kernels.numba_ext import any_of, fabs, helper, load, scalar, store, where
from linkwork.kernels.records import acceleration_at, stage_at, velocity_at
from linkwork.kernels.tree.rnea import ground_acceleration

UNMET = 1e-7  # of the accelerations in a row, that a sound answer may leave unmet


@helper
def eliminated(plan, scratch, loop, r):
    """1 where row r of a loop was eliminated, 0 where it is redundant; in packs rows have changed places."""
    if scratch.ndim == 1:
        return scratch[mark_at(plan, loop.row + r)]
    found = scalar(scratch, 0.0)
    for place in range(loop.rows):
        found = where(load(scratch, plan[P_STEPS] + loop.steps + place) == 1.0 * r, 1.0, found)
    return found


@helper
def made_of(work, i):
    """Sizes, linear and angular, of what the acceleration of body i is made of.

    That is more than its own size: a body that turns at a steady rate has none, but for the rounding of v × ω.
    """
    ai, vi = load_motion(work, acceleration_at(i)), load_motion(work, velocity_at(i))
    rate = size(vi.w)
    return size(ai.v) + rate * size(vi.v), size(ai.w) + rate * rate


@helper
def moved(model, index, work, i, length):
    """What the acceleration of joint i, of one axis, is made of: those of its body, in the joint's units."""
    S = joint_axis(model, i, stage_at(index, i)[1], 0)
    linear, angular = made_of(work, i)
    if any_of(size(S.w) > 0.0):
        return angular + linear / max(length, 1e-300)
    return linear + angular * length


@helper
def is_met(model, index, work, loops, q, a, left):
    """Whether the accelerations meet the rows that were eliminated, but for rounding, in every lane.

    `left` receives what every row leaves unmet, from the bodies' accelerations. Rows that are redundant may contradict
    each other.
    """
    plan, geometry, scratch = loops
    worst, made = scalar(a, 0.0), scalar(a, 0.0)
    ground = ground_acceleration(model, q, 1.0)
    for number in range(plan[P_LOOPS]):
        loop = loop_at(plan, number)
        for r in range(loop.rows):
            if loop.kind == COUPLING:
                k = record_at(plan, number)
                slope, b = load(scratch, k + R_SLOPE), load(scratch, k + R_BIAS)
                one, two = load(a, loop.dof_i), slope * load(a, loop.dof_j)
                length = geometry[geometry_at(number) + G_LENGTH]
                x, m = one - two - b, fabs(one) + fabs(two) + fabs(b) + moved(model, index, work, loop.b, length)
                m += fabs(slope) * moved(model, index, work, loop.a, length)
            else:
                wb, wa = rows_on_bodies(loops, number, r, False)
                x = -row_bias(plan, scratch, number, r, False)
                m = fabs(x)
                for end in range(2):
                    i, w = (loop.b, wb) if end == 0 else (loop.a, wa)
                    if i < 0:
                        x += power(ground, w)
                        m += size(ground.v) * size(w.f)
                    else:
                        x += power(load_motion(work, acceleration_at(i)), w)
                        linear, angular = made_of(work, i)
                        m += linear * size(w.f) + angular * size(w.n)
            store(left, loop.row + r, x)
            made = where(m > made, m, made)
            off = eliminated(plan, scratch, loop, r) * fabs(x)
            worst = where(off > worst, off, worst)
    return not any_of(worst > UNMET * made)
