"""``linkwork sweep``: run a scene at many points, leave a table, print a summary."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import linkwork as lw
from linkwork.cli import find
from linkwork.cli.output import notes, print_json, print_pairs
from linkwork.sweeps.space import read_values


def sweep(
    given: str, over: list[str], changes: dict[str, Any], *, samples: int | None, outputs: list[str], out: Path | None,
    cluster: str | None, workers: int | None, seed: int, resume: bool, json: bool,
) -> None:  # fmt: skip
    """Run a sweep."""
    scene = find.scene(given, changes)
    path = out or Path(f"{scene.path.stem}-sweep.h5")
    values = {key: read_values(text) for key, text in _pairs(over)}
    before = signal.signal(signal.SIGTERM, _interrupt)  # ends it as Ctrl-C does: what has come is kept
    started, there = time.perf_counter(), _done(path) if resume else 0
    try:
        made = lw.sweep(
            scene, values, samples=samples, outputs=outputs or None, store=path, client=cluster, workers=workers,
            seed=seed, resume=resume,
        )  # fmt: skip
    except KeyboardInterrupt:
        notes.print(f"stopped: {_done(path):,} runs are in {path}; the same command with --resume continues")
        sys.exit(130)
    finally:
        signal.signal(signal.SIGTERM, before)
    _report(made, scene, time.perf_counter() - started, len(made) - there, json)


def _interrupt(number: int, frame: Any) -> None:
    raise KeyboardInterrupt


def _done(path: Path) -> int:
    return len(lw.Sweep.load(path)) if path.exists() else 0


def _pairs(over: list[str]) -> list[tuple[str, str]]:
    pairs = []
    for text in over:
        key, equals, values = text.partition("=")
        if not equals or not key or not values:
            raise lw.ArgumentError(f"--over takes KEY=VALUES, such as parameters.torque=0:10:101, not {text!r}")
        pairs.append((key, values))
    return pairs


def _report(made: lw.Sweep, scene: lw.Scene, wall: float, fresh: int, json: bool) -> None:
    steps = round(scene.run.until / scene.run.dt)
    worked = float(made.seconds.sum())
    summary: dict[str, Any] = {
        "scene": scene.name, "runs": len(made), "failed": len(made.errors), "how": made.settings["how"],
        "wall_time": wall, "runs_per_second": fresh / wall, "steps_per_second": fresh * steps / wall,
        "seconds_per_run": worked / max(1, len(made)), "table": str(made.path),
    }  # fmt: skip
    if json:
        print_json(summary)
        return
    lines = {
        "runs": f"{len(made):,}, {made.settings['how']}",
        "failed": f"{len(made.errors):,}" if made.errors else "none",
        "time": f"{wall:.1f} s; {fresh / wall:,.4g} runs/s, {fresh * steps / wall:,.3g} steps/s; "
        f"{_duration(summary['seconds_per_run'])} of work per run",
    }
    if made.errors:
        run, text = next(iter(made.errors.items()))
        lines["failed"] += f", the first of them run {run}: {text}"
    for name, column in list(made.outputs.items())[:8]:
        if np.isfinite(column).any():
            lines[name] = f"{np.nanmin(column):.5g} … {np.nanmax(column):.5g}, median {np.nanmedian(column):.5g}"
    if len(made.outputs) > 8:
        lines["..."] = f"and {len(made.outputs) - 8} more outputs"
    lines["table"] = f"{made.path} (linkwork plot {made.path})"
    print_pairs(scene.name, lines)


def _duration(seconds: float) -> str:
    size, unit = (1e6, "µs") if seconds < 1e-3 else (1e3, "ms") if seconds < 1.0 else (1.0, "s")
    return f"{size * seconds:.3g} {unit}"
