"""Steps on the configuration manifold: q ⊕ dv and its inverse, joint by joint.

Spherical: q' = q exp(dv), the rotation vector in the child's frame. Free: the whole rigid motion exp(dv), as a screw.
Planar: the same in the plane. Every other joint: plain addition.

References: [Nakamura2000] eq. 39, in the link's frame; [Sola2018].
"""

from linkwork.kernels.joints import difference_stage, integrate_stage
from linkwork.kernels.layout import I_KIND, I_Q, I_V, N_STAGES, N_V, OK, WRONG_SIZE
from linkwork.kernels.numba_ext import separate
from linkwork.kernels.records import check_state, index_row, status


@separate
def integrate(model, index, work, option, q, dv, out):
    """out = q ⊕ dv."""
    outcome = check_state(index, q)
    if outcome != OK:
        return outcome
    if dv.shape[0] != index[N_V]:
        return status(WRONG_SIZE, 0)
    for i in range(index[N_STAGES]):
        row = index_row(i)
        integrate_stage(index[row + I_KIND], q, index[row + I_Q], dv, index[row + I_V], out)
    return OK


@separate
def difference(model, index, work, option, q0, q1, out):
    """out = q1 ⊖ q0: the dv with q0 ⊕ dv = q1."""
    outcome = max(check_state(index, q0), check_state(index, q1))
    if outcome != OK:
        return outcome
    for i in range(index[N_STAGES]):
        row = index_row(i)
        difference_stage(index[row + I_KIND], q0, q1, index[row + I_Q], out, index[row + I_V])
    return OK
