"""Mass, centre of mass and inertia of a body, and of simple solid shapes."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from linkwork.errors import ArgumentError, LinkworkWarning
from linkwork.linkage.checks import array, number, positive, unit_axis
from linkwork.linkage.pose import HERE, ORIGIN, Pose
from linkwork.linkage.value import ArrayValue

ROWS, COLUMNS = np.array([0, 0, 0, 1, 1, 2]), np.array([0, 1, 2, 1, 2, 2])  # xx, xy, xz, yy, yz, zz
SLACK = 1e-6  # how far, relative to the trace, rounded files may break the rules of a real body
Amount = float | None  # a mass or a density, one of which is given


def physical(xx: Any, xy: Any, xz: Any, yy: Any, yz: Any, zz: Any) -> Any:
    """Return whether inertias, given by entries (floats or arrays), can each be that of some rigid body.

    The principal moments must not be negative and none may exceed the sum of the two others; that is,
    ½ tr(I) 1 − I must be positive semi-definite: no principal minor of it is negative.
    """
    half = 0.5 * (xx + yy + zz)
    scale = abs(xx) + abs(yy) + abs(zz) + abs(xy) + abs(xz) + abs(yz)
    a, b, c = half - xx, half - yy, half - zz
    first, second, third = b * c - yz * yz, a * c - xz * xz, a * b - xy * xy
    determinant = a * first - xy * (xy * c + yz * xz) - xz * (xy * yz + b * xz)
    low = -SLACK * scale
    good = (a >= low) & (b >= low) & (c >= low)
    good &= (first >= low * scale) & (second >= low * scale) & (third >= low * scale)
    return good & (determinant >= low * scale * scale)


def six(matrix: np.ndarray) -> np.ndarray:
    """Return xx, xy, xz, yy, yz, zz (..., 6) of symmetric matrices (..., 3, 3)."""
    return matrix[..., ROWS, COLUMNS]


def full(entries: np.ndarray) -> np.ndarray:
    """Return symmetric matrices (..., 3, 3) of xx, xy, xz, yy, yz, zz (..., 6)."""
    return entries[..., np.array([[0, 1, 2], [1, 3, 4], [2, 4, 5]])]


def steiner(mass: float, offset: np.ndarray) -> np.ndarray:
    """Return the inertia (3, 3) of a point mass at `offset` (3,)."""
    return mass * (offset @ offset * np.eye(3) - np.outer(offset, offset))


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Inertia(ArrayValue):
    """Mass, centre of mass and rotational inertia.

    Parameters
    ----------
    mass : float
        In kg; zero is legal (a massless body between two joints).
    com : (3,) array_like
        Centre of mass in the body's frame, in m.
    matrix : (3, 3) or (3,) array_like, optional
        Inertia about the centre of mass in the body's axes, in kg m²; three numbers are its diagonal.
        Default: zero.

    Warns
    -----
    LinkworkWarning
        When no rigid body can have this inertia.

    Examples
    --------
    >>> import linkwork as lw
    >>> lw.Inertia(2.0, com=(0, 0, -0.5), matrix=(0.2, 0.2, 0.01))
    Inertia(2 kg, com (0, 0, -0.5), diagonal (0.2, 0.2, 0.01))
    >>> lw.Inertia.box((0.3, 0.2, 0.1), mass=1.2).matrix.diagonal()
    array([0.005, 0.01 , 0.013])
    """

    mass: float
    com: np.ndarray
    matrix: np.ndarray

    def __init__(self, mass: float, com: ArrayLike = ORIGIN, matrix: ArrayLike | None = None):
        if matrix is None:
            matrix = np.zeros((3, 3))
        elif np.shape(matrix) == (3,):
            matrix = np.diag(array(matrix, (3,), "inertia matrix"))
        matrix = array(matrix, (3, 3), "inertia matrix")
        asymmetry = float(np.abs(matrix - matrix.T).max())
        if asymmetry > 1e-9 * np.abs(matrix).max():
            raise ArgumentError(f"inertia matrix is not symmetric: it differs from its transpose by {asymmetry:.1e}")
        self._set(number(mass, "mass", minimum=0.0), array(com, (3,), "com"), 0.5 * (matrix + matrix.T))
        if not physical(*six(self.matrix).tolist()):
            moments = ", ".join(f"{value:.4g}" for value in np.linalg.eigvalsh(self.matrix))
            message = (
                f"no rigid body has the principal moments ({moments}): negative, or one exceeds the sum of the others"
            )
            warnings.warn(message, LinkworkWarning, stacklevel=2)

    @classmethod
    def point(cls, mass: float, com: ArrayLike = ORIGIN) -> Inertia:
        """A point mass at `com`."""
        return cls(mass, com)

    @classmethod
    def box(cls, size: ArrayLike, *, mass: Amount = None, density: Amount = None, com: ArrayLike = ORIGIN) -> Inertia:
        """A solid box of edges `size` (3,) in m, centred on `com`; `mass` in kg or `density` in kg/m³."""
        size = array(size, (3,), "size")
        if (size <= 0.0).any():
            raise ArgumentError(f"size must be positive, not {size.tolist()}")
        mass = _mass(mass, density, float(np.prod(size)))
        square = size * size
        return cls(mass, com, mass / 12.0 * (square.sum() - square))

    @classmethod
    def rod(
        cls, length: float, *, mass: Amount = None, density: Amount = None, axis: ArrayLike = "z",
        com: ArrayLike = ORIGIN,
    ) -> Inertia:  # fmt: skip
        """A thin rod along `axis`, its middle at `com`; `mass` in kg or `density` in kg/m."""
        length = positive(length, "length")
        mass = _mass(mass, density, length)
        return cls(mass, com, _about(axis, mass * length**2 / 12.0, 0.0))

    @classmethod
    def sphere(cls, radius: float, *, mass: Amount = None, density: Amount = None, com: ArrayLike = ORIGIN) -> Inertia:
        """A solid sphere centred on `com`; `mass` in kg or `density` in kg/m³."""
        radius = positive(radius, "radius")
        mass = _mass(mass, density, 4.0 / 3.0 * math.pi * radius**3)
        return cls(mass, com, np.full(3, 0.4 * mass * radius**2))

    @classmethod
    def cylinder(
        cls, radius: float, length: float, *, mass: Amount = None, density: Amount = None, axis: ArrayLike = "z",
        com: ArrayLike = ORIGIN,
    ) -> Inertia:  # fmt: skip
        """A solid cylinder along `axis`, its middle at `com`; `mass` in kg or `density` in kg/m³."""
        radius, length = positive(radius, "radius"), positive(length, "length")
        mass = _mass(mass, density, math.pi * radius**2 * length)
        across = mass * (3.0 * radius**2 + length**2) / 12.0
        return cls(mass, com, _about(axis, across, 0.5 * mass * radius**2))

    @classmethod
    def capsule(
        cls, radius: float, length: float, *, mass: Amount = None, density: Amount = None, axis: ArrayLike = "z",
        com: ArrayLike = ORIGIN,
    ) -> Inertia:  # fmt: skip
        """A solid cylinder along `axis` with a half sphere on either end: length + 2 radius over all."""
        radius, length = positive(radius, "radius"), positive(length, "length")
        tube, ball = math.pi * radius**2 * length, 4.0 / 3.0 * math.pi * radius**3
        mass = _mass(mass, density, tube + ball)
        tube, ball = mass * tube / (tube + ball), mass * ball / (tube + ball)
        along = 0.5 * tube * radius**2 + 0.4 * ball * radius**2
        # Either half sphere has its centre of mass 3/8 of a radius beyond the end of the cylinder.
        ends = ball * (0.4 * radius**2 + 0.25 * length**2 + 0.375 * length * radius)
        return cls(mass, com, _about(axis, tube * (3.0 * radius**2 + length**2) / 12.0 + ends, along))

    def transformed(self, pose: Pose) -> Inertia:
        """Return this inertia as seen from the frame in which `pose` places its own."""
        if pose is HERE:
            return self
        matrix = pose.rotation @ self.matrix @ pose.rotation.T
        return Inertia.trusted(self.mass, pose.apply(self.com), 0.5 * (matrix + matrix.T))

    def __add__(self, other: Inertia) -> Inertia:
        if not isinstance(other, Inertia):
            return NotImplemented
        mass = self.mass + other.mass
        if mass == 0.0:
            return Inertia.trusted(0.0, self.com.copy(), self.matrix + other.matrix)
        com = (self.mass * self.com + other.mass * other.com) / mass
        matrix = self.matrix + steiner(self.mass, self.com - com) + other.matrix + steiner(other.mass, other.com - com)
        return Inertia.trusted(mass, com, matrix)

    def __repr__(self) -> str:
        com = ", ".join(f"{value:.6g}" for value in self.com)
        moments = ", ".join(f"{value:.6g}" for value in np.diagonal(self.matrix))
        return f"Inertia({self.mass:.6g} kg, com ({com}), diagonal ({moments}))"


def _mass(mass: Amount, density: Amount, size: float) -> float:
    if (mass is None) == (density is None):
        raise ArgumentError("give either mass= or density=")
    return number(mass, "mass", minimum=0.0) if density is None else number(density, "density", minimum=0.0) * size


def _about(axis: ArrayLike, across: float, along: float) -> np.ndarray:
    """Return the inertia with moment `along` about `axis` and `across` about any line normal to it."""
    direction = unit_axis(axis)
    return across * np.eye(3) + (along - across) * np.outer(direction, direction)
