"""Forces and accelerations of every part at its reference, and how far others are from there.

Every node c has a reference (a₁, f₂) near what truly surrounds it; all else is stored as values there and as
differences from there. `evaluate` finds, with the surroundings of c at their reference, its f₁ and a₂, its joint's q̈,
η, g, and by how much the surroundings of its children are off their references. `descend` takes differences of
(a₁, f₂) to those of the children and of q̈: it sees no large number at all ([Redon2005] eqs 4–7).

A part may carry a weight many orders of magnitude larger than the forces that are to be told apart, held by torques.
So f₁ has lower digits too (see `double_double`), and where loads are `heavy` (there is gravity, or a torque) it is
carried from body to body with them; accelerations need none, because an error in one is passed on by what a part
resists as a mechanism, not by all its weight.

What rounding may have done to a q̈ = r (Q − s · f) + … is estimated by a last digit of r |u| · |x|, x the acceleration
of what hangs by the joint, of r |f|, with or without its lower digits, of q̈ itself, and by r times the rounding bounds
of the forces from outside, which are turned by rotations that are products of many. These bounds, of a force and of a
moment, are kept in the idle places of f₁.
"""

from linkwork.kernels.algebra.block6 import (
    add_mv,
    add_rows,
    add_scaled,
    add_tmv,
    clear_rows,
    copy_rows,
    get,
    get_motion,
    increase,
    mul_mv,
    mul_tmv,
    place,
    put,
    put_wrench,
    set_scaled,
    sub_rows,
    vector_to_child,
    vector_to_parent,
)
from linkwork.kernels.algebra.double_double import (
    add_pairs,
    add_rounded,
    add_vector,
    dot_step,
    wrench_to_parent_twofold,
)
from linkwork.kernels.algebra.spatial import inertia_mul
from linkwork.kernels.algebra.storage import load_wrench
from linkwork.kernels.assembly_tree.divide_conquer import give_way, move_axis
from linkwork.kernels.assembly_tree.total_acceleration import put_numbers, total_at
from linkwork.kernels.assembly_tree.views import (
    along,
    axis,
    force_at_rest,
    joint,
    part,
    scratch,
    total,
    total_scratch,
)
from linkwork.kernels.layout import W_POSITION, WORK_ROW
from linkwork.kernels.layout.nodes import HANG, PAIR, SUM, VECTOR
from linkwork.kernels.numba_ext import fabs, helper, inlined, load, separately_unrolled, store
from linkwork.kernels.records import load_inertia, load_xform

# Of a vector's eight places the last two are idle: in f₁ they hold bounds of what rounding did to force and moment
BOUND_F, BOUND_N = 6, 7
POSE_POSITION = 9  # in a pose, after the rotation
# Rounding of what was computed with one float, and with two
ROUNDING, ROUNDING_2 = 1e-15, 1e-18


@inlined
def settle_joint(p, c):
    """q̈ of the joint of node c, from `e` to `e`, and what a₁ is to B, `x_b`, where A gives way to the force `d`."""
    C, w = part(p, c), scratch(p)
    kind, _, nv = joint(p.index, C.stage)
    give_way(p, c)  # (5), (7)
    for k in range(nv - 1, -1, -1):
        put(p, w.e, k, move_axis(p, axis(p.model, C.stage, kind, C.axes, k), k))  # (4), (6)
    add_rows(p, w.x_b, w.x_d, w.delta)


@separately_unrolled
def descend(p, c, qdd):
    """From the present surroundings of node c, which has a joint, to its q̈ and to its children's surroundings."""
    C, now, w = part(p, c), total(p, c), scratch(p)
    A, B, X = part(p, C.left), part(p, C.right), load_xform(p.work, C.stage)
    kind, d, nv = joint(p.index, C.stage)
    if C.solves:
        mul_tmv(p, w.y, A.T, now.now1, 1.0)
        vector_to_child(p, X, w.x_d, w.y)
    else:
        vector_to_child(p, X, w.x_d, now.now1)
    if B.is_leaf:
        put_wrench(p, w.w, inertia_mul(load_inertia(p.model, B.stage), get_motion(p, w.x_d)))
    else:
        mul_tmv(p, w.w, B.I, w.x_d, 1.0)
    if C.has_bottom:
        if B.has_bottom:
            add_mv(p, w.w, B.T, now.now2, -1.0)
        else:
            add_scaled(p, w.w, -1.0, now.now2)
    for k in range(nv):
        s = axis(p.model, C.stage, kind, C.axes, k)
        e = -load(p.flat, s.r) * along(p, s, w.w)
        put(p, w.e, k, e)
        add_scaled(p, w.w, e, s.u)
    if C.solves:
        vector_to_parent(p, X, w.d, w.w)
    settle_joint(p, c)
    for k in range(nv):
        qdd[d + k] = load(p.flat, axis(p.model, C.stage, kind, C.axes, k).rest) + get(p, w.e, k)
    if not B.is_leaf:
        below = total(p, C.right)
        add_rows(p, below.now1, w.x_b, below.off1)
        if B.has_bottom:
            add_rows(p, below.now2, now.now2, below.off2)
    if C.left >= 0 and not A.is_leaf:
        above = total(p, C.left)
        add_rows(p, above.now1, now.now1, above.off1)
        if A.has_bottom:
            sub_rows(p, above.now2, above.off2, w.phi)


