"""Adaptive quasi-statics that measures displacements: what `benchmarks/adaptive.py` shows of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from adaptive import adaptive_run, centres, exact_run, exact_times, neighbours, step_time, timed

import linkwork as lw
from linkwork.quasistatics.exact_step import exact_step


def displacement(options) -> None:
    """Total displacement error and joints computed, both measures, forces side by side: medians over sites."""
    linkage = lw.samples.molecule(options.joints)
    linkage.gravity = (0, 0, 0)
    rng = np.random.default_rng(options.seed)
    q, steps, gain = linkage.random(rng), 200, 2e-5
    start = centres(linkage, q)
    drawn = []
    print("forces  epsilon   measure         joints (most)   error (largest)")
    for count in options.forces:
        rows: dict[tuple, list] = {}
        for site in rng.integers(linkage.nb, size=options.sites):
            bodies, forces = neighbours(linkage, int(site), count), rng.normal(size=(count, 3))
            if options.exact:
                end = exact_run(linkage, q, bodies, forces, gain, steps)
            else:  # 2^-26 is exact beside the tolerances here, and far quicker
                *_, end = adaptive_run(linkage, q, bodies, forces, gain, steps, 2.0**-26)
            end = centres(linkage, end)
            moved = np.linalg.norm(end - start, axis=1).max()
            for measure in options.measures:
                for k in (3, 7, 11, 15, 19):
                    _, computed, _, q_end = adaptive_run(linkage, q, bodies, forces, gain, steps, 2.0**-k, measure)
                    error = np.linalg.norm(centres(linkage, q_end) - end, axis=1).max() / moved
                    rows.setdefault((k, measure), []).append((computed, error))
        for (k, measure), values in rows.items():
            (joints, error), (most, worst) = np.median(values, axis=0), np.max(values, axis=0)
            print(f"{count:6}   2^-{k:<4}  {measure:13} {joints:6.0f} ({most:.0f})     {error:.1e} ({worst:.1e})",
                  flush=True)  # fmt: skip
            drawn.append((count, 2.0**-k, measure, joints, error))
    if options.plots:
        draw_displacement(drawn, options.plots)


def draw_displacement(rows, folder: Path) -> None:
    """Displacement error and joints computed against the tolerance, in both measures: the paper's Figure 8."""
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(9, 3.5))
    for color, count in enumerate(sorted({row[0] for row in rows})):
        for measure, line in (("displacement", "o-"), ("acceleration", "x:")):
            mine = [row for row in rows if row[0] == count and row[2] == measure]
            for ax, column, label in zip(axes, (4, 3), ("total displacement error", "joints computed"), strict=True):
                ax.loglog([row[1] for row in mine], [row[column] for row in mine], line, color=f"C{color}",
                          label=f"{count} forces, {measure}")  # fmt: skip
                ax.set(xlabel="tolerance", ylabel=label)
    tolerances = sorted({row[1] for row in rows})
    axes[0].loglog(tolerances, [2 * x for x in tolerances], "k-", linewidth=0.7, label="twice the tolerance")
    axes[0].legend(fontsize=6)
    figure.tight_layout()
    figure.savefig(folder / "adaptive_displacement.svg", metadata={"Date": None})


def cost(options) -> None:
    """Steps of one force with either measure: time for each joint; at 2^-7 against exact steps."""
    linkage = lw.samples.molecule(options.joints)
    linkage.gravity = (0, 0, 0)
    rng = np.random.default_rng(options.seed)
    q = linkage.random(rng)
    results: dict[str, list] = {"acceleration": [], "displacement": []}
    sites, ratios = rng.integers(linkage.nb, size=20), []
    for site in sites:
        force = rng.normal(size=3)
        for measure, rows in results.items():
            ad = lw.AdaptiveSimulation(linkage, q, tolerance=2.0**-7, gain=1e-6, measure=measure)
            ad.apply_force(linkage.bodies[int(site)].name, force)
            for _ in range(5):
                report = ad.step()
            rows.append((step_time(ad), report.computed, ad.nbytes / linkage.nv))
        ratios.append(exact_times(linkage, q))
    aba, dca = np.min(ratios, axis=0)
    per_joint = {}
    for measure, rows in results.items():
        step, joints, nbytes = np.median(rows, axis=0)
        per_joint[measure] = np.median([t / n for t, n, _ in rows])
        print(f"{measure}: {1e6 * step:.0f} us, {joints:.0f} joints, {1e6 * per_joint[measure]:.2f} us a joint, "
              f"{dca / step:.0f} x DCA, {aba / step:.1f} x ABA, {nbytes / 1e3:.1f} kB a joint")  # fmt: skip
    print(f"at equal joints: {per_joint['displacement'] / per_joint['acceleration']:.2f} x")


