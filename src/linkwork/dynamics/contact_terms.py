"""The terms of [Li] eq. 21, which says how torques press: what a force controller needs to know."""

from __future__ import annotations

import numpy as np

from linkwork.dynamics.arguments import one_state
from linkwork.dynamics.contact import without_contacts
from linkwork.dynamics.contact_state import touch
from linkwork.dynamics.methods import pick
from linkwork.dynamics.problem import pose_problem
from linkwork.errors import ArgumentError
from linkwork.kernels.layout.contacts import SLIDES
from linkwork.linkage.linkage import Linkage
from linkwork.results import ContactTerms


def contact_terms(linkage: Linkage, q, v, f_ext=None, *, t: float = 0.0) -> ContactTerms:
    """How the normal forces on points that slide along surfaces follow from the torques: A f_n = a − d τ.

    Parameters
    ----------
    linkage : Linkage
        With surface constraints, see `Linkage.constrain`; open or closed.
    q : (nq,) array_like
    v : (nv,) array_like
    f_ext : (nb, 6) array_like, optional
        Wrench on each body, world axes, about the body frame's origin.
    t : float
        Time, s, for surfaces that move.

    Returns
    -------
    ContactTerms

    Raises
    ------
    ArgumentError
        There is no surface constraint; or a point rests and has friction: it may stick, and then no direction of
        friction is known. Give it a velocity along the surface.

    Notes
    -----
    Equations 14 to 21 of [Li], divided by the square of the gradient's length, so that A is in 1/kg. Each contact costs
    one column of M⁻¹, two with friction.

    Examples
    --------
    Torques that press with 20 N where some others would not, changed as little as possible:

    >>> import numpy as np
    >>> import linkwork as lw
    >>> arm = lw.samples.chain(3)
    >>> _ = arm.constrain("link2", point=(0, 0, -1), surface=lw.Sphere((0.3, 0, -3.2), 0.5), friction=0.2)
    >>> q = lw.close_loops(arm, [0.6, -0.9, 0.2])
    >>> v = lw.consistent_velocity(arm, q, [0.3, 0.1, 0.0])
    >>> terms = lw.contact_terms(arm, q, v)
    >>> tau = np.linalg.pinv(terms.d) @ (terms.a - terms.A @ [20.0])
    >>> lw.solve(arm, q, v, tau).normal_forces.round(9)
    array([20.])
    """
    if not len(linkage.contacts):
        raise ArgumentError(f"linkage {linkage.name!r} has no surface constraint: `Linkage.constrain` adds one")
    asked = pose_problem(linkage, q, v, None, f_ext, t=t)
    for what, array in (("q", asked.q), ("v", asked.v), ("f_ext", asked.wrench)):
        one_state(what, array)
    point = touch(linkage, asked.q, asked.v, float(asked.t[0]))
    if (point.doing != SLIDES).any():
        name = linkage.contacts.names[int(np.flatnonzero(point.doing != SLIDES)[0])]
        raise ArgumentError(
            f"contact {name!r} rests and may stick: equation (21) is of points that slide; give v along the surface"
        )
    K = np.array([record.friction for record in linkage._contacts.records])
    free, respond = without_contacts(asked, pick(linkage, "auto").without_contacts(linkage))
    d = respond(point.j_c)  # (16): M⁻¹ j_c
    effect = d - respond(K[:, None] * point.j_t) if K.any() else d
    A = point.j_c @ effect.T  # (20)
    return ContactTerms._of(linkage, A=A, a=-point.c - point.j_c @ free, d=d)  # (18), (21)
