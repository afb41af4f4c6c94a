"""Whether points that rest on surfaces stick, in Python: for surfaces and poses that compiled code leaves to it.

`kernels.contact.constrained` does the same for the others.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from linkwork.dynamics.contact_state import Touch
from linkwork.errors import SingularError
from linkwork.kernels.contact.modes import CONE, LIMIT, SLIPPING
from linkwork.kernels.launch import call
from linkwork.kernels.layout.contacts import FROM_STATE, SLIDES, STICKS
from linkwork.linkage.linkage import Linkage


def tangents(point: Touch) -> np.ndarray:
    """(n, 2, 3) two tangents of each surface, the first along the direction of sliding where there is one."""
    out = np.empty((len(point.gap), 2, 3))
    for k, (n, s) in enumerate(zip(point.normal, point.sliding, strict=True)):
        if not s.any():
            s = np.eye(3)[np.argmin(np.abs(n))]
        first = s - (n @ s) * n
        out[k, 0] = first / np.linalg.norm(first)
        out[k, 1] = np.cross(n, out[k, 0])
    return out


def find_modes(
    linkage: Linkage, point: Touch, able: np.ndarray, K: np.ndarray, free: np.ndarray, respond: Callable
) -> Touch:
    """The contacts, with those that rest sticking where they can, and beginning to slide where not."""
    records, n = linkage._contacts.records, len(point.gap)
    t = tangents(point)
    frames = np.concatenate([point.normal[:, None], t], axis=1)  # (n, 3, 3)
    rows = np.einsum("nac,ncv->nav", frames, point.J).reshape(3 * n, -1)
    G = rows @ respond(rows).T
    bias = np.einsum("nac,nc->na", frames, point.bias)
    bias[:, 0] = point.c
    g = bias.ravel() + rows @ free
    mu = np.array([record.holding for record in records])
    given = point.forced | np.array([record.static_friction is not None for record in records])
    doing, sliding = point.doing.copy(), point.sliding.copy()
    seeking = doing == FROM_STATE
    doing[seeking] = STICKS
    for _ in range(n + 1):
        force = _modal_forces(G, g, doing, np.einsum("njc,nc->nj", t, sliding), K, able)
        beyond = np.hypot(force[:, 1], force[:, 2]) > mu * np.abs(force[:, 0])
        failing = beyond & (doing == STICKS) & seeking
        if not failing.any():
            return point._replace(doing=doing, sliding=sliding, j_t=np.einsum("nc,ncv->nv", sliding, point.J))
        doing[failing & ~given] = SLIDES  # as in [Li]: what begins to slide has no direction yet
        kind = np.where(doing == STICKS, CONE, np.where(sliding.any(axis=1), SLIPPING, LIMIT))
        limit = np.where((doing == STICKS) & ~beyond, mu, K)
        force = contact_forces(G, g, limit, kind)
        size = np.hypot(force[:, 1], force[:, 2])
        starting = (doing == STICKS) & seeking & ~(size < limit * force[:, 0] * (1.0 - 1e-12))
        doing[starting] = SLIDES
        pushed = starting & (size > 0.0)
        sliding[pushed] = -np.einsum("nj,njc->nc", force[pushed, 1:] / size[pushed, None], t[pushed])
    raise SingularError(
        f"at rest the contacts of linkage {linkage.name!r} neither stick nor slide: friction is too large for this pose"
    )


def _modal_forces(G, g, doing, directions, K, able) -> np.ndarray:
    """(n, 3) forces, along normals and tangents, of contacts that do what they are said to; see `constrained`."""
    n = len(doing)
    rows, columns = [], []
    for k in np.flatnonzero(able):
        if doing[k] == STICKS:
            rows += [3 * k, 3 * k + 1, 3 * k + 2]
            columns += list(np.eye(3 * n)[3 * k : 3 * k + 3])
        else:
            column = np.zeros(3 * n)
            column[3 * k], column[3 * k + 1 : 3 * k + 3] = 1.0, -K[k] * directions[k]
            rows.append(3 * k)
            columns.append(column)
    B = np.array(columns).T.reshape(3 * n, -1)
    x = np.linalg.lstsq((G @ B)[rows], -g[rows], rcond=1e-10)[0]
    return (B @ x).reshape(n, 3)


def contact_forces(G: np.ndarray, g: np.ndarray, mu: np.ndarray, kind: np.ndarray | None = None) -> np.ndarray:
    """(n, 3) forces of the contact problem; by default all contacts have cones, or normals alone where μ is 0."""
    from linkwork.kernels.contact.problem import scratch_shape

    n = len(mu)
    kind = np.where(mu > 0.0, CONE, LIMIT) if kind is None else kind
    force = np.zeros(3 * n)
    scratch = np.zeros(scratch_shape(n))
    call(("contact.problem", "solve_contacts"), n, G, g, mu, kind.astype(np.int64), force, scratch, True)
    return force.reshape(n, 3)
