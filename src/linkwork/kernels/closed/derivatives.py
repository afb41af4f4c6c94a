"""Derivatives of the forward dynamics of closed linkages: one elimination of the loops, then columns in packs.

Of [[H, −Jᵀ], [J, 0]] δ(a, λ) = −δ(R1, R2) the left side is what `linkwork.kernels.closed.embedding` eliminates, and has
eliminated when it found a. Its two sweeps are repeated for the columns of δ(R1, R2), at rest and eight of them
at a time: torques −δR1 and right-hand sides −δR2 of the rows. All is in the frame of
`linkwork.kernels.tree.derivatives`, so that wrenches and accelerations need no transforms on their way.

======= ================================================================================================================
here    meaning
======= ================================================================================================================
S, U, r axis, IA S and 1/D of a degree of freedom; root is √r
K, B    rows of the loops as eliminated, and the square root of the matrix of the rows with each other
h       −δR2 of the rows as they were, then of those as eliminated, T h; by q, and behind that by v
x       columns of −δR1, then of δa
y       columns of the rows: μ = T h − B √r u, less K a on the way back
======= ================================================================================================================
"""

from typing import Any, NamedTuple

from linkwork.kernels.algebra.spatial import Motion, Wrench, power, wrench_add, wrench_to_parent
from linkwork.kernels.algebra.storage import load_motion, load_pose, load_wrench, store_motion, store_wrench
from linkwork.kernels.algebra.vec3 import Vec3, add, scale
from linkwork.kernels.closed.carried import carried_column
from linkwork.kernels.closed.embedding import closed_forward
from linkwork.kernels.closed.loop_derivatives import add_coupling, add_loop, place_wrenches
from linkwork.kernels.closed.records import (
    Loops,
    axis_record_at,
    basis_at,
    ends_here,
    loop_at,
    mark_at,
    row_at,
    slot_at,
    slots_of,
    state_row,
)
from linkwork.kernels.closed.row_places import covers
from linkwork.kernels.joints import axes_of
from linkwork.kernels.layout import FREE, N_STAGES, N_V, OK, SINGULAR
from linkwork.kernels.layout.derivatives import C_AXIS, C_COLUMN, C_R, C_U, COLUMN_ROW, COLUMNS, D_POSE
from linkwork.kernels.layout.loops import (
    A_R,
    A_U,
    COUPLING,
    P_BASIS,
    P_COLUMN,
    P_COLUMNS,
    P_LOOPS,
    P_ROWS,
    P_STEPS,
)
from linkwork.kernels.numba_ext import helper, load, scalar, separate, store
from linkwork.kernels.records import finite, stage_at, status
from linkwork.kernels.tree.derivatives import fill_in, prepare
from linkwork.kernels.tree.element_derivatives import rates_at, record_at
from linkwork.kernels.tree.forces import has_forces


class Room(NamedTuple):
    """Scratch of one state, in floats: (nv) four times, two of the rows, h, the loop at hand, axes; and in packs."""

    a: Any
    total: Any
    force: Any
    left: Any
    h: Any
    local: Any
    axes: Any  # `COLUMN_ROW` per degree of freedom
    x: Any  # nv packs
    y: Any  # rows
    u: Any  # nv
    spread: Any  # columns
    motion: Any  # six per stage
    x_flat: Any  # x and y once more, as numbers
    y_flat: Any


