"""Stages of a linkage at rest, in the axes of the world, one record per stage.

Seen so, what a joint hands up to its parent needs no turning, and forces act as they are given. What remains, the axes
of every stage and its own inertia in them, is found for four stages at a time, a stage in each lane of a pack.
"""

from linkwork.kernels.algebra.rows import Rows, combined, load_row_mat, load_rows, rigid_rows, store_rows
from linkwork.kernels.algebra.trigonometry import sincos
from linkwork.kernels.algebra.vec3 import Mat3, Sym3, Vec3, mul, rotate_sym, transpose, turn_z
from linkwork.kernels.joints import has_one_axis, joint_xform
from linkwork.kernels.layout import (
    FIXED,
    M_INERTIA,
    M_MASS,
    M_POSITION,
    M_ROTATION,
    M_SLIDE,
    N_STAGES,
)
from linkwork.kernels.numba_ext import four, helper, inlined, load, load4, prefetch, store4, transpose4
from linkwork.kernels.records import model_row, stage_at

# A record: the axes of the stage, then where it is from its parent's origin, a vector each; then its inertia, a vector
# for each row. Behind the vectors, which have three numbers, are a single number each: nothing, the body's own inertia
# along a single axis, armature, mass; and the first moment. In the place of the inertia come U, with 1/D and u behind
# its two vectors, then the stage's acceleration.
RECORD = 28
R_AXES, R_OWN, R_Z, R_ARMATURE, R_POSITION, R_MASS, R_INERTIA, R_MOMENT = 0, 7, 8, 11, 12, 15, 16, 19
ASK = 16  # stages by which sweeps ask for what they will need
CHUNK = 32  # stages whose records stay in the nearest cache from one loop over them to the next; a multiple of four


@helper
def record_at(i):
    return RECORD * i


@helper
def load_axes(work, i):
    """The rotation from the frame of stage i to the world's axes."""
    return transpose(load_row_mat(work, record_at(i) + R_AXES))


@helper
def load_own_inertia(work, i):
    """The inertia of the body of stage i."""
    k = record_at(i)
    h = k + R_MOMENT
    J = load_rows(work, k + R_INERTIA)
    return rigid_rows(load(work, k + R_MASS), load(work, h), load(work, h + 4), load(work, h + 8), J)


@helper
def load_lanes(array, k, offset):
    """The four numbers at each of the places k + offset, as four packs with a lane for each place."""
    a, b, c, d = k
    return transpose4(
        load4(array, a + offset), load4(array, b + offset), load4(array, c + offset), load4(array, d + offset)
    )  # fmt: skip


@helper
def store_lanes(array, k, offset, x, y, z, w):
    """Write such packs."""
    a, b, c, d = transpose4(x, y, z, w)
    store4(array, k[0] + offset, a)
    store4(array, k[1] + offset, b)
    store4(array, k[2] + offset, c)
    store4(array, k[3] + offset, d)


@helper
def places(i, last):
    """Where the model's rows and the records of four stages from i on are; `last` stands for those beyond it."""
    j, k, m = min(i + 1, last), min(i + 2, last), min(i + 3, last)
    return (
        (model_row(i), model_row(j), model_row(k), model_row(m)),
        (record_at(i), record_at(j), record_at(k), record_at(m)),
    )  # fmt: skip


@helper
def coordinate(index, q, i):
    """The coordinate of a joint with a single axis, 0 for others."""
    _, kind, k, _ = stage_at(index, i)
    return load(q, k) if has_one_axis(kind) else 0.0


@inlined
def stand_in_parents(model, index, work, q, i, last):
    """Axes and positions of four stages as seen from their parents: those of screws, and of joints that do not move."""
    rows, records = places(i, last)
    angle = four(
        coordinate(index, q, i), coordinate(index, q, min(i + 1, last)), coordinate(index, q, min(i + 2, last)),
        coordinate(index, q, min(i + 3, last)),
    )  # fmt: skip
    xx, xy, xz, yx = load_lanes(model, rows, M_ROTATION)
    yy, yz, zx, zy = load_lanes(model, rows, M_ROTATION + 4)
    zz, x, y, z = load_lanes(model, rows, M_POSITION - 1)
    slide, turn, _, _ = load_lanes(model, rows, M_SLIDE)
    s, c = sincos(turn * angle)
    R, lift = turn_z(Mat3(xx, xy, xz, yx, yy, yz, zx, zy, zz), s, c), slide * angle
    zero = 0.0 * lift
    store_lanes(work, records, R_AXES, R.xx, R.yx, R.zx, zero)
    store_lanes(work, records, R_AXES + 4, R.xy, R.yy, R.zy, zero)
    store_lanes(work, records, R_Z, R.xz, R.yz, R.zz, zero)
    store_lanes(work, records, R_POSITION, x + lift * xz, y + lift * yz, z + lift * zz, zero)


