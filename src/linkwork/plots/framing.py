"""Which part of space a picture of a motion should show."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwork.dynamics.kinematics import body_poses
from linkwork.linkage.packing.launch import no_batch_compiled
from linkwork.plots.looks import Looks, Piece
from linkwork.plots.sticks import FLAT
from linkwork.simulation.recording import Recording

STATES = 60  # looked at
STRAY = 2.5  # bodies that go so many times farther than half of all do are left out
POINTS = 4000  # of a linkage, looked at
CORNERS = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])


class Bounds(NamedTuple):
    """The box that a motion stays in, (3,) each, m."""

    low: np.ndarray
    high: np.ndarray

    @property
    def size(self) -> float:
        """Its longest edge, m."""
        return max(float((self.high - self.low).max()), 1e-6)

    @property
    def middle(self) -> np.ndarray:
        """Its centre."""
        return 0.5 * (self.low + self.high)


def round_length(length: float) -> float:
    """The nearest of 1, 2 and 5 times a power of ten."""
    power = 10.0 ** np.floor(np.log10(length))
    return float(min((power * k for k in (1.0, 2.0, 5.0, 10.0)), key=lambda each: abs(np.log(each / length))))


def corners(pieces: list[Piece]) -> tuple[np.ndarray, np.ndarray]:
    """Bodies (n,) and points (n, 3) in their frames, between which the pieces are."""
    bodies, points = [], []
    for piece in pieces[:: 1 + 8 * len(pieces) // POINTS]:
        if isinstance(piece.solid, str):
            half = np.array(piece.scale) * (1.0, 1.0, 0.5) if piece.solid in ("rod", "cone") else np.array(piece.scale)
            found = CORNERS * half * (0.5 if piece.solid == "box" else 1.0)
        else:
            low, high = piece.solid.vertices.min(axis=0), piece.solid.vertices.max(axis=0)
            found = 0.5 * (low + high) + CORNERS * 0.5 * (high - low)
        points.append(piece.position + found @ piece.rotation.T)
        bodies.append(np.full(8, piece.body))
    if not points:
        return np.empty(0, dtype=int), np.empty((0, 3))
    return np.concatenate(bodies), np.concatenate(points)


def tracks(looks: Looks, q: np.ndarray) -> np.ndarray:
    """(states, n, 3) where the corners of moving bodies are at coordinates q (states, nq)."""
    bodies, points = corners(looks.bodies)
    bodies, points = bodies[bodies >= 0], points[bodies >= 0]
    with no_batch_compiled():
        poses = body_poses(looks.linkage, np.ascontiguousarray(q))
    return poses.positions[:, bodies] + np.einsum("snij,nj->sni", poses.rotations[:, bodies], points)


def bounds_of(parts: list[tuple[Looks, np.ndarray]]) -> Bounds:
    """The box of these linkages at these coordinates (states, nq); a few bodies that fly off do not count."""
    lows, highs, first = [], [], np.empty((0, 3))
    for looks, q in parts:
        if len(q):
            moving = tracks(looks, q)
            first = first if len(first) else moving[0]
            lows.append(moving.min(axis=0))
            highs.append(moving.max(axis=0))
    low, high = np.concatenate(lows), np.concatenate(highs)
    if not len(low):
        return Bounds(-np.ones(3), np.ones(3))
    center = np.median(0.5 * (low + high), axis=0)
    reach = np.maximum(np.abs(low - center), np.abs(high - center)).max(axis=1)
    # What is far off from the start on, such as the ends of a chain, has not flown there.
    usual, before = np.sort(reach)[(len(reach) - 1) // 2], np.abs(first - center).max(initial=0.0)
    far = max(STRAY * usual, before) * (1.0 + 1e-9) + 1e-9
    kept = reach <= far if (reach > far).mean() < 0.5 else reach < np.inf
    low, high = low[kept].min(axis=0), high[kept].max(axis=0)
    size = float((high - low).max())
    wide = high - low > FLAT * size  # what is flat stays so, however long its pins are
    for looks, _ in parts:  # what stands on the ground belongs to the picture, wide floors do not
        for piece in looks.bodies:
            if piece.body < 0:
                low, high = _extended(low, high, piece, size, True)
        for piece in looks.joints:
            if piece.body < 0:
                low, high = _extended(low, high, piece, size, wide)
    return Bounds(low, high)


def _extended(low: np.ndarray, high: np.ndarray, piece: Piece, size: float, along: np.ndarray | bool):
    """The box with a piece in it, along these axes, if that is near."""
    _, points = corners([piece])
    if np.abs(points - 0.5 * (low + high)).max() >= 1.2 * size:
        return low, high
    least, most = points.min(axis=0), points.max(axis=0)
    return np.where(along, np.minimum(low, least), low), np.where(along, np.maximum(high, most), high)


def recording_bounds(recording: Recording, looks: list[Looks]) -> Bounds:
    """The box of a recording; one `Looks` for each of its segments."""
    every = max(1, len(recording) // STATES)
    return bounds_of([(look, np.concatenate([segment.q[::every], segment.q[-1:]]))
                      for segment, look in zip(recording.segments, looks, strict=True) if len(segment)])  # fmt: skip
