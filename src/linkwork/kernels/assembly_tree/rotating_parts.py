"""What the turning of a part at rest adds to it: parts whose joints are held, but which move as a whole.

Accelerations are *classical* here, of the origin of a body: they differ from spatial ones by ω × v. Seen so, what the
velocities ask for inside a part whose joints have none is linear in the six products Π = ω ωᵀ of its top body's angular
velocity, and linear velocities do not appear at all. A body needs, and an offset p accelerates by,

    f = (Π − tr Π) h,   n = axial(I_o Π),        ω × (ω × p) = (Π − tr Π) p                                    [7]

with h the first moment and I_o the inertia about the origin. So every part has six columns beside its coefficients
(see `views` and `rigid_twins`), of which row k is the response to the k-th of (xx, xy, xz, yy, yz, zz):

    f₁ += H Π        a₂ += K Π        N += 2 n · Π + Π · E Π                                                   [8]

H, K and E depend on the configuration only. n, the cross terms with what the loads do, holds at the reference of the
part; elsewhere, by (d₁, d₂), it is n − D_Π · d₁ + κ_Π · d₂, with D_Π = H Π − (that of the rigid twin), and κ_Π alike.
They are joined as all else: column by column as in the bias pass, E and n by the recursion of N.
"""

from collections import namedtuple

from linkwork.kernels.algebra.block6 import (
    add_mv,
    add_rows,
    add_scaled,
    add_tmv,
    clear_rows,
    copy_rows,
    get,
    get_motion,
    get_wrench,
    increase,
    mul_tmv,
    place,
    put,
    put_motion,
    put_wrench,
    row,
    vector_to_child,
    vector_to_parent,
)
from linkwork.kernels.algebra.spatial import (
    Motion,
    Wrench,
    inertia_mul,
    motion_add,
    motion_to_child,
    power,
    wrench_add,
    wrench_sub,
)
from linkwork.kernels.algebra.storage import load_sym, store_sym
from linkwork.kernels.algebra.vec3 import Sym3, Vec3, rotate_sym, scale, sub, sym_mul, tmul, transpose
from linkwork.kernels.assembly_tree.references import settle_joint
from linkwork.kernels.assembly_tree.rigid_twins import nothing, squared, twin_at, twin_inertia
from linkwork.kernels.assembly_tree.views import add_axis, along, axis, get_pose, joint, part, scratch, twin
from linkwork.kernels.layout.adaptive import SPIN_ROWS
from linkwork.kernels.layout.nodes import KIND, LEAF, MATRIX, SUM
from linkwork.kernels.numba_ext import helper, inlined, load, separately_unrolled
from linkwork.kernels.records import armature_at, load_inertia, load_xform

_ROUNDING = 1e-15

# The columns of a node: addresses of H, K and E, whose rows are the columns of [8], and of n
Spin = namedtuple("Spin", "H K E n")
# Where they are made: for each column k a row of a matrix. Π in B's frame; what a₁ is to B and, negative, f₂ to A; ρ as
# in `rigid_twins`; D of B, and that of its turning alone; κ of A, and that of its turning alone; q̈ of the axes
SpinScratch = namedtuple("SpinScratch", "Pi x phi rho D_B own_D kappa_A own_kappa qdd")


@inlined
def spin(first, c):
    """The columns of node c; those of the linkage begin at the row `first`."""
    H = first + SPIN_ROWS * c
    return Spin(H, H + MATRIX, H + 2 * MATRIX, H + 3 * MATRIX)


@inlined
def spin_scratch(first, nodes):
    s = first + SPIN_ROWS * nodes.shape[0]
    return SpinScratch(
        s, s + MATRIX, s + 2 * MATRIX, s + 3 * MATRIX, s + 4 * MATRIX, s + 5 * MATRIX, s + 6 * MATRIX, s + 7 * MATRIX,
        s + 8 * MATRIX,
    )  # fmt: skip


@helper
def products(w):
    """Π of an angular velocity."""
    return Sym3(w.x * w.x, w.x * w.y, w.x * w.z, w.y * w.y, w.y * w.z, w.z * w.z)


@helper
def is_it(k, j):
    return 1.0 if k == j else 0.0


@helper
def unit_product(k):
    """The k-th of the six products alone."""
    return Sym3(is_it(k, 0), is_it(k, 1), is_it(k, 2), is_it(k, 3), is_it(k, 4), is_it(k, 5))


@helper
def turned(R, Pi):
    """Π in the frame of a child that stands at R."""
    return rotate_sym(transpose(R), Pi)


