"""Joint types, as a user writes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.kernels.layout import kinds
from linkwork.linkage.joint_type import JointType, Motion, times
from linkwork.linkage.pose import in_plane, rotation_about, rotation_from_quaternion

_ZERO = np.zeros(3)


def _turned(quaternion: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(quaternion, axis=-1, keepdims=True)
    if (np.abs(length - 1.0) > 1e-6).any():
        raise ArgumentError("a quaternion in q is not of length 1: divide it by its length")
    return rotation_from_quaternion(quaternion / length)


def _hinges(axes: list[np.ndarray], q: np.ndarray, v: np.ndarray) -> Motion:
    """Rotations about axes each of which turns with those before it."""
    rotation, angular = np.eye(3), _ZERO
    for k in range(q.shape[-1]):
        turn = rotation_about(axes[k], q[..., k])
        angular = times(np.swapaxes(turn, -1, -2), angular) + v[..., k : k + 1] * axes[k]
        rotation = rotation @ turn
    return Motion(rotation, _ZERO, _ZERO, angular)


# The types


@dataclass(frozen=True, slots=True, repr=False)
class Fixed(JointType):
    """No motion.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.Linkage()
    >>> link = arm.add_body("link", lw.Inertia.rod(0.5, mass=1.0), joint=lw.Fixed())
    >>> arm.nq, arm.nv
    (0, 0)
    """

    code = kinds.FIXED

    @staticmethod
    def motions(axes, pitch, q, v) -> Motion:
        """See `JointType.motions`."""
        return Motion(np.eye(3), _ZERO, _ZERO, _ZERO)


@dataclass(frozen=True, slots=True, repr=False)
class Revolute(JointType):
    """Rotation about an axis: q = angle, rad.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.Linkage()
    >>> link = arm.add_body("link", lw.Inertia.rod(0.5, mass=1.0), joint=lw.Revolute("y", limits=(-1.0, 1.0)))
    >>> arm.nq, arm.nv
    (1, 1)
    """

    code = kinds.REVOLUTE
    axis: Any = "z"

    @staticmethod
    def motions(axes, pitch, q, v) -> Motion:
        """See `JointType.motions`."""
        return Motion(rotation_about(axes[0], q[..., 0]), _ZERO, _ZERO, v * axes[0])


@dataclass(frozen=True, slots=True, repr=False)
class Prismatic(JointType):
    """Translation along an axis: q = distance, m.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.Linkage()
    >>> link = arm.add_body("link", lw.Inertia.rod(0.5, mass=1.0), joint=lw.Prismatic("z", damping=2.0))
    >>> arm.nq, arm.nv
    (1, 1)
    """

    code = kinds.PRISMATIC
    axis: Any = "z"

    @staticmethod
    def motions(axes, pitch, q, v) -> Motion:
        """See `JointType.motions`."""
        return Motion(np.eye(3), q * axes[0], v * axes[0], _ZERO)


@dataclass(frozen=True, slots=True, repr=False)
class Helical(JointType):
    """A screw: q = angle, rad; it advances by `pitch` metres per radian.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.Linkage()
    >>> link = arm.add_body("link", lw.Inertia.rod(0.5, mass=1.0), joint=lw.Helical("z", pitch=0.01))
    >>> arm.nq, arm.nv
    (1, 1)
    """

    code = kinds.HELICAL
    axis: Any = "z"
    pitch: float = 0.0

    @staticmethod
    def motions(axes, pitch, q, v) -> Motion:
        """See `JointType.motions`."""
        axis = axes[0]
        return Motion(rotation_about(axis, q[..., 0]), pitch * q * axis, pitch * v * axis, v * axis)


@dataclass(frozen=True, slots=True, repr=False)
class Cylindrical(JointType):
    """Translation along and rotation about one axis: q = (distance, angle).

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.Linkage()
    >>> link = arm.add_body("link", lw.Inertia.rod(0.5, mass=1.0), joint=lw.Cylindrical("z"))
    >>> arm.nq, arm.nv
    (2, 2)
    """

    code = kinds.CYLINDRICAL
    axis: Any = "z"

    @staticmethod
    def motions(axes, pitch, q, v) -> Motion:
        """See `JointType.motions`."""
        axis = axes[0]
        return Motion(rotation_about(axis, q[..., 1]), q[..., :1] * axis, v[..., :1] * axis, v[..., 1:] * axis)


@dataclass(frozen=True, slots=True, repr=False)
class Universal(JointType):
    """Rotation about `a`, then about `b` which turns with it: q = (angle a, angle b).

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.Linkage()
    >>> link = arm.add_body("link", lw.Inertia.rod(0.5, mass=1.0), joint=lw.Universal("x", "y"))
    >>> arm.nq, arm.nv
    (2, 2)
    """

    code = kinds.UNIVERSAL
    a: Any = "x"
    b: Any = "y"

    @staticmethod
    def motions(axes, pitch, q, v) -> Motion:
        """See `JointType.motions`."""
        return _hinges(axes, q, v)


@dataclass(frozen=True, slots=True, repr=False)
class Planar(JointType):
    """Motion in a plane: q = (x, y, angle), v in the child's frame.

    The plane's x is the coordinate axis after the normal's largest component: normal z gives (x, y).

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.Linkage()
    >>> link = arm.add_body("link", lw.Inertia.rod(0.5, mass=1.0), joint=lw.Planar("y"))
    >>> arm.nq, arm.nv
    (3, 3)
    """

    code = kinds.PLANAR
    normal: Any = "z"

    def axes(self) -> tuple[tuple[float, ...], ...]:
        """Return the normal and the plane's x."""
        return self.normal, tuple(in_plane(np.array(self.normal)))

    @staticmethod
    def motions(axes, pitch, q, v) -> Motion:
        """See `JointType.motions`."""
        z, x = axes[0], axes[1]
        y = np.cross(z, x)
        return Motion(
            rotation_about(z, q[..., 2]),
            q[..., :1] * x + q[..., 1:2] * y,
            v[..., :1] * x + v[..., 1:2] * y,
            v[..., 2:] * z,
        )