@inlined
def one_norm(numbers, k):
    """Sum of the magnitudes of three numbers from k on."""
    return fabs(load(numbers, k)) + fabs(load(numbers, k + 1)) + fabs(load(numbers, k + 2))


@inlined
def force_off(p, b, x, f2, y):
    """y = f₁ of part b, with its lower digits, at a₁ = x and f₂ off its reference as `off1` and `off2` tell.

    f2 is the address of that force, −1 where b has no bottom.
    """
    B, off, w = part(p, b), total(p, b), scratch(p)
    if B.is_leaf:
        put_wrench(p, y, load_wrench(p.work, force_at_rest(B.stage)))
        clear_rows(p, y + VECTOR)
        put(p, y, BOUND_F, ROUNDING * one_norm(p.flat, place(y, 0)))
        put(p, y, BOUND_N, ROUNDING * one_norm(p.flat, place(y, 3)))
        put_wrench(p, w.d, inertia_mul(load_inertia(p.model, B.stage), get_motion(p, x)))
    else:
        copy_rows(p, y, B.f1, PAIR)
        mul_tmv(p, w.d, B.I, off.off1, 1.0)
    if f2 >= 0:
        if B.has_bottom:
            add_mv(p, w.d, B.T, off.off2, -1.0)
        else:
            add_vector(p.rec, y, f2, -1.0)
    add_vector(p.rec, y, w.d, 1.0)


@inlined
def set_off(p, b, a1):
    """By how much a₁ of part b, which is `a1` there, is off its reference."""
    B = part(p, b)
    if b >= 0 and not B.is_leaf:
        sub_rows(p, total(p, b).off1, a1, B.a1)


@inlined
def evaluate_joint(p, c):
    """q̈ of the joint of node c if A did not give way, to `e`, and the force on B then, with lower digits."""
    C, w, Q = part(p, c), scratch(p), total_scratch(p)
    kind, _, nv = joint(p.index, C.stage)
    for k in range(nv):
        s = axis(p.model, C.stage, kind, C.axes, k)
        low = Q.w + VECTOR
        sum_ = load(p.flat, s.Q), 0.0
        sum_ = dot_step(sum_, -s.alpha, 0.0, get(p, Q.w, s.i), get(p, low, s.i))
        sum_ = dot_step(sum_, -s.beta, 0.0, get(p, Q.w, s.j), get(p, low, s.j))
        e = load(p.flat, s.r) * (sum_[0] + sum_[1])
        put(p, w.e, k, e)
        set_scaled(p, w.d, e, s.u)
        add_vector(p.rec, Q.w, w.d, 1.0)


@inlined
def evaluate_forces(p, c, heavy):
    """f₁, a₂ and q̈ of node c at its reference, and how far off theirs its children are; leaves what `descend` does."""
    C, w, Q = part(p, c), scratch(p), total_scratch(p)
    A, B = part(p, C.left), part(p, C.right)
    f2 = C.f2 if C.has_bottom else -1
    set_off(p, C.left, C.a1)
    if C.kind == SUM:
        set_off(p, C.right, C.a1)
        force_off(p, C.left, C.a1, -1, C.f1)
        force_off(p, C.right, C.a1, -1, Q.w)
        add_pairs(p.rec, C.f1, Q.w)  # and their rounding bounds
        return
    X, above, below = load_xform(p.work, C.stage), total(p, C.left), total(p, C.right)
    if C.solves:
        copy_rows(p, w.y, A.a2)
        add_tmv(p, w.y, A.T, above.off1, 1.0)
        vector_to_child(p, X, w.x_d, w.y)
    else:
        vector_to_child(p, X, w.x_d, C.a1)
    set_off(p, C.right, w.x_d)
    if B.has_bottom:
        sub_rows(p, below.off2, f2, B.f2)
    force_off(p, C.right, w.x_d, f2, Q.w)
    evaluate_joint(p, c)
    if heavy:
        wrench_to_parent_twofold(p.work, C.stage, p.flat, Q.f, Q.w)
    else:
        vector_to_parent(p, X, Q.f, Q.w)
        clear_rows(p, Q.f + VECTOR)
    copy_bounds(p, Q.f, Q.w, one_norm(p.work, WORK_ROW * C.stage + W_POSITION))
    if C.solves:
        add_rounded(p.rec, w.d, Q.f, A.f2)
    settle_joint(p, c)
    set_off(p, C.right, w.x_b)
    if C.kind == HANG:
        copy_rows(p, C.f1, Q.f, PAIR)
    elif C.solves:
        set_scaled(p, above.off2, -1.0, w.phi)
        force_off(p, C.left, C.a1, -1, C.f1)
        mul_mv(p, w.d, A.T, w.phi)
        add_vector(p.rec, C.f1, w.d, 1.0)
        add_bounds(p, C.f1, Q.f, one_norm(p.flat, place(above.inside, POSE_POSITION)))
    else:
        force_off(p, C.left, C.a1, -1, C.f1)
        add_pairs(p.rec, C.f1, Q.f)
    if C.has_bottom:
        if not B.has_bottom:
            copy_rows(p, C.a2, w.x_b)
        else:
            copy_rows(p, C.a2, B.a2)
            add_tmv(p, C.a2, B.T, below.off1, 1.0)
            add_tmv(p, C.a2, B.Phi, below.off2, 1.0)


