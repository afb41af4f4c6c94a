"""What joints bear: the first one whose wrench is beyond its strength; see `layout.strengths` for these."""

import math

from linkwork.kernels.algebra.storage import load_wrench
from linkwork.kernels.algebra.vec3 import dot
from linkwork.kernels.closed.reactions import apply_loop_wrenches, apply_nothing, loop_wrench
from linkwork.kernels.layout import W_FORCE, WORK_ROW
from linkwork.kernels.layout.strengths import LOOP, S_FORCE, S_KIND, S_TORQUE, S_WHERE, TREE
from linkwork.kernels.numba_ext import helper, separate
from linkwork.kernels.tree.rnea import newton_euler


@helper
def has_strengths(strengths):
    """Whether there are strengths to watch, besides modes."""
    return False if strengths is None else strengths.shape[0] > 0 and strengths[strengths.shape[0] - 1, S_KIND] >= 0.0


@helper
def breaks(strengths, j, w):
    """Whether a wrench is more than row j bears."""
    force, torque = strengths[j, S_FORCE], strengths[j, S_TORQUE]
    return dot(w.f, w.f) > force * force or dot(w.n, w.n) > torque * torque


@helper
def overloaded_loop(loops, strengths):
    """The first row of `strengths` whose loop joint bears too much, or −1."""
    for j in range(strengths.shape[0]):
        loop = int(strengths[j, S_WHERE])
        if strengths[j, S_KIND] == LOOP and breaks(strengths, j, loop_wrench(loops, loop)):
            return j
    return -1


@separate
def inverse_dynamics(model, index, work, loaded, loops, q, v, a, tau):
    """τ and the wrenches in tree joints, with those of loop joints, right after the acceleration a was found.

    ``loaded`` says whether wrenches are applied to the stages.
    """
    if loops is None:
        apply_nothing(index, work, loaded)
    else:
        apply_loop_wrenches(index, work, loops, loaded)
    newton_euler(model, index, work, True, 1.0, q, v, a, tau)


@helper
def overloaded(work, loops, strengths):
    """The first row of `strengths` whose joint bears too much, or −1, right after `inverse_dynamics`."""
    if loops is not None:
        j = overloaded_loop(loops, strengths)
        if j >= 0:
            return j
    for j in range(strengths.shape[0]):
        if strengths[j, S_KIND] == TREE and breaks(
            strengths, j, load_wrench(work, WORK_ROW * int(strengths[j, S_WHERE]) + W_FORCE)
        ):
            return j
    return -1


@helper
def joint_share(work, loops, strengths, j):
    """What the joint of row j bears, as a share of its strength, right after `inverse_dynamics`."""
    where = int(strengths[j, S_WHERE])
    w = load_wrench(work, WORK_ROW * (where if strengths[j, S_KIND] == TREE else 0) + W_FORCE)
    if loops is not None and strengths[j, S_KIND] == LOOP:
        w = loop_wrench(loops, where)
    return max(math.sqrt(dot(w.f, w.f)) / strengths[j, S_FORCE], math.sqrt(dot(w.n, w.n)) / strengths[j, S_TORQUE])
