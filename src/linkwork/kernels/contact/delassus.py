"""What forces on bodies do to a linkage: G = J P Jᵀ, the inverse inertia that its contacts see.

P is the inverse mass matrix, loops and couplings already met. Neither is ever formed: what `aba`, or `closed_forward`,
has left in its work space is a factorisation of P. A wrench p on a stage, handed up to the root, gives one number per
axis that it passes, y = Sᵀ p, p ← Xᵀ (p − U D⁻¹ y), and one per row of the loops that close on the way, β = B D^(−½) y,
p ← p − Kᵀ β; and of two wrenches

    p_aᵀ P p_b = Σ y_a D⁻¹ y_b − Σ β_a β_b,

sums over what both pass; `loop_rows` tells of axes without inertia. Six unit wrenches per body that is touched, at its
origin and in its frame, say all of it: a contact's rows are combinations of those of its bodies, and G is made of their
products.

======= ================================================================================================================
here    meaning
======= ================================================================================================================
S, D    axis of a joint, and its articulated inertia Sᵀ U; U = IA S; as in `aba` and `embedding`
B, K    rows of the loops as eliminated, see `embedding`
Y       (6 × (nv + rows)): D^(−½) y, then β, of six unit wrenches on a body
Z       (3n × (nv + rows)): the same of unit forces at the contacts, along their normals and tangents
======= ================================================================================================================

References: [Featherstone2008] 7.3; [Jain2009].
"""

import math

from linkwork.kernels.algebra.spatial import (
    Wrench,
    articulated_minus,
    articulated_mul,
    compose,
    power,
    wrench_to_parent,
)
from linkwork.kernels.algebra.storage import (
    load_articulated,
    load_wrench,
    store_wrench,
)
from linkwork.kernels.algebra.vec3 import Vec3, cross, dot, scale, sub, tmul
from linkwork.kernels.contact.loop_rows import close_rows, less, of_taken_rows
from linkwork.kernels.joints import axes_of, has_one_axis, joint_axis
from linkwork.kernels.layout import N_STAGES, N_V
from linkwork.kernels.layout.loops import A_R, A_ROOT, A_U, AXIS, P_ROWS
from linkwork.kernels.numba_ext import helper
from linkwork.kernels.records import (
    armature_at,
    inertia_at,
    joint_at,
    load_xform,
    parent_of,
    stage_at,
)


@helper
def tree_axes(model, index, work, axes):
    """Write U, 1/D and its root of every degree of freedom to `axes` (AXIS · nv), from what `aba` has left.

    As `closed_forward` leaves them in its scratch space: joints of several axes are eliminated one axis at a time.
    """
    for i in range(index[N_STAGES]):
        _, kind, _, d = stage_at(index, i)
        if has_one_axis(kind):
            r = work[joint_at(i)]
            store_wrench(axes, AXIS * d + A_U, load_wrench(work, inertia_at(i)))
            axes[AXIS * d + A_R], axes[AXIS * d + A_ROOT] = r, math.sqrt(r)
        elif axes_of(kind) > 0:
            A = load_articulated(work, inertia_at(i))
            for j in range(axes_of(kind)):
                S = joint_axis(model, i, kind, j)
                U = articulated_mul(A, S)
                r = 1.0 / (power(S, U) + model[armature_at(index, d + j)])
                k = AXIS * (d + j)
                store_wrench(axes, k + A_U, U)
                axes[k + A_R], axes[k + A_ROOT] = r, math.sqrt(r)
                A = articulated_minus(A, U, r)


@helper
def world_pose(index, work, i):
    """Where stage i stands in the world, from the transforms of its ancestors."""
    X = load_xform(work, i)
    i = parent_of(index, i)
    while i >= 0:
        X = compose(load_xform(work, i), X)
        i = parent_of(index, i)
    return X


@helper
def span_of(index, stage):
    """The columns of Y and Z that a wrench on a stage may write to, beside those of loops: of the axes it passes."""
    _, kind, _, d = stage_at(index, stage)
    end = d + axes_of(kind)
    while stage >= 0:
        stage, _, _, d = stage_at(index, stage)
    return d, end


