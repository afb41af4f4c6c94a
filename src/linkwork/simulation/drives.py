"""Driven joints: a motion that is given instead of a torque."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Real
from typing import Any, Protocol, runtime_checkable

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.kernels.launch import call
from linkwork.kernels.layout import FASTEST
from linkwork.kernels.layout.kinds import RATES
from linkwork.linkage.checks import number
from linkwork.linkage.expressions import Expression
from linkwork.linkage.joint_handle import Joint
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.programs import Programs, UnwritableError
from linkwork.simulation.arguments import positional
from linkwork.simulation.callbacks import DELTA, call_compiled, compiled_drive, is_compiled

EVALUATE = "motion.expressions", "evaluate"


@runtime_checkable
class WrittenMotion(Protocol):
    """Coordinates as a function of time that can be written as programs, one per degree of freedom."""

    def __call__(self, t: float) -> Any:
        """The coordinates."""

    def write(self, programs: Programs) -> list[int]:
        """Where each program starts."""
        ...


class Drive:
    """A joint that follows a given motion.

    Parameters
    ----------
    linkage : Linkage
    joint : str or Joint
        One whose velocities are the rates of its coordinates: not Spherical, Free or Planar.
    motion : str, float, Polynomial, table, callable, or a sequence of them
        As of `Simulation.drive`; one per degree of freedom where the joint has several.
    origin : tuple of float and sequence, optional
        Time and coordinates from which a constant speed starts.
    """

    def __init__(self, linkage: Linkage, joint, motion: Any, origin: tuple[float, Sequence[float]] | None = None):
        handle = linkage.joints[linkage._resolve_joint(joint)]
        if not RATES[handle.type.code] or handle.nv == 0:
            raise ArgumentError(
                f"joint {handle.name!r} is {type(handle.type).__name__}: a driven joint needs velocities that are the "
                "rates of its coordinates"
            )
        self._place(handle, motion, origin)
        self._parts = self._read(motion)
        programs = Programs()
        self._starts = self.write(programs)
        self._arrays = programs.arrays() if self._starts else None

    plain = True  # whether velocities are the rates of coordinates

    def _place(self, handle: Joint, motion: Any, origin: tuple[float, Sequence[float]] | None) -> None:
        """Note the joint and its motion, as a function of Python's."""
        self.joint, self.function, self.origin = handle.name, motion, origin
        self.coordinates = np.arange(handle.q_slice.start, handle.q_slice.stop)
        self.dofs = np.arange(handle.v_slice.start, handle.v_slice.stop)
        self.compiled: list[Any] = []  # functions by address, one per degree of freedom
        self._parts: Sequence[Any] = []
        self._starts: list[int] = []
        self._arrays: tuple[np.ndarray, ...] | None = None

    def way(self, q: np.ndarray, to: np.ndarray) -> np.ndarray:
        """The way from coordinates of the joint to others, in the units of its velocities."""
        return to - q

    def on(self, linkage: Linkage) -> Drive:
        """The same drive, of the linkage as it is now."""
        return type(self)(linkage, self.joint, self.function, self.origin)

    def _read(self, motion: Any) -> Sequence[Any]:
        """The motion of each degree of freedom, where it is not a function of Python."""
        parts = motion if isinstance(motion, list | tuple) and not _is_table(motion) else [motion]
        if callable(motion) and not is_compiled(motion) and not hasattr(motion, "coef") and not hasattr(motion, "c"):
            positional(motion, f"the drive of joint {self.joint!r},", (1,))
            return []
        if len(parts) != len(self.dofs):
            raise ArgumentError(
                f"the drive of joint {self.joint!r} has {len(parts)} part(s): give {len(self.dofs)}, one per degree of "
                "freedom"
            )
        if not all(map(is_compiled, parts)):
            return parts
        self.compiled = [compiled_drive(part) for part in parts]
        return []

    def write(self, programs: Programs) -> list[int]:
        """Write its programs; return where each degree of freedom starts. Functions have none."""
        if isinstance(self.function, WrittenMotion):
            try:
                return self.function.write(programs)
            except UnwritableError:  # Python evaluates it
                return []
        return [self._write_part(programs, part, k) for k, part in enumerate(self._parts)]

    def _write_part(self, programs: Programs, part: Any, k: int) -> int:
        if isinstance(part, str):
            return programs.expression(Expression(part, ["t"]), {})
        if isinstance(part, Real) and not isinstance(part, bool):
            if not np.isfinite(float(part)):
                raise ArgumentError(f"the drive of joint {self.joint!r} has the speed {part}: it must be finite")
            t, q = self.origin or (0.0, [0.0] * len(self.dofs))
            return programs.polynomial([float(q[k]), float(part)], t)
        if hasattr(part, "coef"):  # numpy.polynomial
            series = part.convert(domain=[-1, 1], window=[-1, 1], kind=np.polynomial.Polynomial)
            what = f"a coefficient of the drive of joint {self.joint!r}"
            if np.iscomplexobj(series.coef):
                raise ArgumentError(f"{what} must be a real number")
            return programs.polynomial([number(coefficient, what) for coefficient in series.coef])
        if _is_table(part):
            from scipy.interpolate import CubicSpline

            try:
                part = CubicSpline(*part)
            except ValueError as error:
                raise ArgumentError(f"the table of joint {self.joint!r} cannot be used: {error}") from None
        if hasattr(part, "c") and hasattr(part, "x") and np.ndim(part.c) == 2:  # SciPy's piecewise polynomials
            return programs.table(np.asarray(part.x, dtype=float), np.asarray(part.c, dtype=float))
        raise ArgumentError(
            f"the drive of joint {self.joint!r} is {part!r}: give an expression of t, a speed, a Polynomial, a table "
            "(times, values) or a function of t"
        )

    @property
    def in_python(self) -> bool:
        """Whether it is a Python function."""
        return not (self._starts or self.compiled)

    def motion(self, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Coordinates, velocities and accelerations at time t."""
        if self._arrays is not None or self.compiled:
            jets = np.array([self._jet(t, k) for k in range(len(self.dofs))]).T
            if np.isfinite(jets).all():
                if np.abs(jets[1]).max() > FASTEST:
                    raise ArgumentError(
                        f"the drive of joint {self.joint!r}, {_shown(self.function)}, has a rate of "
                        f"{jets[1][np.abs(jets[1]).argmax()]:.3g} at t = {t:g} s"
                    )
                return jets[0].copy(), jets[1].copy(), jets[2].copy()
            if callable(self.function) and not is_compiled(self.function):
                self._checked(self.function(t), t)  # which may say why
            raise ArgumentError(
                f"the drive of joint {self.joint!r}, {_shown(self.function)}, has no value or no derivatives at t = "
                f"{t:g} s"
            )
        return self._completed(self.function(t), t)

    def _completed(self, given: Any, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Coordinates, velocities and accelerations from what a function of Python's gave."""
        if isinstance(given, tuple) and len(given) == 3:
            q, v, a = (self._checked(part, t) for part in given)
            return q, v, a
        # Both stencils are of fourth order, with rounding 1e-16/δ and 1e-16/δ².
        q = self._checked(given, t)
        before2, before, after, after2 = (self._checked(self.function(t + k * DELTA), t) for k in (-2, -1, 1, 2))
        v = (8.0 * (after - before) - (after2 - before2)) / (12.0 * DELTA)
        a = (16.0 * (after + before) - (after2 + before2) - 30.0 * q) / (12.0 * DELTA**2)
        return q, v, a

    def jet(self, t: float, k: int) -> np.ndarray:
        """Coordinate, velocity and acceleration of degree of freedom k at time t, of a function of Python's."""
        given = self.function(t)
        if len(self.dofs) == 1 and type(given) is tuple and len(given) == 3:
            q, v, a = given
            if isinstance(q, float) and isinstance(v, float) and isinstance(a, float) and math.isfinite(q + v + a):
                return np.array(given)  # as most often
        return np.array([part[k] for part in self._completed(given, t)])

    def _jet(self, t: float, k: int) -> np.ndarray:
        """Coordinate, rate and second derivative of degree of freedom k; not numbers where there are none."""
        nothing = np.empty(0)
        if self.compiled:
            return call_compiled(self.compiled[k], t, nothing, nothing, 3)
        assert self._arrays is not None
        code, numbers, stack = self._arrays
        with np.errstate(all="ignore"):
            found = call(EVALUATE, code, numbers, self._starts[k], float(t), 1.0, nothing, nothing, stack)
        return stack[:3].copy() if found else np.full(3, np.nan)

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


def _is_table(motion: Any) -> bool:
    """Whether this is (times, values)."""
    return isinstance(motion, tuple) and len(motion) == 2 and all(np.ndim(part) == 1 for part in motion)


def _shown(motion: Any) -> str:
    """A motion in an error message."""
    if _is_table(motion):
        return f"a table of times {motion[0][0]:g} … {motion[0][-1]:g} s"
    if isinstance(motion, str | float | int):
        return repr(motion)
    return getattr(motion, "__name__", None) or f"a {type(motion).__name__}"