@helper
def eliminated_rows(index, loops, h):
    """T h: the steps of the elimination, done to right-hand sides by q and by v."""
    plan, scratch = loops.plan, loops.scratch
    n = index[N_STAGES]
    by_v = plan[P_STEPS] - plan[P_BASIS]
    for i in range(n - 1, -2, -1):
        s, end = slots_of(plan, i if i >= 0 else n)
        while s < end and ends_here(plan, s):
            loop = loop_at(plan, slot_at(plan, s).loop)
            step = plan[P_STEPS] + loop.steps
            for _ in range(loop.rows):
                pivot = int(scratch[step])
                if pivot < 0:
                    break
                row, length = basis_at(plan, loop, pivot) - plan[P_BASIS], scratch[step + 1]
                step += 2
                for c in range(row + loop.low, row + loop.high):
                    h[c] /= length
                    h[by_v + c] /= length
                for r in range(loop.rows):
                    subtract(h, by_v, loop, row, basis_at(plan, loop, r) - plan[P_BASIS], scratch[step])
                    step += 1
                for other_slot in range(s + 1, end):
                    other = loop_at(plan, slot_at(plan, other_slot).loop)
                    if covers(other, loop):
                        for r in range(other.rows):
                            subtract(h, by_v, loop, row, basis_at(plan, other, r) - plan[P_BASIS], scratch[step])
                            step += 1
            s += 1


@helper
def subtract(h, by_v, loop, row, target, t):
    """Take t times one row of h off another one, in the columns of a loop."""
    if t != 0.0:
        for c in range(loop.low, loop.high):
            h[target + c] -= t * h[row + c]
            h[by_v + target + c] -= t * h[by_v + row + c]


@helper
def tabulate_axes(index, work, loops, axes):
    """S, U, r and √r of every degree of freedom side by side, and K of the eliminated rows, in the common frame."""
    plan, scratch = loops.plan, loops.scratch
    for i in range(index[N_STAGES]):
        _, kind, _, d0 = stage_at(index, i)
        X, column = load_pose(work, record_at(index, i) + D_POSE), plan[plan[P_COLUMN] + i]
        for d in range(d0, d0 + axes_of(kind)):
            k, at = axis_record_at(plan, d), COLUMN_ROW * d
            store_motion(axes, at + C_AXIS, load_motion(work, rates_at(index, d)))
            store_wrench(axes, at + C_U, wrench_to_parent(X, load_wrench(scratch, k + A_U)))
            axes[at + C_R], axes[at + C_R + 1] = scratch[k + A_R], scratch[k + A_R + 1]
            axes[at + C_COLUMN] = column + d - d0 if column >= 0 else -1
        s, end = slots_of(plan, i)
        while s < end and ends_here(plan, s):
            slot = slot_at(plan, s)
            for r in range(loop_at(plan, slot.loop).rows):
                K = row_at(plan, slot.at, r)
                store_wrench(scratch, K, wrench_to_parent(X, load_wrench(scratch, K)))
            s += 1


@helper
def close_inward(loops, s, y, spread, p):
    """The rows of slot s on the way to the root: y = T h − B √r u, and p less K y."""
    plan, scratch = loops.plan, loops.scratch
    slot = slot_at(plan, s)
    loop = loop_at(plan, slot.loop)
    for r in range(loop.rows):
        if scratch[mark_at(plan, loop.row + r)] != 0.0:
            x, B = load(y, loop.row + r), basis_at(plan, loop, r)
            for c in range(loop.low, loop.high):
                x -= scratch[B + c] * load(spread, c)
            store(y, loop.row + r, x)
            K = load_wrench(scratch, row_at(plan, slot.at, r))
            p = Wrench(add(p.f, scale(-1.0 * x, K.f)), add(p.n, scale(-1.0 * x, K.n)))
    return p


@helper
def close_outward(loops, s, y, spread, a):
    """The rows of slot s on the way back: μ = y − K a, and Bᵀ μ for the axes."""
    plan, scratch = loops.plan, loops.scratch
    slot = slot_at(plan, s)
    loop = loop_at(plan, slot.loop)
    for r in range(loop.rows):
        if scratch[mark_at(plan, loop.row + r)] != 0.0:
            x = load(y, loop.row + r) - power(a, load_wrench(scratch, row_at(plan, slot.at, r)))
            B = basis_at(plan, loop, r)
            for c in range(loop.low, loop.high):
                store(spread, c, load(spread, c) + x * scratch[B + c])