@inlined
def stand_in_world(model, index, work, q, i):
    """The same of stage i in the world's axes, its parent's being there."""
    parent, kind, k, _ = stage_at(index, i)
    at = record_at(i)
    if kind != FIXED and not has_one_axis(kind):
        X = joint_xform(model, i, kind, q, k)
        R, p = X.R, X.p
        axes = Rows(four(R.xx, R.yx, R.zx, 0.0), four(R.xy, R.yy, R.zy, 0.0), four(R.xz, R.yz, R.zz, 0.0))
        store_rows(work, at + R_AXES, axes)
        store4(work, at + R_POSITION, four(p.x, p.y, p.z, 0.0))
    if parent >= 0:
        axes = load_rows(work, record_at(parent) + R_AXES)
        for column in range(at, at + R_POSITION + 4, 4):
            store4(work, column, combined(load4(work, column), axes))


@inlined
def turn_inertias(model, work, i, last):
    """The inertias of four stages in the world's axes, and what their joints have of their own."""
    rows, records = places(i, last)
    xx, yx, zx, _ = load_lanes(work, records, R_AXES)
    xy, yy, zy, _ = load_lanes(work, records, R_AXES + 4)
    xz, yz, zz, _ = load_lanes(work, records, R_Z)
    px, py, pz, _ = load_lanes(work, records, R_POSITION)
    mass, x, y, z = load_lanes(model, rows, M_MASS)
    ixx, ixy, ixz, iyy = load_lanes(model, rows, M_INERTIA)
    iyz, izz, slide, turn = load_lanes(model, rows, M_INERTIA + 4)
    _, _, _, armature = load_lanes(model, rows, M_SLIDE)
    E = Mat3(xx, xy, xz, yx, yy, yz, zx, zy, zz)
    h, I = mul(E, Vec3(x, y, z)), rotate_sym(E, Sym3(ixx, ixy, ixz, iyy, iyz, izz))  # noqa: E741
    store_lanes(work, records, R_AXES + 4, xy, yy, zy, slide * slide * mass + turn * turn * izz)
    store_lanes(work, records, R_Z, xz, yz, zz, armature)
    store_lanes(work, records, R_POSITION, px, py, pz, mass)
    store_lanes(work, records, R_INERTIA, I.xx, I.xy, I.xz, h.x)
    store_lanes(work, records, R_INERTIA + 4, I.xy, I.yy, I.yz, h.y)
    store_lanes(work, records, R_INERTIA + 8, I.xz, I.yz, I.zz, h.z)


@helper
def ask_for(array, k):
    """Ask for the row that begins at k, of the model or of a record."""
    for line in range(k, k + RECORD, 8):
        prefetch(array, line)


@inlined
def look_ahead(model, index, work, q, i):
    """Ask for the rows of stage i, its coordinate and its parent's axes: in a large tree these may lie anywhere."""
    parent, kind, k, _ = stage_at(index, i)
    if kind != FIXED:
        prefetch(q, k)
    if parent >= 0:
        prefetch(work, record_at(parent))
    ask_for(model, model_row(i))
    ask_for(work, record_at(i))


@helper
def make_records(model, index, work, q, begin, end):
    """The records of the stages from `begin` to `end`, those of all before being there."""
    for first in range(begin, end, CHUNK):
        last = min(first + CHUNK, end) - 1
        for i in range(first, last + 1, 4):
            for ahead in range(i + ASK, min(i + ASK + 4, index[N_STAGES])):
                look_ahead(model, index, work, q, ahead)
            stand_in_parents(model, index, work, q, i, last)
        for i in range(first, last + 1):
            stand_in_world(model, index, work, q, i)
        for i in range(first, last + 1, 4):
            turn_inertias(model, work, i, last)
