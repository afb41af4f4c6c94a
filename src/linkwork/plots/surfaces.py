"""The surfaces of contacts, as lines behind the stick figure."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.errors import LinkworkError
from linkwork.linkage.implicit import Implicit
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.surfaces import Sphere
from linkwork.plots.sticks import View

GRID = 60  # points across


def draw_surfaces(
    axes: Any, linkage: Linkage, view: View, depth: float, corners: tuple[np.ndarray, np.ndarray], t: float, color: str
) -> None:
    """Draw where surfaces cut the plane of a flat view, at this depth; in other views, the outlines of spheres."""
    from matplotlib.patches import Circle

    for contact in linkage.contacts:
        surface = contact.surface
        if isinstance(surface, Sphere):
            center = view(np.array(surface.center))
            axes.add_patch(Circle((center[0], center[1]), surface.radius, fill=False, color=color, zorder=0))
        elif any(view.names):
            across, up = (np.linspace(low, high, GRID) for low, high in zip(*corners, strict=True))
            X, Y = np.meshgrid(across, up)
            away = np.cross(view.matrix[:, 0], view.matrix[:, 1])
            points = X[..., None] * view.matrix[:, 0] + Y[..., None] * view.matrix[:, 1] + depth * np.abs(away)
            values = np.array([_value(surface, point, t) for point in points.reshape(-1, 3)]).reshape(X.shape)
            if np.nanmin(values) < 0.0 < np.nanmax(values):
                axes.contour(X, Y, values, levels=[0.0], colors=color, linewidths=1.2, zorder=0)


def _value(surface: Implicit, point: np.ndarray, t: float) -> float:
    """C at a point; NaN where it is undefined."""
    try:
        return surface.local(point, t).C
    except LinkworkError:
        return np.nan
