"""What contacts need of a linkage in one pose, open or closed: factors of its inverse mass matrix, and its motion."""

from linkwork.kernels.algebra.spatial import Motion, motion_to_child
from linkwork.kernels.algebra.storage import load_motion, store_motion
from linkwork.kernels.algebra.vec3 import Vec3
from linkwork.kernels.closed.projection import ZERO, correction
from linkwork.kernels.joints import joint_velocity
from linkwork.kernels.layout import N_STAGES, OK
from linkwork.kernels.numba_ext import helper
from linkwork.kernels.records import load_xform, stage_at, velocity_at
from linkwork.kernels.tree.aba import aba


@helper
def move_stages(model, index, work, v):
    """Velocities of the stages, each in its own frame, from the poses in their parents that are in `work`."""
    none = Vec3(0.0, 0.0, 0.0)
    for i in range(index[N_STAGES]):
        parent, kind, _, d = stage_at(index, i)
        m = Motion(none, none)
        if parent >= 0:
            m = motion_to_child(load_xform(work, i), load_motion(work, velocity_at(parent)))
        store_motion(work, velocity_at(i), joint_velocity(model, i, kind, v, d, m))


@helper
def factorise(model, index, work, loops, q, v, zero, step):
    """Leave the factors at q, and the velocities, in `work`, those of the loops in their scratch: a status.

    ``zero`` (nv) is zero, ``step`` (nv) scratch.
    """
    if loops is None:
        return aba(model, index, work, 0, q, v, zero, step)
    else:  # noqa: RET505 — the compiler looks for both branches
        outcome = correction(model, index, work, loops, False, q, loops[3][ZERO])
        if outcome == OK:
            move_stages(model, index, work, v)
        return outcome
