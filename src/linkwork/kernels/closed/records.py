"""Where the records of loops are in their blocks, and how they are read: see `layout.loops`."""

from typing import Any, NamedTuple

from linkwork.kernels.algebra.storage import load_pose
from linkwork.kernels.layout.loops import (
    AXIS,
    G_A,
    G_B,
    GEOMETRY_ROW,
    LOOP_INDEX,
    P_AXES,
    P_BASIS,
    P_COLUMNS,
    P_LOOP,
    P_NUMBERS,
    P_RECORDS,
    P_ROWS,
    P_ROWS_AT,
    P_SLOT,
    P_SLOT_START,
    P_SPREAD,
    P_WORLD,
    R_IN_A,
    RECORD,
    SLOT,
    Loop,
    Slot,
)
from linkwork.kernels.numba_ext import helper, inlined

POSE = 12  # scalars


class Loops(NamedTuple):
    """The three blocks that describe all loops of a linkage and hold what is computed of them."""

    plan: Any
    geometry: Any
    scratch: Any


@inlined
def state_row(array, k):
    """Which row of an array belongs to state k: the only one where all states share it."""
    return k if array.shape[0] > 1 else 0


@inlined
def loop_at(plan, loop):
    """The loop of this number."""
    k = plan[P_LOOP] + LOOP_INDEX * loop
    return Loop(
        plan[k], plan[k + 1], plan[k + 2], plan[k + 3], plan[k + 4], plan[k + 5], plan[k + 6], plan[k + 7], plan[k + 8],
        plan[k + 9], plan[k + 10], plan[k + 11], plan[k + 12], plan[k + 13], plan[k + 14], plan[k + 15], plan[k + 16],
        plan[k + 17], plan[k + 18], plan[k + 19],
    )  # fmt: skip


@helper
def slots_of(plan, i):
    """The range of slots of stage i; those of ground come after the last stage's."""
    k = plan[P_SLOT_START] + i
    return plan[k], plan[k + 1]


@inlined
def slot_at(plan, s):
    k = plan[P_SLOT] + SLOT * s
    return Slot(plan[k], plan[k + 1], plan[k + 2])


@helper
def ends_here(plan, s):
    """Whether the loop of slot s is eliminated at its stage."""
    return slot_at(plan, s).next < 0


@helper
def record_at(plan, loop):
    """Where the record of a loop is in the scratch space."""
    return plan[P_RECORDS] + RECORD * loop


@helper
def geometry_at(loop):
    return GEOMETRY_ROW * loop


@helper
def pose_at(plan, i):
    """Where the world pose of stage i is in the scratch space."""
    return plan[P_WORLD] + POSE * i


@helper
def row_at(plan, at, r):
    """Where K of row r is in the scratch space, the rows of its slot being at `at`."""
    return plan[P_ROWS_AT] + at + 6 * r


@inlined
def basis_at(plan, loop, r):
    """Where row r of a loop has its entry of column 0 of B, were it as wide as all columns."""
    return plan[P_BASIS] + loop.basis + r * (loop.high - loop.low) - loop.low


@helper
def axis_record_at(plan, d):
    """Where U, 1/D, its root and u of degree of freedom d are in the scratch space."""
    return plan[P_AXES] + AXIS * d


@helper
def carried_at(plan, c):
    """Where column c says whether rows alone move its axis: 1 + the axis's stage, 0 once a row was taken for it."""
    return plan[P_SPREAD] + plan[P_COLUMNS] + c


@helper
def carried_force_at(plan, c):
    """Where u of an axis that rows alone move is."""
    return plan[P_SPREAD] + 2 * plan[P_COLUMNS] + c


@helper
def carried_size_at(plan, c):
    """Where the size is that the entries of column c would have, were nothing of them to cancel."""
    return plan[P_SPREAD] + 3 * plan[P_COLUMNS] + c


@helper
def bias_at(plan, r):
    """Where the right-hand side b of row r is in the scratch space."""
    return plan[P_NUMBERS] + r


@helper
def size_at(plan, r):
    """Where the squared length of row r is; −1 − c of one that was taken for the axis of column c."""
    return plan[P_NUMBERS] + plan[P_ROWS] + r


@helper
def scale_at(plan, r):
    """Where the square of what row r is made of, and its rounding is relative to, is in the scratch space."""
    return plan[P_NUMBERS] + 2 * plan[P_ROWS] + r


@helper
def mark_at(plan, r):
    """Where it says whether row r has been eliminated: 0 for redundant rows."""
    return plan[P_NUMBERS] + 3 * plan[P_ROWS] + r


@helper
def margin_at(plan):
    """Where the scratch space says how far the loops are from losing rank; behind it, which loop is nearest to that."""
    return plan[P_NUMBERS] + 4 * plan[P_ROWS]


@helper
def frame_a(loops, loop):
    """Fa in the stage a."""
    return load_pose(loops.geometry, geometry_at(loop) + G_A)


@helper
def frame_b(loops, loop):
    """Fb in the stage b."""
    return load_pose(loops.geometry, geometry_at(loop) + G_B)


@helper
def b_in_a(loops, loop):
    """Fb in the stage a."""
    return load_pose(loops.scratch, record_at(loops.plan, loop) + R_IN_A)
