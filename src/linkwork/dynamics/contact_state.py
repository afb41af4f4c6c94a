"""Points that are kept on surfaces, at one state: where they are, how they move, what acts on them.

Symbols, of [Li] and one per contact: r the point, J its Jacobian, n = ∇C/|∇C| the normal, t the direction of sliding
relative to the surface, zero where it does not slide; j_c = Jᵀn and j_t = Jᵀt; f_n the normal force, K the coefficient
of kinetic friction. Besides: w the velocity of the surface's material at r, ẇ its rate along the point's path.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwork.dynamics.arguments import coordinates, times, velocities
from linkwork.dynamics.contact_pack import packed_contacts
from linkwork.dynamics.kinematics import body_poses
from linkwork.errors import ArgumentError, LinkworkError, SingularError
from linkwork.kernels.layout.contacts import D_MODE, D_SLIDING, FROM_STATE, MODE_ROW, RESTS, SLIDES, STICKS, STILL
from linkwork.linkage.contacts import ContactRecord
from linkwork.linkage.implicit import Local
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.packing.launch import leading_shape, numbers, run, tree_of, wrenches

IMMOBILE = 1e-9  # share of what moves a point below which its normal part counts as zero
FLAT = 1e-9  # m: a gradient below this times the curvature is zero
CLEAR = 1e-8  # m/s: sliding that is faster has a direction of its own, whatever it was before
_DELTA = 1e-4  # s: of the differences that give ẇ


class Touch(NamedTuple):
    """The contacts at one state, one row each."""

    r: np.ndarray  # (n, 3), world
    normal: np.ndarray  # (n, 3)
    sliding: np.ndarray  # (n, 3) unit vectors t, or zero
    doing: np.ndarray  # (n,) FROM_STATE where it rests, and is to stick if it can; STICKS; SLIDES
    forced: np.ndarray  # (n,) whether, if it cannot stick, it slides with friction at once, not as in [Li]
    slip: np.ndarray  # (n, 3) velocity along the surface, relative to it
    J: np.ndarray  # (n, 3, nv)
    bias: np.ndarray  # (n, 3) acceleration relative to the surface where q̈ = 0
    reach: np.ndarray  # (n,) the length that J would have if no arm were along its axis
    j_c: np.ndarray  # (n, nv)
    j_t: np.ndarray  # (n, nv)
    gap: np.ndarray  # (n,) C/|∇C|, m
    rate: np.ndarray  # (n,) its rate of change, m/s
    c: np.ndarray  # (n,) j_cᵀ q̈ = −c, (12)
    moves: np.ndarray  # (n,) whether the surface moves


class Reaction(NamedTuple):
    """What the contacts do at one state."""

    a: np.ndarray  # (nv,) accelerations with it
    touch: Touch
    f_n: np.ndarray  # (n,)
    friction: np.ndarray  # (n, 3) force on each point, world axes
    push: np.ndarray  # (nv,) generalized force of all contacts
    sticks: np.ndarray  # (n,) whether the point sticks
    redundant: np.ndarray  # (n,) whether a contact's force is one of several that do the same
    rank: int
    indeterminate: bool  # whether even the accelerations depend on the choice

    @property
    def acceleration(self) -> np.ndarray:
        """(n, 3) of each point along its surface, relative to it, where it rests."""
        if not self.touch.J.size:
            return self.touch.bias
        found = np.einsum("ncv,v->nc", self.touch.J, self.a) + self.touch.bias
        return found - np.einsum("nc,nc->n", found, self.touch.normal)[:, None] * self.touch.normal

    @property
    def unmet(self) -> float:
        """Largest acceleration along a normal, m/s², that is left."""
        left = self.touch.c if not self.touch.j_c.size else self.touch.j_c @ self.a + self.touch.c
        return float(np.abs(left).max(initial=0.0))

    @property
    def forces(self) -> np.ndarray:
        """(n, 3) force on each point, world axes."""
        return self.f_n[:, None] * self.touch.normal + self.friction


def touch(linkage: Linkage, q: np.ndarray, v: np.ndarray, t: float = 0.0, modes: np.ndarray | None = None) -> Touch:
    """Where the contacts are and how they move, at one state; `modes` as in `Problem`."""
    tree, records = tree_of(linkage), linkage._contacts.records
    n = len(records)
    points, J = np.empty(10 * n), np.empty(3 * n * tree.nv)
    table = packed_contacts(linkage).table
    run(linkage, ("contact.surfaces", "contact_points"), table, [q, v, tree.zeros], [points, J])
    points, J = points.reshape(n, 10), J.reshape(n, 3, tree.nv)
    r, velocity, acceleration = points[:, :9].reshape(n, 3, 3).swapaxes(0, 1)
    normal, sliding, measures = np.empty((n, 3)), np.zeros((n, 3)), np.empty((n, 3))
    slips, bias, doing, forced = np.empty((n, 3)), acceleration.copy(), np.full(n, SLIDES), np.zeros(n, dtype=bool)
    moves = np.zeros(n, dtype=bool)
    for k, record in enumerate(records):
        at = _local(linkage, k, record, r[k], t)
        moves[k] = at.velocity is not None or at.C_t != 0.0
        size = np.sqrt(at.gradient @ at.gradient)
        normal[k] = unit = at.gradient / size
        # (22) divided by |∇C|, with the terms of a moving surface
        curvature = velocity[k] @ at.hessian @ velocity[k] + 2.0 * at.gradient_t @ velocity[k] + at.C_tt
        measures[k] = at.C / size, unit @ velocity[k] + at.C_t / size, unit @ acceleration[k] + curvature / size
        slip = velocity[k] if at.velocity is None else velocity[k] - at.velocity
        slips[k] = slip = slip - (unit @ slip) * unit
        speed = np.sqrt(slip @ slip)
        doing[k] = FROM_STATE if modes is None else modes[k, D_MODE]
        forced[k] = doing[k] == RESTS
        doing[k] = FROM_STATE if forced[k] else doing[k]
        if doing[k] == SLIDES and modes is not None:
            ahead = modes[k, D_SLIDING : D_SLIDING + 3]
            if not (speed > CLEAR and slip @ ahead > 0.0):
                slip = ahead - (unit @ ahead) * unit
                speed = np.sqrt(slip @ slip)
            sliding[k] = slip / speed if speed > 0.0 else 0.0
        elif doing[k] == FROM_STATE and not forced[k] and (speed > STILL or not record.holding > 0.0):
            doing[k] = SLIDES
            sliding[k] = slip / speed if speed > STILL else 0.0
        if doing[k] != SLIDES:
            bias[k] -= drag(record, at, r[k], velocity[k], unit, size, t)
    j_c, j_t = np.einsum("nc,ncv->nv", normal, J), np.einsum("nc,ncv->nv", sliding, J)  # (11)
    gap, rate, c = measures.T
    return Touch(r, normal, sliding, doing, forced, slips, J, bias, points[:, 9], j_c, j_t, gap, rate, c, moves)


def modes_of_motion(linkage: Linkage, q, v, a, t: float, way: float) -> np.ndarray:
    """(n, MODE_ROW) what points do that move with v and a: those that rest stick, or slide along `way` times a.

    `way` is 1 where they start to slide, and −1 where they are about to stop.
    """
    point = touch(linkage, q, v, t)
    modes = np.zeros((len(point.gap), MODE_ROW))
    along = np.einsum("ncv,v->nc", point.J, a) + point.bias
    along -= np.einsum("nc,nc->n", along, point.normal)[:, None] * point.normal
    for k, slip in enumerate(point.slip):
        direction = slip if np.linalg.norm(slip) > CLEAR else way * along[k]
        size = np.linalg.norm(direction)
        if size <= 1e-7:
            modes[k, D_MODE] = STICKS
        else:
            modes[k, D_MODE], modes[k, D_SLIDING : D_SLIDING + 3] = SLIDES, direction / size
    return modes


def drag(record: ContactRecord, at: Local, r, velocity, unit, size, t: float) -> np.ndarray:
    """ẇ (3,) along the surface, of a point that moves with it."""
    if at.velocity is None:  # it moves along its normal alone, which turns
        return -(at.C_t / size**2) * (at.hessian @ velocity + at.gradient_t)
    ahead, behind = (record.surface.local(r + s * _DELTA * velocity, t + s * _DELTA) for s in (1.0, -1.0))
    return (np.array(ahead.velocity) - np.array(behind.velocity)) / (2.0 * _DELTA)


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
    return np.sqrt(np.einsum("nv,nv->n", point.j_c, point.j_c)) > IMMOBILE * point.reach


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
