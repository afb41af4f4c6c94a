"""Forward dynamics by divide and conquer on the assembly tree: bias pass, back-substitution, and the whole of it.

What a part is, and its record in the buffer, is told in `views`; [1] is the relation given there, and `main_pass` has
the table of symbols.

References: [Redon2005] section 3.1.
"""

from linkwork.kernels.algebra.block6 import (
    add_mv,
    add_rows,
    add_scaled,
    add_tmv,
    clear_rows,
    copy_rows,
    dot6,
    get,
    get_motion,
    mul_tmv,
    put,
    put_motion,
    put_wrench,
    sub_rows,
    vector_to_child,
    vector_to_parent,
)
from linkwork.kernels.algebra.spatial import inertia_mul, wrench_add
from linkwork.kernels.algebra.storage import load_motion, load_wrench
from linkwork.kernels.assembly_tree.main_pass import assemble
from linkwork.kernels.assembly_tree.views import add_axis, axis, force_at_rest, joint, part, parts_of, scratch
from linkwork.kernels.joints import joint_bias
from linkwork.kernels.layout import FIXED, GRAVITY, N_V, NOT_FINITE, OK, SINGULAR, W_VELOCITY, WORK_ROW, WRONG_SIZE
from linkwork.kernels.layout.nodes import HANG, KIND, LEAF, STAGE, SUM
from linkwork.kernels.numba_ext import helper, inlined, load, store, unrolled
from linkwork.kernels.records import check_state, damping_at, load_inertia, load_xform, status
from linkwork.kernels.tree.aba import forward_pass
from linkwork.kernels.tree.forces import applied_forces
from linkwork.kernels.tree.rnea import ground_velocity


@inlined
def force_at(p, b, x, f2, y):
    """y = f₁ of part b at (a₁, f₂) = (x, f2), by [1]; f2 < 0 where it has no bottom."""
    B, w = part(p, b), scratch(p)
    if B.is_leaf:
        force = inertia_mul(load_inertia(p.model, B.stage), get_motion(p, x))
        put_wrench(p, y, wrench_add(force, load_wrench(p.work, force_at_rest(B.stage))))
    else:
        copy_rows(p, y, B.f1)
        sub_rows(p, w.d, x, B.a1)
        add_tmv(p, y, B.I, w.d, 1.0)
    if f2 >= 0:
        if B.has_bottom:
            sub_rows(p, w.d, f2, B.f2)
            add_mv(p, y, B.T, w.d, -1.0)
        else:
            add_scaled(p, y, -1.0, f2)


@inlined
def acceleration_at(p, b, x, f2, y):
    """y = a₂ of part b at (a₁, f₂) = (x, f2), by [1]."""
    B, w = part(p, b), scratch(p)
    if not B.has_bottom:
        copy_rows(p, y, x)
        return
    copy_rows(p, y, B.a2)
    sub_rows(p, w.d, x, B.a1)
    add_tmv(p, y, B.T, w.d, 1.0)
    sub_rows(p, w.d, f2, B.f2)
    add_tmv(p, y, B.Phi, w.d, 1.0)


@inlined
def give_way(p, c):
    """What A gives way to the force `d` on its bottom body: `phi` = Vᵀ d, by which that falls, and `delta`, in B."""
    C, w = part(p, c), scratch(p)
    if C.solves:
        mul_tmv(p, w.phi, C.V, w.d, 1.0)
        mul_tmv(p, w.d, part(p, C.left).Phi, w.phi, -1.0)
        vector_to_child(p, load_xform(p.work, C.stage), w.delta, w.d)
    else:
        clear_rows(p, w.delta)


@inlined
def move_axis(p, s, k):
    """q̈ of axis k, whose acceleration is e where A does not give way; the joint's motion is added to `delta`."""
    w = scratch(p)
    x = get(p, w.e, k) - load(p.flat, s.r) * dot6(p, s.u, w.delta)
    add_axis(p, s, w.delta, x)
    return x


@inlined
def split(p, c, qdd):
    """What (a₁, f₂) at node c, which has a joint, gives its children and its joint ([Redon2005] eqs 4–7).

    Writes q̈ to `qdd`, and to the scratch `x_b`, what a₁ is to B (its f₂ is that of c); `phi`, by which the force on A's
    bottom body falls below its reference; and `f_hat`, the force that the joint would bear if A did not give way.
    """
    C, w = part(p, c), scratch(p)
    A, X = part(p, C.left), load_xform(p.work, C.stage)
    kind, d, nv = joint(p.index, C.stage)
    if C.solves:
        copy_rows(p, w.y, A.a2)
        sub_rows(p, w.d, C.a1, A.a1)
        add_tmv(p, w.y, A.T, w.d, 1.0)
        vector_to_child(p, X, w.x_d, w.y)
    else:
        vector_to_child(p, X, w.x_d, C.a1)
    add_rows(p, w.x_d, w.x_d, C.bias)
    force_at(p, C.right, w.x_d, C.f2 if C.has_bottom else -1, w.w)
    for k in range(nv):
        s = axis(p.model, C.stage, kind, C.axes, k)
        r = load(p.flat, s.r)
        e = r * (load(p.flat, s.Q) - s.alpha * get(p, w.w, s.i) - s.beta * get(p, w.w, s.j))
        if r == 0.0:  # an axis that loops move, see `loop_rows`
            e = load(p.flat, s.rest)
        put(p, w.e, k, e)
        add_scaled(p, w.w, e, s.u)
    vector_to_parent(p, X, w.f_hat, w.w)
    if C.solves:
        add_rows(p, w.d, w.f_hat, A.f2)
    give_way(p, c)  # (5), (7)
    for k in range(nv - 1, -1, -1):
        qdd[d + k] = move_axis(p, axis(p.model, C.stage, kind, C.axes, k), k)  # (4), (6)
    add_rows(p, w.x_b, w.x_d, w.delta)


