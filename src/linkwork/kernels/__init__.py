"""The algorithms, compiled: one algorithm per file, nothing but NumPy, math and Numba below them.

Every kernel is called as ``kernel(model, index, work, option, *inputs, *outputs)``. The arrays ``model`` and
``index`` describe the linkage (see `layout`), ``work`` is scratch memory, and inputs and outputs are one state
each: shape ``(n,)`` of floats, or ``(n, W)`` for a pack of W states at once. Kernels allocate nothing and return a
status (see `layout`), which the public face turns into an error.
"""
