"""Stages whose own inertia may leave their joint without any: what stands behind them decides, and the pose."""

from __future__ import annotations

import numpy as np

from linkwork.kernels.layout import (
    I_BODY,
    I_KIND,
    I_PARENT,
    I_V,
    M_ARMATURE,
    M_INERTIA,
    M_MASS,
    M_MOMENT,
    M_SLIDE,
    M_TURN,
)
from linkwork.kernels.layout.kinds import FIXED, FREE, PLANAR, SPHERICAL

RESISTS = 1e-13  # share of the inertia of a body beyond which it resists


def weak_stages(rows: np.ndarray, index: np.ndarray, armature: np.ndarray) -> np.ndarray:
    """(stages,) whether the own inertia of each, and rotors, leave an axis of its joint without resistance.

    That of the body of a joint of two stages, whose axes cannot meet, counts for both.
    """
    kind, first, body = index[:, I_KIND], index[:, I_V], index[:, I_BODY] >= 0
    mass, (hx, hy, hz) = rows[:, M_MASS], rows[:, M_MOMENT : M_MOMENT + 3].T
    moments = rows[:, M_INERTIA : M_INERTIA + 6]
    whole = moments[:, [0, 3, 5]].sum(axis=1)
    slide, turn = rows[:, M_SLIDE] ** 2, rows[:, M_TURN] ** 2
    weak = slide * mass + turn * moments[:, 5] + rows[:, M_ARMATURE] <= RESISTS * (slide * mass + turn * whole)
    weak[kind == FIXED] = mass[kind == FIXED] <= 0.0

    r = np.divide(1.0, mass, out=np.zeros(len(mass)), where=mass > 0.0)
    about = np.stack([hy * hy + hz * hz, -hx * hy, -hx * hz, hx * hx + hz * hz, -hy * hz, hx * hx + hy * hy], axis=1)
    central = moments - r[:, None] * about  # about the centre of mass
    free = (mass <= 0.0) | _flat(central, whole)
    weak[kind == FREE] = free[kind == FREE]
    middle = np.flatnonzero(~body)
    of_two = middle[body[middle + 1] & (body[middle - 1] | (index[middle, I_PARENT] != middle - 1))]
    weak[of_two] &= free[of_two + 1]
    for each in (SPHERICAL, PLANAR):
        at = np.flatnonzero(kind == each)
        x, y, z = armature[first[at, None] + np.arange(3)].T
        if each == SPHERICAL:
            turned = moments[at] + np.stack([x, 0 * x, 0 * x, y, 0 * x, z], axis=1)
            weak[at] = _flat(turned, whole[at] + x + y + z)
        else:
            weak[at] = (mass[at] + np.minimum(x, y) <= 0.0) | (central[at, 5] + z <= RESISTS * (moments[at, 5] + z))
    return weak


def _flat(moments: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Whether a matrix of moments (n, 6) has next to none about some axis, beside their size."""
    xx, xy, xz, yy, yz, zz = moments.T
    det = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz)
    return (det <= RESISTS * size**3) | (xx * yy - xy * xy <= 0.0) | (zz <= 0.0)
