"""``linkwork simulate``: run a scene, leave a recording and a picture, print a summary."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import linkwork as lw
from linkwork import plots as plotting
from linkwork.cli import find
from linkwork.cli.output import compiling_note, notes, print_json, print_pairs
from linkwork.cli.quick_start import import_matplotlib
from linkwork.kernels import meanwhile
from linkwork.kernels.launch import compile_seconds
from linkwork.simulation.simulation import Simulation

LARGEST = 300  # degrees of freedom beyond which the summary leaves out mobility, which takes dense matrices


def simulate(
    given: str, changes: Mapping[str, Any], *, out: Path | None, plots: str | None, picture: Path | None, resume: bool,
    json: bool, progress: bool | Callable[[float], object] = True,
) -> None:  # fmt: skip
    """Run a scene; `progress` as of `Simulation.run`."""
    compiled = compile_seconds()
    scene = find.scene(given, changes)
    target = out or Path(scene.outputs.recording or f"{scene.path.stem}.h5")
    chosen = _chosen_plots(scene, plots)
    shown = (picture or target.with_suffix(".png")) if chosen else None
    if shown:
        plotting.check_path(shown)
    if not target.parent.is_dir():
        raise lw.ArgumentError(f"there is no folder {target.parent} for the recording")
    if shown:
        meanwhile.tasks.append(import_matplotlib)
    done = _adaptive(scene, target, resume) if scene.is_adaptive else _simulated(scene, target, resume, progress)
    done.summary |= {"recording": str(target), "picture": None}
    done.lines["recording"] = f"{target} ({done.summary['states']} states)"
    if shown and len(done.recording) > 1 and done.failed is None:
        joints = scene.outputs.joints or None
        import_matplotlib()
        plotting.plot(done.recording, *chosen, joints=joints, path=shown, title=scene.name)
        done.summary["picture"] = done.lines["picture"] = str(shown)
    done.summary["compile_time"] = compile_seconds() - compiled
    done.lines["took"] += compiling_note(done.summary)
    if json:
        print_json(done.summary)
    else:
        print_pairs(scene.name, done.lines)
    if done.failed is not None:
        raise done.failed
    if done.signals:
        notes.print(f"stopped at t = {done.summary['t']:g} s; the same command with --resume continues from there")
        sys.exit(128 + done.signals[0])


@dataclass
class Done:
    """How a run went."""

    recording: lw.Recording
    summary: dict[str, Any]
    lines: dict[str, str]
    signals: list[int]
    failed: lw.LinkworkError | None = None


def _simulated(
    scene: lw.Scene, target: Path, resume: bool, progress: bool | Callable[[float], object]
) -> Done:
    sim = _begin(scene, target, resume)
    started, wall, compiling, failed = sim.t, time.perf_counter(), compile_seconds(), None
    with _stopped_by_signals(sim.stop) as signals:
        try:
            sim.run(max(scene.run.until, sim.t), progress=progress)
        except lw.LinkworkError as error:
            failed = error
    wall = time.perf_counter() - wall - (compile_seconds() - compiling)
    recording = sim.recording
    if failed is not None and not len(recording):
        raise failed
    summary = _summary(scene, sim, recording, wall, sim.t - started)
    return Done(recording, summary, _lines(scene, summary), signals, failed)


def _adaptive(scene: lw.Scene, target: Path, resume: bool) -> Done:
    from linkwork.cli import simulate_adaptive

    _check_replaceable(target)
    with _stopped_by_signals(lambda: None) as signals:
        motion, summary = simulate_adaptive.run(scene, target, signals, resume)
    return Done(motion.recording, summary, simulate_adaptive.lines(summary), signals)


def _begin(scene: lw.Scene, target: Path, resume: bool) -> Simulation:
    """The simulation, new or resumed."""
    if resume and target.exists():
        try:
            return scene.resume(target)
        except lw.DescriptionError as error:
            if "nothing was recorded" not in str(error):
                raise
    _check_replaceable(target)
    return scene.simulation(record=target)


def _check_replaceable(path: Path) -> None:
    """Refuse to overwrite a file that is not a recording."""
    if not path.exists():
        return
    with path.open("rb") as file:
        start = file.read(8)
    if start not in (b"", b"\x89HDF\r\n\x1a\n"):
        raise lw.ArgumentError(f"{path} exists and is not a recording: give another file with --out")


@contextmanager
def _stopped_by_signals(end: Callable[[], None]) -> Iterator[list[int]]:
    """Let the first Ctrl-C end the run after its current step; a second one ends the program."""
    caught: list[int] = []

    def stop(number: int, frame: Any) -> None:
        if caught:
            raise KeyboardInterrupt
        caught.append(number)
        end()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield caught
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _chosen_plots(scene: lw.Scene, given: str | None) -> list[str]:
    if given == "none":
        return []
    chosen = given.split(",") if given else scene.outputs.plots or ["overview"]
    plotting.check_names(chosen)
    if scene.is_adaptive and "reactions" in chosen:
        raise lw.ArgumentError("reactions cannot be drawn from an adaptive run: it has no accelerations")
    return chosen


# The summary


def _summary(
    scene: lw.Scene, sim: Simulation, recording: lw.Recording, wall: float, simulated: float
) -> dict[str, Any]:
    segments = [segment for segment in recording.segments if len(segment)]
    kinetic, potential = np.concatenate([segment.energies for segment in segments], axis=1)
    energy = kinetic + potential
    residual = np.max([segment.drift.max(axis=0) for segment in segments], axis=0)
    constrained = scene.linkage.constrained or scene.driven
    return {
        "scene": scene.name,
        "t": sim.t,
        "states": len(recording),
        "wall_time": wall,
        "real_time_factor": simulated / wall if wall > 0.0 and simulated > 0.0 else None,
        "conservative": _is_conservative(scene),
        "energy_start": float(energy[0]),
        "energy_end": float(energy[-1]),
        "energy_drift": float(np.abs(energy - energy[0]).max()),
        "kinetic_energy_largest": float(kinetic.max()),
        "residual": residual.tolist() if constrained else None,
        "freedom": _freedom(segments),
        "events": [{"time": event.time, "cause": event.cause, "what": event.what} for event in recording.events],
    }


def _freedom(segments: list[Any]) -> list[dict[str, Any]]:
    """Coordinates of all joints and degrees of freedom, whenever they change; empty where there are no loops."""
    if not any(segment.linkage.tree.closed for segment in segments) or segments[0].linkage.nv > LARGEST:
        return []
    found: list[dict[str, Any]] = []
    for segment in segments:
        joints, free = segment.linkage.nv + segment.linkage.nv_loop, lw.mobility(segment.linkage, segment.q[0]).dof
        if not found or (joints, free) != (found[-1]["joints"], found[-1]["free"]):
            found.append({"time": float(segment.t[0]), "joints": joints, "free": free})
    return found


def _is_conservative(scene: lw.Scene) -> bool:
    """Whether the total energy should stay constant."""
    linkage, columns = scene.linkage, scene.linkage.columns
    lossy = any(isinstance(f, lw.JointFriction) or getattr(f, "damping", 0.0) for f in linkage.forces)
    lossy = lossy or any(np.any(loop.type.damping) for loop in linkage.loops) or len(linkage.contacts) > 0
    lossy = lossy or len(linkage.shapes) > 0
    bounded = scene.run.limits != "ignore" and (np.isfinite(columns.lower).any() or np.isfinite(columns.upper).any())
    return not (scene.driven or lossy or bounded or columns.damping.any() or columns.coulomb.any())


def _lines(scene: lw.Scene, summary: dict[str, Any]) -> dict[str, str]:
    run, factor = scene.run, summary["real_time_factor"]
    speed = f", {factor:.3g} times real time" if factor is not None else ""
    lines = {
        "motion": f"to t = {summary['t']:g} s by {run.integrator}, dt = {run.dt:g} s",
        "took": f"{summary['wall_time']:.2f} s{speed}",
    }
    drift, largest = summary["energy_drift"], summary["kinetic_energy_largest"]
    if summary["conservative"]:
        share = f", {drift / largest:.1e} of the largest kinetic energy" if largest > 0.0 else ""
        lines["energy drift"] = f"{drift:.2e} J{share}"
    else:
        lines["energy"] = f"from {summary['energy_start']:.6g} J to {summary['energy_end']:.6g} J (driven or damped)"
    if summary["residual"] is not None and any(summary["residual"]):
        q, v = summary["residual"]
        lines["residual"] = f"{q:.1e} in positions, {v:.1e} in velocities, at most, before each projection"
    if summary["freedom"]:
        counts = [f"from {at['time']:.4g} s {at['free']} of {at['joints']}" for at in summary["freedom"]]
        lines["freedom"] = "; ".join(counts[:6]) + ("; ..." if len(counts) > 6 else "")
    lines["events"] = _events(summary["events"])
    return lines


def _events(events: list[dict[str, Any]]) -> str:
    shown = [f"{event['what']} at {event['time']:.4g} s" for event in events[:4]]
    return "; ".join(shown) + (f"; and {len(events) - 4} more" if len(events) > 4 else "") or "none"
