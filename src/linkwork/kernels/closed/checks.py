"""Whether the accelerations of a closed linkage meet its constraints."""

from linkwork.kernels.algebra.spatial import power
from linkwork.kernels.algebra.storage import load_motion
from linkwork.kernels.algebra.vec3 import size
from linkwork.kernels.closed.loops import row_bias, rows_on_bodies
from linkwork.kernels.closed.records import loop_at, margin_at, record_at
from linkwork.kernels.layout.loops import COUPLING, P_LOOPS, R_BIAS, R_SLOPE
from linkwork.kernels.numba_ext import any_of, helper, load
from linkwork.kernels.records import acceleration_at
from linkwork.kernels.tree.rnea import ground_acceleration

UNMET = 1e-7  # of the accelerations in a row, that a sound answer may leave unmet
_NEAR = 1e-3  # of a loop's margin: below it answers are checked


@helper
def near(plan, scratch):
    """Whether the last elimination, of any lane, came so near to losing rank that its answer is to be checked."""
    return any_of(load(scratch, margin_at(plan)) < _NEAR)


@helper
def unmet(model, work, loops, q, a, left, marks):
    """What every row leaves unmet, from the bodies' accelerations; the largest of rows that are eliminated, relative.

    That is rounding, or nothing is to be believed. Rows that are redundant may contradict each other.
    """
    plan, scratch = loops.plan, loops.scratch
    worst, made = 0.0, 0.0
    for number in range(plan[P_LOOPS]):
        loop = loop_at(plan, number)
        for r in range(loop.rows):
            if loop.kind == COUPLING:
                one, two = a[loop.dof_i], scratch[record_at(plan, number) + R_SLOPE] * a[loop.dof_j]
                b = scratch[record_at(plan, number) + R_BIAS]
                x, m = one - two - b, abs(one) + abs(two) + abs(b)
            else:
                wb, wa = rows_on_bodies(loops, number, r, False)
                x = -row_bias(plan, scratch, number, r, False)
                m = abs(x)
                for end in range(2):
                    i, w = (loop.b, wb) if end == 0 else (loop.a, wa)
                    ai = ground_acceleration(model, q, 1.0) if i < 0 else load_motion(work, acceleration_at(i))
                    x += power(ai, w)
                    m += size(ai.v) * size(w.f) + size(ai.w) * size(w.n)
            left[loop.row + r] = x
            made = max(made, m)
            if marks[loop.row + r] != 0.0:
                worst = max(worst, abs(x))
    return worst / made if made > 0.0 else 0.0
