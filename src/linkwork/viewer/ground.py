"""What stands around a linkage: ground, triad, surfaces of contacts, and the camera that frames it all."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.errors import LinkworkError
from linkwork.linkage.implicit import Implicit, Sliding
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.pose import Pose
from linkwork.linkage.surfaces import Cylinder, Plane, Sphere
from linkwork.plots.framing import CORNERS, round_length
from linkwork.plots.looks import Piece, along, line
from linkwork.plots.solids import Triangles

SURFACE = (198, 206, 214)
ACROSS = ((1.0, 0.35, 0.3), (0.3, -1.0, 0.25), (0.35, -0.6, 1.0))  # where to look from, by the axis that is thin
PATCH = 48  # points along an edge of the patch that stands for a curved surface


def lay_ground(scene: Any, bounds: Any) -> None:
    """A grid below the motion, its cells of a round size, with a scale beside it; and the world's triad."""
    cell = round_length(bounds.size / 8.0)
    middle = 0.5 * (bounds.low + bounds.high)
    level = min(0.0, bounds.low[2]) if bounds.low[2] > -0.6 * bounds.size else bounds.low[2]
    width = max(10.0 * cell, 2.5 * bounds.size)
    at = (round(middle[0] / cell) * cell, round(middle[1] / cell) * cell, level - 1e-3 * bounds.size)
    scene.add_grid(
        "/ground", width=width, height=width, plane="xy", cell_size=cell, section_size=5.0 * cell, cell_thickness=0.6,
        section_thickness=1.0, cell_color=(210, 216, 222), section_color=(170, 180, 190), shadow_opacity=0.22,
        plane_color=(244, 246, 248), plane_opacity=0.55, position=at, fade_distance=1e6,
    )  # fmt: skip
    scene.add_frame("/triad", axes_length=cell, axes_radius=0.02 * cell)
    for k, letter in enumerate("xyz"):
        scene.add_label(f"/triad/{letter}", letter, position=tuple(1.12 * cell * np.eye(3)[k]))
    corner = (at[0] + 0.5 * width, at[1] - 0.5 * width, at[2])
    scene.add_label("/scale", f"cells of {cell:g} m", position=corner)


def aim(server: Any, bounds: Any, aspect: float = 1.33) -> None:
    """Put the camera where it sees all of the motion: across its plane where it has one, else from the side.

    `aspect` is how wide the picture may be counted on to be, of its height.
    """
    middle, half = 0.5 * (bounds.low + bounds.high), 0.5 * (bounds.high - bounds.low)
    thin = int(np.argmin(half))
    direction = ACROSS[thin] if half[thin] < 0.06 * half.max() else (0.75, -1.0, 0.5)
    towards = np.array(direction) / np.linalg.norm(direction)
    across = np.cross((0.0, 0.0, 1.0), towards)
    across = across / np.linalg.norm(across)
    up, corners = np.cross(towards, across), CORNERS * half
    # Every corner of the box is within the angle that the camera sees, upright and across.
    aside = np.maximum(np.abs(corners @ up), np.abs(corners @ across) / aspect) / np.tan(np.radians(22.5))
    distance = float((corners @ towards + 1.15 * aside).max()) + 1e-6
    camera = server.initial_camera
    camera.fov, camera.near, camera.far = np.radians(45.0), 1e-3 * distance, 100.0 * distance
    camera.look_at, camera.position = tuple(middle), tuple(middle + distance * towards)


def light(scene: Any, shadows: bool) -> None:
    """Soft light all around, and the sun."""
    scene.configure_default_lights(enabled=True, cast_shadow=shadows)
    scene.configure_environment_map(None)
    scene.add_light_hemisphere("/light", sky_color=(255, 255, 255), ground_color=(170, 175, 180), intensity=0.8)


def surface_pieces(linkage: Linkage, bounds: Any) -> list[Piece]:
    """The surfaces on which points are kept and shapes stand."""
    made: list[Piece] = []
    grounded = {visual.body for visual in linkage.visuals if not visual.collision}
    for contact in linkage.contacts:
        made += _surface(contact.surface, Pose(), bounds)
    for shape in linkage.shapes:
        record = shape._record
        if isinstance(record.shape, Implicit) and record.body < 0 and "ground" not in grounded:
            made += _surface(record.shape, record.at, bounds)
    return made


def _surface(surface: Implicit, pose: Pose, bounds: Any) -> list[Piece]:
    while isinstance(surface, Sliding):
        surface = surface.surface
    middle, size = 0.5 * (bounds.low + bounds.high), bounds.size
    if isinstance(surface, Sphere):
        at = pose.apply(np.array(surface.center))
        return [Piece(-1, "ball", at, np.eye(3), (surface.radius,) * 3, SURFACE)]
    if isinstance(surface, Cylinder):
        axis = pose.rotation @ np.array(surface.axis)
        at = pose.apply(np.array(surface.point))
        at = at + axis * float(axis @ (middle - at))
        return [line(-1, at - 0.7 * size * axis, at + 0.7 * size * axis, surface.radius, SURFACE)]
    if isinstance(surface, Plane):
        normal = pose.rotation @ np.array(surface.normal)
        at = pose.apply(np.array(surface.normal) * surface.offset)
        at = middle - normal * float(normal @ (middle - at))
        edge, thick = 1.3 * size, 0.01 * size
        return [Piece(-1, "box", at - 0.5 * thick * normal, along(normal), (edge, edge, thick), SURFACE)]
    found = _patch(surface, pose, bounds)
    return [] if found is None else [Piece(-1, found, np.zeros(3), np.eye(3), (1.0, 1.0, 1.0), SURFACE)]


def _patch(surface: Implicit, pose: Pose, bounds: Any) -> Triangles | None:
    """Any other surface near the motion: points of a grid, moved onto it by Newton's method along its gradient."""
    middle, size = 0.5 * (bounds.low + bounds.high), bounds.size
    start = _onto(surface, pose, middle, size)
    if start is None:
        return None
    normal = _local(surface, pose, start)[1]
    turned = along(normal)
    steps = np.linspace(-0.75, 0.75, PATCH) * size
    grid = [_onto(surface, pose, start + turned[:, 0] * x + turned[:, 1] * y, size) for x in steps for y in steps]
    known = np.array([point is not None for point in grid])
    points = np.array([start if point is None else point for point in grid])
    here = (np.arange(PATCH - 1)[:, None] * PATCH + np.arange(PATCH - 1)).ravel()
    a, b, c, d = here, here + PATCH, here + PATCH + 1, here + 1
    faces = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    faces = faces[known[faces].all(axis=1)]
    longest = np.linalg.norm(points[faces] - points[np.roll(faces, 1, axis=1)], axis=-1).max(axis=1)
    faces = faces[longest < 6.0 * (steps[1] - steps[0])]
    return Triangles(points, np.concatenate([faces, faces[:, ::-1]])) if len(faces) else None


def _local(surface: Implicit, pose: Pose, point: np.ndarray) -> tuple[float, np.ndarray]:
    found = surface.local(pose.inverse().apply(point), 0.0)
    return found.C, pose.rotation @ found.gradient


def _onto(surface: Implicit, pose: Pose, point: np.ndarray, size: float) -> np.ndarray | None:
    try:
        for _ in range(12):
            value, gradient = _local(surface, pose, point)
            square = float(gradient @ gradient)
            if not np.isfinite(value) or square < 1e-18:
                return None
            step = gradient * (value / square)
            point = point - step * min(1.0, 0.5 * size / max(float(np.linalg.norm(step)), 1e-300))
    except LinkworkError:
        return None
    return point if abs(value) < 1e-3 * size * square**0.5 else None
