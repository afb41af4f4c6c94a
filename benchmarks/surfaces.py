"""What points on surfaces cost: calls, batches and steps in time; and the contact problem by itself.

    python benchmarks/surfaces.py [--rounds 5]

Li's two-link arm slides on a floor with friction: a call of forward dynamics, a state of a batch, a step of RK4 with
its events, and the bare evaluations of forward dynamics without the floor. The contact problem is that of a body on
8 points, half of whose rows are independent. Times are the best of several short rounds.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

import linkwork as lw
from linkwork.kernels.contact.problem import scratch_shape
from linkwork.kernels.launch import call

BUDGETS = {"arm, a step of RK4 with events": 12.0, "arm, a step of time-stepping": 4.0}  # µs


def best(function: Callable[[], object], count: int, rounds: int) -> float:
    """µs of one of `count` things that a call does."""
    function()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return 1e6 * min(times) / count


def arm(floor: str | None) -> lw.Linkage:
    """Li's two links; their tip on the floor, or a ball above it, or free."""
    linkage = lw.Linkage(name="arm", gravity=(0, 0, -9.8))
    inertia = lw.Inertia(1.0, (0, 0, 0.25), np.eye(3) * 0.25 / 12)
    for k in range(2):
        parent, height = (f"link{k - 1}", 0.5) if k else ("ground", 0.0)
        joint = lw.Revolute("x", damping=3.0)
        linkage.add_body(f"link{k}", inertia, joint=joint, parent=parent, at=lw.Pose((0, 0, height)))
    if floor == "surface":
        linkage.constrain("link1", point=(0, 0, 0.5), surface=lw.Plane("z"), friction=0.01, name="floor")
    elif floor == "shape":
        linkage.add_shape("link1", lw.Point(), at=lw.Pose((0, 0, 0.5)), friction=0.01, name="tip")
        linkage.add_shape("ground", lw.Plane("z"), friction=0.01, name="floor")
    return linkage


def steps(linkage: lw.Linkage, q, tau, count: int, **options) -> Callable[[], object]:
    """Runs of so many steps, each from the same state."""

    def run() -> None:
        sim = lw.Simulation(linkage, q, dt=1e-3, record_every=1000, **options)
        sim.run(count * 1e-3, progress=False)

    return run


def problem(points: int = 8) -> Callable[[], object]:
    """The contact problem of one body on many points, cold."""
    rng = np.random.default_rng(0)
    J = rng.normal(size=(3 * points, 12))
    G, g = J @ J.T, J @ rng.normal(size=12)
    g[::3] -= 2.0
    mu, kind = np.full(points, 0.7), np.zeros(points, dtype=np.int64)
    scratch, force = np.zeros(scratch_shape(points)), np.zeros(3 * points)

    def solve() -> None:
        for _ in range(100):
            force[:] = 0.0
            call(("contact.problem", "solve_contacts"), points, G, g, mu, kind, force, scratch, True)

    return solve


def main() -> None:
    """Print one line per figure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    on, off = arm("surface"), arm(None)
    q = np.array([-7 * np.pi / 12, np.pi / 6])
    v = lw.consistent_velocity(on, q, [0.3, -0.6])
    Q, V, tau = np.tile(q, (4096, 1)), np.tile(v, (4096, 1)), np.array([0.0, -1.225])
    figures = [
        (
            "arm, forward dynamics, one call",
            best(lambda: [lw.forward_dynamics(on, q, v) for _ in range(200)], 200, rounds),
        ),
        (
            "  the same without the floor",
            best(lambda: [lw.forward_dynamics(off, q, v) for _ in range(200)], 200, rounds),
        ),
        ("arm, forward dynamics, a state of a batch", best(lambda: lw.forward_dynamics(on, Q, V), 4096, rounds)),
        ("  the same without the floor", best(lambda: lw.forward_dynamics(off, Q, V), 4096, rounds)),
        ("arm, a step of RK4 with events", best(steps(on, q, tau, 4000), 4000, rounds)),
        ("  the same without the floor", best(steps(off, q, tau, 4000), 4000, rounds)),
        (
            "arm, a step of time-stepping",
            best(steps(arm("shape"), q, tau, 4000, contacts="time-stepping"), 4000, rounds),
        ),
        ("contact problem of 8 points, cold", best(problem(), 100, rounds)),
    ]
    for what, value in figures:
        budget = f"   (budget {BUDGETS[what]:g})" if what in BUDGETS else ""
        print(f"{what:45} {value:9.2f} µs{budget}")


if __name__ == "__main__":
    main()