def changing(options) -> None:
    """All of 1,000 forces replaced before every step; one force alone; an exact step beside."""
    linkage = lw.samples.molecule(options.joints)
    linkage.gravity = (0, 0, 0)
    rng = np.random.default_rng(options.seed)
    q, n = linkage.random(rng), min(1000, options.joints)
    for name, bodies in (("side by side", neighbours(linkage, linkage.nb // 3, n)),
                         ("scattered", rng.choice(linkage.nb, n, replace=False))):  # fmt: skip
        ad = lw.AdaptiveSimulation(linkage, q, tolerance=2.0**-7, gain=1e-6)
        rows, sets = np.asarray(bodies), rng.normal(size=(7, n, 3))
        sets += 5.0 * sets[0]
        turn = iter(range(10**9))

        def step(ad=ad, rows=rows, sets=sets, turn=turn):
            ad.apply_forces(rows, sets[next(turn) % len(sets)])
            return ad.step()

        for _ in range(5):
            report = step()
        print(f"{n} {name}, all changed: {1e3 * timed(step, 20):.2f} ms, {report}; "
              f"exact step {1e3 * timed(lambda ad=ad: exact_step(ad)):.2f} ms", flush=True)  # fmt: skip
    body = linkage.bodies[linkage.nb // 3].name
    calls = timed(lambda: [ad.apply_force(body, (1.0, 2.0, 3.0)) for _ in range(1000)], 20)
    print(f"apply_force: {1e3 * calls:.2f} us")


def springs(options) -> None:
    """A spring in every joint and one force: against exact steps of the same scheme, and against the equilibrium."""
    n = min(options.joints, 1000)
    rng = np.random.default_rng(options.seed)
    linkage = lw.samples.molecule(n, seed=1)
    linkage.gravity = (0, 0, 0)
    q, k, gain, body, force = linkage.random(rng), 0.5, 0.5, n // 3, np.array([0.03, 0.05, -0.04])
    for joint in linkage.joints:
        linkage.add_force(lw.JointSpring(joint, k, q[joint.q_slice]))
    name, start = linkage.bodies[body].name, centres(linkage, q)

    def torques(x):
        return lw.jacobian(linkage, x, name)[:3].T @ force - k * (x - q)

    end = q
    for _ in range(100):
        end = end + gain * np.linalg.solve(lw.mass_matrix(linkage, end) + gain * k * np.eye(n), torques(end))
    moved = np.linalg.norm(centres(linkage, end) - start, axis=1).max()
    for exponent in (3, 7):
        ad = lw.AdaptiveSimulation(linkage, q, tolerance=2.0**-exponent, gain=gain)
        ad.apply_force(name, force)
        computed = np.mean([ad.step().computed for _ in range(100)])
        error = np.linalg.norm(centres(linkage, ad.q) - centres(linkage, end), axis=1).max() / moved
        print(f"2^-{exponent}: {computed:.0f} joints, displacement error {error:.1e}", flush=True)
    # The pull stiffens the pose that it leads to, by up to 4.6 N m/rad, and only springs are implicit: in a step
    # errors are multiplied by −0.9 to 0.998 at this gain, by −1 from 4,000 on, by −7 at 1e6, where nothing converges.
    gain = 3000.0
    ad = lw.AdaptiveSimulation(linkage, q, tolerance=2.0**-7, gain=gain)
    ad.apply_force(name, force)
    computed = np.mean([ad.step().computed for _ in range(8000)])
    f_ext = np.zeros((n, 6))
    f_ext[body, :3] = force
    exact = lw.equilibrium(linkage, ad.q, f_ext=f_ext)
    end = centres(linkage, exact)
    moved = np.linalg.norm(end - start, axis=1).max()
    off = np.linalg.norm(centres(linkage, ad.q) - end, axis=1).max() / moved
    left = np.abs(torques(ad.q)).max()
    print(f"equilibrium: {computed:.0f} joints, {left:.1e} N m left, off lw.equilibrium by {off:.1e} of {moved:.1f} m")


def check_model(k: int, rng):
    """A small linkage of one of eight kinds."""
    n, samples = int(rng.integers(6, 40)), lw.samples
    kinds = (
        lambda: samples.chain(n),
        lambda: samples.molecule(n, seed=k),
        lambda: samples.random_tree(n, seed=k, joints=("Revolute",), branching=1.0),
        lambda: samples.random_tree(n, seed=k, branching=0.5),
        lambda: samples.random_tree(n, seed=k, base="free", branching=0.3),
        lambda: samples.millipede(3),
        lambda: samples.four_bars(3, stacked=True),
        lambda: samples.five_bar(),
    )
    return kinds[k % len(kinds)]()


def checks(options) -> None:
    """The error reported against q̈ᵀ M q̈ of the true difference, from dense algebra."""
    rng, done, claimed, broken, worst = np.random.default_rng(options.seed), 0, 0, 0, 0.0
    model = 0
    while done < options.checks:
        linkage = check_model(model, rng)
        model += 1
        closed = bool(linkage.loops)
        q = linkage.neutral() if closed else linkage.random(rng)
        if closed:
            q = lw.close_loops(linkage, q)
        held = not closed and model % 2 == 0 and linkage.joints[0].nv < 6
        tau = lw.gravity_torques(linkage, q) if held else np.zeros(linkage.nv)
        body, force = int(rng.integers(linkage.nb)), rng.normal(size=3) * 10.0 ** rng.uniform(-4, 1)
        f_ext = np.zeros((linkage.nb, 6))
        f_ext[body, :3] = force
        ad = lw.AdaptiveSimulation(linkage, q, gain=1e-4)
        if held:
            ad.apply_torques(None, tau)
        ad.apply_force(linkage.bodies[body].name, force)
        for _ in range(2):
            q, H = ad.q, lw.mass_matrix(linkage, ad.q)
            if closed:
                a = lw.AdaptiveSimulation(linkage, q, tolerance=0.0, gain=1e-4)
                a.apply_force(linkage.bodies[body].name, force)
                a.refine(tolerance=0.0)
                a = a.a
            else:
                right = lw.jacobian(linkage, q, linkage.bodies[body].name)[:3].T @ force
                a = np.linalg.solve(H, right + tau - lw.gravity_torques(linkage, q))
                other = lw.forward_dynamics(linkage, q, np.zeros(linkage.nv), tau, f_ext)
            size = np.sqrt(a @ H @ a)
            if size == 0.0:
                break
            rounded = np.linalg.norm(tau) / np.sqrt(np.linalg.eigvalsh(H)[0]) / size
            unsure = 1e-15 * (np.linalg.cond(H) + rounded)
            unsure += 1e-9 if closed else 3.0 * np.sqrt((other - a) @ H @ (other - a)) / size  # of the two truths
            for exponent in (1, 3, 5, 7, 9, 11, 13, 15):
                report, done = ad.refine(tolerance=2.0**-exponent), done + 1
                true = np.sqrt((ad.a - a) @ H @ (ad.a - a)) / size
                claimed += report.claimed
                if true > report.error_bound + unsure:
                    broken += 1
                    print(f"broken: {linkage.name}, {linkage.nb} bodies, {true:.3g} > {report!r}, {unsure:.1g}")
                if true > 1e3 * (unsure + report.noise_floor):
                    worst = max(worst, abs(report.error_bound / true - 1.0))
            ad.step()
    print(f"{done} checks, {model} linkages, {claimed} claimed: {broken} bounds broken; what is reported was off the "
          f"true error by at most {100 * worst:.3f} % where that is above rounding")  # fmt: skip
