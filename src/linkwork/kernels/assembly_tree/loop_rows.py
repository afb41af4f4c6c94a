"""Rows of loops in the parts of a linkage: how divide and conquer takes loop joints and couplings.

A row of a constraint reads Σ K aₑ + Σ e q̈ = b, the first sum over the two bodies of a loop joint, the second over the
two joints of a coupling; its force λ acts on the same bodies as Kᵀ λ, on the joints as e λ. A part in which only one
end of a row lies is *open* to it: λ goes into the part, what the part contributes to the row comes out,

    f₁ = I a₁ − Tᵀ f₂ − Kᵀ λ + …     a₂ = T a₁ + Φ f₂ + Pᵀ λ + …     y = K a₁ + P f₂ + L λ + …                  [3]

which is [1] of `views` with (f₂, λ) in place of f₂ and (a₂, y) of a₂, so that every step there gives the one here:

- *hang*: k = K s + e; K −= r k uᵀ, P += r k tᵀ, L += r k kᵀ;
- see it from A's bottom body: K' = K X;
- *join*: a unit of λ moves B by X = V (P_Aᵀ + Φ_A K'ᵀ) and is borne by the joint as F = K_B X − K'ᵀ; so
  K_C = K_A − Fᵀ T_A, P_C = P + Xᵀ T'ᵀ, L_C = L_A + L_B + K' X − P_A F   (K_B: the inertia K of `main_pass`).

Where both ends lie inside, the row ends: y = b gives λ. With d its pivot in L and λ = −(y − b)/d − …,

    I += Kᵀ K / d,   T −= Pᵀ K / d,   Φ −= Pᵀ P / d,   and of every other row K, P, y and L in the same way.         [4]

All joints of the loop lie inside too, and the part's bottom is free: a row whose pivot vanishes is redundant wherever
the part may be, and is passed over. As in `views` all that [3] leaves out is stored as values at a reference
(a₁, f₂, λ).

An axis that has no inertia, that of a massless body, may still be moved by loops. It cannot be eliminated where it
is hung; so it becomes a row itself, q̈ in the place of λ and y = τ − sᵀ f, which is to be zero:

    K = −uᵀ,   P = tᵀ,   L = k of every other row,   L = −sᵀu − armature of its own.                              [5]

L is no longer definite then. It ends with the first loop that moves it, see `close_axes`; which one that is depends on
the pose, so the plan takes it on to the last of those that pass the body.
"""

from linkwork.kernels.algebra.block6 import (
    add_rows,
    add_scaled,
    add_tmv,
    clear_rows,
    copy_rows,
    copy_where,
    dot6,
    get_motion,
    get_wrench,
    mul_tmv,
    put_wrench,
    set_scaled,
    transpose_block,
    vector_to_parent,
)
from linkwork.kernels.algebra.vec3 import size
from linkwork.kernels.assembly_tree.row_views import (
    K_of,
    L_of,
    P_of,
    enters_on_body,
    entry_of,
    is_axis,
    lever_of,
    planned,
    row_in,
    rows_at,
    weight_of,
    wrench_of,
)
from linkwork.kernels.assembly_tree.views import along, axis, joint, part, scratch
from linkwork.kernels.layout import FREE
from linkwork.kernels.layout.nodes import KIND, LEAF, SCRATCH_ROWS, SUM, VECTOR
from linkwork.kernels.layout.rows import E_LEFT, E_RIGHT, ENTERS_AXIS, ENTERS_FOLLOWER, JOIN_ROWS, NUMBERS
from linkwork.kernels.numba_ext import helper, inlined, load
from linkwork.kernels.records import armature_at, load_xform


@helper
def enter_leaf(p, loops, c):
    """Put the rows at the body of leaf c, their forces at zero."""
    R = rows_at(loops, c)
    for j in range(R.n):
        put_wrench(p, K_of(R, j), wrench_of(loops, entry_of(loops, R, j)))
    p.flat[R.left : R.left + NUMBERS * R.n] = 0.0


