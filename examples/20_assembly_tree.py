"""
Putting a linkage together, two parts at a time
===============================================

Divide and conquer computes the motion of a linkage from that of its parts: two parts and the joint between them make a
larger part. The order in which parts are joined is the *assembly tree*. We look at a small one, then at those of large
linkages, and compute the same accelerations with it and without.
"""

import matplotlib.pyplot as plt
import numpy as np

import linkwork as lw

# %%
# A small millipede. Boxes at the bottom are bodies; every box above joins two parts by the joint it names. Dark parts
# touch the rest of the linkage at two bodies, light ones at one: more than two it never is.
small = lw.samples.millipede(legs=1)
lw.draw_assembly(small.assembly())
plt.show()

# %%
# The tree stays flat, whatever the linkage looks like.
for linkage in (
    lw.samples.chain(50_000),
    lw.samples.star(10_001),
    lw.samples.millipede(1000),
    lw.samples.molecule(50_000),
):
    print(linkage.assembly())

# %%
# The last of them, as a picture of its first 400 atoms.
molecule = lw.samples.molecule(400)
lw.draw(molecule, molecule.random(0), color="black", linewidth=0.8)
plt.show()

# %%
# Divide and conquer is one more method of forward dynamics; whole subtrees of the assembly tree go to each thread.
rng = np.random.default_rng(0)
q = linkage.random(rng)
v, tau = rng.normal(size=(2, linkage.nv))
a = lw.forward_dynamics(linkage, q, v, tau)
b = lw.forward_dynamics(linkage, q, v, tau, method="dca")
print(f"50,000 joints: largest difference {np.abs(a - b).max() / np.abs(a).max():.0e} of the largest acceleration")
