"""A human figure that walks on a floor: a path of its joints along which its weight stays above its feet.

The floor pushes back at one point, that of zero moment: p. With the centre of mass c kept at a height h,

    c̈ = g/h (c − p):   c − h/g c̈ = p,

which is solved for the c that goes with a p that rests under one foot and then goes on to the other [Kajita2003].
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from linkwork.dynamics.energy import center_of_mass
from linkwork.dynamics.kinematics import body_poses
from linkwork.errors import ArgumentError
from linkwork.linkage.linkage import Linkage
from linkwork.samples.standing import crouch

BEGIN, END = 1.0, 1.5  # s: to shift the weight to the first foot, and to come to rest
BOTH = 0.3  # of a step, during which both feet stand
LIFT, SINK = 0.06, 0.06  # m: arc of a foot, and how much lower the hips are than of one who stands upright
AHEAD, INWARD = 0.05, 0.95  # m: where a foot is pressed, before its ankle; and, of its distance from the middle, beside
ROUNDS = 6  # of bringing the centre of mass to where it should be
SIDES = (("left", 1.0), ("right", -1.0))


class Gait(NamedTuple):
    """What a `PD` controller takes: gains, and coordinates and velocities of each step."""

    kp: np.ndarray  # (nv,)
    kd: np.ndarray
    q: np.ndarray  # (n, nq)
    v: np.ndarray  # (n, nv)


def gait(
    figure: Linkage, *, steps: int = 6, stride: float = 0.3, period: float = 0.7, start: float = 0.0, dt: float = 1e-3
) -> Gait:
    """The gait of a figure that walks along x on a floor, see `on_mat`, from rest to rest.

    Parameters
    ----------
    figure : Linkage
        Of 40 degrees of freedom; at q = 0 it stands on z = 0.
    steps : int
    stride : float
        Distance from foot to foot, m.
    period : float
        Time of a step, s.
    start : float
        Where along x it begins, m.
    dt : float
        Of the simulation's steps, s.
    """
    if "left_ankle" not in figure.joints:
        raise ArgumentError("a figure of 16 degrees of freedom has no feet to walk on: take human(dof=40)")
    if steps < 1 or not (stride >= 0 and period > 0 and dt > 0):
        raise ArgumentError(f"steps={steps}, stride={stride:g}, period={period:g}, dt={dt:g}: all must be positive")
    rest = body_poses(figure, figure.neutral())
    ankles = {side: rest[f"{side}_foot"].position for side, _ in SIDES}
    t = np.arange(0.0, BEGIN + steps * period + END, dt)
    feet, pressed = _plan(t, ankles, steps, stride, period)
    com = center_of_mass(figure, figure.neutral())
    c = _above(pressed, com[2] - SINK, dt)
    kp, kd, pose = crouch(figure)
    q = np.tile(pose, (len(t), 1))
    q[:, :2], q[:, 2] = c - com[:2], -SINK
    for _ in range(ROUNDS):  # legs are a part of what they carry
        q[:, :2] += c - center_of_mass(figure, q)[:, :2]
        for side, _ in SIDES:
            _bend(figure, rest, side, feet[side], q)
    q[:, 0] += start
    v = figure.difference(q[:-1], q[1:]) / dt
    return Gait(kp, kd, q, np.vstack([v, 0.0 * v[:1]]))


def _plan(t, ankles, steps: int, stride: float, period: float):
    """Paths (n, 3) of the ankles, and (n, 2) of the point under which the floor is pressed."""
    feet = {side: np.tile(place, (len(t), 1)) for side, place in ankles.items()}
    at = {side: place[0] for side, place in ankles.items()}
    middle, both = ankles["left"][0] + AHEAD, 0.5 * BOTH * period
    when, where = [0.0, BEGIN - both], [(middle, 0.0), (middle, 0.0)]
    for k in range(steps):
        swings, stands = ("right", "left") if k % 2 == 0 else ("left", "right")
        begin, end = BEGIN + k * period + both, BEGIN + (k + 1) * period - both
        when += [begin, end]
        where += 2 * [(at[stands] + AHEAD, INWARD * ankles[stands][1])]
        to = at[stands] + (stride if k < steps - 1 else 0.0)  # the last one comes beside the other
        s = np.clip((t - begin) / (end - begin), 0.0, 1.0)
        feet[swings][:, 0] += (to - at[swings]) * s**3 * (10 - 15 * s + 6 * s * s)
        feet[swings][:, 2] += LIFT * np.sin(math.pi * s) ** 2
        at[swings] = to
    when += [when[-1] + 2 * both + 0.3, t[-1]]
    where += 2 * [(at["left"] + AHEAD, 0.0)]
    return feet, np.column_stack([np.interp(t, when, column) for column in zip(*where, strict=True)])


def _above(pressed: np.ndarray, height: float, dt: float) -> np.ndarray:
    """c (n, 2) with c − h/g c̈ = p, at rest at both ends: a tridiagonal system, swept down and up."""
    r, n = height / 9.81 / dt**2, len(pressed)
    c, share = pressed.copy(), np.zeros(n)
    for k in range(1, n - 1):
        d = 1.0 + 2.0 * r - r * share[k - 1]
        share[k], c[k] = r / d, (pressed[k] + r * c[k - 1]) / d
    for k in range(n - 2, 0, -1):
        c[k] += share[k] * c[k + 1]
    return c


def _bend(figure: Linkage, rest, side: str, foot: np.ndarray, q: np.ndarray) -> None:
    """Bend a leg so that its foot is level, its ankle at a place, by the law of cosines; the trunk is upright."""
    hip, knee, ankle = (figure.joints[f"{side}_{name}"].q_slice for name in ("hip", "knee", "ankle"))
    upper, lower, end = (rest[f"{side}_{name}"].position for name in ("thigh", "shank", "foot"))
    thigh, shank = upper[2] - lower[2], lower[2] - end[2]
    x, y, z = (foot - upper - q[:, :3]).T
    roll, down = np.arctan2(y, -z), np.hypot(y, z)
    reach = np.hypot(x, down)
    if reach.max() > thigh + shank:
        raise ArgumentError(f"legs of {thigh + shank:.2f} m are too short for such steps: take a smaller stride")
    bent = np.arccos((reach**2 - thigh**2 - shank**2) / (2 * thigh * shank))
    pitch = np.arctan2(-x, down) - np.arctan2(shank * np.sin(bent), thigh + shank * np.cos(bent))
    q[:, hip] = _turned(roll, pitch)
    q[:, knee] = bent[:, None]
    q[:, ankle] = _turned(roll, pitch + bent) * np.array([-1.0, -1.0, -1.0, 1.0])


def _turned(roll: np.ndarray, pitch: np.ndarray) -> np.ndarray:
    """Quaternions (n, 4) xyzw of a turn about x after one about y."""
    a, b, c, d = np.cos(roll / 2), np.sin(roll / 2), np.cos(pitch / 2), np.sin(pitch / 2)
    return np.column_stack([b * c, a * d, b * d, a * c])
