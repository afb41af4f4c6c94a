"""What velocities do when something connects, or touches down, all at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.dynamics.arguments import coordinates, one_state, velocities
from linkwork.dynamics.closed import step_onto_loops
from linkwork.dynamics.constraints import RANK, constraint_matrices, on_bodies_by_loops, residuals
from linkwork.dynamics.contact import contact_jump
from linkwork.dynamics.contact_impact import impact
from linkwork.dynamics.inverse import joint_impulses, tree_torques
from linkwork.dynamics.kinematics import body_poses
from linkwork.dynamics.methods import pick
from linkwork.dynamics.shape_contacts import ShapeContacts
from linkwork.errors import unknown_name
from linkwork.kernels.layout.shapes import C_A, C_B, C_PAIR, C_POINT
from linkwork.linkage.contacts import Contact
from linkwork.linkage.linkage import Linkage
from linkwork.linkage.loops import Loop
from linkwork.linkage.packing.launch import tree_of
from linkwork.results import Jump

TOUCH = 1e-6  # m: shapes whose gap is below this touch


def velocity_jump(linkage: Linkage, q, v, joint_or_contact: str | Loop | Contact, *, t: float = 0.0) -> Jump:
    """What happens to the velocities when a joint has just been connected, inelastically, or a shape touches down.

    Parameters
    ----------
    linkage : Linkage
        With the joint connected already; other loops may be closed too.
    q : (nq,) array_like
    v : (nv,) array_like
        Before the impact.
    joint_or_contact : str, Loop or contact
        What was connected; or a shape, which touches others: all shapes that touch collide then, with their friction
        and restitution.
    t : float
        Time, s, for surfaces that move.

    Returns
    -------
    Jump

    Raises
    ------
    ArgumentError
        An array of another shape, an entry that is not finite, or an unknown name.
    SingularError
        Loops, couplings or surfaces are in a singular pose, or a joint has zero effective inertia; it is
        named.

    Notes
    -----
    Δθ̇ = A⁻¹ Jᵀ λ with J (θ̇ + Δθ̇) = 0 for all loops: (25)–(35) of [Nakamura2000], valid for singular B̃ too.

    Cost: one solution of the closed linkage.

    Examples
    --------
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(2)
    >>> tip, bar = lw.Pose((0, 0, -1)), lw.Pose((0, 0, -2))
    >>> _ = arm.connect("ground", "link1", lw.Spherical(), at_a=bar, at_b=tip, name="grip")
    >>> jump = lw.velocity_jump(arm, [0.0, 0.0], [1.0, 0.0], "grip")  # caught at its tip while it swings
    >>> bool(abs(lw.jacobian(arm, [0.0, 0.0], "link1", (0, 0, -1))[0] @ jump.v) < 1e-9)
    True
    >>> bool(jump.energy_lost > 0.0)
    True
    """
    tree_of(linkage)
    name: Any = getattr(joint_or_contact, "name", joint_or_contact)
    if name not in linkage.loops and name not in linkage.contacts and name not in linkage._shapes.index:
        known = [*linkage.loops.names, *linkage.contacts.names, *linkage._shapes.names]
        raise unknown_name("loop joint, contact or shape", name, known)
    q, v = one_state("q", coordinates(linkage, q)), one_state("v", velocities(linkage, v))
    if name in linkage._shapes.index:
        return _touch_down(linkage, q, v, name, t)
    if linkage._contacts.records:
        return contact_jump(linkage, q, v, name, t, pick(linkage, "auto").without_contacts(linkage))
    rate = residuals(linkage, q, v).rate
    step = step_onto_loops(linkage, q, v, forces=True)
    assert step.wrenches is not None
    return Jump(
        linkage,
        v=v + step.x,
        impulse=step.wrenches[linkage.loops.names.index(str(name))],
        impulses=step.wrenches,
        contact_impulses=np.zeros((0, 3)),
        joint_impulses=joint_impulses(linkage, q, step.x, on_bodies_by_loops(linkage, q, step.wrenches)),
        energy_lost=max(0.0, -0.5 * float(step.force @ rate)),
    )


def _touch_down(linkage: Linkage, q: np.ndarray, v: np.ndarray, name: str, t: float) -> Jump:
    """`velocity_jump` of shapes that touch."""
    touching = ShapeContacts(linkage)
    rows = touching.find(t, q, TOUCH)
    found = impact(linkage, q, v, rows)
    own = np.zeros(3)
    for row, impulse in zip(rows, found.impulses, strict=True):
        a, b = touching.names(int(row[C_PAIR]))
        own += impulse if b == name else (-impulse if a == name else 0.0)
    dv, acting = found.v - v, _on_bodies_by_shapes(linkage, q, rows, found.impulses)
    loops = np.zeros((len(linkage.loops), 6))
    if linkage.tree.closed:  # what the contacts' impulses leave of M Δv is the loops'
        matrices, rest = constraint_matrices(linkage, q), linkage.tree.zeros
        left = tree_torques(linkage, q, rest, dv, acting) - tree_torques(linkage, q, rest, rest, None)
        loops = matrices.wrenches(np.linalg.lstsq(matrices.J.T, left, rcond=RANK)[0])
        acting += on_bodies_by_loops(linkage, q, loops)
    return Jump(
        linkage,
        v=found.v,
        impulse=own,
        impulses=loops,
        contact_impulses=np.zeros((len(linkage.contacts), 3)),
        joint_impulses=joint_impulses(linkage, q, dv, acting),
        energy_lost=found.energy_lost,
    )


def _on_bodies_by_shapes(linkage: Linkage, q: np.ndarray, rows: np.ndarray, impulses: np.ndarray) -> np.ndarray:
    """(nb, 6) impulses of contacts, rows of `layout.shapes`, about the bodies' origins, world axes."""
    out, origins = np.zeros((linkage.nb, 6)), body_poses(linkage, q).positions
    body_of = {int(stage): body for body, stage in enumerate(linkage.tree.stage)}
    for row, impulse in zip(rows, impulses, strict=True):
        for stage, sign in ((int(row[C_B]), 1.0), (int(row[C_A]), -1.0)):
            if stage >= 0:
                body = body_of[stage]
                arm = row[C_POINT : C_POINT + 3] - origins[body]
                out[body] += sign * np.concatenate([impulse, np.cross(arm, impulse)])
    return out
