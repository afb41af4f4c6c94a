"""What a linkage looks like: pieces made of few unit solids, each fixed to a body.

Bodies look as their description says; those without visuals as the shapes they touch with; those without any as bars
between the points where joints are attached, or as the box that has their inertia.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from linkwork.kernels.layout.kinds import FIXED, FREE, PLANAR, PRISMATIC, SPHERICAL
from linkwork.linkage.body import GROUND
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.mesh_shape import Mesh
from linkwork.linkage.pose import Pose
from linkwork.linkage.shapes import Ball, Box, Capsule
from linkwork.linkage.visuals import Visual
from linkwork.plots.solids import Triangles, triangles_of, unit
from linkwork.plots.sticks import Sticks

PALETTE = np.array([(76, 120, 168), (224, 142, 56), (84, 150, 96), (150, 110, 160), (200, 84, 84), (90, 160, 165),
                    (190, 160, 60), (140, 110, 90)])  # fmt: skip
STEEL, PIN, LOOP, PLAIN, AXIS = (146, 158, 170), (62, 70, 78), (214, 69, 69), (153, 166, 178), (40, 110, 60)
SLENDER = 0.045  # radius of a bar, of the typical length of bars
STOUT = 0.15  # the same in crowds, which are seen from afar
THINNEST = 0.0015  # radius of a bar, of the extent of the linkage: a chain of very many short links is still seen
MANY = 200  # bodies from which on all have one colour
HUGE = 2000  # bodies from which on bars are plain


class Piece(NamedTuple):
    """One solid, fixed to a body (−1: ground): what it is, its frame there, how it is stretched, its colour."""

    body: int
    solid: str | Triangles
    position: np.ndarray
    rotation: np.ndarray
    scale: tuple[float, ...]
    color: tuple[int, ...]


@dataclass(eq=False)
class Pieces:
    """Many pieces of one solid, as arrays.

    Attributes
    ----------
    solid : Triangles
    body : (n,) ints
    position, rotation, scale : (n, 3), (n, 3, 3) and (n, 3) arrays
        In the frame of the body.
    color : (n, 3) array of uint8
    round : bool
        Whether they are rods or balls.
    """

    solid: Triangles
    body: np.ndarray
    position: np.ndarray
    rotation: np.ndarray
    scale: np.ndarray
    color: np.ndarray
    round: bool = False

    def placed(self, positions: np.ndarray, rotations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Where they are in the world, (n, 3), and how they are turned, (n, 3, 3), by the poses of all bodies."""
        on_ground = self.body < 0
        turned = rotations[self.body] if len(rotations) else np.zeros((len(self.body), 3, 3))
        turned = np.where(on_ground[:, None, None], np.eye(3), turned)
        origin = positions[self.body] if len(positions) else np.zeros((len(self.body), 3))
        origin = np.where(on_ground[:, None], 0.0, origin)
        return origin + np.einsum("nij,nj->ni", turned, self.position), turned @ self.rotation

    @property
    def reach(self) -> np.ndarray:
        """(n, 3) half the extent of each piece along its own axes."""
        return self.scale * np.abs(self.solid.vertices).max(axis=0)


def gather(pieces: list[Piece], detail: int = 2) -> list[Pieces]:
    """Pieces of equal solids together."""
    groups: dict[object, list[Piece]] = {}
    for piece in pieces:
        groups.setdefault(piece.solid if isinstance(piece.solid, str) else id(piece.solid), []).append(piece)
    made = []
    for each in groups.values():
        solid = each[0].solid
        made.append(Pieces(
            unit(solid, detail) if isinstance(solid, str) else solid,
            np.array([piece.body for piece in each]), np.array([piece.position for piece in each], dtype=float),
            np.array([piece.rotation for piece in each], dtype=float),
            np.array([piece.scale for piece in each], dtype=float),
            np.array([piece.color for piece in each], dtype=np.uint8), solid in ("rod", "ball"),
        ))  # fmt: skip
    return made


