"""Adaptive dynamics: what `benchmarks/adaptive.py dynamics` shows of it."""

from __future__ import annotations

import time

import numpy as np
from adaptive import centres

import linkwork as lw
from linkwork.kernels.layout.adaptive import CLOSINGS, LOST, OPENINGS, SWEEPS


def dynamics(options) -> None:
    """A molecule pushed at one atom and then let go, against exact steps of the same integrator."""
    for n, dt in ((500, 2e-3), (options.joints, 2e-4)):
        pushed_then_free(n, dt, 400, options)


def pushed_then_free(n: int, dt: float, steps: int, options) -> None:
    """Displacement error, energy, joints that move and time per step, at several tolerances."""
    linkage = lw.samples.molecule(n)
    linkage.gravity = (0, 0, 0)
    start, body, force = linkage.random(np.random.default_rng(1)), n // 2, (1.0, 2.0, 3.0)
    f_ext, off = np.zeros((n, 6)), np.zeros((n, 6))
    f_ext[body, :3] = force
    state = lw.forward_dynamics(linkage, start, np.zeros(n))  # compiled
    q, v, began = start, np.zeros(n), time.perf_counter()
    for k in range(steps):
        v = v + dt * lw.forward_dynamics(linkage, q, v, None, f_ext if k < steps // 2 else off)
        q = q + dt * v
    python = (time.perf_counter() - began) / steps
    simulation = lw.Simulation(linkage, start, state * 0.0, dt=dt, integrator="semi-implicit")
    simulation.run(dt, progress=False)
    began = time.perf_counter()
    simulation.run(21 * dt, progress=False)
    exact = (time.perf_counter() - began) / 20
    end, energy = centres(linkage, q), lw.kinetic_energy(linkage, q, v)
    moved = np.linalg.norm(end - centres(linkage, start), axis=1).max()
    print(f"{n} joints, {steps} steps of {dt:g} s: moved {moved:.3g} m, {energy:.3g} J; an exact step takes "
          f"{1e3 * exact:.2f} ms in Simulation, {1e3 * python:.2f} ms from Python")  # fmt: skip
    print("epsilon  closing  joints mean (most)  displacement  energy     lost      sweeps  opened closed  step")
    for exponent, closing in ((3, None), (5, None), (7, None), (7, 0.0)):
        options = {"tolerance": 2.0**-exponent, "dt": dt, "mode": "dynamics", "closing": closing}
        ad = lw.AdaptiveSimulation(linkage, start, **options)
        ad.apply_force(linkage.bodies[body].name, force)
        computed, sweeps, each = [], [], []
        for k in range(steps):
            if k == steps // 2:
                ad.apply_force(linkage.bodies[body].name, (0, 0, 0))
            began = time.perf_counter()
            computed.append(ad.step().computed)
            each.append(time.perf_counter() - began)
            sweeps.append(ad._parts.totals[SWEEPS])
        error = np.linalg.norm(centres(linkage, ad.q) - end, axis=1).max() / moved
        opened, closed, lost = ad._parts.totals[[OPENINGS, CLOSINGS, LOST]]
        step = np.median(each)
        print(f"2^-{exponent}     {ad.closing:.0e}   {np.mean(computed):5.0f} ({max(computed)})         {error:.1e}       "
              f"{ad.kinetic_energy / energy - 1:+.1e}   {lost / energy:.1e}   {np.mean(sweeps):.2f}    {opened:.0f}     "
              f"{closed:.0f}     {1e6 * step:.0f} us, {exact / step:.0f} x", flush=True)  # fmt: skip