@helper
def centripetal(Pi, p):
    """ω × (ω × p), by [7]."""
    return sub(sym_mul(Pi, p), scale(Pi.xx + Pi.yy + Pi.zz, p))


@helper
def turning_force(I, Pi):  # noqa: E741
    """What a rigid body needs to turn without acceleration of its origin, by [7]."""
    J = I.I
    n = Vec3(
        J.xz * Pi.xy + J.yz * Pi.yy + J.zz * Pi.yz - (J.xy * Pi.xz + J.yy * Pi.yz + J.yz * Pi.zz),
        J.xx * Pi.xz + J.xy * Pi.yz + J.xz * Pi.zz - (J.xz * Pi.xx + J.yz * Pi.xy + J.zz * Pi.xz),
        J.xy * Pi.xx + J.yy * Pi.xy + J.yz * Pi.xz - (J.xx * Pi.xy + J.xy * Pi.yy + J.xz * Pi.yz),
    )
    return Wrench(centripetal(Pi, I.h), n)


@inlined
def bottom_offset(P, Pi):
    """Acceleration of the bottom body of a rigid part by its turning."""
    zero = Vec3(0.0, 0.0, 0.0)
    return Motion(tmul(P.R, centripetal(Pi, P.p)), zero)


@helper
def less(a, b):
    """a − b, of motions."""
    return Motion(sub(a.v, b.v), sub(a.w, b.w))


@inlined
def column(p, first, c, k):
    """Column k of node c, which has a joint: writes H and K, and to the scratch what E and n are made of."""
    C, mine, w, W = part(p, c), spin(first, c), scratch(p), spin_scratch(first, p.nodes)
    A, B, X = part(p, C.left), part(p, C.right), load_xform(p.work, C.stage)
    above, below = spin(first, C.left), spin(first, C.right)
    kind, _, nv = joint(p.index, C.stage)
    zero = Vec3(0.0, 0.0, 0.0)
    Pi = Pi_A = unit_product(k)
    if C.solves:
        P = get_pose(p, twin(p, C.left).inside)
        Pi_A = turned(P.R, Pi)
        vector_to_child(p, X, w.x_d, row(above.K, k))
    else:
        clear_rows(p, w.x_d)
    Pi_B, pi = turned(X.R, Pi_A), row(W.Pi, k)
    clear_rows(p, pi)
    store_sym(p.flat, place(pi, 0), Pi_B)
    shift = Motion(tmul(X.R, centripetal(Pi_A, X.p)), zero)
    put_motion(p, w.x_d, motion_add(get_motion(p, w.x_d), shift))
    # the force on B, the joint, and what A gives way, as in `descend`
    if B.is_leaf:
        inertia = load_inertia(p.model, B.stage)
        put_wrench(p, w.w, wrench_add(inertia_mul(inertia, get_motion(p, w.x_d)), turning_force(inertia, Pi_B)))
    else:
        mul_tmv(p, w.w, below.H, pi, 1.0)
        add_tmv(p, w.w, B.I, w.x_d, 1.0)
    for j in range(nv):
        s = axis(p.model, C.stage, kind, C.axes, j)
        e = -load(p.flat, s.r) * along(p, s, w.w)
        put(p, w.e, j, e)
        add_scaled(p, w.w, e, s.u)
    vector_to_parent(p, X, w.f_hat, w.w)
    copy_rows(p, w.d, w.f_hat)
    settle_joint(p, c)
    # H and K
    y = row(mine.H, k)
    if C.left < 0:
        clear_rows(p, y)
    elif A.is_leaf:
        put_wrench(p, y, turning_force(load_inertia(p.model, A.stage), Pi))
    else:
        copy_rows(p, y, row(above.H, k))
    if C.solves:
        add_mv(p, y, A.T, w.phi, 1.0)
    else:
        add_rows(p, y, y, w.f_hat)
    if C.has_bottom:
        z = row(mine.K, k)
        if B.has_bottom:
            mul_tmv(p, z, below.K, pi, 1.0)
            add_tmv(p, z, B.T, w.x_b, 1.0)
        else:
            copy_rows(p, z, w.x_b)
    # ρ, D of B, κ of A
    x = get_motion(p, w.x_b)
    put_motion(p, row(W.x, k), x)
    clear_rows(p, w.delta)
    for j in range(nv):
        add_axis(p, axis(p.model, C.stage, kind, C.axes, j), w.delta, get(p, w.e, j))
        put(p, row(W.qdd, k), j, get(p, w.e, j))
    rho = get_motion(p, w.delta)
    if C.solves:
        copy_rows(p, row(W.phi, k), w.phi)
        own = less(get_motion(p, row(above.K, k)), bottom_offset(get_pose(p, twin(p, C.left).inside), Pi))
        put_motion(p, w.d, own)
        put_motion(p, row(W.own_kappa, k), own)
        add_tmv(p, w.d, A.Phi, w.phi, -1.0)
        kappa = get_motion(p, w.d)
        put_motion(p, row(W.kappa_A, k), kappa)
        rho = motion_add(rho, motion_to_child(X, kappa))
    put_motion(p, row(W.rho, k), rho)
    own_D, _ = nothing()
    D = own_D
    if not B.is_leaf:
        inertia = twin_inertia(p, C.right)
        mul_tmv(p, w.d, below.H, pi, 1.0)
        own_D = wrench_sub(get_wrench(p, w.d), turning_force(inertia, Pi_B))
        mul_tmv(p, w.d, B.I, w.x_b, 1.0)
        D = wrench_add(own_D, wrench_sub(get_wrench(p, w.d), inertia_mul(inertia, x)))
    put_wrench(p, row(W.own_D, k), own_D)
    put_wrench(p, row(W.D_B, k), D)


