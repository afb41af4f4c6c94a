"""Virtual work against the unit-vector method, articulated bodies and composite bodies: time, growth and error.

    python benchmarks/virtual_work.py [--plots FOLDER] [--quick]

Reproduces figures 6 and 7 of Yamane and Nakamura (serial chains of 2 to 16 ball joints; 2 to 12 end links on one
link, with and without link splitting), goes to 100 times their size, checks the budgets, and measures the errors of
all methods against the same algorithms run interpreted on 80-bit numbers. Times are the best of many rounds taken in
turns, and processor time of one thread: a call of 30 ms seldom has a core to itself on a shared machine.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

import linkwork as lw
from linkwork.dynamics.virtual_work import plan_of
from linkwork.kernels.threads import thread_count
from linkwork.linkage.packing.splitting import split_links

VIRTUAL, SPLIT, UNIT, ABA, CRBA = "virtual work", "virtual work, split links", "unit vectors", "ABA", "CRBA + LTDL"
OPTIONS = {
    VIRTUAL: {"method": "virtual-work"},
    SPLIT: {"method": "virtual-work", "splitting": "paper"},
    UNIT: {"method": "unit-vector"},
    ABA: {"method": "aba"},
    CRBA: {"method": "crba"},
}
LONGEST = 0.5  # seconds a call, beyond which a method's curve ends
BALL = lw.Spherical()


def state(linkage, seed=0):
    rng = np.random.default_rng(seed)
    return linkage.random(rng), rng.normal(size=linkage.nv), rng.normal(size=linkage.nv)


def best_times(linkage, methods, rounds, clock=time.thread_time) -> dict[str, float]:
    """Seconds a call of each method, the methods taking turns."""
    q, v, tau = state(linkage)
    best, counts = {}, {}
    for name in methods:
        lw.forward_dynamics(linkage, q, v, tau, **OPTIONS[name])  # compiled, packed and in cache
        start = clock()
        lw.forward_dynamics(linkage, q, v, tau, **OPTIONS[name])
        best[name] = clock() - start
        counts[name] = max(1, int(1e-3 / best[name]))
    for _ in range(rounds):
        for name in methods:
            if best[name] < LONGEST:
                start = clock()
                for _ in range(counts[name]):
                    lw.forward_dynamics(linkage, q, v, tau, **OPTIONS[name])
                best[name] = min(best[name], (clock() - start) / counts[name])
    return best


def curves(make, sizes, methods, rounds):
    """Degrees of freedom, and seconds of each method; a method drops out once it takes too long."""
    dof, seconds, running = [], {name: [] for name in methods}, list(methods)
    for n in sizes:
        linkage = make(n)
        dof.append(linkage.nv)
        times = best_times(linkage, running, rounds)
        for name in methods:
            seconds[name].append(times.get(name, np.nan))
        running = [name for name in running if times[name] < LONGEST]
    return np.array(dof), {name: np.array(values) for name, values in seconds.items()}


def crossover(dof, one, other):
    """Smallest number of degrees of freedom from which on `one` stays the faster."""
    slower = np.flatnonzero(one >= other)
    return int(dof[0] if not len(slower) else dof[min(slower[-1] + 1, len(dof) - 1)])


def figures_6_and_7(rounds, plots, quick):
    small, large = list(range(2, 17)), [] if quick else [32, 64, 128, 256, 512, 1024, 1600]
    dof, serial = curves(lambda n: lw.samples.chain(n, joint=BALL), small + large, [VIRTUAL, UNIT], rounds)
    small, large = list(range(2, 13)), [] if quick else [24, 48, 96, 192, 384, 768, 1200]
    dof_star, star = curves(
        lambda n: lw.samples.star(n + 1, joint=BALL), small + large, [VIRTUAL, UNIT, SPLIT], rounds
    )
    for title, d, seconds in (("figure 6, serial", dof, serial), ("figure 7, star", dof_star, star)):
        print(f"\n{title}: µs per call\n{'dof':>6}" + "".join(f"{name:>28}" for name in seconds))
        for k, n in enumerate(d):
            print(f"{n:6}" + "".join(f"{1e6 * values[k]:28.2f}" for values in seconds.values()))
    budget("crossover of figure 6, degrees of freedom", crossover(dof, serial[VIRTUAL], serial[UNIT]), 15)
    budget("crossover of figure 7, degrees of freedom", crossover(dof_star, star[VIRTUAL], star[UNIT]), 29)
    budget("  with split links (the paper: 30)", crossover(dof_star, star[SPLIT], star[UNIT]), None)
    if plots:
        plot_figures(plots, [("Serial chains (figure 6)", dof, serial, 48), ("Star (figure 7)", dof_star, star, 39)])


def growth(rounds, quick):
    """Linear time, and its multiple of ABA's."""
    big = 16_000 if quick else 64_000
    print(f"\nns per link              {'virtual work':>14}{'ABA':>8}   ratio")
    cases = {"chain of hinges": (lw.samples.chain, None), "star of hinges": (lw.samples.star, None)}
    cases |= {"chain of ball joints": (lw.samples.chain, BALL), "star of ball joints": (lw.samples.star, BALL)}
    cases["binary tree of hinges"] = (lw.samples.tree, None)
    threads = thread_count()
    lw.set_threads(1)
    for name, (make, joint) in cases.items():
        per_link = {}
        for n in (1000, big):
            times = best_times(make(n, joint=joint), [VIRTUAL, ABA], rounds)
            per_link[n] = {method: seconds / n for method, seconds in times.items()}
            print(f"{name:18} {n:6} {1e9 * per_link[n][VIRTUAL]:13.0f}{1e9 * per_link[n][ABA]:8.0f}"
                  f"{per_link[n][VIRTUAL] / per_link[n][ABA]:8.2f}")  # fmt: skip
        budget(f"{name}: time a link over ABA's", per_link[1000][VIRTUAL] / per_link[1000][ABA], 6.0)
        budget(f"{name}: time a link at {big} over that at 1000", per_link[big][VIRTUAL] / per_link[1000][VIRTUAL], 1.4)
    tree, best = lw.samples.tree(big), {1: np.inf, threads: np.inf}
    for _ in range(rounds):  # in turns, for a machine that others use too
        for count in best:
            lw.set_threads(count)
            best[count] = min(best[count], best_times(tree, [VIRTUAL], 1, time.perf_counter)[VIRTUAL])
    lw.set_threads(None)
    plan = plan_of(tree.tree, threads)
    if plan is not None:
        busiest = (len(plan.trunk) + max(map(len, plan.branches))) / big
        budget(f"binary tree of {big} on {threads} threads: share of the busiest", busiest, None)
    budget("  wall time on one thread over that (needs idle cores)", best[1] / best[threads], None)