class Looks:
    """The pieces of a linkage.

    Parameters
    ----------
    linkage : Linkage

    Attributes
    ----------
    linkage : Linkage
    sticks : Sticks
    bodies, joints, loops : list of Piece
        What the bodies look like, the pins of tree joints, and those of loop joints.
    size : float
        Typical length of a bar, m.
    has_visuals : bool
        Whether the description says what bodies look like.
    """

    def __init__(self, linkage: Linkage):
        self.linkage, columns = linkage, linkage.columns
        self.sticks = Sticks(linkage)
        self.size = self.sticks.size()
        self._thinnest = THINNEST * self.sticks.reach()
        self.radius = max((SLENDER if linkage.nb < HUGE else STOUT) * self.size, self._thinnest)
        self.bodies: list[Piece] = []
        index = columns.body_index | {GROUND: -1}
        seen = set()
        for visual in linkage.visuals:
            if not visual.collision and visual.body in index:
                self.bodies += _visual(index[visual.body], visual)
                seen.add(index[visual.body])
        self.has_visuals = bool(seen - {-1})
        for shape in linkage.shapes:
            record = shape._record
            if record.body >= 0 and record.body not in seen:
                self.bodies += _shape(record.body, record.at, record.shape, self._color(record.body))
        seen |= {shape._record.body for shape in linkage.shapes if isinstance(shape.shape, Ball | Box | Capsule | Mesh)}
        self._bars(seen)
        self.joints: list[Piece] = []
        if linkage.nb < HUGE:
            self._pins(seen)
        self.loops = self._loop_pins()

    def _color(self, body: int) -> tuple[int, ...]:
        if self.linkage.nb >= MANY:
            return STEEL
        return tuple(PALETTE[body % len(PALETTE)].tolist())

    def _bars(self, seen: set[int]) -> None:
        """Bars within bodies that nothing else is known of, and boxes where there are no points to go between."""
        bodies, a, b = self.sticks.bars()
        lengths, turned = np.linalg.norm(b - a, axis=1), along(b - a)
        thick = np.minimum(self.radius, np.maximum(0.3 * lengths, self._thinnest))
        places = zip(bodies.tolist(), a, b, turned, thick.tolist(), lengths.tolist(), strict=True)
        for body, start, stop, rotation, r, length in places:
            if body in seen:
                continue
            color = self._color(body)
            self.bodies.append(Piece(body, "rod", 0.5 * (start + stop), rotation, (r, r, length), color))
            if self.linkage.nb < HUGE:
                self.bodies += [Piece(body, "ball", end, np.eye(3), (r,) * 3, color) for end in (start, stop)]
        for body, center, axes, sizes in self.sticks.boxes:
            if body not in seen:
                thin = np.maximum(sizes, 0.02 * max(sizes.max(), 1e-6))
                self.bodies.append(Piece(body, "box", center, axes, tuple(thin), self._color(body)))

    def _pins(self, seen: set[int]) -> None:
        columns, r = self.linkage.columns, self.radius
        for body in range(self.linkage.nb):
            code, parent = columns.code[body], int(columns.parent[body])
            if code in (FREE, FIXED, PLANAR) or (body in seen and (parent in seen or parent < 0)):
                continue
            at, axis = columns.at_position[body], columns.at_rotation[body] @ columns.axis[body]
            if code == PRISMATIC:
                dof = columns.v_start[body]
                low, high = float(columns.lower[dof]), float(columns.upper[dof])
                if np.isfinite(low) and np.isfinite(high):  # a rail as long as the way
                    self.joints.append(line(parent, at + low * axis, at + high * axis, 0.45 * r, PIN))
                self.joints.append(line(parent, at - 2.5 * r * axis, at + 2.5 * r * axis, 1.3 * r, PIN))
                self.joints.append(line(body, -0.5 * self.size * columns.axis[body], np.zeros(3), 0.6 * r, STEEL))
            else:
                self.joints.append(_pin(parent, at, axis, code == SPHERICAL, r * (1.25 if parent >= 0 else 1.5), PIN))

    def _loop_pins(self) -> list[Piece]:
        made = []
        for record in self.linkage._loops.records:
            axes = record.type.axes()
            axis = record.at_b.rotation @ np.array(axes[0] if len(axes) else (0.0, 0.0, 1.0), dtype=float)
            made.append(_pin(record.b, record.at_b.position, axis, not len(axes), 1.35 * self.radius, LOOP))
        return made

    def axes(self) -> list[Piece]:
        """Arrows along the axes of tree joints."""
        columns, made = self.linkage.columns, []
        for body in range(self.linkage.nb):
            if columns.code[body] in (FREE, FIXED, SPHERICAL):
                continue
            at, axis = columns.at_position[body], columns.at_rotation[body] @ columns.axis[body]
            made += arrow(int(columns.parent[body]), at, at + 0.35 * self.size * axis, 0.25 * self.radius, AXIS)
        return made

    def centers(self) -> list[Piece]:
        """Balls at the centres of mass; their volume goes with the mass."""
        columns = self.linkage.columns
        share = np.cbrt(columns.mass / max(columns.mass.max(initial=0.0), 1e-300))
        return [Piece(body, "ball", columns.com[body], np.eye(3), (1.7 * self.radius * max(share[body], 0.3),) * 3,
                      (232, 190, 60)) for body in range(self.linkage.nb) if columns.mass[body] > 0.0]  # fmt: skip


