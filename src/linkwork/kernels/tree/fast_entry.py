"""Entry points for calls that must be quick: one state, no external forces, as few arguments as possible.

Each array that crosses from Python costs some 50 ns, as much as half a joint. So the model, the index and the work
space cross as one number: the address of a *context*, an array of their addresses and sizes, which `Tree` keeps alive.
"""

import numpy as np

from linkwork.kernels.layout import N_BODIES, N_V, WRONG_SIZE
from linkwork.kernels.numba_ext import const_floats_at, const_integers_at, flattened, floats_at, inlined, integers_at
from linkwork.kernels.records import all_finite, status
from linkwork.kernels.tree.aba import aba
from linkwork.kernels.tree.crba import crba
from linkwork.kernels.tree.kinematics import body_poses, body_velocities, jacobian
from linkwork.kernels.tree.rnea import rnea


def make_context(model, index, work):
    """The context of these arrays, which must outlive it."""
    return np.array([a for array in (model, index, work) for a in (array.ctypes.data, len(array))], dtype=np.int64)


@inlined
def unpack(context):
    """Model, index and work space of a context."""
    field = integers_at(context, 6)
    return const_floats_at(field[0], field[1]), const_integers_at(field[2], field[3]), floats_at(field[4], field[5])


def fast_aba(context, q, v, tau, a):
    """`aba` of a context."""
    model, index, work = unpack(context)
    return aba(model, index, work, 0, q, v, tau, a)


def fast_rnea(context, q, v, a, tau):
    """`rnea` of a context."""
    model, index, work = unpack(context)
    return rnea(model, index, work, 0, q, v, a, tau)


def fast_body_poses(context, q, positions, rotations):
    """`body_poses` of a context, (nb, 3) and (nb, 3, 3)."""
    model, index, work = unpack(context)
    if positions.shape[0] != index[N_BODIES] or rotations.shape[0] != index[N_BODIES]:
        return status(WRONG_SIZE, 0)
    outcome = all_finite(q, q.shape[0])
    return outcome or body_poses(model, index, work, 0, q, flattened(positions), flattened(rotations))


def fast_body_velocities(context, q, v, out):
    """`body_velocities` of a context, (nb, 6)."""
    model, index, work = unpack(context)
    if out.shape[0] != index[N_BODIES]:
        return status(WRONG_SIZE, 0)
    outcome = all_finite(q, q.shape[0]) or all_finite(v, v.shape[0])
    return outcome or body_velocities(model, index, work, 0, q, v, flattened(out))


def fast_jacobian(context, target, q, J):
    """`jacobian` of a context, (6, nv)."""
    model, index, work = unpack(context)
    if J.shape[0] != 6 or J.shape[1] != index[N_V]:
        return status(WRONG_SIZE, 0)
    outcome = all_finite(q, q.shape[0])
    return outcome or jacobian(model, index, work, target, q, flattened(J))


def fast_crba(context, q, H):
    """`crba` of a context into a dense matrix."""
    model, index, work = unpack(context)
    if H.shape[0] != index[N_V] or H.shape[1] != index[N_V]:
        return status(WRONG_SIZE, 0)
    return crba(model, index, work, 0, q, flattened(H))