@inlined
def copy_bounds(p, y, x, arm):
    """The rounding bounds of a force x, taken to a body an arm away, as those of y."""
    f = get(p, x, BOUND_F)
    put(p, y, BOUND_F, f)
    put(p, y, BOUND_N, get(p, x, BOUND_N) + arm * f)


@inlined
def add_bounds(p, y, x, arm):
    """Those of y and of x, an arm away, together."""
    f = get(p, x, BOUND_F)
    increase(p, y, BOUND_F, f)
    put(p, y, BOUND_N, get(p, y, BOUND_N) + get(p, x, BOUND_N) + arm * f)


@inlined
def lost_in(p, s, x, heavy):
    """What rounding may have done to q̈ of the axis s, which came out as x, with lower digits and without."""
    w, Q, terms = scratch(p), total_scratch(p), 0.0
    for n in range(6):
        terms += fabs(get(p, s.u, n) * get(p, w.x_d, n))
    r = load(p.flat, s.r)
    carried = fabs(load(p.flat, s.Q)) + one_norm(p.flat, place(Q.w, 0)) + one_norm(p.flat, place(Q.w, 3))
    lost = r * (ROUNDING * terms + get(p, Q.w, BOUND_N) + get(p, Q.w, BOUND_F)) + ROUNDING * fabs(x)
    return lost + (ROUNDING_2 if heavy else ROUNDING) * r * carried, lost + ROUNDING * r * carried


@helper
def evaluate_total(p, c, heavy):
    """η, g and the noise of node c, where `evaluate_forces` has just been."""
    C, mine, w, Q = part(p, c), total(p, c), scratch(p), total_scratch(p)
    if C.kind == SUM:
        left, rounding = total_off(p, C.left, Q.g_A1)
        right, more = total_off(p, C.right, Q.g_B1)
        add_rows(p, mine.g1, Q.g_A1, Q.g_B1)
        put_numbers(p, c, left + right, rounding + more, 0.0, 0.0)
        return
    eta, rounding = total_off(p, C.right, Q.g_B1)
    noise, of_floats = 0.0, 0.0
    # what each axis adds to η, and the gradient through it
    kind, _, nv = joint(p.index, C.stage)
    for k in range(nv):
        s = axis(p.model, C.stage, kind, C.axes, k)
        x = get(p, w.e, k)
        store(p.flat, s.rest, x)
        eta += x * x  # (9)
        lost, of_float = lost_in(p, s, x, heavy)
        noise += lost * lost
        of_floats += of_float * of_float
        slope = 2.0 * x + s.alpha * get(p, Q.g_B1, s.i) + s.beta * get(p, Q.g_B1, s.j)
        slope *= load(p.flat, s.r)
        add_scaled(p, Q.g_B1, -slope, s.u)
        add_scaled(p, Q.g_B2, slope, s.t)
    vector_to_parent(p, load_xform(p.work, C.stage), Q.g_x, Q.g_B1)
    if C.kind == HANG:
        copy_rows(p, mine.g1, Q.g_x)
    else:
        left, more = total_off(p, C.left, Q.g_A1)
        eta += left
        rounding += more
        if C.solves:
            join_gradient(p, c)
        else:
            add_rows(p, mine.g1, Q.g_A1, Q.g_x)
    if C.has_bottom:
        copy_rows(p, mine.g2, Q.g_B2)
    put_numbers(p, c, eta, rounding, noise, of_floats)


@inlined
def join_gradient(p, c):
    """g₁ of node c from those of A and of the hung part, and g₂ in the scratch: the transpose of `give_way`."""
    C, mine, w, Q = part(p, c), total(p, c), scratch(p), total_scratch(p)
    A = part(p, C.left)
    set_scaled(p, Q.g_f, -1.0, Q.g_A2)
    add_tmv(p, Q.g_f, A.Phi, Q.g_x, -1.0)
    mul_mv(p, w.delta, C.V, Q.g_f)
    add_tmv(p, Q.g_x, mine.K, w.delta, 1.0)
    if C.has_bottom:
        add_tmv(p, Q.g_B2, mine.T, w.delta, -1.0)
    copy_rows(p, mine.g1, Q.g_A1)
    add_mv(p, mine.g1, A.T, Q.g_x, 1.0)


@inlined
def total_off(p, b, gradient):
    """A of part b and its gradient, where the node that it is part of is at its reference."""
    B = total(p, b)
    return total_at(p, b, B.off1, B.off2, gradient)


@helper
def move_reference(p, c):
    """Take the present surroundings of node c as its reference."""
    C, now = part(p, c), total(p, c)
    add_rows(p, C.a1, C.a1, now.now1)
    if C.has_bottom:
        add_rows(p, C.f2, C.f2, now.now2)
