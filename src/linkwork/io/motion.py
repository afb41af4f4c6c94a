"""Recorded motions: a linkage, and its coordinates, velocities and accelerations over time."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import numpy as np

from linkwork.errors import ArgumentError, DescriptionError
from linkwork.io.bvh import BvhJoint, BvhMotion, read_bvh
from linkwork.io.skeleton import AXES, build, positions, rotations
from linkwork.linkage.checks import positive
from linkwork.linkage.inertia import Inertia
from linkwork.linkage.joint import Free, Spherical
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.pose import Pose

MOST_FRAMES = 10_000_000  # after resampling
STILL = 1e-6  # how far, relative to the skeleton, a placed joint may move and still count as fixed


class Motion(NamedTuple):
    """A motion of a linkage.

    Attributes
    ----------
    linkage : Linkage
    t : (frames,) array
        Times, s, from 0.
    q : (frames, nq) array
    v, a : (frames, nv) arrays
        The exact derivatives of the smoothed q: ``inverse_dynamics(linkage, q, v, a)`` takes all frames at once.

    Examples
    --------
    >>> import linkwork as lw
    >>> walk = lw.load_motion("walk.bvh", rate=100.0)
    >>> walk.q.shape[1] == walk.linkage.nq
    True
    """

    linkage: Linkage
    t: np.ndarray
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray

    def __repr__(self) -> str:
        rate = (len(self.t) - 1) / self.t[-1] if len(self.t) > 1 else 0.0
        return f"Motion({self.linkage.name!r}, {len(self.t)} frames, {self.t[-1]:.4g} s, {rate:.4g} Hz)"


def load_motion(
    path: str | PathLike[str],
    *,
    rate: float | None = None,
    cutoff: float | None = 6.0,
    scale: float = 0.01,
    up: Literal["y", "z"] = "y",
    mass: float = 70.0,
    inertias: Mapping[str, Inertia] = MappingProxyType({}),
) -> Motion:
    """Read a recorded motion from a BVH file.

    Parameters
    ----------
    path : path
        A .bvh file.
    rate : float, optional
        Frames per second of the result. Default: those of the file.
    cutoff : float or None
        Frequency, Hz, above which the motion is taken for noise: a low-pass filter of fourth order without delay. None,
        or half the file's rate and more, leaves the frames as they are.
    scale : float
        Metres per unit of the file; most are in centimetres.
    up : {"y", "z"}
        The axis of the file that points up; it becomes z.
    mass : float
        Of the whole figure, kg. The file has none: bones are capsules that share it, by the segments of an average man
        where the joints have a human's names, else by their volumes.
    inertias : mapping of Inertia
        Inertias of joints' bodies, by name, in their frames, where you know better.

    Returns
    -------
    Motion
        The root is on a `Free` joint; a joint with three angles is `Spherical`, so that nothing locks; end sites are
        frames named like their joint with "_end".

    Raises
    ------
    DescriptionError
        The file is unusable; file and line say where.

    Notes
    -----
    Cost: linear in the frames.

    Examples
    --------
    With a file of your own, the torques of all joints over time, feet in the air:

        motion = lw.load_motion("walk.bvh")
        tau = lw.inverse_dynamics(motion.linkage, motion.q, motion.v, motion.a)

    Examples
    --------
    >>> import linkwork as lw
    >>> walk = lw.load_motion("walk.bvh")
    >>> torques = lw.inverse_dynamics(walk.linkage, walk.q, walk.v, walk.a)
    >>> torques.shape == walk.v.shape
    True
    """
    path = Path(path)
    if path.suffix.lower() != ".bvh":
        raise ArgumentError(f"cannot read {path.name!r}: a motion is in a .bvh file")
    if not path.is_file():
        raise DescriptionError("there is no such file", file=path)
    if up not in ("y", "z"):
        raise ArgumentError(f"up must be 'y' or 'z', not {up!r}")
    scale, mass = positive(scale, "scale"), positive(mass, "mass")
    file = read_bvh(path)
    unknown = set(inertias) - {joint.name for joint in file.joints}
    if unknown:
        raise ArgumentError(f"inertias names {min(unknown)!r}, which is no joint of {path.name}")
    rate = 1.0 / file.dt if rate is None else positive(rate, "rate")
    duration = file.dt * (len(file.values) - 1)
    if duration * rate > MOST_FRAMES:
        raise ArgumentError(f"rate={rate:g} makes {duration * rate:.3g} frames; {MOST_FRAMES:,} are accepted")
    t = np.arange(int(duration * rate * (1.0 + 1e-12)) + 1) / rate
    cutoff = None if cutoff is None else positive(cutoff, "cutoff")
    curves = _Curves(file, t, cutoff)

    turn = Pose.axis_angle("x", np.pi / 2) if up == "y" else Pose()
    offsets, moving = _offsets(file)
    linkage = build(file.joints, offsets, path.stem, scale=scale, up=turn, mass=mass, inertias=inertias)
    linkage.ignored += [
        f"positions of joint {joint.name!r} (line {joint.line}), which vary: their mean" for joint in moving
    ]
    q, v, a = (np.zeros((len(t), size)) for size in (linkage.nq, linkage.nv, linkage.nv))
    for number, joint in enumerate(file.joints):
        handle = linkage.joints[joint.name]
        parts = curves.joint(number, scale, handle.type)
        for whole, part, where in zip((q, v, a), parts, (handle.q_slice, *2 * [handle.v_slice]), strict=True):
            whole[:, where] = part
    return Motion(linkage, t, q, v, a)


def _offsets(file: BvhMotion) -> tuple[np.ndarray, list[BvhJoint]]:
    """Where joints are in their parents' frames: by channels, or OFFSET; and the joints that move along the former."""
    offsets, moving, first = np.array([joint.offset for joint in file.joints]), [], 0
    size = float(np.abs(offsets).max(initial=0.0))
    for number, joint in enumerate(file.joints):
        for k, channel in enumerate(joint.channels):
            if channel.endswith("position") and joint.parent >= 0:
                column = file.values[:, first + k]
                offsets[number, "XYZ".index(channel[0])] = column.mean()
                if np.ptp(column) > STILL * max(size, 1e-9) and joint not in moving:
                    moving.append(joint)
        first += len(joint.channels)
    return offsets, moving


