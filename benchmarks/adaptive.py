"""Adaptive quasi-statics: Table 1 and Figures 5, 7, 8 of Redon & Lin (2005), and scaling to a million joints.

    python benchmarks/adaptive.py table      [--joints 50000] [--steps 4000] [--forces 1 10 100 1000] [--scattered]
                                             [--powers 0 1 … 19] [--json FILE]: tolerances, and where rows are kept
    python benchmarks/adaptive.py speed      the budgets: one force, 20 sites, and 1,000 forces, as ratios
    python benchmarks/adaptive.py millipede  Figure 5
    python benchmarks/adaptive.py chain      Figure 1: a bicycle chain at three tolerances
    python benchmarks/adaptive.py scaling    one force, 10,000 to 1,000,000 joints
    python benchmarks/adaptive.py even       from which share of the joints on an exact step is faster
    python benchmarks/adaptive.py floor      the noise floor where torques hold a linkage against gravity
    python benchmarks/adaptive.py displacement   both measures side by side, medians over ten sites [--sites 10]
    python benchmarks/adaptive.py springs    a sprung molecule of 1,000 joints, and its equilibrium
    python benchmarks/adaptive.py cost       a step with either measure at equal joints, and against ABA and DCA at 2^-7
    python benchmarks/adaptive.py changing   1,000 forces that change in every step, side by side and scattered
    python benchmarks/adaptive.py checks     bounds against dense truth on random linkages [--checks 10000]

`--plots FOLDER` draws what was measured. Exact steps by our ABA and our divide and conquer, one thread, are timed in
the same run. The relative displacement error is max |dᵢ − dᵢ(exact)| / max |dᵢ(exact)| over the bodies' centres of
mass, at the end of the run; the paper's table seems to give the same divided by the number of steps, so both are here.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np

import linkwork as lw
from linkwork.quasistatics import adaptive_simulation, part_records
from linkwork.quasistatics.exact_step import exact_step

POWERS = (3, 7, 11, 15, 19)  # of the tolerances in Table 1; its text has 0 … 19
TIGHT = 2.0**-19


def timed(call, rounds: int = 5) -> float:
    """Seconds of this thread's work, the best of some rounds: other programs do not count."""
    best = np.inf
    for _ in range(rounds):
        start = time.thread_time()
        call()
        best = min(best, time.thread_time() - start)
    return best


def step_time(ad: lw.AdaptiveSimulation) -> float:
    """Seconds of a step; five at a time, for looking at the clock takes a while, too."""

    def steps():
        for _ in range(5):
            ad.step()

    return timed(steps, 30) / 5


def exact_times(linkage: lw.Linkage, q: np.ndarray) -> tuple[float, float]:
    """Seconds of an exact step by ABA and by divide and conquer, one thread."""
    v = np.zeros(linkage.nv)
    lw.set_threads(1)
    times = (
        timed(lambda: lw.forward_dynamics(linkage, q, v)),
        timed(lambda: lw.forward_dynamics(linkage, q, v, method="dca")),
    )
    lw.set_threads(None)
    return times


def neighbours(linkage: lw.Linkage, site: int, count: int) -> list[int]:
    """The bodies nearest to one, by the number of joints between."""
    parent = linkage.columns.parent
    children: dict[int, list[int]] = {}
    for i, p in enumerate(parent.tolist()):
        children.setdefault(p, []).append(i)
    found, seen = [site], {site}
    for body in found:
        for other in [int(parent[body]), *children.get(body, [])]:
            if other >= 0 and other not in seen:
                seen.add(other)
                found.append(other)
        if len(found) >= count:
            break
    return found[:count]


def centres(linkage: lw.Linkage, q: np.ndarray) -> np.ndarray:
    poses = lw.body_poses(linkage, q)
    return poses.positions + np.einsum("nij,nj->ni", poses.rotations, linkage.columns.com)


def exact_run(linkage, q, bodies, forces, gain, steps) -> np.ndarray:
    f_ext, v = np.zeros((linkage.nb, 6)), np.zeros(linkage.nv)
    f_ext[bodies, :3] = forces
    for _ in range(steps):
        q = linkage.integrate(q, gain * lw.forward_dynamics(linkage, q, v, None, f_ext))
    return q


