"""What a joint makes of the articulated inertia IA that it carries: U = IA S, D = Sᵀ U + armature, IA − U D⁻¹ Uᵀ."""

from linkwork.kernels.algebra.spatial import ArticulatedInertia, Wrench, articulated_minus
from linkwork.kernels.algebra.vec3 import Mat3, Sym3, add, scale
from linkwork.kernels.joints import along3, columns, has_one_axis
from linkwork.kernels.layout import M_SLIDE, M_TURN
from linkwork.kernels.numba_ext import any_of, helper, load, scalar
from linkwork.kernels.records import armature_at, load_inertia, model_row

# A joint whose inertia D is below this share of its subtree's counts as having none: see `singular_at`.
_NOTHING = 1e-14


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
    return any_of(d <= _NOTHING * scale) or any_of(d != d)


@helper
def trace(S):
    return S.xx + S.yy + S.zz


@helper
def singular_at(model, i, kind, D):
    """Whether D of stage i, which is negligible beside its subtree's inertia, is zero or no number.

    A long straight chain of parallel hinges is far stiffer across their plane than within. But D of a one-axis joint
    cannot fall below what its own body has along the joint.
    """
    if not has_one_axis(kind):
        return True
    row, I = model_row(i), load_inertia(model, i)  # noqa: E741
    slide, turn = model[row + M_SLIDE], model[row + M_TURN]
    own = slide * slide * I.m + turn * turn * I.I.zz
    if own <= _NOTHING * (slide * slide * I.m + turn * turn * trace(I.I)):
        return True
    return any_of(D - 0.5 * own <= 0.0) or any_of(D != D)
