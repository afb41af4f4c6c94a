"""
Closing a loop between two residues
===================================

Two residues of a protein that are far apart along the chain are brought together, and joined: a loop joint, as a
disulphide bridge is one. The loop takes three degrees of freedom; the rest relaxes on it.
"""

from importlib.util import find_spec
from pathlib import Path

import numpy as np

import linkwork as lw

spec = find_spec("openmm")
assert spec is not None
assert spec.origin is not None, "pip install 'linkwork[molecule]'"
villin = lw.load(Path(spec.origin).parent / "app" / "data" / "test.pdb", water=False, backbone=True, rigid="_:12-20")
print(villin)

# %%
# The tip of one side chain shall meet the other's: inverse kinematics finds a pose, from the one in the file.
here, there = "_/8/CB", "_/28/CB"
atoms = [villin.molecule.atom(name) for name in (here, there)]
q = villin.neutral()
x = villin.molecule.positions(q)[atoms]
print(f"apart by {np.linalg.norm(x[0] - x[1]):.2f} nm")
middle = x.mean(axis=0)
found = lw.inverse_kinematics(villin, {here: middle, there: middle}, q, limits=False)
print("converged:", found.converged)

# %%
# Join them there. Forces hold the joint until it breaks, at 500 kJ/mol/nm: that is 0.83 nN.
change = villin.connect(here, there, lw.Spherical(), name="bridge", strength=500.0)
q, _ = change.carry(found.q, np.zeros(villin.nv))
q = lw.close_loops(villin, q)
print(f"{villin.nv - 3} degrees of freedom are left of {villin.nv}")

# %%
# Relax: torsions want to go back to where they were, atoms keep apart, and the bridge holds.
forces = lw.LightForces(villin, torsion_stiffness=20.0, sphere_stiffness=2e3)
relaxed = lw.minimize(forces, q, tolerance=5.0, iterations=20)
print(f"energy {forces.energy(q):.0f} -> {relaxed.energy:.0f} kJ/mol in {relaxed.evaluations} evaluations")
x = villin.molecule.positions(relaxed.q)[atoms]
print(f"gap of the bridge: {np.linalg.norm(x[0] - x[1]):.1e} nm")
lw.draw_backbone(villin, relaxed.q)
villin.molecule.write("bridged.pdb", relaxed.q)