@helper
def takes_axes(loops, c):
    """Whether the axes of the joint of special node c are rows, if need be."""
    R, found = rows_at(loops, c), False
    for j in range(R.n):
        found = found or entry_of(loops, R, j).enter == ENTERS_AXIS
    return found


@helper
def take_part(p, loops, c, side, b):
    """Add L and sizes of part b to those of node c; `side` is the column that says where its rows are."""
    if b < 0 or loops.special[b] < 0 or p.nodes[b, KIND] == LEAF:
        return
    R, B = rows_at(loops, c), rows_at(loops, b)
    for i in range(R.n):
        x = planned(loops, R, i, side)
        if x >= 0:
            p.flat[R.size + i] += p.flat[B.size + x]
        if row_in(p, loops, R, i, side, b) >= 0:
            for j in range(R.n):
                y = row_in(p, loops, R, j, side, b)
                if y >= 0:
                    p.flat[L_of(R, i, j)] += p.flat[L_of(B, x, y)]


@inlined
def made_along(p, loops, s, e, K):
    """What the product of an axis s and K of a row is made of."""
    w, lever = get_wrench(p, K), 0.0 if is_axis(e) else lever_of(loops, e)
    force = size(w.f)
    moment = size(w.n) + lever * force
    x = abs(s.alpha) * (force if s.i < 3 else moment) + abs(s.beta) * (force if s.j < 3 else moment)
    return x + abs(weight_of(loops, e))


@inlined
def made_by(p, loops, e, K, X, P, F):
    """What K X − P F of a row with itself is made of: of the motion X and the force F that a unit of it gives."""
    w, m, lever = get_wrench(p, K), get_motion(p, X), 0.0 if is_axis(e) else lever_of(loops, e)
    x = size(w.f) * size(m.v) + (size(w.n) + lever * size(w.f)) * size(m.w)
    if P >= 0:
        w, m = get_wrench(p, F), get_motion(p, P)
        x += size(w.f) * size(m.v) + (size(w.n) + lever * size(w.f)) * size(m.w)
    return x


@helper
def hold_axis(p, loops, c, k, s, inertia):
    """Make axis k, s, a row by [5], as it has no inertia but this; the other rows along it are in the scratch line."""
    R = rows_at(loops, c)
    for x in range(R.n):
        e = entry_of(loops, R, x)
        if e.enter != ENTERS_AXIS or e.index != k:
            continue
        made = 0.0
        for i in range(R.n):
            p.flat[L_of(R, x, i)] = p.flat[L_of(R, i, x)] = p.flat[R.scratch + i]
            made = max(made, made_along(p, loops, s, entry_of(loops, R, i), K_of(R, i)))
        p.flat[R.size + x] = made
        p.flat[L_of(R, x, x)] = -inertia
        add_scaled(p, K_of(R, x), -1.0, s.u)
        if part(p, c).has_bottom:
            copy_rows(p, P_of(R, x), s.t)


@helper
def hang_rows(p, loops, c):
    """The rows of B, which are in the node's own places, hung by the joint of node c and seen from above."""
    C, R, whole = part(p, c), rows_at(loops, c), True
    kind, d, nv = joint(p.index, C.stage)
    for i in range(R.n):
        if entry_of(loops, R, i).enter == ENTERS_AXIS:
            p.flat[R.size + i] = -1.0
    for k in range(nv):
        s = axis(p.model, C.stage, kind, C.axes, k)
        r = load(p.flat, s.r)
        for i in range(R.n):
            p.flat[R.scratch + i] = along(p, s, K_of(R, i)) + weight_of(loops, entry_of(loops, R, i))
        if r == 0.0:
            hold_axis(p, loops, c, k, s, along(p, s, s.u) + p.model[armature_at(p.index, d + k)])
            whole = False
            continue
        for i in range(R.n):
            x, e = r * p.flat[R.scratch + i], entry_of(loops, R, i)
            if not is_axis(e):
                p.flat[R.size + i] += r * made_along(p, loops, s, e, K_of(R, i)) ** 2
            if x == 0.0:  # as in planar loops, where most rows forbid what no joint does
                continue
            add_scaled(p, K_of(R, i), -x, s.u)
            if C.has_bottom:
                add_scaled(p, P_of(R, i), x, s.t)
            for j in range(R.n):
                p.flat[L_of(R, i, j)] += x * p.flat[R.scratch + j]
    if kind == FREE and whole:  # nothing passes a free joint, to the last digit
        clear_rows(p, R.K, VECTOR * R.n)
        return
    X = load_xform(p.work, C.stage)
    for i in range(R.n):
        vector_to_parent(p, X, K_of(R, i), K_of(R, i))


