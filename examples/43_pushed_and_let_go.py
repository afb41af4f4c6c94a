"""
A molecule pushed and let go
============================

Adaptive dynamics: joints have velocities, and only those that matter move. One atom of a molecule of 20,000 is pushed
for a tenth of a second and then let go. What hardly moves is held, in rigid parts; parts are freed when holding them
would make the accelerations wrong by more than the tolerance, and come to rest again when that costs next to no energy.
"""

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

molecule = lw.samples.molecule(20_000)
molecule.gravity = (0, 0, 0)
ad = lw.AdaptiveSimulation(molecule, tolerance=2.0**-7, dt=5e-4, mode="dynamics")
ad.apply_force("atom10000", (1, 2, 3))

# %%
# The first step finds out which joints matter; later ones find most of them open already.
moving, energy, lost = [], [], 0.0
for k in range(400):
    if k == 200:
        ad.apply_force("atom10000", (0, 0, 0))
    report = ad.step()
    lost += report.energy_lost
    moving.append(report.computed)
    energy.append(ad.kinetic_energy)
print(report)
print(f"{np.mean(moving):.0f} of {molecule.nb} joints moved; closing cost {lost / energy[-1]:.1e} of the energy")

# %%
# The velocities are there for everything else that the library computes.
np.testing.assert_allclose(lw.kinetic_energy(molecule, ad.q, ad.v), ad.kinetic_energy, rtol=1e-9)

t = ad.dt * np.arange(1, 401)
figure, (above, below) = plt.subplots(2, sharex=True, figsize=(6, 4))
above.plot(t, moving)
above.set_ylabel("joints that move")
below.plot(t, energy)
below.set(xlabel="t, s", ylabel="kinetic energy, J")
below.axvline(0.1, color="gray", linewidth=0.7)
figure.tight_layout()
plt.show()
