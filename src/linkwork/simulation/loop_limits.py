"""Limits of loop joints: a spring and a damper beyond each, acting on both bodies of the joint."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from linkwork.linkage.linkage import Linkage
from linkwork.simulation.limits import Compliant, Impulsive

if TYPE_CHECKING:
    from linkwork.simulation.system import System


class LoopLimits:
    """The limits of the loop joints of one linkage; always compliant: a loop joint has no coordinate of its own.

    Attributes
    ----------
    rows : (m,) array
        Which of the loop joints' degrees of freedom have limits.
    firmness : list of two (m,) arrays
        Stiffness and damping of each, chosen by `prepare`.
    """

    def __init__(self, linkage: Linkage, kind: Compliant | Impulsive | None):
        self.kind = kind if isinstance(kind, Compliant) else Compliant()
        rows, coordinates, bounds = [], [], []
        dof = coordinate = 0
        for loop in linkage.loops:
            limits = getattr(loop.type, "limits", None)
            if kind is not None and limits is not None:
                for k, pair in enumerate(np.reshape(limits, (-1, 2))):
                    rows.append(dof + k)
                    coordinates.append(coordinate + k)
                    bounds.append(pair)
            dof, coordinate = dof + loop.nv, coordinate + loop.nq
        self.rows, self.coordinates = np.array(rows, dtype=np.int64), np.array(coordinates, dtype=np.int64)
        self.lower, self.upper = np.array(bounds, dtype=np.float64).reshape(-1, 2).T
        self.firmness = [np.empty(0), np.empty(0)]

    def prepare(self, system: System, q: np.ndarray, dt: float) -> None:
        """Choose stiffness and damping for the linkage in pose q."""
        if not len(self.rows):
            return
        from linkwork.dynamics.closed import loop_coordinates

        nv = system.linkage.nv
        response = system.response(q, np.zeros(nv), nv + self.rows)
        # the rates of loop joints are linear in v, so those of an acceleration are the joint's own
        moved = [loop_coordinates(system.linkage, q, a)[1][row] for a, row in zip(response, self.rows, strict=True)]
        inertia = 1.0 / np.maximum(np.abs(moved), np.finfo(float).tiny)
        frequency = self.kind.frequency or 0.2 / dt
        self.firmness = [inertia * frequency**2, 2.0 * self.kind.damping_ratio * frequency * inertia]

    def push(self, linkage: Linkage, q, v) -> np.ndarray | None:
        """(nv_loop,) forces beyond limits, None where no loop joint has any."""
        if not len(self.rows):
            return None
        from linkwork.dynamics.closed import loop_coordinates

        theta, rate = loop_coordinates(linkage, q, v)
        stiffness, damping = self.firmness
        x, drag = theta[self.coordinates], damping * rate[self.rows]
        down = np.where(x > self.upper, np.maximum(stiffness * (x - self.upper) + drag, 0.0), 0.0)
        up = np.where(x < self.lower, np.minimum(stiffness * (x - self.lower) + drag, 0.0), 0.0)
        force = np.zeros(linkage.nv_loop)
        force[self.rows] = -(down + up)
        return force
