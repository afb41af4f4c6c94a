"""What stages have by themselves in `derivatives`, symbols as there; of one state for four stages at a time."""

from linkwork.kernels.algebra.spatial import Inertia, Motion, Wrench, Xform, inertia_mul, inertia_to_parent, wrench_add
from linkwork.kernels.algebra.trigonometry import sincos
from linkwork.kernels.algebra.vec3 import Mat3, Sym3, Vec3, add, cross, mat_add, mul, scale, skew_mul, sub, turn_z
from linkwork.kernels.layout import M_MASS, M_POSITION, M_ROTATION, M_SLIDE, N_STAGES
from linkwork.kernels.layout.derivatives import D_I, D_POSE, D_V
from linkwork.kernels.numba_ext import four, helper, inlined
from linkwork.kernels.records import model_row
from linkwork.kernels.tree.element_derivatives import record_at
from linkwork.kernels.tree.resting_stages import coordinate, load_lanes, store_lanes


@inlined
def stages_from(index, i):
    """Four stages from i on; the last one stands for those beyond it."""
    last = index[N_STAGES] - 1
    return i, min(i + 1, last), min(i + 2, last), min(i + 3, last)


@inlined
def places(index, stages):
    """Where the model's rows and the records of four stages are."""
    i, j, k, m = stages
    return (
        (model_row(i), model_row(j), model_row(k), model_row(m)),
        (record_at(index, i), record_at(index, j), record_at(index, k), record_at(index, m)),
    )  # fmt: skip


@inlined
def place_screws(model, index, work, q, i):
    """Four stages in their parents: those of screws, and of joints that do not move."""
    stages = stages_from(index, i)
    rows, records = places(index, stages)
    angle = four(
        coordinate(index, q, stages[0]), coordinate(index, q, stages[1]), coordinate(index, q, stages[2]),
        coordinate(index, q, stages[3]),
    )  # fmt: skip
    xx, xy, xz, yx = load_lanes(model, rows, M_ROTATION)
    yy, yz, zx, zy = load_lanes(model, rows, M_ROTATION + 4)
    zz, x, y, z = load_lanes(model, rows, M_POSITION - 1)
    slide, turn, _, _ = load_lanes(model, rows, M_SLIDE)
    s, c = sincos(turn * angle)
    R, lift = turn_z(Mat3(xx, xy, xz, yx, yy, yz, zx, zy, zz), s, c), slide * angle
    store_lanes(work, records, D_POSE, R.xx, R.xy, R.xz, R.yx)
    store_lanes(work, records, D_POSE + 4, R.yy, R.yz, R.zx, R.zy)
    store_lanes(work, records, D_POSE + 8, R.zz, x + lift * xz, y + lift * yz, z + lift * zz)


@helper
def outer(a, b):
    """a bᵀ."""
    return Mat3(a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.x, a.y * b.y, a.y * b.z, a.z * b.x, a.z * b.y, a.z * b.z)


@inlined
def own_part(X, I, V, A):  # noqa: E741
    """I, p, G and f of a body by itself; V ×* I V is ½ B V."""
    I = inertia_to_parent(X, I)  # noqa: E741
    p = add(scale(I.m, V.v), cross(V.w, I.h))
    J, t = I.I, 0.5 * (I.I.xx + I.I.yy + I.I.zz)
    E = Mat3(t - J.xx, 0.0 - J.xy, 0.0 - J.xz, 0.0 - J.xy, t - J.yy, 0.0 - J.yz, 0.0 - J.xz, 0.0 - J.yz, t - J.zz)
    G = mat_add(outer(V.v, I.h), skew_mul(V.w, E))
    bias = Wrench(cross(V.w, p), sub(scale(G.xx + G.yy + G.zz, V.w), mul(G, V.w)))
    return I, p, G, wrench_add(inertia_mul(I, A), bias)


@inlined
def weigh_four(model, index, work, i):
    """What four bodies by themselves have of I, p, G and f."""
    rows, records = places(index, stages_from(index, i))
    xx, xy, xz, yx = load_lanes(work, records, D_POSE)
    yy, yz, zx, zy = load_lanes(work, records, D_POSE + 4)
    zz, x, y, z = load_lanes(work, records, D_POSE + 8)
    X = Xform(Mat3(xx, xy, xz, yx, yy, yz, zx, zy, zz), Vec3(x, y, z))
    m, x, y, z = load_lanes(model, rows, M_MASS)
    xx, xy, xz, yy = load_lanes(model, rows, M_MASS + 4)
    yz, zz, _, _ = load_lanes(model, rows, M_MASS + 8)
    I = Inertia(m, Vec3(x, y, z), Sym3(xx, xy, xz, yy, yz, zz))  # noqa: E741
    vx, vy, vz, wx = load_lanes(work, records, D_V)
    wy, wz, ax, ay = load_lanes(work, records, D_V + 4)
    az, bx, by, bz = load_lanes(work, records, D_V + 8)
    V, A = Motion(Vec3(vx, vy, vz), Vec3(wx, wy, wz)), Motion(Vec3(ax, ay, az), Vec3(bx, by, bz))
    I, p, G, f = own_part(X, I, V, A)  # noqa: E741
    h, J = I.h, I.I
    store_lanes(work, records, D_I, I.m, h.x, h.y, h.z)
    store_lanes(work, records, D_I + 4, J.xx, J.xy, J.xz, J.yy)
    store_lanes(work, records, D_I + 8, J.yz, J.zz, p.x, p.y)
    store_lanes(work, records, D_I + 12, p.z, G.xx, G.xy, G.xz)
    store_lanes(work, records, D_I + 16, G.yx, G.yy, G.yz, G.zx)
    store_lanes(work, records, D_I + 20, G.zy, G.zz, f.f.x, f.f.y)
    store_lanes(work, records, D_I + 24, f.f.z, f.n.x, f.n.y, f.n.z)
