"""The tables of ``linkwork bench``, and the same figures as JSON."""

from __future__ import annotations

import json
import os
import platform
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

import linkwork as lw
from linkwork.cli.bench import batches, long


def report(console: Console, *, peers: bool, robots: tuple[str, ...], rounds: int, path: Path | None) -> None:
    """Measure, print tables, and write JSON to `path`."""
    rows = list(batches.compare(peers=peers, robots=robots, rounds=rounds))
    console.print(_robots(rows))
    cases = list(long.compare(peers=peers))
    console.print(_long(cases))
    for case in cases:
        if case.failure:
            console.print(f"{case.peer}{f', {case.joints:,} joints' if case.joints else ''}: {case.failure}")
    if path is not None:
        machine = {"cores": os.cpu_count(), "machine": platform.machine(), "linkwork": lw.__version__}
        figures = {
            "machine": machine,
            "batches": [row._asdict() for row in rows],
            "long": [case._asdict() for case in cases],
        }
        path.write_text(json.dumps(figures, indent=1))


def _robots(rows: list[batches.Row]) -> Table:
    table = Table(title=f"Batches of {batches.STATES} states, and rollouts, a core each", box=box.SIMPLE_HEAD)
    for title in ("robot", "what", "who"):
        table.add_column(title, no_wrap=True)
    for title in ("µs a state", "we: × as fast", "promised"):
        table.add_column(title, justify="right")
    for row in rows:
        promised = "" if row.budget is None else f"{row.budget:g} {'✓' if row.ratio >= row.budget else '✗'}"
        table.add_row(row.robot, row.measure, row.contender, f"{row.microseconds:.3f}", f"{row.ratio:.2f}", promised)
    return table


def _long(cases: list[long.Case]) -> Table:
    title = "Forward dynamics of long chains and of a large tree, each library up to where it stops"
    table = Table(title=title, box=box.SIMPLE_HEAD)
    for title in ("who", "shape"):
        table.add_column(title, no_wrap=True)
    for title in ("joints", "build s", "call ms", "ns a joint", "MB"):
        table.add_column(title, justify="right", no_wrap=True)
    for case in cases:
        if case.seconds is not None:
            each = f"{1e9 * case.seconds / case.joints:.0f}"
            cells = [f"{case.build_seconds:.2f}", f"{1e3 * case.seconds:.3f}", each, f"{case.megabytes:.0f}"]
            table.add_row(case.peer, case.shape, f"{case.joints:,}", *cells)
    return table
