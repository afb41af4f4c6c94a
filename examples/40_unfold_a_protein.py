"""
Unfolding a protein by its ends
===============================

The headpiece of villin, 35 residues, comes with OpenMM. Read from its PDB file it is a chain of rigid groups of atoms
that turn about bonds. Two opposite forces pull at its ends, and in each step adaptive quasi-statics computes only the
torsions that matter; the picture shows when each part of the backbone was last computed.
"""

from importlib.util import find_spec
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

spec = find_spec("openmm")
assert spec is not None
assert spec.origin is not None, "pip install 'linkwork[molecule]'"
villin = lw.load(Path(spec.origin).parent / "app" / "data" / "test.pdb", water=False, united=True)
print(villin.molecule)
print("left out:", "; ".join(villin.ignored))

# %%
# Names are those that people know: atoms such as ``_/1/CA``, torsions such as ``_/20/psi``. "_" stands for a chain
# without a letter. Angles are those of the file; at q = 0 every torsion is as it was read.
ends = "_/1/CA", "_/35/CA"
start = villin.neutral()
psi = villin.molecule.dihedrals(start, ["_/20/psi"])
print(f"psi of residue 20: {np.degrees(psi[0]):.1f} degrees")


def ends_at(q):
    """The ends of the chain, nm."""
    return villin.molecule.positions(q)[[villin.molecule.atom(name) for name in ends]]


# %%
# Pull: the forces, in kJ/mol/nm, follow the line between the ends. What joints accelerate is theirs to compute.
pulling = lw.AdaptiveSimulation(villin, start, tolerance=2.0**-5, gain=3e-3)
last = np.zeros(villin.nb)
first_dof = villin.columns.v_start
for step in range(400):
    a, b = ends_at(pulling.q)
    along = (b - a) / np.linalg.norm(b - a)
    for name, side in zip(ends, (-1.0, 1.0), strict=True):
        pulling.apply_force(name, side * 200.0 * along)
    report = pulling.step()
    moved = pulling.a[first_dof] != 0.0
    last[moved] = step
    if step % 100 == 99:
        length = np.linalg.norm(np.subtract(*ends_at(pulling.q)))
        print(f"step {step + 1}: {length:.2f} nm from end to end, {report.computed} of {villin.nb} joints computed")

# %%
# Where it has come to, coloured by the step in which each part was last computed. Any viewer of molecules shows the
# file that is written, and the trajectory would go to a .dcd file in the same way.
lw.draw_backbone(villin, pulling.q, last, label="last computed in step")
plt.show()
villin.molecule.write("unfolded.pdb", pulling.q)
print("clashes on the way:", len(lw.clashes(villin, pulling.q).pairs))
