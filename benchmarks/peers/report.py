"""The tables, and the same figures as JSON."""

from __future__ import annotations

import json
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from benchmarks.machine import facts
from benchmarks.peers import batches, long

_PACKAGES = {"Pinocchio": "pin", "MuJoCo": "mujoco", "Drake": "drake", "Exudyn": "exudyn"}

_WIDTH = 120  # of a table that is written to a file


def report(*, peers: bool, robots: tuple[str, ...], rounds: int, parts: tuple[str, ...], path: Path | None) -> None:
    """Measure, print tables, and write JSON to `path`, where the other part of an earlier run stays."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = _WIDTH
    machine = facts(_PACKAGES)
    console.print(", ".join(f"{name} {value}" for name, value in machine.items()))
    kept = json.loads(path.read_text()) if path is not None and path.exists() else {}
    budgets = []

    def keep(name: str, measured: list) -> None:
        budgets.extend(each.met for each in measured if each.met is not None)
        kept["machine"] = machine | {"rounds": rounds}
        kept[name] = [each._asdict() | {"met": each.met} for each in measured]
        if path is not None:
            path.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n")

    if "batches" in parts:
        rows = list(batches.compare(peers=peers, robots=robots, rounds=rounds))
        console.print(_robots(rows))
        keep("batches", rows)
    if "long" in parts:
        cases = list(long.compare(peers=peers))
        console.print(_long(cases))
        for case in cases:
            if case.failure:
                console.print(f"{case.peer}{f' at {case.joints:,} joints' if case.joints else ''}: {case.failure}")
        keep("long", cases)
    console.print(f"{sum(budgets)} of {len(budgets)} budgets are met")


def _robots(rows: list[batches.Row]) -> Table:
    title = f"Batches of {batches.STATES:,} states, and rollouts: one core each, threads by wall-clock time"
    caption = "× as fast: linkwork on one core over each row; in the row of its threads, these over one core"
    table = Table(title=title, caption=caption, box=box.SIMPLE_HEAD)
    for title in ("robot", "what", "who"):
        table.add_column(title, no_wrap=True)
    for title in ("µs per state", "× as fast", "budget"):
        table.add_column(title, justify="right")
    before = ("", "")
    for row in rows:
        if before[0] and (row.robot, row.measure) != before:
            table.add_section()
        before = (row.robot, row.measure)
        cells = (f"{row.microseconds:.3f}", f"{row.ratio:.2f}", _budget("≥", row))
        table.add_row(row.robot, row.measure, row.contender, *cells)
    return table


def _long(cases: list[long.Case]) -> Table:
    title = "Forward dynamics of long chains and of large trees, each library up to where it stops"
    table = Table(title=title, box=box.SIMPLE_HEAD)
    for title in ("who", "shape"):
        table.add_column(title, no_wrap=True)
    for title in ("joints", "build s", "first s", "call ms", "ns per joint", "budget", "MB", "differs by"):
        table.add_column(title, justify="right", no_wrap=True)
    for case in cases:
        if case.seconds is not None:
            cells = [f"{case.build_seconds:.2f}", f"{case.first_seconds:.3f}", f"{1e3 * case.seconds:.3f}"]
            cells += [f"{case.nanoseconds:.0f}", _budget("≤", case), f"{case.megabytes:.0f}"]
            cells += ["" if case.error is None else f"{case.error:.0e}"]
            table.add_row(case.peer, case.shape, f"{case.joints:,}", *cells)
    return table


def _budget(sign: str, row: batches.Row | long.Case) -> str:
    return "" if row.met is None else f"{sign} {row.budget:g} {'✓' if row.met else '✗ missed'}"