@inlined
def paired(p, x, y):
    """The product of a motion and a wrench, both in rows of the buffer."""
    return power(get_motion(p, x), get_wrench(p, y))


@inlined
def join_products(p, first, c):
    """E of node c, whose columns have just been made."""
    C, mine, W, w = part(p, c), spin(first, c), spin_scratch(first, p.nodes), scratch(p)
    above, below = spin(first, C.left), spin(first, C.right)
    A_known = C.left >= 0 and p.nodes[C.left, KIND] != LEAF
    B_known = p.nodes[C.right, KIND] != LEAF
    inertia = twin_inertia(p, C.right)
    _, d, nv = joint(p.index, C.stage)
    for i in range(6):
        f = inertia_mul(inertia, get_motion(p, row(W.rho, i)))
        if B_known:
            mul_tmv(p, w.y, below.E, row(W.Pi, i), 1.0)
        for k in range(i, 6):
            E = power(get_motion(p, row(W.rho, k)), f)
            for j in range(nv):
                armature = p.model[armature_at(p.index, d + j)]
                E += armature * get(p, row(W.qdd, i), j) * get(p, row(W.qdd, k), j)
            if B_known:
                E += paired(p, row(W.rho, i), row(W.D_B, k)) + paired(p, row(W.rho, k), row(W.D_B, i))
                E -= paired(p, row(W.x, i), row(W.D_B, k)) + paired(p, row(W.x, k), row(W.own_D, i))
                E += inner(p, w.y, row(W.Pi, k))
            if A_known:
                E += get(p, row(above.E, i), k)
            if C.solves:
                E -= paired(p, row(W.kappa_A, i), row(W.phi, k)) + paired(p, row(W.own_kappa, k), row(W.phi, i))
            put(p, row(mine.E, i), k, E)
            put(p, row(mine.E, k), i, E)


@inlined
def inner(p, x, y):
    """The product of two vectors of six numbers."""
    sum_ = 0.0
    for k in range(6):
        sum_ += get(p, x, k) * get(p, y, k)
    return sum_


@inlined
def cross_at(p, first, b, Pi, pi, d1, d2):
    """The product of Π, in the row `pi` too, and n of part b, no leaf, where that is (d1, d2) off its reference."""
    R, mine, w = twin(p, b), spin(first, b), scratch(p)
    mul_tmv(p, w.d, mine.H, pi, 1.0)
    D = wrench_sub(get_wrench(p, w.d), turning_force(twin_inertia(p, b), Pi))
    sum_ = inner(p, mine.n, pi) - power(get_motion(p, d1), D)
    if R.has_bottom:
        mul_tmv(p, w.d, mine.K, pi, 1.0)
        kappa = less(get_motion(p, w.d), bottom_offset(get_pose(p, R.inside), Pi))
        sum_ += power(kappa, get_wrench(p, d2))
    return sum_