@helper
def spans_of(index, stages):
    """`span_of` both sides of a contact, as two that do not overlap."""
    low = high = low2 = high2 = 0
    if stages[0] >= 0:
        low, high = span_of(index, stages[0])
    if stages[1] >= 0:
        low2, high2 = span_of(index, stages[1])
    if low < high2 and low2 < high:
        low, high, low2, high2 = min(low, low2), max(high, high2), 0, 0
    return low, high, low2, high2


@helper
def hand_up(model, index, work, axes, first, loops, stage, p, q, r, Y, row):
    """Add to rows row … row + 2 of Y what wrenches p, q and r on a stage give on their way to the root.

    Three at once, because each by itself would wait for its own results.
    """
    nv, i, y_p, y_q, y_r = index[N_V], stage, Y[row], Y[row + 1], Y[row + 2]
    while i >= 0:
        parent, kind, _, d = stage_at(index, i)
        if loops is not None:
            p = close_rows(index, loops, i, nv, y_p, p)
            q = close_rows(index, loops, i, nv, y_q, q)
            r = close_rows(index, loops, i, nv, y_r, r)
        for j in range(axes_of(kind)):
            k = first + AXIS * (d + j)
            S, U = joint_axis(model, i, kind, j), load_wrench(axes, k + A_U)
            inverse, root = axes[k + A_R], axes[k + A_ROOT]
            x, y, z = power(S, p), power(S, q), power(S, r)
            y_p[d + j] += root * x
            y_q[d + j] += root * y
            y_r[d + j] += root * z
            p, q, r = less(p, inverse * x, U), less(q, inverse * y, U), less(r, inverse * z, U)
        X = load_xform(work, i)
        p, q, r = wrench_to_parent(X, p), wrench_to_parent(X, q), wrench_to_parent(X, r)
        i = parent
    if loops is not None:
        n = index[N_STAGES]
        close_rows(index, loops, n, nv, y_p, p)
        close_rows(index, loops, n, nv, y_q, q)
        close_rows(index, loops, n, nv, y_r, r)


@helper
def columns_of(model, index, work, axes, first, loops, stage, Y):
    """The six rows of Y: what six unit wrenches on a stage, three forces, three moments, give on their way."""
    nv = index[N_V]
    rows = 0 if loops is None else loops.plan[P_ROWS]
    low, high = span_of(index, stage) if loops is None else (0, nv)
    for c in range(6):
        y = Y[c]
        for k in range(low, high):
            y[k] = 0.0
        for k in range(nv, nv + rows):
            y[k] = 0.0
    o, x, y, z = Vec3(0.0, 0.0, 0.0), Vec3(1.0, 0.0, 0.0), Vec3(0.0, 1.0, 0.0), Vec3(0.0, 0.0, 1.0)
    hand_up(model, index, work, axes, first, loops, stage, Wrench(x, o), Wrench(y, o), Wrench(z, o), Y, 0)
    hand_up(model, index, work, axes, first, loops, stage, Wrench(o, x), Wrench(o, y), Wrench(o, z), Y, 3)


@helper
def row_of(at, r, frame, axis):
    """The wrench, in the stage's frame, of a unit force at the world point r along one axis of a contact's frame.

    It is the row of X as well: times the stage's twist it is the velocity of the point along that axis.
    """
    f = tmul(at.R, Vec3(frame[3 * axis], frame[3 * axis + 1], frame[3 * axis + 2]))
    return Wrench(f, cross(tmul(at.R, sub(Vec3(r[0], r[1], r[2]), at.p)), f))


@helper
def signed_rows(at, r, frame, sign):
    """`row_of` all three axes, times a sign."""
    f, t, b = row_of(at, r, frame, 0), row_of(at, r, frame, 1), row_of(at, r, frame, 2)
    return (
        Wrench(scale(sign, f.f), scale(sign, f.n)), Wrench(scale(sign, t.f), scale(sign, t.n)),
        Wrench(scale(sign, b.f), scale(sign, b.n)),
    )  # fmt: skip


