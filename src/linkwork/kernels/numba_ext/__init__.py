"""All that touches Numba's internals: packs, the compiler's pipeline and cache, addresses, threads."""