@helper
def cross_terms(p, first, c):
    """n of node c, which stands evaluated at its reference, and whose columns have just been made."""
    C, mine, W, w = part(p, c), spin(first, c), spin_scratch(first, p.nodes), scratch(p)
    A, B = twin(p, C.left), twin(p, C.right)
    A_known = C.left >= 0 and p.nodes[C.left, KIND] != LEAF
    B_known = p.nodes[C.right, KIND] != LEAF
    _, kappa_A, _, _ = twin_at(p, C.left, A.off1, A.off2)
    D_B, _, _, _ = twin_at(p, C.right, B.off1, B.off2)
    kind, d, nv = joint(p.index, C.stage)
    clear_rows(p, w.delta)
    for j in range(nv):
        s = axis(p.model, C.stage, kind, C.axes, j)
        add_axis(p, s, w.delta, load(p.flat, s.rest))
    rho = get_motion(p, w.delta)
    if C.solves:
        rho = motion_add(rho, motion_to_child(load_xform(p.work, C.stage), kappa_A))
    f = wrench_add(inertia_mul(twin_inertia(p, C.right), rho), D_B)
    for k in range(6):
        Pi = unit_product(k)
        sum_ = power(get_motion(p, row(W.rho, k)), f)
        for j in range(nv):
            rest = load(p.flat, axis(p.model, C.stage, kind, C.axes, j).rest)
            sum_ += p.model[armature_at(p.index, d + j)] * rest * get(p, row(W.qdd, k), j)
        if B_known:
            pi = row(W.Pi, k)
            sum_ += power(rho, get_wrench(p, row(W.D_B, k))) - power(get_motion(p, row(W.x, k)), D_B)
            sum_ += cross_at(p, first, C.right, load_sym(p.flat, place(pi, 0)), pi, B.off1, B.off2)
        if A_known:
            clear_rows(p, w.y)
            store_sym(p.flat, place(w.y, 0), Pi)
            sum_ += cross_at(p, first, C.left, Pi, w.y, A.off1, A.off2)
        if C.solves:
            sum_ -= power(kappa_A, get_wrench(p, row(W.phi, k)))
        put(p, mine.n, k, sum_)


@inlined
def add_bodies(p, first, c):
    """The columns of node c, two parts that hang on one body."""
    C, mine, w = part(p, c), spin(first, c), scratch(p)
    clear_rows(p, mine.H, SPIN_ROWS)
    for child in (C.left, C.right):
        B, theirs, R = part(p, child), spin(first, child), twin(p, child)
        for k in range(6):
            Pi, y = unit_product(k), row(mine.H, k)
            if B.is_leaf:
                put_wrench(p, w.d, turning_force(load_inertia(p.model, B.stage), Pi))
                add_rows(p, y, y, w.d)
                continue
            add_rows(p, y, y, row(theirs.H, k))
            clear_rows(p, w.y)
            store_sym(p.flat, place(w.y, 0), Pi)
            increase(p, mine.n, k, cross_at(p, first, child, Pi, w.y, R.off1, R.off2))
        if not B.is_leaf:
            add_rows(p, mine.E, mine.E, theirs.E, MATRIX)


@separately_unrolled
def turn_part(p, first, c):
    """All of [8] for node c, no leaf, which has just been evaluated at its reference, joints at rest."""
    if p.nodes[c, KIND] == SUM:
        add_bodies(p, first, c)
        return
    for k in range(6):
        column(p, first, c, k)
    join_products(p, first, c)
    cross_terms(p, first, c)


@helper
def turning_at(p, first, c, Pi):
    """D, κ and N of node c, no leaf, in its present surroundings, while it turns; the rounding in N."""
    R, mine, w = twin(p, c), spin(first, c), scratch(p)
    D, kappa, N, rounding = twin_at(p, c, R.now1, R.now2)
    clear_rows(p, w.y)
    store_sym(p.flat, place(w.y, 0), Pi)
    mul_tmv(p, w.d, mine.E, w.y, 1.0)
    N += inner(p, w.d, w.y)
    N += 2.0 * cross_at(p, first, c, Pi, w.y, R.now1, R.now2)
    mul_tmv(p, w.d, mine.H, w.y, 1.0)
    inertia = twin_inertia(p, c)
    rigid = turning_force(inertia, Pi)
    D = wrench_add(D, wrench_sub(get_wrench(p, w.d), rigid))
    off = get_motion(p, R.now1)
    rounding += _ROUNDING * (squared(inertia, rigid) + power(off, inertia_mul(inertia, off)))  # N is a difference of it
    if R.has_bottom:
        mul_tmv(p, w.d, mine.K, w.y, 1.0)
        kappa = motion_add(kappa, less(get_motion(p, w.d), bottom_offset(get_pose(p, R.inside), Pi)))
    return D, kappa, N, rounding
