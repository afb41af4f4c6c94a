"""Pose and velocity of one body, joint by joint from ground: plain NumPy, for single questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from linkwork.kernels.layout.kinds import KIND_NQ, KIND_NV
from linkwork.linkage.joint import TYPES
from linkwork.linkage.joint_type import AXES, Motion, times

if TYPE_CHECKING:
    from linkwork.linkage.columns import Columns


_REST = ((slice(None), slice(None)), *((slice(None),) for _ in range(3)))  # axes after the one that counts links


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """The joints between ground and a body, copied from the columns: later changes do not touch it."""

    columns: dict[str, np.ndarray]

    @classmethod
    def to(cls, columns: Columns, index: int) -> Chain:
        """Copy the chain that ends in body `index`."""
        parent, rows = columns.parent[: index + 1].tolist(), []  # a list: scalars of arrays are slow to read
        while index >= 0:
            rows.append(index)
            index = parent[index]
        names = ("code", "at_rotation", "at_position", *AXES, "pitch", "q_start", "v_start")
        down = np.array(rows[::-1])
        return cls({name: getattr(columns, name)[down] for name in names})

    def motion(self, q: np.ndarray, v: np.ndarray) -> Motion:
        """Return the motion of the last body at q (..., nq), v (..., nv)."""
        chain = self._links(q, v)
        while chain.position.shape[-2] > 1:  # neighbours in pairs: composing is associative
            last = Motion(*(part[..., -1:, *rest] for part, rest in zip(chain, _REST, strict=True)))
            odd = chain.position.shape[-2] % 2
            above = Motion(
                *(part[..., 0 : -1 if odd else None : 2, *rest] for part, rest in zip(chain, _REST, strict=True))
            )
            below = Motion(*(part[..., 1::2, *rest] for part, rest in zip(chain, _REST, strict=True)))
            chain = _compose(above, below)
            if odd:
                axes = (-3, -2, -2, -2)
                chain = Motion(*(np.concatenate(p, axis=k) for *p, k in zip(chain, last, axes, strict=True)))
        return Motion(*(part[..., 0, *rest] for part, rest in zip(chain, _REST, strict=True)))

    def _links(self, q: np.ndarray, v: np.ndarray) -> Motion:
        """Return the motion of every link relative to the one before, the last axis but one or two counting links."""
        columns, batch = self.columns, np.broadcast_shapes(q.shape[:-1], v.shape[:-1])
        n = len(columns["code"])
        links = Motion(np.empty((*batch, n, 3, 3)), *(np.empty((*batch, n, 3)) for _ in range(3)))
        for code in np.unique(columns["code"]):
            rows = np.flatnonzero(columns["code"] == code)
            axes, pitch = [columns[name][rows] for name in AXES], columns["pitch"][rows, None]
            at_q = columns["q_start"][rows, None] + np.arange(int(KIND_NQ[code]))
            at_v = columns["v_start"][rows, None] + np.arange(int(KIND_NV[code]))
            joint = TYPES[code].motions(axes, pitch, q[..., at_q], v[..., at_v])
            turn = columns["at_rotation"][rows]
            links.rotation[..., rows, :, :] = turn @ joint.rotation
            links.position[..., rows, :] = columns["at_position"][rows] + times(turn, joint.position)
            links.linear[..., rows, :], links.angular[..., rows, :] = joint.linear, joint.angular
        return links


def _compose(above: Motion, below: Motion) -> Motion:
    """Return the motion of `below` relative to what `above` is relative to: v = X v_above + v_below."""
    back = np.swapaxes(below.rotation, -1, -2)
    return Motion(
        above.rotation @ below.rotation,
        above.position + times(above.rotation, below.position),
        times(back, above.linear + np.cross(above.angular, below.position)) + below.linear,
        times(back, above.angular) + below.angular,
    )