class _Curves:
    """Smooth curves through the frames of a file, with their first two derivatives at given times."""

    def __init__(self, file: BvhMotion, t: np.ndarray, cutoff: float | None):
        self._file, self._t = file, t
        self._times = file.dt * np.arange(len(file.values))
        nyquist = 0.5 / file.dt
        self._cutoff = cutoff / nyquist if cutoff is not None and cutoff < nyquist else None
        self._first = np.cumsum([0, *(len(joint.channels) for joint in file.joints)])

    def joint(self, number: int, scale: float, kind: object) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """q, v and a of a joint, over time."""
        joint = self._file.joints[number]
        columns = self._file.values[:, self._first[number] : self._first[number + 1]]
        turning = [k for k, channel in enumerate(joint.channels) if channel.endswith("rotation")]
        angles = np.unwrap(np.deg2rad(columns[:, turning]), axis=0)
        if not isinstance(kind, Free | Spherical):
            return self._smooth(angles)
        q, w, alpha = self._rotation(rotations(joint), angles)
        if isinstance(kind, Spherical):
            return q, w, alpha
        x = np.tile(joint.offset, (len(columns), 1))
        placed = [k for k, channel in enumerate(joint.channels) if channel.endswith("position")]
        x[:, positions(joint)] = columns[:, placed]
        x, rate, acceleration = self._smooth(scale * x)
        linear = _turn_back(q, rate)
        a = _turn_back(q, acceleration) - np.cross(w, linear)  # d/dt (Rᵀ ẋ)
        return np.hstack([x, q]), np.hstack([linear, w]), np.hstack([a, alpha])

    def _rotation(self, letters: list[str], angles: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Quaternions, angular velocities and their rates, in the joint's own frame.

        With s a curve through the quaternions that need not have unit length, q = s/|s| and ω = 2 Im(s* ṡ)/|s|².
        """
        s = np.tile([0.0, 0.0, 0.0, 1.0], (len(angles), 1))
        for letter, angle in zip(letters, angles.T, strict=True):
            half = 0.5 * angle[:, None]
            s = _product(s, np.hstack([np.sin(half) * AXES[letter], np.cos(half)]))
        signs = np.sign(np.sum(s[1:] * s[:-1], axis=1))
        s[1:] *= np.cumprod(np.where(signs == 0.0, 1.0, signs))[:, None]
        s, rate, second = self._smooth(s)
        square = np.sum(s * s, axis=1, keepdims=True)
        conjugate = s * (-1.0, -1.0, -1.0, 1.0)
        w = 2.0 * _product(conjugate, rate)[:, :3] / square
        alpha = 2.0 * _product(conjugate, second)[:, :3] / square
        alpha -= w * (2.0 * np.sum(s * rate, axis=1, keepdims=True) / square)
        return s / np.sqrt(square), w, alpha

    def _smooth(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Columns, filtered, and their two derivatives, at the times asked for: a spline of fifth degree."""
        from scipy.interpolate import make_interp_spline
        from scipy.signal import butter, filtfilt

        count = len(values)
        if self._cutoff is not None and count > 3 and values.size:
            low_pass: Any = butter(2, self._cutoff)
            values = np.asarray(filtfilt(low_pass[0], low_pass[1], values, axis=0, padlen=min(9, count - 1)))
        if count == 1 or not values.shape[1]:
            still = np.zeros((len(self._t), values.shape[1]))
            return still + values[:1], still, still
        spline = make_interp_spline(self._times, values, k=min(5, count - 1))
        return spline(self._t), spline(self._t, 1), spline(self._t, 2)


def _product(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Products of quaternions xyzw."""
    vector = p[:, 3:] * q[:, :3] + q[:, 3:] * p[:, :3] + np.cross(p[:, :3], q[:, :3])
    return np.hstack([vector, p[:, 3:] * q[:, 3:] - np.sum(p[:, :3] * q[:, :3], axis=1, keepdims=True)])


def _turn_back(q: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Rᵀ x of rotations given as quaternions."""
    twice = 2.0 * np.cross(vectors, q[:, :3])
    return vectors + q[:, 3:] * twice + np.cross(twice, q[:, :3])