@separate
def solve_columns(index, plan, geometry, scratch, axes, x, u, spread, y, motion):
    """A pack of columns: x from −δR1 to δa, with T h of the rows in y."""
    loops = Loops(plan, geometry, scratch)
    n, zero = index[N_STAGES], scalar(x, 0.0)
    o = Vec3(zero, zero, zero)
    for k in range(6 * n):
        store(motion, k, zero)
    for i in range(n - 1, -1, -1):
        parent, kind, _, d0 = stage_at(index, i)
        p = load_wrench(motion, 6 * i)
        s, end = slots_of(plan, i)
        while s < end and ends_here(plan, s):
            p = close_inward(loops, s, y, spread, p)
            s += 1
        column = plan[plan[P_COLUMN] + i]
        for j in range(axes_of(kind)):
            at = COLUMN_ROW * (d0 + j)
            force = load(x, d0 + j) - power(load_motion(axes, at + C_AXIS), p)
            store(u, d0 + j, force)
            if column >= 0:
                store(spread, column + j, axes[at + C_R + 1] * force)
            force = axes[at + C_R] * force
            U = load_wrench(axes, at + C_U)
            p = Wrench(add(p.f, scale(force, U.f)), add(p.n, scale(force, U.n)))
        if parent >= 0 and kind != FREE:
            store_wrench(motion, 6 * parent, wrench_add(load_wrench(motion, 6 * parent), p))
    s, end = slots_of(plan, n)
    for slot in range(s, end):  # loops that close on ground
        close_inward(loops, slot, y, spread, Wrench(o, o))
    for c in range(plan[P_COLUMNS]):
        store(spread, c, zero)
    for slot in range(s, end):
        close_outward(loops, slot, y, spread, Motion(o, o))
    for i in range(n):
        parent, kind, _, d0 = stage_at(index, i)
        a = Motion(o, o) if parent < 0 else load_motion(motion, 6 * parent)
        column = plan[plan[P_COLUMN] + i]
        for j in range(axes_of(kind) - 1, -1, -1):
            at = COLUMN_ROW * (d0 + j)
            z = axes[at + C_R] * (load(u, d0 + j) - power(a, load_wrench(axes, at + C_U)))
            if column >= 0:
                z += axes[at + C_R + 1] * load(spread, column + j)
            store(x, d0 + j, z)
            S = load_motion(axes, at + C_AXIS)
            a = Motion(add(a.v, scale(z, S.v)), add(a.w, scale(z, S.w)))
        store_motion(motion, 6 * i, a)
        s, end = slots_of(plan, i)
        while s < end and ends_here(plan, s):
            close_outward(loops, s, y, spread, a)
            s += 1


@helper
def write_rows(loops, axes, h, by, first, count, flat):
    """T h of the columns of degrees of freedom `first` and on, by q (`by` 0) or by v, as packs."""
    plan, scratch = loops.plan, loops.scratch
    for k in range(flat.shape[0]):
        flat[k] = 0.0
    for lane in range(count):
        c = int(axes[COLUMN_ROW * (first + lane) + C_COLUMN])
        if c < 0:
            continue
        for number in range(plan[P_LOOPS]):
            loop = loop_at(plan, number)
            if loop.low <= c < loop.high:
                for r in range(loop.rows):
                    if scratch[mark_at(plan, loop.row + r)] != 0.0:
                        flat[COLUMNS * (loop.row + r) + lane] = h[by + basis_at(plan, loop, r) - plan[P_BASIS] + c]


@helper
def solve_matrix(index, loops, room, A, width, sign, by):
    """δa of all columns of ± A, nv × `width`, in place; `by` as in `write_rows`, −1 where rows have nothing."""
    nv, flat = index[N_V], room.x_flat
    for first in range(0, width, COLUMNS):
        count = min(COLUMNS, width - first)
        for d in range(nv):
            for lane in range(COLUMNS):
                flat[COLUMNS * d + lane] = sign * A[d * width + first + lane] if lane < count else 0.0
        write_rows(loops, room.axes, room.h, by, first, count if by >= 0 else 0, room.y_flat)
        solve_columns(
            index, loops.plan, loops.geometry, loops.scratch, room.axes, room.x, room.u, room.spread, room.y,
            room.motion,
        )  # fmt: skip
        for d in range(nv):
            for lane in range(count):
                A[d * width + first + lane] = flat[COLUMNS * d + lane]