def arrow(body: int, a: np.ndarray, b: np.ndarray, radius: float, color: tuple[int, ...]) -> list[Piece]:
    """A rod and a cone from a to b."""
    length = float(np.linalg.norm(b - a))
    if length < 1e-12:
        return []
    head = min(4.0 * radius, 0.5 * length)
    neck = b - (b - a) * (head / length)
    turned = along((b - a) / length)
    return [line(body, a, neck, radius, color),
            Piece(body, "cone", 0.5 * (neck + b), turned, (2.2 * radius, 2.2 * radius, head), color)]  # fmt: skip


def along(direction: np.ndarray) -> np.ndarray:
    """(..., 3, 3) rotations whose z points in directions (..., 3)."""
    z = direction / np.maximum(np.linalg.norm(direction, axis=-1, keepdims=True), 1e-300)
    x = np.cross(np.where(np.abs(z[..., 1:2]) < 0.9, [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]), z)
    x = x / np.linalg.norm(x, axis=-1, keepdims=True)
    return np.stack([x, np.cross(z, x), z], axis=-1)


def line(body: int, a: np.ndarray, b: np.ndarray, radius: float, color: tuple[int, ...]) -> Piece:
    """A rod from a to b."""
    length = float(np.linalg.norm(b - a))
    return Piece(body, "rod", 0.5 * (a + b), along(b - a), (radius, radius, length), color)


def _pin(body: int, at: np.ndarray, axis: np.ndarray, is_ball: bool, radius: float, color: tuple[int, ...]) -> Piece:
    if is_ball:
        return Piece(body, "ball", at, np.eye(3), (1.3 * radius,) * 3, color)
    return Piece(body, "rod", at, along(axis), (radius, radius, 2.6 * radius), color)


def _capsule(body: int, pose: Pose, radius: float, length: float, color: tuple[int, ...]) -> list[Piece]:
    ends = pose.apply(np.array([[0.0, 0.0, -0.5], [0.0, 0.0, 0.5]]) * length)
    rod = Piece(body, "rod", pose.position, pose.rotation, (radius, radius, length), color)
    return [rod, *(Piece(body, "ball", end, np.eye(3), (radius,) * 3, color) for end in ends)]


def _visual(body: int, visual: Visual) -> list[Piece]:
    if visual.color is not None and len(visual.color) > 3 and visual.color[3] < 0.05:
        return []  # meant to be invisible
    color = PLAIN if visual.color is None else tuple(round(255 * min(max(c, 0.0), 1.0)) for c in visual.color[:3])
    pose, size = visual.pose, visual.size
    if visual.kind == "capsule":
        return _capsule(body, pose, size[0], size[1], color)
    if visual.kind == "mesh":
        found = triangles_of(visual)
        if visual.color is None and found.colors is not None:
            color = tuple(int(c) for c in found.colors.mean(axis=0))
        return [Piece(body, found._replace(colors=None), pose.position, pose.rotation, (1.0, 1.0, 1.0), color)]
    solid, scale = {"box": ("box", size), "sphere": ("ball", size * 3),
                    "cylinder": ("rod", (size[0], *size))}[visual.kind]  # fmt: skip
    return [Piece(body, solid, pose.position, pose.rotation, tuple(scale), color)]


def _shape(body: int, pose: Pose, shape: object, color: tuple[int, ...]) -> list[Piece]:
    """What a solid that touches looks like."""
    if isinstance(shape, Capsule):
        return _capsule(body, pose, shape.radius, shape.length, color)
    if isinstance(shape, Ball):
        return [Piece(body, "ball", pose.position, pose.rotation, (shape.radius,) * 3, color)]
    if isinstance(shape, Box):
        return [Piece(body, "box", pose.position, pose.rotation, tuple(shape.sizes), color)]
    if isinstance(shape, Mesh):
        solid = Triangles(shape.vertices, shape.faces)
        return [Piece(body, solid, pose.position, pose.rotation, (1.0, 1.0, 1.0), color)]
    return []