@dataclass(frozen=True, slots=True, repr=False)
class Spherical(JointType):
    """Any rotation: q = quaternion xyzw, v = angular velocity in the child's frame.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.Linkage()
    >>> link = arm.add_body("link", lw.Inertia.rod(0.5, mass=1.0), joint=lw.Spherical())
    >>> arm.nq, arm.nv
    (4, 3)
    """

    code = kinds.SPHERICAL

    @staticmethod
    def motions(axes, pitch, q, v) -> Motion:
        """See `JointType.motions`."""
        return Motion(_turned(q), _ZERO, _ZERO, v)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Free(JointType):
    """Any motion: q = (position, quaternion xyzw), v = (linear, angular) in the child's frame.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.Linkage()
    >>> link = arm.add_body("link", lw.Inertia.rod(0.5, mass=1.0), joint=lw.Free())
    >>> arm.nq, arm.nv
    (7, 6)
    """

    code = kinds.FREE
    actuated: bool | tuple[bool, ...] = False

    @staticmethod
    def motions(axes, pitch, q, v) -> Motion:
        """See `JointType.motions`."""
        return Motion(_turned(q[..., 3:]), q[..., :3], v[..., :3], v[..., 3:])


@dataclass(frozen=True, slots=True, repr=False)
class Gimbal(JointType):
    """Rotation about `a`, then about `b` which turns with it, then about `c` which turns with both: q = three angles.

    Velocities are the rates of the angles. Where the three axes come to lie in one plane the joint is locked: those of
    ("x", "y", "z") do so when the second angle is a right one.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.Linkage()
    >>> link = arm.add_body("link", lw.Inertia.rod(0.5, mass=1.0), joint=lw.Gimbal("z", "y", "x"))
    >>> arm.nq, arm.nv
    (3, 3)
    """

    code = kinds.GIMBAL
    a: Any = "x"
    b: Any = "y"
    c: Any = "z"

    @staticmethod
    def motions(axes, pitch, q, v) -> Motion:
        """See `JointType.motions`."""
        return _hinges(axes, q, v)


TYPES: tuple[type[JointType], ...] = (
    Fixed, Revolute, Prismatic, Helical, Cylindrical, Universal, Planar, Spherical, Free, Gimbal,
)  # fmt: skip
