"""One joint, or one part of a linkage, looked at by itself: the way down to it from the whole, and what surrounds it.

References: [Redon2005] eqs 1, 5 and 7.
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
    put_wrench,
    vector_to_child,
)
from linkwork.kernels.algebra.spatial import inertia_mul, wrench_add
from linkwork.kernels.algebra.storage import load_wrench
from linkwork.kernels.assembly_tree.rigid_twins import look_at_twin
from linkwork.kernels.assembly_tree.total_acceleration import NOWHERE, total_at
from linkwork.kernels.assembly_tree.update import compute
from linkwork.kernels.assembly_tree.views import add_axis, axis, force_at_rest, joint, part, parts_of, scratch, total
from linkwork.kernels.layout.nodes import SUM, VECTOR
from linkwork.kernels.numba_ext import helper, inlined
from linkwork.kernels.records import load_inertia, load_xform

JOINT_WRENCH, TOP_A, TOP_F, BOTTOM_A, BOTTOM_F = range(5)  # rows of what `look_down` writes


@inlined
def write(p, out, row, x):
    for k in range(6):
        out[row, k] = get(p, x, k)


@helper
def wrench_on_right(p, c, qdd):
    """The force on B that the joint of node c passes on, to `w`: the paper's (5), (7)."""
    C, now, w = part(p, c), total(p, c), scratch(p)
    A, B, above = part(p, C.left), part(p, C.right), total(p, C.left)
    if not B.is_leaf:
        force_now(p, C.right, w.w)
    else:
        if C.solves:
            copy_rows(p, w.y, A.a2)
            add_tmv(p, w.y, A.T, above.now1, 1.0)
            add_tmv(p, w.y, A.Phi, above.now2, 1.0)
        else:
            add_rows(p, w.y, C.a1, now.now1)
        vector_to_child(p, load_xform(p.work, C.stage), w.x_d, w.y)
        kind, d, nv = joint(p.index, C.stage)
        for k in range(nv):
            add_axis(p, axis(p.model, C.stage, kind, C.axes, k), w.x_d, qdd[d + k])
        rest = load_wrench(p.work, force_at_rest(B.stage))
        put_wrench(p, w.w, wrench_add(rest, inertia_mul(load_inertia(p.model, B.stage), get_motion(p, w.x_d))))
    if C.has_bottom and not B.has_bottom:  # the force on the bottom body, which is B itself
        add_scaled(p, w.w, -1.0, C.f2)
        add_scaled(p, w.w, -1.0, now.now2)


@helper
def force_now(p, c, y):
    """y = f₁ of node c in its present surroundings ([1] of `views`)."""
    C, now = part(p, c), total(p, c)
    add_rows(p, y, C.f1, C.f1 + VECTOR)
    add_tmv(p, y, C.I, now.now1, 1.0)
    if C.has_bottom:
        add_mv(p, y, C.T, now.now2, -1.0)


@helper
def look_down(blocks, path, twins, qdd, out):
    """Go down a path of nodes, the whole first, all of them up to date; what surrounds the last, to `out` (5, 6).

    Returns A of the last node: the square of the least error of holding all its joints, or its total acceleration.
    """
    p = parts_of(blocks)
    clear_rows(p, total(p, path[0]).now1)
    for c in path:
        compute(p, c, qdd)
    c = path[path.shape[0] - 1]
    C, now, w = part(p, c), total(p, c), scratch(p)
    if C.kind != SUM:
        wrench_on_right(p, c, qdd)
        write(p, out, JOINT_WRENCH, w.w)
    add_rows(p, w.d, C.a1, now.now1)
    write(p, out, TOP_A, w.d)
    force_now(p, c, w.d)
    write(p, out, TOP_F, w.d)
    if C.has_bottom:
        copy_rows(p, w.d, C.a2)
        add_tmv(p, w.d, C.T, now.now1, 1.0)
        add_tmv(p, w.d, C.Phi, now.now2, 1.0)
        write(p, out, BOTTOM_A, w.d)
        add_rows(p, w.d, C.f2, now.now2)
        write(p, out, BOTTOM_F, w.d)
    if twins is None:
        return total_at(p, c, now.now1, now.now2, NOWHERE)[0]
    return look_at_twin(p, c)
