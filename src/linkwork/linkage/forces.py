"""Force elements that belong to the description: springs between points; springs, friction and motors in joints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from linkwork.errors import ArgumentError
from linkwork.kernels.layout.kinds import KIND_NV, RATES
from linkwork.linkage.checks import array, number, positive
from linkwork.linkage.motor import Motor, check_motor

if TYPE_CHECKING:
    from linkwork.linkage.linkage import Linkage


def _name(value: Any) -> str:
    """Return a name, given as such or by a handle."""
    return value if isinstance(value, str) else getattr(value, "name", value)


@dataclass(frozen=True, slots=True)
class Spring:
    """A spring and damper between a point of body `a` and a point of body `b`.

    It pulls the points together with stiffness · (length − rest_length) + damping · (rate of length).

    Parameters
    ----------
    a, b : str, Body or Frame
        What it joins; one may be "ground".
    point_a, point_b : (3,) array_like
        The points, m, in the frames of a and b.
    stiffness, damping, rest_length : float
        N/m, N s/m, m.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> spring = arm.add_force(lw.Spring("ground", "link1", point_a=(1, 0, 0), stiffness=50.0, rest_length=1.0))
    >>> lw.forward_dynamics(arm, [0.0, 0.0], [0.0, 0.0]).round(2)
    array([-25.02,  62.48])
    """

    a: Any
    b: Any
    point_a: Any = (0.0, 0.0, 0.0)
    point_b: Any = (0.0, 0.0, 0.0)
    stiffness: float = 0.0
    damping: float = 0.0
    rest_length: float = 0.0

    def __post_init__(self):
        put = object.__setattr__
        for side in ("a", "b"):
            put(self, side, _name(getattr(self, side)))
            point = array(getattr(self, f"point_{side}"), (3,), f"point_{side}")
            put(self, f"point_{side}", tuple(point.tolist()))
        for option in ("stiffness", "damping", "rest_length"):
            put(self, option, number(getattr(self, option), option, minimum=0.0))


@dataclass(frozen=True, slots=True)
class JointSpring:
    """A spring on each coordinate of a joint: tau = −stiffness · (q − rest).

    Parameters
    ----------
    joint : str or Joint
        A joint whose velocities are the rates of its coordinates: not Spherical, Free or Planar.
    stiffness, rest : float or (nv,) array_like
        N/m or N m/rad; m or rad.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> spring = arm.add_force(lw.JointSpring("link1", stiffness=10.0, rest=0.5))
    >>> lw.forward_dynamics(arm, [0.0, 0.5], [0.0, 0.0]).round(3)
    array([  4.079, -16.481])
    """

    joint: Any
    stiffness: Any
    rest: Any = 0.0

    def __post_init__(self):
        put = object.__setattr__
        put(self, "joint", _name(self.joint))
        put(self, "stiffness", _numbers(self.stiffness, "stiffness", minimum=0.0))
        put(self, "rest", _numbers(self.rest, "rest"))


@dataclass(frozen=True, slots=True)
class JointFriction:
    """Dry friction on each degree of freedom of a joint: tau = −coulomb · v / √(v² + speed²).

    Parameters
    ----------
    joint : str or Joint
        Any joint.
    coulomb : float or (nv,) array_like
        N or N m.
    speed : float
        m/s or rad/s: there friction is 0.71 of its full size, and it fades to zero with v below. At three times this
        speed it is 0.95 of it. A joint at rest under a load creeps.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> friction = arm.add_force(lw.JointFriction("link1", coulomb=0.5))
    """

    joint: Any
    coulomb: Any
    speed: float = 1e-3

    def __post_init__(self):
        put = object.__setattr__
        put(self, "joint", _name(self.joint))
        put(self, "coulomb", _numbers(self.coulomb, "coulomb", minimum=0.0))
        put(self, "speed", positive(self.speed, "speed"))


Force = Spring | JointSpring | JointFriction | Motor


class PackedForces(NamedTuple):
    """All force elements of a linkage as arrays, in the public layout."""

    spring_bodies: np.ndarray  # (ns, 2) rows of a and b, -1 = ground
    spring_values: np.ndarray  # (ns, 9): point_a, point_b in body frames; stiffness, damping, rest length
    joint_spring_v: np.ndarray  # (nj,) index into v and tau
    joint_spring_q: np.ndarray  # (nj,) index into q
    joint_spring_stiffness: np.ndarray  # (nj,)
    joint_spring_rest: np.ndarray  # (nj,)
    friction_v: np.ndarray  # (nf,) index into v and tau
    friction_coulomb: np.ndarray  # (nf,)
    friction_speed: np.ndarray  # (nf,)


def check_force(linkage: Linkage, force: Any) -> None:
    """Raise when a force element does not fit the linkage."""
    if isinstance(force, Spring):
        for end in (force.a, force.b):
            linkage._resolve(end)
        return
    if isinstance(force, Motor):
        check_motor(linkage, force)
        return
    if not isinstance(force, JointSpring | JointFriction):
        raise ArgumentError(f"a force is a Spring, JointSpring, JointFriction or Motor, not {force!r}")
    columns, index = linkage.columns, linkage._resolve_joint(force.joint)
    code = int(columns.code[index])
    if isinstance(force, JointSpring) and not RATES[code]:
        kind = type(columns.joint_type(index)).__name__
        raise ArgumentError(
            f"joint {force.joint!r} is {kind}: a JointSpring needs velocities that are the rates of the "
            "coordinates; use a Spring between two points"
        )
    for what in ("stiffness", "rest", "coulomb"):
        value = getattr(force, what, 0.0)
        if isinstance(value, tuple) and len(value) != KIND_NV[code]:
            raise ArgumentError(f"{what} has {len(value)} values; joint {force.joint!r} has nv = {KIND_NV[code]}")


def pack_forces(linkage: Linkage) -> PackedForces:
    """Return the force elements of a linkage as arrays."""
    columns = linkage.columns
    bodies, springs, joint_springs, frictions = [], [], [], []
    for force in linkage.forces:
        if isinstance(force, Spring):
            (a, at_a), (b, at_b) = linkage._resolve(force.a), linkage._resolve(force.b)
            bodies.append((a, b))
            points = (*at_a.apply(force.point_a), *at_b.apply(force.point_b))
            springs.append((*points, force.stiffness, force.damping, force.rest_length))
            continue
        if isinstance(force, Motor):  # which gives no force of its own
            continue
        index = linkage._resolve_joint(force.joint)
        first_v, first_q = int(columns.v_start[index]), int(columns.q_start[index])
        nv = int(KIND_NV[columns.code[index]])
        for k in range(nv):
            if isinstance(force, JointSpring):
                stiffness, rest = (np.broadcast_to(each, nv)[k] for each in (force.stiffness, force.rest))
                joint_springs.append((first_v + k, first_q + k, stiffness, rest))
            else:
                frictions.append((first_v + k, np.broadcast_to(force.coulomb, nv)[k], force.speed))
    v, q, stiffness, rest = np.array(joint_springs, dtype=np.float64).reshape(-1, 4).T
    friction_v, coulomb, speed = np.array(frictions, dtype=np.float64).reshape(-1, 3).T
    return PackedForces(
        np.array(bodies, dtype=np.int64).reshape(-1, 2),
        np.array(springs, dtype=np.float64).reshape(-1, 9),
        *(v.astype(np.int64), q.astype(np.int64), stiffness.copy(), rest.copy()),
        *(friction_v.astype(np.int64), coulomb.copy(), speed.copy()),
    )


def _numbers(value: Any, what: str, *, minimum: float | None = None) -> float | tuple[float, ...]:
    """Return one number, or a tuple of several."""
    if np.ndim(value) == 0:
        return number(value, what, minimum=minimum)
    return tuple(number(entry, what, minimum=minimum) for entry in np.ravel(value).tolist())
