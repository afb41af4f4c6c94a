"""What ``linkwork info`` says of loops: gaps, rank, mobility; and of bodies and joints that give trouble later."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

import linkwork as lw
from linkwork.dynamics.constraints import residuals

ROUNDING, ROUNDED = 1e-13, 1e-5  # rad: between these, two axes were meant to be parallel and are not
STILL = 1e-9  # entry of W, relative to its largest, below which a coordinate does not move


def gaps(linkage: lw.Linkage, q) -> list[dict[str, Any]]:
    """The gap of every loop joint at the pose as described: metres and radians."""
    if not len(linkage.loops):
        return []
    error = residuals(linkage, q).error[: len(linkage.loops)]
    return [
        {"gap": float(np.linalg.norm(row[:3])), "angle": float(np.linalg.norm(row[3:]))} for row in np.asarray(error)
    ]


def mobility(linkage: lw.Linkage, q) -> tuple[dict[str, Any], dict[str, Any]]:
    """Degrees of freedom left by loops, couplings and contacts, or what cannot close; and their constraints."""
    if not linkage.constrained:
        return {"dof": linkage.nv, "redundant": 0}, {}
    try:
        found = lw.mobility(linkage, lw.close_loops(linkage, q))
    except (lw.SingularError, lw.StructureError) as error:
        return {"dof": None, "redundant": None, "problem": str(error)}, {}
    moving = np.abs(found.W).max(axis=1, initial=0.0) > STILL * max(1.0, float(np.abs(found.W).max(initial=0.0)))
    locked = [joint.name for joint in linkage.joints if joint.nv and not moving[joint.v_slice].any()]
    return {"dof": int(found.dof), "redundant": int(found.redundant)}, {
        "rank": linkage.nv - int(found.dof), "redundant_rows": list(found.redundant_rows),
        "condition": float(found.condition), "locked": locked,
    }  # fmt: skip


def troubles(linkage: lw.Linkage, q) -> list[str]:
    """Bodies that carry no mass, and joints that start outside their limits."""
    columns, found = linkage.columns, []
    mass = columns.mass + np.abs(columns.inertia[:, [0, 3, 5]]).sum(axis=1)
    for i in range(linkage.nb - 1, -1, -1):
        if columns.parent[i] >= 0:
            mass[columns.parent[i]] += mass[i]
    empty = [columns.body_names[i] for i in np.flatnonzero(mass == 0.0)]
    if empty:
        found.append(f"move no mass, their joints can have any acceleration: {_some(empty)}")
    outside = [
        joint.name
        for joint in linkage.joints
        if joint.limits is not None
        and joint.nq == joint.nv
        and ((q[joint.q_slice] < joint.limits[:, 0]) | (q[joint.q_slice] > joint.limits[:, 1])).any()
    ]
    if outside:
        found.append(f"start outside their limits: {_some(outside)}")
    return found + _nearly_parallel(linkage, q)


def _nearly_parallel(linkage: lw.Linkage, q) -> list[str]:
    """Loops in which hinges miss being parallel by the rounding of a file, so that they close exactly nowhere else."""
    found, poses = [], lw.body_poses(linkage, q)
    for loop in linkage.loops:
        ends = [_above(linkage, body.index) for body in (loop.parent, loop.real)]
        hinges = [linkage.joints[i] for i in sorted(ends[0] ^ ends[1])]
        axes = {
            joint.name: poses[joint.child.name].rotation @ np.array(joint.type.axes()[0])
            for joint in hinges
            if isinstance(joint.type, lw.Revolute)
        }
        for (one, a), (two, b) in itertools.combinations(axes.items(), 2):
            angle = float(np.linalg.norm(np.cross(a, b)))
            if ROUNDING < angle < ROUNDED:
                found.append(
                    f"loop {loop.name!r} may jam: its hinges {one!r} and {two!r} are {angle:.1e} rad from parallel, as "
                    "rounded angles leave them; write these in full (1.5707963267948966 for 1.5708)"
                )
                break
    return found


def _above(linkage: lw.Linkage, body: int) -> set[int]:
    """The rows of a body and of all that carry it."""
    found = set()
    while body >= 0:
        found.add(body)
        body = int(linkage.columns.parent[body])
    return found


def sentences(
    counts: str, found: dict[str, Any], constraints: dict[str, Any], loops: list[dict[str, Any]]
) -> list[str]:
    """The same in words."""
    if found["dof"] is None:
        return [f"{counts}: {found['problem']}"]
    dof, redundant = found["dof"], found["redundant"]
    freedom = "1 degree of freedom is left" if dof == 1 else f"{dof} degrees of freedom are left"
    excess = "1 constraint is" if redundant == 1 else f"{redundant} constraints are"
    lines = [f"{counts}: {freedom}, {excess} redundant; rank {constraints['rank']}"]
    worst = max(loops, key=lambda loop: loop["gap"] + loop["angle"], default=None)
    if worst is not None:
        lines.append(f"largest gap as described: {worst['gap']:.3g} m, {worst['angle']:.3g} rad at {worst['name']!r}")
    if constraints["locked"]:
        lines.append(f"locked by loops: {_some(constraints['locked'])}")
    return lines


def _some(names: list[str], count: int = 6) -> str:
    more = f" and {len(names) - count} more" if len(names) > count else ""
    return ", ".join(repr(name) for name in names[:count]) + more
