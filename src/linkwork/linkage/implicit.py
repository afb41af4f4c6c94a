"""What surfaces C(r, t) = 0 have in common: C and its derivatives at a point, and a way to be moved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from linkwork.errors import ArgumentError
from linkwork.linkage.checks import array
from linkwork.linkage.pose import Pose

_NOTHING = np.zeros(3)
_NOTHING.flags.writeable = False
_ROUNDS, _NEAR = 60, 1e-14  # of Newton's method; m, of places up to a metre: where it ends
_CLOSE = 1e-8  # of a face: a smaller step within it is the last, whose error is the square of it
_DELTA = 1e-3  # s: step of the fourth-order differences that give a motion's rates


class Local(NamedTuple):
    """A surface near one point r at one time t: C and its derivatives."""

    C: float
    gradient: np.ndarray  # (3,)
    hessian: np.ndarray  # (3, 3)
    C_t: float = 0.0
    gradient_t: np.ndarray = _NOTHING
    C_tt: float = 0.0
    velocity: np.ndarray | None = None  # of the surface's material at r; None where only its normal part is known


class Implicit:
    """Base of all surfaces."""

    __slots__ = ()

    def local(self, r: np.ndarray, t: float) -> Local:
        """C and its derivatives at the point r (3,), world axes, m, and the time t, s."""
        raise NotImplementedError

    def nearest(self, y: np.ndarray, t: float) -> tuple[Local, float]:
        """The surface where it is nearest to a point y (3,), and how far that is; see `kernels.contact.field`."""
        p, first = y, self.local(y, t)
        local = first
        for _ in range(_ROUNDS):
            size = float(np.sqrt(local.gradient @ local.gradient))
            if not size > 0.0:
                break
            n = local.gradient / size
            along, d = (y - p) - n * (n @ (y - p)), float(n @ (y - p))
            flat = np.eye(3) - np.outer(n, n)
            bent = np.eye(3) + (d / size) * flat @ local.hessian @ flat
            if np.linalg.eigvalsh(bent)[0] <= 0.0:
                break
            step = np.linalg.solve(bent, along) - (local.C / size) * n
            if step @ step <= (_NEAR * (1.0 + np.abs(y).sum())) ** 2:
                return local, d + local.C / size
            p = p + step
            local = self.local(p, t)
        return first, first.C / max(float(np.sqrt(first.gradient @ first.gradient)), 1e-300)

    def nearest_between(self, start: np.ndarray, end: np.ndarray, t: float) -> np.ndarray:
        """(1, 3) where between two points the surface is nearest; (0, 3) where that is at one of them."""
        from scipy.optimize import brentq

        d = end - start

        def slope(share: float) -> float:
            return float(self.nearest(start + share * d, t)[0].gradient @ d)

        if not slope(0.0) < 0.0 < slope(1.0):
            return np.empty((0, 3))
        return (start + brentq(slope, 0.0, 1.0, xtol=1e-12) * d)[None]

    def nearest_within(self, corners: np.ndarray, t: float) -> np.ndarray:
        """(1, 3) where within a flat face the surface is nearest; (0, 3) where that is on its border."""
        start, size = corners.mean(axis=0), float(np.ptp(corners, axis=0).max())
        plane = np.linalg.svd(corners - start)[2][:2]
        p, none = start, np.empty((0, 3))
        for _ in range(_ROUNDS):
            local, d = self.nearest(p, t)
            g = float(np.sqrt(local.gradient @ local.gradient))
            if not g > 0.0:
                return none
            n = local.gradient / g
            across = np.eye(3) - np.outer(n, n)
            S = across @ local.hessian @ across / g
            F, slope = plane @ np.linalg.solve(np.eye(3) + d * S, S) @ plane.T, plane @ n
            bulges = np.linalg.eigvalsh(F)[0] > 0.0
            step = -np.linalg.solve(F, slope) if bulges else -size * slope
            length = float(np.sqrt(step @ step))
            p = p + min(1.0, 0.5 * size / max(length, 1e-300)) * step @ plane
            if length <= _CLOSE * size:
                break
            if np.abs(p - start).max() > size:
                return none
        edges = np.roll(corners, -1, axis=0) - corners
        turned = np.cross(edges, p - corners) @ np.cross(plane[0], plane[1])
        return p[None] if bulges and ((turned > 0.0).all() or (turned < 0.0).all()) else none

    def moving(self, motion: Callable) -> Moving:
        """The same surface, described in a moving frame that carries it along.

        Parameters
        ----------
        motion : callable
            ``motion(t)`` gives the frame's Pose in the world, or (pose, twist, acceleration), each of the latter (6,):
            linear of the frame's origin, then angular, world axes. Where it gives the pose alone, rates come from
            differences, accurate to about 1e-9 for smooth motions slower than 1 Hz.
        """
        return Moving(self, motion)

    def sliding(self, velocity: ArrayLike) -> Sliding:
        """The same surface, which stays where it is while its material slides along it: a conveyor belt.

        Parameters
        ----------
        velocity : (3,) array_like
            Of the material, m/s; only what is along the surface counts.
        """
        return Sliding(self, velocity)


class Sliding(Implicit):
    """A surface whose material slides along it; see `Implicit.sliding`."""

    def __init__(self, surface: Implicit, velocity: ArrayLike):
        self.surface, self.velocity = surface, tuple(array(velocity, (3,), "velocity of a sliding surface").tolist())

    def local(self, r: np.ndarray, t: float) -> Local:
        """As of the surface at rest, with the velocity of its material."""
        found = self.surface.local(r, t)
        n, v = found.gradient, np.array(self.velocity)
        along = v - (n @ v) / max(float(n @ n), 1e-300) * n
        return found._replace(velocity=along if found.velocity is None else found.velocity + along)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sliding) and (self.surface, self.velocity) == (other.surface, other.velocity)

    def __hash__(self) -> int:
        return hash((self.surface, self.velocity))

    def __repr__(self) -> str:
        return f"{self.surface!r}.sliding({list(self.velocity)})"


class Moving(Implicit):
    """A surface in a moving frame; see `Implicit.moving`."""

    def __init__(self, surface: Implicit, motion: Callable):
        if not callable(motion):
            raise ArgumentError(f"motion must be a function of time that gives a Pose, not {motion!r}")
        self.surface, self.motion = surface, motion

    def local(self, r: np.ndarray, t: float) -> Local:
        """C(y, t) at y = Rᵀ(r − p): derivatives at fixed r, by the chain rule."""
        pose, twist, acceleration = self.frame(t)
        R, arm = pose.rotation, r - pose.position
        inner = self.surface.local(R.T @ arm, t)
        G, H = R @ inner.gradient, R @ inner.hessian @ R.T
        w = twist[3:]
        u = twist[:3] + np.cross(w, arm)  # velocity at r of the frame
        u_t = acceleration[:3] + np.cross(acceleration[3:], arm) - np.cross(w, twist[:3])  # … its rate at fixed r
        inner_t = R @ inner.gradient_t
        gradient_t = np.cross(w, G) - H @ u + inner_t
        C_tt = inner.C_tt - 2.0 * float(inner_t @ u) - float((np.cross(w, G) - H @ u) @ u) - float(G @ u_t)
        own = inner.velocity
        if own is None:
            own = -inner.C_t * inner.gradient / max(float(inner.gradient @ inner.gradient), 1e-300)
        return Local(inner.C, G, H, inner.C_t - float(G @ u), gradient_t, C_tt, u + R @ own)

    def frame(self, t: float) -> tuple[Pose, np.ndarray, np.ndarray]:
        """The frame's pose in the world at time t, its twist (6,) and acceleration (6,)."""
        given: Any = self.motion(t)
        if isinstance(given, tuple) and len(given) == 3 and isinstance(given[0], Pose):
            pose, twist, acceleration = given
            twist = array(twist, (6,), "twist of the motion")
            return pose, twist, array(acceleration, (6,), "acceleration of the motion")
        poses: list[Any] = [given, *(self.motion(t + k * _DELTA) for k in (-2, -1, 1, 2))]
        for pose in poses:
            if not isinstance(pose, Pose):
                raise ArgumentError(
                    f"the motion of a surface gave {pose!r} at t = {t:g} s: it must give a Pose, or (pose, twist, "
                    "acceleration)"
                )
        present = poses[0]
        # Rotation vectors relative to the present pose: their first two derivatives at zero are ω and its rate.
        here, before2, before, after, after2 = (
            np.concatenate([pose.position, _small_rotation(pose.rotation @ present.rotation.T)]) for pose in poses
        )
        rate = (8.0 * (after - before) - (after2 - before2)) / (12.0 * _DELTA)
        return present, rate, (16.0 * (after + before) - (after2 + before2) - 30.0 * here) / (12.0 * _DELTA**2)

    def __repr__(self) -> str:
        return f"Moving({self.surface!r})"


def _small_rotation(R: np.ndarray) -> np.ndarray:
    """Axis times angle of a rotation by less than a quarter turn."""
    axis = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    sine = float(np.sqrt(axis @ axis))
    return axis * (np.arcsin(min(1.0, sine)) / sine) if sine > 1e-12 else axis
