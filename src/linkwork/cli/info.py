"""``linkwork info``: what a file describes."""

from __future__ import annotations

import warnings
from typing import Any

from rich.markup import escape

import linkwork as lw
from linkwork.cli.find import linkage as find_linkage
from linkwork.cli.output import out, print_json, table

ROWS = 60  # bodies that are listed without --all


def info(given: str, *, every: bool, json: bool) -> None:
    """Print what a file describes."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", lw.LinkworkWarning)
        linkage, q = find_linkage(given)
        mobility = _mobility(linkage, q)
    problems = [str(warning.message) for warning in caught if issubclass(warning.category, lw.LinkworkWarning)]
    found = _facts(linkage) | {"mobility": mobility, "warnings": problems, "ignored": list(map(str, linkage.ignored))}
    if json:
        print_json(found)
    else:
        _show(linkage, found, None if every else ROWS)


def _facts(linkage: lw.Linkage) -> dict[str, Any]:
    bodies = [
        {
            "name": joint.child.name, "parent": joint.parent.name, "joint": joint.name,
            "type": type(joint.type).__name__, "dof": joint.nv, "mass": joint.child.mass,
        }
        for joint in linkage.joints
    ]  # fmt: skip
    loops = [
        {"name": loop.name, "a": loop.parent.name, "b": loop.real.name, "type": type(loop.type).__name__}
        for loop in linkage.loops
    ]
    mass = sum(body["mass"] for body in bodies)
    return {"name": linkage.name, "dof": linkage.nv, "mass": mass, "bodies": bodies, "loops": loops}


def _mobility(linkage: lw.Linkage, q) -> dict[str, Any]:
    """Degrees of freedom left by the loops, and the number of redundant constraints."""
    if not (len(linkage.loops) or len(linkage.contacts)):
        return {"dof": linkage.nv, "redundant": 0}
    try:
        found = lw.mobility(linkage, lw.close_loops(linkage, q))
    except lw.SingularError as error:
        return {"dof": None, "redundant": None, "problem": str(error)}
    return {"dof": int(found.dof), "redundant": int(found.redundant)}


def _show(linkage: lw.Linkage, found: dict[str, Any], rows: int | None) -> None:
    listed = table("body", "parent", "joint", "type", "dof", "mass (kg)")
    for body in found["bodies"][:rows]:
        cells = [body["name"], body["parent"], body["joint"], body["type"], str(body["dof"]), f"{body['mass']:.4g}"]
        listed.add_row(*map(escape, cells))
    out.print(listed)
    if rows is not None and len(found["bodies"]) > rows:
        out.print(f"and {len(found['bodies']) - rows} more; --all lists them")
    if found["loops"]:
        loops = table("loop joint", "between", "and", "type")
        for loop in found["loops"]:
            loops.add_row(*map(escape, (loop["name"], loop["a"], loop["b"], loop["type"])))
        out.print(loops)
    out.print(f"{escape(found['name'])}: {linkage.nb} bodies, {linkage.nv} degrees of freedom, {found['mass']:.6g} kg")
    if found["loops"]:
        mobility = found["mobility"]
        count = f"{len(found['loops'])} loop{'s' if len(found['loops']) > 1 else ''}"
        dof, redundant = mobility["dof"], mobility["redundant"]
        if dof is None:
            out.print(escape(f"{count}: {mobility['problem']}"))
        else:
            freedom = "1 degree of freedom is left" if dof == 1 else f"{dof} degrees of freedom are left"
            excess = "1 constraint is" if redundant == 1 else f"{redundant} constraints are"
            out.print(f"{count}: {freedom}, {excess} redundant")
    for kind in ("warnings", "ignored"):
        for line in found[kind]:
            out.print(f"{kind.rstrip('s')}: {escape(line)}")
