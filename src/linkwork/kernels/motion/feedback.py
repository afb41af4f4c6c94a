"""Feedback, and what motors let through of torques: of one state or a pack of states."""

from linkwork.kernels.layout import N_V
from linkwork.kernels.numba_ext import fabs, helper, load, scalar, store, where
from linkwork.kernels.tree.integrate import difference


@helper
def add_feedback(model, index, work, gains, q, v, target_q, target_v, error, tau):
    """τ += K (target_q ⊖ q, target_v − v), where K is a matrix, or diagonal: kp, then kd."""
    outcome = difference(model, index, work, 0, q, target_q, error)
    nv = index[N_V]
    for d in range(nv):
        if gains.shape[0] == 2 * nv:
            push = load(gains, d) * load(error, d) + load(gains, nv + d) * (load(target_v, d) - load(v, d))
        else:
            push = scalar(q, 0.0)
            for e in range(nv):
                k = 2 * nv * d + e
                push += load(gains, k) * load(error, e) + load(gains, nv + k) * (load(target_v, e) - load(v, e))
        store(tau, d, load(tau, d) + push)
    return outcome


@helper
def limit_motors(motors, v, tau):
    """Keep torques within what motors can do: their efforts, which fade towards their speeds along the motion.

    `motors` has the efforts, the speeds, and over which span of speeds efforts fade, nv of each.
    """
    nv = motors.shape[0] // 3
    for d in range(nv):
        x, rate = load(tau, d), load(v, d)
        share = (motors[nv + d] - fabs(rate)) / motors[2 * nv + d]
        share = where(share < 1.0, where(share > 0.0, share, 0.0), 1.0)
        most = motors[d] * where(x * rate > 0.0, share, 1.0)
        store(tau, d, where(x > most, most, where(x < -most, -most, x)))
