"""
Pulling on a molecule of 50,000 joints
======================================

A force on one atom of a large molecule moves the atoms nearby; most of the others hardly feel it. Adaptive
quasi-statics computes only the joints that matter for the precision asked for, and says what error that leaves.
"""

import time

import numpy as np

import linkwork as lw

molecule = lw.samples.molecule(50_000)
molecule.gravity = (0, 0, 0)
q = molecule.random(np.random.default_rng(0))

# %%
# We pull on one atom, at several tolerances: the error of the displacements, weighted by mass, relative to all of them.
for exponent in (3, 7, 11, 15):
    ad = lw.AdaptiveSimulation(molecule, q, tolerance=2.0**-exponent, gain=1e-6)
    ad.apply_force("atom20000", (1.0, 2.0, 3.0))
    ad.step()
    start = time.perf_counter()
    for _ in range(100):
        report = ad.step()
    took = (time.perf_counter() - start) / 100
    print(f"tolerance 2^-{exponent:<2}  {report.computed:4} joints computed, error at most {report.error_bound:.1e}, "
          f"{1e6 * took:5.0f} us per step")

# %%
# The exact accelerations of all joints take this long.
start = time.perf_counter()
lw.forward_dynamics(molecule, q, np.zeros(molecule.nv))
print(f"exact: {1e6 * (time.perf_counter() - start):.0f} us")

# %%
# An answer at any time: refine as long as you like before moving on.
ad = lw.AdaptiveSimulation(molecule, q)
ad.apply_force("atom20000", (1.0, 2.0, 3.0))
for joints in (10, 30, 100):
    report = ad.refine(joints=joints)
    print(f"{report.computed:4} joints: error at most {report.error_bound:.1e}")

# %%
# Bonds have torsion potentials, and only what moves is kept of a run.
ad = lw.AdaptiveSimulation(molecule, q, tolerance=2.0**-5, gain=1e-4)
ad.apply_forces(["atom20000", "atom20001"], [[1.0, 2.0, 3.0], [0.5, 0.0, 0.0]])
ad.set_potential("atom20003", periodic=[(0.5, 3, 0.0)])
recording = ad.run(20 * ad.dt)
print(recording, f"instead of {len(recording) * molecule.nq}")

# %%
# Bonds may break on the way; what is as before in the assembly tree is kept.
ad.cut("atom20010")
print(ad.step())