@inlined
def moved_by(p, j):
    """Addresses in the scratch: how a unit of row j's force moves B, X, and what the joint bears of it, F."""
    X = p.scratch + SCRATCH_ROWS + JOIN_ROWS * j
    return X, X + VECTOR


@helper
def join_rows(p, loops, c):
    """The rows of A over those of the hung part, with K and T'ᵀ in the scratch as `join` left them."""
    C, R, w = part(p, c), rows_at(loops, c), scratch(p)
    A, above = part(p, C.left), rows_at(loops, C.left)
    transpose_block(p, w.M, C.V)  # Vᵀ and T_A: their transposes are multiplied with below
    transpose_block(p, w.G2, A.T)
    for j in range(R.n):
        X, F = moved_by(p, j)
        up = row_in(p, loops, R, j, E_LEFT, C.left)
        copy_where(p, up >= 0, F, P_of(above, up))
        add_tmv(p, F, A.Phi, K_of(R, j), 1.0)
        mul_tmv(p, X, w.M, F, 1.0)
        set_scaled(p, F, -1.0, K_of(R, j))
        add_tmv(p, F, w.K, X, 1.0)
    for i in range(R.n):
        e, up = entry_of(loops, R, i), row_in(p, loops, R, i, E_LEFT, C.left)
        for j in range(i + 1):
            (X, F), x = moved_by(p, j), 0.0
            if e.right >= 0 or e.enter >= ENTERS_FOLLOWER:
                x += dot6(p, K_of(R, i), X)
            if up >= 0:
                x -= dot6(p, P_of(above, up), F)
            p.flat[L_of(R, i, j)] += x
            if i != j:
                p.flat[L_of(R, j, i)] += x
            elif not is_axis(e):
                p.flat[R.size + i] += made_by(p, loops, e, K_of(R, i), X, P_of(above, up) if up >= 0 else -1, F)
    for j in range(R.n):
        X, F = moved_by(p, j)
        up = row_in(p, loops, R, j, E_LEFT, C.left)
        copy_where(p, up >= 0, K_of(R, j), K_of(above, up))
        add_tmv(p, K_of(R, j), w.G2, F, -1.0)
        if C.has_bottom:
            add_tmv(p, P_of(R, j), w.T, X, 1.0)


@helper
def assemble_rows(p, loops, c):
    """Main pass at special node c, after `assemble`: K, P and L of [3] from those of its children."""
    C, R, w = part(p, c), rows_at(loops, c), scratch(p)
    a, b = C.left, C.right
    p.flat[R.L : R.L + R.n * R.n] = 0.0
    p.flat[R.size : R.size + R.n] = 0.0
    for j in range(R.n):
        down, below = row_in(p, loops, R, j, E_RIGHT, b), rows_at(loops, b)
        copy_where(p, down >= 0, K_of(R, j), K_of(below, down))
        copy_where(p, down >= 0 and C.has_bottom and part(p, b).has_bottom, P_of(R, j), P_of(below, down))
    take_part(p, loops, c, E_RIGHT, b)
    take_part(p, loops, c, E_LEFT, a)
    if C.kind != SUM:
        hang_rows(p, loops, c)
        if C.solves:
            join_rows(p, loops, c)
            return
    for j in range(R.n):
        K, e, up = K_of(R, j), entry_of(loops, R, j), row_in(p, loops, R, j, E_LEFT, a)
        if up >= 0:
            add_rows(p, K, K, K_of(rows_at(loops, a), up))
        if enters_on_body(e):
            put_wrench(p, w.w, wrench_of(loops, e))
            add_rows(p, K, K, w.w)
