"""What surrounds a joint, or a part of the assembly tree, in an adaptive simulation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from linkwork.kernels.launch import call
from linkwork.kernels.layout.nodes import ABOVE, FIRST, KIND, LEAF, LEFT, MATRIX, PLACE, PORT, RIGHT, STAGE
from linkwork.linkage.body import GROUND

if TYPE_CHECKING:
    from linkwork.quasistatics.part_records import PartRecords

JOINT_WRENCH, TOP_A, TOP_F, BOTTOM_A, BOTTOM_F = range(5)  # rows of what the kernel writes


@dataclass(frozen=True, slots=True)
class Subassembly:
    """A part of the assembly tree, as what surrounds it sees it: f₁ = I a₁ − Tᵀ f₂ + b₁, a₂ = T a₁ + Φ f₂ + b₂.

    Attributes
    ----------
    joint : str
        Its principal joint.
    bodies : tuple of str
        All its bodies.
    top, bottom : str
        Its handles, "ground" for one; without a bottom of its own that is None, and so is what belongs to it.
    I, T, Phi : (6, 6) ndarray
        The articulated-body equation, in the frames of the handles, linear parts first.
    a1, f1, a2, f2 : (6,) ndarray
        Accelerations of the handles, on a ground that rises against gravity, and forces on them, at present.
    total : float
        A(C): the square of the least error of holding all its joints, kg m²/s⁴, where displacements are measured; its
        total acceleration Σ q̈² where accelerations are.

    Examples
    --------
    >>> import linkwork as lw
    >>> chain = lw.samples.chain(8)
    >>> ad = lw.AdaptiveSimulation(chain, chain.neutral())
    >>> part = ad.subassembly("link4")
    >>> part.bodies
    ('link0', 'link1', 'link2', 'link3', 'link4', 'link5', 'link6', 'link7')
    """

    joint: str
    bodies: tuple[str, ...]
    top: str
    bottom: str | None
    I: np.ndarray  # noqa: E741
    T: np.ndarray | None
    Phi: np.ndarray | None
    a1: np.ndarray
    f1: np.ndarray
    a2: np.ndarray | None
    f2: np.ndarray | None
    total: float

    @property
    def error(self) -> float:
        """E, the root of `total`."""
        return self.total**0.5

    def __repr__(self) -> str:
        return f"Subassembly({self.joint!r}, {len(self.bodies)} bodies, {self.top!r} to {self.bottom or self.top!r})"


def look_down(parts: PartRecords, joint: int) -> tuple[int, np.ndarray, float]:
    """The node of a joint, what surrounds it (5, 6) in stage frames, and A of it."""
    node = parts.node_of_joint(joint)
    path = [node]
    while parts.nodes[path[-1], ABOVE] >= 0:
        path.append(int(parts.nodes[path[-1], ABOVE]))
    out = np.zeros((5, 6))
    arguments = np.array(path[::-1]), parts.twins, parts.unused, out
    A = call(("assembly_tree.inspection", "look_down"), parts.blocks, *arguments)
    return node, out, float(A)


def joint_wrench(parts: PartRecords, joint: int) -> np.ndarray:
    """What a joint exerts on its body, (f, n) at the body's origin and in its frame."""
    _, out, _ = look_down(parts, joint)
    R = parts.tree.align[parts.tree.stage[joint]]
    return np.concatenate([R @ out[JOINT_WRENCH, :3], R @ out[JOINT_WRENCH, 3:]])


def subassembly(parts: PartRecords, joint: int) -> Subassembly:
    """The part whose principal joint this is."""
    node, out, A = look_down(parts, joint)
    nodes, tree, names = parts.nodes, parts.tree, parts.linkage.columns
    top, bottom = _top(parts, node), node
    while nodes[bottom, PORT] >= 0:
        bottom = nodes[bottom, RIGHT]
    has_bottom, bottom = bottom != node, _top(parts, bottom)
    R1, R2 = (_turn(tree.align[stage] if stage >= 0 else np.eye(3)) for stage in (top, bottom))
    leaves = nodes[nodes[node, FIRST] : node + 1]
    bodies = tree.body[leaves[leaves[:, KIND] == LEAF, STAGE]]

    def name(stage: int) -> str:
        body = int(tree.body[stage]) if stage >= 0 else -1
        return names.body_names[body] if body >= 0 else GROUND

    def matrix(row: int) -> np.ndarray:
        return parts.buffer[row : row + MATRIX].reshape(6, 8)[:, :6]

    port = int(nodes[node, PORT])
    return Subassembly(
        names.joint_names[joint], tuple(names.body_names[body] for body in bodies if body >= 0), name(top),
        name(bottom) if has_bottom else None, R1 @ matrix(int(nodes[node, PLACE])) @ R1.T,
        R2 @ matrix(port).T @ R1.T if has_bottom else None, R2 @ matrix(port + MATRIX) @ R2.T if has_bottom else None,
        R1 @ out[TOP_A], R1 @ out[TOP_F], R2 @ out[BOTTOM_A] if has_bottom else None,
        R2 @ out[BOTTOM_F] if has_bottom else None, max(A, 0.0),
    )  # fmt: skip


def _top(parts: PartRecords, node: int) -> int:
    """The stage of the top body of a node, −1 for ground."""
    nodes = parts.nodes
    while nodes[node, KIND] != LEAF and nodes[node, LEFT] >= 0:
        node = nodes[node, LEFT]
    stage = int(nodes[node, STAGE])
    return stage if nodes[node, KIND] == LEAF else int(parts.tree.parent[stage])


def _turn(R: np.ndarray) -> np.ndarray:
    """A rotation of spatial vectors."""
    return np.kron(np.eye(2), R)
