"""Points of bodies that are kept on surfaces: where they are, how they move, their Jacobians. All in one pass.

``table`` has four numbers per point: its stage, and the point in the stage's frame. The surfaces themselves belong to
the public face, for they may be any function.

References: [Li] (22)–(30).
"""

from linkwork.kernels.algebra.spatial import Xform
from linkwork.kernels.algebra.storage import as_vec, load_motion, load_vec, store_vec
from linkwork.kernels.algebra.vec3 import add, cross, dot, mul, sub
from linkwork.kernels.joints import axes_of, write_axes
from linkwork.kernels.layout import I_KIND, I_PARENT, I_V, N_V, OK, W_VELOCITY, WORK_ROW, WRONG_SIZE
from linkwork.kernels.numba_ext import helper, load, scalar, sqrt, store
from linkwork.kernels.records import axis_at, check_state, index_row, load_xform, status
from linkwork.kernels.tree.kinematics import classical, stage_accelerations


@helper
def contact_points(model, index, work, table, q, v, zero, out, J):
    """For each point r, ṙ, J̇v and its reach (10 numbers of `out`), and its Jacobian's linear part (3 × nv of `J`).

    The reach is the length that the Jacobian would have if the arms of turning joints were perpendicular to their axes:
    what is far below it is rounding.
    """
    outcome = check_state(index, q)
    if outcome != OK:
        return outcome
    nv = index[N_V]
    if v.shape[0] != nv:
        return status(WRONG_SIZE, 0)
    points = table.shape[0] // 4
    last = -1
    for k in range(points):
        last = max(last, int(table[4 * k]))
    stage_accelerations(model, index, work, last, q, v, zero)
    for k in range(3 * points * nv):
        store(J, k, scalar(q, 0.0))
    for k in range(points):
        stage, point = int(table[4 * k]), as_vec(q, load_vec(table, 4 * k + 1))
        pose, twist = load_xform(work, stage), load_motion(work, WORK_ROW * stage + W_VELOCITY)
        r = add(pose.p, mul(pose.R, point))
        store_vec(out, 10 * k, r)
        store_vec(out, 10 * k + 3, mul(pose.R, add(twist.v, cross(twist.w, point))))
        store_vec(out, 10 * k + 6, classical(work, stage, point).v)
        i, square = stage, scalar(q, 0.0)
        while i >= 0:
            row = index_row(i)
            kind, d, above = index[row + I_KIND], index[row + I_V], load_xform(work, i)
            write_axes(model, i, kind, Xform(above.R, sub(above.p, r)), work, axis_at(index, d))
            arm = sub(above.p, r)
            for j in range(axes_of(kind)):
                S = load_motion(work, axis_at(index, d + j))
                moment = cross(S.w, arm)  # S.v is that of the axis less this
                straight = add(S.v, moment)
                square = square + dot(straight, straight) + dot(S.w, S.w) * dot(arm, arm)
                for c in range(3):
                    store(J, (3 * k + c) * nv + d + j, load(work, axis_at(index, d + j) + c))
            i = index[row + I_PARENT]
        store(out, 10 * k + 9, sqrt(square))
    return OK
