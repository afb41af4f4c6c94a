"""``linkwork bench``: how long one evaluation takes on this machine."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

import linkwork as lw
from linkwork.cli import find
from linkwork.cli.output import out, print_json, table

SIZES = (7, 100, 1000, 10_000)
BATCH = 4096
DENSE = 2000  # degrees of freedom beyond which a mass matrix takes too much room


def bench(file: str | None, *, json: bool) -> None:
    """Measure and print."""
    linkages = [(f"chain of {n}", lw.samples.chain(n)) for n in SIZES]
    if file is not None:
        linkage, _ = find.linkage(file)
        linkages.append((linkage.name, linkage))
    rows = [_measure(name, linkage) for name, linkage in linkages]
    if json:
        print_json({"bench": rows})
        return
    shown = table("linkage", "dof", "forward (µs)", "inverse (µs)", "mass matrix (µs)", f"forward, {BATCH} at once (µs each)")
    for row in rows:
        times = (row[key] for key in ("forward", "inverse", "mass_matrix", "forward_batch"))
        shown.add_row(row["linkage"], str(row["dof"]), *("" if t is None else f"{1e6 * t:.3g}" for t in times))
    out.print(shown)


def _measure(name: str, linkage: lw.Linkage) -> dict[str, Any]:
    rng = np.random.default_rng(0)
    q, v, a = linkage.random(rng), rng.normal(size=linkage.nv), rng.normal(size=linkage.nv)
    row: dict[str, Any] = {"linkage": name, "dof": linkage.nv, "mass_matrix": None, "forward_batch": None}
    row["forward"] = _seconds(lambda: lw.forward_dynamics(linkage, q, v))
    row["inverse"] = _seconds(lambda: lw.inverse_dynamics(linkage, q, v, a))
    if linkage.nv <= DENSE:
        row["mass_matrix"] = _seconds(lambda: lw.mass_matrix(linkage, q))
    if linkage.nv <= 100 and not len(linkage.loops) and not len(linkage.contacts):
        many_q, many_v = np.tile(q, (BATCH, 1)), np.tile(v, (BATCH, 1))
        row["forward_batch"] = _seconds(lambda: lw.forward_dynamics(linkage, many_q, many_v)) / BATCH
    return row


def _seconds(call: Callable[[], Any]) -> float:
    """The time of one call: the best of several tries of about 20 ms each."""
    call()
    start = time.perf_counter()
    call()
    repeats = max(1, int(0.02 / max(time.perf_counter() - start, 1e-7)))
    best = np.inf
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(repeats):
            call()
        best = min(best, (time.perf_counter() - start) / repeats)
    return best
