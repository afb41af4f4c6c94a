"""Drives of joints whose velocities are not the rates of their coordinates: Spherical, Free and Planar ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.kernels.launch import call
from linkwork.kernels.layout.acting import BY_COORDINATES, CALLED, JET, POSE_JETS, STEADY, UNIT
from linkwork.kernels.layout.kinds import RATES
from linkwork.linkage.joint import Free, Spherical
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.pose import Pose, quaternion_from_rotation
from linkwork.linkage.programs import Programs
from linkwork.simulation.arguments import positional
from linkwork.simulation.callbacks import DELTA, call_compiled, compiled_drive, is_compiled
from linkwork.simulation.drives import Drive, WrittenMotion

MOTION = "motion.pose_drives", "pose_jet"
FROM_COORDINATES = "motion.pose_drives", "pose_motion"
HELP = {
    "Spherical": "a quaternion xyzw", "Free": "position and quaternion, x, y, z, qx, qy, qz, qw", "Planar": "x, y, θ",
}  # fmt: skip


class PoseDrive(Drive):
    """A Spherical, Free or Planar joint that follows a motion.

    With u(s) the way from the pose at t to that at t + s, in the coordinates of `Linkage.difference`, the velocity is
    du/ds and the acceleration d²u/ds² at s = 0.

    Parameters
    ----------
    linkage : Linkage
    joint : str or Joint
    motion : sequence, table or callable
        Velocities of the joint, one number for each, which stay as they are; or a motion of every coordinate, as of
        `Drive` but no number, quaternions xyzw of any length; or a table (times, (n, nq) coordinates). A `numba.cfunc`
        writes coordinates, velocities and accelerations. ``motion(t)`` gives the coordinates: a quaternion xyzw or a
        rotation matrix for a Spherical joint, a `Pose` or (x, y, z, qx, qy, qz, qw) for a Free one, (x, y, θ) for a
        Planar one; or a tuple of these, the velocities and the accelerations, as of the joint.
    origin : tuple, optional
        Time and coordinates from which constant velocities start.
    """

    plain = False

    def __init__(self, linkage: Linkage, joint, motion: Any, origin: tuple[float, Sequence[float]] | None = None):
        handle = linkage.joints[linkage._resolve_joint(joint)]
        self._place(handle, motion, origin)
        self._kind, self._code, self._alone = type(handle.type), handle.type.code, Linkage()
        self._alone.add_body("body", joint=self._kind())
        self._turns = self._kind in (Free, Spherical)  # whether its last four coordinates are a quaternion
        self._velocity: list[float] | None = None
        self._parts = self._read(motion)
        programs = Programs()
        self._row = np.array(self.write_row(programs), dtype=np.int64)
        self._arrays = programs.arrays()

    def _read(self, motion: Any) -> Sequence[Any]:
        """The motion of each coordinate, where these are given one by one."""
        nq, nv = len(self.coordinates), len(self.dofs)
        if is_compiled(motion):
            self.compiled = [compiled_drive(motion, of_pose=True)]
            return []
        if callable(motion):
            positional(motion, f"the drive of joint {self.joint!r},", (1,))
            return []
        if isinstance(motion, tuple) and len(motion) == 2 and np.ndim(motion[1]) == 2:
            times, values = motion
            motion = [(times, column) for column in np.asarray(values, dtype=float).T]
        parts = list(motion) if isinstance(motion, list | tuple | np.ndarray) else [motion]
        numbers = [isinstance(part, Real) and not isinstance(part, bool) for part in parts]
        if all(numbers) and len(parts) == nv and np.isfinite(np.array(parts, dtype=float)).all():
            self._velocity = [float(part) for part in parts]
            return []
        if any(numbers) or len(parts) != nq:
            name = self._kind.__name__
            raise ArgumentError(
                f"joint {self.joint!r} is {name}: its drive must be a function of t, {nv} finite numbers, which are "
                f"its velocities, or {nq} motions of its coordinates ({HELP[name]}), not {motion!r}"
            )
        return parts

    def write_row(self, programs: Programs) -> list[int]:
        """Write its programs and numbers; return its row of `poses`, without the address of a function."""
        self._starts, way, place = [], CALLED, 0
        if self._velocity is not None:
            t, q = self.origin or (0.0, self._alone.neutral().tolist())
            way, place = STEADY, len(programs.numbers)
            programs.numbers += [float(t), *map(float, q), *self._velocity]
        elif self._parts or isinstance(self.function, WrittenMotion):
            self._starts = self.write(programs)
            way = BY_COORDINATES if self._starts else CALLED
        kept = len(programs.numbers)
        programs.depth = max(programs.depth, POSE_JETS // JET)
        programs.numbers += [math.nan, *[0.0] * POSE_JETS]
        starts = [*self._starts, *[0] * (7 - len(self._starts))]
        return [self._code, int(self.dofs[0]), int(self.coordinates[0]), way, place, kept, *starts]

    @property
    def in_python(self) -> bool:
        """Whether it is a Python function."""
        return not (self._starts or self._velocity is not None or self.compiled)

    def motion(self, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Coordinates, velocities and accelerations at time t."""
        if self.in_python:
            return self._completed(self.function(t), t)
        nq, nv = len(self.coordinates), len(self.dofs)
        if self.compiled:
            out = call_compiled(self.compiled[0], t, np.empty(0), np.empty(0), nq + 2 * nv)
        else:
            assert self._arrays is not None
            code, numbers, out = self._arrays
            with np.errstate(all="ignore"):
                if not call(MOTION, code, numbers, self._row, float(t), out):
                    out[:] = np.nan
        q, v, a = out[:nq].copy(), out[nq : nq + nv].copy(), out[nq + nv : nq + 2 * nv].copy()
        if not np.isfinite([q.sum(), v.sum(), a.sum()]).all():
            self._refuse(q, t)
        return self._coordinates(q, t), v, a

    def _completed(self, given: Any, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        if isinstance(given, tuple) and len(given) == 3 and np.ndim(given[0]) > 0:
            return self._coordinates(given[0], t), self._checked(given[1], t), self._checked(given[2], t)
        q, nq, nv = self._coordinates(given, t), len(self.coordinates), len(self.dofs)
        before2, before, after, after2 = (
            self._beside(q, self._coordinates(self.function(t + k * DELTA), t)) for k in (-2, -1, 1, 2)
        )
        rate = (8.0 * (after - before) - (after2 - before2)) / (12.0 * DELTA)
        second = (16.0 * (after + before) - (after2 + before2) - 30.0 * q) / (12.0 * DELTA**2)
        call(FROM_COORDINATES, self._code, np.stack([q, rate, second], axis=1).ravel(), 0, out := np.empty(nq + 2 * nv))
        return q, out[nq : nq + nv], out[nq + nv :]

    def _beside(self, q: np.ndarray, other: np.ndarray) -> np.ndarray:
        """Coordinates near q, the quaternion with the sign that is nearer."""
        if self._turns and q[-4:] @ other[-4:] < 0.0:
            other = other.copy()
            other[-4:] *= -1.0
        return other

    def called(self, stack: np.ndarray) -> Callable:
        """A function of (t, q, v) for compiled steps, which leaves q, v and dv/dt on the stack."""
        nq, nv = len(self.coordinates), len(self.dofs)
        to_q, to_v, to_a = stack[:nq], stack[nq : nq + nv], stack[nq + nv : nq + 2 * nv]
        whole, function = stack[: nq + 2 * nv], self.function

        def wanted(t: float, _q, _v) -> np.ndarray:
            given = function(t)
            try:
                q, v, a = given
                if len(q) == nq and len(v) == nv and len(a) == nv:  # as most often: compiled code looks at the numbers
                    to_q[:], to_v[:], to_a[:] = q, v, a
                    return whole
            except (TypeError, ValueError):
                pass
            to_q[:], to_v[:], to_a[:] = self._completed(given, t)
            return whole

        return wanted

    def way(self, q: np.ndarray, to: np.ndarray) -> np.ndarray:
        """The way from coordinates of the joint to others, in the units of its velocities."""
        return self._alone.difference(q, to)

    def _coordinates(self, value: Any, t: float) -> np.ndarray:
        """Coordinates of the joint from what the function gave."""
        count, given = len(self.coordinates), value
        if type(value) is np.ndarray and value.dtype == np.float64 and value.shape == (count,):  # as most often
            size = value[-4:] @ value[-4:] if self._turns else 1.0
            if abs(size - 1.0) <= UNIT and math.isfinite(value.sum()):
                return value
        if isinstance(value, Pose) and self._kind is Free:
            given = np.concatenate([value.position, quaternion_from_rotation(value.rotation)])
        try:
            array = np.asarray(given, dtype=np.float64)
        except (TypeError, ValueError):
            array = np.empty(0)
        if array.shape == (3, 3) and self._kind is Spherical:
            array = quaternion_from_rotation(array)
        turn = array[-4:] if self._turns and array.shape == (count,) else np.array([1.0])
        if array.shape != (count,) or not np.isfinite(array).all() or abs(np.linalg.norm(turn) - 1.0) > UNIT:
            self._refuse(value, t)
        return array

    def _refuse(self, value: Any, t: float) -> None:
        raise ArgumentError(
            f"the drive of joint {self.joint!r} gave {value!r} at t = {t:g} s: it must give the "
            f"{len(self.coordinates)} coordinates of a {self._kind.__name__} joint, finite, quaternions xyzw of length "
            "1"
        )


def new_drive(linkage: Linkage, joint: str, motion: Any, origin: tuple[float, Sequence[float]] | None = None) -> Drive:
    """The drive of a joint, of the kind that it needs."""
    kind = linkage.joints[joint].type
    return (Drive if RATES[kind.code] or kind.nv == 0 else PoseDrive)(linkage, joint, motion, origin)
