"""``linkwork info``: what a file describes."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

from rich.markup import escape

import linkwork as lw
from linkwork.cli import loop_report
from linkwork.cli.find import linkage as find_linkage
from linkwork.cli.output import out, print_json, table

ROWS = 60  # bodies, or events, that are listed without --all
RECORDINGS = (".h5", ".hdf5")


def info(given: str, *, every: bool, json: bool, advise: bool = False) -> None:
    """Print what a file describes, or what a recording holds."""
    if Path(given).suffix.lower() in RECORDINGS:
        _info_of_recording(lw.Recording.load(given), given, every=every, json=json)
        return
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", lw.LinkworkWarning)
        linkage, q = find_linkage(given)
        mobility, constraints = loop_report.mobility(linkage, q)
    problems = [str(warning.message) for warning in caught if issubclass(warning.category, lw.LinkworkWarning)]
    problems += loop_report.troubles(linkage, q)
    found = _facts(linkage) | {"mobility": mobility, "warnings": problems, "ignored": list(map(str, linkage.ignored))}
    found |= {"constraints": constraints}
    for loop, gap in zip(found["loops"], loop_report.gaps(linkage, q), strict=True):
        loop |= gap
    if advise:
        advice = lw.explain(linkage, q)
        found["advice"] = {"method": advice.method, "integrator": advice.integrator, "dt": advice.dt,
                           "contacts": advice.contacts, "reasons": list(advice.reasons)}  # fmt: skip
    if json:
        print_json(found)
    else:
        _show(linkage, found, None if every else ROWS)


def _info_of_recording(recording: lw.Recording, path: str, *, every: bool, json: bool) -> None:
    settings = {key: value for key, value in recording.settings.items() if key != "scene"}
    found = {
        "recording": path, "states": len(recording), "settings": settings,
        "segments": [
            {"linkage": part.linkage.name, "start": float(part.t[0]), "end": float(part.t[-1]), "states": len(part),
             "bodies": part.linkage.nb, "dof": part.linkage.nv, "loops": list(part.linkage.loops.names)}
            for part in recording.segments if len(part)
        ],
        "events": [{"time": event.time, "cause": event.cause, "what": event.what} for event in recording.events],
    }  # fmt: skip
    if json:
        print_json(found)
        return
    segments = table("from (s)", "to (s)", "states", "linkage", "bodies", "dof", "loops")
    for part in found["segments"]:
        cells = [f"{part['start']:g}", f"{part['end']:g}", part["states"], part["linkage"], part["bodies"], part["dof"]]
        segments.add_row(*(escape(str(cell)) for cell in [*cells, ", ".join(part["loops"])]))
    out.print(segments)
    if found["events"]:
        events = table("event at (s)", "cause", "what")
        for event in found["events"][: None if every else ROWS]:
            events.add_row(f"{event['time']:.6g}", event["cause"], escape(event["what"]))
        out.print(events)
        if not every and len(found["events"]) > ROWS:
            out.print(f"and {len(found['events']) - ROWS} more; --all lists them")
    plain = {key: value for key, value in settings.items() if value is not None and not isinstance(value, dict)}
    how = ", ".join(f"{key} = {value}" for key, value in plain.items())
    out.print(escape(f"{path}: {found['states']} states; {how or 'settings unknown'}"))


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


def _show(linkage: lw.Linkage, found: dict[str, Any], rows: int | None) -> None:
    listed = table("body", "parent", "joint", "type", "dof", "mass (kg)")
    for body in found["bodies"][:rows]:
        cells = [body["name"], body["parent"], body["joint"], body["type"], str(body["dof"]), f"{body['mass']:.4g}"]
        listed.add_row(*map(escape, cells))
    out.print(listed)
    if rows is not None and len(found["bodies"]) > rows:
        out.print(f"and {len(found['bodies']) - rows} more; --all lists them")
    if found["loops"]:
        loops = table("loop joint", "between", "and", "type", "gap (m)")
        for loop in found["loops"]:
            loops.add_row(*map(escape, (loop["name"], loop["a"], loop["b"], loop["type"], f"{loop['gap']:.2g}")))
        out.print(loops)
    out.print(f"{escape(found['name'])}: {linkage.nb} bodies, {linkage.nv} degrees of freedom, {found['mass']:.6g} kg")
    if linkage.constrained:
        counts = {"loop": len(linkage.loops), "coupling": len(linkage.couplings), "contact": len(linkage.contacts)}
        shown = ", ".join(f"{n} {what}{'s' if n > 1 else ''}" for what, n in counts.items() if n)
        for line in loop_report.sentences(shown, found["mobility"], found["constraints"], found["loops"]):
            out.print(escape(line))
    for kind in ("warnings", "ignored"):
        for line in found[kind]:
            out.print(f"{kind.rstrip('s')}: {escape(line)}")
    for line in found.get("advice", {}).get("reasons", ()):
        out.print(f"advice: {escape(line)}")
