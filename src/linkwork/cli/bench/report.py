"""The tables of ``linkwork bench``, and the same figures as JSON."""

from __future__ import annotations

import json
import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

import linkwork as lw
from linkwork.cli.bench import batches, long

_PACKAGES = {"Pinocchio": "pin", "MuJoCo": "mujoco", "Drake": "drake", "Exudyn": "exudyn", "Numba": "numba"}

_WIDTH = 120  # of a table in a file


def report(console: Console, *, peers: bool, robots: tuple[str, ...], rounds: int, path: Path | None) -> None:
    """Measure, print tables, and write JSON to `path`."""
    if not console.is_terminal:
        console.width = _WIDTH
    machine = _machine()
    console.print(", ".join(f"{name} {value}" for name, value in machine.items()))
    rows = list(batches.compare(peers=peers, robots=robots, rounds=rounds))
    console.print(_robots(rows))
    cases = list(long.compare(peers=peers))
    console.print(_long(cases))
    for case in cases:
        if case.failure:
            console.print(f"{case.peer}{f' at {case.joints:,} joints' if case.joints else ''}: {case.failure}")
    promises = [each.met for each in (*rows, *cases) if each.met is not None]
    console.print(f"{sum(promises)} of {len(promises)} promises are kept")
    if path is not None:
        figures = {
            "machine": machine,
            "batches": [row._asdict() | {"met": row.met} for row in rows],
            "long": [case._asdict() | {"met": case.met} for case in cases],
        }
        path.write_text(json.dumps(figures, indent=1))


def _machine() -> dict[str, str]:
    facts = {"machine": platform.machine(), "cores": str(os.cpu_count()), "linkwork": lw.__version__}
    for name, package in _PACKAGES.items():
        try:
            facts[name] = version(package)
        except PackageNotFoundError:
            facts[name] = "not installed"
    return facts


def _robots(rows: list[batches.Row]) -> Table:
    title = f"Batches of {batches.STATES:,} states, and rollouts: a core each, threads by the clock on the wall"
    caption = "× as fast: we on one core, against each row; in the row of our threads, these against one of them"
    table = Table(title=title, caption=caption, box=box.SIMPLE_HEAD)
    for title in ("robot", "what", "who"):
        table.add_column(title, no_wrap=True)
    for title in ("µs a state", "× as fast", "promised"):
        table.add_column(title, justify="right")
    before = ("", "")
    for row in rows:
        if before[0] and (row.robot, row.measure) != before:
            table.add_section()
        before = (row.robot, row.measure)
        cells = (f"{row.microseconds:.3f}", f"{row.ratio:.2f}", _promise("≥", row))
        table.add_row(row.robot, row.measure, row.contender, *cells)
    return table


def _long(cases: list[long.Case]) -> Table:
    title = "Forward dynamics of long chains and of large trees, each library up to where it stops"
    table = Table(title=title, box=box.SIMPLE_HEAD)
    for title in ("who", "shape"):
        table.add_column(title, no_wrap=True)
    for title in ("joints", "build s", "first s", "call ms", "ns a joint", "promised", "MB", "differs by"):
        table.add_column(title, justify="right", no_wrap=True)
    for case in cases:
        if case.seconds is not None:
            cells = [f"{case.build_seconds:.2f}", f"{case.first_seconds:.3f}", f"{1e3 * case.seconds:.3f}"]
            cells += [f"{case.nanoseconds:.0f}", _promise("≤", case), f"{case.megabytes:.0f}"]
            cells += ["" if case.error is None else f"{case.error:.0e}"]
            table.add_row(case.peer, case.shape, f"{case.joints:,}", *cells)
    return table


def _promise(sign: str, promised: batches.Row | long.Case) -> str:
    return "" if promised.met is None else f"{sign} {promised.budget:g} {'✓' if promised.met else '✗ missed'}"
