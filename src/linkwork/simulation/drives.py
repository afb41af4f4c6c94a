"""Driven joints: a motion that is given instead of a torque."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.kernels.layout.kinds import RATES
from linkwork.linkage.linkage import Linkage

# Differences with five points: of the first derivative by δ⁴/30 q⁗′ and rounding 1e-16/δ, of the second 1e-16/δ²
_DELTA = 1e-3  # s


class Drive:
    """A joint that follows a function of time.

    Parameters
    ----------
    linkage : Linkage
    joint : str or Joint
        One whose velocities are the rates of its coordinates: not Spherical, Free or Planar.
    function : callable
        ``function(t)`` gives q, or (q, rate, second derivative), each a number or (nv,). Where it gives q alone its
        derivatives are taken by differences, to about 1e-12 and 1e-9 of the motion's size for smooth motions slower
        than a hertz.
    """

    def __init__(self, linkage: Linkage, joint, function: Callable):
        handle = linkage.joints[linkage._resolve_joint(joint)]
        if not RATES[handle.type.code] or handle.nv == 0:
            raise ArgumentError(
                f"joint {handle.name!r} is {type(handle.type).__name__}: a driven joint needs velocities that are the "
                "rates of its coordinates"
            )
        self.joint, self.function = handle.name, function
        self.coordinates = np.arange(handle.q_slice.start, handle.q_slice.stop)
        self.dofs = np.arange(handle.v_slice.start, handle.v_slice.stop)

    def motion(self, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Coordinates, velocities and accelerations at time t."""
        given = self.function(t)
        if isinstance(given, tuple) and len(given) == 3:
            q, v, a = (self._checked(part, t) for part in given)
            return q, v, a
        # Both stencils are of fourth order.
        q = self._checked(given, t)
        before2, before, after, after2 = (self._checked(self.function(t + k * _DELTA), t) for k in (-2, -1, 1, 2))
        v = (8.0 * (after - before) - (after2 - before2)) / (12.0 * _DELTA)
        a = (16.0 * (after + before) - (after2 + before2) - 30.0 * q) / (12.0 * _DELTA**2)
        return q, v, a

    def _checked(self, value, t: float) -> np.ndarray:
        try:
            array = np.atleast_1d(np.asarray(value, dtype=np.float64))
        except (TypeError, ValueError):
            array = np.empty(0)
        if array.shape != self.dofs.shape or not np.isfinite(array).all():
            raise ArgumentError(
                f"the drive of joint {self.joint!r} gave {value!r} at t = {t:g} s: it must give q, or (q, rate, second "
                f"derivative), finite and of {len(self.dofs)} value(s) each"
            )
        return array

    def __repr__(self) -> str:
        return f"Drive({self.joint!r})"