def adaptive_run(linkage, q, bodies, forces, gain, steps, epsilon, measure="displacement"):
    """Milliseconds of the median step, joints computed on average, how many steps were exact, and where it ends."""
    ad = lw.AdaptiveSimulation(linkage, q, tolerance=epsilon, gain=gain, measure=measure)
    ad.apply_forces(np.asarray(bodies), forces)
    ad.step()
    times, computed, exact = np.empty(steps - 1), 0, 0
    for k in range(steps - 1):
        start = time.thread_time()
        report = ad.step()
        times[k] = time.thread_time() - start
        computed += report.computed
        exact += report.exact
    return 1e3 * np.median(times), computed / (steps - 1), exact, ad.q


def table(linkage, options, counts) -> list[dict]:
    """Time, joints computed and displacement error for each number of forces, each measure and each tolerance."""
    rng = np.random.default_rng(options.seed)
    q = linkage.random(rng)
    aba, dca = exact_times(linkage, q)
    print(f"{linkage.name}: exact step ABA {1e3 * aba:.2f} ms, DCA {1e3 * dca:.1f} ms")
    rows = []
    print("forces  measure       epsilon     ms   of DCA   of ABA   computed  exact   error   error/step")
    for count in counts:
        bodies = rng.choice(linkage.nb, count, replace=False) if options.scattered else neighbours(
            linkage, linkage.nb // 3, count)  # fmt: skip
        forces = rng.normal(size=(count, 3))
        gain = 1e-6
        end = exact_run(linkage, q, bodies, forces, gain, options.steps)
        start = centres(linkage, q)
        moved = np.linalg.norm(centres(linkage, end) - start, axis=1).max()
        for measure, power in ((measure, k) for measure in options.measures for k in options.powers):
            epsilon = 2.0**-power
            run = linkage, q, bodies, forces, gain, options.steps, epsilon, measure
            ms, computed, exact, q_end = adaptive_run(*run)
            error = np.linalg.norm(centres(linkage, q_end) - centres(linkage, end), axis=1).max() / moved
            rows.append({
                "linkage": linkage.name, "measure": measure, "steps": options.steps, "forces": count,
                "tolerance": epsilon, "ms": ms, "computed": computed, "exact_steps": exact, "error": error,
                "aba_ms": 1e3 * aba, "dca_ms": 1e3 * dca,
            })  # fmt: skip
            print(f"{count:6}  {measure:12}  2^-{power:<3}  {ms:8.3f} {1e3 * dca / ms:8.0f} {1e3 * aba / ms:8.1f} "
                  f"{computed:10.0f} {exact:6} {error:9.1e} {error / options.steps:9.1e}", flush=True)  # fmt: skip
    return rows


def speed(options) -> None:
    """The budgets of the design: 20 sites of one force, and 1,000 forces side by side, at 2^-19."""
    linkage = lw.samples.molecule(options.joints)
    linkage.gravity = (0, 0, 0)
    rng = np.random.default_rng(options.seed)
    q = linkage.random(rng)
    for count, sites, budget in ((1, 20, (400, 50)), (1000, 5, (30, 3))):
        times, computed, ratios = [], [], []
        for site in rng.integers(linkage.nb, size=sites):
            ad = lw.AdaptiveSimulation(linkage, q, tolerance=TIGHT, gain=1e-6)
            bodies = neighbours(linkage, int(site), count)
            ad.apply_forces(np.asarray(bodies), rng.normal(size=(len(bodies), 3)))
            for _ in range(5):
                report = ad.step()
            times.append(step_time(ad))
            computed.append(report.computed)
            ratios.append(exact_times(linkage, q))
        aba, dca = np.min(ratios, axis=0)
        step = np.median(times)
        print(f"{count} force(s), median of {sites} sites: {1e6 * step:.0f} us, {np.median(computed):.0f} joints; "
              f"{dca / step:.0f} x DCA (budget {budget[0]}), {aba / step:.1f} x ABA (budget {budget[1]}); "
              f"noise floor {report.noise_floor:.0e}, exact {report.exact}")  # fmt: skip


def scaling(options) -> None:
    sizes = (10_000, 50_000, 200_000, 1_000_000) if options.joints >= 50_000 else (1_000, options.joints)
    for joints in sizes:
        linkage = lw.samples.molecule(joints)
        linkage.gravity = (0, 0, 0)
        rng = np.random.default_rng(options.seed)
        ad = lw.AdaptiveSimulation(linkage, linkage.random(rng), tolerance=TIGHT, gain=1e-6)
        times, computed = [], []
        for site in rng.integers(joints, size=20):
            name = f"atom{site}"
            ad.apply_force(name, rng.normal(size=3))
            for _ in range(4):
                report = ad.step()
            times.append(step_time(ad))
            computed.append(report.computed)
            ad.apply_force(name, (0, 0, 0))
        print(f"{joints:9} joints: {1e6 * np.median(times):6.0f} us per step, {np.median(computed):4.0f} computed, "
              f"depth {linkage.assembly().depth}, {ad.nbytes / joints / 1e3:.1f} kB per joint", flush=True)  # fmt: skip


def even(options) -> None:
    """Scattered forces, more and more of them, until the exact step is the faster one."""
    part_records.SHARE = adaptive_simulation.SHARE = 2.0  # never exact by itself
    for linkage in (lw.samples.molecule(options.joints), lw.samples.molecule(5000), lw.samples.millipede(1000)):
        linkage.gravity = (0, 0, 0)
        rng = np.random.default_rng(options.seed)
        q = linkage.random(rng)
        for count in (3, 10, 20, 30, 50, 75, 100, 150):
            ad = lw.AdaptiveSimulation(linkage, q, tolerance=2.0**-11, gain=1e-9)
            ad.apply_forces(np.asarray(rng.choice(linkage.nb, count, replace=False)), rng.normal(size=(count, 3)))
            share, step, exact = ad.step().computed / linkage.nb, timed(ad.step), timed(lambda ad=ad: exact_step(ad))
            print(f"{linkage.name}: {count} forces, {100 * share:.1f} % computed, {1e3 * step:.2f} ms, "
                  f"exact {1e3 * exact:.2f} ms", flush=True)  # fmt: skip
            if step > 1.5 * exact:
                break


def floor(options) -> None:
    """Gravity held by torques, and 1 N on five bodies in turn."""
    for linkage in (lw.samples.chain(options.joints), lw.samples.millipede(1000), lw.samples.molecule(options.joints),
                    lw.samples.random_tree(options.joints, joints=("Revolute",), branching=1.0)):  # fmt: skip
        rng = np.random.default_rng(options.seed)
        q = linkage.random(rng)
        ad = lw.AdaptiveSimulation(linkage, q)
        tau = lw.gravity_torques(linkage, q)
        for joint in linkage.joints:
            if joint.nv:
                ad.apply_torque(joint.name, tau[joint.v_slice])
        floors = []
        for body in rng.integers(linkage.nb, size=5):
            force = rng.normal(size=3)
            ad.apply_force(linkage.bodies[int(body)].name, force / np.linalg.norm(force))
            floors.append(ad.refine(tolerance=2.0**-11).noise_floor)
            ad.apply_force(linkage.bodies[int(body)].name, (0, 0, 0))
        print(f"{linkage.name}: noise floor {min(floors):.0e} to {max(floors):.0e}", flush=True)


def chain(options) -> None:
    """A constant sideways force on the last link of a bicycle chain without weight."""
    linkage = lw.samples.bicycle_chain(30)
    linkage.gravity = (0, 0, 0)
    q, gain = linkage.neutral(), 2e-5
    end = exact_run(linkage, q, [29], np.array([[1e-2, 0, 0]]), gain, options.steps)
    curves = {"exact": end}
    for epsilon in (2.0**-1, 2.0**-4, 2.0**-10):
        ms, computed, _, q_end = adaptive_run(linkage, q, [29], np.array([[1e-2, 0, 0]]), gain, options.steps, epsilon)
        gap = np.linalg.norm(centres(linkage, q_end) - centres(linkage, end), axis=1).max()
        print(f"2^{np.log2(epsilon):.0f}: {ms:.3f} ms, {computed:.1f} of 30 joints, off by {1e3 * gap:.2f} mm")
        curves[f"2^{np.log2(epsilon):.0f}"] = q_end
    if options.plots:
        from matplotlib import pyplot as plt

        figure, ax = plt.subplots(layout="constrained")
        for name, each in {"start": q, **curves}.items():
            ax.plot(*centres(linkage, each)[:, [0, 2]].T, "o-", markersize=2, label=name)
        ax.set(xlabel="x (m)", ylabel="z (m)", aspect="equal")
        ax.legend(title="tolerance", loc="upper left", bbox_to_anchor=(1.0, 1.0))
        figure.savefig(options.plots / "adaptive_chain.svg")


def keep(rows, path: Path) -> list[dict]:
    """Store rows in place of those of the same kind of run, beside all others that are there already; all of them."""
    from machine import facts

    kept = json.loads(path.read_text())["rows"] if path.exists() else []
    key = lambda row: (row["linkage"], row["measure"], row["forces"], -row["tolerance"])  # noqa: E731
    new = {key(row) for row in rows}
    rows = sorted([row for row in kept if key(row) not in new] + rows, key=key)
    path.write_text(json.dumps({"machine": facts(), "rows": rows}, indent=1) + "\n")
    return rows


def draw(rows, options, name) -> None:
    """Time, joints computed and error per step against the tolerance, both measures: the paper's Figures 5, 7 and 8."""
    from matplotlib import pyplot as plt

    rows = [row | {"per_step": row["error"] / row["steps"]} for row in rows]
    figure, axes = plt.subplots(1, 3, figsize=(12, 4), layout="constrained")
    columns = {"ms": "ms per step", "computed": "joints computed", "per_step": "displacement error per step"}
    counts, lines = sorted({row["forces"] for row in rows}), {"displacement": "o-", "acceleration": "x:"}
    for color, count in enumerate(counts):
        for measure, line in lines.items():
            mine = [row for row in rows if (row["forces"], row["measure"]) == (count, measure)]
            for ax, (column, label) in zip(axes, columns.items(), strict=True):
                label_of = f"{count:,} force{'s' * (count > 1)}, {measure}"
                x, y = [row["tolerance"] for row in mine], [row[column] for row in mine]
                ax.loglog(x, y, line, ms=3, color=f"C{color}", label=label_of)
                ax.set(xlabel="tolerance", ylabel=label)
    for name_of, line in (("aba_ms", ":"), ("dca_ms", "--")):
        exact = np.median([row[name_of] for row in rows])
        axes[0].axhline(exact, color="gray", ls=line, label=f"exact, {name_of[:3].upper()}")
    axes[0].set_ylim(bottom=min(row["ms"] for row in rows) / 2)
    figure.legend(*axes[0].get_legend_handles_labels(), fontsize="small", ncols=5, loc="outside upper center")
    figure.savefig(options.plots / f"adaptive_{name}.svg", metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    from adaptive_displacement import changing, checks, cost, displacement, springs
    from adaptive_dynamics import dynamics

    others = {
        "speed": speed, "chain": chain, "scaling": scaling, "even": even, "floor": floor, "displacement": displacement,
        "cost": cost, "changing": changing, "checks": checks, "springs": springs, "dynamics": dynamics,
    }  # fmt: skip
    parser.add_argument("what", choices=["table", "millipede", *others])
    parser.add_argument("--joints", type=int, default=50_000)
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--forces", type=int, nargs="+", default=[1, 10, 100, 1000])
    parser.add_argument("--scattered", action="store_true", help="forces anywhere, not side by side")
    parser.add_argument("--measures", nargs="+", default=["acceleration", "displacement"])
    parser.add_argument("--powers", type=int, nargs="+", default=POWERS, help="k of the tolerances 2^-k of a table")
    parser.add_argument("--json", type=Path, help="file that keeps the rows of a table, and what is there already")
    parser.add_argument("--exact", action="store_true", help="compare with exact O(N) steps, not with 2^-26")
    parser.add_argument("--sites", type=int, default=10)
    parser.add_argument("--checks", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plots", type=Path, help="folder for pictures")
    options = parser.parse_args()
    if options.what in ("table", "millipede"):
        molecule = options.what == "table"
        linkage = lw.samples.molecule(options.joints) if molecule else lw.samples.millipede(1000)
        linkage.gravity = (0, 0, 0)
        rows = table(linkage, options, options.forces if molecule else [1])
        if options.json:
            rows = [row for row in keep(rows, options.json) if row["linkage"] == linkage.name]
        if options.plots:
            draw(rows, options, "molecule" if molecule else "millipede")
    else:
        others[options.what](options)


if __name__ == "__main__":
    main()
