"""What a joint makes of the articulated inertia IA that it carries: U = IA S, D = Sᵀ U + armature, IA − U D⁻¹ Uᵀ."""

from linkwork.kernels.algebra.spatial import ArticulatedInertia, Wrench, articulated_minus, articulated_mul, power
from linkwork.kernels.algebra.vec3 import Mat3, Sym3, add, dot, scale, size
from linkwork.kernels.joints import along3, axes_of, columns, joint_axis
from linkwork.kernels.layout import (
    FREE,
    I_FLAGS,
    M_INERTIA,
    M_MASS,
    M_SLIDE,
    M_TURN,
    N_STAGES,
    ON_WEAK,
    OPENS,
    REVOLUTE,
    WEAK,
)
from linkwork.kernels.numba_ext import any_of, helper, load, scalar, store
from linkwork.kernels.records import armature_at, index_row, made_at, model_row, parent_of

# An inertia below this share of what it is made of counts as none; and in a closed linkage as too small to go on from,
# where dense matrices are slower and may still answer.
NOTHING, TOO_LITTLE = 1e-14, 1e-9


@helper
def eliminate3(model, index, kind, d, A):
    """IA − U D⁻¹ Uᵀ of a three-axis joint, one axis after the other: symmetric to the last bit."""
    k = armature_at(index, d)
    Ux, _, _ = columns(kind, A)
    A = articulated_minus(A, Ux, 1.0 / (along3(kind, Ux).x + load(model, k)))
    _, Uy, _ = columns(kind, A)
    A = articulated_minus(A, Uy, 1.0 / (along3(kind, Uy).y + load(model, k + 1)))
    _, _, Uz = columns(kind, A)
    return articulated_minus(A, Uz, 1.0 / (along3(kind, Uz).z + load(model, k + 2)))


@helper
def combine(p, s, Ux, Uy, Uz):
    """p + U s of a three-axis joint."""
    f = add(add(p.f, scale(s.x, Ux.f)), add(scale(s.y, Uy.f), scale(s.z, Uz.f)))
    n = add(add(p.n, scale(s.x, Ux.n)), add(scale(s.y, Uy.n), scale(s.z, Uz.n)))
    return Wrench(f, n)


@helper
def nothing(work):
    """No inertia at all."""
    z = scalar(work, 0.0)
    o = Sym3(z, z, z, z, z, z)
    return ArticulatedInertia(o, Mat3(z, z, z, z, z, z, z, z, z), o)


@helper
def negligible(d, scale):
    """Whether an inertia is negligible beside its scale, or is no number at all."""
    return any_of(d <= NOTHING * scale) or any_of(d != d)


@helper
def trace(S):
    return S.xx + S.yy + S.zz


@helper
def own_inertia(model, i, kind):
    """What the body of stage i, whose joint has one axis, has along the joint: D cannot be less."""
    row = model_row(i)
    own = load(model, row + M_INERTIA + 5)
    if kind == REVOLUTE:
        return own
    slide, turn = load(model, row + M_SLIDE), load(model, row + M_TURN)
    return slide * slide * load(model, row + M_MASS) + turn * turn * own


@helper
def made_of(index, work, i, A):
    """What the inertia of stage i is made of, its mass and its moments: rounding is relative to it.

    A is what is left of it. Where the axes of its children have taken all there is, as behind a massless body, that is
    rounding itself.
    """
    m, j = trace(A.M), trace(A.J)
    carries = i + 1 < index[N_STAGES] and parent_of(index, i + 1) == i
    if carries and index[index_row(i) + I_FLAGS] & WEAK:
        k = made_at(index, i)
        m, j = m + load(work, k), j + load(work, k + 1)
    return m, j


@helper
def weigh(model, index, work, i, kind, d, A, p, least):
    """Of a stage that is weak or hangs on one: whether an axis has too little inertia. Tells the parent of the rest.

    A in the stage's frame; p leads there from the parent's origin, in any axes.
    """
    flags = index[index_row(i) + I_FLAGS]
    m, j = made_of(index, work, i, A)
    if flags & WEAK:
        m, j = made_after(model, index, i, kind, d, A, m, j, least)
        if any_of(m < 0.0):
            return True
    if flags & ON_WEAK:
        passing = 0.0 if kind == FREE else 1.0  # nothing passes a free joint
        hand_up_size(index, work, i, p, passing * m, passing * j, flags & OPENS)
    return False


@helper
def hand_up_size(index, work, i, p, m, j, opens):
    """Tell the parent, which is weak, what the inertia handed up to it is made of, before the joint has taken its part.

    p leads to the stage from the parent's origin; `opens`: no sibling has come before.
    """
    s = size(p)
    j = 2.0 * (j + m * s * s)  # at least (√j + s √m)²
    k = made_at(index, parent_of(index, i))
    if not opens:
        m, j = m + load(work, k), j + load(work, k + 1)
    store(work, k, m)
    store(work, k + 1, j)


@helper
def made_after(model, index, i, kind, d, A, m, j, least):
    """What the inertia of weak stage i is made of once its joint has taken its part; −1 where an axis has too little.

    A small D makes the rounding of what is left larger: A − U D⁻¹ Uᵀ has that of D, times (U/D)².
    """
    for k in range(axes_of(kind)):
        S = joint_axis(model, i, kind, k)
        U = articulated_mul(A, S)
        D = power(S, U) + load(model, armature_at(index, d + k))
        whole = dot(S.v, S.v) * m + dot(S.w, S.w) * j
        if negligible(D, least / NOTHING * whole):
            return 0.0 * m - 1.0, j
        r = 1.0 / D
        m, j = after_axis(U, r, whole, m, j)
        A = articulated_minus(A, U, r)
    return m, j


@helper
def after_axis(U, r, whole, m, j):
    """What an inertia is made of once one axis has taken its part, D = 1/r of which was made of `whole`."""
    f, n = r * size(U.f), r * size(U.n)
    return m + f * f * whole, j + n * n * whole
