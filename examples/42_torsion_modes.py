"""
Normal modes of a protein in its torsions
=========================================

OpenMM gives the forces, linkwork the torsions: the energy is minimised over torsion angles, and the Hessian there,
with the mass matrix, gives the modes. The slowest ones move whole parts of the protein.
"""

from importlib.util import find_spec
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

spec = find_spec("openmm")
assert spec is not None
assert spec.origin is not None, "pip install 'linkwork[molecule]'"
whole = lw.load(Path(spec.origin).parent / "app" / "data" / "test.pdb", water=False)

# %%
# The force field knows proteins, and not the two ions of this file: write it without them, and read what is left.
whole.molecule.write("all.pdb")
lines = [line for line in Path("all.pdb").read_text().splitlines() if line[17:20].strip() not in ("Cl", "CL")]
Path("villin.pdb").write_text("\n".join(lines))
villin = lw.load("villin.pdb", backbone=True)
forces = lw.OpenMMForces(villin, forcefield=("amber14-all.xml", "implicit/gbn2.xml"))
print(forces, "on", villin)

# %%
# Minimise, by SciPy's L-BFGS on torques that are exact.
minimum = lw.minimize(forces, tolerance=20.0, iterations=120)
print(f"energy {forces.energy(villin.neutral()):.0f} -> {minimum.energy:.0f} kJ/mol, "
      f"largest torque left {minimum.torque:.0f} kJ/mol/rad")

# %%
# Six modes move or turn it as a whole; those after them are the slow motions of its helices.
modes = lw.torsion_modes(forces, minimum.q, count=16)
print("wavenumbers, 1/cm:", np.round(modes.wavenumbers, 1))

# %%
# Which residues take part in the slowest mode: how far their CA move, at 300 K.
slowest = 6
kt = lw.Langevin(300.0, 1.0).kt(villin)
amplitude = np.sqrt(kt) / abs(modes.frequencies[slowest])
moves = amplitude * np.linalg.norm(modes.displacements(forces, minimum.q, slowest), axis=1)
alphas = [k for k, name in enumerate(villin.molecule.names) if name.endswith("/CA")]
for k in alphas[::6]:
    print(f"{villin.molecule.names[k]:>10}: {moves[k]:.3f} nm")
plt.plot(moves[alphas])
plt.xlabel("residue")
plt.ylabel("motion of its CA (nm)")
plt.show()