@inlined
def bias(p, c, qdd):
    """Bias pass at node c: f₁ and a₂ at its reference. Leaves what `split` does."""
    C, w = part(p, c), scratch(p)
    if C.kind == SUM:
        force_at(p, C.left, C.a1, -1, C.f1)
        force_at(p, C.right, C.a1, -1, w.w)
        add_rows(p, C.f1, C.f1, w.w)
        return
    split(p, c, qdd)
    if C.kind == HANG:
        copy_rows(p, C.f1, w.f_hat)
    else:
        force_at(p, C.left, C.a1, -1, C.f1)
        if C.solves:
            add_mv(p, C.f1, part(p, C.left).T, w.phi, 1.0)  # (2), for b₁
        else:
            add_rows(p, C.f1, C.f1, w.f_hat)
    if C.has_bottom:
        acceleration_at(p, C.right, w.x_b, C.f2, C.a2)  # (2), for b₂


@helper
def pass_on(p, c):
    """Write what `split` found to the references of c's children: from there they are split in turn."""
    C, w = part(p, c), scratch(p)
    A, B = part(p, C.left), part(p, C.right)
    if not B.is_leaf:
        copy_rows(p, B.a1, w.x_b)
    if B.has_bottom and C.has_bottom:
        copy_rows(p, B.f2, C.f2)
    if C.left >= 0 and not A.is_leaf:
        copy_rows(p, A.a1, C.a1)
        if A.has_bottom:
            sub_rows(p, A.f2, A.f2, w.phi)


@helper
def kinematics(model, index, work, loaded, q, v, tau, a):
    """Where every stage stands, how it moves and what force it needs at rest, as in `aba`."""
    outcome = check_state(index, q)
    if outcome != OK:
        return outcome
    if v.shape[0] != index[N_V] or tau.shape[0] != index[N_V] or a.shape[0] != index[N_V]:
        return status(WRONG_SIZE, 0)
    forward_pass(model, index, work, loaded, q, v, tau)
    return OK


@helper
def loaded_kinematics(model, index, work, table, q, v, tau, f_ext, total, a):
    """`kinematics` with forces from outside and force elements; `total` (nv) receives the joint forces in all."""
    outcome = applied_forces(model, index, work, table, q, v, f_ext, tau, total)
    if outcome != OK:
        return outcome
    return kinematics(model, index, work, 1, q, v, total, a)


@helper
def start_joint(p, c, v, tau):
    """The joint's own numbers: Q = τ − damping · v, and its bias v × S q̇."""
    C = part(p, c)
    kind, d, nv = joint(p.index, C.stage)
    rest = ground_velocity(v)
    if kind != FIXED:
        own = load_motion(p.work, WORK_ROW * C.stage + W_VELOCITY)
        rest = joint_bias(p.model, C.stage, kind, v, d, own, rest)
    put_motion(p, C.bias, rest)
    for k in range(nv):
        Q = tau[d + k] - p.model[damping_at(p.index, d + k)] * v[d + k]
        store(p.flat, axis(p.model, C.stage, kind, C.axes, k).Q, Q)


@inlined
def up_node(p, c, v, tau, a):
    """Main and bias pass at node c, no leaf, about a reference of zero; whether its joint has inertia."""
    C = part(p, c)
    clear_rows(p, C.a1)
    if C.has_bottom:
        clear_rows(p, C.f2)
    if C.stage >= 0:
        start_joint(p, c, v, tau)
    whole = assemble(p, c)
    bias(p, c, a)
    return whole


@unrolled
def upward(blocks, v, tau, a, begin, end):
    """Main and bias pass over nodes begin … end − 1, children first; a status."""
    p = parts_of(blocks)
    for c in range(begin, end):
        if p.nodes[c, KIND] != LEAF and not up_node(p, c, v, tau, a):
            return status(SINGULAR, p.nodes[c, STAGE])
    return OK


@helper
def lift_ground(p):
    """The ground rises against gravity: the reference of the whole."""
    a1 = part(p, p.nodes.shape[0] - 1).a1
    clear_rows(p, a1)
    for i in range(3):
        put(p, a1, i, -p.model[GRAVITY + i])


@helper
def set_ground(blocks):
    """`lift_ground`, from Python."""
    lift_ground(parts_of(blocks))


@inlined
def down_node(p, c, a):
    """Back-substitution at node c: its joint's accelerations to `a`, which are summed; its children's surroundings."""
    C, sum_ = part(p, c), 0.0
    if C.kind == SUM:
        for child in (C.left, C.right):
            if p.nodes[child, KIND] != LEAF:
                copy_rows(p, part(p, child).a1, C.a1)
    elif not C.is_leaf:
        split(p, c, a)
        pass_on(p, c)
        _, d, nv = joint(p.index, C.stage)
        for k in range(nv):
            sum_ += a[d + k]
    return sum_


@unrolled
def downward(blocks, v, tau, a, begin, end):
    """Back-substitution over nodes end − 1 … begin, parents first: accelerations to `a`; a status."""
    p, sum_ = parts_of(blocks), 0.0
    for c in range(end - 1, begin - 1, -1):
        sum_ += down_node(p, c, a)
    return status(NOT_FINITE, 0) if sum_ - sum_ != 0.0 else OK
