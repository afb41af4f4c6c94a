"""Points that are kept on surfaces, at one state: where they are, how they move, what acts on them.

Symbols, of [Li] and one per contact: r the point, J its Jacobian, n = ∇C/|∇C| the normal, t the direction of sliding
relative to the surface, zero where it does not slide; j_c = Jᵀn and j_t = Jᵀt; f_n the normal force, K the coefficient
of friction.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwork.dynamics.arguments import coordinates, times, velocities
from linkwork.dynamics.kinematics import body_poses
from linkwork.errors import ArgumentError, LinkworkError, SingularError
from linkwork.linkage.contacts import ContactRecord
from linkwork.linkage.implicit import Local
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import leading_shape, numbers, run, tree_of, wrenches

IMMOBILE = 1e-9  # share of the point's Jacobian below which its normal part counts as zero
FLAT = 1e-9  # m: a gradient below this times the curvature is zero
STILL = 1e-9  # m/s: slower sliding has no direction


class Touch(NamedTuple):
    """The contacts at one state, one row each."""

    r: np.ndarray  # (n, 3), world
    normal: np.ndarray  # (n, 3)
    sliding: np.ndarray  # (n, 3) unit vectors t, or zero
    J: np.ndarray  # (n, 3, nv)
    j_c: np.ndarray  # (n, nv)
    j_t: np.ndarray  # (n, nv)
    gap: np.ndarray  # (n,) C/|∇C|, m
    rate: np.ndarray  # (n,) its rate of change, m/s
    c: np.ndarray  # (n,) j_cᵀ q̈ = −c, (12)


class Reaction(NamedTuple):
    """What the contacts do at one state."""

    a: np.ndarray  # (nv,) accelerations with it
    touch: Touch
    f_n: np.ndarray  # (n,)
    friction: np.ndarray  # (n, 3) force on each point, world axes
    push: np.ndarray  # (nv,) generalized force of all contacts
    redundant: np.ndarray  # (n,) whether a contact's force is one of several that do the same
    rank: int
    indeterminate: bool  # whether even the accelerations depend on the choice

    @property
    def forces(self) -> np.ndarray:
        """(n, 3) force on each point, world axes."""
        return self.f_n[:, None] * self.touch.normal + self.friction


def _table(linkage: Linkage) -> np.ndarray:
    """Stage and point, in the stage's frame, of every contact."""
    tree = linkage.tree
    if tree.contacts is None:
        records = linkage._contacts.records
        stages = [tree.stage[record.body] for record in records]
        rows = [[float(s), *(record.point @ tree.align[s])] for s, record in zip(stages, records, strict=True)]
        tree.contacts = np.array(rows).reshape(-1)
    return tree.contacts


def touch(linkage: Linkage, q: np.ndarray, v: np.ndarray, t: float = 0.0) -> Touch:
    """Where the contacts are and how they move, at one state."""
    tree, records = tree_of(linkage), linkage._contacts.records
    n = len(records)
    points, J = np.empty(9 * n), np.empty(3 * n * tree.nv)
    run(linkage, ("contact.surfaces", "contact_points"), _table(linkage), [q, v, tree.zeros], [points, J])
    r, velocity, acceleration = points.reshape(n, 3, 3).swapaxes(0, 1)
    J = J.reshape(n, 3, tree.nv)
    normal, sliding, measures = np.empty((n, 3)), np.zeros((n, 3)), np.empty((n, 3))
    for k, record in enumerate(records):
        at = _local(linkage, k, record, r[k], t)
        size = np.sqrt(at.gradient @ at.gradient)
        normal[k] = unit = at.gradient / size
        # (22) divided by |∇C|, with the terms of a moving surface
        curvature = velocity[k] @ at.hessian @ velocity[k] + 2.0 * at.gradient_t @ velocity[k] + at.C_tt
        measures[k] = at.C / size, unit @ velocity[k] + at.C_t / size, unit @ acceleration[k] + curvature / size
        slip = velocity[k] if at.velocity is None else velocity[k] - at.velocity
        slip = slip - (unit @ slip) * unit
        speed = np.sqrt(slip @ slip)
        if speed > STILL:
            sliding[k] = slip / speed
    j_c, j_t = np.einsum("nc,ncv->nv", normal, J), np.einsum("nc,ncv->nv", sliding, J)  # (11)
    return Touch(r, normal, sliding, J, j_c, j_t, *measures.T)


def _local(linkage: Linkage, k: int, record: ContactRecord, r: np.ndarray, t: float) -> Local:
    """The surface of a contact near its point; errors name the contact."""
    try:
        at = record.surface.local(r, t)
    except LinkworkError as error:
        raise type(error)(f"contact {linkage.contacts.names[k]!r}: {error}") from None
    values = (at.C, *at.gradient, *at.hessian.ravel(), at.C_t, *at.gradient_t, at.C_tt)
    if not np.isfinite(sum(values)):
        name = linkage.contacts.names[k]
        raise ArgumentError(f"contact {name!r}: {record.surface!r} is not finite at r = {r.tolist()}")
    square = at.gradient @ at.gradient
    if not square > FLAT**2 * (at.hessian * at.hessian).sum():
        raise SingularError(
            f"contact {linkage.contacts.names[k]!r}: the gradient of {record.surface!r} is zero at "
            f"r = {r.round(9).tolist()}: there is no normal; use a function whose gradient does not vanish there"
        )
    return at


def movable(point: Touch) -> np.ndarray:
    """(n,) which points can move along their normal."""
    size = np.sqrt(np.einsum("ncv,ncv->n", point.J, point.J))
    return np.sqrt(np.einsum("nv,nv->n", point.j_c, point.j_c)) > IMMOBILE * size


def on_bodies(linkage: Linkage, q: np.ndarray, r: np.ndarray, forces: np.ndarray) -> np.ndarray:
    """(nb, 6) wrenches about the bodies' origins, of forces (n, 3) at the points r (n, 3) of the contacts; (6)."""
    out = np.zeros((linkage.nb, 6))
    origins = body_poses(linkage, q).positions
    for record, place, force in zip(linkage._contacts.records, r, forces, strict=True):
        out[record.body] += np.concatenate([force, np.cross(place - origins[record.body], force)])
    return out


def contact_wrenches(linkage: Linkage, q, v, f_n, t, f_ext) -> np.ndarray:
    """(..., nb, 6) wrenches `f_ext` and those of the contacts with normal forces f_n (..., n); friction follows v."""
    n = len(linkage.contacts)
    q, v = coordinates(linkage, q), velocities(linkage, v)
    f_n, t, wrench = numbers(linkage, "contact_forces", f_n, n, "contacts"), times(linkage, t), wrenches(linkage, f_ext)
    K = np.array([record.friction for record in linkage._contacts.records])
    leading = leading_shape(q, v, f_n, t, wrench)
    out = np.zeros((*leading, linkage.nb, 6))
    if f_ext is not None:
        out += wrench.reshape(*wrench.shape[:-1], linkage.nb, 6)
    full = [np.broadcast_to(x, (*leading, x.shape[-1])) for x in (q, v, f_n, t)]
    for state in np.ndindex(leading) if n else ():
        q_, v_, f_, (t_,) = (np.array(x[state]) for x in full)
        point = touch(linkage, q_, v_, float(t_))
        out[state] += on_bodies(linkage, q_, point.r, f_[:, None] * (point.normal - K[:, None] * point.sliding))  # (6)
    return out
