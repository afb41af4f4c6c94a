"""A spring between the mouse and the body that it drags."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from linkwork.dynamics.forward import forward_dynamics
from linkwork.dynamics.kinematics import body_poses, jacobian
from linkwork.errors import LinkworkError
from linkwork.linkage.linkage import Linkage
from linkwork.plots.forces import Force
from linkwork.results import Poses

PACE = 2.0 * np.pi * 1.2  # rad/s at which a free body would swing on the spring
DAMPING = 0.7  # of critical
LONGEST = 5.0  # links: farther off the mouse does not pull harder, or it would tear at one link of a long chain


class Pull:
    """A damped spring from a point of a body to the mouse.

    Parameters
    ----------
    linkage : Linkage
    body : int
    point : (3,) array
        Where the body is held, world axes, m.
    q : (nq,) array
        At the start.

    Attributes
    ----------
    target : (3,) array
        Where the mouse is, world axes, m.
    local : (3,) array
        The point in the frame of the body, m.
    """

    def __init__(self, linkage: Linkage, body: int, point: np.ndarray, q: np.ndarray):
        self._linkage, self.body = linkage, body
        pose = body_poses(linkage, np.array(q))
        self.local = pose.rotations[body].T @ (point - pose.positions[body])
        self.target = np.array(point, dtype=float)
        inertia = self._inertia(np.array(q), point - pose.positions[body])
        self.stiffness, self.damping = inertia * PACE**2, 2.0 * DAMPING * inertia * PACE
        self._longest = LONGEST * _link_length(linkage, pose)

    def _inertia(self, q: np.ndarray, arm: np.ndarray) -> float:
        """The mass that the mouse feels, in the mean of all directions, by what forces there do to a pose at rest."""
        linkage, rest = self._linkage, np.zeros(self._linkage.nv)
        total = float(linkage.columns.mass.sum()) or 1.0
        J = jacobian(linkage, q, linkage.bodies[self.body], point=self.local)[:3]
        wrench, softness = np.zeros((linkage.nb, 6)), 0.0
        try:
            alone = forward_dynamics(linkage, q, rest)
            for k, force in enumerate(total * np.eye(3)):
                wrench[self.body] = np.concatenate([force, np.cross(arm, force)])
                softness += (J @ (forward_dynamics(linkage, q, rest, f_ext=wrench) - alone))[k] / (3.0 * total)
        except LinkworkError:  # a pose that no forces are known of
            return total
        return min(1.0 / softness, total) if softness > 1.0 / (100.0 * total) else total

    def point(self, q: np.ndarray) -> np.ndarray:
        """(3,) where the body is held."""
        poses = body_poses(self._linkage, np.array(q))
        return poses.positions[self.body] + poses.rotations[self.body] @ self.local

    def force(self, q: np.ndarray, v: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """The point (3,) and the force there (3,), N, world axes."""
        at = self.point(q)
        stretch = self.target - at
        force = self.stiffness * stretch * min(1.0, self._longest / max(float(np.linalg.norm(stretch)), 1e-300))
        if v is not None:
            J = jacobian(self._linkage, np.array(q), self._linkage.bodies[self.body], point=self.local)[:3]
            force = force - self.damping * (J @ v)
        return at, force

    def wrenches(self, base: Callable | None) -> Callable:
        """``wrenches(t, q, v)`` of the spring and of whatever acts besides."""

        def wrenches(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
            found = np.zeros((self._linkage.nb, 6)) if base is None else np.array(base(t, q, v))
            at, force = self.force(q, v)
            arm = at - body_poses(self._linkage, np.array(q)).positions[self.body]
            found[self.body] += np.concatenate([force, np.cross(arm, force)])
            return found

        return wrenches

    def arrow(self, q: np.ndarray) -> Force:
        """The spring's force, to be drawn."""
        at, force = self.force(q)
        return Force(at[None], force[None])


def _link_length(linkage: Linkage, poses: Poses) -> float:
    """How far bodies are from their parents, usually; infinite where all are in one place."""
    parent = linkage.columns.parent
    apart = np.linalg.norm(poses.positions[parent >= 0] - poses.positions[parent[parent >= 0]], axis=1)
    return float(np.median(apart[apart > 0.0])) if (apart > 0.0).any() else np.inf
