"""Divide and conquer against ABA, on one thread and on two, and the depth of assembly trees.

    python benchmarks/dca.py [--joints 50000] [--rounds 10]

Times are the best of the rounds, the contenders taking turns. `wall` needs a machine with two idle cores; `work` is the
time of all threads together, which other programs do not touch: two threads halve the step if it stays the same.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import linkwork as lw
from linkwork.linkage.packing.assembly import Assembly

BUDGET = {"us per joint": 1.6, "kB per joint": 4.0, "two threads": 1.6, "build ms": 50.0}


def linkages(joints: int) -> dict[str, lw.Linkage]:
    return {
        "chain": lw.samples.chain(joints),
        "tree": lw.samples.tree(joints),
        "star": lw.samples.star(min(joints, 10_001)),
        "millipede": lw.samples.millipede(max(joints // 50, 1)),
        "molecule": lw.samples.molecule(joints),
        "bushy molecule": lw.samples.molecule(joints, branching=0.7),
    }


def measure(call) -> tuple[float, float]:
    wall, work = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - wall, time.process_time() - work


def ring(joints: int) -> tuple[lw.Linkage, np.ndarray]:
    """A polygon of so many rods, and where it is one: closed on ground by one more hinge."""
    linkage, q = lw.samples.chain(joints), np.full(joints, 2 * np.pi / joints)
    end = lw.body_poses(linkage, q)[f"link{joints - 1}"] @ lw.Pose((0.0, 0.0, -1.0))
    linkage.connect("ground", f"link{joints - 1}", lw.Revolute("y"), at_a=end, at_b=lw.Pose((0.0, 0.0, -1.0)))
    return linkage, q


def closed(joints: int, rounds: int) -> None:
    """Closed linkages beside the same trees with their loops cut, one thread."""
    print("linkage            joints  rows    ABA    DCA   DCA of the tree   ratio   error")
    print("                                        ns per joint")
    bars = [lw.samples.four_bars(1000, stacked=stacked) for stacked in (True, False)]
    cases = {"four-bars, stacked": (bars[0], bars[0].neutral()), "four-bars, beside": (bars[1], bars[1].neutral())}
    lw.set_threads(1)
    for name, (linkage, q) in (cases | {"ring": ring(joints)}).items():
        tree, zero = linkage.copy(), np.zeros(linkage.nv)
        for loop in linkage.loops.names:
            tree.cut(loop)
        calls = [
            lambda: lw.forward_dynamics(linkage, q, zero),  # noqa: B023
            lambda: lw.forward_dynamics(linkage, q, zero, method="dca"),  # noqa: B023
            lambda: lw.forward_dynamics(tree, q, zero, method="dca"),  # noqa: B023
        ]
        a, b = calls[0](), calls[1]()
        best = [min(measure(call)[0] for _ in range(rounds)) / linkage.nb * 1e9 for call in calls]
        rows = sum(6 - loop.nv for loop in linkage.loops)
        print(f"{name:18} {linkage.nb:6} {rows:5} {best[0]:6.0f} {best[1]:6.0f} {best[2]:6.0f} "
              f"{best[1] / best[2]:18.1f}   {np.abs(a - b).max() / np.abs(a).max():.0e}")  # fmt: skip
    lw.set_threads(None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--joints", type=int, default=50_000)
    parser.add_argument("--rounds", type=int, default=10)
    options = parser.parse_args()
    print("linkage            joints depth  build   ABA     DCA 1 thread      2 threads   speed-up       memory  error")
    print("                                    ms    ns   wall/work ns per joint           wall/by work  kB per joint")
    for name, linkage in linkages(options.joints).items():
        rng = np.random.default_rng(0)
        q = linkage.random(rng)
        v, tau = rng.normal(size=(2, linkage.nv))
        a = lw.forward_dynamics(linkage, q, v, tau)
        linkage.assembly()
        best = np.full((4, 2), np.inf)
        for _ in range(options.rounds):
            best[0] = np.minimum(best[0], measure(lambda: lw.forward_dynamics(linkage, q, v, tau)))  # noqa: B023
            for threads in (1, 2):
                lw.set_threads(threads)
                best[threads] = np.minimum(
                    best[threads],
                    measure(lambda: lw.forward_dynamics(linkage, q, v, tau, method="dca")),  # noqa: B023
                )
            best[3] = np.minimum(best[3], measure(lambda: Assembly(linkage)))  # noqa: B023
        lw.set_threads(None)
        b = lw.forward_dynamics(linkage, q, v, tau, method="dca")
        assembly = linkage.assembly()
        memory = assembly.pool[0].nbytes + assembly.nodes.nbytes + 8 * linkage.tree.work_size
        (aba, _), (one, work_1), (two, work_2), (_, build) = best / linkage.nb * 1e9
        print(f"{name:16} {linkage.nb:8} {assembly.depth:4} {build * linkage.nb * 1e-6:7.1f} {aba:5.0f}  "
              f"{one:5.0f}/{work_1:5.0f}       {two:5.0f}/{work_2:5.0f}   {one / two:5.2f}/{2 * work_1 / work_2:4.2f}"
              f"   {memory / linkage.nb / 1e3:9.2f}   {np.abs(a - b).max() / np.abs(a).max():.0e}")  # fmt: skip
    closed(options.joints, options.rounds)
    print("Budgets:", ", ".join(f"{what} {value}" for what, value in BUDGET.items()))


if __name__ == "__main__":
    main()
