"""Configurations: steps on their manifold, and random ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from linkwork.kernels.layout.kinds import KIND_NQ, KIND_NV, KINDS, LENGTHS
from linkwork.linkage.packing.launch import leading_shape, numbers, run

if TYPE_CHECKING:
    from linkwork.linkage.linkage import Linkage


def integrate(linkage: Linkage, q, dv) -> np.ndarray:
    """q ⊕ dv (..., nq): from q, move for unit time with the constant velocity dv; quaternions get unit length."""
    q = numbers(linkage, "q", q, linkage.nq, "nq")
    dv = numbers(linkage, "dv", dv, linkage.nv, "nv")
    out = np.empty((*leading_shape(q, dv), linkage.nq))
    run(linkage, ("tree.integrate", "integrate"), 0, [q, dv], [out])
    return out


def difference(linkage: Linkage, q0, q1) -> np.ndarray:
    """The dv (..., nv) with q0 ⊕ dv = q1 that turns by at most half a turn."""
    q0 = numbers(linkage, "q0", q0, linkage.nq, "nq")
    q1 = numbers(linkage, "q1", q1, linkage.nq, "nq")
    out = np.empty((*leading_shape(q0, q1), linkage.nv))
    run(linkage, ("tree.integrate", "difference"), 0, [q0, q1], [out])
    return out


def random_configuration(linkage: Linkage, rng: np.random.Generator | int | None = None) -> np.ndarray:
    """Random coordinates: within a joint's limits, ±π or ±1 m where it has none, uniform over rotations."""
    rng = np.random.default_rng(rng)
    columns = linkage.columns
    q = np.empty(linkage.nq)
    code = columns.code
    same = KIND_NQ[code] == KIND_NV[code]
    # joints with one coordinate per degree of freedom, all at once
    rows = np.repeat(np.flatnonzero(same), KIND_NQ[code[same]])
    offset = np.concatenate([np.arange(k) for k in KIND_NQ[code[same]]]) if len(rows) else np.empty(0, dtype=np.int64)
    at_q, at_v = columns.q_start[rows] + offset, columns.v_start[rows] + offset
    reach = np.where(offset < LENGTHS[code[rows]], 1.0, np.pi)
    lower = np.where(np.isfinite(columns.lower[at_v]), columns.lower[at_v], -reach)
    upper = np.where(np.isfinite(columns.upper[at_v]), columns.upper[at_v], reach)
    q[at_q] = rng.uniform(np.minimum(lower, upper), np.maximum(lower, upper))
    for kind, first in ((number, kind.quaternion) for number, kind in KINDS.items() if kind.quaternion >= 0):
        starts = columns.q_start[code == kind]
        quaternions = rng.normal(size=(len(starts), 4))
        quaternions /= np.linalg.norm(quaternions, axis=1, keepdims=True)
        q[starts[:, None] + first + np.arange(4)] = quaternions
        if first:
            q[starts[:, None] + np.arange(3)] = rng.uniform(-1.0, 1.0, size=(len(starts), 3))
    return q
