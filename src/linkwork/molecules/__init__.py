"""Forces on the atoms of a linkage that was read from a molecule, and the mechanics of its torsions."""
