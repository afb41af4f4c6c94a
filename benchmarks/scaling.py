"""How time and memory grow with the number of joints.

Chains, random trees and stars of 1,000 to 200,000 hinges: packing, ABA, RNEA and, where its matrix is small enough,
CRBA + LTDL; nanoseconds and bytes per joint. Ends with the budgets: exit code 1 where one is missed.

    python benchmarks/scaling.py [--json FILE] [--quick]
"""

import argparse
import json
import time

import numpy as np

import linkwork as lw

SIZES = (1_000, 4_000, 16_000, 50_000, 64_000, 200_000)
LARGEST_MATRIX = 20_000_000  # nonzeros up to which CRBA + LTDL is timed
BUDGET_ABA, BUDGET_BYTES, BUDGET_PACK, BUDGET_GROWTH = 200.0, 1500.0, 0.5, 1.4


def random_tree(n):
    """A tree in which each rod hangs on any earlier one."""
    rng = np.random.default_rng(0)
    parents = np.concatenate([[-1], (rng.random(n - 1) * np.arange(1, n)).astype(np.int64)])
    linkage = lw.Linkage(name=f"random tree of {n}")
    axis = rng.normal(size=(n, 3))
    linkage.add_bodies(
        [f"link{i}" for i in range(n)],
        mass=1.0,
        com=(0.0, 0.0, -0.5),
        inertia=(0.09, 0.0, 0.0, 0.09, 0.0, 0.01),
        parent=parents,
        at_position=np.where(parents[:, None] >= 0, (0.0, 0.0, -1.0), 0.0),
        axis=axis / np.linalg.norm(axis, axis=1, keepdims=True),
    )
    return linkage


SHAPES = {"chain": lw.samples.chain, "random tree": random_tree, "star": lw.samples.star}


def best(function, seconds=0.6):
    """Shortest time of a call, within about this many seconds of trying."""
    shortest, end = np.inf, time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        function()
        shortest = min(shortest, time.perf_counter() - start)
    return shortest


def measure(shape, n):
    linkage = SHAPES[shape](n)
    start = time.perf_counter()
    tree = linkage.tree
    pack = time.perf_counter() - start
    rng = np.random.default_rng(1)
    q, v, tau = 0.1 * rng.normal(size=(3, n))
    out = np.empty(n)
    forward = lambda **options: lw.forward_dynamics(linkage, q, v, tau, out=out, **options)  # noqa: E731
    forward()
    lw.inverse_dynamics(linkage, q, v, tau, out=out)
    row = {
        "shape": shape,
        "joints": n,
        "pack [s]": pack,
        "aba [ns/joint]": 1e9 * best(forward) / n,
        "rnea [ns/joint]": 1e9 * best(lambda: lw.inverse_dynamics(linkage, q, v, tau, out=out)) / n,
        "bytes/joint": (tree.model.nbytes + tree.index.nbytes + 8 * tree.work_size) / n,
    }
    if tree.nonzeros <= LARGEST_MATRIX:
        forward(method="crba")
        row["crba+ltdl [ns/joint]"] = 1e9 * best(lambda: forward(method="crba")) / n
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", help="write the table there, too")
    parser.add_argument("--quick", action="store_true", help="only 1,000, 50,000 and 64,000 joints")
    options = parser.parse_args()
    sizes = (1_000, 50_000, 64_000) if options.quick else SIZES
    rows = []
    columns = ("pack [s]", "aba [ns/joint]", "rnea [ns/joint]", "crba+ltdl [ns/joint]", "bytes/joint")
    print(f"{'shape':12} {'joints':>8} " + " ".join(f"{c:>20}" for c in columns))
    for shape in SHAPES:
        for n in sizes:
            row = measure(shape, n)
            rows.append(row)
            cells = " ".join(f"{row[c]:20.3f}" if c in row else f"{'-':>20}" for c in columns)
            print(f"{shape:12} {n:8,} {cells}", flush=True)
    missed = 0
    for shape in SHAPES:
        by_size = {row["joints"]: row for row in rows if row["shape"] == shape}
        large, growth = by_size[50_000], by_size[64_000]["aba [ns/joint]"] / by_size[1_000]["aba [ns/joint]"]
        for what, value, budget in (
            ("ABA at 50,000 [ns/joint]", large["aba [ns/joint]"], BUDGET_ABA),
            ("memory at 50,000 [bytes/joint]", large["bytes/joint"], BUDGET_BYTES),
            ("packing 50,000 [s]", large["pack [s]"], BUDGET_PACK),
            ("time(64k) / time(1k) / 64", growth, BUDGET_GROWTH),
        ):
            missed += value > budget
            print(f"{shape:12} {what:32} {value:9.3f}  budget {budget:g}  {'ok' if value <= budget else 'MISSED'}")
    if options.json:
        with open(options.json, "w") as file:
            json.dump(rows, file, indent=1)
    raise SystemExit(missed > 0)


if __name__ == "__main__":
    main()
