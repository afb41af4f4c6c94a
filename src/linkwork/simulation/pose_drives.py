"""Drives of joints whose velocities are not the rates of their coordinates: Spherical, Free and Planar ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.kernels.layout.kinds import RATES
from linkwork.linkage.joint import Free, Spherical
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.pose import Pose, quaternion_from_rotation
from linkwork.simulation.callbacks import DELTA
from linkwork.simulation.drives import Drive

UNIT = 1e-6  # how far a quaternion's length may be from 1


class PoseDrive(Drive):
    """A Spherical, Free or Planar joint that follows a function of time.

    With u(s) the way from the pose at t to that at t + s, in the coordinates of `Linkage.difference`, the velocity is
    du/ds and the acceleration d²u/ds² at s = 0.

    Parameters
    ----------
    linkage : Linkage
    joint : str or Joint
    motion : callable
        ``motion(t)`` gives the coordinates: a quaternion xyzw or a rotation matrix for a Spherical joint, a `Pose` or
        (x, y, z, qx, qy, qz, qw) for a Free one, (x, y, θ) for a Planar one; or a tuple of these, the velocities and
        the accelerations, as of the joint.
    origin : tuple, optional
        As of `Drive`; not used.
    """

    plain = False

    def __init__(self, linkage: Linkage, joint, motion: Any, origin: tuple[float, Sequence[float]] | None = None):
        handle = linkage.joints[linkage._resolve_joint(joint)]
        if not callable(motion):
            raise ArgumentError(
                f"joint {handle.name!r} is {type(handle.type).__name__}: its drive must be a function of t that gives "
                f"its coordinates, not {motion!r}"
            )
        self._place(handle, motion, origin)
        self._kind, self._alone = type(handle.type), Linkage()
        self._alone.add_body("body", joint=self._kind())

    def motion(self, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Coordinates, velocities and accelerations at time t."""
        given = self.function(t)
        if isinstance(given, tuple) and len(given) == 3 and np.ndim(given[0]) > 0:
            return self._coordinates(given[0], t), self._checked(given[1], t), self._checked(given[2], t)
        q = self._coordinates(given, t)
        before2, before, after, after2 = (
            self.way(q, self._coordinates(self.function(t + k * DELTA), t)) for k in (-2, -1, 1, 2)
        )
        v = (8.0 * (after - before) - (after2 - before2)) / (12.0 * DELTA)
        return q, v, (16.0 * (after + before) - (after2 + before2)) / (12.0 * DELTA**2)

    def way(self, q: np.ndarray, to: np.ndarray) -> np.ndarray:
        """The way from coordinates of the joint to others, in the units of its velocities."""
        return self._alone.difference(q, to)

    def _coordinates(self, value: Any, t: float) -> np.ndarray:
        """Coordinates of the joint from what the function gave."""
        if isinstance(value, Pose) and self._kind is Free:
            value = np.concatenate([value.position, quaternion_from_rotation(value.rotation)])
        try:
            array = np.asarray(value, dtype=np.float64)
        except (TypeError, ValueError):
            array = np.empty(0)
        if array.shape == (3, 3) and self._kind is Spherical:
            array = quaternion_from_rotation(array)
        count = len(self.coordinates)
        turn = array[-4:] if self._kind in (Free, Spherical) and array.shape == (count,) else np.array([1.0])
        if array.shape != (count,) or not np.isfinite(array).all() or abs(np.linalg.norm(turn) - 1.0) > UNIT:
            raise ArgumentError(
                f"the drive of joint {self.joint!r} gave {value!r} at t = {t:g} s: it must give the {count} "
                f"coordinates of a {self._kind.__name__} joint, finite, quaternions xyzw of length 1"
            )
        return array


def new_drive(
    linkage: Linkage, joint: str, motion: Any, origin: tuple[float, Sequence[float]] | None = None
) -> Drive:
    """The drive of a joint, of the kind that it needs."""
    kind = linkage.joints[joint].type
    return (Drive if RATES[kind.code] or kind.nv == 0 else PoseDrive)(linkage, joint, motion, origin)
