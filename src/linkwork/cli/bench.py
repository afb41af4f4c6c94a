"""``linkwork bench``: which method of forward dynamics is fastest for a linkage, on this machine."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from rich.markup import escape

import linkwork as lw
from linkwork.cli.find import linkage as find_linkage
from linkwork.cli.output import out, print_json, table
from linkwork.dynamics.methods import METHODS

DENSE = ("crba", "unit-vector", "extended-newton-euler", "mass matrix")  # they work with the whole mass matrix
LARGEST = 2000  # degrees of freedom beyond which those are left out
STATES = 1024  # in a batch, at most
BATCH = 0.1  # s that a batch may take: slow methods get fewer states
ROUNDS, TURN = 7, 5e-3  # the best of this many rounds; s for which a call is repeated in each
ONE, EACH = "one_call", "per_state_in_a_batch"
NOTE = """\
Compiling, at the first use of each, is not counted; a batch uses all threads. Differences are from the first method,
relative to the largest acceleration."""


class Row:
    """A function of one state and of a batch: the seconds that it takes, or the reason why it does not apply."""

    def __init__(self, name: str, state: list[np.ndarray], one: Callable, many: Callable):
        self.facts: dict[str, Any] = {"name": name, ONE: None, EACH: None, "difference": None, "reason": None}
        self.result = None
        self._calls: list[tuple[str, Callable[[], Any], int]] = []  # to be timed, and the states in each
        if name in DENSE and len(state[1]) > LARGEST:
            self.facts["reason"] = f"left out beyond {LARGEST} degrees of freedom: it takes the whole mass matrix"
            return
        try:  # every call once: it compiles
            self.result = one(*state)
            self._calls.append((ONE, lambda: one(*state), 1))
            count = int(np.clip(BATCH / _seconds(self._calls[0][1]), 4, STATES))
            batch = [np.tile(x, (count, 1)) for x in state]
            many(*batch)
            self._calls.append((EACH, lambda: many(*batch), count))
        except lw.LinkworkError as error:
            self.facts["reason"] = str(error)

    def time(self) -> None:
        """Keep the best times so far."""
        for key, call, count in self._calls:
            self.facts[key] = min(self.facts[key] or np.inf, _seconds(call) / count)


def bench(given: str, *, json: bool) -> None:
    """Time every method that applies to a linkage."""
    linkage, q = find_linkage(given)
    state = _state(linkage, q)
    methods, others = _methods(linkage, state), _others(linkage, q, state)
    for _ in range(ROUNDS):  # in turns, so that a busy machine slows all alike
        for row in (*methods, *others):
            row.time()
    found = {
        "linkage": linkage.name, "bodies": linkage.nb, "dof": linkage.nv, "loops": len(linkage.loops),
        "contacts": len(linkage.contacts), "auto": lw.solve(linkage, *state).method,
        "forward_dynamics": [row.facts for row in methods], "others": [row.facts for row in others],
    }  # fmt: skip
    if json:
        print_json(found)
    else:
        _show(found)


def _state(linkage: lw.Linkage, q: np.ndarray) -> list[np.ndarray]:
    """Coordinates near the given ones with all loops closed, velocities and torques."""
    dq, v, tau = 0.1 * np.random.default_rng(0).normal(size=(3, linkage.nv))
    q = linkage.integrate(q, dq)
    if linkage.constrained:
        q = lw.close_loops(linkage, q)
        v = lw.consistent_velocity(linkage, q, v)
    return [q, v, tau]


def _methods(linkage: lw.Linkage, state: list[np.ndarray]) -> list[Row]:
    rows = []
    for method in (name for name in METHODS if name != "extended-newton-euler" or len(linkage.contacts)):

        def forward(q: Any, v: Any, tau: Any, method: str = method) -> np.ndarray:
            return lw.forward_dynamics(linkage, q, v, tau, method=method)

        rows.append(Row(method, state, forward, forward))
    answers = [row.result for row in rows if row.result is not None]
    for row in rows:
        if row.result is not None:
            difference = np.abs(row.result - answers[0]).max() / (np.abs(answers[0]).max() or 1.0)
            row.facts["difference"] = float(difference)
    return rows


def _others(linkage: lw.Linkage, start: np.ndarray, state: list[np.ndarray]) -> list[Row]:
    def inverse(q: Any, v: Any, a: Any) -> np.ndarray:
        return lw.inverse_dynamics(linkage, q, v, a)

    def matrix(q: Any, *_: Any) -> np.ndarray:
        return lw.mass_matrix(linkage, q)

    def rollout(q: Any, v: Any, tau: Any) -> Any:
        return lw.rollout(linkage, q, v, dt=1e-4, integrator="rk4")

    sim = lw.Simulation(linkage.copy(), start, dt=1e-4, record_every=10**9)
    return [
        Row("inverse dynamics", state, inverse, inverse),
        Row("mass matrix", state, matrix, matrix),
        Row("simulation step", state, lambda *_: sim.step(), rollout),
    ]


def _seconds(call: Callable[[], Any]) -> float:
    """The mean time of a call that is repeated for a while."""
    count, start = 0, time.perf_counter()
    while (taken := time.perf_counter() - start) < TURN or not count:
        call()
        count += 1
    return taken / count


def _show(found: dict[str, Any]) -> None:
    out.print(f"{escape(found['linkage'])}: {found['bodies']} bodies, {found['dof']} degrees of freedom")
    listed = table("", "one call", "per state in a batch", "")
    for part in ("forward_dynamics", "others"):
        for row in found[part]:
            note = "" if row["difference"] is None else f"differs by {row['difference']:.0e}"
            if row["reason"]:
                note = row["reason"].split("; ")[0].split(". ")[0]  # what to do instead is in the JSON
            listed.add_row(row["name"], _duration(row[ONE]), _duration(row[EACH]), escape(note))
        listed.add_section()
    out.print(listed)
    for what, key in (("One call", ONE), ("A batch", EACH)):
        times = {row["name"]: row[key] for row in found["forward_dynamics"] if row[key]}
        if times:
            best, auto = min(times, key=times.__getitem__), found["auto"]
            ratio = times.get(auto, times[best]) / times[best]
            slower = f", which takes {ratio:.2f} times as long" if auto != best else ""
            out.print(f'{what}: {best} is the fastest; method="auto" picks {auto}{slower}')
    out.print(NOTE)


def _duration(seconds: float | None) -> str:
    if seconds is None:
        return ""
    return f"{1e6 * seconds:.3g} µs" if seconds < 1e-3 else f"{1e3 * seconds:.3g} ms"
