"""Packs of states, aligned stacks, a cache of our own, threads that wait in compiled code: by Numba's internals."""
