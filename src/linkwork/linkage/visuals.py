"""What a body looks like: shapes and meshes fixed to bodies, for viewers and writers, not for dynamics."""

from __future__ import annotations

from dataclasses import dataclass

from linkwork.linkage.pose import Pose

SIZES = {"box": 3, "sphere": 1, "cylinder": 2, "capsule": 2, "mesh": 3}
"""How many numbers describe each kind of shape."""


@dataclass(frozen=True, slots=True)
class Visual:
    """One shape fixed to a body.

    Parameters
    ----------
    body : str
        The body's name; ``"ground"`` for what never moves.
    pose : Pose
        The shape's frame in the body's. Shapes are centred on it, cylinders and capsules lie along its z.
    kind : str
        ``"box"`` (edges x, y, z), ``"sphere"`` (radius), ``"cylinder"`` (radius, length), ``"capsule"``
        (radius, length between the round ends) or ``"mesh"`` (scale x, y, z).
    size : tuple of float
        The numbers named above, in m; for a mesh dimensionless.
    uri : str or None
        A mesh's address as the description gave it.
    file : str or None
        The mesh's file on this machine; None when it was not found.
    color : tuple of 4 floats or None
        Red, green, blue, alpha in 0…1; None when the description gives none.
    texture : str or None
        An image file for the surface, resolved like `file`.
    name : str or None
        The shape's own name.
    collision : bool
        Whether the shape stands for contact rather than for looks.
    """

    body: str
    pose: Pose
    kind: str
    size: tuple[float, ...]
    uri: str | None = None
    file: str | None = None
    color: tuple[float, ...] | None = None
    texture: str | None = None
    name: str | None = None
    collision: bool = False