@helper
def add_contact(at, r, frame, sign, Y, low, high, Z, row):
    """Add to rows row … row + 2 of Z what a contact makes of columns low … high − 1 of Y of one of its bodies.

    Returns the square of the size that the row of the normal would have if nothing in it cancelled.
    """
    reach, away = 0.0, sub(Vec3(r[0], r[1], r[2]), at.p)
    arm = math.sqrt(dot(away, away))
    for axis in range(3):
        w = row_of(at, r, frame, axis)
        z = Z[row + axis]
        f, n = scale(sign, w.f), scale(sign, w.n)
        for k in range(low, high):
            z[k] += (
                f.x * Y[0, k] + f.y * Y[1, k] + f.z * Y[2, k] + n.x * Y[3, k] + n.y * Y[4, k] + n.z * Y[5, k]
            )  # fmt: skip
        if axis == 0:
            for k in range(low, high):
                size = (
                    abs(f.x * Y[0, k]) + abs(f.y * Y[1, k]) + abs(f.z * Y[2, k])
                    + arm * (abs(Y[3, k]) + abs(Y[4, k]) + abs(Y[5, k]))
                )  # fmt: skip
                reach += size * size
    return reach


@helper
def is_met(stages, begin, end, stage):
    """Whether a stage is met by contacts begin … end − 1."""
    met = False
    for k in range(begin, end):
        met = met or stages[k, 0] == stage or stages[k, 1] == stage
    return met


@helper
def square_root(model, index, work, axes, first, loops, n, stages, points, frames, Y, Z, reach):
    """Z of n contacts; and, in `reach` (n), where it is no None, what G_nn would be if nothing cancelled.

    Where it is far above G_nn, no joint moves the point along its normal. Arguments are those of `delassus`. Returns
    how many columns are not zero, at most. A body that is touched once needs no six wrenches, but its contact's three.
    """
    width = index[N_V] if loops is None else index[N_V] + loops.plan[P_ROWS]
    for i in range(3 * n):
        for k in range(width):
            Z[i, k] = 0.0
    if reach is not None:
        for k in range(n):
            reach[k] = 0.0
    columns = 0
    for k in range(n):
        for side in range(2):
            stage = stages[k, side]
            if stage < 0 or is_met(stages, 0, k, stage) or (side == 1 and stages[k, 0] == stage):
                continue
            at = world_pose(index, work, stage)
            low, high = span_of(index, stage) if loops is None else (0, width)
            columns += high - low
            if reach is None and loops is None and not is_met(stages, k + 1, n, stage):
                p, q, r = signed_rows(at, points[k], frames[k], 1.0 - 2.0 * side)
                hand_up(model, index, work, axes, first, None, stage, p, q, r, Z, 3 * k)
                continue
            columns_of(model, index, work, axes, first, loops, stage, Y)
            for other in range(k, n):
                for its in range(2):
                    if stages[other, its] == stage:
                        sign = 1.0 - 2.0 * its
                        size = add_contact(at, points[other], frames[other], sign, Y, low, high, Z, 3 * other)
                        if reach is not None:
                            reach[other] += size
    return min(columns, width)


@helper
def products(index, loops, n, stages, Z, G):
    """G from its square root Z: rows of loops count against the axes."""
    nv = index[N_V]
    width = nv if loops is None else nv + loops.plan[P_ROWS]
    for a in range(n):
        low, high, low2, high2 = spans_of(index, stages[a]) if loops is None else (0, nv, 0, 0)
        for i in range(3 * a, 3 * a + 3):
            for j in range(i + 1):
                x = 0.0
                for k in range(low, high):
                    x += Z[i, k] * Z[j, k]
                for k in range(low2, high2):
                    x += Z[i, k] * Z[j, k]
                for k in range(nv, width):
                    x -= Z[i, k] * Z[j, k]
                G[i, j] = G[j, i] = x if loops is None else x + of_taken_rows(index, loops, Z[i], Z[j])


@helper
def delassus(model, index, work, axes, first, loops, n, stages, points, frames, Y, Z, G):
    """G (3n × 3n) of n contacts, and Z (3n × (nv + rows)), the square root that `response` needs.

    Parameters
    ----------
    axes, first
        Records of the axes, and where they start: (axes, 0) of `tree_axes` for a tree; the scratch space of the loops
        and ``plan[P_AXES]`` after `closed_forward` or `closed_step`.
    loops : Loops or None
    stages : (n, 2) integers
        The stage that each contact acts on, and the one that it acts against; −1 for ground.
    points : (n, 3), frames : (n, 9)
        Points and (normal, first tangent, second tangent) in the world.
    Y : (6, nv + rows)
        Scratch space.
    """
    square_root(model, index, work, axes, first, loops, n, stages, points, frames, Y, Z, None)
    products(index, loops, n, stages, Z, G)
