"""A linkage as arrays for the kernels: a new set for each change of structure."""
