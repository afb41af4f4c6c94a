"""The method of [Li]: motion on surfaces with nothing but calls of INV, inverse dynamics with forces at the contacts.

Symbols as in `contact_state` and `contact`; b the bias forces, M the mass matrix, e_i a unit vector.
"""

from __future__ import annotations

import numpy as np

from linkwork.dynamics.contact import react
from linkwork.dynamics.contact_state import on_bodies, touch
from linkwork.dynamics.factors import factorize
from linkwork.dynamics.inverse import inverse_dynamics, refuse_large
from linkwork.dynamics.problem import Outcome, Problem, each_state
from linkwork.dynamics.tree_methods import crba


@each_state
def extended_newton_euler(problem: Problem) -> Outcome:
    """(31)–(36), with as many contacts as there are, none included."""
    linkage, tree, q, v, tau, wrench, a = problem[:7]
    refuse_large(linkage, tree.nv**2, 'method="auto"')
    point = touch(linkage, q, v, float(problem.t[0]))
    n, at_rest, nothing = len(point.gap), tree.zeros, np.zeros((linkage.nb, 6))
    acting = wrench.reshape(linkage.nb, 6) if wrench.size else nothing

    def INV(v, a, force=None, f_ext=acting):
        total = f_ext if force is None else f_ext + on_bodies(linkage, q, point.r, force)
        return inverse_dynamics(linkage, q, v, a, total)

    b = INV(v, at_rest)  # (32) with q̈ = 0, f_n = 0
    still = INV(at_rest, at_rest, f_ext=nothing)  # gravity and springs, which the paper sets to zero in what follows

    def linear(torques, count):
        """What unit accelerations or forces ask for; `still` is taken off them when they are as large as that."""
        rows = torques(np.ones(count)) - still
        largest = np.abs(rows).max(axis=1, initial=0.0)
        size = np.abs(still).max(initial=0.0) / np.where(largest > 0.0, largest, np.inf)
        size = np.maximum(size, 1.0)
        return rows if (size < 16.0).all() else (torques(size) - still) / size[:, None]

    def pressed(directions):
        def torques(size):
            each = np.eye(n)[:, :, None] * size[:, None, None]
            return np.array([INV(at_rest, at_rest, -e * directions, nothing) for e in each]).reshape(n, tree.nv)

        return linear(torques, n)

    M = linear(lambda size: inverse_dynamics(linkage, q, at_rest, np.diag(size)), tree.nv)  # (32): one row per q̈ = e_i
    # f_n = −1 at one contact, without and with friction of K = 1; t is given, for at rest it could not be found
    j_c = pressed(point.normal)  # (33)
    j_t = j_c - pressed(point.normal - point.sliding)  # (34), (35)
    if tree.frail:
        crba(problem)  # which tells best whether a joint has no inertia
    respond = factorize(linkage, M).solve
    found = react(linkage, point._replace(j_c=j_c, j_t=j_t), q, respond((tau - b)[None])[0], respond)  # (21)
    b_n = INV(v, at_rest, found.forces)
    a[:] = respond((tau - b_n)[None])[0]  # (36)
    return Outcome(a, reaction=found._replace(a=a))
