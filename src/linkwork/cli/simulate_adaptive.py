"""``linkwork simulate`` of a scene that asks for an adaptive run."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np

import linkwork as lw
from linkwork.kernels.launch import compile_seconds
from linkwork.scenes.adaptive_motion import AdaptiveMotion
from linkwork.simulation.progress import progress_bar


def run(scene: lw.Scene, target: Path, signals: list[int], resume: bool) -> tuple[AdaptiveMotion, dict[str, Any]]:
    """Run, or go on with what the target holds, until a signal comes; save the recording; tell how it went."""
    before = lw.Recording.load(target) if resume and target.exists() else None
    motion, until = scene.adaptive(before), scene.run.until
    with progress_bar(True, motion.t, until) as report:

        def watch(t: float) -> bool:
            report(t)
            return not signals

        wall, compiling = time.perf_counter(), compile_seconds()
        recording = motion.run(until, watch=watch)
        wall = time.perf_counter() - wall - (compile_seconds() - compiling)
    recording.save(target)
    return motion, _summary(scene, motion, wall)


def _summary(scene: lw.Scene, motion: AdaptiveMotion, wall: float) -> dict[str, Any]:
    computed = np.array([report.computed for report in motion.reports] or [0])
    return {
        "scene": scene.name,
        "t": motion.t,
        "states": len(motion.recording),
        "wall_time": wall,
        "real_time_factor": motion.t / wall if wall > 0.0 else None,
        "steps": len(motion.reports),
        "exact_steps": sum(report.exact for report in motion.reports),
        "joints": scene.linkage.nb,
        "joints_computed_median": float(np.median(computed)),
        "joints_computed_most": int(computed.max()),
        "tolerance": motion.simulation.tolerance,
        "error_bound_largest": max((report.error_bound for report in motion.reports), default=0.0),
    }


def lines(summary: dict[str, Any]) -> dict[str, str]:
    """What of it is printed."""
    each, exact = 1e6 * summary["wall_time"] / max(summary["steps"], 1), summary["exact_steps"]
    return {
        "motion": f"to t = {summary['t']:g} s in {summary['steps']} adaptive steps, {exact} of them exact",
        "took": f"{summary['wall_time']:.2f} s, {each:.3g} µs per step",
        "computed": f"{summary['joints_computed_median']:g} of {summary['joints']} joints per step, "
        f"{summary['joints_computed_most']} at most",
        "error": f"at most {summary['error_bound_largest']:.2e}, allowed are {summary['tolerance']:.2e}",
    }