def uneven(n, ratio):
    """A chain of hinges whose masses grow from root to tip, `ratio` in all."""
    return weighted(lw.samples.chain(n), ratio ** np.linspace(0.0, 1.0, n))


def light(n, ratio):
    """A chain of hinges with one link in the middle that is lighter than the others."""
    weights = np.where(np.arange(n) == n // 2, 1.0 / ratio, 1.0)
    return weighted(lw.samples.chain(n), weights)


def weighted(linkage, weights):
    """The linkage with every inertia times its weight."""
    columns = linkage.columns
    mass, inertia = columns.mass * weights, columns.inertia * weights[:, None]
    linkage._set_parameters(mass=(slice(None), mass), inertia=(slice(None), inertia))
    return linkage


def error_cases(quick):
    """Linkages for the error of methods: name, what varies, and the linkage for each value of it."""
    lengths = (4, 16, 64, 256) if quick else (4, 16, 64, 256, 1024)
    ratios = (1.0, 1e3, 1e6, 1e9)
    return {
        "chain of hinges": ("links", {n: lw.samples.chain(n) for n in lengths}),
        "chain of ball joints": ("links", {n: lw.samples.chain(n, joint=BALL) for n in lengths}),
        "random branched tree": ("links", {n: lw.samples.random_tree(n, seed=n, branching=0.9) for n in lengths}),
        "star of ball joints": ("links", {n: lw.samples.star(n, joint=BALL) for n in lengths}),
        "30 hinges, heavy tip": ("mass of tip over mass of root", {r: uneven(30, r) for r in ratios}),
        "30 hinges, one light link": ("mass of the others over its mass", {r: light(30, r) for r in ratios}),
    }


def references(quick) -> dict[str, list[list[str]]]:
    """Accelerations of every case by ABA on 80-bit numbers, run in a process of its own where nothing is compiled."""
    program = [sys.executable, __file__, "--reference"] + (["--quick"] if quick else [])
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run(program, env=environment, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def print_references(quick):
    from linkwork.kernels import numba_ext

    numba_ext.scalar = lambda array, value: value
    from linkwork.kernels.tree.aba import aba

    wide = {}
    for name, (_, linkages) in error_cases(quick).items():
        wide[name] = []
        for linkage in linkages.values():
            tree = linkage.tree
            arrays = [x.astype(np.longdouble) for x in (*state(linkage, 1), np.zeros(tree.nv))]
            work = np.empty(tree.work_size, dtype=np.longdouble)
            aba(tree.model.astype(np.longdouble), tree.index, work, 0, *arrays)
            wide[name].append([str(x) for x in arrays[-1]])
    sys.stdout.write(json.dumps(wide))


def errors(plots, quick):
    wide = references(quick)
    results = {}
    for name, (axis, linkages) in error_cases(quick).items():
        methods = [VIRTUAL, ABA, CRBA, UNIT] + ([SPLIT] if "star" in name or "branched" in name else [])
        found = {method: [] for method in methods}
        for linkage, reference in zip(linkages.values(), wide[name], strict=True):
            q, v, tau = state(linkage, 1)
            expected = np.array([np.longdouble(x) for x in reference])
            for method in methods:
                try:
                    a = lw.forward_dynamics(linkage, q, v, tau, **OPTIONS[method])
                except lw.SingularError:  # refused: no point, nan in the table
                    a = np.nan
                found[method].append(float(np.abs(a - expected).max() / np.abs(expected).max()))
        results[name] = (axis, list(linkages), found)
        print(f"\n{name}: largest error over largest acceleration\n{axis:>30}" + "".join(f"{m:>27}" for m in methods))
        for k, size in enumerate(linkages):
            print(f"{size:30g}" + "".join(f"{found[method][k]:27.1e}" for method in methods))
    print("\nsplitting a star of 13 ball joints: error by the share of the mass that each added link gets")
    star = lw.samples.star(13, joint=BALL)
    q, v, tau = state(star, 1)
    expected = lw.forward_dynamics(star, q, v, tau, method="aba")
    for share in (None, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7):
        a = lw.forward_dynamics(split_links(star, share)[0], q, v, tau, method="virtual-work")
        print(f"{'equal' if share is None else share!s:>10} {np.abs(a - expected).max() / np.abs(expected).max():.1e}")
    if plots:
        plot_errors(plots, results)


missed: list[str] = []


def budget(what, value, limit):
    """Print a figure beside what it may be at most."""
    verdict = "" if limit is None else f"   at most {limit:g}: {'met' if value <= limit else 'MISSED'}"
    if limit is not None and value > limit:
        missed.append(what)
    print(f"{what:72} {value:8.3g}{verdict}")


COLOURS = {VIRTUAL: "C0", SPLIT: "C4", UNIT: "C1", ABA: "C2", CRBA: "C3"}


def plot_figures(folder, figures):
    import matplotlib.pyplot as plt

    fig, axes = plt.subplots(2, 2, figsize=(10, 7.5), constrained_layout=True)
    for row, (title, dof, seconds, end) in zip(axes, figures, strict=True):
        for name, values in seconds.items():
            near = dof <= end
            row[0].plot(dof[near], 1e6 * values[near], ".-", color=COLOURS[name], label=name)
            row[1].loglog(dof, 1e6 * values, ".-", color=COLOURS[name], label=name)
        row[0].set(title=title, xlabel="degrees of freedom", ylabel="µs per call", ylim=(0, None))
        row[1].set(title=f"{title}, 100 times as large", xlabel="degrees of freedom")
        row[0].legend()
    fig.savefig(folder / "virtual_work_time.svg")


def plot_errors(folder, results):
    import matplotlib.pyplot as plt

    fig, axes = plt.subplots(2, 3, figsize=(12, 7), constrained_layout=True, sharey=True)
    for ax, (name, (axis, sizes, found)) in zip(axes.ravel(), results.items(), strict=True):
        for method, values in found.items():
            ax.loglog(sizes, np.maximum(values, 1e-17), ".-", color=COLOURS[method], label=method)
        ax.set(title=name, xlabel=axis)
    axes[0, 0].set_ylabel("error")
    axes[1, 0].set_ylabel("error")
    axes[1, 0].legend(loc="upper left")
    fig.savefig(folder / "virtual_work_error.svg")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plots", type=Path, help="write the plots to this folder")
    parser.add_argument("--quick", action="store_true", help="smaller linkages, fewer rounds")
    parser.add_argument("--reference", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.reference:
        print_references(options.quick)
        return
    rounds = 10 if options.quick else 30
    figures_6_and_7(rounds, options.plots, options.quick)
    growth(rounds, options.quick)
    errors(options.plots, options.quick)
    if missed:
        raise SystemExit(f"\nbudgets missed: {', '.join(missed)}")


if __name__ == "__main__":
    main()
