"""Adaptive dynamics: what `benchmarks/adaptive.py dynamics` shows of it."""

from __future__ import annotations

import time

import numpy as np
from adaptive import centres, timed

import linkwork as lw
from linkwork.kernels.layout.adaptive import CLOSINGS, LOST, OPENINGS, SWEEPS
from linkwork.quasistatics.moving_records import MovingRecords


def dynamics(options) -> None:
    """A molecule pushed at one atom and then let go, against exact steps of the same integrator."""
    for n, dt in ((500, 2e-3), (options.joints, 2e-4)):
        pushed_then_free(n, dt, 400)


def pushed_then_free(n: int, dt: float, steps: int) -> None:
    """Displacement error, energy, joints that move and time per step, at several tolerances."""
    linkage = lw.samples.molecule(n)
    linkage.gravity = (0, 0, 0)
    start, body, force = linkage.random(np.random.default_rng(1)), n // 2, (1.0, 2.0, 3.0)
    f_ext, off = np.zeros((n, 6)), np.zeros((n, 6))
    f_ext[body, :3] = force
    q, v = start, np.zeros(n)
    for k in range(steps):
        v = v + dt * lw.forward_dynamics(linkage, q, v, None, f_ext if k < steps // 2 else off)
        q = q + dt * v
    simulation = lw.Simulation(linkage, start, np.zeros(n), dt=dt, integrator="semi-implicit")
    simulation.step()
    exact = timed(simulation.step, 20)
    end, energy = centres(linkage, q), lw.kinetic_energy(linkage, q, v)
    moved = np.linalg.norm(end - centres(linkage, start), axis=1).max()
    print(f"{n} joints, {steps} steps of {dt:g} s: moved {moved:.3g} m, {energy:.3g} J; an exact step takes "
          f"{1e3 * exact:.2f} ms at best")  # fmt: skip
    print("epsilon  closing  joints mean (most)  displacement  energy     lost      sweeps  opened closed  step")
    for exponent, closing in ((3, None), (5, None), (7, None), (7, 0.0)):
        ad = lw.AdaptiveSimulation(
            linkage, start, tolerance=2.0**-exponent, dt=dt, mode="dynamics", closing=closing
        )  # fmt: skip
        ad.apply_force(linkage.bodies[body].name, force)
        computed, sweeps, each = [], [], []
        assert isinstance(ad._parts, MovingRecords)
        totals = ad._parts.totals
        for k in range(steps):
            if k == steps // 2:
                ad.apply_force(linkage.bodies[body].name, (0, 0, 0))
            began = time.thread_time()
            computed.append(ad.step().computed)
            each.append(time.thread_time() - began)
            sweeps.append(totals[SWEEPS])
        error = np.linalg.norm(centres(linkage, ad.q) - end, axis=1).max() / moved
        opened, closed, lost = totals[[OPENINGS, CLOSINGS, LOST]]
        step = np.median(each)
        print(f"2^-{exponent}     {ad.closing:.0e}   {np.mean(computed):5.0f} ({max(computed)})         {error:.1e}"
              f"       {ad.kinetic_energy / energy - 1:+.1e}   {lost / energy:.1e}   {np.mean(sweeps):.2f}    "
              f"{opened:.0f}     {closed:.0f}     {1e6 * step:.0f} us, {exact / step:.0f} x", flush=True)  # fmt: skip
