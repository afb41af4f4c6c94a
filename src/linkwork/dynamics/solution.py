"""`solve`: motion and all forces of a linkage at one state, open or closed."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.dynamics.closed_methods import Outcome, closed_method, driving_wrenches, torques
from linkwork.dynamics.constraints import constraint_matrices, loops_of, single
from linkwork.dynamics.contact import Reaction, chosen, react
from linkwork.dynamics.contact_state import on_bodies
from linkwork.dynamics.forward import forward_dynamics
from linkwork.dynamics.kinematics import body_poses
from linkwork.dynamics.launch import run, tree_of, wrenches
from linkwork.dynamics.virtual_work import solve_tree
from linkwork.linkage.checks import number
from linkwork.linkage.linkage import Linkage
from linkwork.results import Solution


def solve(linkage: Linkage, q, v, tau=None, f_ext=None, *, method: str = "auto", t: float = 0.0) -> Solution:
    """Accelerations and all forces at one state.

    Parameters
    ----------
    linkage : Linkage
    q : (nq,) array_like
    v : (nv,) array_like
    tau : (nv,) or (nv + nv_loop,) array_like, optional
        Torques of the tree joints, and of the loop joints after them.
    f_ext : (nb, 6) array_like, optional
        Wrench on each body, world axes, about the body frame's origin.
    method : str
        As in `forward_dynamics`.
    t : float
        Time, s, for surfaces that move.

    Returns
    -------
    Solution
    """
    tree = tree_of(linkage)
    q = single(linkage, "q", q, tree.nq, "nq")
    v = single(linkage, "v", v, tree.nv, "nv")
    wrench = wrenches(linkage, f_ext)
    if f_ext is not None:
        wrench = single(linkage, "f_ext", wrench, 6 * linkage.nb, "6 nb")
    if tree.closed:
        tau = single(linkage, "tau", torques(linkage, tau), tree.nv + linkage.nv_loop, "nv + nv_loop")
    else:
        tau = tree.zeros if tau is None else single(linkage, "tau", tau, tree.nv, "nv")
    contacts = react(linkage, q, v, tau, wrench, number(t, "t"), method) if linkage._contacts.records else None
    acting = wrench.copy() if wrench.size else np.zeros(6 * linkage.nb)
    if contacts is not None:
        acting += on_bodies(linkage, q, contacts.touch.r, contacts.forces).ravel()
    if not tree.closed:
        if contacts is None:
            a, out = _open(linkage, tree, q, v, tau, f_ext, wrench, method)
        else:
            a, out = contacts.a, _newton_euler(linkage, tree, q, v, contacts.a, acting)
        none = np.zeros(0)
        found = Outcome(a, none, none, none, np.zeros((0, 6)))
        loops, loop_wrenches = None, found.wrenches
    else:
        loops, a, pushed = loops_of(linkage), np.empty(tree.nv), tau
        if contacts is not None:
            pushed = tau.copy()
            pushed[: tree.nv] += contacts.push
        found = closed_method(method)(linkage, tree, loops, q, v, pushed, wrench, a, True)
        assert found is not None  # details were asked for
        loop_wrenches = found.wrenches
        if loops.nv and (loops.damped or tau[tree.nv :].any()):
            whole = constraint_matrices(linkage, q, whole=True)
            loop_wrenches = loop_wrenches + loops.turn_back(
                driving_wrenches(linkage, loops, whole, q, v, tau[tree.nv :])
            )
        acting += _on_bodies(linkage, q, loop_wrenches)
        out = _newton_euler(linkage, tree, q, v, a, acting)
    redundant = np.flatnonzero(found.marks == 0.0)
    owner = np.unique(np.searchsorted(loops.first_row, redundant, side="right") - 1) if loops else ()
    rows, rank, unmet = len(found.marks), len(found.marks) - len(redundant), np.abs(found.left).max(initial=0.0)
    if contacts is not None:
        rows, rank = rows + len(contacts.f_n), rank + contacts.rank
        unmet = max(unmet, np.abs(contacts.touch.j_c @ a + contacts.touch.c).max())
    return Solution(
        linkage,
        a=a,
        joint_wrenches=out.reshape(tree.nb, 6),
        loop_wrenches=loop_wrenches,
        residual=float(unmet),
        rank=rank,
        redundant=rows - rank,
        redundant_loops=tuple(loops.names[k] for k in owner) if loops else (),
        method={"auto": "aba"}.get(method, method) if contacts is None else chosen(linkage, method),
        **_of_contacts(linkage, contacts),
    )


def _of_contacts(linkage: Linkage, found: Reaction | None) -> dict[str, Any]:
    """What a Solution says about surface constraints."""
    if found is None:
        nothing = np.zeros(0)
        return {
            "normal_forces": nothing, "friction_forces": np.zeros((0, 3)), "contact_gaps": nothing,
            "redundant_contacts": (), "pulling": (), "indeterminate": False,
        }  # fmt: skip
    names = np.array(linkage.contacts.names)
    return {
        "normal_forces": found.f_n,
        "friction_forces": found.friction,
        "contact_gaps": found.touch.gap,
        "redundant_contacts": tuple(names[found.redundant].tolist()),
        "pulling": tuple(names[found.f_n < 0.0].tolist()),
        "indeterminate": found.indeterminate,
    }


def _open(linkage: Linkage, tree, q, v, tau, f_ext, wrench, method: str) -> tuple[np.ndarray, np.ndarray]:
    """Accelerations of an open linkage, and (6 nb,) wrenches of its joints."""
    if method != "virtual-work":
        a = forward_dynamics(linkage, q, v, tau, f_ext, method=method)
        return a, _newton_euler(linkage, tree, q, v, a, wrench)
    tau = tree.zeros if tau is None else single(linkage, "tau", tau, tree.nv, "nv")
    a, out = np.empty(tree.nv), np.empty(6 * tree.nb)
    solve_tree(linkage, q, v, tau, wrench, a, out)  # which meets the wrenches on its way
    return a, out


def _newton_euler(linkage: Linkage, tree, q, v, a, wrench) -> np.ndarray:
    """(6 nb,) wrenches of the tree joints for a known motion."""
    out, scratch = np.empty(6 * tree.nb), [np.empty(tree.nv), np.empty(tree.nv)]
    inputs = [q, v, a, wrench, tree.zeros]
    run(linkage, ("tree.loaded", "loaded_wrenches"), tree.table, inputs, [scratch[0], out, scratch[1]])
    return out


def _on_bodies(linkage: Linkage, q: np.ndarray, loop_wrenches: np.ndarray) -> np.ndarray:
    """(6 nb,) what the loop joints do to the bodies, world axes, about the bodies' origins."""
    total = np.zeros((linkage.nb, 6))
    poses = body_poses(linkage, q)
    for record, wrench in zip(linkage._loops.records, loop_wrenches, strict=True):
        # the frame at_b, in the world
        R, p = np.eye(3), np.zeros(3)
        if record.b >= 0:
            R, p = poses.rotations[record.b], poses.positions[record.b]
        point, R = p + R @ record.at_b.position, R @ record.at_b.rotation
        force, moment = R @ wrench[:3], R @ wrench[3:]
        for body, sign in ((record.b, 1.0), (record.a, -1.0)):
            if body >= 0:
                arm = point - poses.positions[body]
                total[body] += sign * np.concatenate([force, moment + np.cross(arm, force)])
    return total.ravel()
