"""The same kernels by Numba's public API: one state at a time, its own cache, threads by `concurrent.futures`."""