@helper
def forward_closed(model, index, work, table, loops, q, v, tau, f_ext, loop_tau, room):
    """a and the forces of the rows; SINGULAR where an axis without inertia is left to rows, which dense matrices do."""
    outcome = closed_forward(
        model, index, work, table, loops.plan, loops.geometry, loops.scratch, q, v, tau, f_ext, loop_tau,
        room.a, room.force, room.left, room.total,
    )  # fmt: skip
    if outcome == OK:
        for r in range(loops.plan[P_ROWS]):
            if carried_column(loops.plan, loops.scratch, r) >= 0:
                return status(SINGULAR, 0)
    return outcome


@helper
def closed_derivatives(model, index, work, table, loops, q, v, tau, f_ext, loop_tau, room, dq, dv, dtau):
    """∂a/∂q, ∂a/∂v (nv × nv) and ∂a/∂τ (nv × nv, or nv × (nv + nv_loop)) of one state."""
    outcome = forward_closed(model, index, work, table, loops, q, v, tau, f_ext, loop_tau, room)
    if outcome != OK:
        return outcome
    plan, nv = loops.plan, index[N_V]
    width = dtau.shape[0] // nv
    loaded = f_ext.shape[0] > 0 or has_forces(table)
    place_wrenches(index, work, loops, room.force, loop_tau, loaded)
    prepare(model, index, work, table, True, loaded, q, v, room.a, f_ext)
    fill_in(model, index, work, table, loaded, False, False, q, v, dq, dv)
    for k in range(room.h.shape[0]):
        room.h[k] = 0.0
    for k in range(dtau.shape[0]):
        dtau[k] = 0.0
    for number in range(plan[P_LOOPS]):
        if loop_at(plan, number).kind == COUPLING:
            add_coupling(loops, number, q, v, room.a, room.force, room.h, dq)
        else:
            add_loop(
                model, index, work, loops, number, room.force, loop_tau, room.local, room.h, dq, dv, dtau, width
            )  # fmt: skip
    for d in range(nv):
        dtau[d * width + d] = 1.0
    eliminated_rows(index, loops, room.h)
    tabulate_axes(index, work, loops, room.axes)
    solve_matrix(index, loops, room, dq, nv, -1.0, 0)
    solve_matrix(index, loops, room, dv, nv, -1.0, plan[P_STEPS] - plan[P_BASIS])
    solve_matrix(index, loops, room, dtau, width, 1.0, -1)
    total = 0.0
    for d in range(nv):
        total += dq[d * nv + d] + dv[d * nv + d] + dtau[d * width + d]
    return finite(total)


@helper
def each_closed_derivatives(tree, loops, arrays, room, results, states):
    """`closed_derivatives` of the states ``states`` (begin, end); the first status that is not OK, and its state.

    `tree` is (model, index, work, table). `arrays` are (B, n): q, v, tau with the torques of loop joints behind the
    tree's, f_ext, each with one row per state or one for all. `results` are (B, n) too.
    """
    model, index, work, table = tree
    loops, room, nv = Loops(*loops), Room(*room), index[N_V]
    for k in range(states[0], states[1]):
        q, v = arrays[0][state_row(arrays[0], k)], arrays[1][state_row(arrays[1], k)]
        tau, f_ext = arrays[2][state_row(arrays[2], k)], arrays[3][state_row(arrays[3], k)]
        outcome = closed_derivatives(
            model, index, work, table, loops, q, v, tau[:nv], f_ext, tau[nv:], room,
            results[0][k], results[1][k], results[2][k],
        )  # fmt: skip
        if outcome != OK:
            return outcome, k
    return OK, states[1]
