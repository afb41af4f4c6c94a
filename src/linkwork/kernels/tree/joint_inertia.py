"""What a joint makes of the articulated inertia IA that it carries: U = IA S, D = Sᵀ U + armature, IA − U D⁻¹ Uᵀ."""

from linkwork.kernels.algebra.spatial import ArticulatedInertia, Wrench, articulated_minus
from linkwork.kernels.algebra.vec3 import Mat3, Sym3, Vec3, add, scale
from linkwork.kernels.layout import AXIAL, M_SLIDE, M_TURN, REVOLUTE, SPHERICAL
from linkwork.kernels.numba_ext import any_of, helper, load, scalar
from linkwork.kernels.records import armature_at, load_inertia, model_row

# A joint whose inertia D is below this share of its subtree's is taken as having none: see `singular_at`.
_NOTHING = 1e-14


@helper
def has_one_axis(kind):
    return kind == REVOLUTE or kind == AXIAL


@helper
def column(model, i, kind, A):
    """U = IA S of a one-axis joint."""
    if kind == REVOLUTE:
        return Wrench(Vec3(A.H.zx, A.H.zy, A.H.zz), Vec3(A.J.xz, A.J.yz, A.J.zz))
    row = model_row(i)
    slide, turn = load(model, row + M_SLIDE), load(model, row + M_TURN)
    H, M, J = A.H, A.M, A.J
    return Wrench(
        Vec3(turn * H.zx + slide * M.xz, turn * H.zy + slide * M.yz, turn * H.zz + slide * M.zz),
        Vec3(turn * J.xz + slide * H.xz, turn * J.yz + slide * H.yz, turn * J.zz + slide * H.zz),
    )


@helper
def along(model, i, kind, w):
    """Sᵀ w of a one-axis joint."""
    if kind == REVOLUTE:
        return w.n.z
    row = model_row(i)
    return load(model, row + M_SLIDE) * w.f.z + load(model, row + M_TURN) * w.n.z


@helper
def columns(kind, A):
    """U = IA S of a three-axis joint, a wrench an axis."""
    H, M, J = A.H, A.M, A.J
    Uz = Wrench(Vec3(H.zx, H.zy, H.zz), Vec3(J.xz, J.yz, J.zz))
    if kind == SPHERICAL:
        return (
            Wrench(Vec3(H.xx, H.xy, H.xz), Vec3(J.xx, J.xy, J.xz)),
            Wrench(Vec3(H.yx, H.yy, H.yz), Vec3(J.xy, J.yy, J.yz)),
            Uz,
        )
    return (
        Wrench(Vec3(M.xx, M.xy, M.xz), Vec3(H.xx, H.yx, H.zx)),
        Wrench(Vec3(M.xy, M.yy, M.yz), Vec3(H.xy, H.yy, H.zy)),
        Uz,
    )


@helper
def along3(kind, w):
    """Sᵀ w of a three-axis joint."""
    if kind == SPHERICAL:
        return w.n
    return Vec3(w.f.x, w.f.y, w.n.z)


@helper
def joint_inertia3(model, index, kind, d, A):
    """D of a three-axis joint: Sᵀ IA S + armature."""
    J, H, M = A.J, A.H, A.M
    k = armature_at(index, d)
    x, y, z = load(model, k), load(model, k + 1), load(model, k + 2)
    if kind == SPHERICAL:
        return Sym3(J.xx + x, J.xy, J.xz, J.yy + y, J.yz, J.zz + z)
    return Sym3(M.xx + x, M.xy, H.zx, M.yy + y, H.zy, J.zz + z)


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
    """Whether an inertia is nothing beside its scale (and whether it is no number at all)."""
    return any_of(d <= _NOTHING * scale) or any_of(d != d)


@helper
def trace(S):
    return S.xx + S.yy + S.zz


@helper
def singular_at(model, i, kind, D):
    """Whether D of stage i, which is negligible beside its subtree's inertia, is nothing or of no number.

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
